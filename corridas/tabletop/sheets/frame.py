"""Judges the head of a sheet: plaza, date, cartel, bulls, and which player led which matador."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.engine import (
    BULLS,
    MATADORS,
    RANGES,
    CorridaSetup,
    Deck,
    EngineError,
    MatadorCard,
    Rules,
)
from corridas.tabletop.sheets.lines import Bull, ScoresheetLine, State, names_of
from corridas.tabletop.sheets.shape import at, excerpt, listed, mapping, whole

PLAZA_RATINGS: Final = (1, 3)
MAX_RATING: Final = 1000
MAX_NUMBER: Final = 999
MAX_NAME: Final = 60
MAX_SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """The head of a scoresheet as the referee read it.

    `setup` is None if plaza or cartel is invalid.
    """

    setup: CorridaSetup | None
    bulls: tuple[Bull, ...]
    leads: tuple[int, ...]
    lines: tuple[ScoresheetLine, ...]


def read_frame(rules: Rules, deck: Deck, sheet: JSON) -> Frame:
    content = mapping(sheet)
    lines: list[ScoresheetLine] = []
    rating = _plaza(content.get("plaza"), lines)
    _date(content.get("date"), lines)
    cards = _cartel(content.get("cartel"), lines)
    bulls = _bulls(content.get("bulls"), lines)
    leads = _leads(content.get("leads"), lines)
    setup = None
    if rating is not None and cards is not None:
        setup = _setup(rules, deck, rating, cards, lines)
    return Frame(setup, bulls, leads, tuple(lines))


def _wrong(
    path: str, figure: str, claimed: JSON, sentence: str, ruling: str = ""
) -> ScoresheetLine:
    state = State.MISSING if claimed in (None, "", [], {}) else State.CONTRADICTED
    text = excerpt(claimed)
    return ScoresheetLine(
        path=path, figure=figure, claimed=text, state=state, sentence=sentence, ruling=ruling
    )


def _name(value: JSON) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return text if text.isprintable() and len(text) <= MAX_NAME else ""


def _plaza(value: JSON, lines: list[ScoresheetLine]) -> int | None:
    plaza = mapping(value)
    if not _name(plaza.get("name")):
        lines.append(
            _wrong("plaza/name", _("plaza"), plaza.get("name"), _("Enter the name of the plaza."))
        )
    rating = whole(plaza.get("rating"), *PLAZA_RATINGS)
    if rating is None:
        sentence = _("The category of a plaza must be 1, 2 or 3.")
        fault = _wrong("plaza/rating", _("rating"), plaza.get("rating"), sentence, "I-12")
        lines.append(fault)
    return rating


def _date(value: JSON, lines: list[ScoresheetLine]) -> None:
    try:
        dt.date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        lines.append(_wrong("date", _("date"), value, _("Enter the date.")))


def _cartel(value: JSON, lines: list[ScoresheetLine]) -> tuple[MatadorCard, ...] | None:
    cards = [_card(place, mapping(at(value, place)), lines) for place in range(MATADORS)]
    if len(listed(value)) > MATADORS:
        sentence = _("A cartel needs three matadors.")
        lines.append(_wrong("cartel", _("cartel"), len(listed(value)), sentence, "I-14"))
        return None
    read = tuple(card for card in cards if card is not None)
    return read if len(read) == MATADORS else None


def _card(place: int, entry: Mapping[str, JSON], lines: list[ScoresheetLine]) -> MatadorCard | None:
    path, name, key = f"cartel/{place}", _name(entry.get("name")), _name(entry.get("key"))
    rating = whole(entry.get("rating"), 0, MAX_RATING)
    if not name or rating is None:
        claimed = entry.get("name") if not name else entry.get("rating")
        sentence = _("Enter a name and a rating of 0 or more for each matador.")
        lines.append(_wrong(path, _("cartel"), claimed, sentence, "I-14"))
        return None
    try:
        given = mapping(entry.get("ranges"))
        ranges = {
            range_name: text if isinstance(text := given.get(range_name), str) else ""
            for range_name in RANGES
        }
        day = entry.get("alternativa")
        if day is not None:
            day = dt.date.fromisoformat(day if isinstance(day, str) else "")
        return MatadorCard.parse(name, rating, day, ranges, key)
    except ValueError:
        sentence = _(
            "The card of %(name)s is not valid: its trophy and verdict ranges must cover "
            "every number from 1 to 100 exactly once."
        ) % {"name": name}
        lines.append(_wrong(f"{path}/ranges", _("card"), name, sentence, "I-13"))
        return None


def _setup(
    rules: Rules, deck: Deck, rating: int, cards: Sequence[MatadorCard], lines: list[ScoresheetLine]
) -> CorridaSetup | None:
    try:
        setup = CorridaSetup(rules=rules, deck=deck, plaza_rating=rating, matadors=tuple(cards))
    except EngineError:
        sentence = _("The same matador is on the cartel twice.")
        lines.append(_wrong("cartel", _("cartel"), list(names_of(cards)), sentence))
        return None
    names, names_due = names_of(cards), names_of(setup.order)
    for place, (name, due) in enumerate(zip(names, names_due, strict=True)):
        if cards[place] is not setup.order[place]:
            sentence = _(
                "Matadors appear in order of rating, the highest first. This place belongs "
                "to %(name)s."
            ) % {"name": due}
            lines.append(_wrong(f"cartel/{place}", _("cartel"), name, sentence, "I-14"))
            return None
    return setup


def _bulls(value: JSON, lines: list[ScoresheetLine]) -> tuple[Bull, ...]:
    bulls_read = [_bull(turn, mapping(at(value, turn)), lines) for turn in range(BULLS)]
    bulls = tuple(bull for bull in bulls_read if bull is not None)
    for turn, bull in enumerate(bulls):
        if len(bulls) == BULLS and bull in bulls[:turn]:
            sentence = _("%(bull)s is listed twice, but a bull only comes out once.") % {
                "bull": bull.name
            }
            lines.append(_wrong(f"bulls/{turn}", _("bull"), bull.name, sentence, "I-15"))
    if len(listed(value)) > BULLS:
        sentence = _("A corrida has six bulls.")
        lines.append(_wrong("bulls", _("bulls"), len(listed(value)), sentence, "I-14"))
    return bulls if len(bulls) == BULLS else ()


def _bull(turn: int, entry: Mapping[str, JSON], lines: list[ScoresheetLine]) -> Bull | None:
    name, number = _name(entry.get("name")), whole(entry.get("number"), 0, MAX_NUMBER)
    if name and number is not None:
        return Bull(name, number)
    claimed = entry.get("name") if not name else entry.get("number")
    sentence = _("Enter a name and a number from 0 to 999 for each bull.")
    lines.append(_wrong(f"bulls/{turn}", _("bull"), claimed, sentence))
    return None


def _leads(value: JSON, lines: list[ScoresheetLine]) -> tuple[int, ...]:
    leads = tuple(whole(seat, 0, MAX_SEATS - 1) for seat in listed(value)[: MATADORS + 1])
    if len(leads) == MATADORS and None not in leads:
        return tuple(seat for seat in leads if seat is not None)
    sentence = _("Choose who leads each matador.")
    lines.append(_wrong("leads", _("player"), value, sentence))
    return ()
