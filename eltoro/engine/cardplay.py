"""A card is played: out of the hand, what it does, and whose turn follows (Ruling E-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eltoro.engine.course import end_step
from eltoro.engine.errors import IllegalMove
from eltoro.engine.events import CardPlayed
from eltoro.engine.moves import Made, Move

if TYPE_CHECKING:
    from eltoro.engine.game import Game


def play_card(game: Game, seat: int, move: Move) -> None:
    """Play a card of whose turn it is; `IllegalMove` where it cannot be, nothing changed."""
    made = move.made
    if made is None or made.roster is not game.roster or made.seat != seat:
        made = _make_out(game, seat, move)
    _, _, index, aimed = made
    hand = game.hands[seat]
    if index not in hand:
        raise IllegalMove("not_held", card=move.card)
    if aimed:
        card, check, act, _, _ = game.tables.acts[index]
        if check is not None:
            check(game, seat, card, aimed)
    game.record.append(move)
    hand.remove(index)
    if game.witness:
        game.tell(CardPlayed(seat, index, move))
    if aimed:
        act(game, seat, card, aimed)
    game.discards.append(index)
    _go_on(game, seat)


def _go_on(game: Game, seat: int) -> None:
    """The next in turn order who holds a card, or the end of the step (Ruling E-4)."""
    hands, following, first = game.hands, game.following, game.first
    seat = following[seat]
    while seat != first:
        if hands[seat]:
            game.turn = seat
            return
        seat = following[seat]
    end_step(game)


def _make_out(game: Game, seat: int, move: Move) -> Made:
    """What the words of a move mean today."""
    index = game.tables.by_key.get(move.card, -1)
    if index not in game.hands[seat]:
        raise IllegalMove("not_held" if index >= 0 else "no_card", card=move.card)
    card, play = game.tables.cards[index], game.tables.plays[index]
    aimed = play.read(game.roster, seat, card, move.targets)
    move.keep(made := Made(game.roster, seat, index, aimed))
    return made
