"""Roundabouts, plazas, destination cards and path signs of the map, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import pgettext

from eltoro.stage import sentences
from eltoro.stage.layout import NAME_OVERHANG, MapLayout, Plaza
from eltoro.stage.map_context import PARITIES, MapContext, sign_id, space_ids
from eltoro.stage.streets import FORK_SIZE, SIGN_HEIGHT, PathSign, place_signs
from leagues.members.marks import mark_of_seat

# Number of colours of roundabouts, which are used in turn.
COLOURS: Final = 5
# Width of a letter of a name, in drawing units.
LETTER_WIDTH: Final = 5.4
# Drawing units by which a name may be wider than a small roundabout on either side.
LABEL_PADDING: Final = 12
# Distance between a roundabout and the tap area of its path signs, in drawing units.
CLEAR: Final = 1
ICONS: Final = frozenset(
    {"restaurant", "nightclub", "pier", "bookstore", "china-shop", "festival", "casino", "bank"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle as values of SVG attributes."""

    x: str
    y: str
    width: str
    height: str


def box_from_corner(x: float, y: float, width: float, height: float) -> Box:
    return Box(x=f"{x:.5g}", y=f"{y:.5g}", width=f"{width:.5g}", height=f"{height:.5g}")


def box_around(x: float, y: float, width: float, height: float) -> Box:
    return box_from_corner(x - width / 2, y - height / 2, width, height)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Centred text. `fit`: width in drawing units into which the text is squeezed, or empty."""

    text: str
    x: str
    y: str
    fit: str = ""


def make_label(text: str, x: float, y: float, room: float, letter: float = LETTER_WIDTH) -> Label:
    """Return a label. It is squeezed only if the text is wider than `room`."""
    fit = f"{room:.4g}" if len(text) * letter > room else ""
    return Label(text=text, x=f"{x:.5g}", y=f"{y:.5g}", fit=fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPlaza:
    """A drawn roundabout, or a plaza with dice.

    `colour`: 1 to 5. `start`: the face on a starting space, otherwise empty.
    """

    key: str
    colour: int
    large: bool
    highlighted: bool
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
    """A drawn destination card, with the dice that arrived below its text.

    `chance`: the chance of the highlighted runner to arrive here, None if there is none.
    """

    key: str
    highlighted: bool
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
        middle = float(self.card.x) + float(self.card.width) / 2
        return box_around(middle, float(self.card.y) - 10, 44, 18)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSign:
    """A drawn path sign, with the seat and letter of its token if there is a token on it."""

    id: str
    parity: str
    plate: Box
    word: Label
    highlighted: bool
    wanted: bool
    seat: int | None
    letter: str
    pennant: str

    @property
    def mark(self) -> int:
        return mark_of_seat(self.seat or 0) + 1


def draw_plazas(sight: MapContext, plan: MapLayout) -> tuple[DrawnPlaza, ...]:
    """Return all spaces except destinations, and the place of unplaced dice, ready to be drawn."""
    last = sight.board.steps
    plazas = [
        _draw_plaza(sight, index, plan.plazas[index])
        for index, space in enumerate(sight.board.spaces)
        if space.row != last
    ]
    if plan.gate is not None:
        plazas.append(_draw_plaza(sight, -1, plan.gate))
    return tuple(plazas)


def _draw_plaza(sight: MapContext, index: int, plaza: Plaza) -> DrawnPlaza:
    key, name = sight.key(index), sight.space(index)
    is_start = index >= 0 and sight.board.spaces[index].row == 0
    room = plaza.width if plaza.large else plaza.width + 2 * LABEL_PADDING
    width = min(len(name) * LETTER_WIDTH + 9, room)
    plaque = (
        None
        if is_start and not plaza.large
        else box_around(plaza.x, plaza.top, width, 2 * NAME_OVERHANG)
    )
    return DrawnPlaza(
        key=key,
        colour=index % COLOURS + 1,
        large=plaza.large,
        highlighted=sight.marks.highlighted in space_ids(key),
        wanted=sight.asks_for(*space_ids(key)),
        x=f"{plaza.x:.5g}",
        y=f"{plaza.middle:.5g}",
        kerb=box_around(plaza.x, plaza.middle, plaza.width + 5, plaza.height + 5),
        paving=box_around(plaza.x, plaza.middle, plaza.width, plaza.height),
        start=name if is_start and not plaza.large else "",
        plaque=plaque,
        name=make_label(name, plaza.x, plaza.top + 4, width - 5),
    )


def draw_cards(sight: MapContext, plan: MapLayout) -> tuple[DrawnCard, ...]:
    row = sight.board.rows[-1]
    laid = sight.town.destinations or (None,) * len(row)
    return tuple(
        _draw_card(sight, index, plan.plazas[index], kind)
        for index, kind in zip(row, laid, strict=False)
    )


def _draw_card(sight: MapContext, index: int, plaza: Plaza, kind: int | None) -> DrawnCard:
    key = sight.key(index)
    card = None if kind is None else sight.rules.destinations[kind]
    room = plaza.width - 6
    effect = sentences.destination_effect(card) if card else ""
    return DrawnCard(
        key=key,
        highlighted=sight.marks.highlighted in space_ids(key),
        wanted=sight.asks_for(*space_ids(key)),
        card=box_from_corner(plaza.left, plaza.top, plaza.width, plaza.height),
        head=box_from_corner(plaza.left, plaza.top, plaza.width, 36),
        icon=card.key if card and card.key in ICONS else "any",
        icon_at=f"translate({plaza.x - min(plaza.width, 80) / 4:.5g} {plaza.top + 18:.5g})",
        points=make_label(
            str(card.points) if card else "", plaza.x + min(plaza.width, 80) / 4, plaza.top + 30, 40
        ),
        name=make_label(sight.space(index), plaza.x, plaza.top + 52, room, 5.4),
        effect=make_label(effect, plaza.x, plaza.top + 71, room, 4.9),
        chance=_chance_label(sight, key, plaza),
    )


def _chance_label(sight: MapContext, key: str, plaza: Plaza) -> Label | None:
    way = sight.marks.way
    if way is None or key not in way.arrives:
        return None
    return make_label(percent_text(way.arrives[key]), plaza.x, plaza.top - 5.6, plaza.width)


def percent_text(chance: float) -> str:
    """Return a chance between 0 and 1 as a percentage. A chance that is possible but not certain is
    never rounded to 0 % or 100 %.
    """
    if 0 < chance < 0.01:
        return "<1\N{NO-BREAK SPACE}%"
    if 0.99 < chance < 1:
        return ">99\N{NO-BREAK SPACE}%"
    return f"{chance * 100:.0f}\N{NO-BREAK SPACE}%"


def sign_words() -> tuple[str, str]:
    return pgettext("path sign", "EVEN"), pgettext("path sign", "ODD")


def draw_signs(sight: MapContext, plan: MapLayout) -> tuple[DrawnSign, ...]:
    spoken = sign_words()
    return tuple(_draw_sign(sight, sign, spoken) for sign in place_signs(sight.board, plan, spoken))


def _draw_sign(sight: MapContext, sign: PathSign, spoken: tuple[str, str]) -> DrawnSign:
    identity = sign_id(sight.key(sign.space), sign.parity)
    seat = sight.town.tokens.get((sign.space, sign.parity))
    word = spoken[sign.parity]
    return DrawnSign(
        id=identity,
        parity=PARITIES[sign.parity],
        plate=box_around(sign.x, sign.y, sign.width, SIGN_HEIGHT),
        word=make_label(word, sign.x, sign.y + 3.8, sign.width - 3),
        highlighted=sight.marks.highlighted == identity,
        wanted=sight.asks_for(identity),
        seat=seat,
        letter=sight.letter(seat) if seat is not None else "",
        pennant=f"translate({sign.x:.5g} {sign.y + 15:.5g})",
    )


def fork_box(plaza: Plaza) -> Box:
    wide, high = FORK_SIZE
    return box_from_corner(plaza.x - wide / 2, plaza.bottom + CLEAR, wide, high)
