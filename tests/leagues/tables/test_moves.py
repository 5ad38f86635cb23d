"""A move is made once, by whose turn it is, as the rules allow, or refused in a sentence."""

import pytest

from leagues.exceptions import NotAllowed, OperationError
from leagues.models import Table, TableMoment, TableMove
from leagues.tables.operations.lobby import IllegalMove, StaleTable
from tests.leagues.tables.room import NOW, SECOND, begun_table, log_of, person, row, take_sticks

pytestmark = pytest.mark.django_db


def counts() -> tuple[int, int]:
    return TableMove.objects.count(), TableMoment.objects.count()


def test_a_move_is_stored_with_its_moment_and_the_next_seats_clock() -> None:
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


def test_the_same_move_again_is_answered_as_made_already() -> None:
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
def test_another_move_by_who_saw_less_is_stale(sticks: int) -> None:
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


def test_out_of_turn_is_refused_and_says_whose_turn_it_is() -> None:
    ana, beto = person("Ana"), person("Beto")
    table = begun_table([ana, beto])
    with pytest.raises(OperationError, match="not your turn: Ana plays next"):
        take_sticks(table, beto)
    assert counts()[0] == 0


@pytest.mark.parametrize("sticks", [0, 4, -1, "all", ""])
def test_an_illegal_move_is_refused_with_its_ruling(sticks: int | str) -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    before = row(table).changes
    with pytest.raises(IllegalMove) as refused:
        take_sticks(table, ana, sticks)
    assert refused.value.ruling == ("S-2" if sticks != "" else "")
    assert refused.value.field == "move"
    assert (counts()[0], row(table).changes) == (0, before)


def test_who_sits_elsewhere_moves_nothing() -> None:
    ana, beto, carla = person(), person(), person()
    table = begun_table([ana, beto])
    with pytest.raises(NotAllowed, match="You don’t have a seat at this table"):
        take_sticks(table, carla)
    begun_table([carla, beto])
    with pytest.raises(NotAllowed):
        take_sticks(table, carla)


def test_nothing_is_moved_before_the_play_between_rounds_and_after_it() -> None:
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


def test_a_table_that_is_not_there_is_refused() -> None:
    with pytest.raises(OperationError, match="This table does not exist"):
        take_sticks(Table(pk=77), person(), seen=0)


def test_rows_restore_the_position_move_by_move() -> None:
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
