"""The own hand and what is asked: a card and its targets, 1s to place, cards to put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Ask, Card, Effect, View, offers
from eltoro.stage.marks import runner_id
from eltoro.stage.targets import Targets, read_targets, targets
from eltoro.words import card_name, card_sentence, kind_of_card, space_name

PLAY, START, DISCARD = "play", "start", "discard"
"""What the buttons of the form say they do (field `do`)."""

AIMLESS: Final = frozenset({Effect.ROLL_ALL, Effect.DRAW, Effect.POINTS, Effect.BRAVE})
"""Effects of cards that are aimed at nothing."""

PLACE: Final = "start-"
DROP: Final = "drop-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A kind of card in the hand, so often; `picker`: the number of its list of targets.

    `idle`: it would be aimed at something, and there is nothing.
    `effect`, `bull`, `name`, `sentence` and `count` are what `eltoro/_card.html` draws.
    """

    key: str
    name: str
    sentence: str
    effect: str
    bull: bool
    kind: str
    times: int
    up_to: int
    picker: int
    place: int = 0
    idle: bool = False
    checked: bool = False
    count: int = 0

    @property
    def value(self) -> str:
        """What the form says when it is chosen."""
        return f"{self.key}/{self.picker}"

    @property
    def field(self) -> str:
        """The form's field that puts this card away."""
        return f"{DROP}{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picker:
    """A list of targets and what was ticked before."""

    number: int
    targets: Targets
    chosen: frozenset[str] = frozenset()
    face: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplaced:
    """An own runner that shows 1 and may begin anywhere: the spaces by key, name, chosen."""

    runner: str
    field: str
    number: int
    places: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What the seat holds, and, where it is to move, what it is asked."""

    ask: str
    hint: str
    cards: tuple[Held, ...]
    pickers: tuple[Picker, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()

    @property
    def taps(self) -> frozenset[str]:
        """Everything on the map that some card, or a 1, may be aimed at."""
        aims = {one.on for picker in self.pickers for one in picker.targets.choices}
        return frozenset(aims.union(key for one in self.unplaced for key, _name, _on in one.places))

    @property
    def count(self) -> int:
        """How many cards there are."""
        return sum(held.times for held in self.cards)


def hand(view: View, chosen: Mapping[str, str], names: Sequence[str]) -> Hand:
    """The hand of the view's own seat; `chosen` are the fields of a form that was refused."""
    asked = view.ask if view.turn == view.seat else None
    if asked is Ask.CARD:
        return _to_play(view, chosen, names)
    if asked is Ask.DISCARD:
        return Hand(ask=DISCARD, hint=_discard_hint(), cards=_one_by_one(view, chosen))
    if asked is Ask.START:
        return Hand(
            ask=START, hint=_start_hint(), cards=_counted(view), unplaced=_unplaced(view, chosen)
        )
    return Hand(ask="", hint="", cards=_counted(view))


def _discard_hint() -> str:
    return _("Discard the cards you don’t want: your hand is refilled before the morning.")


def _start_hint() -> str:
    return _("A runner that shows 1 starts wherever you like.")


def _kinds(view: View) -> list[int]:
    """The cards of the hand, each kind once, in the order of the hand."""
    return list(dict.fromkeys(view.hand))


def _counted(view: View) -> tuple[Held, ...]:
    return tuple(held(view.rules.cards[card], view.hand.count(card)) for card in _kinds(view))


def held(
    card: Card,
    times: int = 1,
    *,
    up_to: int = 0,
    picker: int = 0,
    place: int = 0,
    idle: bool = False,
    checked: bool = False,
) -> Held:
    """A kind of card as the page shows it."""
    return Held(
        key=card.key,
        name=card_name(card),
        sentence=card_sentence(card),
        effect=str(card.effect),
        bull=card.bull,
        kind=kind_of_card(card),
        times=times,
        up_to=up_to,
        picker=picker,
        place=place,
        idle=idle,
        checked=checked,
    )


def _one_by_one(view: View, chosen: Mapping[str, str]) -> tuple[Held, ...]:
    return tuple(
        held(view.rules.cards[card], place=place, checked=f"{DROP}{place}" in chosen)
        for place, card in enumerate(view.hand)
    )


def _to_play(view: View, chosen: Mapping[str, str], names: Sequence[str]) -> Hand:
    """Cards with their lists of targets; equal lists are one."""
    before = chosen.get("card", "").partition("/")[0]
    lists: dict[Targets, int] = {}
    cards = []
    for index in _kinds(view):
        card = view.rules.cards[index]
        offer = offers(view, index)
        aims = targets(view, offer, names, goes_round=card.goes_round)
        number = lists.setdefault(aims, len(lists))
        cards.append(
            held(
                card,
                view.hand.count(index),
                up_to=offer.up_to if aims else 0,
                picker=number,
                idle=card.effect not in AIMLESS and not aims,
                checked=card.key == before,
            )
        )
    pickers = tuple(_picker(number, aims, chosen) for aims, number in lists.items())
    return Hand(ask=PLAY, hint="", cards=tuple(cards), pickers=pickers)


def _picker(number: int, aims: Targets, chosen: Mapping[str, str]) -> Picker:
    own = {n.partition(".")[2]: v for n, v in chosen.items() if n.startswith(f"{number}.")}
    ticked = {name if value == "on" else value for name, value in own.items()}
    return Picker(number=number, targets=aims, chosen=frozenset(ticked), face=own.get("face", ""))


def _unplaced(view: View, chosen: Mapping[str, str]) -> tuple[Unplaced, ...]:
    assert view.seat is not None
    runners = enumerate(view.town.runners[view.seat])
    found = [number for number, die in runners if die is not None and die.space < 0]
    return tuple(_at_start(view, runner_id(view.seat, number), chosen) for number in found)


def _at_start(view: View, runner: str, chosen: Mapping[str, str]) -> Unplaced:
    field = f"{PLACE}{runner}"
    board = view.rules.board
    places = tuple(
        (board.spaces[n].key, space_name(view.rules, n), chosen.get(field) == board.spaces[n].key)
        for n in board.rows[0]
    )
    return Unplaced(runner=runner, field=field, number=int(runner[1:]), places=places)


def read_form(fields: Mapping[str, str]) -> str:
    """The move in notation that the form's fields say; it may still be no move at all."""
    if fields.get("move"):
        return fields["move"]
    do = fields.get("do", PLAY)
    if do == START:
        placed = [f"{n.removeprefix(PLACE)}>{v}" for n, v in fields.items() if n.startswith(PLACE)]
        return " ".join([START, *placed])
    if do == DISCARD:
        return " ".join([DISCARD, *(v for n, v in fields.items() if n.startswith(DROP))])
    return _read_card(fields)


def _read_card(fields: Mapping[str, str]) -> str:
    """Empty where no card is chosen."""
    key, _slash, picker = fields.get("card", "").partition("/")
    if not key:
        return ""
    return " ".join([PLAY, key, *read_targets(fields, picker)])


def all_hands(view: View, hands: Sequence[Sequence[int]]) -> list[tuple[int, list[str]]]:
    """By seat the names of the cards held: for replays."""
    cards = view.rules.cards
    return [(seat, [card_name(cards[card]) for card in held]) for seat, held in enumerate(hands)]
