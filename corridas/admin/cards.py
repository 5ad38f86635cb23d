"""Admin of a matador's cards.

One card can be edited. If it has already been printed, the edit creates the next printing.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from corridas.admin.actions import AnyStack, ReadOnlyInline
from corridas.admin.edit_conflicts import OfficeForm
from corridas.engine import CROWD_RANGES, RANGES, TROPHY_RANGES, CardError, Range
from corridas.models import Matador, MatadorCard
from corridas.roster.card_faults import card_fault
from corridas.roster.queries import announced, open_cards

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    CardModelForm = forms.ModelForm[MatadorCard]
    CardFormSet = forms.BaseInlineFormSet[MatadorCard, Matador, CardModelForm]
else:
    CardFormSet = forms.BaseInlineFormSet

# The ranges of a card that together cover 1 to 100, from the worst result to the best (Ruling
# I-13).
OUTCOMES = (*CROWD_RANGES, *TROPHY_RANGES)
# The ranges of a card that may overlap all others.
OWN = ("vuelta", "aviso", "indulto")
FACE = ("rating", *OUTCOMES, *OWN)


class RangeField(forms.CharField):
    """A form field for a range such as `81-94`, `7` or `-` (empty), normalised by the engine."""

    def to_python(self, value: object) -> str:
        try:
            return str(Range.parse(super().to_python(value) or "-"))
        except CardError as error:
            raise forms.ValidationError(card_fault(error)) from error


class CardForm(OfficeForm):
    """The form of a matador's card, whose ranges must cover 1 to 100 without overlaps.

    See Ruling I-13. `following` is the printed card that this form continues with its next
    printing, or None.
    """

    class Meta:
        model = MatadorCard
        fields = FACE
        field_classes = dict.fromkeys(RANGES, RangeField)
        labels = {"division": "División", "ovacion": "Ovación"}
        # The script that draws the bar from 1 to 100 finds the inputs by the attribute
        # `data-range`.
        widgets = {
            name: forms.TextInput(
                attrs={"size": 7, "class": "range", "data-range": name, "autocomplete": "off"}
            )
            for name in RANGES
        }

    def __init__(
        self, *args: object, following: MatadorCard | None = None, **kwargs: object
    ) -> None:
        self.following = following
        super().__init__(*args, **kwargs)
        if following is not None:
            self.instance.printing = following.printing + 1

    def _row(self) -> MatadorCard:
        return self.following or self.instance

    def clean(self) -> dict[str, object]:
        given = super().clean()
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
            self.add_error(_faulty_range(given), card_fault(error))
        return given


def _faulty_range(given: Mapping[str, str]) -> str:
    """Return the name of the first range that overlaps another or precedes a gap."""
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


class OpenCardFormSet(CardFormSet):
    """The formset with the one card of a matador that can be edited.

    This is the newest card, or a new printing if a cartel has already announced the newest card.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("initial", None)
        super().__init__(*args, **kwargs)
        self.announced = False
        newest = self._newest()
        self.following = newest if newest and newest not in set(self.get_queryset()) else None
        if self.following is not None:
            face = {name: getattr(self.following, name) for name in FACE}
            self.initial_extra = [face]
            self._turn_input_into_next_printing()

    def _newest(self) -> MatadorCard | None:
        matador: int | None = self.instance.pk
        if matador is None:
            return None
        return MatadorCard.objects.filter(matador=matador).order_by("-printing").first()

    def _turn_input_into_next_printing(self) -> None:
        """Turn the submitted edit into a new printing.

        This is needed if a cartel announced the card while the user was editing it.
        """
        number, key = f"{self.prefix}-INITIAL_FORMS", f"{self.prefix}-0-id"
        if self.data and self.data.get(key) and self.data.get(number) != "0":
            data: Any = copy(self.data)
            data[number], data[key] = "0", ""
            self.data, self.announced = data, True

    def get_form_kwargs(self, index: int | None) -> dict[str, object]:
        return super().get_form_kwargs(index) | {"following": self.following}

    def clean(self) -> None:
        super().clean()
        if self.announced:
            raise forms.ValidationError(
                _(
                    "The card has been announced in the meantime, so it can no longer be changed. "
                    "What you typed is still here. If you save again, your changes become the next "
                    "printing."
                )
            )


class OpenCardInline(AnyStack):
    """Inline with the matador's card that can be edited, or its next printing."""

    model = MatadorCard
    form = CardForm
    formset = OpenCardFormSet
    template = "admin/corridas/matador/open_card.html"
    verbose_name = _("card that can be edited")
    verbose_name_plural = _("card that can be edited")
    extra = 1
    max_num = 1
    can_delete = False
    fieldsets = ((None, {"fields": ("rating", OUTCOMES[:6], OUTCOMES[6:], OWN)}),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatadorCard]:
        return open_cards().select_related("matador")


class PrintedCardInline(ReadOnlyInline):
    """Inline with all printings of a matador's card, the newest first, side by side."""

    model = MatadorCard
    template = "admin/corridas/matador/printings.html"
    verbose_name = _("printing")
    verbose_name_plural = _("all printings, newest first")
    fields = readonly_fields = ("printing", *FACE)

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatadorCard]:
        rows = MatadorCard.objects.order_by("-printing").select_related("matador")
        return rows.annotate(printed=announced())
