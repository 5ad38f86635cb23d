"""Factories for players and leagues, made with the site's operations where possible."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations.matches import confirm, hand_in, open_match
from leagues.members.operations.membership import add_guest, join_league
from leagues.models import Fixture, League, Match, Member, Place, Player, Pool
from leagues.ratings.pools import rating_differences
from leagues.results import finalise_due
from tests import factories
from tests.leagues import game

NOW = dt.datetime(2026, 3, 5, 20, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def account(name: str, **fields: object) -> Player:
    """Create an account and return its player."""
    return factories.account(name, at=NOW, **fields)


def guest(name: str) -> Player:
    return factories.guest(name, at=NOW)


def score(*points: int) -> dict[str, object]:
    """Return a scoresheet that contains only total points."""
    return {"score": list(points)}


def handed_in(match: Match, by: Player, sheet: object, at: dt.datetime = NOW) -> Match:
    return hand_in(match=match, version=match.version, by=by, at=at, content=sheet)


def played(
    league: League | None,
    players: Sequence[Player],
    points: Sequence[int],
    at: dt.datetime = NOW,
) -> Match:
    """Create a match that the first player submits and the second confirms."""
    if league is None:
        match = open_match(by=players[0], at=at, players=players, game=game.KEY, profile="plain")
    else:
        match = open_match(by=players[0], at=at, players=players, league=league)
    match = handed_in(match, players[0], score(*points), at)
    return confirm(match=match, version=match.version, by=players[1], at=at)


def roles(league: League) -> dict[str, str]:
    rows = Member.objects.filter(league=league).select_related("player")
    return {member.player.name: member.role for member in rows}


def found_league(organiser: Player, **fields: object) -> League:
    """Create a ladder of the game highest card, whose organiser plays unless `plays` is false.

    A Swiss league has the maximum number of rounds by default.
    """
    plays = bool(fields.pop("plays", True))
    settings = {"name": "Thursday", "game": game.KEY, "profile": "plain", **fields}
    if settings.get("format") == League.Format.SWISS:
        settings.setdefault("rounds_planned", 99)
    return create_league(settings=LeagueSettings(**settings), by=organiser, at=NOW, plays=plays)  # type: ignore[arg-type]


def enter_league(league: League, player: Player) -> Member:
    return join_league(token=league.invitation, by=player, at=NOW)


def give_role(league: League, player: Player, role: Member.Role) -> None:
    Member.objects.filter(league=league, player=player).update(role=role)


def draft_match(league: League, players: Sequence[Player], at: dt.datetime = NOW) -> Match:
    return open_match(by=players[0], at=at, players=players, league=league)


def finalised(match: Match) -> Match:
    """Return the match after the hours to object, when its result is final."""
    finalise_due(at=NOW + 1000 * HOUR)
    match.refresh_from_db()
    return match


def settle_in() -> None:
    """Create a public ladder of an organiser, ana, beto, carla and a guest, with some matches."""
    office = account("office")
    league = found_league(office, visibility="public", plays=False, name="Shared")
    ana, beto, carla = (account(name) for name in ("ana", "beto", "carla"))
    for player in (ana, beto, carla):
        enter_league(league, player)
    dora = add_guest(league=league, name="dora", by=office, at=NOW).player
    played(league, [ana, beto], [10, 4])
    played(league, [beto, carla], [11, 4], at=NOW + HOUR)
    played(league, [ana, dora], [12, 4], at=NOW + 2 * HOUR)
    for hours, pair in ((3, (ana, beto)), (4, (beto, carla)), (0, (carla, ana))):
        handed_in(draft_match(league, pair, NOW + hours * HOUR), pair[0], score(10, hours))


def called(name: str) -> Player:
    return Player.objects.get(name=name)


def shared_league() -> League:
    return League.objects.get(name="Shared")


def waiting_matches() -> list[Match]:
    """Return the matches of the shared league that wait for a second player."""
    return list(shared_league().matches.filter(state="handed_in").order_by("pk"))


def faults() -> list[str]:
    """Return contradictions in the whole database, between results, fixtures and ratings."""
    found = [str(each) for pool in Pool.objects.all() for each in rating_differences(pool)]
    counting = ("confirmed", "final")
    for match in Match.objects.select_related("result", "sheet"):
        result = getattr(match, "result", None)
        if (match.state in counting) != (result is not None):
            found.append(f"match {match.pk} is {match.state}, result {result}")
        elif result is not None and result.sheet_id != match.sheet_id:
            found.append(f"match {match.pk} counts another sheet than its own")
        elif result is not None and result.placings.count() != match.seats.count():
            found.append(f"match {match.pk} has too few places")
        if match.state not in ("draft", "void") and match.origin == "table" and not match.sheet:
            found.append(f"match {match.pk} has no sheet")
    merged = Place.objects.exclude(player__merged_into=None)
    return found + [f"place {place.pk} names one who was merged" for place in merged]


def round_robin(organiser: Player, names: Sequence[str], **fields: object) -> League:
    """Create a round robin of these players, and draw all rounds."""
    league = found_league(
        organiser, format="round_robin", plays=False, visibility="public", name="Robin", **fields
    )
    for name in names:
        enter_league(league, Player.objects.filter(name=name).first() or account(name))
    draw_round_robin(league=league, by=organiser, at=NOW)
    return league


def changed_settings(settings: LeagueSettings, **fields: object) -> LeagueSettings:
    return replace(settings, **fields)  # type: ignore[arg-type]


def first_fixture(league: League) -> Fixture:
    return Fixture.objects.filter(round__league=league).select_related("round__league")[0]


def seated(fixture: Fixture) -> list[Player]:
    return [seat.player for seat in fixture.seats.select_related("player")]


def play(fixture: Fixture, *points: int, at: dt.datetime = NOW) -> Match:
    """Play a fixture: its first player submits the result, the second confirms it."""
    people = seated(fixture)
    match = open_match(fixture=fixture, by=people[0], at=at)
    match = handed_in(match, people[0], score(*points), at)
    return confirm(match=match, version=match.version, by=people[1], at=at)
