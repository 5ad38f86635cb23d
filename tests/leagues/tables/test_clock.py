"""Time limits, substitute bots and the sweep of game tables.

No process waits at a table.
"""

import datetime as dt
from collections.abc import Callable

import pytest

from fairness import Seed
from leagues.exceptions import OperationError
from leagues.models import Match, Table, TableMove, TableSeat
from leagues.tables import automation, changes, play, visibility
from leagues.tables.automation import CLAIM_TIME, LOST_AFTER
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from tests.leagues.tables import sticks
from tests.leagues.tables.room import (
    NOW,
    SECOND,
    begun_table,
    bot_turn,
    log_of,
    open_table,
    pair,
    person,
    play_round,
    row,
    take_sticks,
)

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)


def sweep(at: dt.datetime) -> list[changes.BotTurn]:
    return automation.sweep_due_tables(at=at, fresh=Seed.fresh)


def play_bot(table: Table, at: dt.datetime | None = None) -> play.MoveResult | None:
    turn = bot_turn(table)
    return automation.play_bot_move(
        turn.table, turn.moves_made, clock=lambda: at or turn.due, fresh=Seed.fresh
    )


def stands_in(table: Table) -> list[bool]:
    return [chair.stand_in for chair in log_of(table).chairs]


def test_bot_moves_for_a_player_out_of_time_and_hands_the_seat_back() -> None:
    table, ana, beto = pair(allowance=30)
    assert sweep(NOW + 29 * SECOND) == []
    assert stands_in(table) == [False, False]
    (turn,) = sweep(NOW + 30 * SECOND)
    assert stands_in(table) == [True, False]
    assert turn.moves_made == 0
    pause = (turn.due - NOW - 30 * SECOND).total_seconds()
    assert 0.6 <= pause <= 1.2, "so that people can follow"
    answer = play_bot(table)
    assert answer is not None
    move = TableMove.objects.get()
    assert (move.seat, move.bot) == (0, "quick")
    assert TableSeat.objects.get(table=table, number=0).stood_in == 1
    table_moves.come_back(table_id=table.pk, player=ana, at=NOW + MINUTE)
    assert stands_in(table) == [False, False]
    take_sticks(table, beto, at=NOW + MINUTE)
    take_sticks(table, ana, at=NOW + MINUTE)
    assert TableMove.objects.latest("number").bot == ""


def test_player_who_moves_takes_the_seat_back_from_the_bot() -> None:
    table, ana, _beto = pair()
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW)
    assert stands_in(table) == [True, False]
    take_sticks(table, ana, 2)
    assert stands_in(table) == [False, False]
    assert TableMove.objects.get().bot == ""


def test_move_of_a_substitute_bot_is_discarded_if_the_player_returns_meanwhile() -> None:
    table, ana, _beto = pair()
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW)
    turn = bot_turn(table)

    def think_long() -> Seed:
        """Let the player return while the bot chooses its move."""
        table_moves.come_back(table_id=table.pk, player=ana, at=NOW + SECOND)
        return Seed.fresh()

    came = automation.play_bot_move(turn.table, 0, clock=lambda: turn.due, fresh=think_long)
    assert came is None
    assert TableMove.objects.count() == 0
    assert row(table).deadline == NOW + 61 * SECOND, "with a whole clock"


def test_bot_makes_a_move_once_even_if_its_task_is_queued_repeatedly() -> None:
    table = open_table(person(), bots={0: "quick"}, host_sits=False)
    assert row(table).state == Table.State.OPEN
    table = open_table(person(), bots={0: "quick"})
    turn = bot_turn(table)
    assert play_bot(table, at=turn.due - SECOND) is None, "too early"
    assert play_bot(table) is not None
    for _ in range(2):
        came = automation.play_bot_move(turn.table, 0, clock=lambda: turn.due, fresh=Seed.fresh)
        assert came is None
    assert TableMove.objects.filter(table=table).count() == 1


