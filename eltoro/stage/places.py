"""Roundabouts, plazas, destination cards and path signs, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import pgettext

from eltoro import words
from eltoro.stage.geometry import PLAQUE, Plan, Plaza
from eltoro.stage.marks import PARITIES, sign_id, space_ids
from eltoro.stage.sight import Sight
from eltoro.stage.streets import FORK, SIGN_HIGH, Sign, signs
from leagues.members.marks import mark_of_seat

COLOURS: Final = 5
"""So many colours of roundabouts, one after the other."""
LETTER: Final = 5.4
"""Units that a letter of a name is wide."""
ROOM: Final = 12
"""Units by which a name may be wider than a small roundabout, at either side."""
CLEAR: Final = 1
"""Units between a roundabout and what is tapped of its signs."""
ICONS: Final = frozenset(
    {"restaurant", "nightclub", "pier", "bookstore", "china-shop", "festival", "casino", "bank"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle as attributes of a drawing."""

    x: str
    y: str
    width: str
    height: str


def box(x: float, y: float, width: float, height: float) -> Box:
    """A rectangle from its left upper corner."""
    return Box(x=f"{x:.5g}", y=f"{y:.5g}", width=f"{width:.5g}", height=f"{height:.5g}")


def about(x: float, y: float, width: float, height: float) -> Box:
    """A rectangle about its middle."""
    return box(x - width / 2, y - height / 2, width, height)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A line of lettering at its middle; `fit`: units it is squeezed into, or nothing."""

    text: str
    x: str
    y: str
    fit: str = ""


def label(text: str, x: float, y: float, room: float, letter: float = LETTER) -> Label:
    """Lettering that is squeezed only where it would be wider than its room."""
    fit = f"{room:.4g}" if len(text) * letter > room else ""
    return Label(text=text, x=f"{x:.5g}", y=f"{y:.5g}", fit=fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPlaza:
    """A roundabout, or a plaza with dice. `colour`: 1 to 5. `start`: the number of a start."""

    key: str
    colour: int
    large: bool
    shown: bool
    wanted: bool
    x: str
    y: str
    kerb: Box
    paving: Box
    start: str
    plaque: Box | None
    name: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCard:
    """A destination: its card, and below what it says the dice that arrived.

    `chance`: how likely the runner that is shown arrives here, in words; empty without one.
    """

    key: str
    shown: bool
    wanted: bool
    card: Box
    head: Box
    icon: str
    icon_at: str
    points: Label
    name: Label
    effect: Label
    chance: Label | None

    @property
    def chance_box(self) -> Box:
        """The plate of the chance."""
        middle = float(self.card.x) + float(self.card.width) / 2
        return about(middle, float(self.card.y) - 10, 44, 18)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSign:
    """A path sign, with the token on it, if there is one: its player's seat and letter."""

    id: str
    parity: str
    plate: Box
    word: Label
    shown: bool
    wanted: bool
    seat: int | None
    letter: str
    pennant: str

    @property
    def mark(self) -> int:
        """Which of the six marks the token bears, from 1."""
        return mark_of_seat(self.seat or 0) + 1


def plazas(sight: Sight, plan: Plan) -> tuple[DrawnPlaza, ...]:
    """Every space but the destinations, and the gate."""
    last = sight.board.steps
    found = [
        _plaza(sight, index, plan.plazas[index])
        for index, space in enumerate(sight.board.spaces)
        if space.row != last
    ]
    if plan.gate is not None:
        found.append(_plaza(sight, -1, plan.gate))
    return tuple(found)


def _plaza(sight: Sight, index: int, plaza: Plaza) -> DrawnPlaza:
    key, name = sight.key(index), sight.space(index)
    is_start = index >= 0 and sight.board.spaces[index].row == 0
    room = plaza.width if plaza.large else plaza.width + 2 * ROOM
    width = min(len(name) * LETTER + 9, room)
    plaque = None if is_start and not plaza.large else about(plaza.x, plaza.top, width, 2 * PLAQUE)
    return DrawnPlaza(
        key=key,
        colour=index % COLOURS + 1,
        large=plaza.large,
        shown=sight.marks.shown in space_ids(key),
        wanted=sight.asks_for(*space_ids(key)),
        x=f"{plaza.x:.5g}",
        y=f"{plaza.middle:.5g}",
        kerb=about(plaza.x, plaza.middle, plaza.width + 5, plaza.height + 5),
        paving=about(plaza.x, plaza.middle, plaza.width, plaza.height),
        start=name if is_start and not plaza.large else "",
        plaque=plaque,
        name=label(name, plaza.x, plaza.top + 4, width - 5),
    )


