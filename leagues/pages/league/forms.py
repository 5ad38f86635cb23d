"""The form of a league's settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.time_zones import ZoneField
from api.types import JSON
from core.names.forms import CleanCharField, CleanTextField
from leagues.games import Game
from leagues.league.operations import (
    ABSENCES_RANGE,
    CUT_MATCHES_RANGE,
    DAYS_RANGE,
    HOURS_RANGE,
    NEW_RULES,
    POINTS_PATTERN,
    ROUNDS_RANGE,
    SEATS_RANGE,
    Settings,
)
from leagues.matches.operations.matches import OWN_RULES
from leagues.models import League
from leagues.pages.forms import TIE_BREAKS, OwnRulesForm
from leagues.standings.scoring import Scoring
from leagues.standings.tallies import RulesVersion

SCORINGS: Final[Mapping[str, tuple[Any, Mapping[str, JSON]]]] = {
    "winner": (_("1 point for the winner, shared in a tie"), {}),
    "three": (_("3 points for a win, 1 each for a tie"), {"by_place": ["3"], "draw": "1"}),
    "places": (_("points by place: 4, 3, 2 or 1"), {"by_place": ["4", "3", "2", "1"]}),
    "beaten": (_("the share of opponents finishing behind"), {"kind": "beaten"}),
    "points": (_("the points scored in the match"), {"kind": "points"}),
}
# Formats whose rounds may leave somebody without a match.
WITH_BYES: Final = (League.Format.SWISS, League.Format.ROUND_ROBIN)
TIE_BREAK_FIELDS: Final = ("first_tie_break", "second_tie_break", "third_tie_break")


def _integer_field(label: Any, bounds: tuple[int, int], initial: int | None, **kw: Any) -> Any:
    low, high = bounds
    return forms.IntegerField(label=label, min_value=low, max_value=high, initial=initial, **kw)


class LeagueForm(forms.Form):
    """Form of a league's settings. The game is chosen first, on its own page, if there are
    several.
    """

    name = CleanCharField(label=_("Name"), max_length=60)
    about = CleanTextField(
        label=_("In a few words"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("When and where you play, and what newcomers should know."),
    )
    profile = forms.ChoiceField(label=_("Rules"))
    seats = _integer_field(_("Players per match"), SEATS_RANGE, 2)
    format = forms.ChoiceField(
        label=_("Format"), choices=League.Format.choices, widget=forms.RadioSelect
    )
    rounds_planned = _integer_field(
        _("Rounds"),
        ROUNDS_RANGE,
        None,
        required=False,
        help_text=_(
            "In a Swiss league, the number of rounds; in a round robin, how many times each "
            "pair of players meets."
        ),
    )
    days_a_round = _integer_field(_("Days per round"), DAYS_RANGE, 7)
    visibility = forms.ChoiceField(
        label=_("Who may see it"), choices=League.Visibility.choices, widget=forms.RadioSelect
    )
    scoring = forms.ChoiceField(
        label=_("Points for a match"),
        choices=[(key, label) for key, (label, _options) in SCORINGS.items()],
    )
    bye = CleanCharField(
        label=_("Points for a bye"),
        max_length=9,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        help_text=_("For a round in which nobody is left to play."),
    )
    absences_allowed = _integer_field(
        _("Announced absences with points"),
        ABSENCES_RANGE,
        1,
        required=False,
        help_text=_(
            "In a Swiss league: how often a player who announces an absence before the draw gets "
            "half a win. The last round never counts."
        ),
    )
    first_tie_break = forms.ChoiceField(label=_("First tie-break"), required=False)
    second_tie_break = forms.ChoiceField(label=_("next tie-break"), required=False)
    third_tie_break = forms.ChoiceField(label=_("next tie-break"), required=False)
    cut = _integer_field(
        _("Places above the line"),
        (1, 1000),
        None,
        required=False,
        help_text=_(
            "How many players go on to a final table or win a prize. Leave empty for no "
            "cut-off line."
        ),
    )
    cut_matches = _integer_field(
        _("Matches needed to be above the line"),
        CUT_MATCHES_RANGE,
        1,
        required=False,
        help_text=_(
            "Players with fewer matches do not take a place above the line. Forfeits do not count "
            "for that. 0 counts everybody."
        ),
    )
    hours_to_object = _integer_field(
        _("Hours to dispute a result"),
        HOURS_RANGE,
        72,
        help_text=_(
            "How long players can dispute the result of their match once it has been confirmed."
        ),
    )
    zone = ZoneField(
        label=_("Time zone"),
        help_text=_(
            "Deadlines are set in this time zone, and shown in it to players who have not "
            "chosen one."
        ),
    )
    plays = forms.BooleanField(label=_("I will play too"), required=False, initial=True)

    def __init__(self, game: Game, *args: Any, locked: frozenset[str] = frozenset(), **kw: Any):
        super().__init__(*args, **kw)
        self.game = game
        profiles = [(profile.key, profile.name) for profile in game.profiles]
        self.fields["profile"] = forms.ChoiceField(
            label=_("Rules"), choices=[*profiles, (OWN_RULES, _("the club’s own rules"))]
        )
        for name in TIE_BREAK_FIELDS:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [
                ("", "–"),
                *((profile.value, said) for profile, said in TIE_BREAKS.items()),
            ]
        for name in locked & set(self.fields):
            self.fields[name].disabled = True
        self.fields["bye"].disabled = "scoring" in locked
        if self.initial.get("standings_rules", NEW_RULES) == RulesVersion.CURRENT:
            self.fields["bye"].help_text = _(
                "For a round in which nobody is left to play. Leave empty for the usual: a win "
                "where two play, otherwise the mean of the places of a full match."
            )
        self.rules = OwnRulesForm(
            game, self.data or None, prefix="own", initial=self.initial.get("rules")
        )
        self.rules_locked = "rules" in locked

    def clean_bye(self) -> str:
        """Return what a bye brings as an exact number, empty for the usual."""
        typed = self.cleaned_data["bye"].replace(",", ".")
        if typed and not re.fullmatch(POINTS_PATTERN, typed):
            raise forms.ValidationError(_("Enter a number, such as 1, 0.5 or 1/2."))
        return str(typed)

    def clean_cut_matches(self) -> int:
        """Return the number of matches, that of before if nothing is entered."""
        typed, field = self.cleaned_data["cut_matches"], self.fields["cut_matches"]
        return int(self.get_initial_for_field(field, "cut_matches") if typed is None else typed)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        added_up = given.get("scoring") == "points" and given.get("format") in WITH_BYES
        if added_up and not given.get("bye") and not self.fields["bye"].disabled:
            target = next((o.default for o in self.game.options if o.key == "target"), None)
            if target is None:
                self.add_error("bye", _("Where points are added up, enter what a bye counts."))
            else:
                example = _(
                    "Where points are added up, enter what a bye counts, for example %(points)s."
                )
                self.add_error("bye", example % {"points": target})
        return given

    def _scoring(self) -> Mapping[str, JSON]:
        """Return the scoring, as it is stored if nothing of it was changed."""
        stored: Mapping[str, JSON] | None = self.initial.get("stored_scoring")
        if stored is not None and not {"scoring", "bye"} & set(self.changed_data):
            return stored
        bye = self.cleaned_data["bye"]
        chosen = dict(SCORINGS[self.cleaned_data["scoring"]][1])
        if bye:
            chosen["bye"] = bye
        if stored is not None and "absence" in stored:
            chosen["absence"] = stored["absence"]
        return chosen

    def _absences_allowed(self) -> int:
        given: int | None = self.cleaned_data["absences_allowed"]
        stored: int = self.initial.get("absences_allowed", Settings.absences_allowed)
        return stored if given is None else given

    def _tie_breaks(self) -> list[str]:
        """Return the tie-breaks; of a longer list that a program has set, the rest stays."""
        stored = self.initial.get("stored_tie_breaks")
        if stored is not None and not {*TIE_BREAK_FIELDS} & set(self.changed_data):
            return list(stored)
        given = self.cleaned_data
        return [given[name] for name in TIE_BREAK_FIELDS if given[name]]

    def is_valid(self) -> bool:
        fine = super().is_valid()
        if fine and self.cleaned_data["profile"] == OWN_RULES and not self.rules_locked:
            return self.rules.is_valid()
        return fine

    def settings(self) -> Settings:
        given = self.cleaned_data
        own = given["profile"] == OWN_RULES
        rules = self.initial.get("rules") if self.rules_locked else self.rules.options()
        return Settings(
            name=given["name"],
            about=given["about"],
            game=self.game.key,
            profile=given["profile"],
            rules=rules if own else None,
            visibility=given["visibility"],
            format=given["format"],
            seats=given["seats"],
            rounds_planned=given["rounds_planned"],
            days_a_round=given["days_a_round"],
            scoring=self._scoring(),
            tie_breaks=self._tie_breaks(),
            cut=given["cut"],
            absences_allowed=self._absences_allowed(),
            cut_matches=given["cut_matches"],
            hours_to_object=given["hours_to_object"],
            zone=given["zone"],
        )


def initial_of(settings: Settings) -> dict[str, object]:
    initial = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    initial["scoring"] = _scoring_key(settings.scoring)
    initial["stored_scoring"] = settings.scoring
    initial["stored_tie_breaks"] = settings.tie_breaks
    initial["bye"] = settings.scoring.get("bye") or ""
    initial |= dict(zip(TIE_BREAK_FIELDS, settings.tie_breaks, strict=False))
    return initial


def _scoring_key(options: Mapping[str, JSON]) -> str:
    wanted = replace(Scoring.from_options(options), bye=None, absence=None)
    keys = (key for key, scoring in SCORINGS.items() if Scoring.from_options(scoring[1]) == wanted)
    return next(keys, "winner")
