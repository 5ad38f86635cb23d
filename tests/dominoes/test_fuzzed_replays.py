"""Thousands of hands with mistakes in moves and deals, replayed by engine and oracle.

The environment variable `MATADOR_LOGS` sets their number. Each starts as a legal hand under any
rule set.
"""

from __future__ import annotations

import os

import pytest

from dominoes import engine
from fairness import Chance, Seed
from tests.dominoes.oracle.hand import Hand
from tests.dominoes.oracle.mutations import MUTATIONS, Log, Mutation
from tests.dominoes.oracle.paper import copied, legal_start, play_at_random, some_deal, some_rules
from tests.dominoes.oracle.score import score_hand
from tests.dominoes.oracle.tiles import all_tiles
from tests.dominoes.oracle.translation import deal_of, engine_rules, number_of, tiles_of
from tests.properties import FULL

LOGS = int(os.environ.get("MATADOR_LOGS", "10000" if FULL else "4000"))


def engine_start(hand: engine.Hand, log: Log) -> int:
    """Return how many moves the engine accepts before the first invalid or illegal one.

    No other exception may be raised.
    """
    for at, text in enumerate(log):
        try:
            hand.play(engine.Move.read(text))
        except (engine.NotationError, engine.IllegalMove):
            return at
    return len(log)


def agree_on(dealt: Hand, log: Log) -> int:
    """Check that engine and oracle accept the same number of moves and reach the same state.

    Returns this number.
    """
    ours, theirs = copied(dealt), engine.Hand(engine_rules(dealt.rules), deal_of(dealt))
    stands = legal_start(ours, log)
    assert engine_start(theirs, log) == stands, (dealt, log)
    held = [sorted(tiles, key=number_of) for tiles in ours.hands]
    assert [tiles_of(theirs.held_tiles(seat)) for seat in range(dealt.players)] == held
    if theirs.outcome:
        assert theirs.outcome.points == tuple(score_hand(ours).points)
    return stands


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_engine_rejects_the_same_move_of_an_altered_hand_as_the_oracle(mutation: Mutation) -> None:
    chance = Seed(bytes(32)).chance(f"replays/{mutation.__name__}")
    broken = 0
    for _ in range(LOGS // len(MUTATIONS) // 4 + 1):
        dealt = some_deal(some_rules(chance), chance)
        log = play_at_random(copied(dealt), chance)
        for _ in range(4):
            mutated = mutation(log, chance)
            broken += agree_on(dealt, mutated) < len(mutated)
    assert (broken == 0) == (mutation.__name__ in ("nothing", "end_early"))


def mislaid(deal: engine.Deal, chance: Chance) -> engine.Deal:
    """Return the deal with a tile moved, repeated, missing or unknown, or with another leader."""
    hands = [list(engine.bits(held)) for held in deal.hands]
    boneyard, leader = list(deal.boneyard), deal.leader
    one, other = chance.pick(hands), chance.pick([*hands, boneyard])
    mishap = chance.below(6)
    if mishap == 0:
        other.append(one.pop())
    elif mishap == 1:
        other.append(one[0])
    elif mishap == 2:
        one.pop()
    elif mishap == 3:
        one[0] = 189 + chance.below(9)
    elif mishap == 4:
        leader = chance.below(len(hands) + 2) - 1
    elif other:
        one[0], other[0] = other[0], one[0]
    return engine.Deal.of(hands, boneyard, leader)


def can_be_dealt(hand: Hand, deal: engine.Deal) -> bool:
    """Return whether every tile of the set is dealt once and all hands have the right size."""
    held = [number for bit_set in deal.hands for number in engine.bits(bit_set)]
    numbers = sorted([*held, *deal.boneyard])
    sizes = {len(list(engine.bits(bit_set))) for bit_set in deal.hands}
    everything = sorted(number_of(tile) for tile in all_tiles(hand.rules["highest"]))
    return numbers == everything and sizes == {hand.rules["hand_size"]}


def test_engine_rejects_impossible_deals() -> None:
    chance = Seed(bytes(32)).chance("deals")
    refused = 0
    for _ in range(LOGS // 10):
        dealt = some_deal(some_rules(chance), chance)
        deal = mislaid(deal_of(dealt), chance)
        try:
            deal.check(engine_rules(dealt.rules))
        except engine.DealError:
            refused += 1
        else:
            assert can_be_dealt(dealt, deal)
            assert 0 <= deal.leader < dealt.players
    assert refused > LOGS // 40
