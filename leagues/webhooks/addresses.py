"""Checks of webhook URLs: they must lead to the public internet, never to this machine or its
networks.

The host name is resolved once, the resulting IP address is checked, and the connection uses the
checked address. It is therefore harmless if the name resolves to a different address the second
time.
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
# Networks that look public but lead elsewhere or into a provider's own network: IPv4 addresses
# inside IPv6 (mapped, NAT64, 6to4, Teredo), site-local addresses, relays, carriers, test networks,
# and the metadata services of providers (192.0.0.192, 168.63.129.16).
_EMBEDDING: Final = tuple(
    ip_network(text)
    for text in (
        *("::/96", "::ffff:0:0/96", "64:ff9b::/32", "2002::/16", "2001::/23", "fec0::/10"),
        *("192.88.99.0/24", "100.64.0.0/10", "198.18.0.0/15", "192.0.0.0/24", "3fff::/20"),
        "168.63.129.16/32",
    )
)

Resolve = Callable[..., Sequence[Any]]
Address = IPv4Address | IPv6Address


class AddressRefused(ValueError):
    """Error: nothing may be sent to this URL. The message contains the reason."""


class UnknownHost(AddressRefused):
    """The host name does not exist."""


@dataclass(frozen=True, slots=True)
class TargetUrl:
    """Parts of a URL. `host` is in ASCII without brackets, and `path` includes the query string."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """Return the host of the URL as it appears in the HTTP header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        standard = _STANDARD["https" if self.secure else "http"]
        return host if self.port == standard else f"{host}:{self.port}"


def parse_target(url: str) -> TargetUrl:
    """Parse a URL. Raises `AddressRefused` if nothing can be sent to it."""
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
                "Enter an address without a username, a password or a #fragment. Deliveries are "
                "signed, so they don’t need a password."
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
    return TargetUrl(
        parts.scheme == "https", host, port, path + f"?{parts.query}" * bool(parts.query)
    )


def resolve_address(target: TargetUrl, resolve: Resolve = socket.getaddrinfo) -> str:
    """Return the IP address to connect to, after checking all addresses to which the name resolves.

    Raises `UnknownHost` for an unknown name, and `AddressRefused` if an address is not allowed.
    """
    try:
        answers = resolve(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHost(
            _("There is no server called %s. Check the address.") % target.host
        ) from error
    addresses = [ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]
    for address in addresses:
        if not may_reach(address):
            raise AddressRefused(_("%s is not a public internet address.") % target.host)
    if not addresses:
        raise UnknownHost(_("There is no server called %s. Check the address.") % target.host)
    return str(addresses[0])


def may_reach(address: Address) -> bool:
    if any(_is_in_network(address, network) for network in settings.WEBHOOK_ALLOW_NETWORKS):
        return True
    if any(_is_in_network(address, str(network)) for network in _EMBEDDING):
        return False
    closed = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not (closed or address.is_loopback or address.is_link_local)


def _is_in_network(address: Address, network: str) -> bool:
    known = ip_network(network)
    return address.version == known.version and address in known
