"""All URLs of the site. URLs of seasons have no prefix."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView


@require_safe
def favicon(_request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the icon, for clients that request this path without reading a page.

    The icon's file name contains a digest.
    """
    return HttpResponseRedirect(static("img/favicon.ico"))


handler400 = "config.errors.bad_request"
handler500 = "config.errors.server_error"
urlpatterns = [
    path(
        "robots.txt",
        TemplateView.as_view(template_name="robots.txt", content_type="text/plain"),
        name="robots",
    ),
    path("favicon.ico", favicon, name="favicon"),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("server.health.urls")),
    path("", include("api.urls")),
    path("", include("actas.urls")),
    path("", include("events.urls")),
    path("", include("search.urls")),
    path("", include("lessons.urls")),
    path("", include("corridas.urls")),
    path("", include("leagues.urls")),
    path("", include("dominoes.urls")),
    path("", include("eltoro.urls")),
]
