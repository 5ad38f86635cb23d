"""All combinations of domino options, and random deals for them."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from fairness import Chance
from tests.dominoes.oracle.hand import Hand, possible_leaders
from tests.dominoes.oracle.tiles import Options, all_tiles, options, possible_players

CHOICES: dict[str, list[object]] = {
    "matadors": ["inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"],
    "boneyard": ["draw", "pass"],
    "free_pass": [False, True],
    "out_wins": [False, True],
    "set_highest_double": [False, True],
    "lead": ["draw", "winner", "highest_double"],
    "partners": [False, True],
}
ALL_CHOICES = [dict(zip(CHOICES, values, strict=True)) for values in product(*CHOICES.values())]
HIGHEST = range(2, 19)
MOST_PLAYERS = 8


def some_hand_size(highest: int, partners: object, chance: Chance) -> int:
    """Return a random hand size with which enough players can play; half of the time it is 7."""
    seats = 4 if partners else 2
    most = len(all_tiles(highest)) // seats
    return 7 if most >= 7 and chance.below(2) else 1 + chance.below(min(most, 12))


def some_options(choices: dict[str, object], highest: int, chance: Chance) -> Options:
    """Return a rule set with these options and this set, and a random hand size and target."""
    size = some_hand_size(highest, choices["partners"], chance)
    return options(**choices, highest=highest, hand_size=size, target=1 + chance.below(200))


def some_players(rules: Options, chance: Chance) -> int:
    """Return a random number of players that the rules allow, at most eight."""
    seats = [n for n in possible_players(rules) if n <= MOST_PLAYERS]
    return chance.pick(seats)


@st.composite
def rule_sets(draw: st.DrawFn) -> Options:
    """Generate any rule set with at most eight tiles a hand, so that edge cases are reached."""
    choices = draw(st.sampled_from(ALL_CHOICES))
    highest = draw(st.integers(2, 18))
    most = len(all_tiles(highest)) // (4 if choices["partners"] else 2)
    size = draw(st.integers(1, min(most, 8)))
    return options(**choices, highest=highest, hand_size=size)


@st.composite
def deals(draw: st.DrawFn, rules: Options) -> Hand:
    """Generate a random deal with a leader that the rules allow."""
    seats = [n for n in possible_players(rules) if n <= MOST_PLAYERS]
    players, size = draw(st.sampled_from(seats)), rules["hand_size"]
    tiles = draw(st.permutations(all_tiles(rules["highest"])))
    hands = [list(tiles[seat * size : (seat + 1) * size]) for seat in range(players)]
    leader = draw(st.sampled_from(possible_leaders(rules, hands, [], None)))
    return Hand(rules, hands, list(tiles[players * size :]), leader)
