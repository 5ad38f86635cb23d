"""The account's own addresses, beside those of allauth."""

from django.urls import path

from accounts.views import account, entrance, export, leaving, notices

urlpatterns = [
    path("", account.page, name="account"),
    path("chair/", entrance.chair, name="chair"),
    path("preferences/", entrance.preferences, name="preferences"),
    path("profile/", account.profile, name="profile"),
    path("export/", export.page, name="account_export"),
    path("export/<int:pk>/", export.ready, name="account_export_file"),
    path("leave/", leaving.page, name="account_leave"),
    path("leave/undo/", leaving.undo, name="account_leave_undo"),
    path("notices/", notices.page, name="notices"),
    path("notices/read/", notices.all_read, name="notices_read"),
    path("notices/choices/", notices.chosen, name="notices_choices"),
    path("notices/choices/renew/", notices.renew, name="notices_renew"),
    path("notices/unsubscribe/<str:token>/", notices.unsubscribe, name="notices_unsubscribe"),
    path("notices/<int:pk>/", notices.opened, name="notice"),
    path("notices/<str:token>.atom", notices.feed, name="notices_feed"),
    path("calendar/<str:token>.ics", notices.calendar, name="calendar"),
]
