"""Drawing rounds: all of a round robin at once, the next of a Swiss league after a look at it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from fairness import Seed
from leagues import telling
from leagues.counting import touch
from leagues.counting.drawing import draw_all, draw_swiss
from leagues.counting.heralding import tell_drawn, tell_undrawn
from leagues.models import Fixture, FixtureSeat, League, Match, Player, Round
from leagues.operations.errors import OperationError
from leagues.operations.leagues import check_edition, held
from leagues.operations.matches import check_open
from leagues.pairing import Bye, Pairing, PairingError
from leagues.pairing import Round as Drawn
from leagues.queries.people import persons


@dataclass(frozen=True, kw_only=True)
class DrawnRound:
    """A round as it would be drawn: `players` are all its people by number.

    `edition` is the league's at the time of the draw: who keeps the round names it.
    """

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...]
    players: dict[int, Player]
    edition: int


def draw_round_robin(
    *,
    league: League,
    by: Player,
    at: dt.datetime,
    begins_at: dt.datetime | None = None,
    hour: dt.time | None = None,
) -> list[Round]:
    """Draw all rounds, each with its deadline: the first one round's days after `begins_at`.

    `hour`: of the deadlines in the league's time zone; that of `begins_at` where None.
    Raises `OperationError` where rounds are drawn already, or too few play.
    """
    with transaction.atomic():
        row = held(league, by=by)
        check_open(row)
        _check_format(row, League.Format.ROUND_ROBIN)
        if row.rounds.exists():
            raise OperationError(_("The rounds of this league have already been drawn."))
        try:
            drawn = draw_all(row, Seed(bytes(row.seed)), attempt=row.edition)
        except PairingError as error:
            raise OperationError(pairing_sentence(error)) from error
        rounds = [_keep(row, each, at=at, begins_at=begins_at or at, hour=hour) for each in drawn]
        touch(row)
        tell_drawn(row, rounds, at=at)
        telling.rounds_drawn(rounds, by=by, at=at)
    return rounds


def preview_swiss(*, league: League) -> DrawnRound:
    """The next round as the standings would have it now, with the reasons; nothing is written."""
    return _next_round(League.objects.get(pk=league.pk))


def draw_next_swiss(
    *,
    league: League,
    by: Player,
    at: dt.datetime,
    edition: int | None = None,
    hour: dt.time | None = None,
) -> Round:
    """Keep the next round of a Swiss league.

    `hour`: of its deadline in the league's time zone; that of `at` where None.
    `edition`: that of the preview somebody looked at; where anything has happened in the league
    since, the draw would be another, and is refused. Raises `OperationError` while matches of the
    last round are to be played or disputed, and after the last round.
    """
    with transaction.atomic():
        row = held(league, by=by)
        check_edition(row, edition)
        drawn = _next_round(row)
        Round.objects.filter(league=row, closed_at=None).update(closed_at=at)
        pairs = Drawn(drawn.number, drawn.pairings, drawn.byes)
        kept = _keep(row, pairs, at=at, begins_at=at, hour=hour)
        touch(row)
        tell_drawn(row, [kept], at=at)
        telling.rounds_drawn([kept], by=by, at=at)
    return kept


def _next_round(league: League) -> DrawnRound:
    check_open(league)
    _check_format(league, League.Format.SWISS)
    number = Round.objects.filter(league=league).count() + 1
    _check_next(league, number)
    try:
        drawn = draw_swiss(league, number)
    except PairingError as error:
        raise OperationError(pairing_sentence(error)) from error
    seated = [player for pairing in drawn.pairings for player in pairing.seats]
    return DrawnRound(
        number=number,
        pairings=drawn.pairings,
        byes=drawn.byes,
        players=persons([*seated, *(bye.player for bye in drawn.byes)]),
        edition=league.edition,
    )


def _check_format(league: League, wanted: str) -> None:
    if league.format != wanted:
        raise OperationError(
            _("This league arranges its matches differently: “%s”.") % league.get_format_display()
        )


def _check_next(league: League, number: int) -> None:
    if league.rounds_planned is not None and number > league.rounds_planned:
        raise OperationError(_("All %d rounds have already been drawn.") % league.rounds_planned)
    left = Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY).count()
    if left:
        raise OperationError(
            ngettext(
                "%d fixture of the last round does not have a confirmed result yet.",
                "%d fixtures of the last round do not have a confirmed result yet.",
                left,
            )
            % left
        )


def _keep(
    league: League, drawn: Drawn, *, at: dt.datetime, begins_at: dt.datetime, hour: dt.time | None
) -> Round:
    """The rows of a drawn round. Days of a round robin follow each other from `begins_at`."""
    turn = drawn.number if league.format == League.Format.ROUND_ROBIN else 1
    deadline = begins_at + dt.timedelta(days=league.days_a_round * turn)
    if hour is not None:
        deadline = league.hour_of(deadline.astimezone(ZoneInfo(league.zone)).date(), hour)
    row = Round.objects.create(
        league=league,
        number=drawn.number,
        drawn_at=at,
        deadline=deadline,
        byes=[
            {"player": bye.player, "reasons": [reason.as_data() for reason in bye.reasons]}
            for bye in drawn.byes
        ],
    )
    fixtures = Fixture.objects.bulk_create(
        Fixture(
            round=row,
            number=number,
            deadline=deadline,
            reasons=[reason.as_data() for reason in pairing.reasons],
        )
        for number, pairing in enumerate(drawn.pairings, start=1)
    )
    FixtureSeat.objects.bulk_create(
        FixtureSeat(fixture=fixture, number=seat, player_id=player)
        for fixture, pairing in zip(fixtures, drawn.pairings, strict=True)
        for seat, player in enumerate(pairing.seats)
    )
    return row


@dataclass(frozen=True, kw_only=True)
class Undrawing:
    """What taking a draw back would remove: rounds, fixtures, and sheets being written."""

    rounds: int
    fixtures: int
    drafts: int


def preview_undraw(*, league: League) -> Undrawing:
    """What would go with the draw; nothing is written. Raises `OperationError` as `undraw`."""
    gone = _undrawn(league)
    _check_nothing_played(gone)
    drafts = Match.objects.filter(fixture__round__in=gone, state=Match.State.DRAFT)
    return Undrawing(
        rounds=len(gone),
        fixtures=Fixture.objects.filter(round__in=gone).count(),
        drafts=drafts.count(),
    )


def undraw(*, league: League, by: Player, at: dt.datetime, edition: int | None = None) -> int:
    """Take a draw back: the last Swiss round, or a round robin whole; how many rounds.

    `edition`: that of the preview somebody looked at; where anything has happened in the league
    since, it is refused. Raises `OperationError` once one of its matches has been handed in,
    forfeited or confirmed.
    """
    with transaction.atomic():
        row = held(league, by=by)
        check_edition(row, edition)
        gone = _undrawn(row)
        _check_nothing_played(gone)
        Match.objects.filter(fixture__round__in=gone).update(
            fixture=None, state=Match.State.VOID, closed_away=False, version=F("version") + 1
        )
        tell_undrawn(row, gone, at=at)
        Round.objects.filter(pk__in=[one.pk for one in gone]).delete()
        touch(row)
    return len(gone)


def _undrawn(league: League) -> list[Round]:
    """The rounds that go together."""
    rounds = league.rounds.order_by("-number")
    gone = list(rounds[:1] if league.format == League.Format.SWISS else rounds)
    if not gone:
        raise OperationError(_("No round has been drawn."))
    return gone


def _check_nothing_played(rounds: list[Round]) -> None:
    unused = (Match.State.DRAFT, Match.State.VOID)
    if Match.objects.filter(fixture__round__in=rounds).exclude(state__in=unused).exists():
        raise OperationError(
            _("A match of this draw already has a result, so the draw can’t be undone.")
        )


def pairing_sentence(error: PairingError) -> str:
    """Why nobody could be paired, in words."""
    if error.code == "players":
        return _("A match needs %(seats)s players, but only %(players)s play in this league.") % (
            error.params
        )
    if error.code == "sides":
        return _("Playing in pairs needs four players at each table.")
    return _("No rounds can be drawn with these settings.")
