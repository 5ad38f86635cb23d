"""Permissions to see a table, and the player as whom a visitor acts there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final, cast

from django.utils.crypto import constant_time_compare

from leagues.members.operations.players import player_of
from leagues.models import League, Player, Table
from leagues.permissions import may_view
from leagues.tables.log import TableLog

LINKS_SESSION_KEY: Final = "table_links"
"""Where a session keeps the tables that its browser came to by their link."""
MAX_LINKS: Final = 50


def follow_link(session: Any, table: Table, invitation: str) -> bool:
    """Remember that this browser has the table's link; False where it is not that."""
    if not constant_time_compare(invitation, table.invitation):
        return False
    kept = [key for key in session.get(LINKS_SESSION_KEY, []) if key != table.pk]
    session[LINKS_SESSION_KEY] = [*kept, table.pk][-MAX_LINKS:]
    return True


def has_link(session: Any, table: Table) -> bool:
    """Whether this browser came to the table by its link."""
    return table.pk in session.get(LINKS_SESSION_KEY, [])


def player_of_visitor(visitor: Any) -> Player | None:
    """Who acts, of a visitor as the feed's gates know them: a user with a `session`."""
    return player_of(cast("Any", SimpleNamespace(user=visitor, session=visitor.session)))


def may_watch(log: TableLog, visitor: Any) -> bool:
    """Whether a visitor (a user with a `session`) may see the table, from a seat or without."""
    player, linked = player_of_visitor(visitor), has_link(visitor.session, log.table)
    return may_see(log, player, linked=linked)


def may_see(log: TableLog, player: Player | None, *, linked: bool) -> bool:
    """Whether somebody may see the table; `linked`: came by its link.

    Who sits there or laid it may, and to an open one who may come: the invited, and anybody
    where anybody may sit down. Otherwise it is as the table says, and no more than its league
    lets be seen.
    """
    table = log.table
    if log.seat_of(player) is not None or _is_host(log, player):
        return True
    if table.state == Table.State.OPEN and linked:
        return True
    if table.league_id is not None:
        # Read anew: the log is kept, and with it what the league was when the table changed last.
        league = League.objects.get(pk=table.league_id)
        if not may_view(player, league, knows_link=linked):
            return False
    if table.state == Table.State.OPEN and table.seating == Table.Seating.ANYBODY:
        return True
    if table.watch == Table.Watch.LINK:
        return linked
    return table.watch == Table.Watch.ANYBODY


def _is_host(log: TableLog, player: Player | None) -> bool:
    return player is not None and log.people[log.table.host_id].person == player.person_id
