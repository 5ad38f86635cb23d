"""Preferences on their way to the browser: two cookies, so that pages need no query."""

from django.conf import settings
from django.http import HttpResponse

from accounts.context_processors import THEME_COOKIE

YEAR = 60 * 60 * 24 * 365  # seconds


def remember(response: HttpResponse, *, language: str, theme: str) -> None:
    """Set, or take away where nothing is preferred, the cookies for language and theme."""
    _keep(response, settings.LANGUAGE_COOKIE_NAME, language)
    _keep(response, THEME_COOKIE, "" if theme == "system" else theme)


def _keep(response: HttpResponse, name: str, value: str) -> None:
    if not value:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name, value, max_age=YEAR, samesite="Lax", secure=settings.LANGUAGE_COOKIE_SECURE
    )
