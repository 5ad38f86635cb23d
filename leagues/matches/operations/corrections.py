"""Disputes, voiding and corrections of a result. Corrections are previewed first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from copy import copy

from django.db import transaction
from django.utils.translation import gettext as _

from api.types import JSON
from leagues import notifications
from leagues.exceptions import OperationError
from leagues.games import Judgement
from leagues.matches.consequences import Consequences, correction_consequences
from leagues.matches.operations.locking import (
    add_sheet,
    check_changed,
    check_permitted,
    clean_reason,
    close_disputes,
    drop_proposals,
    is_unchanged,
    judge_sheet,
    lock_match,
    lock_match_for,
    origin_with,
    write_to_book,
)
from leagues.models import Dispute, League, Match, Player, Proposal, Sheet
from leagues.parties import open_proposal, people_to_answer, seating_of
from leagues.permissions import Action, MatchRelation, match_relation
from leagues.ratings.recounts import send_recounts
from leagues.results import publish_result, retract_result
from leagues.standings.operations import reopen_standings

# Possible outcomes of a dispute: the result is upheld, or the match is void.
DisputeVerdict = Proposal.Outcome


def dispute_match(*, match: Match, version: int, by: Player, at: dt.datetime, reason: str) -> Match:
    """Dispute a result, with a reason. The result does not count until the dispute is settled.

    Players of the match and organisers may dispute a result that awaits confirmation or is
    confirmed but not yet final.
    """
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.DISPUTE, at=at)
        Dispute.objects.create(match=row, by=by, at=at, reason=clean_reason(reason))
        row.state = Match.State.DISPUTED
        row.save(update_fields=["state"])
        _retract(row, at=at)
        notifications.notify_match_disputed(row, by=by, reason=clean_reason(reason), at=at)
        transaction.on_commit(send_recounts)
    return row


def settle_dispute(
    *,
    match: Match,
    version: int,
    by: Player,
    at: dt.datetime,
    verdict: DisputeVerdict,
    settlement: str = "",
) -> Match:
    """Settle a dispute about a result.

    Organisers give a reason. The player who raised the dispute may only withdraw it. If the result
    is upheld, the match returns to its former state: confirmed, with a new time limit for disputes,
    or awaiting confirmation. Organisers who played or entered the match may not settle the dispute
    (see `propose`), but may withdraw their own.
    """
    with transaction.atomic():
        row, who = lock_match_for(match, version=version, by=by, action=Action.SETTLE, at=at)
        if verdict is DisputeVerdict.VOID:
            check_permitted(who, Action.VOID, row)
        words = (
            clean_reason(settlement, field="settlement")
            if who.impartial or verdict is DisputeVerdict.VOID
            else _("The dispute was withdrawn.")
        )
        close_disputes(row, by=by, at=at, settlement=words)
        if verdict is DisputeVerdict.STANDS:
            _reinstate(row, at=at)
        else:
            _void_match(row, note=words, by=by, at=at)
        notifications.notify_match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def _reinstate(row: Match, *, at: dt.datetime) -> None:
    if row.confirmed_at is None:
        row.state = Match.State.HANDED_IN
        row.save(update_fields=["state"])
        return
    row.state, row.confirmed_at = Match.State.CONFIRMED, at
    row.save(update_fields=["state", "confirmed_at"])
    publish_result(row, at=at)


def propose(
    *,
    match: Match,
    version: int,
    by: Player,
    at: dt.datetime,
    verdict: DisputeVerdict,
    reason: str,
) -> Match:
    """Propose to the other side that a disputed result stands, or that the match is void.

    For organisers who played or entered the match, because they may not decide alone. Also for
    players of matches among friends, which have no organiser. A new proposal replaces an open one.
    """
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.PROPOSE, at=at)
        words = clean_reason(reason)
        if verdict is DisputeVerdict.STANDS and row.state != Match.State.DISPUTED:
            raise OperationError(
                _("This result is not disputed. You can only propose to void the match."),
                "verdict",
            )
        drop_proposals(row, at=at)
        proposal = Proposal.objects.create(match=row, by=by, at=at, outcome=verdict, reason=words)
        notifications.notify_proposal(row, proposal, to=people_to_answer(row), at=at)
    return row


def answer_proposal(
    *, match: Match, version: int, by: Player, at: dt.datetime, accept: bool
) -> Match:
    """Accept or reject the open proposal, for players of the other side.

    An accepted proposal takes effect at once. A result that was not confirmed yet is then
    confirmed, because the two players who agree are on different sides.
    """
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.ANSWER, at=at)
        proposal = open_proposal(row)
        assert proposal is not None
        proposal.answered_at, proposal.answered_by, proposal.accepted = at, by, accept
        proposal.save(update_fields=["answered_at", "answered_by", "accepted"])
        if not accept:
            notifications.notify_proposal_rejected(row, proposal, at=at)
            return row
        close_disputes(row, by=by, at=at, settlement=proposal.reason)
        if proposal.outcome == DisputeVerdict.VOID:
            _void_match(row, note=proposal.reason, by=proposal.by, at=at)
        else:
            if row.confirmed_at is None:
                row.confirmed_at, row.confirmed_by = at, _second_player(row, by, proposal.by)
                row.save(update_fields=["confirmed_at", "confirmed_by"])
            _reinstate(row, at=at)
        notifications.notify_match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def _second_player(row: Match, by: Player, proposed_by: Player) -> Player:
    """Return which of two players is recorded as the second player, who confirms the result.

    It is `by`, unless `by` or a partner of `by` entered the result.
    """
    seating, entered = seating_of(row), row.entered_by
    own = entered is not None and (
        entered.person_id == by.person_id or seating.partners(by, entered)
    )
    return proposed_by if own else by


def void_match(*, match: Match, version: int, by: Player, at: dt.datetime, reason: str) -> Match:
    """Void a match: it does not count, and its fixture is open again.

    Organisers who neither played nor entered the match may void it at any time, with a reason. The
    player who entered it may do so as long as the result never counted, was never disputed and was
    not changed by others. Organisers who played or entered the match may do so if the league has no
    other organiser and nobody has agreed to a proposal in time.
    """
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.VOID, at=at)
        words = clean_reason(reason)
        close_disputes(row, by=by, at=at, settlement=words)
        _void_match(row, note=words, by=by, at=at)
        notifications.notify_match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def take_forfeit_back(
    *, match: Match, version: int, by: Player, at: dt.datetime, reason: str
) -> Match:
    """Void a forfeit because its fixture gets other players. Call it in a transaction.

    Every organiser may do so, even one who is a player of the fixture, as with the forfeit itself.
    """
    row, who = lock_match_for(match, version=version, by=by, action=Action.CORRECT, at=at)
    assert who.organises
    assert row.sheet is not None
    assert row.sheet.forfeits
    close_disputes(row, by=by, at=at, settlement=reason)
    _void_match(row, note=reason, by=by, at=at)
    notifications.notify_match_settled(row, by=by, at=at)
    transaction.on_commit(send_recounts)
    return row


def _void_match(row: Match, *, note: str, by: Player, at: dt.datetime) -> None:
    row.state, row.note, row.voided_by = Match.State.VOID, note, by
    row.save(update_fields=["state", "note", "voided_by"])
    _retract(row, at=at)


def _retract(row: Match, *, at: dt.datetime) -> None:
    """Withdraw the result of a match. Standings that were final may no longer be."""
    retract_result(row, at=at)
    if row.league is not None:
        reopen_standings(row.league)


def preview_correction(*, match: Match, content: JSON, by: Player) -> Consequences:
    """Preview what changes if this scoresheet counts for the match. Nothing is saved.

    Raises `SheetRefused` if the referee objects. `waits` in the result means that `by` played or
    entered the match, so another player would first have to confirm the correction.
    """
    judgement = judge_sheet(match, content)
    waits = match_relation(by, match).party
    return correction_consequences(_as_if(match, content), judgement, by=by, waits=waits)


def correct_match(
    *, match: Match, version: int, content: JSON, by: Player, at: dt.datetime, reason: str
) -> Match:
    """Correct a result with a new version of the scoresheet and recalculate later results.

    Only organisers may do so. Old versions remain stored. Players may dispute the correction as
    they may dispute a confirmed result. If the organiser played or entered the match, the other
    side or another organiser must confirm the correction first.
    """
    with transaction.atomic():
        row, who = lock_match_for(match, version=version, by=by, action=Action.CORRECT, at=at)
        judgement = judge_sheet(row, content)
        words = clean_reason(reason, most=200)
        check_changed(row, content)
        _replace(row, who, content, judgement, by=by, at=at, reason=words)
    return row


def restore_version(
    *, match: Match, version: int, number: int, by: Player, at: dt.datetime, reason: str
) -> Match:
    """Restore version `number` of the scoresheet as a new version, with the effects of a
    correction.

    For a void match, the number may be that of the present version, which makes the match count
    again. Raises `OperationError` if the fixture of the void match has been played again or voided
    meanwhile.
    """
    with transaction.atomic():
        row, who = lock_match_for(match, version=version, by=by, action=Action.RESTORE, at=at)
        _check_has_fixture(row)
        old = Sheet.objects.filter(match=row, number=number).first()
        if old is None:
            raise OperationError(_("This match has no version %d.") % number, "number")
        judgement = judgement_of(old)
        words = clean_reason(reason, most=200)
        check_changed(row, old.content)
        _replace(row, who, old.content, judgement, by=by, at=at, reason=words)
    return row


def _check_has_fixture(match: Match) -> None:
    """Raise `OperationError` if a void match of a drawn league has been detached from its
    fixture.
    """
    if _has_lost_fixture(match):
        raise OperationError(
            _(
                "The fixture of this match has since been played again or voided, so this match "
                "can’t count again."
            )
        )


def _has_lost_fixture(match: Match) -> bool:
    """Return whether a void match of a drawn league has been detached from its fixture.

    A fixture that is played again or voided is detached from its void match. If that match counted
    again, its players would have two results for one fixture.
    """
    league = match.league
    if league is None or league.format == League.Format.LADDER or match.fixture_id is not None:
        return False
    return match.state == Match.State.VOID


def restorable_versions(match: Match, sheets: Iterable[Sheet]) -> set[int]:
    """Return the primary keys of the versions that `restore_version` would accept."""
    if _has_lost_fixture(match):
        return set()
    return {sheet.pk for sheet in sheets if not is_unchanged(match, sheet.content)}


def preview_restore(*, match: Match, number: int, by: Player) -> Consequences:
    """Preview what changes if version `number` counts again. Nothing is saved."""
    _check_has_fixture(match)
    old = Sheet.objects.filter(match=match, number=number).first()
    if old is None:
        raise OperationError(_("This match has no version %d.") % number, "number")
    waits = match_relation(by, match).party
    match = _as_if(match, old.content)
    return correction_consequences(match, judgement_of(old), by=by, waits=waits)


def _as_if(match: Match, content: JSON) -> Match:
    """Return an unsaved copy of the match with the origin that it would have with this scoresheet.

    The origin says how the result was obtained.
    """
    then = copy(match)
    then.origin = origin_with(match, Sheet(content=content))
    return then


def judgement_of(sheet: Sheet) -> Judgement:
    """Return the referee's judgement that was stored with the scoresheet when it was entered."""
    return Judgement(
        points=tuple(sheet.points),
        places=tuple(sheet.places),
        over=bool(sheet.places),
        evidence=sheet.evidence,
    )


def _replace(
    row: Match,
    who: MatchRelation,
    content: JSON,
    judgement: Judgement,
    *,
    by: Player,
    at: dt.datetime,
    reason: str,
) -> None:
    add_sheet(row, content=content, judgement=judgement, by=by, at=at, reason=reason)
    write_to_book(row, content, by)
    close_disputes(row, by=by, at=at, settlement=reason)
    row.entered_by, row.handed_in_at, row.voided_by = by, at, None
    if who.party:
        row.state, row.confirmed_at, row.confirmed_by = Match.State.HANDED_IN, None, None
        row.save()
        _retract(row, at=at)
        notifications.notify_match_waiting(row, by=by, at=at)
    else:
        row.state, row.confirmed_at, row.confirmed_by = Match.State.CONFIRMED, at, by
        row.save()
        publish_result(row, at=at)
    transaction.on_commit(send_recounts)
