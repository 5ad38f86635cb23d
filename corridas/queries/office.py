"""What the office has to know: whose circuits somebody keeps, what waits, what went wrong."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Max, Min, Q, QuerySet

from corridas.models import Change, Circuit, Corrida, Deck, Run

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

    Person = User | AnonymousUser

MOST = 20
"""Rows of a kind that the first page of the office lists."""


def oversees(person: Person) -> bool:
    """Whether somebody sees the circuits of everybody."""
    return person.has_perm("corridas.oversee_circuits")


def circuits_of(person: Person) -> QuerySet[Circuit]:
    """The circuits somebody keeps in the office: the own ones.

    Who keeps the site's rosters has the public circuits without a director besides, who oversees
    all of them has all.
    """
    if oversees(person):
        return Circuit.objects.all()
    if not person.is_authenticated:  # whose key is None, as is the owner of a circuit of nobody
        return Circuit.objects.none()
    wanted = Q(owner=person.pk)
    if person.has_perm("corridas.keep_rosters"):
        wanted |= Q(owner=None, public=True, archived_at=None)
    return Circuit.objects.filter(wanted)


def decks_of(person: Person) -> QuerySet[Deck]:
    """The decks that the circuits somebody keeps play with, and those they wrote themselves."""
    if oversees(person):
        return Deck.objects.all()
    if not person.is_authenticated:
        return Deck.objects.none()
    written = Change.objects.filter(kind="deck", by=person.pk, before__isnull=True).values("row")
    played = circuits_of(person).values("deck")
    return Deck.objects.filter(Q(pk__in=played) | Q(pk__in=written))


class Standing(NamedTuple):
    """A circuit, the year it is in, how many dates are still to come, and the next of them."""

    circuit: Circuit
    year: int | None
    left: int
    next_day: dt.date | None


@dataclass(frozen=True, kw_only=True)
class Today:
    """Corridas by how far they have come, without a word about results; runs; circuits."""

    queued: list[Corrida]
    on_air: list[Corrida]
    failed: list[Corrida]
    runs: list[Run]
    circuits: list[Standing]

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to look after."""
        return not (self.queued or self.on_air or self.failed or self.runs)


def today(kept: QuerySet[Circuit] | None = None) -> Today:
    """What the office watches in the circuits somebody keeps, the first `MOST` of each kind.

    Six queries, whatever there is.
    """
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
    return list(rows.select_related("plaza", "season__circuit").order_by("date", "pk")[:MOST])


def _runs(kept: QuerySet[Circuit]) -> list[Run]:
    """Runs that go on, and those that broke down and were not followed by another."""
    states = (*Run.ACTIVE, Run.State.FAILED)
    rows = Run.objects.filter(state__in=states, season__circuit__in=kept)
    return list(rows.select_related("season__circuit").order_by("-asked_at")[:MOST])


def _circuits(kept: QuerySet[Circuit]) -> list[Standing]:
    """Circuits by name, with the year they are in and what is still to come there."""
    rows = kept.filter(archived_at=None).annotate(year=Max("seasons__year"))
    circuits = list(rows.select_related("owner").order_by("name", "pk")[:MOST])
    ahead = Corrida.objects.filter(
        state=Corrida.State.ANNOUNCED, season__circuit__in=[circuit.pk for circuit in circuits]
    )
    counted = ahead.values_list("season__circuit").annotate(Count("pk"), Min("date"))
    to_come = {key: (left, day) for key, left, day in counted}
    return [
        Standing(circuit, circuit.year, *to_come.get(circuit.pk, (0, None))) for circuit in circuits
    ]
