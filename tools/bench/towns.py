"""Benchmark of random games of Running with the Bulls (El Toro), and of calculating odds.

There are four players and three days, with a log. `towns` is the number of games per second and
core, each played from the seed to the final ranking by players who choose at random. The same is
measured move by move, with each move chosen by `random_move` and checked against the rules when it
is played. For comparison, `maedn` of OpenSpiel, the most similar dice race, is played at random in
the same run.
"""

from collections.abc import Callable
from random import Random
from statistics import median

from eltoro.engine import PROFILES, Game, Phase, Town, odds, random_move
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.rivals import NoRival, rival
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, timed

PLAYERS = 4
GAMES = 150  # ours, a repetition
THEIRS = 5
ROUNDS = 15
RULES = PROFILES["el-toro"]
GAMES_A_SECOND = 4000.0
TIMES_RIVAL = 2.0
ODDS_MS = 20.0
RIVAL = "open_spiel"
RIVAL_GAME = "maedn"


def measure(_: ScratchSite) -> list[Figure]:
    seeds = [Seed(number.to_bytes(32, "big")) for number in range(GAMES)]
    random = Random(1).random
    play_out(seeds, random)  # fill the lookup tables before anything is measured
    return [a_second(seeds), against(seeds), odds_of_a_table()]


def a_second(seeds: list[Seed]) -> Figure:
    random = Random(2).random
    rounds = [(play_out(seeds, random), play(seeds[:50])) for _ in range(ROUNDS)]
    value = median(GAMES / out.cpu for out, _ in rounds)
    by_move = median(50 / moved.cpu for _, moved in rounds)
    note = f"{by_move:,.0f} move by move, each chosen and checked"
    return Figure(
        name="towns", value=value, bar=GAMES_A_SECOND, at_least=True, unit="/s", note=note
    )


def against(seeds: list[Seed]) -> Figure:
    random = Random(3).random
    try:
        with rival(RIVAL, RIVAL_GAME) as other:
            other.play(THEIRS)
            rounds = [(play_out(seeds, random), other.play(THEIRS)) for _ in range(ROUNDS)]
            ratios = [(theirs.cpu / THEIRS) / (ours.cpu / GAMES) for ours, theirs in rounds]
            note = f"{RIVAL_GAME} of {other.name} {other.version}"
    except NoRival as reason:
        ratios, note = [float("nan")], str(reason)
    return Figure(
        name="towns_open_spiel", value=median(ratios), bar=TIMES_RIVAL, at_least=True,
        unit="x", note=note,
    )  # fmt: skip


def odds_of_a_table() -> Figure:
    """Measure what a page needs at once: all odds of one player in the most expensive town."""
    towns = [game_at_cards(number).town() for number in range(20)]
    spent = sorted(ask(town).wall * 1000 for town in towns for _ in range(5))
    note = f"{len(towns[0].runners[0])} runners; the slowest of {len(spent)}: {spent[-1]:.2f} ms"
    return Figure(name="town_odds", value=median(spent), bar=ODDS_MS, unit="ms", note=note)


def game_at_cards(number: int) -> Game:
    game = Game.new(RULES, 2, Seed(number.to_bytes(32, "big")))
    chance = Seed(bytes(32)).chance("ones")
    while game.phase is not Phase.CARDS:
        game.play(random_move(game, chance))
    return game


def ask(town: Town) -> Spent:
    with timed() as spent:
        for number in range(len(town.runners[0])):
            odds(town, RULES, 0, number)
    return spent


def play_out(seeds: list[Seed], random: Callable[[], float]) -> Spent:
    with timed() as spent:
        for seed in seeds:
            game = Game.new(RULES, PLAYERS, seed)
            game.play_out(random)
            assert game.places
    return spent


def play(seeds: list[Seed]) -> Spent:
    chance = Seed(bytes(32)).chance("moves")
    with timed() as spent:
        for seed in seeds:
            game = Game.new(RULES, PLAYERS, seed)
            while game.turn is not None:
                game.play(random_move(game, chance))
            assert game.places
    return spent
