"""People and leagues for the tests: made through the operations wherever there is one."""

import datetime as dt
from collections.abc import Sequence
from itertools import count

from accounts.models import User
from leagues.counting.recounting import finalise_due
from leagues.models import League, Match, Member, Player
from leagues.operations.leagues import found_league
from leagues.operations.matches import confirm, hand_in, open_match
from leagues.operations.members import join_league
from leagues.operations.players import new_player
from leagues.operations.settings import Settings
from tests.leagues import game

NOW = dt.datetime(2026, 3, 5, 20, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
_numbers = count()


def account(name: str, **fields: object) -> Player:
    """A player with an account."""
    user = User.objects.create(username=name, **fields)
    return new_player(name=name, at=NOW, user=user)


def guest(name: str) -> Player:
    return new_player(name=name, at=NOW)


def score(*points: int) -> dict[str, object]:
    """A sheet of bare points."""
    return {"score": list(points)}


def handed_in(match: Match, by: Player, sheet: object, at: dt.datetime = NOW) -> Match:
    return hand_in(match=match, version=match.version, by=by, at=at, content=sheet)


def played(
    league: League | None,
    players: Sequence[Player],
    points: Sequence[int],
    at: dt.datetime = NOW,
) -> Match:
    """A match handed in by the first and confirmed by the second player."""
    if league is None:
        match = open_match(by=players[0], at=at, players=players, game=game.KEY, profile="plain")
    else:
        match = open_match(by=players[0], at=at, players=players, league=league)
    match = handed_in(match, players[0], score(*points), at)
    return confirm(match=match, version=match.version, by=players[1], at=at)


def roles(league: League) -> dict[str, str]:
    rows = Member.objects.filter(league=league).select_related("player")
    return {member.player.name: member.role for member in rows}


def found(organiser: Player, **fields: object) -> League:
    """A ladder at highest card whose organiser plays along, unless told otherwise."""
    plays = bool(fields.pop("plays", True))
    settings = {"name": "Thursday", "game": game.KEY, "profile": "plain", **fields}
    return found_league(settings=Settings(**settings), by=organiser, at=NOW, plays=plays)  # type: ignore[arg-type]


def enter(league: League, player: Player) -> Member:
    return join_league(token=league.invitation, by=player, at=NOW)


def give(league: League, player: Player, role: Member.Role) -> None:
    Member.objects.filter(league=league, player=player).update(role=role)


def begun(league: League, players: Sequence[Player], at: dt.datetime = NOW) -> Match:
    return open_match(by=players[0], at=at, players=players, league=league)


def finalised(match: Match) -> Match:
    """The same after the hours to object."""
    finalise_due(at=NOW + 1000 * HOUR)
    match.refresh_from_db()
    return match
