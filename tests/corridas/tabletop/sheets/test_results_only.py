"""Lidias of which only the result was written down: required and impossible figures."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Crowd, Deck, Ending, Trophy
from corridas.tabletop.sheets import Evidence, State
from tests.corridas.tabletop.sheets.afternoon import DECK
from tests.corridas.tabletop.sheets.paper import Sheet, hurting_in, read, refused

WRONG, MISSING = State.CONTRADICTED, State.MISSING
KILLED: Sheet = {"ending": "killed", "avisos": 0, "modified": 50}
SPARED: Sheet = {"ending": "spared", "modified": 50}
STOPPED: Sheet = {"ending": "three_avisos"}
BROKEN: Sheet = {"ending": "broken_off", "injured": [0, 1, 2], "finished": None}

CASES: list[Any] = [
    # Each case: the result; path of the finding (None: accepted); its state; its ruling.
    (KILLED, None, None, ""),
    (SPARED, None, None, ""),
    (STOPPED, None, None, ""),
    (BROKEN, None, None, ""),
    ({**KILLED, "ending": None}, "ending", MISSING, "I-10"),
    ({**KILLED, "ending": "retired"}, "ending", WRONG, "I-16"),
    ({**KILLED, "ending": 1}, "ending", WRONG, "I-16"),
    ({**KILLED, "ending": ["killed"]}, "ending", WRONG, "I-16"),
    ({**BROKEN, "injured": [0, 1]}, "ending", WRONG, "I-16"),
    ({**BROKEN, "injured": [0, 1], "finished": 2}, "ending", WRONG, "I-16"),
    ({**KILLED, "injured": [0, 1, 2]}, "ending", WRONG, "I-16"),
    # Warnings: none to two with a kill, three if they ended it, otherwise none (Ruling I-10).
    ({**KILLED, "avisos": 2}, None, None, ""),
    ({**KILLED, "avisos": 3}, "avisos", WRONG, "I-10"),
    ({**KILLED, "avisos": -1}, "avisos", WRONG, "I-10"),
    ({**KILLED, "avisos": None}, "avisos", MISSING, "I-18"),
    ({**STOPPED, "avisos": 3}, None, None, ""),
    ({**STOPPED, "avisos": 2}, "avisos", WRONG, "I-10"),
    ({**SPARED, "avisos": 0}, None, None, ""),
    ({**SPARED, "avisos": 1}, "avisos", WRONG, "I-10"),
    ({**BROKEN, "avisos": 1}, "avisos", WRONG, "I-10"),
    # The number on the card: 1 to 100 (Ruling I-13), or none if there was no verdict.
    ({**KILLED, "modified": 1}, None, None, ""),
    ({**KILLED, "modified": 100}, None, None, ""),
    ({**KILLED, "modified": 0}, "modified", WRONG, "I-13"),
    ({**KILLED, "modified": 101}, "modified", WRONG, "I-13"),
    ({**KILLED, "modified": None}, "modified", MISSING, "I-13"),
    ({**SPARED, "modified": None}, "modified", MISSING, "I-13"),
    ({**STOPPED, "modified": 50}, "modified", WRONG, "I-10"),
    ({**BROKEN, "modified": 50}, "modified", WRONG, "I-10"),
    # Points, if they are known.
    ({**KILLED, "totals": [49, 5], "kill": 0}, None, None, ""),
    ({**KILLED, "totals": [100_000, 0]}, "totals/0", WRONG, "I-5"),
    ({**KILLED, "totals": [0, -100_000]}, "totals/1", WRONG, "I-5"),
    ({**KILLED, "totals": [99_999, 0]}, "totals/0", WRONG, "I-4"),
    ({**KILLED, "totals": [0, -99_999]}, "totals/1", WRONG, "I-4"),
    ({**KILLED, "totals": [None, "2"]}, "totals/1", WRONG, "I-5"),
    ({**KILLED, "kill": 0}, None, None, ""),
    ({**KILLED, "kill": 1}, "kill", WRONG, "I-5"),
    ({**KILLED, "kill": -999}, "kill", WRONG, "I-10"),
    ({**KILLED, "kill": -100_000}, "kill", WRONG, "I-5"),
    ({**SPARED, "kill": 0}, None, None, ""),
    ({**SPARED, "kill": -5}, "kill", WRONG, "I-9"),
    ({**BROKEN, "kill": -5}, "kill", WRONG, "I-9"),
    # The number drawn and the score must be able to make the modified number (Rulings I-11 to
    # I-13): drawn from 1 to 100, in a first-category plaza.
    ({**KILLED, "totals": [50, 5], "modified": 51, "kill": 0}, None, None, ""),
    ({**KILLED, "totals": [50, 5], "modified": 50, "kill": 0}, "modified", WRONG, "I-13"),
    ({**KILLED, "totals": [-40, 5], "modified": 60, "kill": 0}, None, None, ""),
    ({**KILLED, "totals": [-40, 5], "modified": 61, "kill": 0}, "modified", WRONG, "I-13"),
    ({**KILLED, "totals": [-150, 5], "modified": 1, "kill": 0}, None, None, ""),
    ({**KILLED, "avisos": 2, "totals": [0, 5], "modified": 82, "kill": 0}, None, None, ""),
    (
        *({**KILLED, "avisos": 2, "totals": [0, 5], "modified": 83, "kill": 0}, "modified"),
        *(WRONG, "I-13"),
    ),
    # A bull can be spared only with more than 0 points (Ruling I-9).
    ({**SPARED, "totals": [0, 1]}, None, None, ""),
    ({**SPARED, "totals": [0, 0]}, "ending", WRONG, "I-9"),
    ({**SPARED, "totals": [0, -4]}, "ending", WRONG, "I-9"),
    # Figures that follow from the number.
    ({**KILLED, "trophy": 0, "vuelta": False, "crowd": 5}, None, None, ""),
    ({**KILLED, "trophy": 1}, "trophy", WRONG, "I-13"),
    ({**KILLED, "vuelta": True}, "vuelta", WRONG, "I-13"),
    ({**KILLED, "crowd": 4}, "crowd", WRONG, "I-13"),
    ({**STOPPED, "crowd": 1, "trophy": 0, "vuelta": False}, None, None, ""),
    ({**STOPPED, "crowd": 2}, "crowd", WRONG, "I-13"),
    ({**STOPPED, "vuelta": True}, "vuelta", WRONG, "I-13"),
    ({**BROKEN, "trophy": 0}, "trophy", WRONG, "I-13"),
    # people as on any sheet
    ({**KILLED, "began": 1}, "began", WRONG, "I-16"),
    ({**KILLED, "injured": [1]}, "injured/0", WRONG, "I-16"),
    ({**KILLED, "finished": 1}, "finished", WRONG, "I-16"),
]


@pytest.mark.parametrize(("score", "path", "state", "ruling"), CASES)
def test_results_are_accepted_or_reported_with_a_ruling(
    score: Sheet, path: str | None, state: State | None, ruling: str
) -> None:
    deck = deck_for(score)
    reading = read({"score": score}, deck=deck, indulto="40-49", aviso="40-49")
    assert refused(reading) == ({} if path is None else {path: (state, ruling)})
    assert (reading.lidias[0].result is not None) == (path is None)
    assert reading.evidence is Evidence.SCORE


def test_bull_is_not_spared_with_an_empty_indulto_range() -> None:
    """Check Ruling I-9."""
    assert refused(read({"score": SPARED})) == {"ending": (WRONG, "I-9")}


def test_bull_with_points_is_not_killed_if_every_number_spares() -> None:
    """Check Ruling I-9."""
    every = "1-100"
    assert refused(read({"score": {**KILLED, "totals": [30, 2]}}, indulto=every)) == {
        "ending": (WRONG, "I-9")
    }
    assert not refused(read({"score": {**KILLED, "totals": [30, 0]}}, indulto=every))
    assert not refused(read({"score": KILLED}, indulto=every))
    assert not refused(read({"score": {**SPARED, "totals": [30, 2]}}, indulto=every))


@pytest.mark.parametrize(
    ("aviso", "avisos", "fits"),
    [("-", 0, True), ("-", 1, False), ("1-100", 0, False), ("1-100", 2, False), ("1-100", 3, True)],
)
def test_number_of_warnings_must_be_possible_with_the_aviso_range(
    aviso: str, avisos: int, fits: bool
) -> None:
    """Check Ruling I-10."""
    score = STOPPED if avisos == 3 else {**KILLED, "avisos": avisos}
    found = refused(read({"score": score}, aviso=aviso))
    assert found == ({} if fits else {"avisos": (WRONG, "I-10")})


def test_indulto_uses_the_range_of_the_finisher() -> None:
    assert not refused(read({"score": {**SPARED, "injured": [0, 1]}}, indulto="1"))


def deck_for(score: Sheet) -> Deck:
    """Return a deck that can injure three matadors if the result says so, else the shipped one,
    which cannot.
    """
    return hurting_in("second", "third") if score.get("injured") == [0, 1, 2] else DECK


RESULTS: list[Any] = [
    # Each case: the result; ending; avisos; number; trophy; vuelta; verdict of the crowd.
    (KILLED, Ending.KILLED, 0, 50, Trophy.NONE, False, Crowd.APLAUSOS),
    ({**KILLED, "avisos": 2, "modified": 96}, Ending.KILLED, 2, 96, Trophy.RABO, False, None),
    ({**SPARED, "modified": 61}, Ending.SPARED, 0, 61, Trophy.OREJA, True, None),
    (STOPPED, Ending.THREE_AVISOS, 3, None, Trophy.NONE, False, Crowd.BRONCA),
    (BROKEN, Ending.BROKEN_OFF, 0, None, None, None, None),
]


@pytest.mark.parametrize(
    ("score", "ending", "avisos", "number", "trophy", "vuelta", "crowd"), RESULTS
)
def test_result_gives_trophy_vuelta_and_verdict(
    score: Sheet,
    ending: Ending,
    avisos: int,
    number: int | None,
    trophy: Trophy | None,
    vuelta: bool | None,
    crowd: Crowd | None,
) -> None:
    kill = -7 if ending in {Ending.KILLED, Ending.THREE_AVISOS} else 0
    written = {**score, "totals": [42, 5], "kill": kill}
    deck = deck_for(score)
    result = read({"score": written}, deck=deck, indulto="40-49", aviso="40-49").lidias[0].result
    assert result is not None
    assert (result.ending, result.avisos, result.number) == (ending, avisos, number)
    assert (result.trophy, result.vuelta, result.crowd) == (trophy, vuelta, crowd)
    assert (result.matador_points, result.bull_points, result.kill_points) == (42, 5, kill)
    assert result.score is None
    bare = read({"score": score}, deck=deck, indulto="40-49", aviso="40-49").lidias[0].result
    assert bare is not None
    assert (bare.matador_points, bare.bull_points, bare.kill_points) == (0, 0, 0)


def test_figures_without_evidence_are_marked_as_on_trust() -> None:
    found = read({"score": KILLED}).lidias[0].lines
    trusted = [line.path.rsplit("/")[-1] for line in found if line.state is State.ON_TRUST]
    assert trusted == ["ending", "avisos", "modified"]
