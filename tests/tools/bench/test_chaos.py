"""The chaos test, which kills processes at random: how it judges, and that it leaves nothing
behind.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bench.chaos import network
from tools.bench.chaos.__main__ import chance
from tools.bench.chaos.followers import Follower
from tools.bench.chaos.parts import Part
from tools.bench.chaos.site import one_request
from tools.bench.chaos.trial import Outcome
from tools.bench.processes import session

SLEEP = [sys.executable, "-c", "import subprocess, sys; subprocess.run(['sleep', '60'])"]


def outcome(**other: object) -> Outcome:
    well = {"corridas": 1, "kills": {"web": 2}, "states": {"posted": 1}, "retries": 0}
    well |= {"copies": {"done": 1}, "faults": []}
    heard = {"followers": 1, "browser": False, "lines": 1, "heard": 9, "missed": 0, "twice": 0}
    return Outcome(**{**well, **heard, "quiet_after": 1.0, **other})  # type: ignore[arg-type]


def test_one_fault_or_missed_event_fails_the_chaos_test() -> None:
    assert outcome().well()
    assert not outcome(faults=["1 is queued with 0 lidias"]).well()
    assert not outcome(missed=1).well()
    assert not outcome(twice=1).well()
    assert outcome(missed=1).report()[-1] != outcome().report()[-1] == "OK."


def test_same_seed_kills_in_the_same_order() -> None:
    first, again = chance(7), chance(7)
    assert [first.below(100) for _ in range(9)] == [again.below(100) for _ in range(9)]
    assert chance(8).below(10**9) != chance(7).below(10**9)


def test_follower_counts_each_event_and_notices_the_end() -> None:
    follower = Follower(1, "/live/corrida-en/1/")
    lines = b"id: 1\nevent: card\ndata: x\n\n"
    lines += b"event: heartbeat\ndata: still here\n\nid: 2\nevent: card\ndata: y\n\n"
    ended = b"event: end\ndata: end\n\n"
    follower._take((lines + ended).splitlines(keepends=True))
    assert (dict(follower.heard), follower.ended) == ({1: 1, 2: 1}, True)


def test_proxy_of_the_chaos_test_closes_connections_after_one_request() -> None:
    asked = b"GET /live/ HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"
    assert one_request(asked) == b"GET /live/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


@pytest.mark.slow
def test_killed_part_is_restarted_and_leaves_no_process_behind(tmp_path: Path) -> None:
    part = Part("worker", SLEEP, tmp_path / "log")
    part.start()
    leader = part.pids()[0]
    assert part.kill(chance(1))
    os.kill(leader, signal.SIGKILL)
    part._process.wait()  # type: ignore[union-attr]
    while not part.alive():
        part.look()
    assert not session(leader)
    part.stop()
    assert not part.alive()
    assert not part.kill(chance(1))


def test_workers_use_loopback_without_network_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.bench.chaos.network.os.geteuid", lambda: 1000)
    with network.network() as net:
        assert net.address == "127.0.0.1"
        assert [host.enter for host in net.hosts] == [(), ()]
        assert "only root" in net.said


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make network namespaces")
def test_network_namespaces_are_removed_after_use() -> None:
    with network.network() as net:
        names = [host.name for host in net.hosts]
    left = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False)
    assert not any(name in left.stdout.split() for name in names)
