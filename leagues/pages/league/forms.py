"""The form of a league's settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.time_zones import ZoneField
from api.types import JSON
from core.edit_forms import EditForm
from core.names.forms import CleanCharField, CleanTextField
from leagues.games import Game
from leagues.league.operations import (
    ABSENCES_RANGE,
    CUT_MATCHES_RANGE,
    CUT_RANGE,
    DAYS_RANGE,
    HOURS_RANGE,
    MAX_POINTS_LENGTH,
    NEW_RULES,
    POINTS_PATTERN,
    ROUNDS_RANGE,
    SEATS_RANGE,
    LeagueSettings,
)
from leagues.matches.operations.matches import OWN_RULES
from leagues.models import League
from leagues.pages.forms import TIE_BREAKS, OwnRulesForm
from leagues.standings.scoring import Scoring, ScoringKind
from leagues.standings.tallies import RulesVersion
from leagues.text import score

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SCORINGS: Final[Mapping[str, tuple[StrOrPromise, Mapping[str, JSON]]]] = {
    "winner": (_("1 point for the winner, shared in a tie"), {}),
    "three": (_("3 points for a win, 1 each for a tie"), {"by_place": ["3"], "draw": "1"}),
    "places": (_("points by place: 4, 3, 2 or 1"), {"by_place": ["4", "3", "2", "1"]}),
    "beaten": (_("the share of opponents who finish behind the player"), {"kind": "beaten"}),
    "points": (_("the points scored in the match"), {"kind": "points"}),
}
# Formats in which a player may have no match in a round.
WITH_BYES: Final = (League.Format.SWISS, League.Format.ROUND_ROBIN)
TIE_BREAK_FIELDS: Final = ("first_tie_break", "second_tie_break", "third_tie_break")
# Choice for a scoring that was set over the API and is none of the choices above.
STORED: Final = "stored"


def _integer_field(
    label: StrOrPromise, bounds: tuple[int, int], initial: int | None, **kw: Any
) -> forms.IntegerField:
    low, high = bounds
    return forms.IntegerField(label=label, min_value=low, max_value=high, initial=initial, **kw)


class LeagueForm(EditForm):
    """Form for a league's settings.

    If there are several games, the game is chosen first on a separate page. `stored` are the
    present settings of the league, None for a new league.
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
        label=_("Who can see its pages"),
        choices=League.Visibility.choices,
        widget=forms.RadioSelect,
    )
    scoring = forms.ChoiceField(
        label=_("Points for a match"),
        choices=[(key, label) for key, (label, _options) in SCORINGS.items()],
    )
    bye = CleanCharField(
        label=_("Points for a bye"),
        max_length=MAX_POINTS_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
        help_text=_("Points for a round in which a player is left without an opponent."),
    )
    absences_allowed = _integer_field(
        _("Announced absences that earn points"),
        ABSENCES_RANGE,
        1,
        required=False,
        help_text=_(
            "In a Swiss league: how many times a player who announces an absence before the "
            "draw gets half a win. This never applies to the last round."
        ),
    )
    cut = _integer_field(
        _("Places above the cut-off line"),
        CUT_RANGE,
        None,
        required=False,
        help_text=_(
            "How many players go on to a final table or win a prize. Leave the field empty "
            "if there is no cut-off line."
        ),
    )
    cut_matches = _integer_field(
        _("Matches needed to be above the cut-off line"),
        CUT_MATCHES_RANGE,
        1,
        required=False,
        help_text=_(
            "Players with fewer matches than this can’t be above the cut-off line. Forfeits "
            "do not count as matches. Enter 0 to include everybody."
        ),
    )
    hours_to_object = _integer_field(
        _("Hours allowed to dispute a result"),
        HOURS_RANGE,
        72,
        help_text=_(
            "How long players can dispute the result of their match once it has been confirmed."
        ),
    )
    zone = ZoneField(
        label=_("Time zone"),
        help_text=_(
            "Deadlines are set in this time zone. Players who have not chosen a time zone of "
            "their own also see deadlines in this one."
        ),
    )
    plays = forms.BooleanField(label=_("I will play too"), required=False, initial=True)

    def __init__(
        self,
        game: Game,
        *args: Any,
        stored: LeagueSettings | None = None,
        locked: frozenset[str] = frozenset(),
        **kw: Any,
    ):
        super().__init__(*args, **kw)
        self.game, self.stored = game, stored
        profiles = [(profile.key, profile.name) for profile in game.profiles]
        self.fields["profile"] = forms.ChoiceField(
            label=_("Rules"), choices=[*profiles, (OWN_RULES, _("the club’s own rules"))]
        )
        self._add_tie_breaks()
        if self.initial.get("scoring") == STORED and stored is not None:
            self._offer_stored_scoring(stored)
        for name in locked & set(self.fields):
            self.fields[name].disabled = True
        self.fields["bye"].disabled = "scoring" in locked
        if self.initial.get("standings_rules", NEW_RULES) == RulesVersion.CURRENT:
            self.fields["bye"].help_text = _(
                "Points for a round in which a player is left without an opponent. Leave this "
                "empty for the default: the points for a win if matches have two players, "
                "otherwise the mean of the points for all places in a full match."
            )
        self.rules = OwnRulesForm(
            game, self.data or None, prefix="own", initial=self.initial.get("rules")
        )
        self.rules_locked = "rules" in locked
        for field in self.rules.fields.values():
            field.disabled = self.rules_locked
        if stored is not None:
            self.compare_with_shown()
            self.rules.compare_with_shown()

    def _add_tie_breaks(self) -> None:
        """Add a field for each tie-break.

        There are three, or more if more were set over the API.
        """
        count = len(self.stored.tie_breaks) if self.stored is not None else 0
        self.tie_break_names = tie_break_fields(count)
        choices = [("", "–"), *((key.value, said) for key, said in TIE_BREAKS.items())]
        for number, name in enumerate(self.tie_break_names):
            self.fields[name] = forms.ChoiceField(
                label=_("next tie-break") if number else _("First tie-break"),
                choices=choices,
                required=False,
            )

    @property
    def tie_breaks(self) -> list[forms.BoundField]:
        return [self[name] for name in self.tie_break_names]

    def _offer_stored_scoring(self, stored: LeagueSettings) -> None:
        field = self.fields["scoring"]
        assert isinstance(field, forms.ChoiceField)
        known = [(key, label) for key, (label, _options) in SCORINGS.items()]
        field.choices = [(STORED, _scoring_label(stored.scoring)), *known]

    def clean_bye(self) -> str:
        """Return the points for a bye as an exact number, or an empty text for the usual points."""
        typed = self.cleaned_data["bye"].replace(",", ".")
        if typed and not re.fullmatch(POINTS_PATTERN, typed):
            raise forms.ValidationError(_("Enter a number, such as 1, 0.5 or 1/2."))
        return str(typed)

    def clean_cut_matches(self) -> int:
        """Return the entered number of matches, or the stored number if the field is empty."""
        typed, field = self.cleaned_data["cut_matches"], self.fields["cut_matches"]
        return int(self.get_initial_for_field(field, "cut_matches") if typed is None else typed)

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        concerned = self.stored is None or {"scoring", "bye", "format"} & {*self.changed_data}
        added_up = given.get("scoring") == "points" and given.get("format") in WITH_BYES
        if concerned and added_up and not given.get("bye") and not self.fields["bye"].disabled:
            target = next((o.default for o in self.game.options if o.key == "target"), None)
            if target is None:
                self.add_error(
                    "bye", _("If the league adds up points, enter how many points a bye is worth.")
                )
            else:
                example = _(
                    "If the league adds up points, enter how many points a bye is worth, for "
                    "example %(points)s."
                )
                self.add_error("bye", example % {"points": target})
        return given

    def _scoring(self) -> dict[str, JSON]:
        """Return the scoring.

        Parts of a stored scoring that the form does not show stay the same.
        """
        stored: Mapping[str, JSON] = self.stored.scoring if self.stored is not None else {}
        key, bye = self.cleaned_data["scoring"], self.cleaned_data["bye"]
        as_before = self.stored is not None and key == _scoring_key(stored)
        chosen = dict(stored if as_before else SCORINGS[key][1])
        chosen.pop("bye", None)
        if bye:
            chosen["bye"] = bye
        if "absence" in stored:
            chosen["absence"] = stored["absence"]
        return chosen

    def _absences_allowed(self) -> int:
        given: int | None = self.cleaned_data["absences_allowed"]
        stored: int = self.initial.get("absences_allowed", LeagueSettings.absences_allowed)
        return stored if given is None else given

    def _tie_breaks(self) -> list[str]:
        given = (self.cleaned_data[name] for name in self.tie_break_names)
        return [name for name in given if name]

    def is_valid(self) -> bool:
        fine = super().is_valid()
        if fine and self.cleaned_data["profile"] == OWN_RULES and not self.rules_locked:
            return self.rules.is_valid()
        return fine

    def settings(self) -> LeagueSettings:
        """Return the settings of a new league, or the stored settings with the changes in the
        form.
        """
        given = self.cleaned_data
        own = given["profile"] == OWN_RULES
        rules = self.initial.get("rules") if self.rules_locked else self.rules.options()
        written = LeagueSettings(
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
        if self.stored is None:
            return written
        return replace(
            self.stored, **{name: getattr(written, name) for name in self._changed_settings()}
        )

    def _changed_settings(self) -> set[str]:
        changed = {*self.changed_data}
        names = changed & {setting.name for setting in fields(LeagueSettings)}
        if "bye" in changed:
            names.add("scoring")
        if changed & {*self.tie_break_names}:
            names.add("tie_breaks")
        own = self.cleaned_data["profile"] == OWN_RULES and not self.rules_locked
        if "profile" in changed or (own and self.rules.has_changed()):
            names |= {"profile", "rules"}
        return names


def tie_break_fields(count: int) -> list[str]:
    """Return the names of the form fields for `count` tie-breaks, at least three."""
    more = (f"tie_break_{number}" for number in range(len(TIE_BREAK_FIELDS) + 1, count + 1))
    return [*TIE_BREAK_FIELDS, *more]


def initial_of(settings: LeagueSettings) -> dict[str, object]:
    initial = {name: getattr(settings, name) for name in LeagueSettings.__dataclass_fields__}
    initial["scoring"] = _scoring_key(settings.scoring)
    initial["bye"] = settings.scoring.get("bye") or ""
    names = tie_break_fields(len(settings.tie_breaks))
    return initial | dict(zip(names, settings.tie_breaks, strict=False))


def _scoring_key(options: Mapping[str, JSON]) -> str:
    wanted = replace(Scoring.from_options(options), bye=None, absence=None)
    if wanted.kind is not ScoringKind.PLACES:
        return wanted.kind.value
    keys = (key for key, scoring in SCORINGS.items() if Scoring.from_options(scoring[1]) == wanted)
    return next(keys, STORED)


def _scoring_label(options: Mapping[str, JSON]) -> StrOrPromise:
    """Return a label for a scoring by place that is none of the choices in the form."""
    scoring = Scoring.from_options(options)
    places = ", ".join(score(points) for points in scoring.by_place)
    if scoring.draw is None:
        return format_lazy(_("points by place: {places}"), places=places)
    return format_lazy(
        _("points by place: {places}; for a shared first place: {draw}"),
        places=places,
        draw=score(scoring.draw),
    )
