"""Forms for a new live table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from core.names.forms import CleanCharField
from leagues.games import Game
from leagues.matches.operations.matches import OWN_RULES
from leagues.models import Table
from leagues.pages.forms import OwnRulesForm, players_of_profile, seats_of_profile
from leagues.tables.operations.lobby import TableArguments, TableSettings

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MAX_NUMBER_LENGTH: Final = 60


class TableSettingsForm(forms.Form):
    pace = forms.ChoiceField(
        label=_("Pace of play"),
        choices=Table.Pace.choices,
        initial=Table.Pace.LIVE,
        widget=forms.RadioSelect,
    )
    seconds = forms.IntegerField(
        label=_("Seconds per move"),
        min_value=5,
        max_value=900,
        initial=60,
        help_text=_("if played live"),
    )
    days = forms.IntegerField(
        label=_("Days per move"),
        min_value=1,
        max_value=14,
        initial=1,
        help_text=_("if played by turns"),
    )
    seating = forms.ChoiceField(
        label=_("Who can take a seat"),
        choices=Table.Seating.choices,
        initial=Table.Seating.LINK,
        widget=forms.RadioSelect,
    )
    watch = forms.ChoiceField(
        label=_("Who can watch"),
        choices=Table.Watch.choices,
        initial=Table.Watch.ANYBODY,
        widget=forms.RadioSelect,
    )
    delay = forms.IntegerField(
        label=_("Delay for spectators, in seconds"), min_value=0, max_value=3600, initial=30
    )
    rated = forms.BooleanField(
        label=_("Rated match"),
        required=False,
        initial=True,
        help_text=_("The match is rated if all players are people."),
    )

    def house(self) -> TableSettings:
        given = self.cleaned_data
        live = given["pace"] == Table.Pace.LIVE
        return TableSettings(
            pace=Table.Pace(given["pace"]),
            allowance=given["seconds"] if live else given["days"],
            seating=Table.Seating(given["seating"]),
            watch=Table.Watch(given["watch"]),
            delay=given["delay"],
            rated=given["rated"],
        )


class TableForm(TableSettingsForm):
    profile = forms.ChoiceField(label=_("Rules"), widget=forms.RadioSelect)
    seats = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    bots = forms.IntegerField(
        label=_("Number of bots"),
        min_value=0,
        max_value=5,
        initial=1,
        help_text=_("The other seats are for people."),
    )
    bot = forms.ChoiceField(label=_("Bot"), widget=forms.RadioSelect)
    name = CleanCharField(label=_("Your name"), max_length=MAX_NUMBER_LENGTH, required=False)

    def __init__(self, game: Game, *args: Any, asks_name: bool = False, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.game = game
        profiles = [(profile.key, profile.name) for profile in game.profiles]
        self._set_choices("profile", [*profiles, (OWN_RULES, _("your own rules"))], profiles[0][0])
        counts = sorted({n for profile in game.profiles for n in seats_of_profile(game, profile)})
        self._set_choices("seats", [(str(n), str(n)) for n in counts], str(counts[0]))
        self._set_choices("bot", list(game.bots), game.bots[-1][0] if game.bots else "")
        self.rules = OwnRulesForm(game, self.data or None, prefix="own")
        if asks_name:
            self.fields["name"].required = True
        else:
            del self.fields["name"]

    def _set_choices(self, name: str, choices: list[tuple[str, StrOrPromise]], first: str) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        field.initial = self.initial.get(name, first)

    def profiles(self) -> list[tuple[Any, Any]]:
        summaries = [
            *(
                f"{profile.summary} {players_of_profile(self.game, profile)}."
                for profile in self.game.profiles
            ),
            _("Set every option yourself below."),
        ]
        return list(zip(self["profile"], summaries, strict=True))

    def is_valid(self) -> bool:
        fine = super().is_valid()
        if fine and self.cleaned_data["profile"] == OWN_RULES:
            return self.rules.is_valid()
        return fine

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        seats, bots = given.get("seats"), given.get("bots")
        if seats is not None and bots is not None and bots >= seats:
            self.add_error("bots", _("Leave at least one seat for yourself."))
        return given

    def arguments(self) -> TableArguments:
        given = self.cleaned_data
        seats = given["seats"]
        return {
            "game": self.game.key,
            "profile": given["profile"],
            "options": self.rules.options() if given["profile"] == OWN_RULES else None,
            "seats": seats,
            "bots": dict.fromkeys(range(seats - given["bots"], seats), given["bot"]),
            "house": self.house(),
        }


class QuickTableForm(forms.Form):
    game = forms.CharField(max_length=20)
    bot = forms.CharField(max_length=20)
    name = CleanCharField(max_length=MAX_NUMBER_LENGTH, required=False)
