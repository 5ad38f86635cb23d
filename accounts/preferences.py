"""Preferences on their way to the browser: a cookie each, so that pages need no query."""

from django.conf import settings
from django.http import HttpResponse

from accounts.context_processors import BLOODLESS, THEME_COOKIE, WORDING_COOKIE
from accounts.time_zones import COOKIE as ZONE_COOKIE

YEAR = 60 * 60 * 24 * 365  # seconds


def remember(
    response: HttpResponse, *, language: str, theme: str, bloodless: bool, zone: str
) -> None:
    """Set the cookies of what is preferred, and take away those where nothing is."""
    remember_language(response, language)
    _keep(response, THEME_COOKIE, "" if theme == "system" else theme)
    _keep(response, WORDING_COOKIE, BLOODLESS if bloodless else "")
    _keep(response, ZONE_COOKIE, zone)


def remember_language(response: HttpResponse, language: str) -> None:
    """Set the cookie for the language; an empty one leaves it to the browser."""
    _keep(response, settings.LANGUAGE_COOKIE_NAME, language)


def _keep(response: HttpResponse, name: str, value: str) -> None:
    if not value:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
    )
