"""Who sits out the rounds of leagues, and whether that is a bye."""

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
    """Return the players with byes in these rounds, after merges, by the keys in the rounds."""
    keys = {bye["player"] for drawn_round in rounds for bye in drawn_round.byes}
    if not keys:
        return {}
    players = Player.objects.filter(pk__in=keys).select_related("merged_into")
    return {player.pk: player.merged_into or player for player in players}


def may_have_rest_days(league: League) -> bool:
    """Return whether who sits out need not have a bye. In tables final by now, all have one."""
    robin = league.format == League.Format.ROUND_ROBIN
    return robin and league.standings_rules != RulesVersion.FINAL


def leagues_with_rest_days(leagues: Collection[League]) -> set[int]:
    """Return which of these leagues have rest days instead of byes, with at most three queries.

    These are round robins in which everybody sits out equally often. The standings decide the same
    in `StandingsBasis`.
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
    # In a round robin everybody has a match or sits out in the first round.
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
    """Return those of the rounds in which a player sits out, with leagues, with two queries."""
    keys = set(player_rows_of(player).values_list("pk", flat=True))
    mine = Member.objects.filter(belongs_to(player)).values("league")
    rows = rounds.filter(league__in=mine).exclude(byes=[]).select_related("league")
    return [row for row in rows if keys & {bye["player"] for bye in row.byes}]
