"""Queries on rosters: which rows a user may edit, and which rows carteles depend on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, Max, Min, Model, OuterRef, Q, QuerySet

from accounts.models import User
from corridas.models import (
    Bull,
    Cartel,
    Change,
    Circuit,
    Corrida,
    Deck,
    Feria,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Run,
    Season,
)

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The models whose changes are recorded, by the name that the history stores.
KINDS: Mapping[str, type[Model]] = {
    str(model._meta.model_name): model
    for model in (Circuit, Deck, Plaza, Ganaderia, Bull, Matador, MatadorCard, Season, Feria)
}

# Fields that cannot change once a corrida with the row has been announced, because its commitment
# contains them (Ruling F-2). All fields of a printed card are fixed.
PROMISED: Mapping[str, tuple[str, ...]] = {
    "bull": ("ganaderia", "name", "number", "year", "coat", "weight"),
    "deck": ("cards",),
    "matador": ("circuit", "slug", "name", "alternativa"),
    "plaza": ("circuit", "slug", "name", "category"),
    "season": ("rules",),
}

# Related objects that are part of a row and are deleted with it.
OWN_PARTS = frozenset({"cards"})


def kind_of(row: Model) -> str:
    return str(row._meta.model_name)


def circuit_of(row: Model) -> int | None:
    """Return the primary key of a row's circuit.

    Return None for a deck, which several circuits may use.
    """
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
    """Return the circuits to lock while a row changes.

    The lock prevents that a cartel with the row is announced at the same time.
    """
    wanted = Q(deck=row.pk) if isinstance(row, Deck) else Q(pk=circuit_of(row))
    return Circuit.objects.filter(wanted).order_by("pk")


def is_promised(row: Model) -> bool:
    """Return whether a published commitment depends on this row, because a cartel contains it."""
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
    if not is_promised(row):
        return ()
    if isinstance(row, MatadorCard):
        return tuple(field.name for field in row._meta.concrete_fields)
    return PROMISED[kind_of(row)]


def dependents_of(row: Model, *, parts: bool = False) -> str | _StrPromise | None:
    """Return the plural name of the rows that depend on a row, or None.

    With `parts`, the cards of a matador count as well.
    """
    for relation in row._meta.related_objects:
        own = relation.get_accessor_name() in OWN_PARTS and not parts
        if not own and relation.related_model is not Change and _points_at(relation, row):
            return relation.related_model._meta.verbose_name_plural
    return None


def _points_at(relation: Any, row: Model) -> bool:
    pointing = relation.related_model._base_manager.filter(**{relation.field.name: row.pk})
    return bool(pointing.exists())


def announced() -> Exists:
    """Return an expression for whether a cartel contains a card.

    It also compares the matador, so that the database can use that index.
    """
    return Exists(Puesto.objects.filter(matador=OuterRef("matador"), card=OuterRef("pk")))


def printed_cards() -> QuerySet[MatadorCard]:
    return MatadorCard.objects.filter(announced()).order_by("matador", "-printing")


def open_cards() -> QuerySet[MatadorCard]:
    return MatadorCard.objects.filter(~announced()).order_by("matador", "-printing")


if TYPE_CHECKING:
    Person = User | AnonymousUser


# Maximum number of rows of each kind on the first page of the admin.
MAX_ITEMS = 20


def oversees(person: Person) -> bool:
    return person.has_perm("corridas.oversee_circuits")


def circuits_of(person: Person) -> QuerySet[Circuit]:
    """Return the circuits that a user may edit in the admin.

    These are the user's own circuits. Editors of the site's rosters may also edit public circuits
    without a director, and administrators of all circuits may edit all.
    """
    if oversees(person):
        return Circuit.objects.all()
    # the key of an anonymous user is None, like the owner of a circuit without a director
    if not person.is_authenticated:
        return Circuit.objects.none()
    wanted = Q(owner=person.pk)
    if person.has_perm("corridas.keep_rosters"):
        wanted |= Q(owner=None, public=True, archived_at=None)
    return Circuit.objects.filter(wanted)


def decks_of(person: Person) -> QuerySet[Deck]:
    """Return the decks that a user may edit.

    These are the decks of circuits that the user may edit, and those that the user has created.
    """
    if oversees(person):
        return Deck.objects.all()
    if not person.is_authenticated:
        return Deck.objects.none()
    written = Change.objects.filter(kind="deck", by=person.pk, before__isnull=True).values("row")
    played = circuits_of(person).values("deck")
    return Deck.objects.filter(Q(pk__in=played) | Q(pk__in=written))


class Standing(NamedTuple):
    """A circuit on the first page of the admin.

    It has the year of its current season, the number of coming corridas and the next date.
    """

    circuit: Circuit
    year: int | None
    left: int
    next_day: dt.date | None


@dataclass(frozen=True, kw_only=True)
class Today:
    """The first page of the admin: corridas by progress (without results), runs and circuits."""

    queued: list[Corrida]
    on_air: list[Corrida]
    failed: list[Corrida]
    runs: list[Run]
    circuits: list[Standing]

    @property
    def quiet(self) -> bool:
        return not (self.queued or self.on_air or self.failed or self.runs)


def today(kept: QuerySet[Circuit] | None = None) -> Today:
    """Return what the first page of the admin shows, `MAX_ITEMS` rows of each kind. Six queries."""
    kept = Circuit.objects.all() if kept is None else kept
    return Today(
        queued=_in_state(kept, Corrida.State.QUEUED),
        on_air=_in_state(kept, Corrida.State.ON_AIR),
        failed=_in_state(kept, Corrida.State.FAILED),
        runs=_runs(kept),
        circuits=_circuits(kept),
    )


def _in_state(kept: QuerySet[Circuit], state: Corrida.State) -> list[Corrida]:
    rows = Corrida.objects.filter(state=state, season__circuit__in=kept)
    return list(rows.select_related("plaza", "season__circuit").order_by("date", "pk")[:MAX_ITEMS])


def _runs(kept: QuerySet[Circuit]) -> list[Run]:
    states = (*Run.ACTIVE, Run.State.FAILED)
    rows = Run.objects.filter(state__in=states, season__circuit__in=kept)
    return list(rows.select_related("season__circuit").order_by("-asked_at")[:MAX_ITEMS])


def _circuits(kept: QuerySet[Circuit]) -> list[Standing]:
    rows = kept.filter(archived_at=None).annotate(year=Max("seasons__year"))
    circuits = list(rows.select_related("owner").order_by("name_key", "pk")[:MAX_ITEMS])
    ahead = Corrida.objects.filter(
        state=Corrida.State.ANNOUNCED, season__circuit__in=[circuit.pk for circuit in circuits]
    )
    counted = ahead.values_list("season__circuit").annotate(Count("pk"), Min("date"))
    to_come = {key: (left, day) for key, left, day in counted}
    return [
        Standing(circuit, circuit.year, *to_come.get(circuit.pk, (0, None))) for circuit in circuits
    ]
