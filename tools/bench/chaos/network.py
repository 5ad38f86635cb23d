"""Two hosts on one machine: temporary network namespaces, connected by a bridge."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Host:
    """A host on which a worker runs. `enter` is the prefix of its command."""

    name: str
    enter: tuple[str, ...] = ()


@dataclass(frozen=True)
class Network:
    """Two hosts for workers, and the address at which they reach the database and the broker."""

    address: str
    hosts: tuple[Host, Host]
    said: str


class NoNamespacesError(RuntimeError):
    """Namespaces cannot be made here; the text says why."""


@contextmanager
def network() -> Iterator[Network]:
    """Yield two network namespaces if they can be made, or else this machine's loopback."""
    bridge = _Bridge(os.getpid())
    try:
        bridge.build()
    except NoNamespacesError as error:
        bridge.remove()
        hosts = (Host("host-a"), Host("host-b"))
        yield Network(LOOPBACK, hosts, f"Two workers on loopback, for {error}.")
        return
    try:
        yield Network(bridge.address, bridge.hosts(), "Two hosts in namespaces of their own.")
    finally:
        bridge.remove()


class _Bridge:
    """A bridge, two namespaces and the cables between them, named by a number."""

    def __init__(self, number: int) -> None:
        self._link, net = f"tmp{number % 100_000}", f"10.213.{number % 250}"
        self.address = f"{net}.1"
        self._ends = {
            f"{self._link}{letter}": f"{net}.{last}"
            for letter, last in zip("ab", (11, 12), strict=True)
        }

    def build(self) -> None:
        """Create both namespaces and the bridge. Raises NoNamespacesError."""
        if os.geteuid() != 0:
            raise NoNamespacesError("only root can make network namespaces")
        if shutil.which("ip") is None:
            raise NoNamespacesError("there is no `ip` here (iproute2)")
        _ip("link", "add", self._link, "type", "bridge")
        _ip("addr", "add", f"{self.address}/24", "dev", self._link)
        _ip("link", "set", self._link, "up")
        for name, address in self._ends.items():
            self._join(name, address)

    def _join(self, name: str, address: str) -> None:
        _ip("netns", "add", name)
        _ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        _ip("link", "set", name, "master", self._link, "up")
        _ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        _ip("-n", name, "link", "set", "eth0", "up")
        _ip("-n", name, "link", "set", "lo", "up")

    def hosts(self) -> tuple[Host, Host]:
        first, other = (Host(name, ("ip", "netns", "exec", name)) for name in self._ends)
        return first, other

    def remove(self) -> None:
        for name in self._ends:
            with suppress(NoNamespacesError):
                _ip("netns", "del", name)
            with suppress(NoNamespacesError):
                _ip("link", "del", name)
        with suppress(NoNamespacesError):
            _ip("link", "del", self._link)


def _ip(*words: str) -> None:
    command: Sequence[str] = ("ip", *words)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NoNamespacesError(str(error)) from error
    if done.returncode:
        raise NoNamespacesError(f"`{' '.join(command)}` says {done.stderr.strip()}")