def test_bot_move_claimed_by_a_dead_worker_is_sent_again() -> None:
    table = open_table(person(), bots={0: "quick"})
    turn = bot_turn(table)
    # As if a worker had claimed the move and then died.
    Table.objects.filter(pk=table.pk).update(deadline=turn.due + CLAIM_TIME)
    assert automation.play_bot_move(table.pk, 0, clock=lambda: turn.due, fresh=Seed.fresh) is None
    assert sweep(turn.due + CLAIM_TIME) == [], "it may still be thinking"
    found = sweep(turn.due + CLAIM_TIME + LOST_AFTER)
    assert [again.moves_made for again in found] == [0]
    assert sweep(turn.due + CLAIM_TIME + LOST_AFTER + SECOND) == [], "not sent every second"
    assert play_bot(table) is not None
    assert TableMove.objects.filter(table=table).count() == 1


def test_next_round_against_bots_begins_when_the_only_person_is_ready() -> None:
    ana = person()
    table = open_table(ana, bots={1: "quick"})
    for _ in range(30):
        if row(table).turn == 0:
            take_sticks(table, ana)
        elif row(table).turn == 1:
            play_bot(table)
    assert row(table).turn is None
    table_moves.say_ready(table_id=table.pk, player=ana, at=NOW + MINUTE)
    assert row(table).round == 2


def test_table_that_all_players_have_left_is_closed_after_ten_minutes() -> None:
    table, ana, beto = pair()
    table_moves.leave_game(table_id=table.pk, player=beto, at=NOW)
    assert row(table).deadline == NOW + MINUTE, "Ana's clock runs on"
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW + SECOND)
    assert row(table).deadline == NOW + SECOND + 10 * MINUTE
    assert sweep(NOW + 9 * MINUTE) == []
    assert TableMove.objects.count() == 0, "no bot plays for nobody"
    sweep(NOW + SECOND + 10 * MINUTE)
    assert (row(table).state, row(table).deadline) == (Table.State.CLOSED, None)
    assert Match.objects.count() == 0
    with pytest.raises(OperationError, match="There is no match in progress at this table"):
        table_moves.come_back(table_id=table.pk, player=ana, at=NOW + 11 * MINUTE)


def test_bots_finish_the_round_and_the_table_waits_seven_days_for_the_player() -> None:
    ana, week = person(), dt.timedelta(days=7)
    table = open_table(ana, bots={1: "quick"})
    take_sticks(table, ana, at=NOW + SECOND)
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW + MINUTE)
    while row(table).turn is not None:
        assert play_bot(table) is not None
    assert TableMove.objects.filter(table=table, seat=0).exclude(bot="").exists(), "for Ana"
    found = row(table)
    assert (found.state, found.round) == (Table.State.PLAYING, 1)
    assert found.deadline == NOW + SECOND + week
    assert sweep(NOW + 11 * MINUTE) == []
    assert sweep(NOW + week) == []
    assert row(table).state == Table.State.PLAYING
    sweep(NOW + SECOND + week)
    assert row(table).state == Table.State.CLOSED


@pytest.mark.parametrize("word", [table_moves.come_back, table_moves.say_ready])
def test_returning_player_at_a_table_of_bots_starts_the_next_round(
    word: Callable[..., None],
) -> None:
    ana, day = person(), dt.timedelta(days=1)
    table = open_table(ana, bots={1: "quick"})
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW)
    while row(table).turn is not None:
        play_bot(table)
    word(table_id=table.pk, player=ana, at=NOW + day)
    sweep(NOW + day + MINUTE)
    assert row(table).round == 2
    table_moves.leave_game(table_id=table.pk, player=ana, at=NOW + 2 * day)
    while row(table).turn is not None:
        play_bot(table)
    if row(table).state == Table.State.PLAYING:
        assert row(table).deadline == NOW + 8 * day


def test_time_limit_against_bots_lets_a_bot_move_for_the_player() -> None:
    ana = person()
    table = open_table(ana, bots={1: "quick"})
    (turn,) = sweep(NOW + MINUTE)
    assert turn.moves_made == 0, "a bot must move for Ana"
    assert play_bot(table) is not None
    assert row(table).state == Table.State.PLAYING


