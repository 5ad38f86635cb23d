"""Play random games with another package, in that package's own environment.

    python -I rival_hands.py dominoes | open_spiel | open_spiel/maedn

This script uses only the standard library besides the package. It writes the package's version. For
every number that it reads, it plays that many games and writes the processor seconds taken.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from random import Random

random = Random(1).random


def dominoes_hand() -> Callable[[], None]:
    game = import_module("dominoes").Game

    def hand() -> None:
        playing = game.new()
        while playing.result is None:
            moves = playing.valid_moves
            playing.make_move(*moves[int(random() * len(moves))])

    return hand


def open_spiel_game(name: str) -> Callable[[], None]:
    import_module("open_spiel.python.games")
    game = import_module("pyspiel").load_game(name)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        state.returns()

    return play


GAMES: dict[str, Callable[[], Callable[[], None]]] = {
    "dominoes": dominoes_hand,
    "open_spiel": lambda: open_spiel_game("python_team_dominoes"),
    "open_spiel/maedn": lambda: open_spiel_game("maedn(players=4)"),
}


def main(package: str) -> None:
    play = GAMES[package]()
    print(version(package.partition("/")[0]), flush=True)
    for line in sys.stdin:
        began = time.process_time()
        for _ in range(int(line)):
            play()
        print(time.process_time() - began, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
