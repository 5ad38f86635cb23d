"""Locking of a match at the version that was seen, and what all operations on sheets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.utils.translation import gettext as _

from leagues.exceptions import NotAllowed, OperationError, SheetRefused, StaleMatch
from leagues.games import JSON, Judgement, games
from leagues.models import Dispute, League, Match, MatchSeat, Player, Sheet
from leagues.permissions import ALLOWED_STATES, Action, MatchRelation, match_relation, permits

if TYPE_CHECKING:
    import datetime as dt

    from django.db.models import QuerySet


def lock_match(match: Match, *, version: int, by: Player, action: Action) -> Match:
    """The match as it stands, one version on, held until the transaction ends.

    Raises `StaleMatch` where it is not at `version` any more (two at once: one of them), and
    `OperationError` where its state or the person does not allow the action; both undo all.
    """
    row, _who = lock_match_for(match, version=version, by=by, action=action)
    return row


def lock_match_for(
    match: Match, *, version: int, by: Player, action: Action
) -> tuple[Match, MatchRelation]:
    """The match as `lock_match` gives it, and what the person has to do with it."""
    if action is not Action.WRITE:
        lock_league(match.league_id)
    moved = Match.objects.filter(pk=match.pk, version=version).update(version=F("version") + 1)
    if not moved:
        raise StaleMatch
    row = _rows().get(pk=match.pk)
    who = match_relation(by, row)
    check_permitted(who, action, row)
    return row, who


def lock_league(key: int | None) -> None:
    """Hold a league until the transaction ends: always before its matches and fixtures."""
    if key is not None:
        League.objects.select_for_update(no_key=True).get(pk=key)


def _rows() -> QuerySet[Match]:
    return Match.objects.select_related("league", "fixture", "sheet", "entered_by")


def check_permitted(who: MatchRelation, action: Action, match: Match) -> None:
    """Raise the sentence that says why somebody may not do this, where they may not."""
    if permits(who, action, match.state):
        return
    if match.state not in ALLOWED_STATES[action]:
        raise OperationError(
            _("You can’t do this with a match in the state “%s”.") % match.get_state_display()
        )
    raise NotAllowed(_refusal_reason(who, action))


def _refusal_reason(who: MatchRelation, action: Action) -> str:
    if action is Action.CONFIRM and who.entered:
        return _("You entered this result, so another player of the match must confirm it.")
    if action is Action.HAND_IN and who.seated:
        return _("Someone else submitted this result. If it is wrong, dispute it.")
    return {
        Action.WRITE: _(
            "Only a player of this match or a scorer of the league can enter the result."
        ),
        Action.HAND_IN: _(
            "Only a player of this match or a scorer of the league can submit the result."
        ),
        Action.CONFIRM: _("Only a player of this match or an organiser can confirm the result."),
        Action.DISPUTE: _("Only a player of this match or an organiser can dispute the result."),
        Action.SETTLE: _(
            "Only an organiser or the player who disputed the result can settle the dispute."
        ),
        Action.CORRECT: _("Only an organiser of the league can correct a result."),
        Action.VOID: _("Only an organiser of the league can void a match."),
        Action.RESTORE: _("Only an organiser of the league can restore an earlier version."),
    }[action]


def judge_sheet(match: Match, content: JSON) -> Judgement:
    """What the referee makes of a sheet that ends the match; `SheetRefused` where it does not."""
    seats = MatchSeat.objects.filter(match=match).count()
    judgement = games[match.game].referee.judge(rules=match.rules, seats=seats, sheet=content)
    if judgement.objections or not judgement.over:
        raise SheetRefused(judgement)
    return judgement


def add_sheet(
    match: Match,
    *,
    content: JSON,
    judgement: Judgement,
    by: Player | None,
    at: dt.datetime,
    reason: str = "",
) -> Sheet:
    """The next version of what was handed in; the match names it, nothing else is changed."""
    last = match.sheets.order_by("-number").first()
    sheet = Sheet.objects.create(
        match=match,
        number=last.number + 1 if last else 1,
        content=content,
        points=list(judgement.points),
        places=list(judgement.places),
        evidence=judgement.evidence,
        by=by,
        at=at,
        reason=reason,
    )
    match.sheet = sheet
    return sheet


def close_disputes(match: Match, *, by: Player | None, at: dt.datetime, settlement: str) -> None:
    """Settle the open dispute of a match, where it has one."""
    Dispute.objects.filter(match=match, settled_at=None).update(
        settled_at=at, settled_by=by, settlement=settlement
    )


def clean_reason(text: str, *, field: str = "reason", most: int = 300) -> str:
    """A word of reason: not empty, at most `most` characters. Raises `OperationError`."""
    words = clean_line(text)
    if not words:
        raise OperationError(_("Enter a brief reason."), field)
    if len(words) > most:
        raise OperationError(_("Use %d characters at most.") % most, field)
    return words


def clean_line(text: str, most: int | None = None) -> str:
    """Text in one line without signs that no column takes, cut to `most` characters."""
    return " ".join(text.replace("\0", "").split())[:most]
