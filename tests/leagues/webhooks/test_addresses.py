"""Webhooks are never sent to this machine or a private network, whatever the URL looks like."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest
from pytest_django import Settings

from leagues.webhooks.addresses import (
    AddressRefused,
    UnknownHost,
    may_reach,
    parse_target,
    resolve_address,
)

PUBLIC = "93.184.215.14"


def resolving(*addresses: str) -> Any:
    def resolve(_host: str, port: int, **_more: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    return resolve


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1"),
        *("192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"),
        *("64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00:1::", "::ffff:93.184.215.14"),
        *("192.0.0.192", "192.0.0.8", "168.63.129.16", "100.100.100.200", "3fff::1"),
        "fd00:ec2::254",
    ],
)
def test_webhooks_to_private_networks_are_rejected(address: str) -> None:
    assert not may_reach(ip_address(address))
    with pytest.raises(AddressRefused, match="public internet"):
        resolve_address(parse_target("https://example.org/"), resolving(PUBLIC, address))


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_webhooks_to_public_addresses_are_allowed(address: str) -> None:
    assert resolve_address(parse_target("https://example.org/"), resolving(address)) == address


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::1]", "[::ffff:7f00:1]"]
)
def test_webhooks_to_this_machine_are_rejected_in_any_spelling(host: str) -> None:
    with pytest.raises(AddressRefused):
        resolve_address(parse_target(f"https://{host}/"))


def test_only_configured_private_networks_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW_NETWORKS = ["10.1.0.0/16", "fd00::/64"]
    assert may_reach(ip_address("10.1.2.3"))
    assert may_reach(ip_address("fd00::5"))
    assert not may_reach(ip_address("10.2.0.1"))
    assert not may_reach(ip_address("127.0.0.1"))


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "http://example.org/", "ftp://example.org/", "file:///etc/passwd"),
        *("https://", "https:///x", "https://user:pw@example.org/", "https://example.org/#x"),
        *("https://example.org:22/", "https://example.org:99999/", "https://exa mple.org/"),
        *("https://example.org\\@10.0.0.1/", "https://example.org/\r\nX: y", "https://ñ.org/"),
        *("https://example.org/\x00", "gopher://example.org/", "https://[::1", "https://a%00b/"),
        "https://example.org/" + "x" * 300,
    ],
)
def test_invalid_webhook_url_is_rejected_with_a_message(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        parse_target(url)
    assert len(str(refused.value)) > 10


def test_unknown_host_of_a_webhook_is_reported() -> None:
    def nobody(*_asked: object, **_more: object) -> list[Any]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(UnknownHost):
        resolve_address(parse_target("https://example.org/"), nobody)
    with pytest.raises(UnknownHost):
        resolve_address(parse_target("https://example.org/"), resolving())
