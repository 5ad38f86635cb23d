"""The local chair: on a site of one machine, its visitor directs without signing in."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from accounts.loopback import is_loopback

DIRECTOR = "director"
# Any of these says that somebody else may stand behind the address that called us.
FORWARDING = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


def chair_is_open(request: HttpRequest) -> bool:
    """Whether this visitor may take the director's chair with one click.

    Only where `manage.py up` has opened it, nothing in the settings speaks against it, and
    the visitor comes from this very machine, directly, by a name that means this machine.
    """
    if not settings.LOCAL_CHAIR or settings.LOCAL_CHAIR_REFUSED:
        return False
    return is_direct(request) and is_loopback(_host_without_port(request))


def is_direct(request: HttpRequest) -> bool:
    """Whether the caller is on this machine and nobody says they pass a call on."""
    if any(name in request.META for name in FORWARDING):
        return False
    return is_loopback(request.META.get("REMOTE_ADDR", ""))


def _host_without_port(request: HttpRequest) -> str:
    try:
        host = request.get_host()
    except DisallowedHost:  # the page that says so asks too
        return ""
    return host if host.endswith("]") else host.rsplit(":", 1)[0]
