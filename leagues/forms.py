"""Form parts shared by leagues and games: numbers, unsent drafts, rule options, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from django import forms

from leagues.exceptions import OperationError
from leagues.games import Game, Option, RulesRefused

MAX_DIGITS: Final = 9
"""More are read by nobody: a database has no such number."""


def parse_whole_number(text: str, otherwise: int = -1) -> int:
    """A whole number from 0; `otherwise` where the text is something else, or longer."""
    fine = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if fine else otherwise


MAX_TYPED_DIGITS: Final = 6
"""Digits of a number in a form; those behind are left out."""


def parse_number(text: str) -> int | None:
    """A whole number as people write it, below zero too; None for anything else."""
    digits = text.strip().removeprefix("-").removeprefix("−")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    found = int(digits[:MAX_TYPED_DIGITS])
    return found if digits == text.strip() else -found


@dataclass(slots=True)
class FormDraft:
    """A form as far as it is filled in; its fields, all with defaults, are what is kept."""

    @classmethod
    def kept(cls, content: Any) -> Self:
        """What a session keeps; an empty form where it keeps none, or another shape."""
        if not isinstance(content, dict):
            return cls()
        known = {one.name for one in fields(cls)}
        found = cls(**{name: value for name, value in content.items() if name in known})
        return found if found.fits else cls()

    @property
    def fits(self) -> bool:
        """Whether one can go on with what was kept."""
        return True

    def to_keep(self) -> dict[str, Any]:
        """What the session keeps."""
        return asdict(self)


class OwnRulesForm(forms.Form):
    """A field for each option of a game; what is left as it is by default is not kept."""

    def __init__(self, game: Game, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.game = game
        self._normalised: dict[str, Any] = {}
        for option in game.options:
            self.fields[option.key] = _field(option)

    def clean(self) -> dict[str, Any]:
        """Options that make a rule set; the game's own refusal stands beside its field."""
        given: dict[str, Any] = super().clean() or {}
        if not self.errors:
            try:
                self._normalised = self.game.normalise(_read(self.game, given))
            except RulesRefused as error:
                self.add_error(error.field if error.field in self.fields else None, str(error))
        return given

    def options(self) -> dict[str, Any]:
        """The rule set of a valid form, as the game writes it."""
        return self._normalised


def _read(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    return {option.key: given[option.key] for option in game.options}


def _field(option: Option) -> forms.Field:
    shared: dict[str, Any] = {
        "label": option.label,
        "help_text": option.help,
        "initial": option.default,
    }
    if option.choices:
        return forms.ChoiceField(choices=option.choices, **shared)
    if option.low is None and option.high is None:
        return forms.BooleanField(required=False, **shared)
    return forms.IntegerField(min_value=option.low, max_value=option.high, **shared)


def add_refusal(form: forms.Form, error: OperationError) -> None:
    """Say why an operation was refused, beside the field it names."""
    form.is_valid()  # nobody may have asked yet: who has an account gives no name
    name = {"tie_breaks": "first_tie_break"}.get(error.field, error.field)
    form.add_error(name if name in form.fields else None, str(error))
