"""Admin forms of the rosters. They show the validation errors of the engine."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corridas import circuit_queries as circuits
from corridas.admin.edit_conflicts import OfficeForm
from corridas.circuits.operations import PACES_MS
from corridas.engine import CHOICES, DeckError, Rules, RulesError
from corridas.engine import Deck as EngineDeck
from corridas.models import Bull, Circuit, Deck, Feria, Ganaderia, Matador, Plaza, Season
from corridas.models.matadors import STYLES
from corridas.world.roster.columns import BRANDS, COUNTRIES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WRITTEN = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
WHOLE = "YYYY-01-01"


class OptionsField(forms.JSONField):
    """A JSON field for the options of a rule set. Options that are left out have their default."""

    def clean(self, value: object) -> dict[str, str]:
        options = super().clean(value) or {}
        if not isinstance(options, dict):
            raise forms.ValidationError(
                _('Enter the options as a JSON object, such as {"shuffle": "each_bull"}.')
            )
        try:
            Rules.from_options(options)
        except RulesError as error:
            raise forms.ValidationError(str(error)) from error
        return options


OPTIONS_HELP = "; ".join(f"{name}: {', '.join(values)}" for name, values in CHOICES.items())


class DeckForm(OfficeForm):
    """The form of a deck: seventy legal cards (Ruling I-1), different from every other deck."""

    class Meta:
        model = Deck
        fields = ("name", "cards")
        widgets = {"cards": forms.Textarea(attrs={"rows": 72, "class": "deck", "wrap": "off"})}

    def clean_cards(self) -> str:
        try:
            cards = str(EngineDeck.parse(self.cleaned_data["cards"]))
        except DeckError as error:
            raise forms.ValidationError(str(error)) from error
        digest = sha256(cards.encode()).hexdigest()
        same = Deck.objects.filter(digest=digest).exclude(pk=self.instance.pk).first()
        if same:
            raise forms.ValidationError(
                _("These are the cards of the deck “%(deck)s”."), params={"deck": same}
            )
        self.instance.digest = digest
        return cards


class CircuitForm(OfficeForm):
    pace_ms = forms.IntegerField(
        label=_("Milliseconds per card"), min_value=PACES_MS[0], max_value=PACES_MS[1], initial=3000
    )

    class Meta:
        model = Circuit
        fields = (
            "name",
            "slug",
            "owner",
            "public",
            "rules",
            "deck",
            "always_on_air",
            "pace_ms",
        )
        field_classes = {"rules": OptionsField}
        widgets = {"rules": forms.Textarea(attrs={"rows": 3})}
        help_texts = {"rules": OPTIONS_HELP}


class SeasonForm(OfficeForm):
    """The form for a season's rules. They can be changed until its first cartel is announced."""

    class Meta:
        model = Season
        fields = ("rules",)
        field_classes = {"rules": OptionsField}
        widgets = {"rules": forms.Textarea(attrs={"rows": 3})}
        help_texts = {"rules": OPTIONS_HELP}


def _choices(words: Iterable[str]) -> list[tuple[str, str]]:
    return [("", "–"), *((word, word) for word in words)]


class CountryForm(OfficeForm):
    """A form whose country is one of eight bullfighting countries.

    A different value that is already stored may stay.
    """

    country = forms.ChoiceField(label=_("Country"), choices=_choices(COUNTRIES))

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for name in {"country", "style"} & set(self.fields):
            field: Any = self.fields[name]
            value = str(self.initial.get(name) or "")
            if value not in dict(field.choices):
                field.choices = [*field.choices, (value, value)]


def style_choices() -> list[tuple[str, StrOrPromise]]:
    return [("", "–"), *STYLES.items()]


