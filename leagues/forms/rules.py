"""A club's own rule set: the game says which options there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from leagues.games import Game, Option, RulesRefused


class OwnRules(forms.Form):
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
