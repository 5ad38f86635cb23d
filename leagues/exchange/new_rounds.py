"""Creation of rounds that another program has drawn, with their fixtures and byes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max, Q

from leagues.calendar_changes import mark_byes_changed
from leagues.emit import emit_rounds_drawn
from leagues.exchange.import_plan import ImportLine, PlannedRound
from leagues.models import Fixture, FixtureSeat, League, Member, Player, Round
from leagues.pairing import PairingReason, ReasonCode
from leagues.standings.operations import reopen_standings

# Minimum time between the draws of two rounds. It keeps the rounds in order even if only the day of
# their matches is known.
_STEP = dt.timedelta(microseconds=1)
_REASONS = [PairingReason(ReasonCode.DRAWN_ELSEWHERE).as_data()]
Players = Callable[[ImportLine], list[Player]]


@dataclass(frozen=True, kw_only=True)
class SavedRounds:
    """The rounds that were created, and their new fixtures by `ImportLine.number`."""

    created: tuple[Round, ...]
    fixtures: dict[int, Fixture]


def save_rounds(
    league: League, planned: Sequence[PlannedRound], players: Players, *, at: dt.datetime
) -> SavedRounds:
    """Create and complete rounds as planned. Call it in the transaction of the import.

    The draw of a round is dated to its first match, but later than the round before. Players of the
    round, including those with a bye, become members at that time if they joined later.
    """
    created: list[Round] = []
    fixtures: dict[int, Fixture] = {}
    for each in planned:
        row = _round(league, each, at=at)
        if each.new:
            created.append(row)
        fixtures |= _add_fixtures(row, each.lines, players)
        _add_byes(row, each.lines, players, at=at)
        people = {player.person_id for line in each.lines for player in players(line)}
        _let_join(league, people, row.drawn_at)
    if created:
        earlier = Round.objects.filter(league=league, number__lt=created[-1].number)
        earlier.filter(closed_at=None).update(closed_at=at)
        byes = sum(len(row.byes) for row in created)
        emit_rounds_drawn(league, created, byes=byes, at=at)
    if planned:
        reopen_standings(league)
    return SavedRounds(created=tuple(created), fixtures=fixtures)


def _round(league: League, planned: PlannedRound, *, at: dt.datetime) -> Round:
    if not planned.new:
        return Round.objects.get(league=league, number=planned.number)
    matches = (line for line in planned.lines if not line.is_bye)
    played = sorted(min(line.record_to_add.played_at, at) for line in matches)
    earlier = Round.objects.filter(league=league, number__lt=planned.number)
    last = earlier.aggregate(last=Max("drawn_at"))["last"]
    drawn_at = played[0] if last is None else max(played[0], last + _STEP)
    return Round.objects.create(
        league=league,
        number=planned.number,
        drawn_at=drawn_at,
        deadline=max(league.days_after(drawn_at, league.days_a_round), played[-1]),
        excused=[],
    )


def _add_fixtures(row: Round, lines: Iterable[ImportLine], players: Players) -> dict[int, Fixture]:
    matches = [line for line in lines if not line.is_bye]
    last = row.fixtures.aggregate(last=Max("number"))["last"] or 0
    fixtures = Fixture.objects.bulk_create(
        Fixture(round=row, number=number, deadline=row.deadline, reasons=_REASONS)
        for number, _line in enumerate(matches, start=last + 1)
    )
    FixtureSeat.objects.bulk_create(
        FixtureSeat(fixture=fixture, number=seat, player=player)
        for fixture, line in zip(fixtures, matches, strict=True)
        for seat, player in enumerate(players(line))
    )
    return {line.number: fixture for line, fixture in zip(matches, fixtures, strict=True)}


def _add_byes(
    row: Round, lines: Iterable[ImportLine], players: Players, *, at: dt.datetime
) -> None:
    byes: list[dict[str, object]] = [
        {"player": player.pk, "reasons": _REASONS}
        for line in lines
        if line.is_bye
        for player in players(line)
    ]
    if byes:
        row.byes = [*row.byes, *byes]
        row.save(update_fields=["byes"])
        mark_byes_changed(Round.objects.filter(pk=row.pk), at=at)


def _let_join(league: League, people: Iterable[int], moment: dt.datetime) -> None:
    wanted = list(people)
    members = Member.objects.filter(league=league, joined_at__gt=moment)
    members.filter(Q(player__in=wanted) | Q(player__merged_into__in=wanted)).update(
        joined_at=moment
    )
