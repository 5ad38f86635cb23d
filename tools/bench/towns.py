"""Benchmark of random games of Running with the Bulls (El Toro), and of calculating odds.

There are four players and three days, with a log. Each game is played from the seed to the final
ranking by players who choose at random. For comparison, a loop draws as many random numbers as the
games have moves, and `maedn` of OpenSpiel, the most similar dice race, is played at random.
"""

from collections.abc import Callable, Iterator
from random import Random

from eltoro.engine import PROFILES, Game, Phase, odds, random_move
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.rivals import against
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, in_turns, least, ratio, timed

PLAYERS = 4
GAMES = 150  # a repetition
ROUNDS = 15
RULES = PROFILES["el-toro"]


def measure(_: ScratchSite) -> Iterator[Figure]:
    seeds = [Seed(number.to_bytes(32, "big")) for number in range(GAMES)]
    random = Random(2).random
    moves = [len(_play(seed, Random(1).random).log) for seed in seeds]

    def play() -> Spent:
        with timed() as played:
            for seed in seeds:
                _play(seed, random)
        return played

    def draw() -> Spent:
        with timed() as drawn:
            for seed, count in zip(seeds, moves, strict=True):
                _draw(seed, count)
        return drawn

    turns = in_turns(ROUNDS, play, draw)
    note = f"{GAMES / least(turns)[0]:,.0f} a second of {sum(moves) / GAMES:.0f} moves"
    yield Figure("towns", ratio(turns), bar=28, unit="x", note=note)
    yield against("towns_open_spiel", play, GAMES, bar=2.0, package="open_spiel/maedn", games=5)
    towns = [_game_at_cards(number).town() for number in range(20)]

    def ask() -> Spent:
        with timed() as asked:
            for town in towns:
                for number in range(len(town.runners[0])):
                    odds(town, RULES, 0, number)
        return asked

    asked = in_turns(ROUNDS, ask, play)
    milliseconds = 1000 * least(asked)[0] / len(towns)
    note = f"{len(towns[0].runners[0])} runners in {milliseconds:.2f} ms; x a random game"
    yield Figure("town_odds", ratio(asked) * GAMES / len(towns), bar=3.0, unit="x", note=note)


def _play(seed: Seed, random: Callable[[], float]) -> Game:
    game = Game.new(RULES, PLAYERS, seed)
    game.play_out(random)
    assert game.places
    return game


def _draw(seed: Seed, moves: int) -> None:
    chance = seed.chance("moves")
    for _ in range(moves):
        chance.below(6)


def _game_at_cards(number: int) -> Game:
    """Return the game in the most expensive state for the odds, which a page needs at once."""
    game = Game.new(RULES, 2, Seed(number.to_bytes(32, "big")))
    chance = Seed(bytes(32)).chance("ones")
    while game.phase is not Phase.CARDS:
        game.play(random_move(game, chance))
    return game
