"""Game tables of leagues and fixtures: rules, players and standings."""

import pytest

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.models import Fixture, League, Match, Place, Player, Result, Table
from leagues.tables.log import read_log
from leagues.tables.operations import lobby
from leagues.tables.permissions import may_see
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import NOW, everybody_has_seen, log_of, person, play_round, row

pytestmark = pytest.mark.django_db


def league_of(*names: str, **fields: object) -> tuple[League, list[Player]]:
    people = [world.account(name) for name in names]
    league = world.found_league(people[0], game=sticks.KEY, profile="short", **fields)
    for player in people[1:]:
        world.enter_league(league, player)
    return league, people


def test_table_of_a_league_uses_its_rules_and_counts_in_its_standings() -> None:
    league, (ana, beto) = league_of("ana", "beto")
    table = lobby.create_table(host=ana, at=NOW, league=league)
    assert (table.game, table.rules, table.rules_hash) == (
        league.game,
        league.rules,
        league.rules_hash,
    )
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    play_round(table, [ana, beto])
    everybody_has_seen(table)
    match = Match.objects.get()
    assert (match.league, row(table).match) == (league, match)
    assert Result.objects.get().league == league
    assert set(Place.objects.values_list("player", flat=True)) == {ana.pk, beto.pk}


def test_strangers_and_bots_cannot_play_at_a_table_of_a_league() -> None:
    league, (ana, _) = league_of("ana", "beto")
    stranger = person()
    with pytest.raises(NotAllowed, match="Only players in this league"):
        lobby.create_table(host=stranger, at=NOW, league=league)
    with pytest.raises(OperationError, match="Bots can’t play in a league"):
        lobby.create_table(host=ana, at=NOW, league=league, bots={1: "quick"})
    table = lobby.create_table(host=ana, at=NOW, league=league)
    with pytest.raises(NotAllowed, match="players in the league"):
        lobby.sit_down(table_id=table.pk, player=stranger, at=NOW, invited=True)
    with pytest.raises(OperationError, match="Bots can’t play in a league"):
        lobby.seat_bot(table_id=table.pk, player=ana, bot="quick", seat=1, at=NOW)


def test_table_of_a_fixture_is_only_for_its_players_in_the_drawn_seats() -> None:
    league, people = league_of("ana", "beto", "carla", format=League.Format.ROUND_ROBIN)
    draw_round_robin(league=league, by=people[0], at=NOW)
    fixture = Fixture.objects.order_by("pk")[0]
    named = [seat.player for seat in fixture.seats.order_by("number")]
    (other,) = [player for player in people if player not in named]
    with pytest.raises(
        NotAllowed, match="Only the players in this fixture can take a seat at this table"
    ):
        lobby.create_table(host=other, at=NOW, fixture=fixture)
    table = lobby.create_table(host=named[1], at=NOW, fixture=fixture)
    assert log_of(table).seat_of(named[1]) == 1, "the seat that the fixture gives"
    with pytest.raises(OperationError, match="This fixture already has a table"):
        lobby.create_table(host=named[0], at=NOW, fixture=fixture)
    with pytest.raises(NotAllowed):
        lobby.sit_down(table_id=table.pk, player=other, at=NOW)
    assert lobby.sit_down(table_id=table.pk, player=named[0], at=NOW, seat=1) == 0
    lobby.begin_table(table_id=table.pk, player=named[1], at=NOW)
    play_round(table, named)
    with pytest.raises(OperationError, match="This fixture already has a table"):
        lobby.create_table(host=named[0], at=NOW, fixture=fixture)
    everybody_has_seen(table)
    fixture.refresh_from_db()
    assert (fixture.state, fixture.match) == (Fixture.State.PLAYED, row(table).match)
    with pytest.raises(OperationError, match="This fixture can no longer be played"):
        lobby.create_table(host=named[0], at=NOW, fixture=fixture)


@pytest.mark.parametrize(
    ("visibility", "linked", "expected"),
    [
        (League.Visibility.PUBLIC, False, True),
        (League.Visibility.LINK, False, False),
        (League.Visibility.LINK, True, True),
        (League.Visibility.PRIVATE, True, False),
    ],
)
def test_table_of_a_league_is_visible_only_to_those_who_see_the_league(
    visibility: str, linked: bool, expected: bool
) -> None:
    league, (ana, beto, carla) = league_of("ana", "beto", "carla", visibility=visibility)
    table = lobby.create_table(host=ana, at=NOW, league=league)
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    log = read_log(table.pk)
    assert may_see(log, person(), linked=linked) is expected
    assert may_see(log, None, linked=linked) is expected
    assert may_see(log, carla, linked=False), "who is in the league"
    Table.objects.update(watch=Table.Watch.NOBODY)
    assert not may_see(read_log(table.pk), carla, linked=True)
    assert may_see(read_log(table.pk), beto, linked=False), "who sits there"
