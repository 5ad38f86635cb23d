"""Rows of the rosters: whose they are, what a cartel has promised of them, what rests on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import Model, Q, QuerySet

from corridas.models import (
    Bull,
    Cartel,
    Change,
    Circuit,
    Deck,
    Feria,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Season,
)

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

KINDS: Mapping[str, type[Model]] = {
    str(model._meta.model_name): model
    for model in (Circuit, Deck, Plaza, Ganaderia, Bull, Matador, MatadorCard, Season, Feria)
}
"""The models whose changes are kept, by the word that the history has for them."""

PROMISED: Mapping[str, tuple[str, ...]] = {
    "bull": ("ganaderia", "name", "number", "year", "coat", "weight"),
    "deck": ("cards",),
    "matador": ("circuit", "name", "alternativa"),
    "plaza": ("circuit", "slug", "name", "category"),
    "season": ("rules",),
}
"""Fields that the commitment of a corrida binds (Ruling F-2); a printed card is bound whole."""

OWN_PARTS = frozenset({"cards"})
"""Relations that are part of the row and go with it."""


def kind_of(row: Model) -> str:
    """The word that the history has for a row of this model."""
    return str(row._meta.model_name)


def circuit_of(row: Model) -> int | None:
    """The key of the circuit a row belongs to; None for a deck, which any circuit may play with."""
    if isinstance(row, Circuit):
        return row.pk
    if isinstance(row, MatadorCard):
        return row.matador.circuit_id
    if isinstance(row, Bull):
        return row.ganaderia.circuit_id
    if isinstance(row, Feria):
        return row.season.circuit_id
    return getattr(row, "circuit_id", None)


def holders(row: Model) -> QuerySet[Circuit]:
    """The circuits to hold while a row is changed, so that no cartel is hung meanwhile."""
    wanted = Q(deck=row.pk) if isinstance(row, Deck) else Q(pk=circuit_of(row))
    return Circuit.objects.filter(wanted).order_by("pk")


def is_promised(row: Model) -> bool:
    """Whether a cartel that hangs, or hung, binds this row."""
    if row.pk is None:
        return False
    if isinstance(row, Bull):
        return row.cartel_id is not None or row.state != Bull.State.CAMPO
    if isinstance(row, Matador):
        return Puesto.objects.filter(matador=row).exists()
    if isinstance(row, MatadorCard):
        return Puesto.objects.filter(matador=row.matador_id, card=row).exists()
    wanted = _carteles(row)
    return wanted is not None and Cartel.objects.filter(wanted).exists()


def _carteles(row: Model) -> Q | None:
    if isinstance(row, Plaza):
        return Q(corrida__plaza=row)
    if isinstance(row, Season):
        return Q(corrida__season=row)
    return Q(deck=row) if isinstance(row, Deck) else None


def promised_fields(row: Model) -> tuple[str, ...]:
    """The fields of a row that cannot be changed any more."""
    if not is_promised(row):
        return ()
    if isinstance(row, MatadorCard):
        return tuple(field.name for field in row._meta.concrete_fields)
    return PROMISED[kind_of(row)]


def rests_on(row: Model, *, parts: bool = False) -> str | _StrPromise | None:
    """What would be lost with a row, in the plural, or None where nothing rests on it.

    With `parts`, the cards of a matador count as well.
    """
    for relation in row._meta.related_objects:
        own = relation.get_accessor_name() in OWN_PARTS and not parts
        if not own and relation.related_model is not Change and _points_at(relation, row):
            return relation.related_model._meta.verbose_name_plural
    return None


def _points_at(relation: Any, row: Model) -> bool:
    """Whether any row points at this one by that relation."""
    pointing = relation.related_model._base_manager.filter(**{relation.field.name: row.pk})
    return bool(pointing.exists())
