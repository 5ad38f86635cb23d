"""Signing in as the director on the machine that runs the site."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from accounts.loopback import is_loopback

DIRECTOR_USERNAME = "director"
# Any of these says that somebody else may stand behind the address that called us.
FORWARDING_HEADERS = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


def may_sign_in_locally(request: HttpRequest) -> bool:
    """Return True if this visitor may sign in as the director with one click.

    Only if `manage.py up` allows it, no setting forbids it, and the visitor comes directly from
    this machine and addresses it by a name that can only mean this machine.
    """
    if not settings.LOCAL_CHAIR or settings.LOCAL_CHAIR_REFUSED:
        return False
    return is_local_request(request) and is_loopback(_host_without_port(request))


def is_local_request(request: HttpRequest) -> bool:
    if any(name in request.META for name in FORWARDING_HEADERS):
        return False
    return is_loopback(request.META.get("REMOTE_ADDR", ""))


def _host_without_port(request: HttpRequest) -> str:
    try:
        host = request.get_host()
    except DisallowedHost:  # the page that says so asks too
        return ""
    return host if host.endswith("]") else host.rsplit(":", 1)[0]
