"""A corrida of a table in the book of its circuit: the mark in the escalafón."""

from __future__ import annotations

from django.core.cache import cache
from django.test import Client

from corridas.models import Corrida, TableCorrida
from leagues.models import Match
from tests.corridas.pages.conftest import World
from tests.corridas.pages.table import Afternoon, begin, figures, press


def filed(world: World) -> Corrida:
    """A corrida of a table that counts, confirmed by Berta."""
    world.circuit.tables_count = True
    world.circuit.save()
    ana = Client()
    match = begin(ana, world)
    for lidia in Afternoon.played(match, world).record.lidias:
        press(ana, match, "put", **figures(lidia))
    press(ana, match, "send")
    confirm(match)
    table = TableCorrida.objects.get(match=match)
    assert table.corrida is not None
    return table.corrida


def confirm(match: Match) -> None:
    """Berta takes her seat and says that it is right."""
    match.refresh_from_db()
    berta = Client()
    berta.post(f"/matches/key/{match.key}/", {"guest": match.seats.get(number=1).player_id})
    berta.post(f"/matches/{match.pk}/confirm/", {"version": match.version})
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED, match.state


def test_the_escalafon_says_how_many_came_from_tables(client: Client, world: World) -> None:
    assert "fought at a table" not in client.get("/escalafon/").content.decode()
    filed(world)
    cache.clear()
    page = client.get("/escalafon/").content.decode()
    assert "1 corrida of this season was fought at a table: 1 by the sheet." in page


def test_what_does_not_count_is_kept_and_not_filed(world: World) -> None:
    ana = Client()
    match = begin(ana, world)
    for lidia in Afternoon.played(match, world).record.lidias:
        press(ana, match, "put", **figures(lidia))
    press(ana, match, "send")
    confirm(match)
    assert TableCorrida.objects.get(match=match).corrida is None
    assert not Corrida.objects.exists()
