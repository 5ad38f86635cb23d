"""What a director fills in about a circuit: founding it, its settings, whom to hand it to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.time_zones import zones
from corridas.engine import CHOICES
from corridas.forms.calendars import CalendarForm, shipped_plazas
from corridas.models import Circuit
from corridas.operations.circuits import Founding, Settings
from corridas.operations.circuits.founding import LONGEST_NAME, LONGEST_SEED, YEARS
from corridas.world.calendar import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

VISIBILITY: Final = [
    ("public", _("public: anyone can watch")),
    ("private", _("private: only you can see it")),
]
OPTIONS: Final[Mapping[str, tuple[Any, dict[str, Any]]]] = {
    "shuffle": (
        _("When the deck is shuffled"),
        {
            "each_bull": _("before every bull, so that every lidia is independent of the others"),
            "when_exhausted": _("when no cards are left, so one deck lasts for the whole corrida"),
        },
    ),
    "bull_reading": (
        _("When a card says BULL"),
        {
            "same_card": _("read the BULL entry of the same card"),
            "next_card": _("read the BULL entry of the next card"),
        },
    ),
    "bull_points": (
        _("The bull’s points"),
        {
            "separate": _("are kept separate and only decide whether an indulto is requested"),
            "against": _("are deducted from the matador’s score"),
            "for": _("are added to the matador’s score: a great bull makes a great lidia"),
        },
    ),
}
"""Options of the rule set: what is asked, and what each value means (Rulings I-3, I-6, I-11)."""
ROSTERS: Final = [
    (Circuit.Roster.LEGENDS.value, _("the legends: fifty masters from three centuries")),
    (Circuit.Roster.GENERATED.value, _("invented: matadors and herds that never existed")),
    (Circuit.Roster.IMPORTED.value, _("your own: start with empty lists and import your data")),
]


class FoundingForm(CalendarForm):
    """A new circuit, whole."""

    field_order = ["name", "visibility", *OPTIONS, "roster", "seed", "year", "calendar", "ferias"]

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    visibility = forms.ChoiceField(
        label=_("Who may see it"), choices=VISIBILITY, initial="public", widget=forms.RadioSelect
    )
    roster = forms.ChoiceField(
        label=_("Roster"),
        choices=ROSTERS,
        initial=Circuit.Roster.LEGENDS.value,
        widget=forms.RadioSelect,
    )
    seed = forms.CharField(
        label=_("Seed of the invented roster"),
        max_length=LONGEST_SEED,
        required=False,
        help_text=_("Enter any words. The same words always give the same matadors and herds."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    year = forms.IntegerField(label=_("First season"), min_value=YEARS[0], max_value=YEARS[1])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, plazas=shipped_plazas(), **kwargs)
        for name, (label, values) in OPTIONS.items():
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=list(values.items()),
                initial=CHOICES[name][0],
                widget=forms.RadioSelect,
            )
        self.order_fields(self.field_order)

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the rule set."""
        return [self[name] for name in OPTIONS]

    def founding(self, entries: Sequence[Entry] | None) -> Founding:
        """What a valid form asks for, with the calendar chosen or written."""
        given = self.cleaned_data
        return Founding(
            name=given["name"],
            year=given["year"],
            public=given["visibility"] == "public",
            rules={name: given[name] for name in OPTIONS},
            roster=Circuit.Roster(given["roster"]),
            seed=given["seed"],
            calendar=entries,
        )


class SettingsForm(forms.Form):
    """What can be changed of a circuit at any time."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    visibility = forms.ChoiceField(
        label=_("Who may see it"), choices=VISIBILITY, widget=forms.RadioSelect
    )
    pace_ms = forms.IntegerField(
        label=_("Milliseconds per card"),
        help_text=_("3,000 is easy to follow; 250 is very fast."),
        widget=forms.NumberInput(attrs={"min": 50, "max": 60000, "step": 50}),
    )
    always_on_air = forms.BooleanField(
        label=_("Always on air: as soon as one corrida ends, the next one begins."),
        required=False,
    )
    evening = forms.TimeField(
        label=_("Hour of the daily corrida"),
        required=False,
        help_text=_(
            "Leave this empty if there should be no daily corrida. A corrida that was missed "
            "is not made up for."
        ),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    zone = forms.ChoiceField(label=_("Time zone"), choices=zones)
    tables_count = forms.BooleanField(
        label=_("Corridas played and entered by real tables count in the escalafón."),
        required=False,
    )

    @classmethod
    def of(cls, circuit: Circuit, data: Any = None) -> SettingsForm:
        """The form as the circuit stands, or as sent."""
        names = ("name", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
        first = {name: getattr(circuit, name) for name in names}
        return cls(data, initial={**first, "visibility": "public" if circuit.public else "private"})

    def settings(self) -> Settings:
        """The settings of a valid form."""
        given = dict(self.cleaned_data)
        public = given.pop("visibility") == "public"
        return Settings(public=public, **given)


class OfferForm(forms.Form):
    """Whom a circuit is offered to."""

    name = forms.CharField(
        label=_("Username of the new director"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class SeasonForm(forms.Form):
    """The year of a circuit's first season."""

    year = forms.IntegerField(label=_("First season"), min_value=YEARS[0], max_value=YEARS[1])
