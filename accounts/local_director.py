"""Password-free sign-in as the director, for visitors on the machine that runs the site."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from accounts.loopback import is_loopback

DIRECTOR_USERNAME = "director"
# If a request has one of these headers, a proxy may have forwarded it from another machine.
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

    This requires that `manage.py up` allows it and no setting forbids it. The visitor must also
    connect directly from this machine and use a host name that can only mean this machine.
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
    except DisallowedHost:  # the error page for an unknown host calls this too
        return ""
    return host if host.endswith("]") else host.rsplit(":", 1)[0]
