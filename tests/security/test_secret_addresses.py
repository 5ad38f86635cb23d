"""Secret URLs are never written to a log, whatever the response is and in whatever text they
appear.
"""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from celery import Celery
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.urls import get_resolver
from pytest_django import Settings

from server.environment import broker
from server.health.tracing import RequestIdFilter
from server.log_redaction import JsonFormatter, LineFormatter, hide_secret_addresses
from tests.security.endpoints import walk
from tests.site import ROOT, inherited
from tests.waiting import wait_until

SECRET = "3-7~Sk1llfulZebra_-x9"
SLUG = "Sk1llfulZebra_-x9"
# A text that must not be in any log; it is a part of both kinds of secrets.
HELD_BACK = "Zebra"
SECRET_PARTS = {"token", "key", "invitation", "uidb36"}
# URL names whose parameter `key` is a public name.
PUBLIC_KEYS = {"api_game", "api_leaderboard", "leaderboard", "api_eltoro_board"}
ORDINARY = ["/leagues/club/", "/leaderboards/dominoes/", "/corridas/3/", "/nowhere/"]
PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>|\(\?P<(?P<group>\w+)>(?:\[[^]]*\]|[^)])*\)")


def example_of_route(route: str) -> tuple[str, set[str]]:
    """Return an example of a route, and the names of its parameters."""
    names = set()

    def part(found: re.Match[str]) -> str:
        name = found["name"] or found["group"]
        names.add(name)
        if name == "uidb36":
            return "1"
        if name in SECRET_PARTS:
            return SECRET if found["kind"] == "str" else SLUG
        return "3" if found["kind"] == "int" else "club"

    return "/" + PART.sub(part, route).replace("^", "").removesuffix("$"), names


def secret_addresses() -> dict[str, str]:
    """Return the names of all routes that contain a secret, each with an example."""
    found = {}
    for name, route, _pattern in walk(get_resolver()):
        address, names = example_of_route(route)
        if names & SECRET_PARTS and name not in PUBLIC_KEYS:
            found[name] = address
    return found


SECRETS = secret_addresses()


class Break:
    """Middleware that ends a request with an exception that quotes the full URL."""

    raises: type[Exception] | None = None

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self._get_response(request)
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        if self.raises is not None:
            raise self.raises(f"It broke at {request.build_absolute_uri()}, of {request!r}")


FORMATTERS = {
    "line": LineFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"),
    "json": JsonFormatter("%(levelname)s %(message)s %(request_id)s"),
}


@pytest.fixture(params=FORMATTERS)
def log(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    """Collect what the site logs at level INFO and above, in both log formats."""
    written, root = StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(written), root.level
    handler.setFormatter(FORMATTERS[request.param])
    handler.addFilter(RequestIdFilter())
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)
    if request.param == "json":
        for line in written.getvalue().splitlines():
            json.loads(line)


def test_all_loggers_use_the_formatter_that_hides_secrets() -> None:
    """Loggers of Django and Celery are included, which would otherwise have their own handlers."""
    (handler,) = (h for h in logging.getLogger().handlers if h.name == "stderr")
    assert isinstance(handler.formatter, LineFormatter)
    apart = {
        name: kind
        for name, logger in logging.Logger.manager.loggerDict.items()
        if isinstance(logger, logging.Logger)
        for kind in map(type, logger.handlers)
        if kind is not logging.NullHandler
    }
    assert not any(name.startswith(("django", "celery")) for name in apart), apart


class AddressAnswer(NamedTuple):
    status: int
    raises: type[Exception] | None


ANSWERS = {
    "as it is": AddressAnswer(0, None),
    "bad request": AddressAnswer(400, SuspiciousOperation),
    "refused": AddressAnswer(403, PermissionDenied),
    "not found": AddressAnswer(404, Http404),
    "broken": AddressAnswer(500, RuntimeError),
}


