"""Cursors, pages and readers of the event log at their limits: which events they get, and in
which order.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events import queries
from events.kinds import EventKind, EventKinds, PublicEvent, kinds
from events.models import Event, Tally
from events.numbering import newest_number, publish, waiting_events
from events.operations import MAX_DATA_LENGTH, NewEvent, record_event, record_events
from events.queries import EventReader, latest_events, page_after
from events.representation import compact_json, event_json, public_events
from events.scopes import Scopes, scopes
from events.sql import INSERT_SIZE
from leagues.models import League, Player
from tests.events.conftest import KIND
from tests.leagues import game, world

NOW = dt.datetime(2026, 11, 21, 20, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
OTHER = "league.imported"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True, scope="session")
def _highest_card() -> None:
    game.register()


def happen(count: int, league: int | None = None, kind: str = KIND) -> None:
    """Record this number of events with different subjects."""
    first = newest_number() + 1
    record_events([
        NewEvent(kind, f"thing/{first + place}", {"results": place}, NOW, league=league)
        for place in range(count)
    ])  # fmt: skip
    publish(at=NOW)


def numbers(page: queries.EventBatch) -> list[int]:
    return [event.number or 0 for event in page.events]


@pytest.mark.parametrize(
    ("after", "limit", "expected", "reached"),
    [
        (0, 10, [1, 2, 3, 4, 5], 5),
        (0, 5, [1, 2, 3, 4, 5], 5),
        (0, 4, [1, 2, 3, 4], 4),
        (2, 2, [3, 4], 4),
        (4, 1, [5], 5),
        (5, 10, [], 5),
        (6, 10, [], 5),
        (10**12, 10, [], 5),
    ],
)
def test_page_contains_the_events_after_a_cursor(
    after: int, limit: int, expected: list[int], reached: int
) -> None:
    happen(5)
    page = page_after(EventReader(), after, limit)
    assert (numbers(page), page.reached, page.newest) == (expected, reached, 5)


@pytest.mark.parametrize(
    ("after", "expected", "reached"), [(0, [], 3), (1, [4], 4), (3, [4], 6), (4, [], 7), (7, [], 9)]
)
def test_page_examines_a_limited_number_of_events_and_says_how_far(
    monkeypatch: pytest.MonkeyPatch, after: int, expected: list[int], reached: int
) -> None:
    """Of nine events, only number 4 is for this reader. Three events are examined at a time."""
    monkeypatch.setattr(queries, "MAX_SCANNED", 3)
    happen(3, kind=OTHER)
    happen(1)
    happen(5, kind=OTHER)
    page = page_after(EventReader(kinds=(KIND,)), after, 10)
    assert (numbers(page), page.reached) == (expected, reached)


def test_latest_events_come_first_and_only_recent_ones_are_examined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    happen(6)
    assert [event.number for event in latest_events(EventReader(), 4)] == [6, 5, 4, 3]
    monkeypatch.setattr(queries, "MAX_SCANNED", 2)
    assert [event.number for event in latest_events(EventReader(), 4)] == [6, 5]
    assert latest_events(EventReader(kinds=(OTHER,)), 4) == []


@pytest.mark.parametrize(
    ("due", "now", "numbered"),
    [
        (None, NOW, True),
        (NOW, NOW, True),
        (NOW + SECOND, NOW, False),
        (NOW + SECOND, NOW + SECOND, True),
        (NOW + SECOND, NOW + 2 * SECOND, True),
    ],
)
def test_delayed_event_is_published_at_its_time(
    due: dt.datetime | None, now: dt.datetime, numbered: bool
) -> None:
    record_event(kind=KIND, subject="x/1", at=NOW, data={}, due=due)
    assert waiting_events(now).exists() is numbered
    assert publish(at=now) == int(numbered)
    assert [event.subject for event in latest_events(EventReader(), 9)] == ["x/1"] * numbered
    assert not waiting_events(now).exists()
    assert newest_number() == int(numbered)


def test_event_numbers_follow_the_order_of_recording_not_of_time() -> None:
    record_event(kind=KIND, subject="later", at=NOW + SECOND, data={})
    record_event(kind=KIND, subject="earlier", at=NOW, data={})
    assert publish(at=NOW) == 2
    found = Event.objects.order_by("number").values_list("number", "subject")
    assert list(found) == [(1, "later"), (2, "earlier")]
    assert Tally.objects.get().last == 2
    assert publish(at=NOW) == 0


@pytest.mark.parametrize("count", [1, INSERT_SIZE - 1, INSERT_SIZE, INSERT_SIZE + 1])
def test_many_events_keep_their_order(count: int) -> None:
    happen(count)
    subjects = list(Event.objects.order_by("number").values_list("subject", flat=True))
    assert subjects == [f"thing/{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("length", "fits"), [(MAX_DATA_LENGTH, True), (MAX_DATA_LENGTH + 1, False)]
)
def test_event_data_longer_than_the_limit_are_rejected(length: int, fits: bool) -> None:
    data = {"a": "ñ" * (length - len('{"a":""}'))}
    if fits:
        record_event(kind=KIND, subject="x/1", at=NOW, data=data)
        assert Event.objects.get().data == data
        return
    with pytest.raises(ValueError, match=f"{length} characters"):
        record_event(kind=KIND, subject="x/1", at=NOW, data=data)
    assert not Event.objects.exists()


def test_recording_no_events_writes_nothing() -> None:
    record_events([])
    assert not Event.objects.exists()


# Which events a reader sees


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


@pytest.fixture
def leagues_by_visibility(ana: Player) -> dict[str, League]:
    """One league of each visibility, with one event each after the events of their creation."""
    made = {
        kind: world.found_league(ana, name=kind, visibility=kind)
        for kind in ("public", "link", "private")
    }
    publish(at=NOW)
    Event.objects.all().delete()
    for league in made.values():
        happen(1, league.pk, OTHER)
    happen(1)
    return made


def slugs(reader: EventReader) -> list[str | None]:
    return [one.league for one in public_events(page_after(reader, 0, 99).events)]


def test_everybody_sees_events_of_public_leagues_and_of_no_league(
    leagues_by_visibility: dict[str, League],
) -> None:
    assert slugs(EventReader()) == [leagues_by_visibility["public"].slug, None]
    assert slugs(EventReader(kinds=(OTHER,))) == [leagues_by_visibility["public"].slug]
    assert slugs(EventReader(kinds=(KIND,))) == [None]
    for league in leagues_by_visibility.values():
        assert slugs(EventReader(scope="league", key=league.pk)) == [league.slug]
        assert slugs(EventReader(scope="league", key=league.pk, kinds=(KIND,))) == []
        assert slugs(EventReader(scope="circuit", key=league.pk)) == []


@pytest.mark.parametrize(
    ("visibility", "stranger", "member"),
    [("public", 200, 200), ("link", 200, 200), ("private", 404, 200), ("none", 404, 404)],
)
def test_events_of_a_league_need_permission_to_see_it(
    leagues_by_visibility: dict[str, League], ana: Player, client: Client,
    visibility: str, stranger: int, member: int,
) -> None:  # fmt: skip
    slug = (
        leagues_by_visibility[visibility].slug
        if visibility in leagues_by_visibility
        else "no-such-league"
    )
    query = {"league": slug}
    assert client.get(reverse("api_events"), query).status_code == stranger
    blas = world.account("blas")
    assert blas.user is not None
    client.force_login(blas.user)
    assert client.get(reverse("api_events"), query).status_code == stranger
    assert ana.user is not None
    client.force_login(ana.user)
    answer = client.get(reverse("api_events"), query)
    assert answer.status_code == member
    if member == 200:
        assert [one["league"] for one in answer.json()["results"]] == [slug]


@pytest.mark.parametrize(
    ("query", "count", "following"),
    [
        ({}, 100, True),
        ({"limit": 500}, 120, False),
        ({"limit": 120}, 120, False),
        ({"limit": 119}, 119, True),
        ({"after": 20}, 100, False),
        ({"after": 19}, 100, True),
        ({"after": 120}, 0, False),
    ],
)
def test_api_pages_of_events_follow_each_other(
    client: Client, query: dict[str, int], count: int, following: bool
) -> None:
    happen(120)
    page: dict[str, Any] = client.get(reverse("api_events"), query).json()
    after = query.get("after", 0)
    assert [one["number"] for one in page["results"]] == list(range(after + 1, after + 1 + count))
    assert (page["after"], page["newest"]) == (after + count, 120)
    assert (page["next"] is not None) is following
    assert "note" not in page


# Kinds and scopes of events


def test_event_family_contains_the_kinds_below_its_name_only() -> None:
    shelf = EventKinds()
    for key in ("a.one", "a.two", "ab.one", "a"):
        shelf.register(EventKind(key=key, name=key, words=lambda one: "", page=lambda one: ""))
    assert shelf.under("a") == ("a.one", "a.two", "a")
    assert shelf.under("a.one") == ("a.one",)
    assert shelf.under("a.") == shelf.under("b") == shelf.under("") == ()
    assert shelf.names() == ["a", "a.one", "a.two", "ab", "ab.one"]
    with pytest.raises(ValueError, match="registered already"):
        shelf.register(EventKind(key="a", name="", words=lambda one: "", page=lambda one: ""))
    assert [kind.key for kind in shelf.all_kinds()] == ["a.one", "a.two", "ab.one", "a"]


def test_scope_is_registered_once_and_finds_objects_by_slug(ana: Player) -> None:
    league = world.found_league(ana, visibility="public", name="Open")
    assert scopes.key("league", league.slug) == league.pk
    assert scopes.key("league", league.slug + "\0") is None
    assert scopes.key("league", "nowhere") is None
    assert scopes.key("nothing", league.slug) is None
    assert scopes.addresses("league", {league.pk, 0}) == {league.pk: league.slug}
    assert scopes.addresses("nothing", {league.pk}) == {}
    (first, *_) = scopes
    shelf = Scopes()
    shelf.register(first)
    with pytest.raises(ValueError, match="registered already"):
        shelf.register(replace(first))


def test_event_as_readers_get_it(ana: Player) -> None:
    league = world.found_league(ana, visibility="public", name="Open")
    Event.objects.all().delete()
    east = dt.timezone(dt.timedelta(hours=5))
    at = dt.datetime(2026, 3, 6, 1, 30, 59, 999_999, tzinfo=east)
    record_event(kind=OTHER, subject="league/7", at=at, data={"results": 2}, league=league.pk)
    record_event(kind=OTHER, subject="league/8", at=at, data={"results": 1}, league=10**6)
    publish(at=NOW)
    first, second = public_events(list(Event.objects.order_by("number")))
    assert event_json(first) == {
        "number": 1, "kind": OTHER, "subject": "league/7", "at": "2026-03-05T20:30:59Z",
        "circuit": None, "league": "open", "page": "/leagues/open/results/",
        "data": {"results": 2},
    }  # fmt: skip
    assert (second.league, event_json(second)["page"]) == (None, ""), "of a league that is gone"
    assert first.key == "7"
    assert [kinds[OTHER].words(one) for one in (first, second)] == [
        "2 results were imported from a file", "1 result was imported from a file",
    ]  # fmt: skip
    assert compact_json({"a": "ñ", "b": [1, 2]}) == '{"a":"ñ","b":[1,2]}'


def test_events_of_unregistered_kinds_are_left_out() -> None:
    happen(2)
    Event.objects.filter(number=1).update(kind="gone.kind")
    assert [one.number for one in public_events(latest_events(EventReader(), 9))] == [2]


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("league.opened", {"name": "Open", "again": False}, "The league Open has been created"),
        ("league.opened", {"name": "Open", "again": True}, "The league Open has been reopened"),
        ("league.closed", {"name": "Open"}, "The league Open has been closed"),
        (
            "league.round_drawn",
            {"first": 1, "last": 1, "fixtures": 1},
            "Round 1 has been drawn: 1 fixture",
        ),
        (
            "league.round_drawn",
            {"first": 1, "last": 3, "fixtures": 6},
            "Rounds 1 to 3 have been drawn: 6 fixtures",
        ),
        (
            "league.result",
            {
                "corrected": False,
                "places": [
                    {"name": "beto", "place": 2, "points": 4},
                    {"name": "ana", "place": 1, "points": 10},
                ],
            },
            "A result now counts: ana 10, beto 4",
        ),
        (
            "league.result",
            {"corrected": True, "places": [{"name": "ana", "place": 1, "points": 10}]},
            "A result has been corrected: ana 10",
        ),
        ("league.result_withdrawn", {}, "The result of match 7 no longer counts"),
        ("table.over", {"game": "highest"}, "A match at a table has ended (Highest card)"),
        ("table.over", {"game": "chess"}, "A match at a table has ended (chess)"),
    ],
)
def test_league_events_have_these_texts(kind: str, data: dict[str, Any], words: str) -> None:
    one = PublicEvent(
        number=1, kind=kind, subject="match/7", at=NOW, circuit=None, league="open", data=data
    )
    assert kinds[kind].words(one) == words
