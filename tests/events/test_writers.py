"""What circuits and leagues tell, when, and to whom."""

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
from events.queries import Reader, page_after
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


def tell(reader: Reader | None = None) -> list[PublicEvent]:
    publish(at=timezone.now() + dt.timedelta(days=9))
    return public_events(page_after(reader or Reader(), 0, 500).events)


def kinds_of(found: list[PublicEvent]) -> list[str]:
    return [one.kind for one in found]


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


def of(league: League) -> Reader:
    return Reader(scope="league", key=league.pk)


def test_a_league_from_its_opening_to_its_close(ana: Player) -> None:
    league, blas = world.found(ana), world.account("blas")
    world.enter(league, blas)
    match = world.played(league, [ana, blas], [10, 1])
    match = dispute_match(match=match, version=match.version, by=blas, at=NOW, reason="No")
    found = tell(of(league))
    assert kinds_of(found) == ["league.opened", "league.result", "league.result_withdrawn"]
    result = found[1]
    assert [(one["name"], one["place"], one["points"]) for one in result.data["places"]] == [
        ("ana", 1, 10), ("blas", 2, 1),
    ]  # fmt: skip
    assert event_json(result)["page"] == f"/matches/{match.pk}/?in={league.slug}"
    for one in found:
        assert event_json(one)["page"].startswith("/")


def test_closing_and_opening_again(ana: Player) -> None:
    league = world.found(ana)
    close_league(league=league, by=ana, at=NOW)
    reopen_league(league=league, by=ana, at=NOW)
    assert kinds_of(tell(of(league))) == ["league.opened", "league.closed", "league.opened"]


def test_a_name_is_the_one_of_today(ana: Player) -> None:
    league, blas = world.found(ana), world.account("blas")
    world.enter(league, blas)
    world.played(league, [ana, blas], [10, 1])
    Player.objects.filter(pk=blas.pk).update(name="somebody")
    names = [one["name"] for one in tell(of(league))[1].data["places"]]
    assert names == ["ana", "somebody"]
    assert "blas" not in str(list(Event.objects.values_list("data", flat=True)))


def test_only_public_leagues_are_told_to_everybody(ana: Player, client: Client) -> None:
    hidden = {visibility: world.found(ana, name=visibility, visibility=visibility)
              for visibility in ("public", "link", "private")}  # fmt: skip
    assert [one.league for one in tell()] == [hidden["public"].slug]
    for name, league in hidden.items():
        status = client.get("/api/v1/events/", {"league": league.slug}).status_code
        assert status == (404 if name == "private" else 200)
    assert ana.user is not None
    client.force_login(ana.user)
    assert client.get("/api/v1/events/", {"league": hidden["private"].slug}).status_code == 200


@pytest.mark.parametrize(
    ("watch", "told_to_all"), [("anybody", True), ("link", False), ("nobody", False)]
)
def test_the_end_of_a_table_is_told_when_its_watchers_see_it(
    ana: Player, watch: str, told_to_all: bool
) -> None:
    table = Table(pk=7, game="highest", watch=watch, delay=30, round=2)
    emit_table_over(table, at=NOW)
    assert publish(at=NOW + dt.timedelta(seconds=29)) == 0
    assert publish(at=NOW + dt.timedelta(seconds=30)) == int(told_to_all)
    assert all("place" not in str(event.data) for event in Event.objects.all())


def test_rounds_that_are_drawn(ana: Player) -> None:
    league = world.found(ana, format="round_robin")
    for name in ("blas", "eva"):
        world.enter(league, world.account(name))
    draw_round_robin(league=league, by=ana, at=NOW)
    drawn = tell(of(league))[-1]
    assert drawn.kind == "league.round_drawn"
    assert (drawn.data["first"], drawn.data["last"]) == (1, 3)
    assert drawn.data["fixtures"] == Fixture.objects.count() == 3


def test_a_draw_that_is_taken_back(ana: Player) -> None:
    league = world.found(ana, format="round_robin")
    for name in ("blas", "eva"):
        world.enter(league, world.account(name))
    draw_round_robin(league=league, by=ana, at=NOW)
    undraw(league=league, by=ana, at=NOW)
    gone = tell(of(league))[-1]
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


def test_a_season_run_on_tells_each_corrida_once_when_it_is_posted(season: Any) -> None:
    circuits.play_season(season)
    found = tell(Reader(scope="circuit", key=season.circuit_id))
    over = [one for one in found if one.kind in {"corrida.posted", "corrida.suspended"}]
    posted = Corrida.objects.over().filter(season=season)
    assert sorted(int(one.key) for one in over) == sorted(posted.values_list("pk", flat=True))
    assert "corrida.announced" in kinds_of(found)
    assert all(len(one.data["matadors"]) == 3 for one in over)
    given = [one for one in found if one.kind == "award.given"]
    assert given[-1].subject == f"season/{season.pk}"
    before = Event.objects.count()
    record_book.rebuild_record_book(
        season.circuit_id
    )  # what is derived anew has not happened again
    assert Event.objects.count() == before
    for one in found:
        assert event_json(one)["page"].startswith("/")


def test_on_air_only_the_beginning_is_told(season: Any) -> None:
    Circuit.objects.filter(pk=season.circuit_id).update(public=True)
    key = circuits.queue_all(season)[0]
    began = timezone.now()
    Event.objects.all().delete()
    assert play_on_air(key, at=began)
    found = tell()
    assert kinds_of(found) == ["corrida.on_air"]
    assert set(found[0].data) == {"date", "plaza", "place", "city", "matadors"}
    assert post_now(key, at=began + HOUR)
    after = tell()[1]
    assert after.kind in {"corrida.posted", "corrida.suspended"}
    assert "ears" in after.data


def test_every_kind_can_be_said_in_words(client: Client, ana: Player, season: Any) -> None:
    circuits.play_season(season)
    Circuit.objects.filter(pk=season.circuit_id).update(public=True)
    world.found(ana, visibility="public")
    publish(at=timezone.now())
    for language in ("en", "es"):
        answer = client.get("/sucesos/", headers={"Accept-Language": language})
        assert answer.status_code == 200
