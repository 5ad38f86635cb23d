"""Pages round figures instead of truncating them, and use the decimal sign of the language."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from corridas.models import Award, Escalafon, Record
from corridas.templatetags.season import rate
from tests.corridas.pages.conftest import World
from tests.corridas.pages.escalafon.test_recordbook_pages import booked
from tests.factories import record_book

__all__ = ["booked"]

POINT_OR_COMMA = [("en", "4.92", "4.91"), ("es", "4,92", "4.92")]


@pytest.mark.parametrize(
    ("part", "whole", "english", "spanish"),
    [
        (59, 12, "4.92", "4,92"),
        (2, 3, "0.67", "0,67"),
        (1, 3, "0.33", "0,33"),
        (1, 8, "0.13", "0,13"),
        (1, 2, "0.50", "0,50"),
        (0, 5, "0.00", "0,00"),
        (0, 0, "–", "–"),
    ],
)
def test_a_ratio_is_rounded_to_two_decimals(
    part: int, whole: int, english: str, spanish: str
) -> None:
    for language, shown in (("en", english), ("es", spanish)):
        with translation.override(language):
            assert rate(part, whole) == shown


@pytest.mark.parametrize(("language", "shown", "wrong"), POINT_OR_COMMA)
def test_the_mean_that_wins_an_award_is_rounded_to_two_decimals(
    booked: World, client: Client, language: str, shown: str, wrong: str
) -> None:
    detail = {"terms": [["bull_points", 59, 1]], "bulls": 12}
    Award.objects.filter(key="herd").update(score=491, detail=detail, ganaderia=booked.herd)
    for address in ("/premios/2027/", "/anuario/2027/", "/temporada/2027/goyesca/"):
        page = client.get(address, headers={"accept-language": language}).text
        assert shown in page
        assert wrong not in page
    told = client.get("/api/v1/circuits/leyendas/seasons/2027/awards/").json()
    given = [one for feria in told["ferias"] for one in feria["awards"]]
    assert {one["score"] for one in given if one["key"] == "herd"} == {"4.92"}


@pytest.mark.parametrize(("language", "shown", "wrong"), POINT_OR_COMMA)
def test_a_record_of_ears_per_corrida_is_rounded_to_two_decimals(
    booked: World, client: Client, language: str, shown: str, wrong: str
) -> None:
    row = {"key": "season_rate", "season": booked.season, "matador": booked.matadors[0]}
    of = booked.matadors[0].slug
    book, own = record_book(booked.circuit), record_book(booked.circuit, "matador", of)
    Record.objects.create(book=book, value=491, before=480, **row)
    Record.objects.create(book=own, value=491, **row)
    counts = Escalafon.objects.filter(season=booked.season, matador=booked.matadors[0])
    counts.update(ears=29, corridas=6)
    Escalafon.objects.create(
        season=booked.season, matador=booked.matadors[0], category=3, ears=30, corridas=6
    )
    for address in ("/records/", f"/records/matador/{of}/", "/anuario/2027/"):
        page = client.get(address, headers={"accept-language": language}).text
        assert shown in page
        assert wrong not in page
