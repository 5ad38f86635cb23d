"""All parts of the site (pages, feed, workers, Celery beat) in separate processes on PostgreSQL.

This is how the site runs on several machines; here they run on one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from server.valkey import Valkey
from tests import waiting
from tests.browser import HOST, new_context
from tests.databases import Postgres
from tests.deployment.proxy import Nginx, Proxy, nginx
from tests.e2e.conftest import DESK
from tests.e2e.stream import Stream
from tests.e2e.test_corrida_live import wait_until_shown
from tests.e2e.test_three_watchers import expect_shown, watch
from tests.site import KEY, ROOT, free_port
from tests.waiting import PATIENCE
from tools.bench.web_server import documented_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NO_NGINX = "There is no nginx here."
TOKEN = "t" * 24
QUEUE = """
import django
django.setup()
from django.utils import timezone
from corridas.models import Circuit, Corrida
from corridas.season.operations import queue_corrida
# Otherwise the site itself may queue the corrida that is looked up here.
Circuit.objects.update(always_on_air=False)
corrida = Corrida.objects.filter(state="announced").order_by("date", "pk")[0]
assert queue_corrida(corrida=corrida, at=timezone.now(), pace_ms=100)
print(corrida.pk)
"""
# Seconds since the corrida went on air: its opening parade (paseíllo) is over.
BEGAN = 40
ON_AIR = """
import sys
import time
from datetime import timedelta
import django
django.setup()
from django.db.models import F
from django.utils import timezone
from corridas.models import Circuit, Corrida, Lidia
from corridas.season.operations import queue_corrida
# Otherwise the site itself may queue the corrida that is looked up here.
Circuit.objects.update(always_on_air=False)
earlier = timedelta(seconds=float(sys.argv[1]))
corrida = Corrida.objects.filter(state="announced").order_by("date", "pk")[0]
assert queue_corrida(corrida=corrida, at=timezone.now(), pace_ms=int(sys.argv[2]))
began = {"on_air_at": F("on_air_at") - earlier, "ends_at": F("ends_at") - earlier}
while not Corrida.objects.filter(pk=corrida.pk, state="on_air").update(**began):
    time.sleep(0.1)
