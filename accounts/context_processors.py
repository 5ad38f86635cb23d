"""What every page knows of its visitor."""

from django.http import HttpRequest

from accounts.local import chair_is_open
from accounts.models import Theme

THEME_COOKIE = "theme"


def visitor(request: HttpRequest) -> dict[str, object]:
    """`theme`: system, light or dark; `chair_open`: the director's chair is there to take.

    Read from a cookie, so that no page asks the database for it.
    """
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "theme": theme if theme in Theme.values else Theme.SYSTEM.value,
        "chair_open": chair_is_open(request),
    }
