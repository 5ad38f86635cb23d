"""Permissions to see a live table, and the player as whom a visitor acts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final, cast

from django.utils.crypto import constant_time_compare

from leagues.models import League, Player, Table
from leagues.permissions import may_view
from leagues.players import player_of
from leagues.tables.log import TableLog

# Session key of the tables whose link the browser has opened.
LINKS_SESSION_KEY: Final = "table_links"
MAX_LINKS: Final = 50


def follow_link(session: Any, table: Table, invitation: str) -> bool:
    if not constant_time_compare(invitation, table.invitation):
        return False
    kept = [key for key in session.get(LINKS_SESSION_KEY, []) if key != table.pk]
    session[LINKS_SESSION_KEY] = [*kept, table.pk][-MAX_LINKS:]
    return True


def has_link(session: Any, table: Table) -> bool:
    return table.pk in session.get(LINKS_SESSION_KEY, [])


def player_of_visitor(visitor: Any) -> Player | None:
    """Return the player of a visitor of the feed.

    The visitor is a user with an attribute `session`.
    """
    return player_of(cast("Any", SimpleNamespace(user=visitor, session=visitor.session)))


def may_watch(log: TableLog, visitor: Any) -> bool:
    player, linked = player_of_visitor(visitor), has_link(visitor.session, log.table)
    return may_see(log, player, linked=linked)


def may_see(log: TableLog, player: Player | None, *, linked: bool) -> bool:
    """Return whether a player may see the table. `linked` means that the player has the link.

    The players and the host may see it. While the table waits for players, so may everybody who can
    join. Otherwise it depends on the settings of the table and the visibility of its league.
    """
    table = log.table
    is_host = player is not None and log.people[table.host_id].person == player.person_id
    if is_host or log.seat_of(player) is not None:
        return True
    if table.state == Table.State.OPEN and linked:
        return True
    if table.league_id is not None:
        # The league in the cached log may be out of date, so it is read again.
        league = League.objects.get(pk=table.league_id)
        if not may_view(player, league, knows_link=linked):
            return False
    if table.state == Table.State.OPEN and table.seating == Table.Seating.ANYBODY:
        return True
    if table.watch == Table.Watch.LINK:
        return linked
    return table.watch == Table.Watch.ANYBODY
