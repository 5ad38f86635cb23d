"""Queries for circuits and their seasons, and for what remains of users' quotas."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils.text import slugify

from core.addresses import reserved_words
from corridas import sql
from corridas.models import Circuit, CircuitCopy, Corrida, Lidia, Matador, Season, TableCorrida

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

# Slug of the bundled circuit, which anyone can watch.
SHIPPED: Final = "leyendas"


class SeasonMark(NamedTuple):
    """The cache key of a season: its posted version and whether it has ended.

    The end is included because a season can end with a corrida that cannot be played, and no
    results are posted then.
    """

    season: int
    year: int
    posted_version: int
    ended: bool


# The last year that calendars and the database column allow.
LAST_YEAR: Final = 9999


def find_season_mark(year: int | None = None, circuit: str = SHIPPED) -> SeasonMark | None:
    if year is not None and year > LAST_YEAR:
        return None
    row = sql.current_season(circuit) if year is None else sql.season_of_year(circuit, year)
    return _mark(row) if row else None


def find_ranked(circuit: str = SHIPPED) -> SeasonMark | None:
    """Return the cache key of the current season, or of the previous one until it has a ranking.

    None if the circuit has no season.
    """
    row = sql.ranked_season(circuit)
    if not row:
        return None
    current, last = row[:4], row[4:]
    return _mark(current if current[2] or last[0] is None else last)


def _mark(row: tuple[Any, ...]) -> SeasonMark:
    season, year, posted_version, ended = row
    return SeasonMark(season, year, posted_version, bool(ended))


def find_season(year: int | None = None, circuit: str = SHIPPED) -> Season | None:
    """Return the season of a year, or by default the current season; None if there is none.

    The current season is the first one with a corrida left to play, even if a later one is planned
    already. If all seasons are over, it is the latest.
    """
    seasons = Season.objects.select_related("circuit")
    if year is None:
        return seasons.filter(pk=sql.current_season_id(circuit)).first()
    return seasons.filter(circuit__slug=circuit, year=year).first() if year <= LAST_YEAR else None


def years(circuit: str = SHIPPED) -> list[int]:
    seasons = Season.objects.filter(circuit__slug=circuit).order_by("-year")
    return list(seasons.values_list("year", flat=True))


PAGE_SIZE = 100
MAX_SLUG_LENGTH: Final = 40


def _annotated() -> QuerySet[Circuit]:
    airing = Corrida.objects.filter(
        season__circuit=OuterRef("pk"), state=Corrida.State.ON_AIR
    ).order_by()
    return (
        Circuit.objects.select_related("owner")
        .annotate(count=Count("seasons"), year=Max("seasons__year"), airing=Exists(airing))
        .order_by("-airing", "name_key", "pk")
    )


def seen_by(user: User | AnonymousUser) -> QuerySet[Circuit]:
    """Return the circuits that a user may see (the permission `corridas.view_circuit` as a query).

    Each has the number of its seasons as `count` and the latest year as `year`. `airing` says
    whether a corrida is being broadcast.
    """
    return _annotated().filter(may_be_seen(user))


def may_be_seen(user: User | AnonymousUser) -> Q:
    """Return a filter for the circuits that a user may see (permission `corridas.view_circuit`)."""
    if user.is_superuser:
        return Q()
    wanted = Q(public=True, archived_at=None)
    if user.is_authenticated:
        wanted |= Q(owner=user.pk) | Q(offered_to=user.pk, archived_at=None)
    return wanted


def public_circuits() -> list[Circuit]:
    """Return the circuits that anyone can watch, those with a broadcast first.

    Each has the number of its seasons as `count` and the latest year as `year`. `airing` says
    whether a corrida is being broadcast.
    """
    return list(_annotated().filter(public=True, archived_at=None)[:PAGE_SIZE])


def circuits_of(user: User) -> list[Circuit]:
    archived_last = F("archived_at").asc(nulls_first=True)
    owned = _annotated().filter(owner=user).select_related("offered_to")
    return list(owned.order_by(archived_last, "name_key", "pk"))


def copies_under_way(user: User) -> list[CircuitCopy]:
    return list(CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, asked_by=user).order_by("pk"))


def offered_to(user: User) -> list[Circuit]:
    return list(_annotated().filter(offered_to=user, archived_at=None))


def has_history(circuit: Circuit) -> bool:
    """Return whether anything has been played in a circuit.

    In a copy, only what was played after copying counts.
    """
    fought = Lidia.objects.filter(corrida__season__circuit=circuit).order_by()
    copied = CircuitCopy.objects.filter(circuit=circuit).values_list("lidias", flat=True).first()
    played = fought.count() > copied if copied else fought.exists()
    return played or TableCorrida.objects.filter(circuit=circuit).exists()


@dataclass(frozen=True, kw_only=True)
class Belongings:
    seasons: int
    posted: int
    matadors: int
    plazas: int
    herds: int


def belongings(circuit: Circuit) -> Belongings:
    over = (Corrida.State.POSTED, Corrida.State.SUSPENDED)
    return Belongings(
        seasons=circuit.seasons.count(),
        posted=Corrida.objects.filter(season__circuit=circuit, state__in=over).count(),
        matadors=Matador.objects.filter(circuit=circuit).count(),
        plazas=circuit.plazas.count(),
        herds=circuit.herds.count(),
    )


def free_slug(name: str, *, crowded: bool = False) -> str:
    """Return a slug for a new circuit that no other circuit has.

    With `crowded` it ends with random characters.
    """
    stem = slugify(name)[:MAX_SLUG_LENGTH].strip("-") or "circuito"
    if crowded:
        return f"{stem[: MAX_SLUG_LENGTH - 9]}-{secrets.token_hex(4)}"
    known = set(Circuit.objects.filter(slug__startswith=stem[:30]).values_list("slug", flat=True))
    known |= {SHIPPED, *reserved_words(*Circuit.FOLDERS)}
    slug, number = stem, 1
    while slug in known:
        number += 1
        slug = f"{stem[: MAX_SLUG_LENGTH - 6]}-{number}"
    return slug


BOUNDLESS = 10**9


def circuits_left(user: User) -> int:
    """Return how many more circuits the user may create or take over.

    Archived circuits do not count, and unfinished copies do.
    """
    if user.is_superuser:
        return BOUNDLESS
    owned = Circuit.objects.filter(owner=user, archived_at=None).count()
    coming = CircuitCopy.objects.filter(CircuitCopy.UNFINISHED, asked_by=user).count()
    return max(0, settings.MAX_CIRCUITS_PER_USER - owned - coming)


def seasons_left(circuit: Circuit) -> int:
    if _boundless(circuit):
        return BOUNDLESS
    return max(0, settings.SEASONS_A_CIRCUIT - circuit.seasons.count())


def matadors_left(circuit: Circuit) -> int:
    if _boundless(circuit):
        return BOUNDLESS
    signed = circuit.matadors.exclude(state=Matador.State.RETIRED).count()
    return max(0, settings.MATADORS_A_CIRCUIT - signed)


def sand_left(circuit: Circuit) -> int:
    """Return how many more corridas the director may broadcast at once, in all circuits together.

    Must be called in a transaction. It locks the director's row, so that two circuits cannot both
    take the last place.
    """
    if circuit.owner_id is None or _boundless(circuit):
        return BOUNDLESS
    users = get_user_model().objects.select_for_update(no_key=True)
    users.filter(pk=circuit.owner_id).first()
    live = (Corrida.State.QUEUED, Corrida.State.ON_AIR)
    going = Corrida.objects.filter(season__circuit__owner=circuit.owner_id, state__in=live)
    return max(0, settings.MAX_LIVE_CORRIDAS_PER_USER - going.count())


def _boundless(circuit: Circuit) -> bool:
    return circuit.owner is None or circuit.owner.is_superuser
