"""What goes against a result: a dispute, its settlement, a match declared void."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from leagues import telling
from leagues.counting import publish, retract
from leagues.models import Dispute, Match, Player
from leagues.operations.errors import NotAllowed
from leagues.operations.holding import clean_reason, close_disputes, take, take_with
from leagues.rules import Action
from leagues.tasks import send_recounts


class Verdict(StrEnum):
    """How a dispute ends: the result stands as it was, or the match is void."""

    STANDS = "stands"
    VOID = "void"


def dispute(*, match: Match, version: int, by: Player, at: dt.datetime, reason: str) -> Match:
    """Object to a result, with a word of reason: until it is settled it does not count.

    Who sat at the match, or an organiser; while it waits, or until it is final.
    """
    with transaction.atomic():
        row = take(match, version=version, by=by, action=Action.DISPUTE)
        Dispute.objects.create(match=row, by=by, at=at, reason=clean_reason(reason))
        row.state = Match.State.DISPUTED
        row.save(update_fields=["state"])
        retract(row, at=at)
        telling.match_disputed(row, by=by, reason=clean_reason(reason), at=at)
        transaction.on_commit(send_recounts)
    return row


def settle(
    *,
    match: Match,
    version: int,
    by: Player,
    at: dt.datetime,
    verdict: Verdict,
    settlement: str = "",
) -> Match:
    """End a dispute: by who raised it (`STANDS` only), or by an organiser, with a word why.

    A result that stands is what it was before: confirmed, with the hours to object begun anew,
    or waiting for a second player. What the organiser entered as a player is confirmed by
    another, as ever.
    """
    with transaction.atomic():
        row, who = take_with(match, version=version, by=by, action=Action.SETTLE)
        words = (
            clean_reason(settlement, field="settlement")
            if who.organises
            else _("The dispute was withdrawn.")
        )
        close_disputes(row, by=by, at=at, settlement=words)
        if verdict is Verdict.STANDS:
            _reinstate(row, at=at)
        elif who.organises:
            _void(row, note=words, at=at)
        else:
            raise NotAllowed(_("Only an organiser of the league can void a match."))
        telling.match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def _reinstate(row: Match, *, at: dt.datetime) -> None:
    """Back to where the match stood before the dispute."""
    if row.confirmed_at is None:
        row.state = Match.State.HANDED_IN
        row.save(update_fields=["state"])
        return
    row.state, row.confirmed_at = Match.State.CONFIRMED, at
    row.save(update_fields=["state", "confirmed_at"])
    publish(row, at=at)


def void_match(*, match: Match, version: int, by: Player, at: dt.datetime, reason: str) -> Match:
    """Declare a match void: it counts for nothing, its fixture is open again.

    An organiser at any time, with a word why; who entered it, until it is confirmed.
    """
    with transaction.atomic():
        row = take(match, version=version, by=by, action=Action.VOID)
        words = clean_reason(reason)
        close_disputes(row, by=by, at=at, settlement=words)
        _void(row, note=words, at=at)
        telling.match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def _void(row: Match, *, note: str, at: dt.datetime) -> None:
    row.state, row.note = Match.State.VOID, note
    row.save(update_fields=["state", "note"])
    retract(row, at=at)
