"""Parts that games share: rule options, a referee of sheets, a table that is replayed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from django.utils.translation import gettext as _

from fairness import Seed
from leagues.bots import Bot
from leagues.games.protocols import (
    JSON,
    Judgement,
    MoveRefused,
    Objection,
    Option,
    Position,
    Profile,
    RoundLog,
)


class Rules(Protocol):
    """Rules as an engine has them."""

    def options(self) -> Mapping[str, JSON]:
        """Return all options by name."""


R = TypeVar("R")
M = TypeVar("M")
P = TypeVar("P", bound=Position)


def named_profiles(
    names: Mapping[str, tuple[str, str]], rules: Mapping[str, Rules]
) -> list[Profile]:
    """Return the profiles that have rules. `names` are name and summary of each."""
    return [
        Profile(key=key, name=name, summary=summary, options=rules[key].options())
        for key, (name, summary) in names.items()
        if key in rules
    ]


def each_for_themselves(rules: JSON, seats: int) -> tuple[int, ...]:
    """Return a side of its own for each seat."""
    return tuple(range(seats))


def refusal_reason(options: Sequence[Option], key: str, *, ruling: str, whole: str = "") -> str:
    """Describe why rule options are invalid, in the active language.

    `key` names the option concerned. `whole` is the game's own message about integers, with the
    placeholders `option`, `low`, `high` and `ruling`.
    """
    option = next((option for option in options if option.key == key), None)
    if option is None:
        return _("“%(name)s” is not an option.") % {"name": key}
    words = {"option": option.label, "ruling": ruling, "low": option.low, "high": option.high}
    if option.low is None:
        return _("%(option)s: choose one of the options offered (Ruling %(ruling)s).") % words
    return whole % words


def seat_names(seats: int) -> list[str]:
    """Return names for seats without known players, in the active language."""
    return [_("seat %(number)s") % {"number": seat + 1} for seat in range(seats)]


def name_of_seat(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat on a sheet, which may not exist."""
    return names[seat] if 0 <= seat < len(names) else "?"


class SheetReferee(ABC, Generic[R]):
    """Judges sheets by rules that are read from options first."""

    @abstractmethod
    def read_rules(self, rules: JSON) -> R:
        """Return the rules with these options. Raises ValueError."""

    @abstractmethod
    def judge_sheet(self, rules: R, seats: int, sheet: JSON) -> Judgement:
        """Check a sheet. Never raises for invalid content."""

    def judge(self, *, rules: JSON, seats: int, sheet: JSON) -> Judgement:
        """Check a sheet. Never raises for invalid content."""
        try:
            read = self.read_rules(rules)
        except (ValueError, TypeError, AttributeError) as error:
            return Judgement.refused(seats, Objection(path="rules", sentence=str(error)))
        return self.judge_sheet(read, seats, sheet)


def read_move(read: Callable[[str], M], text: str) -> M:
    """Parse a move with the function of the engine. Raises MoveRefused."""
    try:
        return read(text)
    except ValueError as error:
        raise MoveRefused(_("That is not a valid move.")) from error


class ReplayedTable(ABC, Generic[P]):
    """Base class of tables that are valid if and only if their rounds can be replayed.

    `bots` by key, `budget_ms` to think about a move.
    """

    bots: Mapping[str, Bot[Any, Any]]
    budget_ms: int

    @abstractmethod
    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> P:
        """Return the position after these rounds. Raises MoveRefused."""

    @abstractmethod
    def view_to_move(self, position: P) -> Any:
        """Return what the seat to move can see. Raises MoveRefused if it is nobody's turn."""

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        """Return the bot's move. It gets only its own view."""
        view = self.view_to_move(self.restore(rules=rules, seats=seats, rounds=rounds))
        return str(self.bots[bot].choose(view, Seed(seed).chance("bot"), self.budget_ms))

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """Return why the moves don't follow from the seeds. Empty if they do."""
        try:
            self.restore(rules=rules, seats=seats, rounds=rounds)
        except MoveRefused as refused:
            return [str(refused)]
        return []


class RealTable:
    """Placeholder for games that are played with real cards only."""

    template = ""

    def refuse(self, *fields: object, **asked: object) -> NoReturn:
        raise self.refusal()

    stake = restore = play = read_moves = bot_move = sheet = refuse

    def scene(self, position: Position, *, seat: int | None, **extra: Any) -> Mapping[str, Any]:
        return {}

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        return []

    def refusal(self) -> MoveRefused:
        return MoveRefused(
            _("This game can only be played at a real table. Enter the result here afterwards.")
        )


REAL_TABLE = RealTable()
