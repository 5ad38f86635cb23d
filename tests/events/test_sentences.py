"""What happened, in a sentence that leaves no sign for the reader to guess at."""

import datetime as dt

import pytest
from django.utils import translation

from events.kinds import Happening, kinds

AT = dt.datetime(2027, 10, 12, 20, tzinfo=dt.UTC)
SPANISH = "Premios de la temporada 2027"


@pytest.mark.parametrize(
    ("winners", "english", "spanish"),
    [
        (["Ana"], "Ana", "Ana"),
        (["Ana", None, "Ana"], "Ana; 1 unawarded", "Ana; 1 desierto"),
        ([None, "Ana", None, "Eva"], "Ana, Eva; 2 unawarded", "Ana, Eva; 2 desiertos"),
        ([None, None], "nobody won any", "desiertos"),
    ],
)
def test_awards_that_found_nobody_are_told_in_words(
    winners: list[str | None], english: str, spanish: str
) -> None:
    awards = [{"key": "ears", "to": to} for to in winners]
    one = Happening(
        number=1,
        kind="award.given",
        subject="season/1",
        at=AT,
        circuit="temporada",
        league=None,
        data={"year": 2027, "feria": None, "address": None, "awards": awards},
    )
    with translation.override("en"):
        assert kinds["award.given"].words(one) == f"Awards of the season 2027: {english}"
    with translation.override("es"):
        assert kinds["award.given"].words(one) == f"{SPANISH}: {spanish}"
