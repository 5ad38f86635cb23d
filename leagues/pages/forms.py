"""Parts of forms that leagues and games share: numbers, drafts, rule options and errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from api.types import JSON, JSONObject
from core.edit_forms import EditForm
from leagues.exceptions import OperationError
from leagues.games import Game, Profile, RuleOption, RulesRefused
from leagues.standings.tie_breaks import TieBreak

TIE_BREAKS: Final = {
    TieBreak.HEAD_TO_HEAD: _("results between the tied players"),
    TieBreak.WINS: _("matches won"),
    TieBreak.WINS_PLAYED: _("matches won, not counting forfeits"),
    TieBreak.MARGIN: _("difference between points for and against"),
    TieBreak.POINTS: _("points for"),
    TieBreak.FEWEST_PLAYED: _("fewer matches played"),
    TieBreak.BUCHHOLZ: _("strength of the opponents (Buchholz)"),
    TieBreak.BUCHHOLZ_CUT: _("strength of the opponents without the weakest (Buchholz cut 1)"),
    TieBreak.MEDIAN_BUCHHOLZ: _(
        "strength of the opponents without the best and the weakest (median Buchholz)"
    ),
    TieBreak.SONNEBORN_BERGER: _("strength of defeated opponents (Sonneborn-Berger)"),
    TieBreak.BEST_SINGLE: _("most points in one match"),
    TieBreak.CUMULATIVE: _("early success (cumulative score)"),
    TieBreak.LOTS: _("one draw by lot"),
}

# Maximum number of digits of a number in a form. Longer numbers do not fit into a database column.
MAX_DIGITS: Final = 9


def parse_whole_number(text: str, otherwise: int = -1) -> int:
    """Return an integer from 0 up, or `otherwise` if the text is invalid or too long."""
    fine = text.isascii() and text.isdecimal() and len(text.lstrip("0")) <= MAX_DIGITS
    return int(text.lstrip("0") or "0") if fine else otherwise


# Maximum number of characters of a field of a scoresheet. Drafts are stored in the session, so
# their size must be limited. No valid number is that long.
MAX_TYPED_LENGTH: Final = 100


def typed_text(sent: Mapping[str, object], name: str) -> str:
    """Return the text of a form field without spaces around it.

    A text that is too long is cut and ends in an ellipsis. Without the ellipsis, the cut text could
    be read as a different number.
    """
    text = str(sent.get(name, "")).strip()
    return text if len(text) <= MAX_TYPED_LENGTH else f"{text[:MAX_TYPED_LENGTH]}…"


def parse_number(text: str) -> int | None:
    """Return an integer, which may be negative, or None if any part of the text is invalid."""
    written = text.strip().replace("−", "-")
    digits = written.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_TYPED_LENGTH):
        return None
    return int(written)


@dataclass(slots=True)
class FormDraft:
    """An unfinished form that is stored in the session. All fields must have defaults.

    `way` is the input mode, such as totals only. Each game offers its own input modes.
    """

    way: str = ""

    @classmethod
    def from_stored(cls, content: JSON) -> Self:
        """Return the draft of a form that is stored in the session.

        If the stored draft is missing or invalid, return an empty draft.
        """
        if not isinstance(content, dict):
            return cls()
        known = {field.name for field in fields(cls)}
        form = cls(**{name: value for name, value in content.items() if name in known})
        return form if form.fits else cls()

    @property
    def fits(self) -> bool:
        return True

    def to_stored(self) -> JSONObject:
        return asdict(self)


class OwnRulesForm(EditForm):
    """Form for a club's own rules, with a field for each rule option of a game.

    Options with their default value are not stored.
    """

    def __init__(self, game: Game, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.game = game
        self._normalised: JSONObject = {}
        for option in game.options:
            self.fields[option.key] = _field(option)

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        if not self.errors:
            options = {option.key: given[option.key] for option in self.game.options}
            try:
                self._normalised = self.game.normalise(options)
            except RulesRefused as error:
                if self.initial and not self.has_changed():
                    self._normalised = dict(self.initial)
                    return given
                self.add_error(error.field if error.field in self.fields else None, str(error))
        return given

    def options(self) -> JSONObject:
        return self._normalised


def _field(option: RuleOption) -> forms.Field:
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
    form.is_valid()  # may not have been called yet: users with an account enter no name
    name = {"tie_breaks": "first_tie_break"}.get(error.field, error.field)
    form.add_error(name if name in form.fields else None, str(error))


def seats_of_profile(game: Game, profile: Profile) -> list[int]:
    """Return the numbers of players with which a rule profile can be played."""
    return list(game.seat_counts(game.normalise(profile.options)))


def players_of_profile(game: Game, profile: Profile) -> str:
    """Return the numbers of players for a match by a rule profile, as a text."""
    counts = [count for count in seats_of_profile(game, profile) if count > 1]
    if len(counts) == 1:
        return gettext("%d players") % counts[0]
    return gettext("%(low)d to %(high)d players") % {"low": min(counts), "high": max(counts)}


def most_seats(game: Game) -> int:
    """Return the largest number of players of all rule profiles of a game."""
    return max(max(seats_of_profile(game, profile)) for profile in game.profiles)
