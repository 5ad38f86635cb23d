"""The forms of the rosters: what the engine would refuse is refused here, in its own words."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corridas.engine import (
    CHOICES,
    CROWD_RANGES,
    RANGES,
    TROPHY_RANGES,
    CardError,
    DeckError,
    Range,
    Rules,
    RulesError,
)
from corridas.engine import Deck as EngineDeck
from corridas.models import Circuit, Deck, Feria, Matador, MatadorCard, Plaza, Season
from corridas.operations.corridas import PACES_MS

if TYPE_CHECKING:  # Django's forms take a type in the stubs only
    CardModelForm = forms.ModelForm[MatadorCard]
    DeckModelForm = forms.ModelForm[Deck]
    CircuitModelForm = forms.ModelForm[Circuit]
    SeasonModelForm = forms.ModelForm[Season]
    PlazaModelForm = forms.ModelForm[Plaza]
    FeriaModelForm = forms.ModelForm[Feria]
    CardFormSet = forms.BaseInlineFormSet[MatadorCard, Matador, CardModelForm]
else:
    CardFormSet = forms.BaseInlineFormSet
    CardModelForm = DeckModelForm = CircuitModelForm = forms.ModelForm
    SeasonModelForm = PlazaModelForm = FeriaModelForm = forms.ModelForm

OUTCOMES = (*CROWD_RANGES, *TROPHY_RANGES)
"""The ranges that together cover 1 to 100, from the worst up (Ruling I-13)."""


class RangeField(forms.CharField):
    """A range in notation, `81-94`, `7` or `-`; kept as the engine writes it."""

    def to_python(self, value: Any) -> str:
        """The range; nothing written is an empty one."""
        try:
            return str(Range.parse(super().to_python(value) or "-"))
        except CardError as error:
            raise forms.ValidationError(str(error)) from error


class OptionsField(forms.JSONField):
    """The options of a rule set, each with a value it takes; those left out have the default."""

    def clean(self, value: Any) -> dict[str, str]:
        """The options; unknown ones are refused by name."""
        options = super().clean(value) or {}
        if not isinstance(options, dict):
            raise forms.ValidationError(_('Options are written {"shuffle": "each_bull"}.'))
        try:
            Rules.from_options(options)
        except RulesError as error:
            raise forms.ValidationError(str(error)) from error
        return options


OPTIONS_HELP = "; ".join(f"{name}: {', '.join(values)}" for name, values in CHOICES.items())


class CardForm(CardModelForm):
    """A matador's card, whole and without a number in two places (Ruling I-13)."""

    class Meta:
        model = MatadorCard
        fields = ("rating", *OUTCOMES, "vuelta", "aviso", "indulto")
        field_classes = dict.fromkeys(RANGES, RangeField)
        labels = {"division": "División", "ovacion": "Ovación"}
        widgets = {name: forms.TextInput(attrs={"size": 7, "class": "range"}) for name in RANGES}

    def clean(self) -> dict[str, Any]:
        """Refuse a card that the engine refuses, at the range where it goes wrong."""
        given: dict[str, Any] = super().clean() or {}
        if self.errors or not all(name in given for name in RANGES):
            return given
        card = MatadorCard(
            matador=given.get("matador") or self.instance.matador,
            rating=given["rating"],
            **{name: given[name] for name in RANGES},
        )
        try:
            card.engine_card()
        except CardError as error:
            self.add_error(_where(given), str(error))
        return given


class OpenCardFormSet(CardFormSet):
    """The one card of a matador that can be edited."""

    def clean(self) -> None:
        """Say so where it was announced while somebody was editing it."""
        super().clean()
        still_open = {str(card.pk) for card in self.get_queryset()}
        sent = {
            self.data.get(f"{self.add_prefix(number)}-id")
            for number in range(self.initial_form_count())
        }
        if sent - still_open - {None}:
            raise forms.ValidationError(
                _("The card was announced meanwhile: it is printed. Make the next printing.")
            )


def _where(given: dict[str, Any]) -> str:
    """The range that takes a number another has, or ends where the first gap begins."""
    taken: set[int] = set()
    for name in (*TROPHY_RANGES, *CROWD_RANGES):
        extent = Range.parse(given[name])
        numbers = set(range(extent.low, extent.high + 1))
        if numbers & taken:
            return name
        taken |= numbers
    before = next((n for n in range(100) if n + 1 not in taken), 0)
    ends = {Range.parse(given[name]).high: name for name in OUTCOMES if given[name] != "-"}
    return ends.get(before, OUTCOMES[0])


class DeckForm(DeckModelForm):
    """A deck of seventy legal cards (Ruling I-1), no two decks the same."""

    class Meta:
        model = Deck
        fields = ("name", "cards")
        widgets = {"cards": forms.Textarea(attrs={"rows": 72, "class": "deck", "wrap": "off"})}

    def clean_cards(self) -> str:
        """The cards as the engine writes them."""
        try:
            cards = str(EngineDeck.parse(self.cleaned_data["cards"]))
        except DeckError as error:
            raise forms.ValidationError(str(error)) from error
        digest = sha256(cards.encode()).hexdigest()
        same = Deck.objects.filter(digest=digest).exclude(pk=self.instance.pk).first()
        if same:
            raise forms.ValidationError(_("These are the cards of the deck “%s”.") % same)
        self.instance.digest = digest
        return cards


class CircuitForm(CircuitModelForm):
    """A circuit with options there are and a pace that can be kept."""

    pace_ms = forms.IntegerField(
        label=_("Milliseconds a card"), min_value=PACES_MS[0], max_value=PACES_MS[1], initial=3000
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


class SeasonForm(SeasonModelForm):
    """The options of a season, as long as no cartel of it hangs."""

    class Meta:
        model = Season
        fields = ("rules",)
        field_classes = {"rules": OptionsField}
        widgets = {"rules": forms.Textarea(attrs={"rows": 3})}
        help_texts = {"rules": OPTIONS_HELP}


class PlazaForm(PlazaModelForm):
    """A plaza of one of the three categories."""

    category = forms.TypedChoiceField(
        label=_("Category"),
        choices=[(1, "1"), (2, "2"), (3, "3")],
        coerce=int,
        error_messages={
            "invalid_choice": _("A plaza is of category 1, 2 or 3, not %(value)s (Ruling I-12).")
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
        )


class FeriaForm(FeriaModelForm):
    """A feria whose days run forward, in a plaza of its season's circuit."""

    class Meta:
        model = Feria
        fields = ("season", "plaza", "name", "slug", "starts", "ends")

    def clean(self) -> dict[str, Any]:
        """Days in order, plaza and season of one circuit."""
        given: dict[str, Any] = super().clean() or {}
        starts, ends = given.get("starts"), given.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("A feria does not end before it begins."))
        season, plaza = given.get("season"), given.get("plaza")
        if season and plaza and season.circuit_id != plaza.circuit_id:
            self.add_error("plaza", _("%s belongs to another circuit.") % plaza)
        return given
