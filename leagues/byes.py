"""Queries of byes: which players have no match in a round, and whether that counts as a bye."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from leagues.members_read.queries import belongs_to, player_rows_of
from leagues.models import FixtureSeat, League, Member, Player, Round
from leagues.pairing import rests_evenly
from leagues.standings.queries import merged_of
from leagues.standings.tallies import RulesVersion


def players_with_byes(rounds: Iterable[Round]) -> dict[int, Player]:
    """Return the players who have a bye in these rounds, by the primary key stored in the round.

    A player who was merged into another one is replaced by that player.
    """
    keys = {bye["player"] for round_ in rounds for bye in round_.byes}
    if not keys:
        return {}
    players = Player.objects.filter(pk__in=keys).select_related("merged_into")
    return {player.pk: player.merged_into or player for player in players}


def may_have_rest_days(league: League) -> bool:
    """Return whether players may have rest days, which bring no points, instead of byes.

    This is possible in a round robin only. In round robins that ended under the oldest version of
    the rules, players still have byes.
    """
    robin = league.format == League.Format.ROUND_ROBIN
    return robin and league.standings_rules != RulesVersion.FINAL


def leagues_with_rest_days(leagues: Collection[League]) -> set[int]:
    """Return the primary keys of leagues with rest days instead of byes, with at most three
    queries.

    A round robin in which all players sit out equally often has rest days, which bring no points.
    The class `StandingsBasis` applies the same rule when it calculates standings.
    """
    robins = {league.pk for league in leagues if may_have_rest_days(league)}
    if not robins:
        return set()
    byes: dict[int, list[list[int]]] = {}
    rounds = Round.objects.filter(league__in=robins).values_list("league", "byes")
    for league, resting in rounds:
        byes.setdefault(league, []).append([bye["player"] for bye in resting])
    merged = merged_of({player for each in byes.values() for some in each for player in some})
    players: dict[int, set[int]] = {}
    # In a round robin every player either has a match or sits out in the first round.
    seats = FixtureSeat.objects.filter(fixture__round__league__in=byes, fixture__round__number=1)
    person = Coalesce("player__merged_into", "player")
    for league, player in seats.values_list("fixture__round__league", person):
        players.setdefault(league, set()).add(player)
    return {
        league
        for league, each in byes.items()
        if rests_evenly(
            ([merged.get(player, player) for player in some] for some in each),
            players.get(league, ()),
        )
    }


def rounds_sat_out(player: Player, rounds: QuerySet[Round]) -> list[Round]:
    """Return the rounds in which the player has no match, with their leagues, with two queries."""
    keys = set(player_rows_of(player).values_list("pk", flat=True))
    mine = Member.objects.filter(belongs_to(player)).values("league")
    rows = rounds.filter(league__in=mine).exclude(byes=[]).select_related("league")
    return [row for row in rows if keys & {bye["player"] for bye in row.byes}]
