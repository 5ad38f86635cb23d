"""Cookies that carry a visitor's preferences, so that pages need no query."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse

from accounts.wording import BLOODLESS

KEYS_OFF = "off"
MAX_AGE = 60 * 60 * 24 * 365  # seconds


def set_preference_cookies(
    response: HttpResponse,
    *,
    language: str,
    theme: str,
    bloodless: bool,
    zone: str,
    single_keys: bool,
) -> None:
    """Set or delete a cookie for each of the user's preferences.

    For example, scripts read from a cookie whether single-key shortcuts are on. So the HTML of
    cached pages can be the same for all visitors.
    """
    set_language_cookie(response, language)
    _set_cookie(response, settings.THEME_COOKIE_NAME, "" if theme == "system" else theme)
    _set_cookie(response, settings.WORDING_COOKIE_NAME, BLOODLESS if bloodless else "")
    _set_cookie(response, settings.ZONE_COOKIE_NAME, zone)
    _set_cookie(
        response, settings.KEYS_COOKIE_NAME, "" if single_keys else KEYS_OFF, httponly=False
    )


def set_language_cookie(response: HttpResponse, language: str) -> None:
    _set_cookie(response, settings.LANGUAGE_COOKIE_NAME, language)


def _set_cookie(response: HttpResponse, name: str, value: str, *, httponly: bool = True) -> None:
    if not value:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name,
        value,
        max_age=MAX_AGE,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=httponly,
    )
