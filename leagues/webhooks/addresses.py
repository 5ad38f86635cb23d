"""Where may be sent to: the open internet, never this machine or a network it stands in.

The name is looked up once and what it gives is checked; the connection goes to the very address
that was checked, so that a name which gives another answer the second time gains nothing.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

MAX_URL_LENGTH: Final = 300
HOST: Final = re.compile(r"[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\]", re.ASCII)
_STANDARD: Final = {"https": 443, "http": 80}
_EMBEDDING: Final = tuple(
    ip_network(text)
    for text in (
        *("::/96", "::ffff:0:0/96", "64:ff9b::/32", "2002::/16", "2001::/23", "fec0::/10"),
        *("192.88.99.0/24", "100.64.0.0/10", "198.18.0.0/15", "192.0.0.0/24", "3fff::/20"),
        "168.63.129.16/32",
    )
)
"""Networks that lead elsewhere, or into a provider's own: addresses of version 4 inside those of
version 6 (mapped, NAT64, 6to4, Teredo), site-local ones, relays, carriers, test beds, and where
providers answer their own machines about keys and settings (192.0.0.192, 168.63.129.16), which
look like the open internet."""

Resolve = Callable[..., Sequence[Any]]
Address = IPv4Address | IPv6Address


class AddressRefused(ValueError):  # noqa: N818  a refusal, told politely
    """Nothing is sent there; the sentence says why."""


class UnknownHost(AddressRefused):
    """There is no such name."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where an address leads: `host` in ASCII, without brackets; `path` with its query."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def named(self) -> str:
        """The host as the header names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        standard = _STANDARD["https" if self.secure else "http"]
        return host if self.port == standard else f"{host}:{self.port}"


def parse_target(url: str) -> Target:
    """What an address says. Raises `AddressRefused` for one that nothing can be sent to."""
    if (
        len(url) > MAX_URL_LENGTH
        or not url.isprintable()
        or not url.isascii()
        or {" ", "\\"} & set(url)
    ):
        raise AddressRefused(_("Enter an address of up to 300 ASCII characters, without spaces."))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressRefused(_("Enter a valid web address.")) from error
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOK_HTTP):
        raise AddressRefused(_("Enter an address that begins with https://."))
    if "@" in parts.netloc or parts.fragment:
        raise AddressRefused(
            _(
                "Enter an address without a username, a password or a #fragment. Deliveries "
                "are signed instead."
            )
        )
    host = parts.hostname or ""
    if not HOST.fullmatch(parts.netloc.lower().removesuffix(f":{port}")):
        raise AddressRefused(_("Enter a valid web address."))
    port = port or _STANDARD[parts.scheme]
    if port not in settings.WEBHOOK_PORTS:
        known = ", ".join(map(str, settings.WEBHOOK_PORTS))
        raise AddressRefused(_("Choose one of these ports: %s.") % known)
    path = parts.path or "/"
    return Target(parts.scheme == "https", host, port, path + f"?{parts.query}" * bool(parts.query))


def resolve_address(target: Target, resolve: Resolve = socket.getaddrinfo) -> str:
    """The address to connect to, all that the name stands for having been checked.

    Raises `UnknownHost` for an unknown name, `AddressRefused` where an address is not allowed.
    """
    try:
        found = resolve(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHost(
            _("There is no server called %s. Check the address.") % target.host
        ) from error
    addresses = [ip_address(str(answer[4][0]).partition("%")[0]) for answer in found]
    for address in addresses:
        if not may_reach(address):
            raise AddressRefused(_("%s is not a public internet address.") % target.host)
    if not addresses:
        raise UnknownHost(_("There is no server called %s. Check the address.") % target.host)
    return str(addresses[0])


def may_reach(address: Address) -> bool:
    """Whether anything may be sent to this address."""
    if any(_within(address, network) for network in settings.WEBHOOK_ALLOW_NETWORKS):
        return True
    if any(_within(address, str(network)) for network in _EMBEDDING):
        return False
    closed = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not (closed or address.is_loopback or address.is_link_local)


def _within(address: Address, network: str) -> bool:
    known = ip_network(network)
    return address.version == known.version and address in known
