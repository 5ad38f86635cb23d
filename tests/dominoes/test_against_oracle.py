"""The engine agrees with the independent rules checker (oracle) on every move, state and score.

All rule sets are compared. The environment variable `MATADOR_ROUNDS` sets how many rounds of seeded
matches are played; one round is a match for each combination of options.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dominoes import engine
from fairness import Seed
from tests.dominoes.oracle.hand import possible_leaders
from tests.dominoes.oracle.rule_sets import (
    ALL_CHOICES,
    HIGHEST,
    MOST_PLAYERS,
    deals,
    rule_sets,
    some_options,
    some_players,
)
from tests.dominoes.oracle.score import score_pips, side_of
from tests.dominoes.oracle.side_by_side import (
    BothHands,
    all_of,
    play_match,
    play_side_by_side,
    replay,
)
from tests.dominoes.oracle.tiles import Options, options, possible_players, sides
from tests.dominoes.oracle.translation import deal_of, engine_rules, move_of
from tests.properties import examples

ROUNDS = int(os.environ.get("MATADOR_ROUNDS", "1"))
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def chooser(data: st.DataObject) -> Callable[[int], int]:
    """Return a function that lets Hypothesis choose a number, so that it can shrink failures."""
    return lambda below: data.draw(st.integers(0, below - 1))


def test_all_combinations_of_options_are_compared() -> None:
    assert len(ALL_CHOICES) == 4 * 3 * 2**5
    assert list(HIGHEST) == list(range(2, 19))


@pytest.mark.slow
@pytest.mark.parametrize("highest", HIGHEST)
def test_engine_plays_matches_like_the_oracle_with_every_combination_of_options(
    highest: int,
) -> None:
    """Each combination is played with another set in every round, so 17 rounds cover all pairs."""
    for turn in range(ROUNDS):
        for at, choices in enumerate(ALL_CHOICES):
            if (at + turn) % len(HIGHEST) == highest - 2:
                chance = Seed(bytes([highest, turn % 256] * 16)).chance(f"match/{at}/{turn}")
                rules = some_options(choices, highest, chance)
                play_match(rules, some_players(rules, chance), chance, most_hands=2)


@pytest.mark.slow
@settings(SLOW, max_examples=examples(25))
@given(st.data(), rule_sets())
def test_engine_plays_random_hands_like_the_oracle_with_any_rule_set(
    data: st.DataObject, rules: Options
) -> None:
    dealt = deal_of(data.draw(deals(rules)))
    dealt.check(engine_rules(rules))
    replay(play_side_by_side(rules, dealt, chooser(data)))


@pytest.mark.parametrize("highest", [2, 3, 4])
def test_engine_accepts_and_rejects_all_moves_like_the_oracle_in_small_sets(highest: int) -> None:
    for at, choices in enumerate(ALL_CHOICES[highest :: highest**2]):
        chance = Seed(bytes([highest] * 32)).chance(f"small/{at}")
        rules = some_options(choices, highest, chance)
        hand = engine.Hand.deal(engine_rules(rules), some_players(rules, chance), chance)
        replay(play_side_by_side(rules, hand.dealt, chance.below, all_of))


@pytest.mark.parametrize("at", range(0, len(ALL_CHOICES), 5))
def test_fast_random_play_makes_only_moves_that_the_oracle_allows(at: int) -> None:
    """`play_out` finishes a hand quickly from its beginning or from any later position."""
    chance = Seed(bytes([at % 256] * 32)).chance("played out")
    rules = some_options(ALL_CHOICES[at], 2 + at % 17, chance)
    hand = engine.Hand.deal(engine_rules(rules), some_players(rules, chance), chance)
    for _ in range(chance.below(12)):
        if hand.turn is not None:
            hand.play(chance.pick(hand.legal()))
    hand.play_out(lambda: chance.below(2**32) / 2**32)
    both = BothHands(rules, hand.dealt)
    for move in hand.log:
        both.play(move_of(rules, move))
    both.compare()
    both.compare_end()
    assert (both.engine.outcome, both.engine.pips) == (hand.outcome, hand.pips)
    assert (both.engine.boneyard, both.engine.ends) == (hand.boneyard, hand.ends)


@pytest.mark.parametrize("at", range(0, len(ALL_CHOICES), 23))
def test_views_of_all_seats_show_only_their_own_tiles(at: int) -> None:
    chance = Seed(bytes([at % 256] * 32)).chance("seen")
    rules = some_options(ALL_CHOICES[at], 2 + at % 8, chance)
    hand = engine.Hand.deal(engine_rules(rules), some_players(rules, chance), chance)
    both = BothHands(rules, hand.dealt)
    while both.engine.turn is not None:
        both.compare_views()
        both.play(chance.pick(both.legal()))
    both.compare_views()


@pytest.mark.parametrize("choices", ALL_CHOICES[::7])
def test_moves_of_a_hand_replay_with_the_seed_of_its_deal(choices: dict[str, object]) -> None:
    seed = Seed(bytes(31) + b"r")
    rules = some_options(choices, 6, seed.chance("rules"))
    players = some_players(rules, seed.chance("players"))
    hand = engine.Hand.deal(engine_rules(rules), players, seed.chance("hand/1"))
    both = play_side_by_side(rules, hand.dealt, seed.chance("choices").below)
    again = engine.replay_hand(
        engine_rules(rules), players, seed.chance("hand/1"), None, both.engine.log
    )
    assert (again.dealt, again.outcome) == (hand.dealt, both.engine.outcome)


@given(st.integers(2, 18), st.integers(1, 100), st.booleans())
def test_engine_allows_the_same_numbers_of_players_as_the_oracle(
    highest: int, size: int, partners: bool
) -> None:
    rules = options(highest=highest, hand_size=size, partners=partners)
    if possible_players(rules):
        assert list(engine_rules(rules).seats) == possible_players(rules)
    else:
        with pytest.raises(engine.RulesError):
            engine_rules(rules)


@given(st.data(), rule_sets())
def test_engine_accepts_only_the_holder_of_the_highest_double_as_leader(
    data: st.DataObject, rules: Options
) -> None:
    hand = data.draw(deals({**rules, "lead": "highest_double"}))
    leaders = possible_leaders(hand.rules, hand.hands, [], None)
    for seat in range(hand.players):
        hand.turn = seat
        if seat in leaders:
            deal_of(hand).check(engine_rules(hand.rules))
        else:
            with pytest.raises(engine.DealError):
                deal_of(hand).check(engine_rules(hand.rules))


@given(rule_sets(), st.data())
def test_engine_scores_pips_like_the_oracle(rules: Options, data: st.DataObject) -> None:
    seats = [n for n in possible_players(rules) if n <= MOST_PLAYERS]
    players = data.draw(st.sampled_from(seats))
    pips = data.draw(st.lists(st.integers(0, 60), min_size=players, max_size=players))
    out = data.draw(st.none() | st.integers(0, players - 1))
    pips = [0 if seat == out else count for seat, count in enumerate(pips)]
    by_side = [sum(pips[seat] for seat in side) for side in sides(rules, players)]
    score = score_pips(rules, by_side, side_of(rules, out, players))
    outcome = engine.score_hand(engine_rules(rules), pips, out)
    assert outcome.side_pips == tuple(by_side)
    assert (outcome.winner, outcome.points) == (score.winner, tuple(score.points))
