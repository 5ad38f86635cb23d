"""Read-only queries of players, their roles in leagues, and their careers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from leagues.members_read.statistics import Duel, Partnership, PlayerStatistics, player_statistics
from leagues.models import League, Match, Member, Place, Player, Result
from leagues.standings.queries import placings

_RANK = {Member.Role.PLAYER: 0, Member.Role.SCORER: 1, Member.Role.ORGANISER: 2}


def belongs_to(player: Player, field: str = "player") -> Q:
    """Return a filter for rows whose `field` is the player or a player merged into the player."""
    key = player.person_id
    return Q(**{field: key}) | Q(**{f"{field}__merged_into": key})


def player_rows_of(player: Player) -> QuerySet[Player]:
    key = player.person_id
    return Player.objects.filter(Q(pk=key) | Q(merged_into=key))


def players_by_id(keys: Iterable[int]) -> dict[int, Player]:
    """Return players by primary key, without following merges, with one query."""
    return Player.objects.in_bulk(list(keys))


def membership(player: Player | None, league: League) -> list[Member]:
    if player is None:
        return []
    return list(Member.objects.filter(belongs_to(player), league=league))


def role_in(player: Player | None, league: League) -> Member.Role | None:
    return highest_role(membership(player, league))


def highest_role(members: Iterable[Member]) -> Member.Role | None:
    roles = [Member.Role(member.role) for member in members]
    return max(roles, key=_RANK.__getitem__, default=None)


def members_of(league: League) -> list[Member]:
    """Return all members of a league with their players, organisers first, then by name.

    Takes one query.
    """
    rows = Member.objects.filter(league=league).select_related("player__merged_into")
    return sorted(
        rows, key=lambda member: (-_RANK[Member.Role(member.role)], member.player.name_key)
    )


def people_of(league: League) -> list[Player]:
    """Return everybody who is or was a member of a league, after merges, with one query."""
    rows = Member.objects.filter(league=league).select_related("player__merged_into")
    return [member.player.merged_into or member.player for member in rows]


# Maximum number of opponents and of partners on a player's page.
MAX_RIVALS = 12


@dataclass(frozen=True, kw_only=True)
class Career:
    """A player's statistics at one game. `people` are all players that the statistics refer to."""

    form: PlayerStatistics
    people: dict[int, Player]

    @property
    def rivals(self) -> list[tuple[Player, Duel]]:
        return [(self.people[duel.rival], duel) for duel in self.form.opponents[:MAX_RIVALS]]

    @property
    def partners(self) -> list[tuple[Player, Partnership]]:
        return [
            (self.people[partner.partner], partner) for partner in self.form.partners[:MAX_RIVALS]
        ]

    @property
    def nemesis(self) -> Player | None:
        return self.people[self.form.nemesis.rival] if self.form.nemesis else None

    @property
    def favourite(self) -> Player | None:
        return self.people[self.form.favourite.rival] if self.form.favourite else None


def visible_leagues(*, of: Player, to: Player | None) -> list[League]:
    theirs = Member.objects.filter(belongs_to(of)).values("league")
    visible = Q(visibility=League.Visibility.PUBLIC)
    if to is not None:
        mine = Member.objects.filter(belongs_to(to)).values("league")
        visible |= Q(pk__in=mine)
        if to.user is not None and to.user.is_superuser:
            visible = Q()
    return list(League.objects.filter(visible, pk__in=theirs).order_by("name_key", "pk"))


def career_of(player: Player, game: str, leagues: Collection[int]) -> Career | None:
    """Return a player's statistics at one game in these leagues and at live tables of the
    site, with two queries.

    Returns None if the player has no results.
    """
    here = Q(result__league=None, result__match__origin=Match.Origin.HERE)
    visible = Q(result__league__in=list(leagues)) | here
    mine = Place.objects.filter(visible, player=player, result__game=game).values("result")
    player_placings = placings(Place.objects.filter(result__in=mine))
    if not player_placings:
        return None
    people = players_by_id({placing.player for placing in player_placings})
    return Career(form=player_statistics(player.pk, player_placings), people=people)


def has_played_publicly(player: Player) -> bool:
    here = Q(league=None, match__origin=Match.Origin.HERE)
    return Result.objects.filter(here | Q(site=True), placings__player=player).exists()
