"""URLs of the account pages, in addition to those of allauth."""

from django.urls import path

from accounts.pages import account_deletion as deletion_views
from accounts.pages import data_export as export_views
from accounts.pages import notifications as notification_views
from accounts.pages import views

urlpatterns = [
    path("", views.account_page, name="account"),
    path("chair/", views.sign_in_as_director, name="chair"),
    path("preferences/", views.preferences, name="preferences"),
    path("profile/", views.profile, name="profile"),
    path("export/", export_views.export_page, name="account_export"),
    path("export/<int:pk>/", export_views.download, name="account_export_file"),
    path("leave/", deletion_views.deletion_page, name="account_leave"),
    path("leave/undo/", deletion_views.cancellation_page, name="account_leave_undo"),
    path("notices/", notification_views.notification_list, name="notices"),
    path("notices/read/", notification_views.mark_all_read, name="notices_read"),
    path("notices/choices/", notification_views.notification_settings, name="notices_choices"),
    path("notices/choices/renew/", notification_views.renew_tokens, name="notices_renew"),
    path(
        "notices/unsubscribe/<str:token>/",
        notification_views.unsubscribe,
        name="notices_unsubscribe",
    ),
    path("notices/<int:pk>/", notification_views.open_notification, name="notice"),
    path("notices/<str:token>.atom", notification_views.feed_file, name="notices_feed"),
    path("calendar/<str:token>.ics", notification_views.calendar_file, name="calendar"),
]
