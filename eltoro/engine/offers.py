"""The possible targets of an action card, for pages and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eltoro.engine.byte_view import ByteView
from eltoro.engine.cards import Card, Effect, RunnerOwner
from eltoro.engine.dice import BULL_NAMES, FACES, MAX_BULLS
from eltoro.engine.random_targets import free_signs, own_signs, runners_for, spaces_for, tokens_left
from eltoro.engine.town import View

SINGLE_RUNNER_EFFECTS = frozenset(
    {Effect.ROLL, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET, Effect.TURN}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The possible targets of a card in notation. A player may choose fewer targets or none.

    `up_to`: maximum number of targets. `runners`: possible runners, for a swap those of the player.
    `others`: runners of others to swap with. `bulls`: possible bulls. `turns`: for each runner or
    bull, its possible turns `+` and `-`. `spaces`: spaces that have dice, or where a bull may be
    added. `signs`: path signs where a token may be placed or removed. `own_signs`: signs from which
    the player must move a token if none is left (Ruling E-5). `neighbours`: for each bull, the
    spaces to which it may be moved.
    """

    effect: Effect
    up_to: int = 0
    runners: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bulls: tuple[str, ...] = ()
    turns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spaces: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    own_signs: tuple[str, ...] = ()
    neighbours: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def offers(view: View, card: int) -> Offer:
    """Return the possible targets of a card for the view's seat.

    `card` is an index in `rules.cards`. Raises `ValueError` for the view of a spectator.
    """
    if view.seat is None:
        raise ValueError("A watcher plays no card.")
    kind, seat, sight = view.rules.cards[card], view.seat, ByteView(view)
    if kind.effect in SINGLE_RUNNER_EFFECTS or kind.effect is Effect.SWAP:
        return _offer_runners(sight, seat, kind)
    if kind.effect in {Effect.SIGN, Effect.UNSIGN}:
        return _offer_signs(sight, seat, kind)
    if kind.effect in {Effect.ROLL_SPACE, Effect.BULL_ROLL_SPACE}:
        return Offer(
            effect=kind.effect, up_to=1, spaces=_keys(sight, spaces_for(sight, seat, kind))
        )
    if kind.bull:
        return _offer_bulls(sight, kind)
    return Offer(effect=kind.effect)


def _keys(sight: ByteView, spaces: Sequence[int]) -> tuple[str, ...]:
    every = sight.tables.rules.board.spaces
    return tuple(every[space].key for space in spaces)


def _offer_runners(sight: ByteView, seat: int, card: Card) -> Offer:
    names = sight.roster.names
    candidates = runners_for(sight, seat, card.whose)
    others = runners_for(sight, seat, RunnerOwner.OTHER) if card.effect is Effect.SWAP else ()
    turns = {}
    if card.effect is Effect.TURN:
        turns = {names[at]: turns_of(sight.dice[at], card) for at in candidates}
    return Offer(
        effect=card.effect,
        up_to=card.amount,
        runners=tuple(names[at] for at in candidates),
        others=tuple(names[at] for at in others),
        turns=turns,
    )


def turns_of(byte: int, card: Card) -> tuple[str, ...]:
    """Return the turns (`+`, `-`) that a card can make with a die (Ruling E-6)."""
    face = byte % FACES + 1
    up = card.goes_round or face < FACES
    down = card.goes_round or face > 1
    return ("+",) * up + ("-",) * down


def _offer_bulls(sight: ByteView, card: Card) -> Offer:
    board = sight.tables.rules.board
    names = BULL_NAMES[: len(sight.bulls)]
    if card.effect is Effect.BULL_ADD:
        spaces = board.rows[sight.step] if len(names) < MAX_BULLS else ()
        return Offer(effect=card.effect, up_to=card.amount, spaces=_keys(sight, spaces))
    turns, neighbours = {}, {}
    for name, byte in zip(names, sight.bulls, strict=True):
        if card.effect is Effect.BULL_TURN:
            turns[name] = turns_of(byte, card)
        elif card.effect is Effect.BULL_LEAD:
            neighbours[name] = _keys(sight, board.neighbours(byte // FACES))
    return Offer(
        effect=card.effect, up_to=card.amount, bulls=names, turns=turns, neighbours=neighbours
    )


def _offer_signs(sight: ByteView, seat: int, card: Card) -> Offer:
    write = sight.tables.rules.board.write_sign
    if card.effect is Effect.UNSIGN:
        signs = [sign for sign in sight.tables.rules.board.signs if sign in sight.tokens]
        return Offer(effect=card.effect, up_to=card.amount, signs=tuple(map(write, signs)))
    moved = () if tokens_left(sight, seat) else own_signs(sight, seat)
    return Offer(
        effect=card.effect,
        up_to=card.amount,
        signs=tuple(map(write, free_signs(sight, seat))),
        own_signs=tuple(map(write, moved)),
    )
