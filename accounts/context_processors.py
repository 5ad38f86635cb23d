"""What every page knows of its visitor."""

from django.http import HttpRequest

from accounts.local import chair_is_open
from accounts.models import Theme

THEME_COOKIE = "theme"
WORDING_COOKIE = "wording"
BLOODLESS = "bloodless"


def visitor(request: HttpRequest) -> dict[str, object]:
    """`theme`: system, light or dark; `bloodless`: whether corridas are told without blood;
    `chair_open`: the director's chair is there to take.

    Read from cookies, so that no page asks the database for it.
    """
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "theme": theme if theme in Theme.values else Theme.SYSTEM.value,
        "bloodless": wants_bloodless(request),
        "chair_open": chair_is_open(request),
    }


def wants_bloodless(request: HttpRequest) -> bool:
    """Whether the visitor's browser asks for the wording without blood."""
    return request.COOKIES.get(WORDING_COOKIE) == BLOODLESS
