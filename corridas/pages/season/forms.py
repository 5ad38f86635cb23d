"""Forms of the director's desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from core.keys import MAX_KEY
from corridas.labels import STOPS
from corridas.models import Corrida, Feria, Season
from corridas.pages.circuits.forms import PaceForm, pace_initial
from corridas.season.operations import Goal, goal_left, next_feria, week_ahead
from corridas.world.stops import StopOn

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    CorridaChoice = forms.ModelChoiceField[Corrida]
else:
    CorridaChoice = forms.ModelChoiceField


class CorridaField(CorridaChoice):
    def label_from_instance(self, obj: Corrida) -> str:
        return f"{date_format(obj.date, 'j M')}, {obj.plaza.city}, {obj.plaza.name}"


class RunForm(forms.Form):
    """The form to continue a season: how many corridas to simulate and when to stop early.

    The choice `again` continues the latest run to its goal. `latest` is the latest run that the
    page showed, or 0. `carteles` is the number of open carteles that the director allows the site
    to choose; if it is left out, any number is allowed.
    """

    FAR = [
        ("next", _("the next corrida")),
        ("feria", _("this feria")),
        ("week", _("one week")),
        ("until", _("up to a date")),
        ("end", _("to the end")),
        ("again", _("to the previous goal")),
    ]

    far = forms.ChoiceField(choices=FAR)
    feria = forms.ModelChoiceField(queryset=Feria.objects.none(), required=False)
    until = forms.DateField(
        required=False,
        error_messages={"invalid": _("This is not a date. Enter a date such as 2027-05-24.")},
    )
    stop_on = forms.MultipleChoiceField(required=False)
    latest = forms.IntegerField(required=False, min_value=0, max_value=MAX_KEY)
    carteles = forms.IntegerField(required=False, min_value=0, max_value=MAX_KEY)

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._season = season
        feria, stop_on = self.fields["feria"], self.fields["stop_on"]
        assert isinstance(feria, forms.ModelChoiceField)
        assert isinstance(stop_on, forms.MultipleChoiceField)
        feria.queryset = Feria.objects.filter(season=season)
        stop_on.choices = [(stop.value, STOPS[stop.value].condition) for stop in StopOn]

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        if given.get("far") == "until" and not given.get("until") and "until" not in self.errors:
            self.add_error("until", _("Choose the date."))
        return given

    def goal(self) -> Goal:
        """Return how far to simulate the season.

        Raise `OperationError` if no corridas are left up to that goal.
        """
        far: str = self.cleaned_data["far"]
        if far == "again":
            return goal_left(self._season)
        if far == "feria":
            return Goal(feria=self.cleaned_data["feria"] or next_feria(self._season))
        if far == "week":
            return Goal(until=week_ahead(self._season))
        return Goal(
            corridas=1 if far == "next" else None,
            until=self.cleaned_data["until"] if far == "until" else None,
        )

    def conditions(self) -> list[StopOn]:
        return [StopOn(value) for value in self.cleaned_data["stop_on"]]


class AirForm(PaceForm):
    carteles = forms.IntegerField(required=False, min_value=0, max_value=MAX_KEY)
    corrida = CorridaField(label=_("Corrida"), queryset=Corrida.objects.none(), empty_label=None)

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**pace_initial(season.circuit.pace_ms), **self.initial}
        free = Corrida.objects.filter(season=season).free_for_the_sand()
        field = self.fields["corrida"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = free.select_related("plaza").order_by("date", "pk")
        self.can_be_shown = free.exists()
