"""Arbitrary input of the match form gets a response and stores no invalid data."""

from __future__ import annotations

import pytest

from dominoes.engine import Rules
from fairness import Seed
from leagues.games import games
from leagues.models import Match
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Form
from tests.leagues.pages.matches.games import DOMINOES, ELTORO, INDULTO
from tests.properties import FULL

TWO = ("ana", "blas")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "rules"),
    [
        (DOMINOES, Rules(target=60, hand_size=3, boneyard="draw").options()),
        (DOMINOES, Rules(target=60, hand_size=3, boneyard="pass").options()),
        (ELTORO, ELTORO.rules),
        (INDULTO, INDULTO.rules),
    ],
    ids=["dominoes-draw", "dominoes-pass", "eltoro", "indulto"],
)
def test_arbitrary_match_form_gets_a_response_and_stores_valid_data(
    request: pytest.FixtureRequest, form: Form, rules: dict[str, object], db: None
) -> None:
    """Submitted results are valid. Drafts may contain only errors that later input can correct."""
    two = [account(name) for name in TWO]
    match = form.open(form.league(two[0], *two, rules=rules), two)
    client, chance = browser(two[0]), Seed(bytes(32)).chance(request.node.name)
    before = match.version
    for number in range(25 if FULL else 10):
        if number % 2:
            sent = dict(form.any_press(chance))
        else:  # valid fields, perhaps with one invalid field
            meant = chance.pick([*form.whole, *form.begun, form.more, *form.correction])
            sent = {"do": meant.do, **meant.fields}
            if chance.below(2):
                sent |= dict(list(form.any_press(chance).items())[:1])
        match.refresh_from_db()
        answer = client.post(form.url(match), {"version": match.version, **sent})
        assert answer.status_code in (200, 302), sent
        assert client.get(form.url(match)).status_code == 200, sent
        check_stored(form, match)
    assert match.version > before, "some of them were taken"


def check_stored(form: Form, match: Match) -> None:
    """Check that a submitted result is valid. A draft must be valid as far as it is filled in."""
    match.refresh_from_db()
    referee = games[form.game].referee
    if match.sheet is not None:
        judged = referee.judge(rules=match.rules, seats=2, sheet=match.sheet.content)
        assert (judged.objections, judged.over) == ((), True)
    elif match.draft:
        judged = referee.judge(rules=match.rules, seats=2, sheet=match.draft)
        assert all(form.any_fault(fault.path) for fault in judged.objections), judged.objections
