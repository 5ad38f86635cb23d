"""Seeds of rounds are published as a digest first and revealed later. Matches are then recorded."""

import pytest

from fairness import Seed, commitment
from leagues.models import Match, Place, Result, Table, TableRound
from leagues.tables import actas as table_actas
from leagues.tables import automation, visibility
from leagues.tables.operations import moves as table_moves
from tests.leagues.tables.room import (
    NOW,
    SECOND,
    begun_table,
    everybody_has_seen,
    log_of,
    open_table,
    person,
    play_round,
    row,
    take_sticks,
)

pytestmark = pytest.mark.django_db


def test_commitment_of_the_first_round_is_published_when_a_table_is_created() -> None:
    """Ruling F-2 says that the commitment (a digest of the seed) is public before the round, and
    the seed only afterwards.
    """
    table = open_table(person())
    sealed = TableRound.objects.get()
    assert sealed.begun_at is None
    assert bytes(sealed.commitment) == commitment(bytes(sealed.seed), sealed.stake)
    (promise,) = visibility.view_table(log_of(table), seat=None, at=NOW).promises
    assert (promise.commitment, promise.seed) == (bytes(sealed.commitment).hex(), "")


def test_seed_is_revealed_after_its_round_and_the_next_commitment_published() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto], delay=0)
    assert [p.seed for p in visibility.view_table(log_of(table), seat=0, at=NOW).promises] == [""]
    play_round(table, [ana, beto])
    first, second = TableRound.objects.order_by("number")
    shown = visibility.view_table(log_of(table), seat=0, at=NOW).promises
    assert [p.seed for p in shown] == [bytes(first.seed).hex(), ""]
    assert [p.commitment for p in shown][1] == bytes(second.commitment).hex()
    assert (first.ended_at, second.begun_at) == (NOW, None)
    assert sum(first.points) == 1
    assert bytes(first.seed) != bytes(second.seed)


def test_next_round_is_dealt_when_all_players_are_ready() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    play_round(table, [ana, beto])
    table_moves.say_ready(table_id=table.pk, player=ana, at=NOW)
    assert (row(table).round, row(table).turn) == (1, None)
    table_moves.say_ready(table_id=table.pk, player=beto, at=NOW + SECOND)
    assert (row(table).round, row(table).turn) == (2, 1)
    table_moves.say_ready(table_id=table.pk, player=beto, at=NOW + SECOND)
    assert row(table).round == 2, "a word too many deals nothing"
    assert not any(chair.ready for chair in log_of(table).chairs)


def test_next_round_is_dealt_when_the_pause_is_over() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto])
    play_round(table, [ana, beto])
    assert row(table).deadline == NOW + 20 * SECOND
    table_moves.say_ready(table_id=table.pk, player=ana, at=NOW + 5 * SECOND)
    assert row(table).deadline == NOW + 20 * SECOND, "one ready player does not restart the pause"
    automation.sweep_due_tables(at=NOW + 19 * SECOND, fresh=_refuse_new_seed)
    assert row(table).round == 1
    automation.sweep_due_tables(at=NOW + 20 * SECOND, fresh=_refuse_new_seed)
    assert (row(table).round, row(table).moves_made) == (2, log_of(table).moments[-1].moves)


def _refuse_new_seed() -> Seed:
    raise AssertionError("a round that begins was sealed before")


def test_finished_match_is_recorded_once_after_the_spectators_delay() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto], "short")
    play_round(table, [ana, beto])
    found = row(table)
    assert (found.state, found.turn, found.deadline) == (Table.State.OVER, None, None)
    assert Match.objects.count() == 0, "spectators are still at the first move"
    everybody_has_seen(table)
    everybody_has_seen(table)
    found, match = row(table), Match.objects.get()
    assert (found.match, match.state, match.origin) == (match, "final", "here")
    assert Result.objects.get().match == match
    assert sorted(Place.objects.values_list("place", "points")) == [(1, 1), (2, 0)]
    assert TableRound.objects.count() == 1, "no further round is sealed"


def test_match_against_a_bot_is_not_recorded() -> None:
    ana = person()
    table = open_table(ana, "short", bots={1: "quick"})
    assert row(table).state == Table.State.PLAYING, "who waits for nobody begins"
    for _ in range(20):
        if row(table).turn == 0:
            take_sticks(table, ana)
        elif row(table).turn == 1:
            _bot(table)
    assert row(table).state == Table.State.OVER
    assert Match.objects.count() == 0


def _bot(table: Table) -> None:
    found = row(table)
    assert found.deadline is not None
    due = found.deadline
    assert automation.play_bot_move(table.pk, found.moves_made, clock=lambda: due, fresh=Seed.fresh)


@pytest.mark.slow
def test_every_stored_round_verifies_unless_it_was_changed() -> None:
    """Ruling F-2: verifying a round returns the differences, or none."""
    ana, beto = person(), person()
    table = begun_table([ana, beto], "long")
    for _ in range(3):
        play_round(table, [ana, beto])
        for player in (ana, beto):
            table_moves.say_ready(table_id=table.pk, player=player, at=NOW)
    log = log_of(table)
    assert [list(table_actas.verify_round(log, number)) for number in (1, 2, 3, 4)] == [[]] * 4
    second = TableRound.objects.get(number=2)
    TableRound.objects.filter(number=2).update(points=[5, 5])
    assert _difference_names(table, 2) == ["points"]
    TableRound.objects.filter(number=2).update(points=second.points, stake={"round": 1})
    assert _difference_names(table, 2) == ["commitment", "stake"]
    for fill in range(20):  # with some seeds the moves are not even legal
        seed = bytes([fill]) * 32
        TableRound.objects.filter(number=2).update(stake=second.stake, seed=seed)
        assert "commitment" in _difference_names(table, 2)


@pytest.mark.slow
def test_points_scored_within_a_round_are_added_to_the_round() -> None:
    """The points of a round are more than the points of its last move."""
    ana, beto = person(), person()
    table = begun_table([ana, beto], "threes")
    for _ in range(3):
        play_round(table, [ana, beto])
        for player in (ana, beto):
            table_moves.say_ready(table_id=table.pk, player=player, at=NOW)
    gained = list(TableRound.objects.exclude(ended_at=None).values_list("points", flat=True))
    assert list(map(sum, zip(*gained, strict=True))) == row(table).points
    assert sum(row(table).points) > 3, "somebody took three"
    assert [list(table_actas.verify_round(log_of(table), number)) for number in (1, 2, 3)] == [
        []
    ] * 3


def _difference_names(table: Table, number: int) -> list[str]:
    from leagues.tables.log import read_log

    return [found.name for found in table_actas.verify_round(read_log(table.pk), number)]


def test_finished_round_can_be_replayed_move_by_move() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto], delay=10)
    play_round(table, [ana, beto], at=NOW + SECOND)
    log = log_of(table)
    last = len(log.moves)
    assert visibility.view_replay(log, round_number=1, move=0, at=NOW + 5 * SECOND) is None, (
        "not yet"
    )
    late = NOW + 11 * SECOND
    for move in range(last + 1):
        step = visibility.view_replay(log, round_number=1, move=move, at=late)
        assert step is not None
        assert (step.position.made, step.revealed, step.seat) == (move, True, None)
    assert visibility.view_replay(log, round_number=1, move=last + 1, at=late) is None
    assert visibility.view_replay(log, round_number=2, move=0, at=late) is None
    assert visibility.view_replay(log, round_number=0, move=0, at=late) is None
