"""Pages of a corrida fought at a table: card by card if its cards were submitted."""

from __future__ import annotations

import pytest
from django.test import Client

from corridas.broadcast import source
from corridas.models import Corrida, Lidia
from corridas.tabletop.queries import evidence_of, has_cards
from tests.corridas.tabletop.test_tables import (
    Afternoon,
    confirmed,
    handed_in,
    random_content,
    table_of,
)


def filed(*, cards: bool) -> Corrida:
    """Return a filed table corrida in a public circuit."""
    afternoon = Afternoon()
    match = afternoon.begin()
    handed_in(match, afternoon.ana, random_content(match, cards=cards))
    confirmed(match, afternoon.beto)
    corrida = table_of(match).corrida
    assert corrida is not None
    return corrida


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_corrida_without_cards_is_shown_as_a_list(client: Client) -> None:
    corrida = filed(cards=False)
    way = f"/circuitos/calm/corridas/{corrida.pk}/"
    page = client.get(way)
    assert page.status_code == 200
    told = page.content.decode()
    assert "scoresheet without contradictions" in told
    assert "confirmed by Beto" in told
    for lidia in Lidia.objects.filter(corrida=corrida).select_related("bull"):
        assert lidia.bull.name in told
    assert client.get(f"{way}3/")["Location"] == f"{way}#bull-3"
    assert client.get(f"{way}3/4/").status_code in (302, 404)
    feed = source.provide(str(corrida.pk), "en")
    assert feed is not None
    assert (list(feed.moments), feed.ended) == ([], True)
    assert not has_cards(corrida)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_corrida_with_cards_is_shown_card_by_card_without_a_seal(client: Client) -> None:
    corrida = filed(cards=True)
    way = f"/circuitos/calm/corridas/{corrida.pk}/"
    told = client.get(way).content.decode()
    assert 'id="stage"' in told or "viewer" in told
    assert "This corrida was sealed before the first card was drawn." not in told
    assert "Played at a real table, with real cards:" in told
    assert client.get(f"{way}1/10/").status_code == 200
    assert evidence_of([corrida.pk])[corrida.pk].evidence == "cards"
