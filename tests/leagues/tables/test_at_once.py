"""Concurrent requests at a game table, on SQLite and PostgreSQL.

One move is made, and every request gets a clear response.
"""

from collections.abc import Callable

import pytest

from fairness import Seed
from leagues.exceptions import OperationError
from leagues.fixtures.operations import draw_next_swiss, draw_round_robin
from leagues.fixtures.opponents import swap_players
from leagues.models import League, Match, Player, Table, TableMoment, TableMove, TableRound
from leagues.tables import automation
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import StaleTable
from leagues.tables.play import MoveResult
from tests.databases import opened
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import (
    NOW,
    SECOND,
    begun_table,
    bot_turn,
    everybody_has_seen,
    log_of,
    open_table,
    pair,
    person,
    play_round,
    row,
    take_sticks,
)
from tests.scratch import at_once

pytestmark = pytest.mark.usefixtures("valkey")


def prepared(url: str, profile: str = "long", **house: object) -> tuple[Table, Player, Player]:
    with opened(url):
        return pair(profile, **house)


def audited(url: str, table: Table, moves: int) -> None:
    """Check that moves and moments have consecutive numbers and that the rows form a valid game."""
    with opened(url):
        found = row(table)
        numbers = TableMove.objects.filter(table=table).values_list("number", flat=True)
        assert list(numbers) == list(range(1, moves + 1))
        assert found.moves_made == moves
        moments = TableMoment.objects.filter(table=table).values_list("number", flat=True)
        assert list(moments) == list(range(1, found.changes + 1))
        position = log_of(table).position(log_of(table).moments[-1])
        assert position.turn == found.turn
        assert list(position.points) == found.points


def test_move_sent_several_times_at_once_is_made_once(shared: str) -> None:
    table, ana, _ = prepared(shared)

    def click() -> MoveResult:
        return take_sticks(table, ana, 2, seen=0)

    came = at_once(shared, *[click] * 6)
    assert [answer.moves_made for answer in came] == [1] * 6
    assert sorted(answer.again for answer in came) == [False] + [True] * 5
    audited(shared, table, 1)


@pytest.mark.slow
def test_only_one_of_several_concurrent_moves_of_one_seat_is_made(shared: str) -> None:
    table, ana, _ = prepared(shared)
    came = at_once(
        shared,
        lambda: take_sticks(table, ana, 1, seen=0),
        lambda: take_sticks(table, ana, 2, seen=0),
        lambda: take_sticks(table, ana, 3, seen=0),
    )
    assert sorted(type(answer).__name__ for answer in came) == [
        "MoveResult",
        "StaleTable",
        "StaleTable",
    ]
    audited(shared, table, 1)


def test_concurrent_moves_of_two_seats_make_only_the_move_of_the_seat_in_turn(shared: str) -> None:
    """The other player gets an error that the table has changed or that it is not their turn."""
    table, ana, beto = prepared(shared)
    hers, his = at_once(
        shared,
        lambda: take_sticks(table, ana, 1, seen=0),
        lambda: take_sticks(table, beto, 1, seen=0),
    )
    assert (hers.moves_made, hers.again) == (1, False)
    assert isinstance(his, StaleTable) or "not your turn" in str(his)
    audited(shared, table, 1)


@pytest.mark.slow
def test_repeated_old_move_request_changes_nothing(shared: str) -> None:
    table, ana, beto = prepared(shared)
    with opened(shared):
        take_sticks(table, ana, 2, seen=0)
        take_sticks(table, beto, 1, seen=1)
    came = at_once(shared, *[lambda: take_sticks(table, ana, 2, seen=0)] * 3)
    assert [(answer.moves_made, answer.again) for answer in came] == [(1, True)] * 3
    audited(shared, table, 2)


