"""Moves at a game table: made once, by the player in turn, within the rules, or rejected with a
message.
"""

import pytest

from leagues.exceptions import NotAllowed, OperationError
from leagues.models import Table, TableMoment, TableMove
from leagues.tables.operations.lobby import IllegalMove, StaleTable
from tests.leagues.tables.room import NOW, SECOND, begun_table, log_of, person, row, take_sticks

pytestmark = pytest.mark.django_db


def counts() -> tuple[int, int]:
    return TableMove.objects.count(), TableMoment.objects.count()


def test_move_stores_a_moment_and_starts_the_clock_of_the_next_seat() -> None:
    ana, beto = person("Ana"), person("Beto")
    table = begun_table([ana, beto], allowance=30)
    answer = take_sticks(table, ana, 2, at=NOW + SECOND)
    assert (answer.moves_made, answer.again, answer.bot) == (1, False, None)
    move = TableMove.objects.get()
    assert (move.number, move.round, move.seat, move.text, move.bot) == (1, 1, 0, "2", "")
    found = row(table)
    assert (found.turn, found.moves_made) == (1, 1)
    assert found.deadline == NOW + 31 * SECOND
    moment = TableMoment.objects.latest("number")
    assert (moment.number, moment.event, moment.moves) == (found.changes, "moved", 1)


def test_repeated_move_is_answered_as_already_made() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    take_sticks(table, ana, 2, seen=0)
    before = counts()
    again = take_sticks(table, ana, 2, seen=0)
    assert (again.moves_made, again.again) == (1, True)
    take_sticks(table, beto, 1, seen=1)
    assert take_sticks(table, ana, 2, seen=0).again, "also when the game has gone on"
    assert counts() == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize("sticks", [1, 3])
def test_different_move_based_on_an_old_position_is_rejected(sticks: int) -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    take_sticks(table, ana, 2, seen=0)
    before = counts()
    with pytest.raises(
        StaleTable,
        match=r"The table has changed since you opened the page\. You now see its current state",
    ):
        take_sticks(table, ana, sticks, seen=0)
    with pytest.raises(StaleTable):
        take_sticks(table, beto, 2, seen=0)
    with pytest.raises(StaleTable):
        take_sticks(table, beto, 1, seen=7)
    with pytest.raises(StaleTable):
        take_sticks(table, beto, 1, seen=-1)
    assert counts() == before


def test_move_out_of_turn_is_rejected_with_the_name_of_the_next_player() -> None:
    ana, beto = person("Ana"), person("Beto")
    table = begun_table([ana, beto])
    with pytest.raises(OperationError, match="not your turn: Ana plays next"):
        take_sticks(table, beto)
    assert counts()[0] == 0


@pytest.mark.parametrize("sticks", [0, 4, -1, "all", ""])
def test_illegal_move_is_rejected_with_its_ruling(sticks: int | str) -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    before = row(table).changes
    with pytest.raises(IllegalMove) as refused:
        take_sticks(table, ana, sticks)
    assert refused.value.ruling == ("S-2" if sticks != "" else "")
    assert refused.value.field == "move"
    assert (counts()[0], row(table).changes) == (0, before)


def test_player_without_a_seat_cannot_move() -> None:
    ana, beto, carla = person(), person(), person()
    table = begun_table([ana, beto])
    with pytest.raises(NotAllowed, match="You don’t have a seat at this table"):
        take_sticks(table, carla)
    begun_table([carla, beto])
    with pytest.raises(NotAllowed):
        take_sticks(table, carla)


def test_moves_are_rejected_before_the_start_between_rounds_and_after_the_end() -> None:
    from tests.leagues.tables.room import open_table, play_round

    ana, beto = person(), person()
    with pytest.raises(OperationError, match="No move can be made at this table right now"):
        take_sticks(open_table(ana), ana)
    table = begun_table([ana, beto])
    play_round(table, [ana, beto])
    with pytest.raises(OperationError, match="No move can be made at this table right now"):
        take_sticks(table, ana)
    short = begun_table([ana, beto], "short")
    play_round(short, [ana, beto])
    assert row(short).state == Table.State.OVER
    with pytest.raises(OperationError, match="No move can be made at this table right now"):
        take_sticks(short, ana)


def test_move_at_an_unknown_table_is_rejected() -> None:
    with pytest.raises(OperationError, match="This table does not exist"):
        take_sticks(Table(pk=77), person(), seen=0)


def test_stored_moves_restore_every_earlier_position() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    pile = log_of(table).position(log_of(table).moments[-1])
    assert pile.made == 0
    for number in range(1, 4):
        take_sticks(table, [ana, beto][pile.turn or 0], 1)
        log = log_of(table)
        pile = log.position(log.moments[-1])
        assert (pile.made, pile.turn) == (number, row(table).turn)
        assert log.position(log.moments[-2]).made == number - 1, "earlier moments stay"