class MatadorForm(CountryForm):
    """The form of a matador.

    It checks the order of his dates, and that padrino and testigo (the two witnesses of his
    alternativa) belong to his circuit.
    """

    country = forms.ChoiceField(label=_("Country"), choices=_choices(COUNTRIES), required=False)
    style = forms.ChoiceField(label=_("Style"), choices=style_choices, required=False)

    class Meta:
        model = Matador
        exclude = ("form",)

    def clean_born(self) -> str:
        return _written(self.cleaned_data["born"])

    def clean_died(self) -> str:
        return _written(self.cleaned_data["died"])

    def clean(self) -> dict[str, object]:
        given = super().clean()
        _check_order(self, given)
        circuit = given.get("circuit") or getattr(self.instance, "circuit", None)
        if circuit and self.instance._state.adding:
            # locked until the matador is saved
            Circuit.objects.select_for_update().get(pk=circuit.pk)
            if not circuits.matadors_left(circuit):
                full = _("%(circuit)s already has the maximum number of matadors.")
                self.add_error(None, forms.ValidationError(full, params={"circuit": circuit}))
        for name in ("padrino", "testigo"):
            other = given.get(name)
            if other and circuit and other.circuit_id != circuit.pk:
                foreign = _("%(who)s belongs to another circuit.")
                self.add_error(name, forms.ValidationError(foreign, params={"who": other}))
        return given


def _check_order(form: MatadorForm, given: Mapping[str, object]) -> None:
    known = [
        (name, str(given[name]))
        for name in ("born", "alternativa", "died")
        if given.get(name) and name not in form.errors
    ]
    for (earlier, first), (later, second) in pairwise(known):
        length = min(len(first), len(second))
        if second[:length] < first[:length]:
            message = _("This date is earlier than the date in the field %(what)s.")
            what = form.fields[earlier].label if earlier in form.fields else earlier
            form.add_error(later, forms.ValidationError(message, params={"what": f"“{what}”"}))


def _written(text: str) -> str:
    """Validate a date written as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; empty text is allowed."""
    try:
        if text and WRITTEN.fullmatch(text):
            dt.date.fromisoformat(text + WHOLE[len(text) :])
            return text
    except ValueError:
        pass
    if text:
        raise forms.ValidationError(
            _("Enter a year, a month or a day, such as 1754, 1754-11 or 1754-11-19.")
        )
    return text


class HerdForm(CountryForm):
    class Meta:
        model = Ganaderia
        exclude = ("archived_at",)


class BullForm(OfficeForm):
    """The form of a bull, whose branding number has one to three digits."""

    number = forms.IntegerField(label=_("Number"), min_value=BRANDS[0], max_value=BRANDS[1])
    year = forms.IntegerField(label=_("Year"), min_value=1, max_value=9999)

    class Meta:
        model = Bull
        fields = ("ganaderia", "name", "number", "year", "coat", "weight", "sire")

    def clean(self) -> dict[str, object]:
        given = super().clean()
        sire, herd = given.get("sire"), given.get("ganaderia")
        if herd is None and self.instance.pk:
            herd = self.instance.ganaderia
        if sire and (sire.state != Bull.State.SEMENTAL or (herd and sire.ganaderia_id != herd.pk)):
            self.add_error("sire", _("A sire must be a spared bull from the same herd."))
        return given


class PlazaForm(CountryForm):
    category = forms.TypedChoiceField(
        label=_("Category"),
        choices=[(1, "1"), (2, "2"), (3, "3")],
        coerce=int,
        error_messages={
            "invalid_choice": _(
                "The category of a plaza must be 1, 2 or 3, not %(value)s (Ruling I-12)."
            )
        },
    )

    class Meta:
        model = Plaza
        fields = (
            "circuit",
            "name",
            "slug",
            "city",
            "country",
            "continent",
            "category",
            "seats",
            "latitude",
            "longitude",
        )


class FeriaForm(OfficeForm):
    """The form of a feria.

    Its plaza must belong to the circuit of its season. A table constraint checks the order of its
    dates.
    """

    class Meta:
        model = Feria
        fields = ("season", "plaza", "name", "slug", "starts", "ends")

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        season, plaza = given.get("season"), given.get("plaza")
        if season and plaza and season.circuit_id != plaza.circuit_id:
            self.add_error("plaza", _("%s belongs to another circuit.") % plaza)
        return given
