"""Recognise host names that can only mean this machine."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return True if a host name or address can only mean this machine.

    True for `localhost`, 127.0.0.0/8 and ::1, with or without brackets. False for names that
    require a DNS lookup, wildcards and names with a leading dot.
    """
    bare = host.strip().lower().removeprefix("[").removesuffix("]")
    if bare == "localhost":
        return True
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
