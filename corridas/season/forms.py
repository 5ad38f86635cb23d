"""Forms of the director’s desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from corridas.errors import OperationError
from corridas.models import Corrida, Feria, Season
from corridas.season.operations import Goal
from corridas.world.stops import StopOn

if TYPE_CHECKING:  # Django's fields take a type in the stubs only
    FeriaChoice = forms.ModelChoiceField[Feria]
    CorridaChoice = forms.ModelChoiceField[Corrida]
else:
    FeriaChoice = CorridaChoice = forms.ModelChoiceField


def refuse(form: forms.Form, error: OperationError) -> None:
    form.add_error(error.field if error.field in form.fields else None, str(error))


class FeriaField(FeriaChoice):
    def label_from_instance(self, obj: Feria) -> str:
        return f"{obj.name}, {obj.plaza.city} ({date_format(obj.starts, 'j M')})"


class CorridaField(CorridaChoice):
    def label_from_instance(self, obj: Corrida) -> str:
        return f"{date_format(obj.date, 'j M')}, {obj.plaza.city}, {obj.plaza.name}"


class RunForm(forms.Form):
    FAR = [
        ("next", _("the next corrida")),
        ("feria", _("this feria")),
        ("until", _("up to a date")),
        ("end", _("to the end")),
    ]
    STOPS = [
        (StopOn.INJURY.value, _("a matador is injured")),
        (StopOn.INDULTO.value, _("a bull is spared")),
        (StopOn.LEADER.value, _("the lead changes")),
        (StopOn.RECORD.value, _("a record falls")),
    ]

    far = forms.ChoiceField(
        label=_("Continue season"), choices=FAR, initial="next", widget=forms.RadioSelect
    )
    feria = FeriaField(
        label=_("Feria"), queryset=Feria.objects.none(), required=False, empty_label="–"
    )
    until = forms.DateField(
        label=_("Date"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    stop_on = forms.MultipleChoiceField(
        label=_("Stop when"),
        choices=STOPS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_ferias = Feria.objects.filter(season=season, corridas__state=Corrida.State.ANNOUNCED)
        field = self.fields["feria"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = open_ferias.select_related("plaza").distinct().order_by("starts", "name")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        far = given.get("far")
        if far == "feria" and not given.get("feria"):
            self.add_error("feria", _("Choose the feria."))
        if far == "until" and not given.get("until") and "until" not in self.errors:
            self.add_error("until", _("Choose the date."))
        return given

    def goal(self) -> Goal:
        far = self.cleaned_data["far"]
        return Goal(
            corridas=1 if far == "next" else None,
            feria=self.cleaned_data["feria"] if far == "feria" else None,
            until=self.cleaned_data["until"] if far == "until" else None,
        )

    def conditions(self) -> list[StopOn]:
        return [StopOn(value) for value in self.cleaned_data["stop_on"]]


class AirForm(forms.Form):
    corrida = CorridaField(label=_("Corrida"), queryset=Corrida.objects.none(), empty_label=None)
    pace_ms = forms.IntegerField(
        label=_("Milliseconds per card"),
        help_text=_("3,000 is easy to follow; 250 is very fast."),
        widget=forms.NumberInput(attrs={"min": 50, "max": 60000, "step": 50}),
    )

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pace_ms"].initial = season.circuit.pace_ms
        free = Corrida.objects.filter(season=season).free_for_the_sand()
        field = self.fields["corrida"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = free.select_related("plaza").order_by("date", "pk")
