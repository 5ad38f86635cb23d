"""Read and change the display name of an account, which is the name of the account's player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from accounts.display_names import NameProvider, NameRefusedError, register_name_provider
from leagues.exceptions import OperationError
from leagues.models import Player
from leagues.players import rename_player

if TYPE_CHECKING:
    from accounts.models import User


def register_display_name() -> None:
    register_name_provider(
        NameProvider(read=_read_player_name, write=_rename_player, address=_address)
    )


def _read_player_name(user: User) -> str | None:
    player = Player.objects.filter(user=user).first()
    return player.name if player else None


def _rename_player(user: User, name: str) -> None:
    player = Player.objects.filter(user=user).first()
    if player is not None:
        try:
            rename_player(player=player, name=name)
        except OperationError as refused:
            raise NameRefusedError(str(refused)) from refused


def _address(user: User) -> str | None:
    player = Player.objects.filter(user=user).first()
    return reverse("player", args=[player.slug]) if player else None