def test_table_with_two_absent_people_and_a_bot_waits_ten_minutes() -> None:
    ana, beto = person(), person()
    table = open_table(ana, seats=3, bots={2: "quick"})
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    for player in (ana, beto):
        table_moves.leave_game(table_id=table.pk, player=player, at=NOW)
    assert row(table).deadline == NOW + 10 * MINUTE


def test_only_a_person_alone_against_bots_can_close_a_running_table() -> None:
    ana, table_of_two = person(), pair()
    table = open_table(ana, bots={1: "quick"})
    for other, by in ((table, person()), (table_of_two[0], table_of_two[1])):
        with pytest.raises(OperationError):
            lobby.close_table(table_id=other.pk, player=by, at=NOW)
    lobby.close_table(table_id=table.pk, player=ana, at=NOW)
    assert row(table).state == Table.State.CLOSED


def test_player_who_returns_in_time_continues_the_match() -> None:
    table, ana, beto = pair()
    for player in (ana, beto):
        table_moves.leave_game(table_id=table.pk, player=player, at=NOW)
    table_moves.come_back(table_id=table.pk, player=beto, at=NOW + MINUTE)
    due = row(table).deadline
    assert due is not None
    assert due < NOW + MINUTE + 2 * SECOND, "a bot moves for Ana"
    assert play_bot(table, at=due) is not None
    take_sticks(table, beto, at=NOW + 2 * MINUTE)


def test_time_limit_of_days_applies_to_moves_and_pauses() -> None:
    table, ana, beto = pair(pace=Table.Pace.DAYS, allowance=2)
    assert row(table).deadline == NOW + dt.timedelta(days=2)
    take_sticks(table, ana, at=NOW + dt.timedelta(days=1))
    assert row(table).deadline == NOW + dt.timedelta(days=3)
    play_round(table, [ana, beto], at=NOW + dt.timedelta(days=1))
    assert row(table).deadline == NOW + dt.timedelta(days=3), "so long a pause for one's word"


def test_open_table_that_nobody_starts_is_closed_after_two_hours() -> None:
    table = open_table(person())
    sweep(NOW + 119 * MINUTE)
    assert row(table).state == Table.State.OPEN
    sweep(NOW + 120 * MINUTE)
    assert row(table).state == Table.State.CLOSED


def test_bot_that_fails_three_times_closes_the_table_and_stores_the_error() -> None:
    table = open_table(person(), bots={0: "broken"})
    for tries in (1, 2, 3):
        due = bot_turn(table).due
        with pytest.raises(RuntimeError):
            play_bot(table, at=due)
        automation.record_bot_failure(table.pk, 0, "RuntimeError: This bot is broken.", at=due)
        assert row(table).failures == tries
    found = row(table)
    assert (found.state, found.error) == (Table.State.CLOSED, "RuntimeError: This bot is broken.")


def test_error_at_one_table_does_not_stop_the_sweep_of_others() -> None:
    ana, beto = person(), person()
    broken, fine = begun_table([ana, beto]), begun_table([ana, beto])
    Table.objects.filter(pk=broken.pk).update(turn=None, game="unheard of")
    sweep(NOW + MINUTE)
    assert stands_in(fine) == [True, False]
    assert row(broken).round == 1


def test_times_of_moments_never_decrease_if_clocks_differ() -> None:
    table, ana, beto = pair()
    take_sticks(table, ana, at=NOW + MINUTE)
    take_sticks(table, beto, at=NOW + 50 * SECOND)
    instants = [moment.at for moment in log_of(table).moments]
    assert instants == sorted(instants)


def test_seats_show_names_of_players_and_labels_of_bots() -> None:
    table = open_table(person("Ana"), bots={1: "quick"})
    you, bot = visibility.view_table(log_of(table), seat=0, at=NOW).sitters
    assert (you.name, you.you, bot.name, bot.bot) == ("Ana", True, "Quick", "Quick")
    assert sticks.STICKS.stand_in == "quick"
