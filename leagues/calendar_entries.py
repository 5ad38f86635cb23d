"""Calendar entries of fixtures and byes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.calendar import CalendarEntry
from leagues.calendar_changes import CANCELLED_FOR
from leagues.models import CancelledEntry, Fixture, League, Player, Round

# Maximum number of cancelled entries in a calendar file. The latest are included.
MAX_CANCELLED: Final = 500


def fixture_entry(fixture: Fixture, names: Sequence[str], *, site: str) -> CalendarEntry:
    """Return the calendar entry of a fixture between these players.

    `site` is the scheme and host to put before URL paths.
    """
    league = fixture.round.league
    return CalendarEntry(
        key=_fixture_key(fixture.pk),
        summary=_summary(fixture, league, names),
        changed=fixture.changed_at or fixture.round.drawn_at,
        deadline=fixture.deadline,
        description=fixture.remark,
        address=site + reverse("fixture", args=[league.slug, fixture.pk]),
        version=fixture.revision,
        void=fixture.state == Fixture.State.VOID,
    )


def _summary(fixture: Fixture, league: League, names: Sequence[str]) -> str:
    words = {"names": _(" against ").join(names), "league": league.name}
    if fixture.state in Fixture.TO_PLAY:
        return _("Match due: %(names)s (%(league)s)") % words
    return _("Match: %(names)s (%(league)s)") % words


def byes_entry(
    round_: Round, players: Sequence[Player], *, rest_days: bool, site: str
) -> CalendarEntry:
    """Return the entry for all byes of a round, for the calendar of the league."""
    bye, rest_day = _("Bye: %(names)s (%(league)s)"), _("Rest day: %(names)s (%(league)s)")
    names = ", ".join(player.name for player in players)
    words = {"names": names, "league": round_.league.name}
    summary = (rest_day if rest_days else bye) % words
    return _bye_entry(round_, None, summary, site=site)


def bye_entry(round_: Round, player: Player, *, rest_day: bool, site: str) -> CalendarEntry:
    """Return the calendar entry of a player's bye (round without a match), for the player's
    own calendar.
    """
    bye = _("Bye: round %(round)s (%(league)s)")
    summary = _("Rest day: round %(round)s (%(league)s)") if rest_day else bye
    words = {"round": round_.number, "league": round_.league.name}
    return _bye_entry(round_, player.pk, summary % words, site=site)


def _bye_entry(round_: Round, player: int | None, summary: str, *, site: str) -> CalendarEntry:
    league = round_.league
    closed = league.closed_at is not None and round_.deadline > league.closed_at
    return CalendarEntry(
        key=_bye_key(round_.pk, player),
        summary=summary,
        changed=round_.changed_at or round_.drawn_at,
        deadline=round_.deadline,
        address=site + reverse("league_fixtures", args=[league.slug]),
        version=round_.revision,
        void=closed,
    )


def cancelled_entries(
    rows: QuerySet[CancelledEntry], present: Iterable[CalendarEntry], *, site: str, now: dt.datetime
) -> Iterator[CalendarEntry]:
    """Yield calendar entries that were cancelled recently.

    Entries of fixtures and byes that exist again (`present`) are left out.
    """
    known = {entry.key for entry in present}
    recent = rows.filter(cancelled_at__gte=now - CANCELLED_FOR)
    recent = recent.select_related("league", "player").order_by("-cancelled_at", "-pk")
    for row in recent[:MAX_CANCELLED]:
        key = _bye_key(row.round_key, row.player.person_id if row.player else None)
        if row.fixture_key is not None:
            key = _fixture_key(row.fixture_key)
        if key in known:
            continue
        known.add(key)
        yield CalendarEntry(
            key=key,
            summary=_cancelled_summary(row),
            changed=row.cancelled_at,
            deadline=row.deadline,
            address=site + reverse("league_fixtures", args=[row.league.slug]),
            version=row.revision,
            void=True,
        )


def _cancelled_summary(row: CancelledEntry) -> str:
    words = {"round": row.round, "table": row.table, "league": row.league.name}
    if row.fixture_key is None:
        return _("Cancelled bye: round %(round)s (%(league)s)") % words
    return _("Cancelled fixture: round %(round)s, table %(table)s (%(league)s)") % words


def _fixture_key(key: int) -> str:
    return f"fixture/{key}"


def _bye_key(round_key: int, player: int | None) -> str:
    return f"bye/{round_key}" if player is None else f"bye/{round_key}/{player}"
