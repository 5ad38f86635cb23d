"""The matador's card: his rating and the outcome of the numbers 1 to 100."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, TypeAlias

from corridas.engine.errors import CardError
from corridas.engine.ranges import HIGHEST, LOWEST, Range


class Trophy(IntEnum):
    """The trophies, in ascending order."""

    NONE = 0
    OREJA = 1
    DOS_OREJAS = 2
    RABO = 3

    @property
    def ears(self) -> int:
        """The number of ears."""
        return EARS[self]


# Ears by trophy: a tail counts as two ears and a tail (Ruling I-17).
EARS: Final = (0, 1, 2, 2)


class Crowd(IntEnum):
    """The verdict of the crowd on a lidia without a trophy, from the worst up."""

    BRONCA = 1
    PITOS = 2
    SILENCIO = 3
    DIVISION = 4
    APLAUSOS = 5
    OVACION = 6


TROPHY_RANGES = ("oreja", "dos_orejas", "rabo")
CROWD_RANGES = ("bronca", "pitos", "silencio", "division", "aplausos", "ovacion")
RANGES = (*TROPHY_RANGES, *CROWD_RANGES, "vuelta", "aviso", "indulto")
Outcome: TypeAlias = tuple[Trophy, bool, Crowd | None]
_BROUGHT: dict[str, tuple[Trophy, Crowd | None]] = {
    **{name: (Trophy(level), None) for level, name in enumerate(TROPHY_RANGES, start=1)},
    **{name: (Trophy.NONE, Crowd(level)) for level, name in enumerate(CROWD_RANGES, start=1)},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatadorCard:
    """One printed card (rulebook, The Matador Cards).

    The ranges of trophies and verdicts together cover 1 to 100 exactly once; VUELTA, AVISO and
    INDULTO are separate ranges (Ruling I-13). Matadors appear in the order of `rating`, 0 or more;
    among equal ratings the earlier `alternativa` goes first, then the order is by name and, for two
    of one name, by `key`. `appearance` is the key of that order (Ruling I-14), and `identity`, its
    last two members, tells two matadors apart. `key` is any text that belongs to one matador only;
    a card without namesakes needs none. Raises `CardError`, naming the card and its duplicate or
    missing numbers.
    """

    name: str
    key: str = field(default="", repr=False)
    rating: int
    alternativa: dt.date | None = None
    oreja: Range
    dos_orejas: Range
    rabo: Range
    vuelta: Range
    bronca: Range
    pitos: Range
    silencio: Range
    division: Range
    aplausos: Range
    ovacion: Range
    aviso: Range
    indulto: Range
    appearance: tuple[int, dt.date, str, str] = field(init=False, repr=False, compare=False)
    _outcomes: tuple[Outcome, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rating < 0:
            raise CardError("rating", self.name, rating=self.rating)
        self._check_bounds()
        owners: dict[int, str] = {}
        for name in (*TROPHY_RANGES, *CROWD_RANGES):
            self._claim(name, owners)
        gaps = [number for number in range(LOWEST, HIGHEST + 1) if number not in owners]
        if gaps:
            raise CardError("gap", self.name, numbers=spans(gaps))
        outcomes = [self._outcome(owners, number) for number in range(LOWEST, HIGHEST + 1)]
        object.__setattr__(self, "_outcomes", (outcomes[0], *outcomes))
        name = unicodedata.normalize("NFC", self.name)
        appearance = (-self.rating, self.alternativa or dt.date.max, name, self.key)
        object.__setattr__(self, "appearance", appearance)

    def _check_bounds(self) -> None:
        for name in RANGES:
            low, high = getattr(self, name)
            if low <= high and not LOWEST <= low <= high <= HIGHEST:
                raise CardError("bounds", self.name, range=name.upper(), low=low, high=high)

    def _claim(self, name: str, owners: dict[int, str]) -> None:
        extent: Range = getattr(self, name)
        for number in range(extent.low, extent.high + 1):
            if number in owners:
                one, other = owners[number].upper(), name.upper()
                raise CardError("twice", self.name, number=number, one=one, other=other)
            owners[number] = name

    def _outcome(self, owners: dict[int, str], number: int) -> Outcome:
        trophy, crowd = _BROUGHT[owners[number]]
        return trophy, number in self.vuelta, crowd

    @property
    def identity(self) -> tuple[str, str]:
        """The name in its NFC form and the key. Two matadors of one cartel differ in it."""
        return self.appearance[2:]

    @classmethod
    def parse(
        cls,
        name: str,
        rating: int,
        alternativa: dt.date | None,
        ranges: Mapping[str, str],
        key: str = "",
    ) -> MatadorCard:
        """Return the card with these ranges in notation."""
        parsed = {field: Range.parse(ranges[field]) for field in RANGES}
        return cls(name=name, key=key, rating=rating, alternativa=alternativa, **parsed)

    @classmethod
    def from_json(cls, card: Mapping[str, Any]) -> MatadorCard:
        """Return the card that `to_json` wrote."""
        day = card["alternativa"]
        alternativa = dt.date.fromisoformat(day) if day else None
        ranges, key = card["ranges"], card.get("key", "")
        return cls.parse(card["name"], card["rating"], alternativa, ranges, key)

    def to_json(self) -> dict[str, Any]:
        """Return the card as it stands in stakes, records and sheets, without its key.

        `cartel_json` adds the keys of namesakes.
        """
        return {
            "name": self.name,
            "rating": self.rating,
            "alternativa": self.alternativa.isoformat() if self.alternativa else None,
            "ranges": self.ranges(),
        }

    def face(self) -> dict[str, Any]:
        """Return what is printed on the card, as it stands in the year of a winter.

        The name and the alternativa stand beside it there, because they are the matador's.
        """
        return {"rating": self.rating, "ranges": self.ranges()}

    def outcome(self, number: int) -> Outcome:
        """Return the outcome of a final number 1 to 100: trophy, vuelta, or the crowd's verdict."""
        return self._outcomes[number]

    def ranges(self) -> dict[str, str]:
        """Return every range by name, in notation."""
        return {name: str(getattr(self, name)) for name in RANGES}


def cartel_json(
    cards: Iterable[MatadorCard],
    to_json: Callable[[MatadorCard], dict[str, Any]] = MatadorCard.to_json,
) -> list[dict[str, Any]]:
    """Return the cards of one cartel as JSON, each written by `to_json`.

    Only namesakes have their keys written (Ruling I-14). A commitment is a hash of this text, so a
    cartel without namesakes must be written as it was before cards had keys.
    """
    cards = list(cards)
    bearers = Counter(card.identity[0] for card in cards)
    return [
        {**to_json(card), "key": card.key} if bearers[card.identity[0]] > 1 else to_json(card)
        for card in cards
    ]


def spans(numbers: list[int]) -> str:
    """Format ascending numbers: `3`, `3-5`, `3-5, 9`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(Range(low, high)) for low, high in parts)