@pytest.fixture
def answer(
    request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AddressAnswer:
    wanted = ANSWERS[request.param]
    monkeypatch.setattr(Break, "raises", wanted.raises)
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Break"]
    return wanted


def test_list_of_secret_urls_is_complete() -> None:
    assert set(SECRETS) == {
        *("account_confirm_email", "account_reset_password_from_key", "api_guest"),
        *("api_invitation", "calendar", "guest_claim", "league_join", "match_key"),
        *("notices_feed", "notices_unsubscribe", "table_join"),
    }, "A new one belongs here, and its beginning into SECRET_PREFIXES."


@pytest.mark.django_db
@pytest.mark.parametrize("answer", ANSWERS, indirect=True)
@pytest.mark.parametrize("name", SECRETS)
def test_secret_url_is_in_no_log(name: str, answer: AddressAnswer, log: StringIO) -> None:
    browser = Client(raise_request_exception=False)
    got = browser.get(SECRETS[name], {"next": SECRETS[name]})
    assert got.status_code == answer.status or not answer.status
    assert HELD_BACK not in log.getvalue()
    if got.status_code >= 400:
        assert "***" in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("answer", ["not found", "broken"], indirect=True)
def test_ordinary_url_is_in_the_log(answer: AddressAnswer, log: StringIO) -> None:
    browser = Client(raise_request_exception=False)
    for address in ORDINARY:
        browser.get(address)
        assert f": {address}" in log.getvalue()
    assert "***" not in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("name", SECRETS)
def test_secret_referer_of_a_rejected_form_is_in_no_log(name: str, log: StringIO) -> None:
    browser = Client(enforce_csrf_checks=True)
    led = {"REMOTE_ADDR": "203.0.113.9", "HTTP_REFERER": f"https://elsewhere{SECRETS[name]}"}
    assert browser.post("/accounts/login/", secure=True, **led).status_code == 403  # type: ignore[arg-type]
    assert browser.post(SECRETS[name], secure=True, **led).status_code in {401, 403, 404, 405}  # type: ignore[arg-type]
    assert "https://elsewhere" in log.getvalue()
    assert HELD_BACK not in log.getvalue()


@pytest.mark.parametrize(
    "around",
    [
        *("{}", "http://localhost{}", "/es{}", '"{}"', "<WSGIRequest: GET '{}'>", "({}, 404)"),
        *("/accounts/login/?next={}&a=1", "Referer: https://h{}#top"),
    ],
)
@pytest.mark.parametrize("spelled", [str, str.upper, str.lower])
@pytest.mark.parametrize("name", SECRETS)
def test_text_around_a_secret_url_stays_in_the_log(name: str, spelled: Any, around: str) -> None:
    for slash in ("/", "%2F", "%2f", "%252F"):
        address = spelled(SECRETS[name]).replace("/", slash)
        hidden = hide_secret_addresses(f"before {around.format(address)} after")
        assert HELD_BACK.lower() not in hidden.lower()
        assert hidden.startswith("before ")
        assert hidden.endswith(" after")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["line", "json"])
def test_failing_task_logs_no_secret(valkey: str, tmp_path: Path, form: str) -> None:
    log = tmp_path / "worker.log"
    own = {"REDIS_URL": valkey, "DATA": str(tmp_path), "LOG_LEVEL": "INFO", "LOG_FORMAT": form}
    words = "worker --include tests.security.broken_task --concurrency 1 --loglevel INFO"
    with log.open("wb") as file:
        worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "--app", "config", "--quiet", *words.split()],
            cwd=ROOT,
            env=inherited() | own,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    try:
        with Celery(broker=broker(valkey), set_as_current=False) as sender:
            for name in ("tests.broken", "tests.unknown"):
                for address in ("/leagues/club/", *SECRETS.values()):
                    sender.send_task(name, [f"https://h{address}"])
        unknown = "Received unregistered task of type"
        wait_until(lambda: log.read_text().count(unknown) > len(SECRETS))
        wait_until(lambda: log.read_text().count("raised unexpected") > len(SECRETS))
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    written = log.read_text()
    for said in ("printed", "logged", "It broke at"):
        assert f"{said} https://h/leagues/club/" in written
    assert HELD_BACK not in written
