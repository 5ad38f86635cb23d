"""Games of Running with the Bulls from written positions, with chosen hands, deck and dice."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.engine import PROFILES, DecisionKind, Event, Game, Move, Phase, Rules, write_town
from eltoro.engine.byte_view import die_to_byte
from eltoro.engine.effects import place_tokens, tables_of
from fairness import Seed
from tests.eltoro.notation import read_town

RULES = PROFILES["el-toro"]
SEED = Seed(bytes(range(32)))
ASKS = {
    Phase.MORNING: DecisionKind.START,
    Phase.CARDS: DecisionKind.CARD,
    Phase.EVENING: DecisionKind.DISCARD,
}


def table(
    town: str, hands: str = "", dice: Sequence[int] = (), deck: str = "", rules: Rules = RULES
) -> Game:
    """Return a game with this position, in which it is the turn of the first player.

    `hands` are separated by slashes. `dice` are the faces that will be rolled next. The last card
    of `deck` is drawn first.
    """
    shown = read_town(town, rules)
    players = len(shown.runners)
    game = Game.new(rules, players, SEED)
    keys = tables_of(rules).by_key
    game.day, game.step, game.phase, game.first = shown.day, shown.step, shown.phase, shown.first
    game.roster = tables_of(rules).roster(tuple(map(len, shown.runners)))
    game.dice = bytearray(die_to_byte(die) for row in shown.runners for die in row)
    game.bulls = bytearray(map(die_to_byte, shown.bulls))
    game.destinations = shown.destinations or game.destinations
    game.day_points = [list(points) for points in shown.day_points] or [[0] * players]
    game.effects = list(shown.effects)
    game.hands = [[keys[key] for key in hand.split()] for hand in hands.split("/")]
    game.hands += [[] for _ in range(players - len(game.hands))]
    game.deck, game.discards = [keys[key] for key in deck.split()], list(shown.discards)
    for sign, seat in shown.tokens.items():
        place_tokens(game, seat, rules.cards[0], [(sign, None)])
    game.turn, game.ask = shown.first, ASKS[shown.phase]
    load(game, dice)
    return game


def load(game: Game, dice: Sequence[int]) -> None:
    """Set the faces that the dice will show when they are rolled next."""
    game.throw_ahead(bytes(dice))


def events_of_move(game: Game, move: str) -> list[Event]:
    """Make a move and return the events that it causes."""
    told: list[Event] = []
    game.play(Move.read(move), witness=lambda event, _: told.append(event))
    return told


def runners(game: Game, seat: int = 0) -> str:
    """Return the runners of a seat in notation, without the letter of the seat."""
    lines = write_town(game.town(), game.rules).replace("\n", " | ").split(" | ")
    return next(line[2:] for line in lines if line.startswith(f"{'abcdef'[seat]} "))


def bulls(game: Game) -> str:
    """Return the bulls in notation."""
    lines = write_town(game.town(), game.rules).replace("\n", " | ").split(" | ")
    return next(line[2:] for line in lines if line.startswith("T "))
