"""What every page knows of its visitor."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.cookies import THEME_COOKIE, wants_bloodless
from accounts.local_director import may_sign_in_locally
from accounts.models import Theme


def visitor(request: HttpRequest) -> dict[str, object]:
    """`theme`: system, light or dark; `bloodless`: whether corridas are told without blood;
    `chair_open`: the director's chair is there to take.

    Read from cookies, so that no page asks the database for it.
    """
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "theme": theme if theme in Theme.values else Theme.SYSTEM.value,
        "bloodless": wants_bloodless(request),
        "chair_open": may_sign_in_locally(request),
    }
