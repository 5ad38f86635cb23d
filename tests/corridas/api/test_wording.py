"""The wording of texts in the API, usual or bloodless, as the request demands."""

from __future__ import annotations

import datetime as dt

from tests.corridas.api.conftest import Program
from tests.factories import World


def test_a_lidia_is_described_in_bloodless_wording_on_request(
    lived: World, nobody: Program
) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=75)
    way = f"corridas/{corrida.pk}/lidias/1/"
    usual, told = nobody.get_json(way), nobody.get_json(f"{way}?wording=bloodless")
    assert usual["story"] != told["story"]
    assert [line["points"] for line in usual["story"]] == [line["points"] for line in told["story"]]
    assert [usual[key] for key in ("sheet", "result", "notation")] == [
        told[key] for key in ("sheet", "result", "notation")
    ]
    terms = [one["term"] for one in nobody.get_json("glossary/?wording=bloodless")["terms"]]
    assert "flor entera" in terms
    assert "estocada" not in terms


def test_an_unknown_wording_is_rejected(lived: World, nobody: Program) -> None:
    for asked in ("gentle", "", "bloodless&wording=bloodless"):
        assert nobody.get(f"glossary/?wording={asked}").status_code == 400, asked
