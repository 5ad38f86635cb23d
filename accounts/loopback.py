"""Which hosts mean this very machine."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only mean this very machine.

    `localhost`, any address of 127.0.0.0/8 and ::1, with or without brackets. A name that
    would need looking up, a wildcard and a leading dot are not.
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