def cards(sight: Sight, plan: Plan) -> tuple[DrawnCard, ...]:
    """The destinations of the day, from d1 to d5."""
    row = sight.board.rows[-1]
    laid = sight.town.destinations or (None,) * len(row)
    return tuple(
        _card(sight, index, plan.plazas[index], kind)
        for index, kind in zip(row, laid, strict=False)
    )


def _card(sight: Sight, index: int, plaza: Plaza, kind: int | None) -> DrawnCard:
    key = sight.key(index)
    card = None if kind is None else sight.rules.destinations[kind]
    room = plaza.width - 6
    effect = words.destination_effect(card) if card else ""
    return DrawnCard(
        key=key,
        shown=sight.marks.shown in space_ids(key),
        wanted=sight.asks_for(*space_ids(key)),
        card=box(plaza.left, plaza.top, plaza.width, plaza.height),
        head=box(plaza.left, plaza.top, plaza.width, 36),
        icon=card.key if card and card.key in ICONS else "any",
        icon_at=f"translate({plaza.x - min(plaza.width, 80) / 4:.5g} {plaza.top + 18:.5g})",
        points=label(
            str(card.points) if card else "", plaza.x + min(plaza.width, 80) / 4, plaza.top + 30, 40
        ),
        name=label(sight.space(index), plaza.x, plaza.top + 52, room, 5.4),
        effect=label(effect, plaza.x, plaza.top + 71, room, 4.9),
        chance=_chance(sight, key, plaza),
    )


def _chance(sight: Sight, key: str, plaza: Plaza) -> Label | None:
    """How likely the runner that is shown arrives here."""
    way = sight.marks.way
    if way is None or key not in way.arrives:
        return None
    return label(percent(way.arrives[key]), plaza.x, plaza.top - 5.6, plaza.width)


def percent(chance: float) -> str:
    """A chance between 0 and 1 in words, never rounded to certainty."""
    if 0 < chance < 0.01:
        return "<1\N{NO-BREAK SPACE}%"
    if 0.99 < chance < 1:
        return ">99\N{NO-BREAK SPACE}%"
    return f"{chance * 100:.0f}\N{NO-BREAK SPACE}%"


def sign_words() -> tuple[str, str]:
    """What stands on an even and on an odd sign."""
    return pgettext("path sign", "EVEN"), pgettext("path sign", "ODD")


def drawn_signs(sight: Sight, plan: Plan) -> tuple[DrawnSign, ...]:
    """Every path sign with its token."""
    spoken = sign_words()
    return tuple(_sign(sight, sign, spoken) for sign in signs(sight.board, plan, spoken))


def _sign(sight: Sight, sign: Sign, spoken: tuple[str, str]) -> DrawnSign:
    identity = sign_id(sight.key(sign.space), sign.parity)
    seat = sight.town.tokens.get((sign.space, sign.parity))
    word = spoken[sign.parity]
    return DrawnSign(
        id=identity,
        parity=PARITIES[sign.parity],
        plate=about(sign.x, sign.y, sign.width, SIGN_HIGH),
        word=label(word, sign.x, sign.y + 3.8, sign.width - 3),
        shown=sight.marks.shown == identity,
        wanted=sight.asks_for(identity),
        seat=seat,
        letter=sight.letter(seat) if seat is not None else "",
        pennant=f"translate({sign.x:.5g} {sign.y + 15:.5g})",
    )


def fork_box(plaza: Plaza) -> Box:
    """What is tapped to come to the two signs of a fork."""
    wide, high = FORK
    return box(plaza.x - wide / 2, plaza.bottom + CLEAR, wide, high)
