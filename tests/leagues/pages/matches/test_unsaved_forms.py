"""Corrections submitted while a day or lidia in the form is not saved yet."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.models import Match
from tests import factories
from tests.eltoro.tabletop.sheets.paper import town
from tests.factories import browser
from tests.leagues.pages.matches.form import Form
from tests.leagues.pages.matches.games import ARRIVALS, ELTORO, FIRST, INDULTO, score

pytestmark = pytest.mark.django_db


class Writer:
    """A player with the form of a match."""

    def __init__(self, form: Form, rules: Any) -> None:
        people = [factories.account(name) for name in form.names]
        league = factories.league(form.game, people[0], *people, rules=rules)
        self.key = form.open(league, people).pk
        self.form, self.client = form, browser(people[0])

    def press(self, do: str, **fields: Any) -> str:
        match = Match.objects.get(pk=self.key)
        sent = {"do": do, "version": str(match.version), **fields}
        return self.client.post(self.form.url(match), sent, follow=True).content.decode()

    def points(self) -> list[int]:
        match = Match.objects.select_related("sheet").get(pk=self.key)
        assert match.sheet is not None
        return list(match.sheet.points)


@pytest.mark.slow
def test_correction_with_an_unsaved_day_is_rejected() -> None:
    writer = Writer(ELTORO, town(days=1).options())
    writer.press(ARRIVALS.do)
    writer.press("send", **FIRST)
    assert writer.points() == [14, 4]
    writer.press("rewrite")
    writer.press("edit:0")
    answer = writer.press("finish", **FIRST | {"n-restaurant.0-0": "8"})
    assert "The day in the form is not saved yet" in answer
    assert writer.points() == [14, 4]
    writer.press("finish", **FIRST | {"n-restaurant.0-0": "4"})
    # Three points for each runner in the restaurant.
    assert writer.points() == [20, 4]


@pytest.mark.slow
def test_correction_with_an_unsaved_lidia_is_rejected() -> None:
    writer = Writer(INDULTO, INDULTO.rules)
    for one in INDULTO.whole:
        writer.press(one.do, **one.fields)
    assert writer.points() == [4, 2]
    writer.press("rewrite")
    writer.press("bull:6")
    answer = writer.press("send", **score(6, 90, ending=""))
    assert "The changes to the lidia with bull 6 are not saved yet" in answer
    assert writer.points() == [4, 2]
    writer.press("send", **score(6, 90))
    assert writer.points() == [5, 2]
