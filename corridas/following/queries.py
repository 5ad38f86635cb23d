"""Queries for the matadors and herds that users follow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from django.db.models import Q, QuerySet

from corridas.circuit_queries import may_be_seen
from corridas.models import Cartel, Circuit, Corrida, Follow, Ganaderia, Matador, Puesto, Run

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

Item = TypeVar("Item")


class Followed(NamedTuple):
    """The keys of the matadors and herds that a user follows."""

    matadors: frozenset[int] = frozenset()
    herds: frozenset[int] = frozenset()


NOTHING: Final = Followed()
# The slug distinguishes circuits of the same name.
IN_ORDER: Final = ("circuit__name_key", "circuit_id", "name_key", "pk")


def followed_keys(user: User | AnonymousUser | None, circuit: str) -> Followed:
    """Return the matadors and herds that a user follows in a circuit (given by its slug).

    One query, and none for an anonymous user.
    """
    if user is None or not user.is_authenticated:
        return Followed()
    follows = Follow.objects.filter(
        Q(matador__circuit__slug=circuit) | Q(ganaderia__circuit__slug=circuit), user=user.pk
    ).values_list("matador_id", "ganaderia_id")
    rows = list(follows)
    return Followed(
        frozenset(matador for matador, _herd in rows if matador),
        frozenset(herd for _matador, herd in rows if herd),
    )


def followed_first(
    items: Iterable[Item], followed: Collection[int], key: Callable[[Item], int | None]
) -> list[Item]:
    """Return items in the same order, but followed ones first."""
    return sorted(items, key=lambda item: key(item) not in followed)


def followers(run: Run) -> dict[int, list[str]]:
    """Return, for each user's key, the names of followed matadors and herds that appeared in a run.

    A run is a job that continues a season. In a circuit that is not public, only its owner counts
    as a follower. One query.
    """
    men = Puesto.objects.filter(cartel__corrida__run=run).values("matador")
    herds = Cartel.objects.filter(corrida__run=run).values("ganaderia")
    rows = Follow.objects.filter(Q(matador__in=men) | Q(ganaderia__in=herds))
    circuit = run.season.circuit
    if not circuit.public or circuit.archived_at is not None:
        rows = rows.filter(user=circuit.owner_id)
    found: dict[int, list[str]] = {}
    for follow in rows.select_related("matador", "ganaderia"):
        found.setdefault(follow.user_id, []).append(str(follow.matador or follow.ganaderia))
    return found


def follow_of(user: User, row: Matador | Ganaderia) -> QuerySet[Follow]:
    kind = {"matador": row} if isinstance(row, Matador) else {"ganaderia": row}
    return Follow.objects.filter(user=user, **kind)


@dataclass(frozen=True, kw_only=True)
class FollowedRow:
    """A followed matador or herd, and the next corrida for which it is announced."""

    row: Matador | Ganaderia
    circuit: Circuit
    next: Corrida | None


def followed_rows(user: User) -> tuple[list[FollowedRow], list[FollowedRow]]:
    """Return the matadors and herds that a user follows, with their next corridas.

    Circuits that the user may not see are left out. Four queries.
    """
    visible = Circuit.objects.filter(may_be_seen(user)).values("pk")
    follows = Follow.objects.filter(user=user)
    men = list(
        Matador.objects.filter(pk__in=follows.values("matador"), circuit__in=visible)
        .select_related("circuit")
        .order_by(*IN_ORDER)
    )
    herds = list(
        Ganaderia.objects.filter(pk__in=follows.values("ganaderia"), circuit__in=visible)
        .select_related("circuit")
        .order_by(*IN_ORDER)
    )
    waiting = Corrida.objects.to_come().select_related("plaza", "cartel").order_by("date", "pk")
    places = Puesto.objects.filter(matador__in=men, cartel__corrida__in=waiting.values("pk"))
    next_of_men: dict[int, Corrida] = {}
    for place in places.select_related("cartel__corrida__plaza").order_by("-date", "-pk"):
        next_of_men[place.matador_id] = place.cartel.corrida
    next_of_herds: dict[int, Corrida] = {}
    for corrida in waiting.filter(cartel__ganaderia__in=herds).order_by("-date", "-pk"):
        next_of_herds[corrida.cartel.ganaderia_id] = corrida
    return (
        [FollowedRow(row=man, circuit=man.circuit, next=next_of_men.get(man.pk)) for man in men],
        [
            FollowedRow(row=herd, circuit=herd.circuit, next=next_of_herds.get(herd.pk))
            for herd in herds
        ],
    )
