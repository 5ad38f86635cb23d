"""The events that circuits and leagues publish, when they publish them, and who sees them."""

import dataclasses
import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from corridas.models import Circuit, Corrida
from corridas.simulation import record_book
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_now
from events.kinds import PublicEvent, kinds
from events.models import Event
from events.numbering import publish
from events.queries import EventReader, page_after
from events.representation import event_json, public_events
from leagues.emit import emit_table_over
from leagues.fixtures.operations import draw_round_robin, undraw
from leagues.league.operations import close_league, reopen_league
from leagues.matches.operations.corrections import dispute_match
from leagues.models import Fixture, League, Player, Table
from tests.corridas.simulation import world as circuits
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True, scope="session")
def _highest_card() -> None:
    game.register()


def events_for(reader: EventReader | None = None) -> list[PublicEvent]:
    publish(at=timezone.now() + dt.timedelta(days=9))
    return public_events(page_after(reader or EventReader(), 0, 500).events)


def kinds_of(found: list[PublicEvent]) -> list[str]:
    return [one.kind for one in found]


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


def reader_of(league: League) -> EventReader:
    return EventReader(scope="league", key=league.pk)


def test_league_publishes_events_from_its_opening_to_its_close(ana: Player) -> None:
    league, blas = world.found_league(ana), world.account("blas")
    world.enter_league(league, blas)
    match = world.played(league, [ana, blas], [10, 1])
    match = dispute_match(match=match, version=match.version, by=blas, at=NOW, reason="No")
    found = events_for(reader_of(league))
    assert kinds_of(found) == ["league.opened", "league.result", "league.result_withdrawn"]
    result = found[1]
    assert [(one["name"], one["place"], one["points"]) for one in result.data["places"]] == [
        ("ana", 1, 10), ("blas", 2, 1),
    ]  # fmt: skip
    assert event_json(result)["page"] == f"/matches/{match.pk}/?in={league.slug}"
    for one in found:
        assert event_json(one)["page"].startswith("/")


def test_closing_and_reopening_a_league_publishes_events(ana: Player) -> None:
    league = world.found_league(ana)
    close_league(league=league, by=ana, at=NOW)
    reopen_league(league=league, by=ana, at=NOW)
    assert kinds_of(events_for(reader_of(league))) == [
        "league.opened",
        "league.closed",
        "league.opened",
    ]


def test_event_shows_the_current_name_of_a_player(ana: Player) -> None:
    league, blas = world.found_league(ana), world.account("blas")
    world.enter_league(league, blas)
    world.played(league, [ana, blas], [10, 1])
    Player.objects.filter(pk=blas.pk).update(name="somebody")
    names = [one["name"] for one in events_for(reader_of(league))[1].data["places"]]
    assert names == ["ana", "somebody"]
    assert "blas" not in str(list(Event.objects.values_list("data", flat=True)))


def test_events_of_public_leagues_only_are_public(ana: Player, client: Client) -> None:
    hidden = {visibility: world.found_league(ana, name=visibility, visibility=visibility)
              for visibility in ("public", "link", "private")}  # fmt: skip
    assert [one.league for one in events_for()] == [hidden["public"].slug]
    for name, league in hidden.items():
        status = client.get("/api/v1/events/", {"league": league.slug}).status_code
        assert status == (404 if name == "private" else 200)
    assert ana.user is not None
    client.force_login(ana.user)
    assert client.get("/api/v1/events/", {"league": hidden["private"].slug}).status_code == 200


@pytest.mark.parametrize(
    ("watch", "told_to_all"), [("anybody", True), ("link", False), ("nobody", False)]
)
def test_end_of_a_table_is_published_when_spectators_see_it(
    ana: Player, watch: str, told_to_all: bool
) -> None:
    table = Table(pk=7, game="highest", watch=watch, delay=30, round=2)
    emit_table_over(table, at=NOW)
    assert publish(at=NOW + dt.timedelta(seconds=29)) == 0
    assert publish(at=NOW + dt.timedelta(seconds=30)) == int(told_to_all)
    assert all("place" not in str(event.data) for event in Event.objects.all())


def test_drawing_rounds_publishes_an_event(ana: Player) -> None:
    league = world.found_league(ana, format="round_robin")
    for name in ("blas", "eva"):
        world.enter_league(league, world.account(name))
    draw_round_robin(league=league, by=ana, at=NOW)
    drawn = events_for(reader_of(league))[-1]
    assert drawn.kind == "league.round_drawn"
    assert (drawn.data["first"], drawn.data["last"]) == (1, 3)
    assert drawn.data["fixtures"] == Fixture.objects.count() == 3


def test_undoing_a_draw_publishes_an_event(ana: Player) -> None:
    league = world.found_league(ana, format="round_robin")
    for name in ("blas", "eva"):
        world.enter_league(league, world.account(name))
    draw_round_robin(league=league, by=ana, at=NOW)
    undraw(league=league, by=ana, at=NOW)
    gone = events_for(reader_of(league))[-1]
    assert gone.kind == "league.round_withdrawn"
    assert dict(gone.data) == {"first": 1, "last": 3}
    assert kinds[gone.kind].words(gone) == "The draw for rounds 1 to 3 has been undone"
    assert event_json(gone)["page"] == f"/leagues/{league.slug}/fixtures/"
    one = dataclasses.replace(gone, data={"first": 2, "last": 2})
    assert kinds[gone.kind].words(one) == "The draw for round 2 has been undone"


@pytest.fixture
def season() -> Any:
    circuits.found_all()
    return circuits.brief()


def test_run_of_a_season_publishes_one_event_for_each_corrida(season: Any) -> None:
    circuits.play_season(season)
    found = events_for(EventReader(scope="circuit", key=season.circuit_id))
    over = [one for one in found if one.kind in {"corrida.posted", "corrida.suspended"}]
    posted = Corrida.objects.over().filter(season=season)
    assert sorted(int(one.key) for one in over) == sorted(posted.values_list("pk", flat=True))
    assert "corrida.announced" in kinds_of(found)
    assert all(len(one.data["matadors"]) == 3 for one in over)
    given = [one for one in found if one.kind == "award.given"]
    assert given[-1].subject == f"season/{season.pk}"
    before = Event.objects.count()
    record_book.rebuild_record_book(season.circuit_id)  # a rebuild publishes no events
    assert Event.objects.count() == before
    for one in found:
        assert event_json(one)["page"].startswith("/")


def test_broadcast_publishes_only_its_beginning(season: Any) -> None:
    Circuit.objects.filter(pk=season.circuit_id).update(public=True)
    key = circuits.queue_all(season)[0]
    began = timezone.now()
    Event.objects.all().delete()
    assert play_on_air(key, at=began)
    found = events_for()
    assert kinds_of(found) == ["corrida.on_air"]
    assert set(found[0].data) == {"date", "plaza", "place", "city", "matadors"}
    assert post_now(key, at=began + HOUR)
    after = events_for()[1]
    assert after.kind in {"corrida.posted", "corrida.suspended"}
    assert "ears" in after.data


def test_every_kind_of_event_has_a_sentence_in_both_languages(
    client: Client, ana: Player, season: Any
) -> None:
    circuits.play_season(season)
    Circuit.objects.filter(pk=season.circuit_id).update(public=True)
    world.found_league(ana, visibility="public")
    publish(at=timezone.now())
    for language in ("en", "es"):
        answer = client.get("/sucesos/", headers={"Accept-Language": language})
        assert answer.status_code == 200
