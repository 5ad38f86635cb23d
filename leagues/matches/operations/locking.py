"""Locking of a match at the version that was read, and functions shared by operations on
matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.utils.translation import gettext as _

from api.types import JSON
from core.names.text import clean, shorten
from leagues.exceptions import FixtureGone, NotAllowed, OperationError, SheetRefused, StaleMatch
from leagues.games import Judgement, games
from leagues.matches_read import names_by_seat
from leagues.models import Dispute, Fixture, League, Match, Player, Proposal, Sheet
from leagues.permissions import ALLOWED_STATES, Action, MatchRelation, match_relation, permits

if TYPE_CHECKING:
    import datetime as dt


def lock_match(
    match: Match, *, version: int, by: Player, action: Action, at: dt.datetime | None = None
) -> Match:
    """Lock a match until the transaction ends, increase its version, and return it.

    Raises `StaleMatch` if the match is no longer at `version`, so that one of two concurrent
    requests fails. Raises `OperationError` if the state of the match or the player's rights do not
    allow the action. Both errors roll back the transaction.
    """
    row, _who = lock_match_for(match, version=version, by=by, action=action, at=at)
    return row


def lock_match_for(
    match: Match, *, version: int, by: Player, action: Action, at: dt.datetime | None = None
) -> tuple[Match, MatchRelation]:
    """Lock a match like `lock_match`, and return it with the player's relation to the match."""
    if action is not Action.WRITE:
        lock_league(match.league_id)
    moved = Match.objects.filter(pk=match.pk, version=version).update(version=F("version") + 1)
    if not moved:
        raise StaleMatch
    rows = Match.objects.select_related("league", "fixture", "sheet", "entered_by")
    row = rows.get(pk=match.pk)
    who = match_relation(by, row, at=at)
    check_permitted(who, action, row)
    return row, who


def lock_league(key: int | None) -> None:
    """Lock a league until the transaction ends.

    Leagues must be locked before matches and fixtures.
    """
    if key is not None:
        League.objects.select_for_update(no_key=True).get(pk=key)


def find_fixture(fixture: Fixture, *, lock: bool = False) -> Fixture:
    """Return the present state of a fixture, with its league.

    Lock the league before the fixture. Raises `FixtureGone` if its draw was undone meanwhile.
    """
    rows = Fixture.objects.select_related("round__league")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    row = rows.filter(pk=fixture.pk).first()
    if row is None:
        raise FixtureGone(fixture.round.league.slug)
    return row


def check_permitted(who: MatchRelation, action: Action, match: Match) -> None:
    """Raise an error with the reason if the player may not perform the action on the match."""
    if permits(who, action, match.state):
        return
    if match.state not in ALLOWED_STATES[action]:
        raise OperationError(
            _("You can’t do this with a match in the state “%s”.") % match.get_state_display()
        )
    raise NotAllowed(_refusal_reason(who, action))


def _refusal_reason(who: MatchRelation, action: Action) -> str:
    if action is Action.CONFIRM and who.entered:
        return _("You entered this result, so another player in the match must confirm it.")
    if action is Action.CONFIRM and who.partner:
        return _("Your partner entered this result, so the other side must confirm it.")
    if action is Action.HAND_IN and who.seated:
        return _("Someone else submitted this result. If it is wrong, dispute it.")
    if action in (Action.SETTLE, Action.VOID) and who.organises and who.party:
        return not_alone(who)
    if action is Action.ANSWER and who.seated:
        return _("There is no proposal that your side can answer.")
    return {
        Action.WRITE: _(
            "Only a player in this match or a scorer of the league can enter the result."
        ),
        Action.HAND_IN: _(
            "Only a player in this match or a scorer of the league can submit the result."
        ),
        Action.CONFIRM: _("Only a player in this match or an organiser can confirm the result."),
        Action.DISPUTE: _("Only a player in this match or an organiser can dispute the result."),
        Action.SETTLE: _(
            "Only an organiser or the player who disputed the result can settle the dispute."
        ),
        Action.PROPOSE: _(
            "Only an organiser who played in this match or entered its result can propose "
            "what happens to the match."
        ),
        Action.ANSWER: _("Only a player on the other side can answer a proposal."),
        Action.CORRECT: _("Only an organiser of the league can correct a result."),
        Action.VOID: _("Only an organiser of the league can void a match."),
        Action.RESTORE: _("Only an organiser of the league can restore an earlier version."),
    }[action]


