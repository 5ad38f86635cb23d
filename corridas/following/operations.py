"""Operations to follow and unfollow matadors and herds."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from corridas.errors import OperationError
from corridas.following.queries import follow_of
from corridas.models import Follow, Ganaderia, Matador

MAX_FOLLOWED: Final = 200


@transaction.atomic
def follow(*, user: User, row: Matador | Ganaderia, at: dt.datetime) -> None:
    """Follow a matador or a herd. Following it twice has no further effect.

    Raises `OperationError` if the user would follow more than `MAX_FOLLOWED`.
    """
    if follow_of(user, row).exists():
        return
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if Follow.objects.filter(user=user).count() >= MAX_FOLLOWED:
        raise OperationError(
            _("You can follow %(count)d matadors and herds at most. Stop following one first.")
            % {"count": MAX_FOLLOWED}
        )
    kind = {"matador": row} if isinstance(row, Matador) else {"ganaderia": row}
    Follow.objects.bulk_create([Follow(user=user, at=at, **kind)], ignore_conflicts=True)


def unfollow(*, user: User, row: Matador | Ganaderia) -> None:
    """Unfollow a matador or a herd. Does nothing if the user does not follow it."""
    follow_of(user, row).delete()
