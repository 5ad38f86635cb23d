"""Notification kinds, registered by the applications that send them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise
    from icalendar import Event

    from accounts.models import User


class Channel(StrEnum):
    """How somebody is told: in the list on the site, by a letter, in their calendar."""

    SITE = "site"
    MAIL = "mail"
    CALENDAR = "calendar"


CalendarEvents = Callable[["User", str, dt.datetime], Iterable["Event"]]
"""The events of a person's calendar, given the site's address (`https://host`) and the instant."""

TEXT_CHANNELS: Final = frozenset({Channel.SITE, Channel.MAIL})


@dataclass(frozen=True, kw_only=True)
class NotificationKind:
    """One thing that people can be told of.

    `key` names it for ever. `label` stands beside its choices; `text` is a sentence with places
    such as `%(match)s` that the data of a notice fills, `earlier` the one for notices that were
    written when less was kept. `terms`: places filled with a code, and what each code is
    called. `times`: places filled with an instant (ISO 8601), told in the zone of the moment.
    `occasions` fills the calendar, where the kind offers that way. `usual` are the ways where
    nothing was chosen. `of_the_site`: it is for those who run the site, and nobody else chooses.
    """

    key: str
    label: _StrPromise
    text: _StrPromise | str = ""
    earlier: _StrPromise | str = ""
    usual: frozenset[Channel] = frozenset({Channel.SITE})
    occasions: CalendarEvents | None = None
    terms: Mapping[str, Mapping[str, _StrPromise | str]] = field(default_factory=dict)
    times: tuple[str, ...] = ()
    of_the_site: bool = False

    def is_for(self, user: User) -> bool:
        """Whether it is something this person may be told of."""
        return user.is_superuser or not self.of_the_site

    @property
    def ways(self) -> tuple[Channel, ...]:
        """The ways it offers on this site, in a fixed order; letters only where mail is sent."""
        possible = {Channel.CALENDAR} if self.occasions else set()
        if self.text:
            possible |= TEXT_CHANNELS if settings.EMAIL_HOST else {Channel.SITE}
        return tuple(way for way in Channel if way in possible)

    def sentence(self, data: Mapping[str, Any]) -> str:
        """What it says, in the language of the moment; a missing place stays a dash."""
        called = {
            place: str(names.get(str(data[place]), data[place]))
            for place, names in self.terms.items()
            if place in data
        }
        told = {place: _format_instant(data[place]) for place in self.times if place in data}
        places = _Placeholders({**data, **called, **told})
        said = str(self.text) % places
        return str(self.earlier) % places if places.missing and self.earlier else said


def _format_instant(instant: object) -> str:
    """A time as people read it, with its zone; what is no instant as it is."""
    try:
        at = localtime(dt.datetime.fromisoformat(str(instant)))
    except ValueError:
        return str(instant)
    return f"{date_format(at, 'j M Y, H:i')} ({at.tzname()})"


class _Placeholders(dict[str, Any]):
    missing = False

    def __missing__(self, key: str) -> str:
        self.missing = True
        return "–"


registered_kinds: dict[str, NotificationKind] = {}
"""Every kind by its key, in the order in which they were declared."""


def register_kinds(*declared: NotificationKind) -> None:
    """Declare kinds; the same key twice is an error unless it is the same kind."""
    for kind in declared:
        if registered_kinds.setdefault(kind.key, kind) is not kind:
            raise ValueError(f"Two kinds of notices are called {kind.key}.")


def notification_text(key: str, data: Mapping[str, Any]) -> str:
    """What a notice says; of a kind that is no more, only that something happened."""
    kind = registered_kinds.get(key)
    return kind.sentence(data) if kind else _("This notification can no longer be shown.")
