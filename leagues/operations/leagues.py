"""A league from its founding to its close."""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from fairness import Seed
from leagues.counting import retitle_site, touch
from leagues.counting.heralding import tell_closed, tell_opened
from leagues.models import Fixture, League, Match, Member, Player, Round
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.settings import Settings, check_unlocked, checked
from leagues.rules import may_organise
from leagues.tasks import send_recounts

_SLUG_LENGTH = 60

CLOSING_NOTES: Final = ("The league was closed.", "La liga se cerró.")
"""Notes of fixtures that closing a league wrote up to release 0.1.0."""


def found_league(*, settings: Settings, by: Player, at: dt.datetime, plays: bool = True) -> League:
    """A league whose organiser is who founds it; its rules are pinned with their digest.

    Only who has an account founds one: a guest could lose it with the browser. What is not
    public lives under an address that cannot be guessed.
    """
    if by.is_guest:
        raise NotAllowed(
            _("Sign in to start a league, so that you can find it again as its organiser.")
        )
    columns = checked(settings)
    with transaction.atomic():
        league = _new_league(columns, at=at)
        Member.objects.create(
            league=league, player=by, role=Member.Role.ORGANISER, plays=plays, joined_at=at
        )
        tell_opened(league, at=at)
    return league


def _new_league(columns: dict[str, object], *, at: dt.datetime) -> League:
    hidden = columns["visibility"] != League.Visibility.PUBLIC
    stem = slugify(str(columns["name"]))[:_SLUG_LENGTH] or "league"
    for attempt in range(5):
        tail = f"-{secrets.token_hex(6)}" if hidden or attempt else ""
        try:
            with transaction.atomic():
                return League.objects.create(
                    slug=stem + tail,
                    seed=Seed.fresh().value,
                    invitation=_token(),
                    created_at=at,
                    **columns,
                )
        except IntegrityError:
            if not League.objects.filter(slug=stem + tail).exists():
                raise
    raise OperationError(_("Someone else has just chosen this name. Please try again."))


def _token() -> str:
    return secrets.token_urlsafe(32)


def held(league: League, *, by: Player) -> League:
    """The league as it stands, held until the transaction ends, for who organises it."""
    row = League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if not may_organise(by, row):
        raise NotAllowed(_("Only an organiser of the league can do that."))
    return row


def change_settings(*, league: League, settings: Settings, by: Player, at: dt.datetime) -> League:
    """Set the league anew; what its first match or result has pinned stays.

    Where it becomes public, or ceases to be, the site's own ratings are counted anew.
    """
    columns = checked(settings)
    with transaction.atomic():
        row = held(league, by=by)
        check_unlocked(row, columns)
        was = row.visibility
        for name, value in columns.items():
            setattr(row, name, value)
        row.save(update_fields=list(columns))
        if row.visibility != was:
            retitle_site(row, at=at)
        touch(row)
        transaction.on_commit(send_recounts)
    return row


def renew_invitation(*, league: League, by: Player) -> str:
    """A new link to join by; the old one opens nothing any more."""
    with transaction.atomic():
        row = held(league, by=by)
        row.invitation = _token()
        row.save(update_fields=["invitation"])
    return row.invitation


@dataclass(frozen=True, kw_only=True)
class Closing:
    """What closing a league would void: fixtures still to be played, sheets being written.

    `edition` is the league's at that time: who closes it names the one they looked at.
    """

    fixtures: int
    drafts: int
    edition: int


def preview_closing(*, league: League) -> Closing:
    """What would go with the close of a league; nothing is written.

    Raises `OperationError` where it could not be closed now.
    """
    row = League.objects.get(pk=league.pk)
    _check_may_close(row)
    return Closing(fixtures=_to_play(row).count(), drafts=_drafts(row).count(), edition=row.edition)


def close_league(
    *, league: League, by: Player, at: dt.datetime, edition: int | None = None
) -> League:
    """Close a league: what is still to be played is void, the standings stay as they are.

    `edition`: that of the preview somebody looked at; where anything has happened in the league
    since, it is refused. Raises `OperationError` while a match waits for a second player or is
    disputed.
    """
    with transaction.atomic():
        row = held(league, by=by)
        _check_may_close(row)
        check_edition(row, edition)
        _put_drafts_away(row)
        _to_play(row).update(before_close=F("state"), state=Fixture.State.VOID)
        Round.objects.filter(league=row, closed_at=None).update(closed_at=at)
        row.closed_at = at
        row.save(update_fields=["closed_at"])
        touch(row)
        tell_closed(row, at=at)
    return row


def _check_may_close(league: League) -> None:
    if league.closed_at is not None:
        raise OperationError(_("The league is already closed."))
    count = Match.objects.filter(league=league, state__in=Match.UNSETTLED).count()
    if count:
        raise OperationError(
            ngettext(
                "%d match is awaiting confirmation or disputed. Settle it first.",
                "%d matches are awaiting confirmation or disputed. Settle them first.",
                count,
            )
            % count
        )


def check_edition(league: League, edition: int | None) -> None:
    """Raise `OperationError` where the league is not as it was when somebody looked at it."""
    if edition is not None and league.edition != edition:
        raise OperationError(_("The league has changed since this preview. Check the draw again."))


def _to_play(league: League) -> QuerySet[Fixture]:
    return Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY)


def _drafts(league: League) -> QuerySet[Match]:
    return Match.objects.filter(league=league, state=Match.State.DRAFT)


def _put_drafts_away(league: League) -> None:
    for match in _drafts(league).select_for_update(no_key=True):
        match.state, match.version = Match.State.VOID, match.version + 1
        match.note, match.closed_away = _("The league was closed."), True
        match.save(update_fields=["state", "version", "note", "closed_away"])


def reopen_league(*, league: League, by: Player, at: dt.datetime) -> League:
    """Open a closed league again, and with it what its close had voided or ended.

    What was void before, or became so since, stays void.
    """
    with transaction.atomic():
        row = held(league, by=by)
        if row.closed_at is None:
            raise OperationError(_("The league is already open."))
        _bring_back(row)
        row.closed_at = None
        row.save(update_fields=["closed_at"])
        touch(row)
        tell_opened(row, at=at, again=True)
    return row


def _bring_back(league: League) -> None:
    Round.objects.filter(league=league, closed_at=league.closed_at).update(closed_at=None)
    fixtures = Fixture.objects.filter(round__league=league).exclude(before_close="")
    fixtures.filter(note__in=CLOSING_NOTES).update(note="")
    fixtures.filter(state=Fixture.State.VOID).update(state=F("before_close"))
    fixtures.update(before_close="")
    drafts = Match.objects.filter(league=league, closed_away=True)
    # Of a fixture that stays void, its draft does too.
    drafts.filter(
        Q(fixture=None) | Q(fixture__state__in=Fixture.TO_PLAY), state=Match.State.VOID
    ).update(state=Match.State.DRAFT, note="", version=F("version") + 1)
    drafts.update(closed_away=False)
