"""Tables with people at them, in a database of their own: who sits where, with which session."""

import datetime as dt
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leagues.models import Player
    from leagues.tables.operations.lobby import TableSettings

SECRET = "b" * 32  # a token of the form, in the cookie and with the request


@dataclass(frozen=True)
class Seat:
    """One person at a table; `cookie` is what their browser sends, `alone`: against a bot."""

    table: int
    number: int
    cookie: str
    alone: bool = False

    @property
    def stream(self) -> str:
        """The address of the seat's own stream."""
        return f"/live/seat-en/{self.table}-{self.number}/"


@dataclass(frozen=True)
class Room:
    """All seats, those of a table together."""

    tables: tuple[tuple[Seat, ...], ...]


def furnish(database: Path, *, tables: int, bots: int) -> Room:
    """Lay so many tables for two people, and so many for one and a bot; all are begun."""
    from django.core.management import call_command

    from bench.ground import close, use

    use(database)
    call_command("migrate", verbosity=0)
    found = [_of_two(number) for number in range(tables)]
    found += [_of_one(number) for number in range(bots)]
    close()
    return Room(tuple(found))


def _of_two(number: int) -> tuple[Seat, ...]:
    from leagues.tables.operations import lobby

    (host, cookie), (guest, other) = _guest(f"Ana {number}"), _guest(f"Beto {number}")
    now = dt.datetime.now(dt.UTC)
    table = lobby.create_table(
        host=host, at=now, game="dominoes", profile="rulebook", house=_house()
    )
    lobby.sit_down(table_id=table.pk, player=guest, at=now)
    lobby.begin_table(table_id=table.pk, player=host, at=now)
    return Seat(table.pk, 0, cookie), Seat(table.pk, 1, other)


def _of_one(number: int) -> tuple[Seat, ...]:
    from leagues.tables.operations import lobby

    host, cookie = _guest(f"Carla {number}")
    table = lobby.create_table(
        host=host,
        at=dt.datetime.now(dt.UTC),
        game="dominoes",
        profile="rulebook",
        house=_house(),
        bots={1: "maestro"},
    )
    return (Seat(table.pk, 0, cookie, alone=True),)


def _house() -> "TableSettings":
    from leagues.tables.operations.lobby import TableSettings

    return TableSettings(allowance=900)


def _guest(name: str) -> "tuple[Player, str]":
    """A guest, and the cookies of the browser that plays as that guest."""
    from django.conf import settings

    from leagues.members.operations.players import GUEST_SESSION_KEY, new_player

    player = new_player(name=name, at=dt.datetime.now(dt.UTC))
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[GUEST_SESSION_KEY] = player.pk
    session.save()
    key = f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
    return player, f"{key}; {settings.CSRF_COOKIE_NAME}={SECRET}"
