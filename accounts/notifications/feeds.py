"""A user's calendar (iCalendar) and notifications as an Atom feed."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils import feedgenerator
from django.utils.translation import gettext as _
from icalendar import Calendar

from accounts.notifications.kinds import Channel, registered_kinds
from accounts.notifications.queries import channels_by_kind, latest

if TYPE_CHECKING:
    from collections.abc import Callable

    from accounts.models import User

PRODUCT_ID = "-//Temporada//Person//EN"
REFRESH_INTERVAL = dt.timedelta(hours=6)


def render_calendar(user: User, *, now: dt.datetime) -> bytes:
    made = Calendar()
    made.add("prodid", PRODUCT_ID)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", "Temporada")
    made.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    chosen = channels_by_kind(user)
    for key, kind in registered_kinds.items():
        if kind.occasions and Channel.CALENDAR in chosen[key]:
            for event in kind.occasions(user, settings.SITE_URL, now):
                made.add_component(event)
    return bytes(made.to_ical())


def render_feed(user: User, *, address: str, absolute: Callable[[str], str]) -> str:
    """Return the latest notifications as an Atom feed (RFC 4287).

    `absolute` turns a path into a complete URL.
    """
    made = feedgenerator.Atom1Feed(
        title=_("Notifications for %s") % user.get_username(),
        link=absolute(reverse("notices")),
        description="",
        feed_url=address,
    )
    for notice in latest(user):
        made.add_item(
            title=notice.text,
            link=absolute(notice.link or reverse("notices")),
            description=notice.text,
            unique_id=f"{settings.SITE_URL}/accounts/notices/{notice.number}/",
            pubdate=notice.at,
            updateddate=notice.at,
        )
    return made.writeString("utf-8")
