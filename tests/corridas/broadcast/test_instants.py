"""Pages, feed, API and rows agree one microsecond before a moment of a broadcast, at it and
after it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from cachetools import LRUCache
from django.db import transaction
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from corridas import calendar, results
from corridas.broadcast import source
from corridas.models import Circuit, Corrida, Lidia
from corridas.pages.broadcast.views import FASTER
from corridas.simulation.post import post_due
from corridas.stage.scene import next_score
from corridas.stage.showing import Showing
from live.broadcast_source import sources
from tests.corridas.broadcast.conftest import PACE_MS, START, OnAir, announce, fetch, put_on_air
from tests.factories import World, small_circuit

MOMENT = dt.timedelta(microseconds=1)
AROUND = (-MOMENT, dt.timedelta(0), MOMENT)
HTMX: dict[str, Any] = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture(scope="module")
def afternoon(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[OnAir]:
    """Yield a corrida on air from START, whose rows exist for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        corrida = put_on_air(announce())
        yield OnAir(corrida, source.showing_of(corrida))
        transaction.set_rollback(True)


@pytest.fixture
def other(db: None, afternoon: OnAir) -> World:
    """Return a second circuit with a corrida that is over and one that is on air at the same
    time.
    """
    world = small_circuit("otro", "Otro")
    world.post(world.announce(dt.date(2027, 3, 2)))
    world.air(world.announce(dt.date(2027, 3, 8)), seconds=0)
    return world


