"""The action cards and destination cards of El Toro, parsed from CSV (Rulings E-4, E-7, E-10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from eltoro.engine.csv_lines import CsvLine, read_lines
from eltoro.engine.errors import DataError

DECK_SIZE: Final = 52
HAND_SIZE: Final = 5
CARD_COLUMNS: Final = ("card", "count", "effect", "amount", "whose", "round", "name", "name_es")


class Effect(StrEnum):
    """The effect of an action card, as described in `docs/rules/eltoro.md`."""

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


class RunnerOwner(StrEnum):
    """The owners of the runners that a card may target."""

    OWN = "own"
    OTHER = "other"
    ANY = "any"


BULL_EFFECTS: Final = frozenset(effect for effect in Effect if effect.startswith("bull"))
# Effects on all dice of a space or of a player. Cards with these effects have no number of targets.
UNCOUNTED: Final = frozenset({Effect.ROLL_SPACE, Effect.ROLL_ALL, Effect.BULL_ROLL_SPACE})
CYCLIC_EFFECTS: Final = frozenset({Effect.TURN, Effect.BULL_TURN})
OWN_ONLY: Final = frozenset({Effect.ROLL_ALL, Effect.SWAP})
# Effects on runners. Cards with these effects define whose runners they may target.
RUNNER_EFFECTS: Final = OWN_ONLY | frozenset(
    {Effect.ROLL, Effect.ROLL_SPACE, Effect.TURN, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET}
)


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of action card.

    `count`: number of cards of this kind in the deck of 52. `amount`: number of targets, points or
    cards drawn, 0 if the card affects all dice of a space or a player. `whose`: the owners of
    runners that it may target, `None` if it does not affect runners. `goes_round`: True if it may
    turn dice from 6 to 1 and from 1 to 6. The names are only displayed.
    """

    key: str
    count: int
    effect: Effect
    amount: int
    whose: RunnerOwner | None
    goes_round: bool
    name: str
    name_es: str

    @property
    def bull(self) -> bool:
        """True if the card affects bulls."""
        return self.effect in BULL_EFFECTS


def read_cards(text: str, source: str = "cards") -> tuple[Card, ...]:
    """Parse the kinds of action cards. They have the order of the file.

    Raises `DataError` with file, line and ruling, for example if there are not 52 cards.
    """
    cards = tuple(map(_read_card, read_lines(text, source, CARD_COLUMNS)))
    count = sum(card.count for card in cards)
    if count != DECK_SIZE:
        raise DataError("cards", source, 0, wanted=DECK_SIZE, count=count)
    return cards


def _read_card(line: CsvLine) -> Card:
    if line["effect"] not in set(Effect):
        raise line.data_error("effect", effect=line["effect"])
    effect = Effect(line["effect"])
    return Card(
        key=line.key("card"),
        count=count_of(line),
        effect=effect,
        amount=_card_amount(line, effect),
        whose=_runner_owner(line, effect),
        goes_round=_goes_round(line, effect),
        name=line["name"],
        name_es=line["name_es"],
    )


def count_of(line: CsvLine) -> int:
    """Return the number of cards of a kind. Raises `DataError` if it is less than one."""
    count = line.whole_number("count")
    if count < 1:
        raise line.data_error("count")
    return count


def _card_amount(line: CsvLine, effect: Effect) -> int:
    if effect in UNCOUNTED:
        if line["amount"]:
            raise line.data_error("no_amount", effect=effect.value)
        return 0
    if not line["amount"] or line.whole_number("amount") < 1:
        raise line.data_error("amount", effect=effect.value, least=1)
    return line.whole_number("amount")


def _runner_owner(line: CsvLine, effect: Effect) -> RunnerOwner | None:
    """Return whose runners the card may target, or None.

    Some effects only allow a single value. Raises `DataError` for any other value.
    """
    wanted = [""]
    if effect in RUNNER_EFFECTS:
        wanted = ["own"] if effect in OWN_ONLY else list(RunnerOwner)
    if line["whose"] not in wanted:
        expected = ", ".join(wanted) or "nobody in particular"
        raise line.data_error("whose", effect=effect.value, wanted=expected, value=line["whose"])
    return RunnerOwner(line["whose"]) if line["whose"] else None


def _goes_round(line: CsvLine, effect: Effect) -> bool:
    if line["round"] not in ("", "yes") or (line["round"] and effect not in CYCLIC_EFFECTS):
        raise line.data_error("round")
    return line["round"] == "yes"


def card_indexes(counts: Iterator[int]) -> list[int]:
    """Return the kind (as index) of every single card, in the order of the file."""
    return [index for index, count in enumerate(counts) for _ in range(count)]


DESTINATION_CARDS: Final = 10
DESTINATION_COLUMNS: Final = (
    "destination",
    "count",
    "points",
    "effect",
    "amount",
    "name",
    "name_es",
)


class Bonus(StrEnum):
    """The effect of a destination on the next day (Ruling E-7).

    It counts once for each player who reached the destination.
    """

    RUNNER = "runner"
    CARD = "card"
    BULL = "bull"
    FIRST = "first"
    DIE = "die"
    POINTS = "points"


COUNTED_BONUSES: Final = frozenset({Bonus.RUNNER, Bonus.CARD, Bonus.BULL, Bonus.POINTS})


@dataclass(frozen=True, slots=True)
class Destination:
    """A kind of destination card.

    `points`: points for each runner that arrives. `effect`: the effect on the next day, or `None`.
    `amount`: number of runners, cards, bulls or points that the effect adds. It may be negative.
    """

    key: str
    count: int
    points: int
    effect: Bonus | None
    amount: int
    name: str
    name_es: str


def read_destinations(text: str, source: str = "destinations") -> tuple[Destination, ...]:
    """Parse the kinds of destination cards. They have the order of the file.

    Raises `DataError` with file, line and ruling, for example if there are not ten cards.
    """
    destinations = tuple(map(_read_destination, read_lines(text, source, DESTINATION_COLUMNS)))
    count = sum(destination.count for destination in destinations)
    if count != DESTINATION_CARDS:
        raise DataError("cards", source, 0, wanted=DESTINATION_CARDS, count=count)
    return destinations


def _read_destination(line: CsvLine) -> Destination:
    if line["effect"] not in {"", *Bonus}:
        raise line.data_error("effect", effect=line["effect"])
    effect = Bonus(line["effect"]) if line["effect"] else None
    return Destination(
        key=line.key("destination"),
        count=count_of(line),
        points=line.whole_number("points"),
        effect=effect,
        amount=_bonus_amount(line, effect),
        name=line["name"],
        name_es=line["name_es"],
    )


def _bonus_amount(line: CsvLine, effect: Bonus | None) -> int:
    if effect not in COUNTED_BONUSES:
        if line["amount"]:
            raise line.data_error("no_amount", effect=line["effect"])
        return 0
    least = 1 if effect is Bonus.BULL else -9  # effects never remove a bull
    if not line["amount"] or not line.whole_number("amount") or line.whole_number("amount") < least:
        raise line.data_error("amount", effect=line["effect"], least=least)
    return line.whole_number("amount")
