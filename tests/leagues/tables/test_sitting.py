"""Before the game: creating a table, taking and leaving seats, adding bots and starting."""

from typing import Any

import pytest

from leagues.exceptions import NotAllowed, OperationError
from leagues.models import Table, TableSeat
from leagues.tables import permissions as table_permissions
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from tests.leagues.tables.room import NOW, begun_table, log_of, open_table, person, row

pytestmark = pytest.mark.django_db


def test_new_table_seats_its_host_and_has_an_invitation() -> None:
    ana = person()
    table = open_table(ana, seats=3)
    assert log_of(table).seat_of(ana) == 0
    assert len(table.invitation) == 43
    assert (row(table).state, row(table).points) == ("open", [0, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "field", "word"),
    [
        ({"game": "chess"}, "game", "This game does not exist."),
        (
            {"profile": "unheard of"},
            "profile",
            "No set of rules has this name. Choose another one.",
        ),
        ({"profile": "own", "options": {"target": 0}}, "target", "from 1 to 99"),
        ({"seats": 5}, "seats", "not allow this number of players: 5"),
        ({"seats": 1}, "seats", "not allow this number of players: 1"),
        ({"bots": {1: "unheard of"}}, "bots", "does not exist"),
        ({"bots": {2: "quick"}}, "bots", "This bot or seat does not exist."),
        ({"house": TableSettings(allowance=4)}, "allowance", "5 to 900 seconds"),
        ({"house": TableSettings(pace=Table.Pace.DAYS, allowance=15)}, "allowance", "1 to 14 days"),
        (
            {"house": TableSettings(delay=-1)},
            "delay",
            "The delay for spectators must be between 0 and 3,600 seconds.",
        ),
    ],
)
def test_table_with_invalid_settings_is_rejected(
    arguments: dict[str, Any], field: str, word: str
) -> None:
    asked = {"host": person(), "at": NOW, "game": "sticks", "profile": "usual", **arguments}
    with pytest.raises(OperationError, match=word) as refused:
        lobby.create_table(**asked)
    assert refused.value.field == field
    assert Table.objects.count() == 0


def test_table_can_have_custom_rules() -> None:
    table = open_table(person(), "own", options={"target": 7})
    assert (table.profile, table.rules) == ("own", {"target": 7, "threes": False})
    assert len(table.rules_hash) == 64


def test_player_takes_only_one_seat_and_can_leave_it() -> None:
    ana, beto = person(), person()
    table = open_table(ana, seats=3)
    assert lobby.sit_down(table_id=table.pk, player=beto, at=NOW, seat=2) == 2
    before = row(table).changes
    assert lobby.sit_down(table_id=table.pk, player=beto, at=NOW, seat=1) == 2
    assert row(table).changes == before, "asked twice, took a seat once"
    lobby.stand_up(table_id=table.pk, player=beto, at=NOW)
    assert log_of(table).seat_of(beto) is None
    with pytest.raises(NotAllowed):
        lobby.stand_up(table_id=table.pk, player=beto, at=NOW)


def test_taken_seats_and_full_tables_reject_players() -> None:
    table = open_table(person(), seats=2)
    with pytest.raises(OperationError, match="This seat is already taken"):
        lobby.sit_down(table_id=table.pk, player=person(), at=NOW, seat=0)
    with pytest.raises(OperationError, match="This seat is already taken"):
        lobby.sit_down(table_id=table.pk, player=person(), at=NOW, seat=9)
    lobby.sit_down(table_id=table.pk, player=person(), at=NOW)
    with pytest.raises(OperationError, match="All seats are taken"):
        lobby.sit_down(table_id=table.pk, player=person(), at=NOW)


def test_table_by_link_accepts_only_people_with_the_link() -> None:
    table = open_table(person(), house=TableSettings(seating=Table.Seating.LINK))
    beto = person()
    with pytest.raises(NotAllowed, match="people with the link"):
        lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    session: dict[str, Any] = {}
    assert not table_permissions.follow_link(session, table, "")
    assert not table_permissions.follow_link(session, table, "guessed")
    assert not table_permissions.has_link(session, table)
    assert table_permissions.follow_link(session, table, table.invitation)
    assert table_permissions.has_link(session, table)
    assert lobby.sit_down(table_id=table.pk, player=beto, at=NOW, invited=True) == 1


