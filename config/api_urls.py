"""URLs below `/api/v1/`, collected from all applications."""

from __future__ import annotations

from django.urls import include, path, re_path, reverse

from api import notifications, resources
from corridas.api import urls as corridas
from eltoro.api import urls
from leagues.api import urls as leagues

# URL names (without the prefix `api_`) of the collections that the API index lists.
COLLECTIONS: tuple[str, ...] = (
    "events",
    *corridas.COLLECTIONS,
    *leagues.COLLECTIONS,
    *urls.COLLECTIONS,
)


def collections() -> dict[str, str]:
    return {name: reverse(f"api_{name}") for name in COLLECTIONS}


urlpatterns = [
    path("", resources.IndexView.as_view(collections=collections), name="api_index"),
    path("me/", resources.MeView.as_view(), name="api_me"),
    path("me/notices/", notifications.NotificationList.as_view(), name="api_notices"),
    path("me/notices/read/", notifications.MarkAllRead.as_view(), name="api_notices_read"),
    path("schema/", resources.SchemaView.as_view(), name="api_schema"),
    path("docs/", resources.DocsView.as_view(), name="api_docs"),
    path("", include("events.api")),
    path("", include("search.api")),
    path("", include("corridas.api.urls")),
    path("", include("leagues.api.urls")),
    path("", include("eltoro.api.urls")),
    re_path(r"", resources.not_found),
]
