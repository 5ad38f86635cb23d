"""A person's notices: the list, what is unread, and how long they are kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Notice, User
from accounts.notices.kinds import sentence

if TYPE_CHECKING:
    from django.db.models import QuerySet

SHOWN: Final = 100
"""Lines of the list, and entries of the feed."""
KEPT: Final = 500
"""Notices kept a person, the newest."""
KEPT_FOR: Final = dt.timedelta(days=180)


@dataclass(frozen=True, kw_only=True)
class Line:
    """A notice as it is read, in the language of the moment."""

    number: int
    text: str
    link: str
    at: dt.datetime
    unread: bool


def latest(user: User, limit: int = SHOWN) -> list[Line]:
    """A person's notices, newest first; one query."""
    return [line(row) for row in _of(user).order_by("-pk")[:limit]]


def line(row: Notice) -> Line:
    """One notice as it is read."""
    return Line(
        number=row.pk,
        text=sentence(row.kind, row.data),
        link=row.link,
        at=row.at,
        unread=row.read_at is None,
    )


def open_notice(user: User, number: int, *, at: dt.datetime) -> str | None:
    """Mark one as read and say where it leads; None where the person has no such notice."""
    row = _of(user).filter(pk=number).first()
    if row is None:
        return None
    if _of(user).filter(pk=number, read_at=None).update(read_at=at):
        recount([user.pk])
    return row.link


def mark_all_read(user: User, *, at: dt.datetime) -> None:
    """Nothing is unread any more."""
    _of(user).filter(read_at=None).update(read_at=at)
    recount([user.pk])


def recount(users: Iterable[int]) -> None:
    """Count anew what these users have not read.

    One statement a user, so that two tellings never hold each other up.
    """
    waiting = (
        Notice.objects.filter(user=OuterRef("pk"), on_site=True, read_at=None)
        .order_by()
        .values("user")
        .annotate(many=Count("*"))
        .values("many")
    )
    many = Coalesce(Subquery(waiting, output_field=IntegerField()), 0)
    for user in sorted(set(users)):
        User.objects.filter(pk=user).update(unread=many)


def forget_old(*, at: dt.datetime) -> int:
    """Drop what is older than half a year, and what is beyond five hundred a person."""
    gone, _rows = Notice.objects.filter(at__lt=at - KEPT_FOR).delete()
    crowded = Notice.objects.order_by().values("user").annotate(many=Count("*"))
    users = set()
    for user in crowded.filter(many__gt=KEPT).values_list("user", flat=True):
        rows = Notice.objects.filter(user=user).order_by("-pk")
        last = rows.values_list("pk", flat=True)[KEPT - 1]
        gone += rows.filter(pk__lt=last).delete()[0]
        users.add(user)
    recount(users | set(_counted_wrong()))
    return gone


def _counted_wrong() -> Iterable[int]:
    """Those whose count may have missed something: a process died between commit and counting."""
    unread = Notice.objects.filter(on_site=True, read_at=None).order_by().values("user")
    real = dict(unread.annotate(many=Count("*")).values_list("user", "many"))
    told = dict(User.objects.filter(unread__gt=0).values_list("pk", "unread"))
    return (user for user in real.keys() | told.keys() if real.get(user) != told.get(user))


def _of(user: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, on_site=True)