def not_alone(who: MatchRelation) -> str:
    """Return the reason why this organiser cannot decide about the match alone."""
    if who.seated:
        return _(
            "You played in this match, so you can’t decide about it on your own. Another "
            "organiser can decide, or the other side can agree to what you propose."
        )
    return _(
        "You entered the result of this match, so you can’t decide about the match on "
        "your own. Another organiser can decide, or the players can agree to what you "
        "propose."
    )


def judge_sheet(match: Match, content: JSON) -> Judgement:
    """Check a scoresheet of a finished match. Raises `SheetRefused`."""
    names = names_by_seat(match)
    judgement = games[match.game].referee.judge(
        rules=match.rules, seats=len(names), sheet=content, names=names
    )
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
    """Add the next version of the scoresheet and make it the present one of the match.

    The match is not saved yet.
    """
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
    match.sheet, match.origin = sheet, origin_with(match, sheet)
    return sheet


def write_to_book(match: Match, content: JSON, by: Player) -> None:
    """Pass the content of a scoresheet to the game's `Book`, if the game has one."""
    if content is not None and (book := games[match.game].book) is not None:
        book.sheet_saved(match.pk, content, person=by.person_id)


def origin_with(match: Match, sheet: Sheet) -> str:
    """Return the origin of a match with this scoresheet.

    A match with a forfeit has the origin `FORFEIT`. If the forfeit is corrected to a result, the
    match counts as played at a real table.
    """
    if sheet.forfeits:
        return Match.Origin.FORFEIT
    return Match.Origin.TABLE if match.origin == Match.Origin.FORFEIT else match.origin


def close_disputes(match: Match, *, by: Player | None, at: dt.datetime, settlement: str) -> None:
    """Settle the open dispute of a match, if any, and close the open proposal."""
    drop_proposals(match, at=at)
    Dispute.objects.filter(match=match, settled_at=None).update(
        settled_at=at, settled_by=by, settlement=settlement
    )


def drop_proposals(match: Match, *, at: dt.datetime) -> None:
    """Close the open proposal about a match without an answer, because another decision was
    made.
    """
    Proposal.objects.filter(match=match, answered_at=None).update(answered_at=at)


def check_changed(match: Match, content: JSON, *, played_at: dt.datetime | None = None) -> None:
    """Raise `OperationError` if a correction would not change the disputed or counting result."""
    if is_unchanged(match, content) and played_at in (None, match.played_at):
        raise OperationError(
            _("This is the result that has already been entered. Change whatever is wrong."),
            "content",
        )


def is_unchanged(match: Match, content: JSON) -> bool:
    """Return whether a scoresheet equals the present one of a match that counts or is disputed."""
    if match.state not in (Match.State.DISPUTED, *Match.COUNTED):
        return False
    return match.sheet is not None and match.sheet.content == content


def clean_reason(text: str, *, field: str = "reason", most: int = 300) -> str:
    """Return a cleaned reason of 1 to `most` characters. Raises `OperationError` for others."""
    words = clean_line(text)
    if not words:
        raise OperationError(_("Enter a brief reason."), field)
    if len(words) > most:
        raise OperationError(_("Use %d characters at most.") % most, field)
    return words


def clean_line(text: str, most: int | None = None) -> str:
    """Return a text cleaned to one line and cut to at most `most` characters."""
    return clean(text) if most is None else shorten(text, most)
