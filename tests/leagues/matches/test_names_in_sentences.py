"""Messages of the referees name the players of a match instead of their seats."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.exceptions import SheetRefused
from leagues.games import games, seat_names
from leagues.matches.operations.matches import hand_in, open_match
from leagues.matches_read import review_matches
from leagues.models import Match
from tests.factories import small_circuit
from tests.leagues.world import NOW, account

pytestmark = pytest.mark.django_db

DOMINOES = {"hands": [{"leader": None, "out": 0, "blocked": False, "held": [None, {"pips": 999}]}]}
EL_TORO = {"kind": "points", "days": [[0, -1]]}
SHEETS: list[Any] = [
    # Each case: the game, the rule profile, the scoresheet, and the message with names of players.
    ("dominoes", "rulebook", DOMINOES, "bea"),
    (
        "eltoro",
        "one-day",
        EL_TORO,
        "Day 1, bea: a player’s score for a day must be at least 0 points",
    ),
    (
        "indulto",
        "rulebook",
        {"leads": [0, 0, 0]},
        "Every player must lead at least one matador. Players without a matador: bea.",
    ),
    ("indulto", "rulebook", {"leads": [0, 1, 2]}, "Choose who leads each matador: ana or bea."),
]


@pytest.mark.parametrize(("game", "profile", "sheet", "sentence"), SHEETS)
def test_rejected_scoresheet_names_the_players(
    game: str, profile: str, sheet: Any, sentence: str
) -> None:
    ana, bea = account("ana"), account("bea")
    match = open_match(by=ana, at=NOW, players=[ana, bea], game=game, profile=profile)
    if game == "indulto":
        sheet = {**sheet, "deck": small_circuit().circuit.deck.digest}
    with pytest.raises(SheetRefused) as refused:
        hand_in(match=match, version=match.version, content=sheet, by=ana, at=NOW)
    said = [str(one.sentence) for one in refused.value.judgement.objections]
    assert any(sentence in one for one in said), said
    assert not any("seat" in one for one in said), said
    # The list of stored results that would be rejected today has the same messages.
    match.sheet = match.sheets.create(
        number=1, content=sheet, points=[0, 0], places=[1, 1], evidence="sheet", at=NOW
    )
    match.save()
    ((_match, reasons),) = review_matches(Match.objects.filter(pk=match.pk))
    assert [one for one in said if one in reasons] == said


def test_seats_without_a_known_player_are_numbered() -> None:
    assert seat_names(3, ["Ana", ""]) == ["Ana", "seat 2", "seat 3"]
    judged = games["eltoro"].referee.judge(rules={"days": 1}, seats=2, sheet=EL_TORO)
    assert judged.objections[0].sentence.startswith("Day 1, seat 2: ")
