"""The status page shows each time on its line, in UTC or in the user's time zone."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from actas.models import Revalidation
from server.health import views
from server.health.status import SiteStatus

CHECKED: Final = dt.datetime(2027, 1, 31, 22, 5, 9, tzinfo=dt.UTC)
IDLE: Final = SiteStatus(
    at=CHECKED, queues=None, workers=None, feeds=None, corridas={}, deliveries={},
    queued_since=None, run_since=None, last_played=None, revalidation=None, size=0,
)  # fmt: skip
TIMES: Final = re.compile(
    r'<dt>([^<]*)</dt>\s*<dd>\s*(?:<time datetime="([^"]*)">)?\s*([^<]*?)\s*</'
)
# For each field, the label of its line, and the text if there is nothing to show.
LINES: Final = {
    "last_played": ("Last corrida played", "none yet"),
    "queued_since": ("Corrida that has been waiting longest", "none waiting"),
    "run_since": ("Season run that has been waiting longest", "none waiting"),
}

pytestmark = pytest.mark.django_db


def status_page(monkeypatch: pytest.MonkeyPatch, zone: str = "", **fields: Any) -> str:
    """Return the status page of an idle site with these fields changed."""
    monkeypatch.setattr(views, "site_status", lambda: replace(IDLE, **fields))
    client = Client()
    client.cookies[settings.ZONE_COOKIE_NAME] = zone
    return re.sub(r"\s+", " ", client.get("/status/").text)


@pytest.mark.parametrize(
    "fields", [(), ("last_played",), ("queued_since",), ("run_since",), tuple(LINES)]
)
def test_each_time_is_shown_on_its_own_line(
    monkeypatch: pytest.MonkeyPatch, fields: tuple[str, ...]
) -> None:
    now = timezone.now()
    days = {field: number for number, field in enumerate(LINES, start=2) if field in fields}
    times: dict[str, Any] = {
        field: now - dt.timedelta(days=number, hours=1) for field, number in days.items()
    }
    page = status_page(monkeypatch, **times)
    lines = {label: (at, words) for label, at, words in TIMES.findall(page)}
    for field, (label, none) in LINES.items():
        at, words = lines[label]
        if field in fields:
            assert dt.datetime.fromisoformat(at) == times[field]
            assert words.replace("\N{NO-BREAK SPACE}", " ").startswith(f"{days[field]} days")
        else:
            assert (at, words) == ("", none)


@pytest.mark.parametrize(
    ("zone", "verified"),
    [
        ("", "2027-01-31 22:05"),
        ("America/New_York", "2027-01-31 17:05"),
        ("Asia/Tokyo", "2027-02-01 07:05"),
    ],
)
def test_status_time_is_in_utc_and_verification_in_the_users_zone(
    monkeypatch: pytest.MonkeyPatch, zone: str, verified: str
) -> None:
    night = Revalidation(begun_at=CHECKED, ended_at=CHECKED, looked_at={"corrida": 1234})
    page = status_page(monkeypatch, zone, revalidation=night)
    assert "Status at 22:05:09 UTC, updated every five seconds." in page
    assert f"on {verified}. Results checked: 1,234, all unchanged." in page
    night.differing = {"corrida": 3}
    page = status_page(monkeypatch, zone, revalidation=night)
    assert f"The check on {verified}, which" in page
    assert "(mismatches: 3)" in page
