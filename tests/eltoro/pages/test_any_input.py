"""Whatever a browser sends: an answer, no crash, and nothing stored that does not stand."""

from __future__ import annotations

import pytest
from django.test import Client

from eltoro.sheets import referee
from fairness import Chance, Seed
from leagues.models import Match
from tests.eltoro.pages.club import league
from tests.factories import account, browser, match

pytestmark = pytest.mark.django_db

DEEDS = [
    "read",
    "way",
    "send",
    "send",
    "points",
    "finish",
    "edit",
    "clear",
    "rewrite",
    "leave",
    "?",
]
RESTS = ["", "points", "arrivals", "arrivals", "0", "1", "-1", "99999999999999999999", "\x00", "“"]
VALUES = ["", "0", "1", "2", "7", "-3", "−1", "x", "9" * 30, "\x00", "1e9", "²", "4.5"]
CARDS = ["restaurant.0", "restaurant.1", "nightclub.0", "casino.0", "bank.0", "pier.0", "zoo.0"]
CARDS += ["restaurant", "bank.7", ".", ""]


def some_form(chance: Chance, version: int) -> dict[str, object]:
    """Fields of points, of a day, or of both, with much that does not belong there."""
    sent: dict[str, object] = {"version": version}
    if chance.below(2):
        sent |= {f"points-{n // 2}-{n % 2}": chance.pick(VALUES) for n in range(chance.below(9))}
    if chance.below(4):
        sent["laid"] = [chance.pick(CARDS) for _ in range(chance.below(8))]
        sent |= {f"gained-{seat}": chance.pick(["0", "1", *VALUES]) for seat in (0, 1)}
        sent |= {f"n-{chance.pick(CARDS)}-{chance.below(3)}": chance.pick(VALUES) for _ in range(4)}
        sent |= {f"die-{seat}-0": chance.pick(VALUES) for seat in (0, 1) if chance.below(2)}
    rest = chance.pick(RESTS)
    sent["do"] = f"{chance.pick(DEEDS)}:{rest}" if rest else chance.pick(DEEDS)
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_any_form_gets_an_answer(number: int) -> None:
    chance = Seed(bytes(32)).chance(f"evenings/{number}")
    two = [account("north"), account("ana")]
    found = match(league(two[0], *two), *two)
    north = browser(two[0])
    for _ in range(30):
        found.refresh_from_db()
        check(north, found, some_form(chance, found.version))


def check(client: Client, found: Match, sent: dict[str, object]) -> None:
    """It answers; the days it keeps stand, each by itself or after a day was changed."""
    url = f"/eltoro/matches/{found.pk}/evening/"
    assert client.post(url, sent).status_code in (200, 302)
    assert client.get(url).status_code == 200
    found.refresh_from_db()
    if found.sheet is not None:
        judged = referee.judge(rules=found.rules, seats=2, sheet=found.sheet.content)
        assert (judged.objections, judged.over) == ((), True)
    if found.draft:
        judged = referee.judge(rules=found.rules, seats=2, sheet=found.draft)
        assert all("die" in one.path or "dice" in one.path for one in judged.objections)


@pytest.mark.parametrize("pk", ["0", "7", "9" * 30])
@pytest.mark.parametrize("page", ["evening", "scoresheet"])
def test_no_such_match(page: str, pk: str) -> None:
    assert Client().get(f"/eltoro/matches/{pk}/{page}/").status_code == 404


def test_the_key_is_for_who_sat_there() -> None:
    """Anybody may look at a match of a public league, and print its sheet without the code."""
    two = [account("north"), account("ana")]
    found = match(league(two[0], *two), *two)
    assert found.league is not None
    found.league.visibility = "public"
    found.league.save()
    for client, told in ((browser(two[1]), True), (browser(account("stranger")), False)):
        page = client.get(f"/eltoro/matches/{found.pk}/scoresheet/").content.decode()
        assert ('class="qr"' in page) is told
        assert (
            found.key in client.get(f"/eltoro/matches/{found.pk}/evening/").content.decode()
        ) is False
