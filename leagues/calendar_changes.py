"""Versions of calendar entries, and cancelled entries.

Every operation that changes a fixture or the byes of a round calls this module. It increases the
version of the calendar entry, so that subscribed calendar apps replace their copy of the entry.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from typing import Final

from django.db.models import F, Q, QuerySet

from leagues.models import CancelledEntry, Fixture, FixtureSeat, Round

# How long calendar files contain cancelled entries. Calendar apps update their copy every few hours
# or days.
CANCELLED_FOR: Final = dt.timedelta(days=90)
_BATCH_SIZE: Final = 500


def mark_changed(fixtures: QuerySet[Fixture], *, at: dt.datetime) -> None:
    """Increase the version that fixtures have in calendar files."""
    fixtures.update(revision=F("revision") + 1, changed_at=at)


def mark_byes_changed(rounds: QuerySet[Round], *, at: dt.datetime) -> None:
    """Increase the version that the byes of these rounds have in calendar files."""
    rounds.update(revision=F("revision") + 1, changed_at=at)


def cancel_seats(fixture: Fixture, players: Collection[int], *, at: dt.datetime) -> None:
    """Cancel a fixture in the calendars of people who no longer play it.

    Call it after `mark_changed`.
    """
    row = Fixture.objects.select_related("round").get(pk=fixture.pk)
    _store_cancelled_entries(
        [_of_fixture(row, player, row.revision, at) for player in players], at=at
    )


def cancel_byes(round_: Round, players: Collection[int], *, at: dt.datetime) -> None:
    """Cancel byes in the calendars of people who no longer have them.

    Call it after `mark_byes_changed`.
    """
    row = Round.objects.get(pk=round_.pk)
    # In the league's calendar, all byes of a round are a single entry. This entry is cancelled
    # (player None) only if no player has a bye in the round any more.
    gone = [*players] if row.byes or not players else [None, *players]
    _store_cancelled_entries([_of_bye(row, player, row.revision, at) for player in gone], at=at)


def cancel_rounds(rounds: Collection[Round], *, at: dt.datetime) -> None:
    """Cancel the calendar entries of all fixtures and byes of these rounds.

    Call it before the rounds are deleted.
    """
    players: dict[int, list[int | None]] = {}
    seats = FixtureSeat.objects.filter(fixture__round__in=rounds).order_by("pk")
    for fixture_key, player in seats.values_list("fixture", "player"):
        players.setdefault(fixture_key, [None]).append(player)
    rows = Fixture.objects.filter(round__in=rounds).select_related("round")
    entries = [
        _of_fixture(row, player, row.revision + 1, at)
        for row in rows
        for player in players.get(row.pk, [None])
    ]
    entries += [
        _of_bye(row, player, row.revision + 1, at)
        for row in rounds
        if row.byes
        for player in (None, *(bye["player"] for bye in row.byes))
    ]
    _store_cancelled_entries(entries, at=at)


def _of_fixture(
    fixture: Fixture, player: int | None, revision: int, at: dt.datetime
) -> CancelledEntry:
    entry = _of_bye(fixture.round, player, revision, at)
    entry.fixture_key, entry.table, entry.deadline = fixture.pk, fixture.number, fixture.deadline
    return entry


def _of_bye(row: Round, player: int | None, revision: int, at: dt.datetime) -> CancelledEntry:
    return CancelledEntry(
        league_id=row.league_id,
        player_id=player,
        round_key=row.pk,
        round=row.number,
        deadline=row.deadline,
        revision=revision,
        cancelled_at=at,
    )


def _store_cancelled_entries(entries: Iterable[CancelledEntry], *, at: dt.datetime) -> None:
    """Save calendar entries as cancelled.

    They replace earlier cancelled entries for the same fixtures, byes and players.
    """
    rows = list(entries)
    if not rows:
        return
    league = CancelledEntry.objects.filter(league=rows[0].league_id)
    wanted = {(row.player_id, row.round_key, row.fixture_key) for row in rows}
    same = league.filter(round_key__in={row.round_key for row in rows})
    columns = ("pk", "player", "round_key", "fixture_key")
    stale = [key for key, *found in same.values_list(*columns) if tuple(found) in wanted]
    league.filter(Q(pk__in=stale) | Q(cancelled_at__lt=at - CANCELLED_FOR)).delete()
    CancelledEntry.objects.bulk_create(rows, batch_size=_BATCH_SIZE)
