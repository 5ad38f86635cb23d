"""`manage.py up` starts all processes of the site, and Ctrl-C ends all of them."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
from ast import literal_eval
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from celery import Celery
from redis import Redis

from server.environment import broker as broker_url
from tests.server.test_data_folder import let_everybody_read, open_to_others
from tests.site import KEY, Site
from tests.waiting import wait_until

WEB_SERVERS = ["web server", "web server 2"][: os.cpu_count()]


def descendants(ancestor: int) -> set[int]:
    """Return the ids of a process and of all its descendants."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    parents = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    family = {ancestor}
    for _ in parents:
        grown = family | {pid for pid, parent in parents if parent in family}
        if grown == family:
            break
        family = grown
    return family


def wait_for_family(site: Site, size: int) -> set[int]:
    wait_until(lambda: len(descendants(site.pid)) >= size)
    return descendants(site.pid)


def alive(processes: set[int]) -> set[int]:
    return {pid for pid in processes if Path(f"/proc/{pid}").exists()}


# Values of `FORK`: the processes are forked from one process, or started by separate commands.
STARTS = (
    pytest.param("1", id="forked"),
    pytest.param("0", id="apart", marks=pytest.mark.nightly),
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Site]:
    """A site that has never been started."""
    folder = tmp_path / "a rather long folder with blanks"
    folder.mkdir()
    site = Site(folder / ("d" * 100))
    yield site
    site.stop()


