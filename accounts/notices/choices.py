"""By which ways a person wants to be told of what."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from django.db import transaction

from accounts.models import Choice
from accounts.notices.kinds import Kind, Way, kinds

if TYPE_CHECKING:
    from accounts.models import User


def ways_of(users: Iterable[int], kind: Kind) -> dict[int, frozenset[Way]]:
    """By which ways each of these users wants a kind; one query."""
    asked = list(users)
    rows = Choice.objects.filter(user__in=asked, kind=kind.key).values_list("user_id", "ways")
    chosen = {user: _offered(kind, ways) for user, ways in rows}
    usual = kind.usual & frozenset(kind.ways)
    return {user: chosen.get(user, usual) for user in asked}


def all_ways(user: User) -> dict[str, frozenset[Way]]:
    """By which ways a person wants every kind, by its key; one query."""
    rows = dict(Choice.objects.filter(user=user).values_list("kind", "ways"))
    return {
        key: _offered(kind, rows[key]) if key in rows else kind.usual & frozenset(kind.ways)
        for key, kind in kinds.items()
    }


def _offered(kind: Kind, ways: Collection[str]) -> frozenset[Way]:
    return frozenset(way for way in kind.ways if way in ways)


@transaction.atomic
def choose(user: User, chosen: dict[str, Collection[Way]]) -> None:
    """Keep what a person chose, by kind; a way the site does not offer now stays as it was."""
    before = dict(Choice.objects.filter(user=user).values_list("kind", "ways"))
    for key, ways in chosen.items():
        kind = kinds[key]
        stays = set(before.get(key, kind.usual)) - set(kind.ways)
        kept = sorted({str(way) for way in ways if way in kind.ways} | {str(way) for way in stays})
        Choice.objects.update_or_create(user=user, kind=key, defaults={"ways": kept})


def choose_none(user: User, key: str, way: Way) -> None:
    """Not this kind by this way any more; the empty key means every kind."""
    every = all_ways(user)
    named = [key] if key in every else list(every)
    choose(user, {name: every[name] - {way} for name in named})