@pytest.mark.slow
def test_concurrent_games_at_several_tables_do_not_disturb_each_other(shared: str) -> None:
    rooms = [prepared(shared) for _ in range(4)]

    def player(table: Table, ana: Player, beto: Player) -> Callable[[], None]:
        def play() -> None:
            for number in range(6):
                turn = row(table).turn
                if turn is None:
                    break
                take_sticks(table, [ana, beto][turn], 1, seen=number)

        return play

    assert at_once(shared, *(player(*room) for room in rooms)) == [None] * 4
    for table, _, _ in rooms:
        with opened(shared):
            made = row(table).moves_made
        assert made >= 4
        audited(shared, table, made)


@pytest.mark.slow
def test_last_move_sent_several_times_at_once_creates_one_match(shared: str) -> None:
    table, ana, beto = prepared(shared, "short", delay=0)
    with opened(shared):
        while (left := _sticks_left(table)) > 3:
            take_sticks(table, [ana, beto][row(table).turn or 0], 1)
        seen, turn = row(table).moves_made, row(table).turn or 0
    came = at_once(shared, *[lambda: take_sticks(table, [ana, beto][turn], left, seen=seen)] * 4)
    assert sorted(answer.again for answer in came) == [False, True, True, True]
    with opened(shared):
        assert Match.objects.count() == 1
        assert row(table).state == Table.State.OVER
    audited(shared, table, seen + 1)


@pytest.mark.slow
def test_concurrent_sweeps_record_a_finished_match_once(shared: str) -> None:
    table, ana, beto = prepared(shared, "short")
    with opened(shared):
        play_round(table, [ana, beto])
        moves = row(table).moves_made
    at_once(shared, *[lambda: everybody_has_seen(table)] * 4)
    with opened(shared):
        assert Match.objects.count() == 1
        assert row(table).counts_at is None
    audited(shared, table, moves)


@pytest.mark.slow
def test_concurrent_requests_create_one_table_for_a_fixture(shared: str) -> None:
    with opened(shared):
        people = [world.account(name) for name in ("ana", "beto", "carla")]
        league = world.found_league(
            people[0], game=sticks.KEY, profile="short", format=League.Format.ROUND_ROBIN
        )
        for player in people[1:]:
            world.enter_league(league, player)
        draw_round_robin(league=league, by=people[0], at=NOW)
        fixture = world.first_fixture(league)
        players = world.seated(fixture)

    def lay(host: Player) -> Table:
        return lobby.create_table(host=host, at=NOW, fixture=fixture)

    came = at_once(
        shared, lambda: lay(players[0]), lambda: lay(players[1]), reading='FROM "leagues_table"'
    )
    assert sorted(type(answer).__name__ for answer in came) == ["OperationError", "Table"], came


