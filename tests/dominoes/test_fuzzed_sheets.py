"""Thousands of scoresheets with mistakes are judged by the referee and by the oracle.

The referee must not accept moves that are illegal with every deal, must not reject legal ones, and
must never crash. The environment variable `MATADOR_LOGS` sets the number of scoresheets.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from dominoes.engine import FinalTiles, HandReading, HandSheet, judge_hand
from fairness import Chance, Seed
from tests.dominoes.oracle.hand import Hand
from tests.dominoes.oracle.mutations import MUTATIONS, Mutation, garbage, nothing
from tests.dominoes.oracle.paper import copied, play_at_random, some_deal, some_rules
from tests.dominoes.oracle.score import score_hand
from tests.dominoes.oracle.sheets import (
    WAYS,
    anybody_would_object,
    holdings_of,
    pips_are_possible,
    sheet,
    whole_hand_is_possible,
    with_other_tiles,
)
from tests.dominoes.oracle.translation import engine_rules
from tests.properties import FULL

LARGEST_SET_TRIED_OUT = 3
TILES = ["", "0|0", "6|3", "3-6", "3|6", "19|0", "x", "\u0663|\u0663"]
LOGS = int(os.environ.get("MATADOR_LOGS", "10000" if FULL else "4000"))


def reading_of(dealt: Hand, written: HandSheet) -> HandReading:
    """Return the referee's answer to a scoresheet."""
    return judge_hand(engine_rules(dealt.rules), dealt.players, written)


def as_blocked(written: HandSheet) -> HandSheet:
    """Return the same scoresheet, declared as a blocked hand (Ruling D-6)."""
    return replace(written, blocked=True)


def agree_on(dealt: Hand, written: HandSheet) -> bool:
    """Check that referee and oracle agree, and return whether the moves are possible.

    The referee may leave moves undecided if the scoresheet does not list all remaining tiles.
    """
    rules, players = dealt.rules, dealt.players
    possible = whole_hand_is_possible(rules, players, written)
    readings = [reading_of(dealt, written), reading_of(dealt, as_blocked(written))]
    for reading in readings:
        assert possible or not reading.complete, (rules, players, written)
        assert reading.complete == (reading.outcome is not None)
    if anybody_would_object(rules, players, written):
        assert readings[0].contradictions, (rules, players, written)
    if possible:
        assert not readings[0].contradictions, (rules, players, written)
        assert any(reading.complete for reading in readings) or not all_is_known(written)
    return possible


