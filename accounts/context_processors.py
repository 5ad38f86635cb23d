"""Template context about the visitor, for every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.local_director import may_sign_in_locally
from accounts.models import Theme
from accounts.wording import wants_bloodless

THEMES = frozenset(Theme.values)


def visitor(request: HttpRequest) -> dict[str, object]:
    """Return `theme` (system, light or dark), `bloodless`, `chair_open` and `keys_cookie`.

    `bloodless` says whether the visitor wants wording without blood. `chair_open` says whether the
    visitor may sign in as the local director with one click. `keys_cookie` is the name of the
    cookie from which scripts read whether single-key shortcuts are on. All values come from cookies
    or settings, so no page needs a query for them.
    """
    theme = request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return {
        "theme": theme if theme in THEMES else Theme.SYSTEM.value,
        "bloodless": wants_bloodless(request),
        "chair_open": may_sign_in_locally(request),
        "keys_cookie": settings.KEYS_COOKIE_NAME,
    }