@pytest.mark.slow
def test_concurrent_requests_create_no_more_tables_than_allowed(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MAX_HOSTED_TABLES", 1)
    with opened(shared):
        ana = person("Ana")
    came = at_once(
        shared,
        lambda: open_table(ana),
        lambda: open_table(ana),
        reading='COUNT.* FROM "leagues_table"',
    )
    assert sorted(type(answer).__name__ for answer in came) == ["OperationError", "Table"], came


def _sticks_left(table: Table) -> int:
    left: int = log_of(table).position(log_of(table).moments[-1]).left  # type: ignore[attr-defined]
    return left


@pytest.mark.slow
def test_only_one_of_several_workers_makes_the_move_of_a_bot(shared: str) -> None:
    with opened(shared):
        table = open_table(person(), "long", bots={0: "quick"})
        turn = bot_turn(table)

    def work() -> MoveResult | None:
        return automation.play_bot_move(turn.table, 0, clock=lambda: turn.due, fresh=Seed.fresh)

    came = at_once(shared, work, work, work)
    assert sorted(answer is None for answer in came) == [False, True, True]
    audited(shared, table, 1)


def test_either_a_player_or_the_substitute_bot_makes_a_move_but_not_both(shared: str) -> None:
    table, ana, _ = prepared(shared)
    with opened(shared):
        table_moves.leave_game(table_id=table.pk, player=ana, at=NOW)
        turn = bot_turn(table)
    came = at_once(
        shared,
        lambda: take_sticks(table, ana, 1, seen=0),
        lambda: automation.play_bot_move(turn.table, 0, clock=lambda: turn.due, fresh=Seed.fresh),
    )
    made = [answer for answer in came if isinstance(answer, MoveResult)]
    assert len(made) == 1, came
    audited(shared, table, 1)


@pytest.mark.slow
def test_concurrent_sweeps_and_a_ready_player_deal_the_next_round_once(shared: str) -> None:
    table, ana, beto = prepared(shared)
    with opened(shared):
        play_round(table, [ana, beto])
        table_moves.say_ready(table_id=table.pk, player=ana, at=NOW)
        made = row(table).moves_made
    late = NOW + 20 * SECOND

    def sweep() -> object:
        return automation.sweep_due_tables(at=late, fresh=Seed.fresh)

    at_once(
        shared,
        sweep,
        sweep,
        lambda: table_moves.say_ready(table_id=table.pk, player=beto, at=late),
    )
    with opened(shared):
        assert row(table).round == 2
        assert TableRound.objects.filter(begun_at=None).count() == 0
        assert TableMoment.objects.filter(table=table, event="dealt").count() == 2
    audited(shared, table, made)


def test_only_one_of_two_concurrent_players_gets_the_last_seat(shared: str) -> None:
    with opened(shared):
        table, one, other = open_table(person()), person(), person()

    def sit(player: Player) -> Callable[[], int]:
        return lambda: lobby.sit_down(table_id=table.pk, player=player, at=NOW)

    came = at_once(shared, sit(one), sit(other), sit(one))
    assert sum(answer == 1 for answer in came) in {1, 2}
    refused = [answer for answer in came if answer != 1]
    assert all("taken" in str(answer) for answer in refused)
    with opened(shared):
        assert row(table).changes == 2


@pytest.mark.slow
def test_table_for_a_fixture_is_created_while_its_players_are_swapped(shared: str) -> None:
    with opened(shared):
        office, *people = map(world.account, ("swissoffice", "pa", "pe", "pi", "po"))
        league = world.found_league(
            office, game=sticks.KEY, profile="short", format="swiss", plays=False
        )
        for player in people:
            world.enter_league(league, player)
        drawn = draw_next_swiss(league=league, by=office, at=NOW)
        fixtures = drawn.fixtures.select_related("round__league").order_by("number")
        first, second = fixtures
        host, other = world.seated(first)[0], world.seated(second)[0]
    came = at_once(
        shared,
        lambda: lobby.create_table(host=host, at=NOW, fixture=first),
        lambda: swap_players(fixture=first, player=host, other=other, by=office, at=NOW),
        reading='FROM "leagues_table"',
    )
    refused = [answer for answer in came if isinstance(answer, Exception)]
    assert [isinstance(error, OperationError) for error in refused] == [True], came
    with opened(shared):
        table = Table.objects.filter(fixture=first).first()
        assert table is None or host in world.seated(first)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_rematch_accepted_by_all_at_once_begins_once(shared: str, players: int) -> None:
    with opened(shared):
        people = [person() for _ in range(players)]
        table = begun_table(people, "short")
        play_round(table, people)
        assert row(table).state == Table.State.OVER

    def ask(player: Player) -> Callable[[], Table]:
        return lambda: table_moves.rematch(table_id=table.pk, player=player, at=NOW + SECOND)

    came = at_once(shared, *(ask(player) for player in people), ask(people[0]))
    assert {type(answer) for answer in came} == {Table}, came
    with opened(shared):
        again = Table.objects.exclude(pk=table.pk).get()
        assert {answer.pk for answer in came if isinstance(answer, Table)} == {again.pk}
        assert again.state == Table.State.PLAYING
        seats = again.seats.values_list("player", flat=True)
        assert sorted(seats) == sorted(player.pk for player in people)
        assert TableRound.objects.filter(table=again).count() == 1
