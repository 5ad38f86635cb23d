"""Two hosts on one machine: temporary network namespaces, connected by a bridge."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

LOOPBACK = "127.0.0.1"


class Host(NamedTuple):
    """A host on which a worker runs. `enter` is the prefix of its command."""

    name: str
    enter: tuple[str, ...] = ()


class Network(NamedTuple):
    """Two hosts for workers, and the address at which they reach the database and the broker."""

    address: str
    hosts: tuple[Host, ...]
    said: str


class NoNamespacesError(RuntimeError):
    """Namespaces cannot be created here. The message says why."""


@contextmanager
def network() -> Iterator[Network]:
    """Yield two network namespaces if they can be made, or else this machine's loopback."""
    link, net = f"tmp{os.getpid() % 100_000}", f"10.213.{os.getpid() % 250}"
    names = (f"{link}a", f"{link}b")
    try:
        _build(link, net, names)
        hosts = tuple(Host(name, ("ip", "netns", "exec", name)) for name in names)
        found = Network(f"{net}.1", hosts, "Two hosts in namespaces of their own.")
    except NoNamespacesError as error:
        hosts = (Host("host-a"), Host("host-b"))
        found = Network(LOOPBACK, hosts, f"Two workers on loopback, for {error}.")
    try:
        yield found
    finally:
        for words in (*(("netns", name) for name in names), *(("link", n) for n in (*names, link))):
            with suppress(NoNamespacesError):
                _ip(f"{words[0]} del {words[1]}")


def _build(link: str, net: str, names: tuple[str, ...]) -> None:
    """Create a bridge, two namespaces, and the cables between them. Raises NoNamespacesError."""
    if os.geteuid() != 0:
        raise NoNamespacesError("only root can make network namespaces")
    _ip(f"link add {link} type bridge")
    _ip(f"addr add {net}.1/24 dev {link}")
    _ip(f"link set {link} up")
    for last, name in enumerate(names, start=11):
        _ip(f"netns add {name}")
        _ip(f"link add {name} type veth peer name eth0 netns {name}")
        _ip(f"link set {name} master {link} up")
        _ip(f"-n {name} addr add {net}.{last}/24 dev eth0")
        _ip(f"-n {name} link set eth0 up")
        _ip(f"-n {name} link set lo up")


def _ip(words: str) -> None:
    try:
        done = subprocess.run(["ip", *words.split()], capture_output=True, text=True, check=False)
    except OSError as error:
        raise NoNamespacesError(f"there is no `ip` here (iproute2): {error}") from error
    if done.returncode:
        raise NoNamespacesError(f"`ip {words}` says {done.stderr.strip()}")
