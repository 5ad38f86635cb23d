"""Circuits to choose from, and what there is to say of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils.text import slugify

from corridas.models import Circuit, Corrida, Lidia, Matador, TableCorrida
from corridas.queries.circuit import SHIPPED

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

MOST_LISTED = 100
LONGEST_SLUG: Final = 40
TAKEN: Final = frozenset({SHIPPED, "nuevo", "traer"})
"""Addresses that no circuit of a user may have."""


def _told() -> QuerySet[Circuit]:
    airing = Corrida.objects.filter(
        season__circuit=OuterRef("pk"), state=Corrida.State.ON_AIR
    ).order_by()
    return (
        Circuit.objects.select_related("owner")
        .annotate(count=Count("seasons"), year=Max("seasons__year"), airing=Exists(airing))
        .order_by("-airing", "name", "pk")
    )


def seen_by(user: User | AnonymousUser) -> QuerySet[Circuit]:
    """Circuits the visitor may see: what the rule `corridas.view_circuit` says, of all at once.

    Each with `count` of its seasons, `year` of the latest, and whether one is `airing`.
    """
    return _told().filter(may_be_seen(user))


def may_be_seen(user: User | AnonymousUser) -> Q:
    """The same as a condition on circuits."""
    if user.is_superuser:
        return Q()
    wanted = Q(public=True, archived_at=None)
    if user.is_authenticated:
        wanted |= Q(owner=user.pk) | Q(offered_to=user.pk, archived_at=None)
    return wanted


def public_circuits() -> list[Circuit]:
    """Circuits that anyone can watch, those on air first; one query.

    Each with `count` of its seasons, `year` of the latest, and whether one is `airing`.
    """
    return list(_told().filter(public=True, archived_at=None)[:MOST_LISTED])


def circuits_of(user: User) -> list[Circuit]:
    """What the user directs, the archived last; one query."""
    archived_last = F("archived_at").asc(nulls_first=True)
    return list(_told().filter(owner=user).order_by(archived_last, "name", "pk"))


def offered_to(user: User) -> list[Circuit]:
    """What the user may take over; one query."""
    return list(_told().filter(offered_to=user, archived_at=None))


def has_history(circuit: Circuit) -> bool:
    """Whether anything was fought in it, or handed in by a table; two queries."""
    fought = Lidia.objects.filter(corrida__season__circuit=circuit)
    return fought.exists() or TableCorrida.objects.filter(circuit=circuit).exists()


@dataclass(frozen=True, kw_only=True)
class Belongings:
    """How much a circuit holds."""

    seasons: int
    posted: int
    matadors: int
    plazas: int
    herds: int


def belongings(circuit: Circuit) -> Belongings:
    """What would go, or stay, with a circuit; five queries."""
    over = (Corrida.State.POSTED, Corrida.State.SUSPENDED)
    return Belongings(
        seasons=circuit.seasons.count(),
        posted=Corrida.objects.filter(season__circuit=circuit, state__in=over).count(),
        matadors=Matador.objects.filter(circuit=circuit).count(),
        plazas=circuit.plazas.count(),
        herds=circuit.herds.count(),
    )


def free_slug(name: str) -> str:
    """An address for a circuit of that name that no other has."""
    stem = slugify(name)[:LONGEST_SLUG].strip("-") or "circuito"
    known = set(Circuit.objects.filter(slug__startswith=stem[:30]).values_list("slug", flat=True))
    slug, number = stem, 1
    while slug in known or slug in TAKEN:
        number += 1
        slug = f"{stem[: LONGEST_SLUG - 6]}-{number}"
    return slug
