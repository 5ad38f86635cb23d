"""Random hands of dominoes as text, and which of their moves the oracle accepts.

Leads are written with the higher half on the left. With the rule `crosswise_stub`, a matador is
written as if it lay in line. Both are the notation of the engine.
"""

from __future__ import annotations

from fairness import Chance
from tests.dominoes.oracle.hand import (
    Hand,
    Move,
    RefusedMoveError,
    is_over,
    legal_moves,
    make_move,
    possible_leaders,
)
from tests.dominoes.oracle.mutations import Log
from tests.dominoes.oracle.placing import TilePlacement
from tests.dominoes.oracle.reading import move, move_text
from tests.dominoes.oracle.rule_sets import ALL_CHOICES, some_options, some_players
from tests.dominoes.oracle.tiles import Options, all_tiles, is_matador

# Highest halves of the sets in these tests. Most are small, because mistakes then have more effect
# and tests are faster.
SETS = [2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 6, 9]


def some_rules(chance: Chance) -> Options:
    """Return a random combination of options with one of the sets in `SETS`."""
    choices = chance.pick(ALL_CHOICES)
    return some_options(choices, chance.pick(SETS), chance)


def some_deal(rules: Options, chance: Chance) -> Hand:
    """Return a random deal with a leader that the rules allow."""
    players, size = some_players(rules, chance), rules["hand_size"]
    tiles = chance.shuffled(all_tiles(rules["highest"]))
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(players)]
    leaders = possible_leaders(rules, hands, [], None)
    return Hand(rules, hands, tiles[players * size :], chance.pick(leaders))


def deal_at_random(rules: Options, players: int, chance: Chance) -> Hand:
    """Return a random deal for this number of players with any leader."""
    tiles, size = chance.shuffled(all_tiles(rules["highest"])), rules["hand_size"]
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(players)]
    return Hand(rules, hands, tiles[players * size :], chance.below(players))


def copied(hand: Hand) -> Hand:
    """Return the same deal without any moves."""
    return Hand(hand.rules, [list(held) for held in hand.hands], list(hand.boneyard), hand.turn)


def play_at_random(hand: Hand, chance: Chance) -> Log:
    """Play random legal moves to the end of the hand and return them as text."""
    while not is_over(hand):
        legal = [m for m in legal_moves(hand) if m.kind != "lead" or higher_half_first(m)]
        make_move(hand, chance.pick(legal))
    return [on_paper(made) for _, made in hand.log]


def higher_half_first(lead: Move) -> bool:
    """Return whether a lead is written with its higher half on the left."""
    return lead.tile is not None and lead.tile[0] >= lead.tile[1]


def on_paper(made: Move) -> str:
    """Return a move as text.

    Under `crosswise_stub`, a matador lying across is written like a tile in line (Ruling D-9).
    """
    stub = made.way is not None and made.way.inward is not None
    return move_text(made).replace("+", "|") if stub else move_text(made)


def off_paper(text: str, rules: Options) -> Move:
    """Parse a written move.

    Raises `ValueError` if the text is not a move.
    """
    read = move(text, rules)
    if read.kind == "lead" and not higher_half_first(read):
        raise ValueError(text)
    if rules["matadors"] != "crosswise_stub" or read.tile is None or read.way is None:
        return read
    if read.way.across:
        return read._replace(way=TilePlacement(None, None, across=True))
    across = is_matador(read.tile, rules["highest"])
    return read._replace(way=read.way._replace(across=across))


def legal_start(hand: Hand, log: Log) -> int:
    """Return how many moves of the log are legal before the first invalid or illegal one."""
    for at, text in enumerate(log):
        try:
            make_move(hand, off_paper(text, hand.rules))
        except (RefusedMoveError, ValueError):
            return at
    return len(log)