def test_only_the_host_can_add_and_remove_bots() -> None:
    ana, beto = person(), person()
    table = open_table(ana, seats=3)
    with pytest.raises(NotAllowed):
        lobby.seat_bot(table_id=table.pk, player=beto, bot="quick", seat=1, at=NOW)
    with pytest.raises(OperationError, match="does not exist"):
        lobby.seat_bot(table_id=table.pk, player=ana, bot="slow", seat=1, at=NOW)
    lobby.seat_bot(table_id=table.pk, player=ana, bot="quick", seat=1, at=NOW)
    with pytest.raises(OperationError, match="This seat is already taken"):
        lobby.seat_bot(table_id=table.pk, player=ana, bot="quick", seat=1, at=NOW)
    lobby.free_seat(table_id=table.pk, player=ana, seat=1, at=NOW)
    lobby.free_seat(table_id=table.pk, player=ana, seat=1, at=NOW)
    assert not TableSeat.objects.exclude(bot="").exists()
    with pytest.raises(OperationError, match="seat does not exist"):
        lobby.free_seat(table_id=table.pk, player=ana, seat=-1, at=NOW)


def test_host_can_start_the_game_only_when_all_seats_are_taken() -> None:
    ana, beto = person(), person()
    table = open_table(ana)
    with pytest.raises(OperationError, match="still empty"):
        lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    with pytest.raises(NotAllowed):
        lobby.begin_table(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    changes = row(table).changes
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    assert (row(table).state, row(table).changes) == ("playing", changes)


def test_table_needs_at_least_one_person_beside_bots() -> None:
    ana = person()
    with pytest.raises(OperationError, match="on their own"):
        open_table(ana, bots={0: "quick", 1: "quick"})
    table = open_table(ana, bots={1: "quick"}, seats=3)
    lobby.stand_up(table_id=table.pk, player=ana, at=NOW)
    for seat in (0, 2):
        lobby.seat_bot(table_id=table.pk, player=ana, bot="quick", seat=seat, at=NOW)
    with pytest.raises(OperationError, match="on their own"):
        lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    assert row(table).state == "open"


def test_seats_cannot_change_after_the_start() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    for refused in (
        lambda: lobby.sit_down(table_id=table.pk, player=person(), at=NOW),
        lambda: lobby.stand_up(table_id=table.pk, player=beto, at=NOW),
        lambda: lobby.free_seat(table_id=table.pk, player=ana, seat=1, at=NOW),
        lambda: lobby.close_table(table_id=table.pk, player=ana, at=NOW),
    ):
        with pytest.raises(OperationError, match="The match at this table has already started"):
            refused()


def test_host_can_close_a_table_before_the_start() -> None:
    ana = person()
    table = open_table(ana)
    with pytest.raises(NotAllowed):
        lobby.close_table(table_id=table.pk, player=person(), at=NOW)
    lobby.close_table(table_id=table.pk, player=ana, at=NOW)
    lobby.close_table(table_id=table.pk, player=ana, at=NOW)
    assert row(table).state == "closed"


def test_host_can_have_at_most_twenty_tables() -> None:
    ana = person()
    for _ in range(20):
        open_table(ana)
    with pytest.raises(OperationError, match="20 tables"):
        open_table(ana)


def test_merged_player_has_the_seat_of_the_former_name() -> None:
    ana, beto, anna = person("Ana"), person("Beto"), person("Anna")
    table = begun_table([ana, beto])
    ana.merged_into = anna
    ana.save()
    from leagues.tables.log import read_log

    assert read_log(table.pk).seat_of(anna) == 0
    table_moves.leave_game(table_id=table.pk, player=anna, at=NOW)
    assert [chair.stand_in for chair in log_of(table).chairs] == [True, False]
