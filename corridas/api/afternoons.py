"""An afternoon about to be played at a table, as programs ask for it: rows by their names."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.problems import Problem
from api.views import Resource
from corridas.engine import BULLS, MATADORS
from corridas.models import Circuit, MatadorCard, Plaza


class BullAsked(serializers.Serializer[Any]):
    """A bull as the table calls it."""

    name = serializers.CharField(max_length=60, trim_whitespace=False)
    number = serializers.IntegerField(min_value=0, max_value=999)


class AfternoonAsked(serializers.Serializer[Any]):
    """Where, when, who and what is fought at a table."""

    circuit = serializers.SlugField(max_length=40, help_text="Whose roster is used.")
    plaza = serializers.SlugField(max_length=60)
    date = serializers.DateField()
    matadors = serializers.ListField(
        child=serializers.SlugField(max_length=60), min_length=MATADORS, max_length=MATADORS
    )
    leads = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MATADORS - 1),
        min_length=MATADORS,
        max_length=MATADORS,
        required=False,
        help_text="The seat that leads each of these matadors; else they go round.",
    )
    bulls = serializers.ListField(child=BullAsked(), min_length=BULLS, max_length=BULLS)


def afternoon(circuit: Circuit, asked: dict[str, Any], seats: int) -> dict[str, Any]:
    """What was asked, in rows of the circuit. Raises Problem (422)."""
    return {
        "plaza": plaza_named(circuit, asked["plaza"]),
        "date": asked["date"],
        "matadors": cards_named(circuit, asked["matadors"]),
        "bulls": bulls_named(asked["bulls"]),
        "leads": leads_named(asked.get("leads"), seats),
    }


def leads_named(leads: list[int] | None, seats: int) -> list[int] | None:
    """The seats that lead, everybody at least one; None where it was not said."""
    if leads is not None and set(leads) != set(range(seats)):
        raise Problem(422, _("Choose a matador for every player at the table."), field="leads")
    return leads


def circuit_named(view: Resource, slug: str) -> Circuit:
    """The circuit, where who asks may see it. Raises Problem (422)."""
    found = Circuit.objects.select_related("deck").filter(slug=slug).first()
    if found is None or not view.request.user.has_perm("corridas.view_circuit", found):
        raise Problem(422, _("This circuit does not exist."), field="circuit")
    return found


def plaza_named(circuit: Circuit, slug: str) -> Plaza:
    """A plaza of the circuit. Raises Problem (422)."""
    rows = Plaza.objects.select_related("circuit__deck")
    found = rows.filter(circuit=circuit, slug=slug, archived_at=None).first()
    if found is None:
        raise Problem(422, _("Choose a plaza."), field="plaza")
    return found


def cards_named(circuit: Circuit, slugs: list[str]) -> list[MatadorCard]:
    """The cards that these matadors have now. Raises Problem (422)."""
    rows = MatadorCard.objects.filter(matador__circuit=circuit, matador__slug__in=slugs)
    active = rows.filter(matador__state="active").select_related("matador").order_by("printing")
    latest = {card.matador.slug: card for card in active}
    if any(slug not in latest for slug in slugs):
        raise Problem(422, _("Choose three matadors."), field="matadors")
    return [latest[slug] for slug in slugs]


def bulls_named(bulls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Six different bulls, each of them named. Raises Problem (422)."""
    named = [{"name": bull["name"].strip(), "number": bull["number"]} for bull in bulls]
    different = {(bull["name"], bull["number"]) for bull in named}
    if len(different) < len(named) or not all(name for name, _number in different):
        raise Problem(422, _("Enter six different bulls."), field="bulls")
    return named
