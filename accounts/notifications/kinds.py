"""Notification kinds, registered by the applications that send them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise
    from icalendar import Event

    from accounts.models import User


class Channel(StrEnum):
    """Channels on which a user is notified: the list on the site, email or the calendar."""

    SITE = "site"
    MAIL = "mail"
    CALENDAR = "calendar"


# Function that yields calendar events. Its arguments are the user, the site's address
# (`https://host`) and the current time.
CalendarEvents = Callable[["User", str, dt.datetime], Iterable["Event"]]

TEXT_CHANNELS: Final = frozenset({Channel.SITE, Channel.MAIL})


@dataclass(frozen=True, kw_only=True)
class NotificationKind:
    """One kind of notification.

    `key` never changes. `label` is the name of the kind in the settings. `text` has placeholders
    such as `%(match)s`, which are filled in from a notification's data. `earlier` is the text for
    older notifications whose data lack a placeholder. `variants` are alternative texts by key; the
    value of `variant` in the data selects one. `terms` maps placeholders to the display names of
    their codes. `times` names placeholders with an ISO 8601 instant, which is shown in the active
    time zone. `occasions` yields calendar events. `usual` are the default channels. `of_the_site`
    restricts the kind to superusers.
    """

    key: str
    label: _StrPromise
    text: _StrPromise | str = ""
    earlier: _StrPromise | str = ""
    variants: Mapping[str, _StrPromise | str] = field(default_factory=dict)
    usual: frozenset[Channel] = frozenset({Channel.SITE})
    occasions: CalendarEvents | None = None
    terms: Mapping[str, Mapping[str, _StrPromise | str]] = field(default_factory=dict)
    times: tuple[str, ...] = ()
    of_the_site: bool = False

    def is_for(self, user: User) -> bool:
        return user.is_superuser or not self.of_the_site

    @property
    def ways(self) -> tuple[Channel, ...]:
        """Return the channels on which the site can send this kind, in a fixed order.

        Email is included only if a mail server is configured.
        """
        possible = {Channel.CALENDAR} if self.occasions else set()
        if self.text:
            possible |= TEXT_CHANNELS if settings.EMAIL_HOST else {Channel.SITE}
        return tuple(way for way in Channel if way in possible)

    def sentence(self, data: Mapping[str, object]) -> str:
        """Return the text with the data filled in, in the active language.

        Missing values appear as a dash.
        """
        called = {
            place: str(names.get(str(data[place]), data[place]))
            for place, names in self.terms.items()
            if place in data
        }
        instants = {place: _format_instant(data[place]) for place in self.times if place in data}
        places = _Placeholders({**data, **called, **instants})
        text = self.variants.get(str(data.get("variant", "")), self.text)
        said = str(text) % places
        return str(self.earlier) % places if places.missing and self.earlier else said


def _format_instant(instant: object) -> str:
    """Format an ISO 8601 instant in the active time zone. Return any other value as text."""
    try:
        at = localtime(dt.datetime.fromisoformat(str(instant)))
    except ValueError:
        return str(instant)
    return f"{date_format(at, 'j M Y, H:i')} ({at.tzname()})"


class _Placeholders(dict[str, object]):
    missing = False

    def __missing__(self, key: str) -> str:
        self.missing = True
        return "–"


registered_kinds: dict[str, NotificationKind] = {}


def register_kinds(*declared: NotificationKind) -> None:
    """Register kinds of notifications.

    Raises ValueError if a different kind has the same key.
    """
    for kind in declared:
        if registered_kinds.setdefault(kind.key, kind) is not kind:
            raise ValueError(f"Two kinds of notices are called {kind.key}.")


def notification_text(key: str, data: Mapping[str, object]) -> str:
    kind = registered_kinds.get(key)
    return kind.sentence(data) if kind else _("This notification can no longer be shown.")