def test_new_site_starts_stops_cleanly_and_starts_again(house: Site) -> None:
    house.start()
    with urlopen(house.url) as page:
        assert page.status == 200
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert b"Temporada" in page.read()
    assert "director" in sit_down(house)
    family = wait_for_family(house, 5)  # up, broker, web, worker and what the worker started
    expect_no_second_site_in(house)
    with socket.create_connection(("127.0.0.1", house.port)) as idle:  # delays nothing
        idle.sendall(b"GET /live/corrida/1/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert house.interrupt() == 0
    assert alive(family) == set()
    assert f"Temporada is at http://localhost:{house.port}/" in house.output.read_text()

    house.start()
    assert "director" in sit_down(house)


def expect_no_second_site_in(first: Site) -> None:
    """Check that a second site cannot start in the same data folder."""
    second = Site(first.data)
    second.output = first.data.parent / "second.log"
    with pytest.raises(AssertionError, match="Another site runs in") as refused:
        second.start()
    for name, pid in processes_by_name(first).items():
        assert f"{name} {pid}" in str(refused.value)


def sit_down(site: Site) -> str:
    """Sign in by one click, as on a local site, and return the names of all users in the admin."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    form = browser.open(f"{site.url}/accounts/login/").read().decode()
    chair = form[form.index('action="/accounts/chair/"') :]
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', chair)
    assert found
    sent = f"csrfmiddlewaretoken={found[1]}&next=/accounts/preferences/".encode()
    landed = browser.open(Request(f"{site.url}/accounts/chair/", data=sent))
    assert landed.url.endswith("/accounts/preferences/")
    office = browser.open(f"{site.url}/admin/accounts/user/").read().decode()
    return " ".join(re.findall(r"/admin/accounts/user/\d+/change/\">([^<]+)<", office))


@pytest.fixture
def public(tmp_path: Path, prepared: Path) -> Iterator[Site]:
    """A site that other machines can reach."""
    names = {
        "ALLOWED_HOSTS": "127.0.0.1,example.org",
        "SECRET_KEY": KEY,
        "LOG_LEVEL": "INFO",
    }
    site = Site(tmp_path / "data", prepared, **names)
    yield site
    site.stop()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, signal.SIGHUP],
    ids=["killed", "closed"],
)
def test_public_site_has_no_one_click_sign_in_and_ends_cleanly(
    public: Site, number: signal.Signals
) -> None:
    public.start()
    with urlopen(f"{public.url}/accounts/login/") as page:
        form = page.read().decode()
    assert "/accounts/chair/" not in form
    assert "Sign in to direct: ALLOWED_HOSTS names example.org" in public.output.read_text()
    with pytest.raises(HTTPError, match="403"):
        urlopen(Request(f"{public.url}/accounts/chair/", data=b""))
    host = socket.gethostname()
    for said in (f"live@{host} ready.", f"tables@{host} ready.", "beat: Starting..."):
        wait_until(partial(is_said, public, said))
    assert "corridas.tasks.sweep" not in public.output.read_text()
    family = descendants(public.pid)
    os.kill(public.pid, number)
    wait_until(lambda: not alive(family - {public.pid}))


def is_said(site: Site, words: str) -> bool:
    return words in site.output.read_text()


def test_port_in_use_is_reported_before_any_process_starts(house: Site) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", house.port))
        with pytest.raises(AssertionError, match=f"Port {house.port} of 127.0.0.1 cannot be had"):
            house.start()
    assert not (house.data / "valkey").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("fork", STARTS)
def test_other_users_cannot_read_the_data_folder(tmp_path: Path, prepared: Path, fork: str) -> None:
    site = Site(tmp_path / "data", prepared, FORK=fork)
    (site.data / "valkey" / "appendonlydir").mkdir(parents=True)
    for name in ("temporada.sqlite3-wal", "valkey/appendonlydir/old.aof", "backup.zip"):
        (site.data / name).write_bytes(b"")
    let_everybody_read(site.data)
    before = os.umask(0)
    try:
        site.start()
    finally:
        os.umask(before)
    try:
        sit_down(site)
        there = {path.name for path in site.data.rglob("*")}
        assert there >= {"up.lock", "temporada.sqlite3-shm", "valkey.log", "secret-key"}
        assert open_to_others(site.data) == {}
    finally:
        site.stop()
    assert open_to_others(site.data) == {}


@pytest.fixture(params=STARTS)
def running(request: pytest.FixtureRequest, tmp_path: Path, prepared: Path) -> Iterator[Site]:
    """A running site, with its processes forked from one process or started by separate
    commands.
    """
    site = Site(tmp_path / "data", prepared, FORK=request.param)
    site.start()
    yield site
    site.stop()


def processes_of(site: Site) -> set[str]:
    """Return the names of the processes that this kind of site has."""
    names = {"up", "broker", "worker", "worker of long runs", "tables' worker", *WEB_SERVERS}
    return names | {"clock"} if site.environment()["FORK"] == "1" else names


def size_of(site: Site) -> int:
    """Return the number of processes: separate workers also have a beat process and pool
    processes.
    """
    return len(processes_of(site)) + (0 if site.environment()["FORK"] == "1" else 4)


def processes_by_name(site: Site) -> dict[str, int]:
    """Return the process ids by name, as the site's lock file lists them."""
    lines = (site.data / "up.lock").read_text().splitlines()
    return {name: int(pid) for pid, _blank, name in (line.partition(" ") for line in lines if line)}


def expect_names_in_ps(site: Site) -> None:
    """Check the titles in `ps`: a forked process has its name in the lock file, a pool process
    that of its worker.
    """
    if site.environment()["FORK"] == "1":
        expected = [f"temporada: {name} ({site.data})" for name in processes_of(site)]
        expected = [title for title in expected if not re.match("temporada: (up|broker) ", title)]
    else:
        queues = ("live", "long", "tables")
        expected = [f"[celeryd: {queue}@{socket.gethostname()}:ForkPoolWorker-" for queue in queues]
        expected.append("[celery beat]")
    wait_until(lambda: all(map(" ".join(titles(site)).count, expected)))


def titles(site: Site) -> list[str]:
    pids = ",".join(map(str, descendants(site.pid)))
    listed = subprocess.run(
        ["ps", "-ww", "-o", "args=", "-p", pids], capture_output=True, text=True, check=True
    )
    return listed.stdout.splitlines()


def test_killed_process_is_restarted_with_its_configuration(running: Site) -> None:
    before = processes_by_name(running)
    assert set(before) == processes_of(running)
    family = wait_for_family(running, size_of(running))
    expect_names_in_ps(running)
    for name, pid in before.items():
        if name != "up":
            os.kill(pid, signal.SIGKILL)
    wait_until(
        lambda: (
            set(processes_by_name(running)) == set(before) and processes_by_name(running) != before
        )
    )
    wait_until(lambda: not alive(family - {running.pid}))
    for _look in range(3):
        with urlopen(running.url) as page:
            assert page.status == 200
    with urlopen(f"{running.url}/status/") as page:
        assert "was restarted once" in page.read().decode()
    assert "The broker has ended and is started again." in running.output.read_text()


def test_killing_the_site_ends_its_processes_and_frees_its_folder(
    running: Site,
) -> None:
    family, web = (
        wait_for_family(running, size_of(running)),
        processes_by_name(running)["web server"],
    )
    os.kill(running.pid, signal.SIGKILL)
    wait_until(lambda: not alive({web}))
    running.start()  # it waits for the others to end
    assert not alive(family)


@pytest.fixture
def working(tmp_path: Path, prepared: Path, valkey: str) -> Iterator[Site]:
    """A site whose broker is a separate server that continues when the site ends."""
    site = Site(tmp_path / "data", prepared, REDIS_URL=valkey)
    site.start()
    yield site
    site.stop()


@contextmanager
def nobody_writes(site: Site) -> Iterator[None]:
    """Block all other writes, so that a worker stops before it marks its corrida as started."""
    with closing(sqlite3.connect(site.data / "temporada.sqlite3", isolation_level=None)) as other:
        wait_until(lambda: in_transaction(other))
        yield


def in_transaction(other: sqlite3.Connection) -> bool:
    with suppress(sqlite3.OperationalError):  # another process writes
        other.execute("BEGIN IMMEDIATE")
    return other.in_transaction


def test_stopped_site_returns_unfinished_tasks_to_their_queue(working: Site, valkey: str) -> None:
    keys = set(range(1, 21))
    with nobody_writes(working), Redis.from_url(valkey) as broker:
        with Celery(broker=broker_url(valkey), set_as_current=False) as sender:
            for key in keys:
                sender.send_task("corridas.tasks.play_corrida", [key], queue="live")
        wait_until(lambda: broker.llen("live") < len(keys))
        assert working.interrupt() == 0
        messages = [json.loads(message) for message in broker.lrange("live", 0, -1)]
        assert {literal_eval(message["headers"]["argsrepr"])[0] for message in messages} == keys
        assert broker.hlen("unacked") == 0
