"""Who is who: merged names, roles in leagues, seats in matches."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from leagues.models import League, Member, Player

_RANK = {Member.Role.PLAYER: 0, Member.Role.SCORER: 1, Member.Role.ORGANISER: 2}


def belongs_to(player: Player, field: str = "player") -> Q:
    """Rows whose `field` is this person, under whichever name was merged into theirs."""
    key = player.person_id
    return Q(**{field: key}) | Q(**{f"{field}__merged_into": key})


def names_of(player: Player) -> QuerySet[Player]:
    """All rows of a person: the one that answers, and those merged into it."""
    key = player.person_id
    return Player.objects.filter(Q(pk=key) | Q(merged_into=key))


def persons(keys: Iterable[int]) -> dict[int, Player]:
    """Players by number, themselves and not whom they were merged into; one query."""
    return Player.objects.in_bulk(list(keys))


def membership(player: Player | None, league: League) -> list[Member]:
    """What a person is in a league; several rows where merged names are members too."""
    if player is None:
        return []
    return list(Member.objects.filter(belongs_to(player), league=league))


def role_in(player: Player | None, league: League) -> Member.Role | None:
    """The highest role of a person in a league, withdrawn or not; None for a stranger."""
    return highest_role(membership(player, league))


def highest_role(members: Iterable[Member]) -> Member.Role | None:
    """The highest role among these memberships; None where there are none."""
    roles = [Member.Role(member.role) for member in members]
    return max(roles, key=_RANK.__getitem__, default=None)


def members_of(league: League) -> list[Member]:
    """All members with their players, organisers first, then by name; one query."""
    rows = Member.objects.filter(league=league).select_related("player__merged_into")
    return sorted(
        rows, key=lambda member: (-_RANK[Member.Role(member.role)], member.player.name.casefold())
    )
