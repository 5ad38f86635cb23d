"""A matador's card: his rating, and the outcome of each number from 1 to 100."""

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
    """The trophies of a fight in ascending order: none, one ear, two ears, tail."""

    NONE = 0
    OREJA = 1
    DOS_OREJAS = 2
    RABO = 3

    @property
    def ears(self) -> int:
        """Number of ears in this trophy."""
        return EARS[self]


# Number of ears in each trophy. A tail includes two ears (Ruling I-17).
EARS: Final = (0, 1, 2, 2)


class Crowd(IntEnum):
    """The verdict of the crowd on a fight without a trophy, from worst to best."""

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
    """A matador's card with its ranges (rulebook, The Matador Cards).

    The ranges for trophies and verdicts together cover each number from 1 to 100 exactly once.
    VUELTA (lap of honour), AVISO (time warning) and INDULTO (bull spared) are additional ranges
    (Ruling I-13).

    `appearance` is the sort key for the order of appearance: highest `rating` first, then earliest
    `alternativa`, name, and `key` (Ruling I-14). `rating` is 0 or more. `key` is any text that is
    unique to the matador; it is only needed if two matadors have the same name.

    Raises `CardError`, which names the card and its duplicate or missing numbers.
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
        """The name in Unicode NFC form, and the key.

        It differs between the matadors of a corrida.
        """
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
        """Create a card from ranges in text form, such as `81-94`."""
        parsed = {field: Range.parse(ranges[field]) for field in RANGES}
        return cls(name=name, key=key, rating=rating, alternativa=alternativa, **parsed)

    @classmethod
    def from_json(cls, card: Mapping[str, Any]) -> MatadorCard:
        """Create a card from the JSON object written by `to_json`."""
        day = card["alternativa"]
        alternativa = dt.date.fromisoformat(day) if day else None
        ranges, key = card["ranges"], card.get("key", "")
        return cls.parse(card["name"], card["rating"], alternativa, ranges, key)

    def to_json(self) -> dict[str, object]:
        """Return the card as a JSON object for commitments, records and scoresheets.

        The key is left out. `cartel_json` adds it for matadors with the same name.
        """
        return {
            "name": self.name,
            "rating": self.rating,
            "alternativa": self.alternativa.isoformat() if self.alternativa else None,
            "ranges": self.ranges(),
        }

    def face(self) -> dict[str, object]:
        """Return the rating and the ranges for a winter's record of the card.

        The name and the alternativa are left out, because the winter's record has them as data of
        the matador.
        """
        return {"rating": self.rating, "ranges": self.ranges()}

    def outcome(self, number: int) -> Outcome:
        """Return the outcome of a final number (1-100): trophy, lap of honour, and crowd's
        verdict.
        """
        return self._outcomes[number]

    def ranges(self) -> dict[str, str]:
        """Return every range by name in text form, such as `81-94`."""
        return {name: str(getattr(self, name)) for name in RANGES}


def cartel_json(
    cards: Iterable[MatadorCard],
    to_json: Callable[[MatadorCard], dict[str, object]] = MatadorCard.to_json,
) -> list[dict[str, object]]:
    """Return the cards of a corrida's matadors as JSON objects, each written by `to_json`.

    A key is only included if two matadors have the same name (Ruling I-14). Commitments are hashes
    of this JSON, so it must stay the same as before keys existed in all other cases.
    """
    cards = list(cards)
    bearers = Counter(card.identity[0] for card in cards)
    return [
        {**to_json(card), "key": card.key} if bearers[card.identity[0]] > 1 else to_json(card)
        for card in cards
    ]


def spans(numbers: list[int]) -> str:
    """Format numbers in ascending order as ranges, such as `3-5, 9`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(Range(low, high)) for low, high in parts)
