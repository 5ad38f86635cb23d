"""What a player sets for themselves: the name, and who may see their page."""

from __future__ import annotations

from django.db import transaction

from leagues.counting import touch
from leagues.models import League, Player
from leagues.operations.players import clean_name


def rename_player(*, player: Player, name: str) -> Player:
    """Another name; the address of the page stays, so that links go on leading there.

    Raises `OperationError` for a name that is none.
    """
    words = clean_name(name)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        row.name = words
        row.save(update_fields=["name"])
        _touch_all(row)
    return row


def hide_player(*, player: Player, public: bool) -> None:
    """Whether the page and the site's leaderboards name the player to everybody."""
    Player.objects.filter(pk=player.pk).update(public=public)


def _touch_all(player: Player) -> None:
    """Every league in which the player appears shows the new name."""
    for league in League.objects.filter(members__player=player):
        touch(league)
