"""Whatever a browser sends: an answer, no crash, and nothing stored that does not stand."""

from __future__ import annotations

import pytest
from django.test import Client

from dominoes.engine import Rules
from dominoes.sheets import referee
from fairness import Chance, Seed
from leagues.models import Match
from tests.dominoes.pages.club import league
from tests.factories import account, browser, match

pytestmark = pytest.mark.django_db

DEEDS = [
    "read",
    "mend",
    "way",
    "tile",
    "move",
    "back",
    "stuck",
    "send",
    "finish",
    "score",
    "undo",
    "edit",
    "clear",
    "rewrite",
    "leave",
    "jump",
]
RESTS = ["", "left", "moves", "score", "stopped", "6|3", "6-6", ">4|4", "<1|1", "draw", "pass"]
RESTS += ["5|3:1", "x:9", "-1", "0", "99999999999999999999", "\x00", "“"]
VALUES = ["", "0", "1", "2", "7", "-3", "blocked", "x", "9" * 30, "6|3", "0|0", "\x00", "1e9", "²"]
NAMES = [
    "out",
    "leader",
    "who",
    "held-0",
    "held-1",
    "pips-0",
    "pips-1",
    "total-0",
    "total-1",
    "stopped",
    "version",
]


def some_form(chance: Chance, version: int) -> dict[str, object]:
    sent: dict[str, object] = {"version": version}
    for _ in range(chance.below(8)):
        name = chance.pick(NAMES)
        many = [chance.pick([*RESTS, *VALUES]) for _ in range(chance.below(3))]
        sent[name] = many if name.startswith("held") else chance.pick(VALUES)
    rest = chance.pick(RESTS)
    sent["do"] = f"{chance.pick(DEEDS)}:{rest}" if rest else chance.pick(DEEDS)
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_any_form_gets_an_answer(number: int) -> None:
    chance = Seed(bytes(32)).chance(f"forms/{number}")
    two = [account("north"), account("ana")]
    rules = Rules(target=60, hand_size=3, boneyard=chance.pick(["draw", "pass"]))
    found = match(league(two[0], *two, rules=rules), *two)
    north = browser(two[0])
    for _ in range(50):
        found.refresh_from_db()
        check(north, found, some_form(chance, found.version))


def check(client: Client, found: Match, sent: dict[str, object]) -> None:
    url = f"/dominoes/matches/{found.pk}/hand/"
    assert client.post(url, sent).status_code in (200, 302)
    assert client.get(url).status_code == 200
    found.refresh_from_db()
    draft = referee.judge(rules=found.rules, seats=2, sheet=found.draft or {"hands": []})
    assert [fault.path for fault in draft.objections] in ([], ["hands"])
    if found.sheet is not None:
        stands = referee.judge(rules=found.rules, seats=2, sheet=found.sheet.content)
        assert stands.over
