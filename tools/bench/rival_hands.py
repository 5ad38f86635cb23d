"""Play random hands with another package, in that package's own environment.

    python -I rival_hands.py dominoes | open_spiel | open_spiel/maedn

This script uses only the standard library besides the package. It writes the package's version. For
every number that it reads, it plays that many hands and writes the seconds of processor time and
real time taken.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from random import Random

SEED = 1


def dominoes_hand() -> Callable[[], None]:
    game, random = import_module("dominoes").Game, Random(SEED).random

    def hand() -> None:
        playing = game.new()
        while playing.result is None:
            moves = playing.valid_moves
            playing.make_move(*moves[int(random() * len(moves))])

    return hand


def open_spiel_hand() -> Callable[[], None]:
    import_module("open_spiel.python.games")
    return open_spiel_game("python_team_dominoes")


def open_spiel_game(name: str) -> Callable[[], None]:
    game, random = import_module("pyspiel").load_game(name), Random(SEED).random

    def hand() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        state.returns()

    return hand


def maedn_game() -> Callable[[], None]:
    return open_spiel_game("maedn(players=4)")


HANDS = {
    "dominoes": dominoes_hand,
    "open_spiel": open_spiel_hand,
    "open_spiel/maedn": maedn_game,
}


def main(package: str) -> None:
    hand = HANDS[package]()
    print(version(package.partition("/")[0]), flush=True)
    for line in sys.stdin:
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(int(line)):
            hand()
        print(time.process_time() - cpu, time.perf_counter() - wall, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
