"""Protection of game tables against other people."""

import pytest

from leagues.exceptions import OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.members.operations.merging import check_mergeable
from leagues.models import Fixture, League, Table
from leagues.tables import broadcast
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.tables.operations.moves import rematch
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import NOW, SECOND, begun_table, open_table, person, play_round, row

pytestmark = pytest.mark.django_db


def finished_table(ana: object, beto: object) -> Table:
    people = [ana, beto]
    table = begun_table(people, "short")  # type: ignore[arg-type]
    play_round(table, people)  # type: ignore[arg-type]
    assert row(table).state == Table.State.OVER
    return table


def test_rematch_never_seats_players_at_another_table_of_the_host() -> None:
    """Formerly a request for a rematch could seat a player at another open table of the
    same rules.
    """
    ana, beto, carla = person("Ana"), person("Beto"), person("Carla")
    old = finished_table(ana, beto)
    other = open_table(ana, "short", seats=2, house=TableSettings(seating=Table.Seating.LINK))
    found = rematch(table_id=old.pk, player=beto, at=NOW + SECOND)
    assert found.pk != other.pk
    assert rematch(table_id=old.pk, player=ana, at=NOW + SECOND).pk == found.pk
    assert row(found).state == Table.State.PLAYING, "both are there"
    assert rematch(table_id=old.pk, player=beto, at=NOW + SECOND).pk == found.pk, "a late press"
    assert row(other).state == Table.State.OPEN
    lobby.sit_down(table_id=other.pk, player=carla, at=NOW, invited=True)


def test_rematch_closed_before_its_start_can_be_created_again() -> None:
    ana, beto = person("Ana"), person("Beto")
    old = finished_table(ana, beto)
    first = rematch(table_id=old.pk, player=beto, at=NOW)
    lobby.close_table(table_id=first.pk, player=beto, at=NOW)
    second = rematch(table_id=old.pk, player=ana, at=NOW)
    assert (second.state, second.host) == (Table.State.OPEN, ana)
    assert len({old.invitation, first.invitation, second.invitation}) == 3
    assert len(second.invitation) == 43


def test_stream_of_an_unwatchable_table_ends_when_the_game_starts() -> None:
    """Otherwise visitors who came to the lobby by the link could watch the match."""
    ana, beto = person("Ana"), person("Beto")
    table = begun_table([ana, beto], watch=Table.Watch.NOBODY, delay=0)
    play = broadcast.broadcast_of(table.pk, None, "en")
    assert play is not None
    before = len(play.moments)
    assert play.ended
    table_moves.make_move(table_id=table.pk, player=ana, seen=0, fields={"take": "1"}, at=NOW)
    after = broadcast.broadcast_of(table.pk, None, "en")
    own = broadcast.broadcast_of(table.pk, 1, "en")
    assert after is not None
    assert own is not None
    assert len(after.moments) == before, "not one move"
    assert len(own.moments) == before + 1
    assert not own.ended


@pytest.mark.parametrize("form", [League.Format.ROUND_ROBIN, League.Format.SWISS])
def test_league_with_a_draw_allows_tables_only_for_its_fixtures(form: str) -> None:
    """Otherwise two players could play any number of matches that all count."""
    people = [world.account(name) for name in ("ana", "beto")]
    league = world.found_league(people[0], game=sticks.KEY, profile="short", format=form)
    world.enter_league(league, people[1])
    with pytest.raises(
        OperationError,
        match=r"a draw decides who plays whom\. Open a table from one of the fixtures",
    ):
        lobby.create_table(host=people[0], at=NOW, league=league)
    if form == League.Format.ROUND_ROBIN:
        draw_round_robin(league=league, by=people[0], at=NOW)
        fixture = Fixture.objects.get()
        assert lobby.create_table(host=people[0], at=NOW, fixture=fixture).league == league


def test_players_at_one_table_cannot_be_merged_while_they_play() -> None:
    """A merge would give two seats to one person, and the match could not be recorded."""
    ana, gus, eva = world.account("ana"), person("Gus"), world.account("eva")
    table = begun_table([ana, gus, eva])
    with pytest.raises(
        OperationError, match="have played in the same match, so they must be two different people"
    ):
        check_mergeable(gus, eva)
    Table.objects.filter(pk=table.pk).update(state=Table.State.CLOSED)
    check_mergeable(gus, eva)
