"""Exact chances of a runner, compared with all possible rolls and with simulations (E-5, E-6)."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eltoro.engine import BOARDS, Game, Odds, Rules, Town, odds, random_move
from eltoro.engine.day import end_step
from eltoro.engine.effects import tables_of
from fairness import Seed
from tests.eltoro.engine.table import RULES, load, table
from tests.eltoro.notation import read_town
from tests.properties import examples

RUNS = int(os.environ.get("TOWN_RUNS", "20000"))
SEED = Seed(bytes([7] * 32))
TOWNS = [
    "day 1 step 0 cards first a | a 2:2 | b 4:4 | T 2:5 3:3 4:4 5:2 6:6 3:3",
    "day 1 step 0 cards first a | a 4:4 | b 4:4 | T 2:2 3:4 4:4 5:4 6:1 4:5 4:6 4:1 5:2 5:3",
    "day 1 step 2 cards first a | a molino:4 | b pozo:1 | T molino:4 molino:2 iglesia:6 pozo:1",
    "day 1 step 1 cards first a | a mercado:1 | b x | T mercado:1 torre:3 | tokens mercado/even=a",
    "day 1 step 3 cards first a | a rambla:3 | b faro:2 | T faro:2 rambla:3 rambla:5",
    "day 1 step 0 cards first a | a 5:5 | b 5:5 | T 5:1 5:3 5:5 4:1 | tokens 5/odd=a pozo/even=a",
]


def brute(town: Town, rules: Rules) -> dict[str, Fraction]:
    """Return the chances of the runner a1 by trying every sequence of rolls, with one roll for each
    step.

    A roll that is not needed in its step has no effect.
    """
    found: dict[str, Fraction] = {}
    steps = rules.board.steps - town.step
    for faces in product(range(1, 7), repeat=steps):
        end = walk(town, rules, faces)
        found[end] = found.get(end, Fraction(0)) + Fraction(1, 6**steps)
    return found


def walk(town: Town, rules: Rules, faces: tuple[int, ...]) -> str:
    """Return where a1 ends with these dice, following the rules step by step (`x`: trampled)."""
    board, die = rules.board, town.runners[0][0]
    assert die is not None
    space, face = die
    bulls = list(town.bulls)
    for rolled in faces:
        own = [parity for parity in (0, 1) if town.tokens.get((space, parity)) == 0]
        ways = board.spaces[space].ways
        space = ways[0] if len(ways) == 1 else ways[own[0] if len(own) == 1 else face % 2]
        bulls = [
            bull._replace(space=(board.spaces[bull.space].ways * 2)[bull.face % 2])
            for bull in bulls
        ]
        near = {bull.face for bull in bulls if bull.space == space}
        if face in near:
            face = rolled
            if face in near:
                return "x"
    return board.spaces[space].key


def as_table(chances: Odds) -> dict[str, float]:
    places = {f"d{slot + 1}": share for slot, share in enumerate(chances.arrives) if share}
    return places | ({"x": chances.trampled} if chances.trampled else {})


@pytest.mark.parametrize("text", TOWNS)
def test_chances_equal_those_of_all_sequences_of_dice(text: str) -> None:
    town = read_town(text, RULES)
    chances = odds(town, RULES, 0, 0)
    assert as_table(chances) == pytest.approx(
        {end: float(share) for end, share in brute(town, RULES).items()}
    )
    assert sum(chances.arrives) + chances.trampled == pytest.approx(1)
    assert len(chances.by_step) == RULES.board.steps - town.step


@pytest.mark.slow
@given(st.binary(min_size=32, max_size=32).map(Seed), st.sampled_from(sorted(BOARDS)))
@settings(max_examples=examples(15))
def test_chances_in_random_games_equal_those_of_all_sequences_of_dice(
    seed: Seed, board: str
) -> None:
    rules = Rules(board=board)
    game, chance = Game.new(rules, 2, seed), seed.chance("moves")
    while game.ask != "play" or game.step == 0:
        game.play(random_move(game, chance))
    town = game.town()
    if town.runners[0][0] is not None:
        expected = {end: float(share) for end, share in brute(town, rules).items()}
        assert as_table(odds(town, rules, 0, 0)) == pytest.approx(expected)


@pytest.mark.parametrize("text", TOWNS[:2])
def test_chances_agree_with_simulations_by_the_engine(text: str) -> None:
    """The environment variable `TOWN_RUNS` sets the number of simulations.

    Each share must be within five standard deviations.
    """
    town = read_town(text + "\nlaid bank casino pier festival nightclub", RULES)
    chances, seen = odds(town, RULES, 0, 0), [0] * 6
    game, chance = table(text), SEED.chance("runs")
    start = game.dice, game.bulls
    for _ in range(RUNS):
        seen[run(game, start, chance.dice(8))] += 1
    for share, count in zip((*chances.arrives, chances.trampled), seen, strict=True):
        wide = 5 * sqrt(max(share * (1 - share), 1e-9) / RUNS)
        assert abs(count / RUNS - share) <= wide + 1e-12, (share, count)


def run(game: Game, start: tuple[bytearray, bytearray], dice: bytes) -> int:
    """Simulate all steps with the engine and return where a1 arrives (0 to 4), or 5 if it is
    trampled.
    """
    from eltoro.engine.day import _charge, _move

    game.dice, game.bulls = start[0].copy(), start[1].copy()
    load(game, dice)
    for _ in range(RULES.board.steps):
        _move(game)
        _charge(game)
    return tables_of(RULES).slots[game.dice[0]]


INNS = "destination,count,points,effect,amount,name,name_es\ninn,10,1,bull,1,Inn,Venta\n"


@pytest.mark.parametrize(
    ("effects", "late"), [("", 1), ("effects a=inn", 2), ("effects a=inn b=inn", 3)]
)
def test_ruling_e_3_chances_in_the_morning_include_bulls_that_come_later(
    effects: str, late: int
) -> None:
    rules = Rules(destinations=INNS)
    text = "day 2 step 0 {} first a | a 4:4 | b 4:4 | T 2:5 3:3 4:4 5:2 6:6{}\n" + effects
    means = [0.0] * 5
    for faces in product(range(2, 7), repeat=late):
        bulls = "".join(f" {face}:{face}" for face in faces)
        town = read_town(text.format("cards", bulls), rules)
        for slot, share in enumerate(odds(town, rules, 0, 0).arrives):
            means[slot] += share / 5**late
    morning = read_town(text.format("morning", ""), rules)
    assert odds(morning, rules, 0, 0).arrives == pytest.approx(tuple(means))


def test_chances_between_two_phases_include_only_the_phases_still_to_come() -> None:
    """After the runners have moved, bulls still move and charge.

    After the bulls have moved, they charge. After the charge nothing remains.
    """
    before = "day 1 step 3 {} first a | a {} | b x | T {}"
    cards = read_town(before.format("cards", "rambla:3", "rambla:3"), RULES)
    runners = read_town(before.format("runners", "d3:3", "rambla:3"), RULES)
    both = read_town(before.format("bulls", "d3:3", "d3:3"), RULES)
    charge = read_town(before.format("charge", "d3:3", "d3:3"), RULES)
    sixth = pytest.approx(1 / 6)
    assert [odds(town, RULES, 0, 0).trampled for town in (cards, runners, both)] == [sixth] * 3
    assert odds(charge, RULES, 0, 0) == ((0, 0, 1, 0, 0), 0, (0,), 0)


def test_expected_points_use_the_points_of_the_destinations() -> None:
    town = read_town(TOWNS[4] + "\nlaid restaurant bank nightclub pier casino", RULES)
    chances, points = (
        odds(town, RULES, 0, 0),
        {kind.key: kind.points for kind in RULES.destinations},
    )
    worth = [points[key] for key in ("restaurant", "bank", "nightclub", "pier", "casino")]
    expected = sum(share * each for share, each in zip(chances.arrives, worth, strict=True))
    assert chances.points == pytest.approx(expected)


def test_trampled_runner_has_no_chance_and_unplaced_runner_has_no_odds() -> None:
    town = read_town("day 1 step 0 morning first a | a 1 x | b 2:2 | T 2:2", RULES)
    assert odds(town, RULES, 0, 1).trampled == 1
    with pytest.raises(ValueError, match="E-3"):
        odds(town, RULES, 0, 0)
    game = table(TOWNS[0], "siesta / siesta")
    assert odds(game.view(1), RULES, 1, 0) == odds(game.town(), RULES, 1, 0)
    end_step(game)
