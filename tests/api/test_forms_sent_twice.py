"""A form that creates something and is submitted twice creates it once.

Both responses redirect to the same page.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.models import DoneOnce
from corridas.models import Circuit
from leagues.models import League, Match, Table
from tests.databases import opened
from tests.scratch import at_once

LEAGUE = {
    "name": "Tuesday",
    "profile": "rulebook",
    "seats": "2",
    "format": "ladder",
    "days_a_round": "7",
    "visibility": "public",
    "scoring": "three",
    "first_tie_break": "margin",
    "hours_to_object": "48",
    "zone": "Europe/Madrid",
    "plays": "on",
}
TABLE = {
    "profile": "rulebook",
    "seats": "2",
    "bots": "0",
    "bot": "keeper",
    "pace": "live",
    "seconds": "30",
    "days": "1",
    "seating": "anybody",
    "watch": "anybody",
    "delay": "0",
}
CIRCUIT = {
    "name": "Circuito del Barrio",
    "visibility": "private",
    "shuffle": "each_bull",
    "bull_reading": "same_card",
    "bull_points": "separate",
    "roster": "legends",
    "seed": "",
    "year": "2027",
    "calendar": "own",
    "rows-TOTAL_FORMS": "2",
    "rows-INITIAL_FORMS": "0",
    "rows-0-plaza": "las-ventas",
    "rows-0-kind": "date",
    "rows-0-day": "15",
    "rows-0-month": "5",
    "rows-0-corridas": "2",
    "rows-0-days": "daily",
}
FORMS: dict[str, tuple[str, dict[str, str], type[Model]]] = {
    "match": ("/matches/new/dominoes/", {"profile": "rulebook", "name-1": "Gil"}, Match),
    "league": ("/leagues/new/?game=dominoes", LEAGUE, League),
    "table": ("/tables/new/?game=dominoes", TABLE, Table),
    "play now": ("/tables/now/", {"game": "dominoes", "bot": "keeper"}, Table),
    "circuit": ("/circuitos/nuevo/", CIRCUIT, Circuit),
}


def browser() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    return client


def send(client: Client, path: str, fields: dict[str, str], token: str = "of this page") -> Any:
    other = Client()
    other.cookies = client.cookies
    return other.post(path, fields | {"csrfmiddlewaretoken": token})


@pytest.mark.parametrize("name", FORMS)
def test_form_submitted_twice_creates_a_single_row(shared: str, name: str) -> None:
    path, fields, kind = FORMS[name]
    with opened(shared):
        client, made = browser(), kind._default_manager
        first, second = (send(client, path, fields) for _ in range(2))
        assert (first.status_code, second.status_code) == (302, 302), first.text
        assert first["Location"] == second["Location"]
        assert made.count() == 1
        # A form from another page load, or the same form after an hour, creates another row.
        assert send(client, path, fields, "of another page")["Location"] != first["Location"]
        DoneOnce.objects.update(at=timezone.now() - dt.timedelta(hours=1))
        assert send(client, path, fields)["Location"] != first["Location"]
        assert made.count() == 3


@pytest.mark.parametrize("name", FORMS)
def test_form_submitted_four_times_at_once_creates_a_single_row(shared: str, name: str) -> None:
    path, fields, kind = FORMS[name]
    with opened(shared):
        client = browser()
    came = at_once(shared, *[lambda: send(client, path, fields)] * 4)
    assert [one for one in came if isinstance(one, BaseException)] == []
    assert len({answer["Location"] for answer in came}) == 1
    with opened(shared):
        assert kind._default_manager.count() == 1


def test_form_with_errors_shows_them_at_every_submission(shared: str) -> None:
    path, fields, _kind = FORMS["league"]
    with opened(shared):
        client, wrong = browser(), fields | {"name": ""}
        assert [send(client, path, wrong).status_code for _ in range(2)] == [422, 422]
        assert send(client, path, fields).status_code == 302
