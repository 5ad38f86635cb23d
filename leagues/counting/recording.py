"""A match that the site itself has seen played: every move is kept, nobody need confirm it."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence

from django.db.models import F

from leagues.counting.results import publish, touch
from leagues.games import JSON, Judgement, games
from leagues.models import Fixture, League, Match, MatchSeat, Player, Sheet


def record_played_match(
    *,
    game: str,
    rules: JSON,
    rules_hash: str,
    players: Sequence[Player],
    content: JSON,
    began_at: dt.datetime,
    at: dt.datetime,
    played_at: dt.datetime | None = None,
    league: League | None = None,
    fixture: Fixture | None = None,
    rated: bool = True,
) -> Match:
    """The match of a table that is over, final at once; `players` by seat, `content` its sheet.

    To be called in the transaction in which the result takes effect; `played_at` is when the table
    was over, where that was before. The referee reads the sheet as he reads any other; `ValueError`
    where he objects or it does not end the match, for then the table has not kept the rules. Where
    the fixture has a match that waits or counts already, this one counts beside it as a free one,
    outside a league whose matches are drawn; a draft is put away.
    """
    judgement = _judged(game, rules, len(players), content)
    touch(league)  # holds it, before its matches are touched
    league, fixture = _where(league, fixture)
    match = Match.objects.create(
        league=league,
        fixture=fixture,
        game=game,
        rules=rules,
        rules_hash=rules_hash,
        origin=Match.Origin.HERE,
        state=Match.State.FINAL,
        rated=rated,
        played_at=played_at or at,
        created_at=began_at,
        handed_in_at=at,
        confirmed_at=at,
        key=secrets.token_urlsafe(32),
    )
    seat_players(match, players)
    _attach(match, content, judgement, at)
    publish(match, at=at)
    return match


def _where(league: League | None, fixture: Fixture | None) -> tuple[League | None, Fixture | None]:
    """What the match belongs to: a fixture that has none yet, or a league of free matches."""
    fixture = _free(fixture)
    drawn = league is not None and league.format != League.Format.LADDER
    return None if drawn and fixture is None else league, fixture


def _judged(game: str, rules: JSON, seats: int, content: JSON) -> Judgement:
    judgement = games[game].referee.judge(rules=rules, seats=seats, sheet=content)
    if judgement.objections or not judgement.over:
        raise ValueError(f"The table's sheet is refused: {judgement.objections or 'not over'}")
    return judgement


def _attach(match: Match, content: JSON, judgement: Judgement, at: dt.datetime) -> None:
    """The match's only sheet, with what the referee made of it."""
    match.sheet = Sheet.objects.create(
        match=match,
        number=1,
        content=content,
        points=list(judgement.points),
        places=list(judgement.places),
        evidence=Sheet.Evidence.LOG,
        at=at,
    )
    match.save(update_fields=["sheet"])


def seat_players(match: Match, players: Sequence[Player]) -> None:
    """Sit the players down, on the sides that the game gives to seats of these rules."""
    sides = games[match.game].sides(match.rules, len(players))
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=number, player=player, side=sides[number])
        for number, player in enumerate(players)
    )


def put_draft_away(fixture: Fixture) -> None:
    """A match of the fixture that was begun, or is void, stands beside it from now on."""
    gone = (Match.State.DRAFT, Match.State.VOID)
    Match.objects.filter(fixture=fixture, state__in=gone).update(
        fixture=None, state=Match.State.VOID, closed_away=False, version=F("version") + 1
    )


def _free(fixture: Fixture | None) -> Fixture | None:
    """The fixture, a draft of it put away; None where it has a match that waits or counts."""
    if fixture is None:
        return None
    put_draft_away(fixture)
    return None if Match.objects.filter(fixture=fixture).exists() else fixture
