"""Endpoints for monitoring (liveness, readiness, metrics), request ids, and the access log."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import json
import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.conf import settings as site_settings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from pythonjsonlogger.json import JsonFormatter

from corridas.models import Corrida, Run
from live.asgi_types import Message, Receive, Scope, Send
from server.environment import Environment, SettingError
from server.health import readiness
from server.health import status as health_status
from server.health.liveness import answer_liveness
from server.health.tracing import RequestIdFilter, request_id_for
from tests.factories import small_circuit

ELSEWHERE: Final = "203.0.113.9"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Collect the log as JSON, as the site writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter("%(levelname)s %(name)s %(message)s %(request_id)s"))
    handler.addFilter(RequestIdFilter())
    logger = logging.getLogger("server.health.middleware")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(before)


@pytest.mark.parametrize("path", ["/healthz", "/healthz/"])
def test_liveness_check_is_answered_before_the_application(path: str) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError

    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    async def ask() -> None:
        scope = {"type": "http", "path": path, "headers": [(b"host", b"nobody.knows:8000")]}
        await answer_liveness(never)(scope, receive, send)

    asyncio.run(ask())
    assert sent[0]["status"] == HTTPStatus.OK
    assert (b"cache-control", b"no-store") in sent[0]["headers"]
    assert (b"content-length", b"%d" % len(sent[1]["body"])) in sent[0]["headers"]
    assert json.loads(sent[1]["body"]) == {"alive": True}


@pytest.mark.django_db
def test_readiness_check_names_what_is_missing(
    client: Client, valkey: str, settings: Settings
) -> None:
    assert client.get("/healthz/ready").json() == {
        "ready": True,
        "database": True,
        "broker": True,
        "migrated": True,
    }
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    answer = client.get("/healthz/ready")
    assert (answer.status_code, answer.json()["broker"]) == (503, False)
    assert "nowhere" not in answer.content.decode()


@pytest.mark.django_db
def test_missing_migrations_make_the_site_not_ready(
    client: Client, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    monkeypatch.setattr(readiness, "_MIGRATED", {})
    last = MigrationRecorder.Migration.objects.filter(app="leagues").latest("pk")
    last.delete()
    for _ in range(2):
        answer = client.get("/healthz/ready")
        assert (answer.status_code, answer.json()["migrated"]) == (503, False)
    last.save()
    answer = client.get("/healthz/ready")
    assert (answer.status_code, answer.json()["migrated"]) == (200, True)


@pytest.mark.django_db
def test_metrics_need_a_local_client_or_the_token(client: Client, settings: Settings) -> None:
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR=ELSEWHERE).status_code == 404
    forwarded = client.get("/metrics", headers={"x-forwarded-for": "203.0.113.9"})
    assert forwarded.status_code == 404
    settings.METRICS_TOKEN = "t" * 20
    for said, status in (("Bearer " + "t" * 20, 200), ("Bearer ", 404), ("t" * 20, 404)):
        answer = client.get("/metrics", headers={"authorization": said}, REMOTE_ADDR=ELSEWHERE)
        assert answer.status_code == status


def test_empty_token_gives_no_access_to_metrics(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    answer = client.get("/metrics", headers={"authorization": "Bearer "}, REMOTE_ADDR="203.0.113.9")
    assert answer.status_code == 404


@pytest.mark.django_db
def test_requests_are_counted_by_view_and_status(client: Client) -> None:
    client.get("/accounts/login/")
    client.get("/nowhere/at/all/")
    client.generic("BREW", "/accounts/login/")
    told = client.get("/metrics").content.decode()
    assert 'temporada_requests_total{method="GET",status="200",view="account_login"}' in told
    assert 'temporada_requests_total{method="GET",status="404",view="none"}' in told
    assert 'method="other"' in told
    assert 'temporada_request_seconds_bucket{le="0.1",view="account_login"}' in told


@pytest.mark.slow
@pytest.mark.django_db
def test_metrics_contain_queue_lengths_and_other_site_figures(client: Client, valkey: str) -> None:
    from redis import Redis

    Redis.from_url(valkey).rpush("long", "one", "two")
    told = client.get("/metrics").content.decode()
    assert 'temporada_queue_length{queue="long"} 2.0' in told
    assert "temporada_corrida_lag_seconds 0.0" in told
    assert "temporada_database_bytes" in told


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0123abcd-ef", True),
        ("short", False),
        ("x" * 65, False),
        ("with blank 12", False),
        ("line\nbreak-12", False),
        ("", False),
    ],
)
def test_only_well_formed_request_ids_are_accepted(given: str, kept: bool) -> None:
    assert (request_id_for(given) == given) is kept
    assert request_id_for(given).isprintable()


@pytest.mark.django_db
def test_log_line_has_request_id_and_view_but_no_url(client: Client, lines: io.StringIO) -> None:
    answer = client.get("/accounts/login/?next=/secret/", headers={"x-request-id": "my-own-name-1"})
    assert answer["X-Request-ID"] == "my-own-name-1"
    said = json.loads(lines.getvalue())
    assert said["view"] == "account_login"
    assert (said["request_id"], said["status"], said["method"]) == ("my-own-name-1", 200, "GET")
    assert "secret" not in lines.getvalue()


def test_log_lines_of_workers_have_a_task_id() -> None:
    record = logging.makeLogRecord({"msg": "hello"})
    assert RequestIdFilter().filter(record)
    assert (vars(record)["task_id"], vars(record)["request_id"]) == ("", "")
    handlers: Any = site_settings.LOGGING["handlers"]
    assert "traced" in handlers["stderr"]["filters"]


def test_invalid_settings_are_reported_by_name() -> None:
    with pytest.raises(SettingError, match="LOG_FORMAT is 'xml': it must be line or json"):
        Environment({"LOG_FORMAT": "xml"}).one_of("LOG_FORMAT", ["line", "json"])
    with pytest.raises(SettingError, match="METRICS_TOKEN is too short"):
        Environment({"METRICS_TOKEN": "abc"}).secret("METRICS_TOKEN", least=20)


@pytest.mark.django_db
def test_status_page_works_without_a_broker_and_says_so(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    page = client.get("/status/").content.decode()
    assert (
        "The message broker is not responding. Requests will be processed when it responds again."
    ) in page
    assert "The archive has not been verified yet." in page
    assert "nowhere" not in page


@pytest.mark.slow
@pytest.mark.django_db
def test_status_page_is_cached_after_a_few_queries(
    client: Client, valkey: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(9):
        assert "Site status" in client.get("/status/").content.decode()
    assert health_status.site_status() == health_status.site_status()


@pytest.mark.django_db
def test_status_page_shows_the_longest_waiting_and_the_last_played(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the longest waiting corrida nor the last played one is the first or the last row."""
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    world = small_circuit()

    def ago(seconds: int) -> dt.datetime:
        return now - dt.timedelta(seconds=seconds)

    seasons = [world.season, *(world.another_season(year) for year in (2028, 2029))]
    for day, (seconds, season) in enumerate(zip((40, 300, 5), seasons, strict=True), start=1):
        queued, on_air, posted = (
            Corrida.objects.create(
                season=season, plaza=world.plazas[0], date=dt.date(2027, month, day), state=state
            )
            for month, state in enumerate(("queued", "on_air", "posted"), start=5)
        )
        Corrida.objects.filter(pk=queued.pk).update(queued_at=ago(seconds))
        Corrida.objects.filter(pk=on_air.pk).update(on_air_at=ago(seconds + 100))
        Corrida.objects.filter(pk=posted.pk).update(on_air_at=ago(10_000), queued_at=ago(20_000))
        Run.objects.create(season=season, until=queued.date, asked_at=ago(2 * seconds))
    status = health_status.read_status()
    assert (status.lag.total_seconds(), status.queued_since) == (300, ago(300))
    assert (status.run_since, status.last_played) == (ago(600), ago(105))
    assert status.corridas == {"queued": 3, "on_air": 3, "posted": 3}
    assert "temporada_corrida_lag_seconds 300.0" in client.get("/metrics").text
    Run.objects.update(state="running")
    Corrida.objects.filter(state="queued").update(state="failed")
    idle = health_status.read_status()
    assert (idle.lag.total_seconds(), idle.queued_since, idle.run_since) == (0, None, None)
    Corrida.objects.update(on_air_at=None)
    assert health_status.read_status().last_played is None
