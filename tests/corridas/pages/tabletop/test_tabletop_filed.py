"""A confirmed table corrida that counts in its circuit, and its mark in the escalafón."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client

from corridas.models import Corrida, TableCorrida
from leagues.models import Match
from tests.corridas.pages.tabletop.table import Afternoon, begin, figures, lay, press
from tests.factories import World


def filed(world: World, *, by_cards: bool = False) -> Corrida:
    """Return a table corrida that counts in its circuit and was confirmed by Berta."""
    world.circuit.tables_count = True
    world.circuit.save()
    ana = Client()
    match = begin(ana, world)
    for lidia in Afternoon.played(match, world).record.lidias:
        if by_cards:
            lay(ana, match, lidia.turn, lidia.draws)
        else:
            press(ana, match, "put", **figures(lidia))
    press(ana, match, "send")
    confirm(match)
    table = TableCorrida.objects.get(match=match)
    assert table.corrida is not None
    return table.corrida


def confirm(match: Match) -> None:
    """Confirm the result as Berta, who takes her seat as a guest."""
    match.refresh_from_db()
    berta = Client()
    berta.post(f"/matches/key/{match.key}/", {"guest": match.seats.get(number=1).player_id})
    berta.post(f"/matches/{match.pk}/confirm/", {"version": match.version})
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED, match.state


@pytest.mark.slow
def test_the_escalafon_counts_corridas_of_real_tables(client: Client, world: World) -> None:
    assert "played at a real table" not in client.get("/escalafon/").content.decode()
    filed(world)
    cache.clear()
    page = client.get("/escalafon/").content.decode()
    said = "1 corrida in this season was played at a real table: 1 with the scoresheet"
    assert said in " ".join(page.split())


@pytest.mark.slow
def test_each_row_of_the_escalafon_counts_corridas_of_real_tables(
    client: Client, world: World
) -> None:
    corrida = filed(world)
    for way in ("/escalafon/", f"/escalafon/?until={corrida.date}"):
        row = shown(client, f"{way}").split("<tbody", 1)[1].split("</tr>", 1)[0]
        assert "Table: 1" in row
        assert "with the scoresheet" in row
    assert "Table: 1" not in shown(client, "/escalafon/?until=2027-04-30")
    assert corrida.plaza.category == 2
    assert "Table: 1" not in shown(client, "/escalafon/?category=1")
    matador = corrida.cartel.puestos.select_related("matador")[0].matador
    assert "1 at a real table" in shown(client, f"/matadores/{matador.slug}/")


def shown(client: Client, way: str) -> str:
    """Return a page rendered without the cache."""
    cache.clear()
    return client.get(way).text


def handed_in(ana: Client, world: World, *, counts: bool) -> Match:
    """Return a corrida that Ana submitted by its scoresheet and Berta has not confirmed."""
    world.circuit.tables_count = counts
    world.circuit.save()
    match = begin(ana, world)
    for lidia in Afternoon.played(match, world).record.lidias:
        press(ana, match, "put", **figures(lidia))
    press(ana, match, "send")
    return match


@pytest.mark.slow
def test_a_table_corrida_that_does_not_count_stays_out_of_the_circuit(world: World) -> None:
    ana = Client()
    match = handed_in(ana, world, counts=False)
    assert "Once confirmed, this corrida will be kept here" in ana.get(f"/tienta/{match.pk}/").text
    confirm(match)
    assert TableCorrida.objects.get(match=match).corrida is None
    assert not Corrida.objects.exists()
    page = ana.get(f"/tienta/{match.pk}/").text
    assert f"This corrida is kept here but does not count in {world.circuit.name}" in page


@pytest.mark.slow
def test_the_page_links_to_the_record_book_that_contains_the_corrida(world: World) -> None:
    ana = Client()
    match = handed_in(ana, world, counts=True)
    book = f"the record book of {world.circuit.name}."
    assert (
        f"Once confirmed, this corrida will go into {book}" in ana.get(f"/tienta/{match.pk}/").text
    )
    confirm(match)
    page = ana.get(f"/tienta/{match.pk}/").text
    assert f"This corrida is in {book}" in page
    assert f'href="/corridas/{Corrida.objects.get().pk}/"' in page
    assert 'href="/escalafon/2027/"' in page


@pytest.mark.slow
def test_the_page_says_why_a_table_corrida_cannot_be_added_to_its_circuit(world: World) -> None:
    ana = Client()
    match = handed_in(ana, world, counts=True)
    world.announce(dt.date(2027, 5, 1), plaza=1)
    page = ana.get(f"/tienta/{match.pk}/").text
    assert f"This corrida can’t be added to {world.circuit.name} as it is." in page
    assert "on that day. The director can assign it to your table." in page
    berta = Client()
    match.refresh_from_db()
    berta.post(f"/matches/key/{match.key}/", {"guest": match.seats.get(number=1).player_id})
    told = berta.post(f"/matches/{match.pk}/confirm/", {"version": match.version}, follow=True)
    assert "on that day. The director can assign it to your table." in told.text
    match.refresh_from_db()
    assert match.state == Match.State.HANDED_IN


@pytest.mark.slow
def test_a_corrida_entered_by_cards_can_be_replayed_and_is_marked_as_table(
    client: Client, world: World
) -> None:
    corrida = filed(world, by_cards=True)
    page = client.get(f"/corridas/{corrida.pk}/").content.decode()
    assert "Played at a real table, with real cards:" in page
    assert "every card verified" in page
    assert "Confirmed by Berta." in page
    assert "This corrida was sealed before the first card was drawn." not in page
    assert client.get(f"/corridas/{corrida.pk}/2/7/").status_code == 200


@pytest.mark.slow
def test_a_corrida_entered_by_scoresheet_says_what_was_verified(
    client: Client, world: World
) -> None:
    corrida = filed(world)
    page = client.get(f"/corridas/{corrida.pk}/").content.decode()
    assert "scoresheet without contradictions" in page
    assert "confirmed by Berta" in page
