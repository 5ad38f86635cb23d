"""The evening: discards, the first-player token, the deal (Rulings E-7 and E-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eltoro.engine.cards import DECK_SIZE, HAND_SIZE
from eltoro.engine.errors import IllegalMove
from eltoro.engine.events import Dealt, Discarded, FirstTaken, Shuffled
from eltoro.engine.morning import begin_day
from eltoro.engine.moves import Ask, Move

if TYPE_CHECKING:
    from eltoro.engine.game import Game


def deal_first(game: Game) -> None:
    """The deck shuffled, everybody's first hand, the first morning."""
    game.deck = list(game.tables.deck)
    game.chance.shuffle(game.deck)
    if game.witness:
        game.tell(Shuffled(DECK_SIZE, again=False))
    _deal(game)
    begin_day(game)


def begin_evening(game: Game) -> None:
    """Who holds cards is asked, in turn order, which to put away."""
    _ask_to_discard(game, game.first)


def _ask_to_discard(game: Game, seat: int) -> None:
    while not game.hands[seat]:
        seat = game.following[seat]
        if seat == game.first:
            end_evening(game)
            return
    game.turn, game.ask = seat, Ask.DISCARD


def discard(game: Game, seat: int, move: Move) -> None:
    """As many cards as one likes (Ruling E-8)."""
    kept, away = game.hands[seat].copy(), []
    for key in move.targets:
        index = game.tables.by_key.get(key, -1)
        if index not in kept:
            raise IllegalMove("not_held" if index >= 0 else "no_card", card=key)
        kept.remove(index)
        away.append(index)
    game.record.append(move)
    put_away(game, seat, kept, away)


def put_away(game: Game, seat: int, kept: list[int], away: list[int]) -> None:
    """What is left of a hand, and what goes; then the next who holds cards is asked."""
    game.hands[seat] = kept
    game.discards += away
    if game.witness:
        game.tell(Discarded(seat, len(away)))
    left = game.following[seat]
    if left == game.first:
        end_evening(game)
    else:
        _ask_to_discard(game, left)


def end_evening(game: Game) -> None:
    """A destination may give the token away; then the deal, and the next morning."""
    game.turn = game.ask = None
    if any(game.effects):
        _take_first(game)
    _deal(game)
    game.day += 1
    begin_day(game)


def _take_first(game: Game) -> None:
    """The first in turn order whom a destination grants it takes the token (Ruling E-7)."""
    works = game.tables.works
    for seat in game.orders[game.first]:
        if works[game.effects[seat]].first:
            game.first = seat
            if game.witness:
                game.tell(FirstTaken(seat))
            return


def _deal(game: Game) -> None:
    """Everybody's hand filled at once, from the first player on (Ruling E-8)."""
    hands, effects, works = game.hands, game.effects, game.tables.works
    for seat in game.orders[game.first]:
        size = HAND_SIZE
        if effects[seat]:
            size = max(0, size + works[effects[seat]].cards)
        count = take_cards(game, seat, size - len(hands[seat]))
        if game.witness:
            game.tell(Dealt(seat, count))


def take_cards(game: Game, seat: int, count: int) -> int:
    """Cards one by one from the deck into a hand; how many there were (Ruling E-8)."""
    hand, deck = game.hands[seat], game.deck
    if 0 < count <= len(deck):
        hand += deck[: -count - 1 : -1]
        del deck[-count:]
        return count
    for taken in range(count):
        if not game.deck and not _shuffle_again(game):
            return taken
        hand.append(game.deck.pop())
    return max(count, 0)


def _shuffle_again(game: Game) -> bool:
    """The discards become the deck, where there are any."""
    if not game.discards:
        return False
    game.deck += game.discards
    game.discards.clear()
    game.shuffles += 1
    game.seed.chance(f"deck/{game.shuffles}").shuffle(game.deck)
    if game.witness:
        game.tell(Shuffled(len(game.deck), again=True))
    return True
