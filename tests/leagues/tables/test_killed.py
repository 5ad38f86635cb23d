"""A process killed before any of its statements leaves a game table that can be played further."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairness import Seed
from leagues.models import Match, Player, Table, TableMove, TableRound
from leagues.tables import actas as table_actas
from leagues.tables import automation
from leagues.tables.automation import CLAIM_TIME, LOST_AFTER
from tests.databases import Postgres, copy_of, name_of, opened
from tests.leagues.tables.room import (
    NOW,
    SECOND,
    begun_table,
    bot_turn,
    log_of,
    open_table,
    person,
    row,
    take_sticks,
)
from tests.scratch import dies_before, left_in

Copies = Callable[[], str]
LATE = NOW + 60 * SECOND


def the_table() -> Table:
    return Table.objects.get()


def people() -> list[Player]:
    return [seat.player for seat in the_table().seats.order_by("number") if seat.player]


def rows_left() -> int:
    log = log_of(the_table())
    found: int = log.position(log.moments[-1]).left  # type: ignore[attr-defined]
    return found


def last_move_to_come() -> None:
    """Play a match up to its last move."""
    begun_table([person(), person()], "short", delay=0)
    while rows_left() > 3:
        take_sticks(the_table(), people()[row(the_table()).turn or 0], 1)


def move_last() -> object:
    table = the_table()
    turn = table.turn
    if turn is None:  # the move has already been made
        return None
    return take_sticks(table, people()[turn], rows_left(), at=LATE)


def check_last(url: str) -> str:
    with opened(url):
        before = the_table().state
        assert (Match.objects.count() == 1) == (before == "over")
        move_last()
        assert (the_table().state, Match.objects.count()) == ("over", 1)
        assert TableRound.objects.count() == 1
        check_log()
    return before


def bots_turn() -> None:
    open_table(person(), "long", bots={0: "quick"})


def bot_moves() -> object:
    turn = bot_turn(the_table())
    return automation.play_bot_move(turn.table, 0, clock=lambda: NOW + 2 * SECOND, fresh=Seed.fresh)


def check_bot(url: str) -> str:
    """Check that a later sweep makes the bot's move if the killed process has not."""
    with opened(url):
        made = TableMove.objects.count()
        found = automation.sweep_due_tables(
            at=NOW + 2 * SECOND + CLAIM_TIME + LOST_AFTER, fresh=Seed.fresh
        )
        assert [turn.moves_made for turn in found] == ([] if made else [0])
        late = NOW + 60 * SECOND
        for turn in found:
            assert automation.play_bot_move(turn.table, 0, clock=lambda: late, fresh=Seed.fresh)
        assert TableMove.objects.count() == 1
        check_log()
    return "made" if made else "not made"


def between_rounds() -> None:
    begun_table([person(), person()], "long")
    while the_table().turn is not None:
        take_sticks(the_table(), people()[the_table().turn or 0], min(3, rows_left()))


def deal() -> object:
    return automation.sweep_due_tables(at=LATE, fresh=Seed.fresh)


def check_deal(url: str) -> str:
    with opened(url):
        before = the_table().round
        deal()
        assert the_table().round == 2
        assert TableRound.objects.count() == 2
        check_log()
    return f"{before} dealt"


def check_log() -> None:
    table, log = the_table(), log_of(the_table())
    position = log.position(log.moments[-1])
    assert (position.turn, list(position.points)) == (table.turn, table.points)
    for number in range(1, table.round + 1):
        assert list(table_actas.verify_round(log, number)) == []


CASES = pytest.mark.parametrize(
    ("prepare", "work", "check", "left_behind"),
    [
        pytest.param(last_move_to_come, move_last, check_last, {"playing", "over"}, id="move"),
        pytest.param(bots_turn, bot_moves, check_bot, {"not made", "made"}, id="bot"),
        pytest.param(between_rounds, deal, check_deal, {"1 dealt", "2 dealt"}, id="deal"),
    ],
)


def kills(prepared: Callable[[], str], work: Callable[[], object], step: int) -> Iterator[str]:
    """Yield the database after a kill before each statement, and last after complete work."""
    statement = 1
    while dies_before(url := prepared(), statement, work):
        yield url
        statement += step
    assert statement > 8, "the work is longer than that"
    yield url


@pytest.mark.slow
@pytest.mark.usefixtures("valkey")
@CASES
def test_table_stays_playable_after_a_kill_before_any_statement(
    copies: Copies,
    prepare: Callable[[], None],
    work: Callable[[], object],
    check: Callable[[str], str],
    left_behind: set[str],
) -> None:
    source = copies()
    with opened(source):
        prepare()
    file = Path(source.removeprefix("sqlite:///"))
    made = iter(range(10**6))
    found: dict[str, str] = {}
    for url in kills(lambda: copy_of(file, file.with_suffix(f".{next(made)}")), work, step=1):
        rows = left_in(url)
        if rows not in found:  # most kills leave the same rows as the kill before
            found[rows] = check(url)
    assert set(found.values()) == left_behind


@pytest.mark.usefixtures("valkey")
@CASES
def test_table_stays_playable_after_a_kill_before_every_fifth_statement_on_postgresql(
    postgres: Postgres,
    unblocked: None,
    prepare: Callable[[], None],
    work: Callable[[], object],
    check: Callable[[str], str],
    left_behind: set[str],
) -> None:
    source = postgres.copy("migrated")
    with opened(source):
        prepare()
    found = {check(url) for url in kills(lambda: postgres.copy(name_of(source)), work, step=5)}
    assert found == left_behind