def all_is_known(written: HandSheet) -> bool:
    """Return whether the remaining tiles of all players are on the scoresheet."""
    return all(what.tiles is not None for what in written.held)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_referee_accepts_the_same_altered_moves_as_the_oracle(mutation: Mutation) -> None:
    chance = Seed(bytes(32)).chance(f"sheets/{mutation.__name__}")
    verdicts = []
    for number in range(LOGS // len(MUTATIONS) // 4 + 1):
        dealt = some_deal(some_rules(chance), chance)
        log = play_at_random(over := copied(dealt), chance)
        for turn in range(4):
            mutated = mutation(log, chance)
            way = WAYS[(number + turn) % len(WAYS)]
            written = sheet(dealt, over, mutated, way, chance)
            if mutated and way != "pips":
                verdicts.append(agree_on(dealt, written))
    assert all(verdicts) == (mutation is nothing)


@pytest.mark.slow
def test_referee_finds_a_wrong_tile_among_the_remaining_ones_like_the_oracle() -> None:
    chance = Seed(bytes(32)).chance("tiles left")
    verdicts = []
    for _ in range(LOGS // 20):
        dealt = some_deal(some_rules(chance), chance)
        log = play_at_random(over := copied(dealt), chance)
        written = sheet(dealt, over, log, chance.pick(["tiles", "both", "some"]), chance)
        verdicts.append(agree_on(dealt, with_other_tiles(written, dealt.rules, chance)))
    assert verdicts.count(True) > LOGS // 200
    assert verdicts.count(False) > LOGS // 200


def test_referee_accepts_pips_after_moves_if_some_deal_leaves_them() -> None:
    """Ruling D-10.

    The number of remaining tiles follows from the moves. No possible pips may be rejected.
    """
    chance = Seed(bytes(32)).chance("pips left")
    verdicts = []
    for _ in range(LOGS // 20):
        dealt = some_deal(some_rules(chance), chance)
        if dealt.rules["highest"] <= LARGEST_SET_TRIED_OUT:
            log = play_at_random(over := copied(dealt), chance)
            written = sheet(dealt, over, log, "pips", chance)
            assert reading_of(dealt, written).complete
            verdicts.append(agree_on_pips(dealt, with_other_pips(written, chance)))
    assert {True, False} == set(verdicts)


def agree_on_pips(dealt: Hand, written: HandSheet) -> bool:
    """Check pips with the oracle and return whether the referee accepts them.

    It must accept pips that some deal leaves, and reject pips that Ruling D-10 excludes.
    """
    rules, players, stands = dealt.rules, dealt.players, reading_of(dealt, written).complete
    by_the_letter = any(True for _ in holdings_of(rules, players, written))
    assert by_the_letter or not stands, (rules, players, written)
    assert stands or not pips_are_possible(rules, players, written), (rules, players, written)
    return stands


def with_other_pips(written: HandSheet, chance: Chance) -> HandSheet:
    """Return the scoresheet with the pips of one seat changed slightly."""
    at = chance.below(len(written.held))
    figure = max(0, (written.held[at].pips or 0) + chance.below(7) - 3)
    held = (*written.held[:at], FinalTiles(pips=figure), *written.held[at + 1 :])
    return replace(written, held=held)


@pytest.mark.slow
def test_referee_scores_legal_scoresheets_like_the_oracle() -> None:
    chance = Seed(bytes(32)).chance("scores")
    for _ in range(LOGS // 20):
        dealt = some_deal(some_rules(chance), chance)
        log = play_at_random(over := copied(dealt), chance)
        for way in ("tiles", "both", "pips"):
            outcome = reading_of(dealt, sheet(dealt, over, log, way, chance)).outcome
            score = score_hand(over)
            assert outcome is not None
            assert (outcome.out, outcome.winner) == (over.out, score.winner)
            assert list(outcome.points) == score.points


def absurd(dealt: Hand, over: Hand, log: list[str], chance: Chance) -> HandSheet:
    """Return a scoresheet on which every field may have an absurd value."""
    true = sheet(dealt, over, log, chance.pick(WAYS), chance)
    signs = tuple(garbage(log, chance))
    tiles = tuple(chance.pick([*TILES, *signs]) for _ in range(3))
    number = chance.pick([-1, 0, 7, 99, 10**6, -(10**30)])
    seats = [
        FinalTiles(tiles=tiles),
        FinalTiles(pips=number),
        FinalTiles(tiles=(), pips=number),
        FinalTiles(),
        *true.held,
    ]
    return HandSheet(
        leader=chance.pick([dealt.turn, None, number]),
        out=chance.pick([None, 0, number]),
        blocked=chance.below(2) == 1,
        held=tuple(chance.pick(seats) for _ in range(dealt.players + chance.pick([-1, 0, 0, 1]))),
        moves=chance.pick([(), true.moves, signs, tiles, true.moves * 50]),
        deal=chance.pick([None, true.deal, (tiles,) * dealt.players, (), (tiles,)]),
    )


@pytest.mark.slow
def test_referee_answers_absurd_domino_scoresheets_without_crashing() -> None:
    chance = Seed(bytes(32)).chance("absurd")
    for _ in range(LOGS // 10):
        dealt = some_deal(some_rules(chance), chance)
        log = play_at_random(over := copied(dealt), chance)
        written = absurd(dealt, over, log, chance)
        players = chance.pick([dealt.players, dealt.players, -1, 0, 1, 10**9])
        reading = judge_hand(engine_rules(dealt.rules), players, written)
        assert reading.complete == (reading.outcome is not None)
