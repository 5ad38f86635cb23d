"""Marks corridas as watched, so that their results are no longer hidden from the user."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from corridas.models import Corrida, Watched
from corridas.spoilers import queries

if TYPE_CHECKING:
    from accounts.models import User


def mark_watched(*, user: User, corrida: int, at: dt.datetime) -> None:
    """Mark a corrida as watched by the user. Marking it twice has no further effect.

    Raises `Corrida.DoesNotExist` for a corrida that the user cannot have watched.
    """
    if not queries.can_mark_watched(user, corrida, at):
        raise Corrida.DoesNotExist(f"no corrida {corrida} to have watched")
    _insert(user, [corrida], at)


def mark_all_watched(*, user: User, at: dt.datetime, circuit: str | None = None) -> int:
    """Mark all hidden corridas of one circuit (given by its slug) or of all circuits as watched.

    Returns how many were marked.
    """
    rows = queries.hidden(user, at)
    if circuit is not None:
        rows = rows.filter(season__circuit__slug=circuit)
    keys = list(rows.values_list("pk", flat=True))
    _insert(user, keys, at)
    return len(keys)


def _insert(user: User, corridas: list[int], at: dt.datetime) -> None:
    rows = [Watched(user_id=user.pk, corrida_id=corrida, at=at) for corrida in corridas]
    Watched.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
