"""Every address of the site; the season's own stand at the root."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _

admin.site.site_title = admin.site.site_header = "Temporada"
admin.site.index_title = _("The office")
# Whoever enters the office passes the same door, with its second factor, as everybody.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.interface")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("config.health.urls")),
    path("", include("api.urls")),
    path("", include("actas.urls")),
    path("", include("events.urls")),
    path("", include("corridas.urls")),
    path("", include("leagues.urls")),
    path("", include("dominoes.urls")),
    path("", include("eltoro.urls")),
]