class Clock:
    """A clock that sets the time for pages and API."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = START
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.at)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, db: None) -> Clock:
    return Clock(monkeypatch)


def due(showing: Showing, turn: int, card: int = 0) -> dt.datetime:
    line = showing.timeline
    return START + line.offset(line.moment((turn, card)))


def last_card(showing: Showing, turn: int) -> dt.datetime:
    return due(showing, turn, showing.timeline.cards_per_lidia[turn - 1])


def test_the_result_of_a_bull_is_shown_from_the_time_of_its_last_card(
    afternoon: OnAir, other: World
) -> None:
    mine = Lidia.objects.filter(corrida=afternoon.corrida)
    for turn in range(1, 7):
        end = mine.get(turn=turn).ends_at
        assert end == last_card(afternoon.showing, turn)
        assert end is not None
        counts = [(Lidia.objects.shown(at=end + by) & mine).count() for by in AROUND]
        assert counts == [turn - 1, turn, turn]


def test_results_of_finished_corridas_are_always_shown_and_of_announced_ones_never(
    other: World,
) -> None:
    long_ago = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
    for state in Corrida.State.values:
        other.season.corridas.update(state=state)
        Lidia.objects.update(ends_at=None)
        told = Lidia.objects.shown(at=long_ago).filter(corrida__season=other.season)
        assert told.count() == (12 if state in Corrida.OVER else 0), state
        posted = Lidia.objects.posted().filter(corrida__season=other.season)
        assert posted.count() == told.count()


def test_lists_show_each_corrida_as_far_as_its_own_broadcast(
    afternoon: OnAir, other: World
) -> None:
    rows = list(calendar.corridas().filter(season=other.season).order_by("date"))
    rows.insert(1, afternoon.corrida)
    Lidia.objects.filter(corrida=rows[2]).update(ends_at=None)
    at = last_card(afternoon.showing, 2)
    for by, expected in zip(AROUND, (1, 2, 2), strict=True):
        told = results.afternoons(rows, at + by)
        assert [one.corrida for one in told] == rows
        assert [len(one.bulls) for one in told] == [6, expected, 0]
        assert [len(one.shares) for one in told] == [3, 3, 3]
        assert sum(len(share.bulls) for share in told[1].shares) == expected


def asked(client: Client, way: str, **headers: Any) -> int:
    return client.get(way, **headers).status_code


@pytest.mark.slow
def test_the_urls_of_a_card_are_available_from_the_time_it_is_broadcast(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk, line = afternoon.corrida.pk, afternoon.showing.timeline
    cards = line.cards_per_lidia
    for turn, card in ((0, 0), (1, cards[0]), (7, 0)):
        page, moment = f"/corridas/{pk}/{turn}/{card}/", line.moment((turn, card))
        told = f"/api/v1/corridas/{pk}/moments/{turn}/{card}/"
        answers = []
        for by in AROUND:
            clock.at = due(afternoon.showing, turn, card) + by
            answers.append((asked(client, page), asked(client, page, **HTMX), asked(client, told)))
        assert answers == [(302, 404, 404), (200, 200, 200), (200, 200, 200)], (turn, card)
        shown = client.get(f"/corridas/{pk}/", **HTMX).text
        assert f'data-moment="{moment + 1}"' in shown
        assert source.reached(fetch(pk), afternoon.showing, clock.at) == moment


def test_the_page_of_a_fight_is_available_from_the_time_of_its_last_card(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    for turn in (1, 2, 6):
        way, answers = f"/corridas/{afternoon.corrida.pk}/{turn}/", []
        for by in AROUND:
            clock.at = last_card(afternoon.showing, turn) + by
            answers.append(asked(client, way))
        assert answers == [302, 200, 200]


@pytest.mark.slow
def test_the_api_shows_a_fight_from_its_first_card_and_its_result_from_the_last(
    afternoon: OnAir, other: World, client: Client, clock: Clock
) -> None:
    pk = afternoon.corrida.pk
    way = f"/api/v1/corridas/{pk}/"
    clock.at = due(afternoon.showing, 2) - MOMENT
    assert asked(client, f"{way}lidias/2/") == 404
    clock.at += MOMENT
    told = client.get(f"{way}lidias/2/").json()
    assert (told["done"], told["result"], told["card"]) == (False, None, 0)
    for by, done in zip(AROUND, (False, True, True), strict=True):
        clock.at = last_card(afternoon.showing, 2) + by
        told = client.get(f"{way}lidias/2/").json()
        assert (told["done"], told["result"] is not None) == (done, done)
        over = client.get(f"{way}lidias/").json()["results"]
        assert [one["turn"] for one in over] == [1, 2][: 1 + done]
        whole = client.get(way).json()
        assert [one["turn"] for one in whole["bulls"]] == [1, 2][: 1 + done]
        assert whole["position"]["finished"] == 1 + done
        assert (whole["seed"], whole["stake"], whole["position"]["over"]) == ("", None, False)
        (row,) = [
            one
            for one in client.get("/api/v1/corridas/?circuit=leyendas&state=on_air").json()[
                "results"
            ]
            if one["id"] == pk
        ]
        assert [one["turn"] for one in row["bulls"]] == [1, 2][: 1 + done]
        bulls = [bull for share in row["matadors"] for bull in share["bulls"]]
        assert sorted(bulls) == [1, 2][: 1 + done]


def test_a_broadcast_page_links_only_to_a_next_moment_that_has_been_reached(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    way = f"/api/v1/corridas/{afternoon.corrida.pk}/moments/1/3/"
    answers = []
    for by in AROUND:
        clock.at = due(afternoon.showing, 1, 4) + by
        answers.append(client.get(way).json()["links"]["next"])
    assert answers[0] is None
    assert answers[1] is not None
    assert answers[1].endswith("/moments/1/4/")
    assert answers[1] == answers[2]


def test_only_the_cartel_is_shown_before_the_opening_parade(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk = afternoon.corrida.pk
    for by, status in zip(AROUND, (404, 200, 200), strict=True):
        clock.at = START + by
        assert asked(client, f"/corridas/{pk}/", **HTMX) == status
        whole = client.get(f"/api/v1/corridas/{pk}/").json()
        assert (whole["position"] is None) is (status == 404)
        assert (whole["encierro"][0]["turn"] is None) is (status == 404)


def test_the_seed_is_shown_when_the_corrida_is_posted_not_when_its_broadcast_ends(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk = afternoon.corrida.pk
    clock.at = due(afternoon.showing, 7)
    seed = bytes(afternoon.corrida.cartel.seed).hex()
    assert not post_due(at=clock.at - MOMENT)
    for told in ("", seed):
        assert client.get(f"/api/v1/corridas/{pk}/").json()["seed"] == told
        assert (seed in client.get(f"/corridas/{pk}/").text) is bool(told)
        post_due(at=clock.at)
        source._cache.clear()
    assert client.get(f"/api/v1/corridas/{pk}/").json()["stake"] is not None


@pytest.mark.slow
def test_cards_and_bulls_beyond_the_end_of_a_finished_lidia_are_not_found(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk, cards = afternoon.corrida.pk, afternoon.showing.timeline.cards_per_lidia
    ways = {
        "beyond the first": f"/corridas/{pk}/1/{cards[0] + 1}/",
        "beyond the second": f"/corridas/{pk}/2/{cards[1] + 1}/",
        "beyond the corrida": f"/corridas/{pk}/8/0/",
        "beyond the paseíllo": f"/corridas/{pk}/0/1/",
        "beyond the end": f"/corridas/{pk}/7/1/",
    }

    def missing(at: dt.datetime) -> set[str]:
        clock.at = at
        return {name for name, way in ways.items() if asked(client, way) == 404}

    first = last_card(afternoon.showing, 1)
    assert missing(first - MOMENT) == {"beyond the corrida"}
    assert missing(first) == {"beyond the corrida", "beyond the first"}
    assert missing(due(afternoon.showing, 7) - MOMENT) == {
        *("beyond the corrida", "beyond the first", "beyond the second"),
    }
    assert missing(due(afternoon.showing, 7)) == set(ways)


def test_viewers_can_skip_cards_but_not_beyond_the_present_card_of_the_broadcast(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk, line = afternoon.corrida.pk, afternoon.showing.timeline
    goal = line.moment((1, 2)) + FASTER
    turn, card = line.address(goal)
    way = f"/corridas/{pk}/1/2/?to=faster"
    clock.at = START + line.offset(goal)
    assert client.get(way)["Location"] == f"/corridas/{pk}/"  # the present moment
    assert f'data-moment="{goal + 1}"' in client.get(way, **HTMX).text
    clock.at -= MOMENT
    assert f'data-moment="{goal}"' in client.get(way, **HTMX).text
    clock.at = START + line.offset(goal + 1)
    assert client.get(way)["Location"] == f"/corridas/{pk}/{turn}/{card}/"
    score = next_score(afternoon.showing, line.moment((1, 2)))
    assert score is not None
    clock.at = START + line.offset(score + 1)
    turn, card = line.address(score)
    assert (
        client.get(f"/corridas/{pk}/1/2/?to=score")["Location"] == f"/corridas/{pk}/{turn}/{card}/"
    )
    clock.at = due(afternoon.showing, 7)
    last = f"/corridas/{pk}/7/0/"
    assert client.get(f"/corridas/{pk}/6/1/?to=score", follow=True).status_code == 200
    assert client.get(f"{last}?to=faster")["Location"] == last


def test_a_broadcast_moment_of_a_public_circuit_is_publicly_cacheable(
    afternoon: OnAir, client: Client, clock: Clock
) -> None:
    pk, way = afternoon.corrida.pk, f"/corridas/{afternoon.corrida.pk}/1/2/"
    clock.at = due(afternoon.showing, 7)
    answer = client.get(way, **HTMX)
    assert answer["ETag"] == f'"corrida-en-{pk}-{afternoon.showing.timeline.moment((1, 2)) + 1}-1"'
    assert answer["Cache-Control"].startswith("public, max-age=")
    assert {"HX-Request", "Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
    assert client.get(way, HTTP_IF_NONE_MATCH=answer["ETag"], **HTMX).status_code == 304
    spanish = client.get(way, HTTP_IF_NONE_MATCH=answer["ETag"], HTTP_ACCEPT_LANGUAGE="es", **HTMX)
    assert spanish.status_code == 200
    assert client.get(way)["Cache-Control"] == "no-store"
    assert client.get(f"/corridas/{pk}/")["Cache-Control"] == "no-store"
    post_due(at=clock.at)
    Circuit.objects.filter(pk=afternoon.corrida.season.circuit_id).update(public=False)
    assert client.get(way, **HTMX).status_code == 404


def test_a_broadcast_is_cached_by_state_start_and_pace(
    afternoon: OnAir, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    source._cache.clear()
    first = source.showing_of(afternoon.corrida)
    assert source.showing_of(fetch(afternoon.corrida.pk)) is first
    for name, value in (
        ("on_air_at", START + MOMENT),
        ("pace_ms", PACE_MS + 1),
        ("state", Corrida.State.POSTED),
    ):
        changed = fetch(afternoon.corrida.pk)
        setattr(changed, name, value)
        assert source.showing_of(changed) is not first, name
    monkeypatch.setattr(source, "_cache", LRUCache(2))
    monkeypatch.setattr(source, "_build_showing", lambda corrida: object())
    several = [Corrida(pk=pk, state="posted") for pk in (1, 2, 3)]
    one, two = (source.showing_of(corrida) for corrida in several[:2])
    assert source.showing_of(several[0]) is one  # so the other is now the oldest
    source.showing_of(several[2])
    assert source.showing_of(several[0]) is one
    assert source.showing_of(several[1]) is not two


@pytest.mark.parametrize(
    ("state", "origin", "moments", "ended"),
    [
        ("announced", "here", False, False),
        ("queued", "here", False, False),
        ("failed", "here", False, True),
        ("at_table", "here", False, False),
        ("on_air", "here", True, True),
        ("posted", "here", True, True),
        ("suspended", "here", True, True),
        ("posted", "table", True, True),
    ],
)
def test_a_broadcast_has_moments_once_the_corrida_was_played(
    afternoon: OnAir, db: None, state: str, origin: str, moments: bool, ended: bool
) -> None:
    Corrida.objects.filter(pk=afternoon.corrida.pk).update(state=state, origin=origin)
    sent = source.provide(str(afternoon.corrida.pk), "en")
    assert sent is not None
    assert (bool(sent.moments), sent.ended) == (moments, ended)
    assert (sent.showing is not None) is moments


def test_all_moments_of_a_posted_corrida_that_was_never_on_air_are_in_the_past(
    afternoon: OnAir, db: None
) -> None:
    rows = Corrida.objects.filter(pk=afternoon.corrida.pk)
    key = str(afternoon.corrida.pk)
    rows.update(state="posted", on_air_at=None)
    sent = source.provide(key, "en")
    assert sent is not None
    assert sent.moments[0] == 0.0
    rows.update(state="on_air")
    unborn = source.provide(key, "en")
    assert unborn is not None
    assert not unborn.moments
    rows.update(state="posted", origin="table")
    Lidia.objects.filter(corrida=afternoon.corrida, turn=3).update(draws=b"")
    bare = source.provide(key, "en")
    assert bare is not None
    assert (list(bare.moments), bare.ended) == ([], True)


def test_an_impossible_primary_key_has_no_broadcast(afternoon: OnAir, db: None) -> None:
    key = str(afternoon.corrida.pk)
    assert source.provide(key, "en") is not None
    assert source.provide(str(2**63), "en") is None
    assert source.provide(f"{key}x", "en") is None


def test_each_language_and_wording_has_its_own_feed_and_texts(afternoon: OnAir, db: None) -> None:
    kinds = [source.kind(language) for language in source.LANGUAGES]
    assert kinds == [
        *("corrida-en", "corrida-en-bloodless", "corrida-es", "corrida-es-bloodless"),
    ]
    key = str(afternoon.corrida.pk)
    drawn = []
    for kind, language in zip(kinds, source.LANGUAGES, strict=True):
        sent = sources.load(kind, key)
        assert sent is not None
        assert sources.gate(kind) is source.may_watch
        last = len(sent.moments)
        assert sent.render(last).decode() == source.draw(afternoon.showing, last - 1, language)
        drawn.append(sent.render(last))
    assert len(set(drawn)) == 4


def test_a_corrida_is_not_found_at_the_address_of_another_circuit(
    afternoon: OnAir, other: World, clock: Clock
) -> None:
    client, pk = Client(), afternoon.corrida.pk
    theirs = other.season.corridas.get(state="posted").pk
    clock.at = START
    for way in (f"/circuitos/otro/corridas/{pk}/", f"/corridas/{theirs}/", "/corridas/99999/"):
        assert asked(client, way) == 404
    assert asked(client, f"/corridas/{pk}/") == 200
