"""What is told to a program in the wording it asks for."""

from __future__ import annotations

import datetime as dt

from tests.corridas.api.conftest import Program
from tests.factories import World


def test_a_lidia_is_told_without_blood_where_a_program_asks_for_it(
    lived: World, nobody: Program
) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=75)
    way = f"corridas/{corrida.pk}/lidias/1/"
    usual, told = nobody.tell(way), nobody.tell(f"{way}?wording=bloodless")
    assert usual["story"] != told["story"]
    assert [line["points"] for line in usual["story"]] == [line["points"] for line in told["story"]]
    assert [usual[key] for key in ("sheet", "result", "notation")] == [
        told[key] for key in ("sheet", "result", "notation")
    ]
    terms = [one["term"] for one in nobody.tell("glossary/?wording=bloodless")["terms"]]
    assert "flor entera" in terms
    assert "estocada" not in terms


def test_a_wording_that_there_is_not_is_refused(lived: World, nobody: Program) -> None:
    for asked in ("gentle", "", "bloodless&wording=bloodless"):
        assert nobody.get(f"glossary/?wording={asked}").status_code == 400, asked
