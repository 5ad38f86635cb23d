"""Who watches, for broadcasts that are not for everybody."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from live.programme import Gate
from live.threads import in_thread


def cookie_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """All cookies, as the browser wrote them."""
    return b"; ".join(value for name, value in headers if name == b"cookie")


async def may_watch(gate: Gate, key: str, cookie: bytes) -> bool:
    """What the gate says to the visitor whose session the cookies name."""
    cookies = parse_cookie(cookie.decode("latin-1"))
    return await in_thread(_ask, gate, key, cookies)


def _ask(gate: Gate, key: str, cookies: dict[str, str]) -> bool:
    return gate(key, visitor_of(cookies))


def visitor_of(cookies: dict[str, str]) -> Any:
    """The signed-in user, or Django's anonymous one; `session` is that of the browser.

    Who has no account is known by the session alone.
    """
    request = HttpRequest()
    request.COOKIES = cookies
    engine = import_module(settings.SESSION_ENGINE)
    request.session = engine.SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    visitor: Any = get_user(request)
    visitor.session = request.session
    return visitor
