"""A result corrected after the fact: shown first, then done, and the old version kept."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from leagues.counting import publish, retract
from leagues.counting.corrected import consequences
from leagues.counting.previews import Consequences
from leagues.games import JSON, Judgement
from leagues.models import Match, MatchSeat, Player, Sheet
from leagues.operations.errors import OperationError
from leagues.operations.holding import add_sheet, clean_reason, close_disputes, judged, take_with
from leagues.queries.people import belongs_to
from leagues.rules import Action, Bearing
from leagues.tasks import send_recounts


def preview_correction(*, match: Match, content: JSON, by: Player) -> Consequences:
    """What would move if this sheet counted for the match; nothing is written.

    Raises `SheetRefused` where the referee objects. `waits` in the answer: `by` sat at the match,
    so a second player would have to confirm it first.
    """
    judgement = judged(match, content)
    seated = MatchSeat.objects.filter(belongs_to(by), match=match).exists()
    return consequences(match, judgement, by=by, waits=seated)


def correct_match(
    *, match: Match, version: int, content: JSON, by: Player, at: dt.datetime, reason: str
) -> Match:
    """A new version of the sheet counts; everything after it is counted anew.

    By an organiser. The old versions are kept. Players may object from now on, as after a
    confirmation; and where the organiser sat at the match, another player confirms it first,
    so that nobody corrects a match of their own alone.
    """
    with transaction.atomic():
        row, who = take_with(match, version=version, by=by, action=Action.CORRECT)
        judgement = judged(row, content)
        _replace(row, who, content, judgement, by=by, at=at, reason=clean_reason(reason, most=200))
    return row


def restore_version(
    *, match: Match, version: int, number: int, by: Player, at: dt.datetime, reason: str
) -> Match:
    """Bring the sheet `number` back: as a further version, with the same consequences.

    Of a void match too, and the present number there, so that a match can be un-voided.
    """
    with transaction.atomic():
        row, who = take_with(match, version=version, by=by, action=Action.RESTORE)
        old = Sheet.objects.filter(match=row, number=number).first()
        if old is None:
            raise OperationError(_("This match has no version %d.") % number, "number")
        judgement = judgement_of(old)
        words = clean_reason(reason, most=200)
        _replace(row, who, old.content, judgement, by=by, at=at, reason=words)
    return row


def preview_restore(*, match: Match, number: int, by: Player) -> Consequences:
    """What would move if version `number` counted again; nothing is written."""
    old = Sheet.objects.filter(match=match, number=number).first()
    if old is None:
        raise OperationError(_("This match has no version %d.") % number, "number")
    seated = MatchSeat.objects.filter(belongs_to(by), match=match).exists()
    return consequences(match, judgement_of(old), by=by, waits=seated)


def judgement_of(sheet: Sheet) -> Judgement:
    """What the referee made of a sheet when it was handed in."""
    return Judgement(
        points=tuple(sheet.points),
        places=tuple(sheet.places),
        over=bool(sheet.places),
        evidence=sheet.evidence,
    )


def _replace(
    row: Match,
    who: Bearing,
    content: JSON,
    judgement: Judgement,
    *,
    by: Player,
    at: dt.datetime,
    reason: str,
) -> None:
    add_sheet(row, content=content, judgement=judgement, by=by, at=at, reason=reason)
    close_disputes(row, by=by, at=at, settlement=reason)
    row.entered_by, row.handed_in_at = by, at
    if who.seated:
        row.state, row.confirmed_at, row.confirmed_by = Match.State.HANDED_IN, None, None
        row.save()
        retract(row, at=at)
    else:
        row.state, row.confirmed_at, row.confirmed_by = Match.State.CONFIRMED, at, by
        row.save()
        publish(row, at=at)
    transaction.on_commit(send_recounts)
