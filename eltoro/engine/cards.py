"""The action cards: what each does, read from a file (Rulings E-4 and E-10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from eltoro.engine.errors import DataError
from eltoro.engine.lines import Line, read_lines

DECK_SIZE: Final = 52
HAND_SIZE: Final = 5
COLUMNS: Final = ("card", "count", "effect", "amount", "whose", "round", "name", "name_es")


class Effect(StrEnum):
    """What a card does; the plan of each is in `docs/rules/eltoro.md`."""

    ROLL = "roll"
    ROLL_SPACE = "roll-space"
    ROLL_ALL = "roll-all"
    TURN = "turn"
    FLIP = "flip"
    ODD = "odd"
    EVEN = "even"
    SET = "set"
    SWAP = "swap"
    BULL_ROLL = "bull-roll"
    BULL_ROLL_SPACE = "bull-roll-space"
    BULL_TURN = "bull-turn"
    BULL_FLIP = "bull-flip"
    BULL_LEAD = "bull-lead"
    BULL_ADD = "bull-add"
    SIGN = "sign"
    UNSIGN = "unsign"
    DRAW = "draw"
    POINTS = "points"
    BRAVE = "brave"


class Whose(StrEnum):
    """Whose runners a card is for."""

    OWN = "own"
    OTHER = "other"
    ANY = "any"


BULLS: Final = frozenset(effect for effect in Effect if effect.startswith("bull"))
UNCOUNTED: Final = frozenset({Effect.ROLL_SPACE, Effect.ROLL_ALL, Effect.BULL_ROLL_SPACE})
"""Effects that are not for so many, but for all of a place."""
ROUNDS: Final = frozenset({Effect.TURN, Effect.BULL_TURN})
OWN_ONLY: Final = frozenset({Effect.ROLL_ALL, Effect.SWAP})
RUNNERS: Final = OWN_ONLY | frozenset(
    {Effect.ROLL, Effect.ROLL_SPACE, Effect.TURN, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET}
)
"""Effects on runners: their cards say whose."""


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of action card.

    `count`: how many of the 52 are such. `amount`: how many it is for, or points, or cards drawn;
    0 where all of a place are meant. `whose`: `None` for cards that are for no runner.
    `goes_round`: whether a die is turned past 6 to 1, and back. The names are for people.
    """

    key: str
    count: int
    effect: Effect
    amount: int
    whose: Whose | None
    goes_round: bool
    name: str
    name_es: str

    @property
    def bull(self) -> bool:
        """Whether it shows a bull: it affects one or more of them."""
        return self.effect in BULLS


def read_cards(text: str, source: str = "cards") -> tuple[Card, ...]:
    """The kinds of cards in this text, as listed.

    Raises `DataError` with file, line and rule: an unknown effect, an amount missing, not 52.
    """
    cards = tuple(map(_card, read_lines(text, source, COLUMNS)))
    count = sum(card.count for card in cards)
    if count != DECK_SIZE:
        raise DataError("cards", source, 0, wanted=DECK_SIZE, count=count)
    return cards


def _card(line: Line) -> Card:
    if line["effect"] not in set(Effect):
        raise line.wrong("effect", effect=line["effect"])
    effect = Effect(line["effect"])
    return Card(
        key=line.key("card"),
        count=count_of(line),
        effect=effect,
        amount=_amount(line, effect),
        whose=_whose(line, effect),
        goes_round=_goes_round(line, effect),
        name=line["name"],
        name_es=line["name_es"],
    )


def count_of(line: Line) -> int:
    """How many cards of a kind there are; at least one."""
    count = line.whole("count")
    if count < 1:
        raise line.wrong("count")
    return count


def _amount(line: Line, effect: Effect) -> int:
    if effect in UNCOUNTED:
        if line["amount"]:
            raise line.wrong("no_amount", effect=effect.value)
        return 0
    if not line["amount"] or line.whole("amount") < 1:
        raise line.wrong("amount", effect=effect.value, least=1)
    return line.whole("amount")


def _whose(line: Line, effect: Effect) -> Whose | None:
    """Whose runners; some effects leave no choice, and those on bulls and signs ask nobody."""
    wanted = [""]
    if effect in RUNNERS:
        wanted = ["own"] if effect in OWN_ONLY else list(Whose)
    if line["whose"] not in wanted:
        told = ", ".join(wanted) or "nobody in particular"
        raise line.wrong("whose", effect=effect.value, wanted=told, value=line["whose"])
    return Whose(line["whose"]) if line["whose"] else None


def _goes_round(line: Line, effect: Effect) -> bool:
    if line["round"] not in ("", "yes") or (line["round"] and effect not in ROUNDS):
        raise line.wrong("round")
    return line["round"] == "yes"


def copies(counts: Iterator[int]) -> list[int]:
    """The index of every single card, as the file lists them: each kind count times."""
    return [index for index, count in enumerate(counts) for _ in range(count)]
