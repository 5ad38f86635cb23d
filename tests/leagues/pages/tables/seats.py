"""People with test clients at a game table of dominoes, and the fields that its forms submit."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dominoes.engine import Move, MoveKind
from leagues.models import Player, Table
from leagues.tables import log as table_log
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.factories import browser, guest

HX = {"HX-Request": "true"}
ACT = "table_act"


def person(name: str) -> tuple[Client, Player]:
    """Create a guest of this name, and return test client and player."""
    player = guest(name)
    return browser(player), player


def open_table(host: Player, **house: object) -> Table:
    return lobby.create_table(
        host=host,
        at=timezone.now(),
        game="dominoes",
        profile="rulebook",
        seats=2,
        house=TableSettings(**house),  # type: ignore[arg-type]
    )


def begun_table(host: Player, other: Player, **house: object) -> Table:
    table = open_table(host, **house)
    lobby.sit_down(table_id=table.pk, player=other, at=timezone.now())
    lobby.begin_table(table_id=table.pk, player=host, at=timezone.now())
    table.refresh_from_db()
    return table


def page(table: Table) -> str:
    return reverse("table", args=(table.pk,))


def act(client: Client, table: Table, what: str, **fields: str) -> str:
    answer = client.post(reverse(ACT, args=(table.pk, what)), fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def view_of(table: Table, seat: int) -> object:
    log = table_log.find_log(table.pk)
    assert log is not None
    return log.position(log.moments[-1]).view(seat)  # type: ignore[attr-defined]


def form_of(move: Move, seen: int) -> dict[str, str]:
    """Return the fields that the page's form submits for a move."""
    if move.kind is MoveKind.DRAW or move.kind is MoveKind.PASS:
        return {"do": move.kind.value, "seen": str(seen)}
    return {
        "do": "lay",
        "tile": str(move.tile),
        f"move-{move.tile}": str(move),
        "seen": str(seen),
    }


def legal(table: Table) -> tuple[Move, ...]:
    table.refresh_from_db()
    assert table.turn is not None
    moves: tuple[Move, ...] = view_of(table, table.turn).legal  # type: ignore[attr-defined]
    return moves


def play_hand(table: Table, clients: tuple[Client, Client]) -> None:
    """Play the first legal move with the form of the page until the hand is over."""
    table.refresh_from_db()
    while table.turn is not None:
        move = legal(table)[0]
        fields = form_of(move, table.moves_made)
        answer = clients[table.turn].post(reverse("table_move", args=(table.pk,)), fields)
        assert answer.status_code == 302, answer.content.decode()
        table.refresh_from_db()
