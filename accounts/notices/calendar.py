"""A person's calendar for other programs, and their notices as a feed."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils import feedgenerator
from django.utils.translation import gettext as _
from icalendar import Calendar

from accounts.notices.choices import all_ways
from accounts.notices.kinds import Way, kinds
from accounts.notices.reading import latest

if TYPE_CHECKING:
    from collections.abc import Callable

    from accounts.models import User

PRODUCT = "-//Temporada//Person//EN"
ASK_AGAIN = dt.timedelta(hours=6)


def calendar(user: User, *, now: dt.datetime) -> bytes:
    """Everything a person chose to have in their calendar (iCalendar, RFC 5545)."""
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", "Temporada")
    made.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    chosen = all_ways(user)
    for key, kind in kinds.items():
        if kind.occasions and Way.CALENDAR in chosen[key]:
            for event in kind.occasions(user, settings.SITE_URL, now):
                made.add_component(event)
    return bytes(made.to_ical())


def feed(user: User, *, address: str, absolute: Callable[[str], str]) -> str:
    """The latest notices as an Atom feed (RFC 4287); `absolute` makes addresses whole."""
    made = feedgenerator.Atom1Feed(
        title=_("Notifications for %s") % user.get_username(),
        link=absolute(reverse("notices")),
        description="",
        feed_url=address,
    )
    for one in latest(user):
        made.add_item(
            title=one.text,
            link=absolute(one.link or reverse("notices")),
            description=one.text,
            unique_id=f"{settings.SITE_URL}/accounts/notices/{one.number}/",
            pubdate=one.at,
            updateddate=one.at,
        )
    return made.writeString("utf-8")