Lidia.objects.filter(corrida=corrida).update(ends_at=F("ends_at") - earlier)
print(corrida.pk)
"""
PACE_MS = 500
CARDS = 8
# JavaScript that collects the events that a browser receives, with their times.
FOLLOW = """([feed, first]) => {
    window.come = [];
    const source = new EventSource(`${feed}?after=${first}`);
    source.addEventListener("card", (event) => come.push([
        Number(event.lastEventId), event.data, Date.now() / 1000,
    ]));
}"""


class Apart:
    """All parts of the site as separate processes.

    The test writes the headers of a proxy itself.
    """

    def __init__(self, folder: Path, database: str, broker: str) -> None:
        self.pages, self.feed, self._folder = free_port(), free_port(), folder
        (folder / "metrics").mkdir()
        self.environment = {name: os.environ[name] for name in ("PATH",)} | {
            "DATA": str(folder / "data"),
            "DATABASE_URL": database,
            "REDIS_URL": broker,
            "SECRET_KEY": KEY,
            "ALLOWED_HOSTS": "temporada.example.org",
            "SITE_URL": "https://temporada.example.org",
            "PROXIES": "1",
            "HTTPS": "1",
            "LOG_LEVEL": "INFO",
            "LOG_FORMAT": "json",
            "METRICS_TOKEN": TOKEN,
            "HOST": "127.0.0.1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self._started: list[subprocess.Popen[bytes]] = []

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, name: str, *command: str, **variables: str) -> None:
        with self.log(name).open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment | variables,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(process)

    def log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def stop(self) -> None:
        for process in self._started:
            process.send_signal(signal.SIGTERM)
        for process in self._started:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)

    def get(
        self, path: str, port: int = 0, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        """Send a request with the headers that a proxy adds."""
        line = HTTPConnection("127.0.0.1", port or self.pages, timeout=PATIENCE)
        passed = {
            "Host": "temporada.example.org",
            "X-Forwarded-For": "203.0.113.9",
            "X-Forwarded-Proto": "https",
        }
        line.request("GET", path, headers=passed | (headers or {}))
        answer = line.getresponse()
        body = answer.read().decode()
        line.close()
        return answer.status, body


@pytest.fixture(scope="module")
def apart(
    tmp_path_factory: pytest.TempPathFactory, valkey_server: Valkey, postgres: Postgres
) -> Iterator[Apart]:
    folder = tmp_path_factory.mktemp("apart")
    site = Apart(folder, postgres.create("apart"), valkey_server.url)
    try:
        site.run(sys.executable, "manage.py", "prepare")
        _start(site)
        yield site
    finally:
        site.stop()


def _start(site: Apart) -> None:
    metrics = str(site.log("x").parent / "metrics")
    pages = [*documented_command(), "--port", str(site.pages)]
    site.start("pages", *pages, PROMETHEUS_MULTIPROC_DIR=metrics)
    site.start("feed", sys.executable, "manage.py", "feed", "--port", str(site.feed))
    celery = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]
    worker = "--concurrency 1 --without-gossip --without-mingle --queues"
    for queues in ("live,celery", "long", "tables"):
        name = queues.partition(",")[0]
        options = [*worker.split(), queues, "--hostname", f"{name}@%h"]
        site.start(name, *celery, "worker", *options)
    for number in (1, 2):
        site.start(f"clock-{number}", *celery, "beat", "--pidfile=", LOG_LEVEL="DEBUG")
    wait_until(lambda: json.loads(site.get("/healthz/ready")[1])["ready"])
    wait_until(lambda: site.get("/healthz", site.feed)[0] == 200)


def wait_until(done: Callable[[], Any]) -> None:
    """Wait like `waiting.wait_until`, and repeat requests to a part that does not answer yet."""

    def look() -> Any:
        try:
            return done()
        except (OSError, ValueError):
            return False

    waiting.wait_until(look)


def test_separate_processes_play_show_and_post_a_corrida(
    apart: Apart,
) -> None:
    corrida = apart.run(sys.executable, "-c", QUEUE).strip()
    wait_until(lambda: Stream(apart.feed, f"/live/corrida-en/{corrida}/").status == 200)
    stream = Stream(apart.feed, f"/live/corrida-en/{corrida}/")
    stream.wait_for_end()
    numbers = [event.number for event in stream.events]
    assert numbers == list(range(1, len(numbers) + 1))
    wait_until(lambda: "Last corrida played" in apart.get("/status/")[1])
    assert apart.get(f"/corridas/{corrida}/")[0] == 200


def test_only_one_of_two_beat_processes_sends_tasks(apart: Apart) -> None:
    wait_until(lambda: any(clock_log(apart, n).count("Sending due task") > 9 for n in (1, 2)))
    struck = [n for n in (1, 2) if "Sending due task" in clock_log(apart, n)]
    if len(struck) == 2:  # the lock expired on a busy machine
        wait_until(lambda: any("Another clock leads now." in clock_log(apart, n) for n in (1, 2)))


def clock_log(apart: Apart, number: int) -> str:
    return apart.log(f"clock-{number}").read_text()


def test_metrics_add_up_page_processes_and_count_workers_and_feed(
    apart: Apart,
) -> None:
    for _ in range(20):
        assert apart.get("/accounts/login/")[0] == 200
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert apart.get("/metrics")[0] == 404
    wait_until(lambda: 'feed_clients{process="' in apart.get("/metrics", headers=bearer)[1])
    figures = apart.get("/metrics", headers=bearer)[1]
    line = 'temporada_requests_total{method="GET",status="200",view="account_login"} '
    assert float(figures.partition(line)[2].split()[0]) >= 20
    wait_until(lambda: "temporada_workers 3.0" in apart.get("/metrics", headers=bearer)[1])
    assert "3 workers are running." in apart.get("/status/")[1]


def test_plain_http_is_redirected_to_https(apart: Apart) -> None:
    assert apart.get("/accounts/login/", headers={"X-Forwarded-Proto": "http"})[0] == 301
    plain = {"X-Forwarded-Proto": "http", "Host": "10.0.0.7"}
    assert apart.get("/healthz", headers=plain)[0] == 200
    assert apart.get("/escalafon/", apart.feed)[0] == 404, "The feed has no pages."


@pytest.fixture(scope="module")
def proxy(apart: Apart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    before = Proxy(tmp_path_factory.mktemp("proxy") / "caddy", apart.pages, apart.feed)
    before.start()
    try:
        wait_until(lambda: before.ask("/accounts/login/").status == 200)
        yield before
    finally:
        before.stop()


def test_shipped_caddy_serves_pages_over_tls(proxy: Proxy) -> None:
    answer = proxy.ask("/accounts/login/", headers={"Accept-Encoding": "gzip"})
    assert answer.status == 200, "The site took the passed-on request for a secure one."
    assert answer.getheader("Strict-Transport-Security")
    assert answer.getheader("Content-Encoding") == "gzip"
    assert "Secure" in str(answer.getheader("Set-Cookie"))


@pytest.mark.parametrize("path", ["/metrics", "/healthz/ready"])
def test_shipped_caddy_hides_monitoring_pages(proxy: Proxy, path: str) -> None:
    answer = proxy.ask(path, headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status, answer.read()) == (404, b"Not found.")


def test_shipped_caddy_allows_the_liveness_check(proxy: Proxy) -> None:
    answer = proxy.ask("/healthz")
    assert (answer.status, json.loads(answer.read())) == (200, {"alive": True})


def test_shipped_caddy_passes_events_on_at_once(apart: Apart, proxy: Proxy) -> None:
    corrida = apart.run(sys.executable, "-c", QUEUE).strip()
    address = f"/live/corrida-en/{corrida}/?after=0"
    answer = proxy.ask(address, headers={"Accept-Encoding": "gzip"})
    assert answer.status == 200
    assert answer.getheader("Content-Encoding") == "gzip"
    first = answer.read1()
    assert first, "The first bytes come long before the stream's end."
    assert zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(first).startswith(b"retry:")
    answer.close()


@pytest.fixture(scope="module")
def nginx_proxy(apart: Apart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    program = nginx()
    if program is None:
        assert "CI" not in os.environ, NO_NGINX
        pytest.skip(NO_NGINX)
    before = Nginx(program, tmp_path_factory.mktemp("proxy") / "nginx", apart.pages, apart.feed)
    before.start()
    yield before
    before.stop()


def test_browsers_behind_shipped_proxies_get_every_event_at_once(
    apart: Apart, proxy: Proxy, nginx_proxy: Nginx, browser: Browser
) -> None:
    """The events must equal those of a client without a proxy, and the pages at the addresses
    of the moments.
    """
    corrida = apart.run(sys.executable, "-c", ON_AIR, str(BEGAN), str(PACE_MS)).strip()
    feed = f"/live/corrida-en/{corrida}/"
    direct = Stream(apart.feed, feed)
    pages = [
        new_context(
            browser,
            base_url=f"https://{HOST}:{port}",
            ignore_https_errors=True,
            locale="en-GB",
            viewport=DESK,
        ).new_page()
        for port in (proxy.port, nginx_proxy.port)
    ]
    began = [watch(page, f"/corridas/{corrida}/") for page in pages]
    first = max(began)
    for page in pages:
        page.evaluate(FOLLOW, [feed, first])
    last = first + CARDS
    direct.wait_for(last)
    told = [event for event in direct.events if first < event.number <= last]
    for page, since in zip(pages, began, strict=True):
        wait_until_shown(page, last)
        page.wait_for_function("number => come.some(([id]) => id >= number)", arg=last)
        come = page.evaluate("come")[:CARDS]
        assert [event[:2] for event in come] == [[event.number, event.data] for event in told]
        late = [event[2] - there.at for event, there in zip(come, told, strict=True)]
        # A slow machine delays some events. A proxy that buffers events would delay all but the
        # last.
        assert sorted(late)[CARDS // 4] < 2 * PACE_MS / 1000, late
        expect_shown(page, since, last)
        page.context.close()


def test_shipped_caddy_rejects_a_request_that_is_too_large(proxy: Proxy) -> None:
    try:
        status = proxy.ask("/accounts/login/", "POST", b"x" * 13_000_000).status
    except OSError:
        return  # the proxy closed the connection early
    assert status == 413


def test_health_check_of_each_part_succeeds_or_fails(apart: Apart) -> None:
    apart.environment["PORT"] = str(apart.pages)
    for part in ("pages", "clock", "live", "long", "tables"):
        apart.run(sys.executable, "-m", "server.health", part)
    apart.environment["PORT"] = str(apart.feed)
    apart.run(sys.executable, "-m", "server.health", "feed")
    with pytest.raises(AssertionError):
        apart.run(sys.executable, "-m", "server.health", "nobody")


def test_log_lines_are_json_and_workers_name_their_task(apart: Apart) -> None:
    lines = [json.loads(line) for line in json_lines(apart.log("live"))]
    assert any(line["task_id"] for line in lines)
    assert KEY not in apart.log("pages").read_text() + apart.log("live").read_text()
    answered = [json.loads(line) for line in json_lines(apart.log("pages"))]
    assert any(line["message"] == "answered" and line["request_id"] for line in answered)


def test_idle_workers_log_nothing(apart: Apart) -> None:
    """The log level of Celery beat is DEBUG here, which shows that it sends a task every second."""
    wait_until(lambda: any("corridas.tasks.sweep" in clock_log(apart, number) for number in (1, 2)))
    for worker in ("live", "long", "tables"):
        said = [json.loads(line)["message"] for line in json_lines(apart.log(worker))]
        assert any(message.endswith(" ready.") for message in said)
        routine = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
        # Tasks that a busy machine received too late are discarded, with a message.
        said = [message for message in said if not message.startswith("Discarding revoked task")]
        assert not [message for message in said if any(task in message for task in routine)]


def json_lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.startswith("{")]
