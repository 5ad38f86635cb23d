"""A fixture that is not played: postponed, forfeited, void."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from leagues import telling
from leagues.counting import publish, touch
from leagues.counting.recording import put_draft_away, seat_players
from leagues.games import Judgement
from leagues.models import Fixture, FixtureSeat, Match, Player
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.holding import add_sheet, clean_reason, hold_league, tidy
from leagues.operations.matches import check_open, check_to_play, new_match
from leagues.rules import may_organise
from leagues.tasks import send_recounts


def held_fixture(fixture: Fixture, *, by: Player) -> Fixture:
    """The fixture as it stands, held, for who organises its league; still to be played."""
    hold_league(fixture.round.league_id)
    row = (
        Fixture.objects.select_for_update(of=("self",), no_key=True)
        .select_related("round__league")
        .get(pk=fixture.pk)
    )
    if not may_organise(by, row.round.league):
        raise NotAllowed(_("Only an organiser of the league can do that."))
    check_open(row.round.league)
    check_to_play(row)
    return row


def postpone(
    *, fixture: Fixture, by: Player, at: dt.datetime, deadline: dt.datetime, note: str = ""
) -> Fixture:
    """Give a fixture a later deadline. Raises `OperationError` for one that is past."""
    with transaction.atomic():
        row = held_fixture(fixture, by=by)
        if deadline <= at:
            raise OperationError(
                _("The new deadline is in the past. Choose a later date."), "deadline"
            )
        row.state, row.deadline = Fixture.State.POSTPONED, deadline
        row.note = tidy(note, 200)
        row.save(update_fields=["state", "deadline", "note"])
        touch(row.round.league)
        telling.fixture_postponed(row, by=by, at=at)
    return row


def forfeit(
    *, fixture: Fixture, seats: Collection[int], by: Player, at: dt.datetime, note: str = ""
) -> Match:
    """Who did not come loses: a result without points that counts for standings alone."""
    with transaction.atomic():
        row = held_fixture(fixture, by=by)
        _check_nothing_handed_in(row)
        match = forfeit_seats(row, seats, by=by, at=at, note=note)
        transaction.on_commit(send_recounts)
    return match


def _check_nothing_handed_in(fixture: Fixture) -> None:
    if Match.objects.filter(fixture=fixture, state__in=Match.UNSETTLED).exists():
        raise OperationError(
            _("A result has already been entered for this fixture. Settle that result first.")
        )


def forfeit_seats(
    fixture: Fixture, seats: Collection[int], *, by: Player, at: dt.datetime, note: str = ""
) -> Match:
    """The match of a forfeited fixture; to be called in a transaction.

    A side of which one does not come forfeits whole; all other sides share the first place.
    """
    league = fixture.round.league
    places = list(fixture.seats.select_related("player").order_by("number"))
    put_draft_away(fixture)
    found = (league.game, league.rules, league.rules_hash)
    match = new_match(
        found, by=by, at=at, league=league, fixture=fixture, origin=Match.Origin.FORFEIT
    )
    seat_players(match, [seat.player for seat in places])
    lost = _sides_lost(match, seats)
    _write_forfeit(match, lost, seats, by=by, at=at)
    FixtureSeat.objects.filter(fixture=fixture, number__in=seats).update(forfeits=True)
    match.state, match.confirmed_at = Match.State.CONFIRMED, at
    match.handed_in_at, match.note = at, tidy(note, 300)
    match.save()
    publish(match, at=at)
    return match


def _sides_lost(match: Match, seats: Collection[int]) -> dict[int, bool]:
    """By seat, whether its side forfeits."""
    sides = dict(match.seats.values_list("number", "side"))
    if not seats or not set(seats) <= set(sides):
        raise OperationError(_("Choose who forfeits."), "seats")
    gone = {sides[seat] for seat in seats}
    if gone == set(sides.values()):
        raise OperationError(
            _("If all players forfeit, nobody wins. Void the fixture instead."), "seats"
        )
    return {seat: side in gone for seat, side in sides.items()}


def _write_forfeit(
    match: Match, lost: dict[int, bool], seats: Collection[int], *, by: Player, at: dt.datetime
) -> None:
    places = _places([lost[seat] for seat in sorted(lost)])
    judgement = Judgement(
        points=(0,) * len(places), places=tuple(places), over=True, evidence="score"
    )
    add_sheet(match, content={"forfeit": sorted(seats)}, judgement=judgement, by=by, at=at)


def _places(lost: Sequence[bool]) -> list[int]:
    last = lost.count(False) + 1
    return [last if gone else 1 for gone in lost]


def void_fixture(*, fixture: Fixture, by: Player, reason: str) -> Fixture:
    """Strike a fixture: nobody plays it, nobody loses it."""
    with transaction.atomic():
        row = held_fixture(fixture, by=by)
        _check_nothing_handed_in(row)
        void_one(row, note=clean_reason(reason, most=200))
    return row


def void_one(fixture: Fixture, *, note: str) -> None:
    """Mark a fixture void; to be called in a transaction."""
    put_draft_away(fixture)
    fixture.state, fixture.note = Fixture.State.VOID, note[:200]
    fixture.save(update_fields=["state", "note"])
    touch(fixture.round.league)


def restore_fixture(*, fixture: Fixture, by: Player, at: dt.datetime) -> Fixture:
    """Open a void fixture again, with a deadline of one round from now where it is past."""
    with transaction.atomic():
        row = Fixture.objects.select_related("round__league").get(pk=fixture.pk)
        league = row.round.league
        if not may_organise(by, league):
            raise NotAllowed(_("Only an organiser of the league can do that."))
        check_open(league)
        if row.state != Fixture.State.VOID:
            raise OperationError(_("Only a void fixture can be reopened."))
        later = at + dt.timedelta(days=league.days_a_round)
        row.state, row.note = Fixture.State.OPEN, ""
        row.deadline = row.deadline if row.deadline > at else later
        row.save(update_fields=["state", "note", "deadline"])
        touch(league)
    return row
