"""Corridas of which only the results were submitted are filed and marked as the weakest
evidence.
"""

from __future__ import annotations

import pytest
from django.test import Client

from corridas.models import Lidia
from corridas.simulation.post import rebuild
from tests.corridas.simulation.test_posting_by_hand import by_hand, kept
from tests.corridas.tabletop.test_tables import Afternoon, confirmed, handed_in, table_of


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_corrida_with_results_only_is_stored_and_marked_as_weak_evidence(client: Client) -> None:
    afternoon = Afternoon()
    match = afternoon.begin()
    match.refresh_from_db()
    assert match.draft is not None
    lidias = [
        {"score": {"ending": "killed", "avisos": 0, "modified": 100 - 9 * turn}}
        for turn in range(6)
    ]
    handed_in(match, afternoon.ana, {**match.draft, "lidias": lidias})
    confirmed(match, afternoon.beto)
    table = table_of(match)
    assert table.corrida is not None
    assert table.evidence == "score"
    assert kept(afternoon.season) == by_hand(afternoon.season)
    assert rebuild(afternoon.season, write_rows=False) == []
    assert set(Lidia.objects.values_list("score", flat=True)) == {None}
    page = client.get(f"/circuitos/calm/corridas/{table.corrida.pk}/").content.decode()
    assert "result only" in page
    finisher = Lidia.objects.filter(turn=1).select_related("finisher", "bull", "corrida")[0]
    assert finisher.finisher is not None
    year, slug = afternoon.season.year, finisher.corrida.plaza.slug
    for way in (
        "",
        f"escalafon/{year}/",
        f"temporada/{year}/",
        f"matadores/{finisher.finisher.slug}/",
        f"plazas/{slug}/",
        f"toros/{finisher.bull_id}/",
        "records/",
        f"premios/{year}/",
        f"anuario/{year}/",
    ):
        assert client.get(f"/circuitos/calm/{way}").status_code == 200, way
