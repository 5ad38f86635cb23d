"""A site with more than one of everything, so that tests notice lists that filter too little.

It has two games, public, unlisted and private leagues, and matches in every state. One match has no
league, and one was played on the site. One player has withdrawn, and a guest is merged into an
account. Points distinguish the matches.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leagues.games import games
from leagues.matches.operations.corrections import dispute_match, void_match
from leagues.matches.operations.matches import confirm, open_match
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.members.operations.merging import merge_players
from leagues.models import League, Match, Player
from leagues.results import record_played_match
from tests.leagues import game, world
from tests.leagues.world import NOW

TWIN = "highest-twin"
DAY = dt.timedelta(days=1)


def register_twin() -> None:
    """Register highest card as a second game, to check that lists of one game omit the other."""
    if games.find_game(TWIN) is None:
        games.register(replace(game.HIGHEST, key=TWIN, name="Twin"))


@dataclass
class Crowd:
    """All players, leagues and matches, by name."""

    people: dict[str, Player]
    leagues: dict[str, League]
    matches: dict[str, Match]

    def played(self, name: str, league: str, seats: str, points: Sequence[int], day: int) -> Match:
        """Create a confirmed match of these players. The crowd stores it under this name."""
        where = self.leagues[league] if league else None
        who = [self.people[seat] for seat in seats.split()]
        found = world.played(where, who, points, at=NOW + day * DAY)
        self.matches[name] = found
        return found

    def waiting(self, name: str, league: str, seats: str, points: Sequence[int], day: int) -> Match:
        """Create a match that the first player submitted."""
        who = [self.people[seat] for seat in seats.split()]
        begun = world.draft_match(self.leagues[league], who, at=NOW + day * DAY)
        at = NOW + (day + 1) * DAY
        self.matches[name] = world.handed_in(begun, who[0], world.score(*points), at)
        return self.matches[name]

    def names(self, matches: Sequence[Match]) -> list[str]:
        """Return the names of these matches."""
        known = {match.pk: name for name, match in self.matches.items()}
        return [known[match.pk] for match in matches]


def gathered() -> Crowd:
    """Return the players, leagues and matches that the tests use."""
    register_twin()
    people = {name: world.account(name) for name in ("ana", "beto", "carla", "edu", "zoe")}
    ana, edu = people["ana"], people["edu"]
    leagues = {
        "main": world.found_league(ana, name="Main", visibility="public"),
        "other": world.found_league(ana, name="Other", visibility="link"),
        "twin": world.found_league(ana, name="Twin", visibility="public", game=TWIN),
        "hidden": world.found_league(edu, name="Hidden", visibility="private"),
        "office": world.found_league(
            people["zoe"], name="Office", visibility="public", plays=False
        ),
    }
    crowd = Crowd(people, leagues, {})
    for league, names in (
        ("main", "beto carla edu"),
        ("other", "beto"),
        ("twin", "beto"),
        ("hidden", "beto"),
    ):
        for name in names.split():
            world.enter_league(leagues[league], people[name])
    people["dora"] = add_guest(league=leagues["main"], name="dora", by=ana, at=NOW).player
    _play(crowd)
    withdraw(league=leagues["main"], player=edu, by=edu, at=NOW, handling=FixtureHandling.FORFEIT)
    office = world.account("root", is_superuser=True)
    merge_players(absorbed=people["dora"], kept=people["carla"], by=office, at=NOW)
    return crowd


def _play(crowd: Crowd) -> None:
    crowd.played("first", "main", "ana beto", [10, 4], 0)
    crowd.played("merged", "main", "beto dora", [11, 3], 2)
    crowd.played("elsewhere", "other", "beto ana", [77, 5], 3)
    crowd.played("twin", "twin", "beto ana", [55, 6], 4)
    crowd.played("private", "hidden", "edu beto", [22, 9], 5)
    crowd.played("friends", "", "ana beto", [44, 7], 6)
    crowd.waiting("waits", "main", "ana beto", [99, 1], 7)
    crowd.waiting("waits longer", "main", "carla beto", [98, 1], -9)
    crowd.waiting("waits elsewhere", "other", "beto ana", [97, 1], 8)
    match = crowd.waiting("disputed", "main", "beto ana", [88, 2], 9)
    crowd.matches["disputed"] = dispute_match(
        match=match, version=match.version, by=crowd.people["ana"], at=NOW, reason="No."
    )
    match = crowd.waiting("void", "main", "ana beto", [66, 3], 10)
    crowd.matches["void"] = void_match(
        match=match, version=match.version, by=crowd.people["ana"], at=NOW, reason="Never."
    )
    crowd.matches["draft"] = world.draft_match(
        crowd.leagues["main"], [crowd.people["ana"], crowd.people["carla"]], at=NOW + 11 * DAY
    )
    crowd.matches["written by another"] = open_match(
        by=crowd.people["ana"],
        at=NOW + 12 * DAY,
        players=[crowd.people["beto"], crowd.people["carla"]],
        league=crowd.leagues["main"],
    )
    match = crowd.played("disputed later", "other", "ana beto", [87, 8], 13)
    dispute_match(match=match, version=match.version, by=crowd.people["beto"], at=NOW, reason="No.")
    rules = game.normalise({})
    crowd.matches["here"] = record_played_match(
        game=game.KEY,
        rules=rules,
        rules_hash=game.digest(rules),
        players=[crowd.people["carla"], crowd.people["beto"]],
        content=world.score(33, 8),
        began_at=NOW,
        at=NOW + 14 * DAY,
    )
    last = world.handed_in(crowd.matches["draft"], crowd.people["ana"], world.score(12, 0))
    crowd.matches["last"] = confirm(
        match=last, version=last.version, by=crowd.people["carla"], at=NOW
    )
    crowd.matches["draft"] = world.draft_match(
        crowd.leagues["main"], [crowd.people["ana"], crowd.people["carla"]], at=NOW + 15 * DAY
    )
