"""Form: a letter a bull, ten of them, the newest counting most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.engine import Crowd, Ending, Trophy
from corridas.world.form import LENGTH, OUTCOMES, FormError, outcome, push, value, worths

FORMS = st.text(OUTCOMES, max_size=LENGTH)


@pytest.mark.parametrize(
    ("ending", "trophy", "crowd", "letter"),
    [
        (Ending.THREE_AVISOS, Trophy.NONE, Crowd.BRONCA, "X"),
        (Ending.KILLED, Trophy.NONE, Crowd.BRONCA, "B"),
        (Ending.KILLED, Trophy.NONE, Crowd.PITOS, "P"),
        (Ending.KILLED, Trophy.NONE, Crowd.SILENCIO, "S"),
        (Ending.KILLED, Trophy.NONE, Crowd.DIVISION, "D"),
        (Ending.KILLED, Trophy.NONE, Crowd.APLAUSOS, "A"),
        (Ending.KILLED, Trophy.NONE, Crowd.OVACION, "O"),
        (Ending.KILLED, Trophy.OREJA, None, "1"),
        (Ending.KILLED, Trophy.DOS_OREJAS, None, "2"),
        (Ending.KILLED, Trophy.RABO, None, "R"),
        (Ending.SPARED, Trophy.NONE, Crowd.SILENCIO, "I"),
        (Ending.SPARED, Trophy.DOS_OREJAS, None, "I"),
        (Ending.SPARED, Trophy.RABO, None, "R"),
        (Ending.BROKEN_OFF, None, None, ""),
    ],
)
def test_letters(ending: Ending, trophy: Trophy | None, crowd: Crowd | None, letter: str) -> None:
    assert outcome(ending, trophy, crowd) == letter


def test_a_lidia_without_any_verdict_has_no_letter() -> None:
    with pytest.raises(FormError, match="verdict"):
        outcome(Ending.KILLED, Trophy.NONE, None)


def test_the_eleventh_bull_pushes_the_first_out() -> None:
    assert push("", "O") == "O"
    assert push("XBPSDAO12I", "R") == "BPSDAO12IR"
    assert push("SSS", "") == "SSS"


@pytest.mark.parametrize(
    ("form", "worth"),
    [
        ("", 0),
        ("DDDDDDDDDD", 0),
        ("RRRRRRRRRR", 100),
        ("XXXXXXXXXX", -100),
        ("1", 9),
        ("B", -13),
        ("1S", 3),
        ("S1", 5),
    ],
)
def test_values(form: str, worth: int) -> None:
    assert value(form) == worth


@given(FORMS, st.sampled_from(OUTCOMES))
def test_a_better_bull_never_makes_a_worse_form(form: str, letter: str) -> None:
    better = OUTCOMES[OUTCOMES.index(letter) :]
    values = [value(push(form, other)) for other in better]
    assert values == sorted(values)
    assert all(-100 <= worth <= 100 for worth in values)


@given(FORMS)
def test_outcomes_rise_from_worst_to_best(form: str) -> None:
    assert list(worths(OUTCOMES)) == sorted(worths(OUTCOMES))
    assert worths(form) == tuple(worths(OUTCOMES)[OUTCOMES.index(letter)] for letter in form)


def test_nonsense_is_refused() -> None:
    with pytest.raises(FormError, match="'Z' is no outcome"):
        push("SS", "Z")
    with pytest.raises(FormError, match="'12' is no outcome"):
        push("SS", "12")
    with pytest.raises(FormError, match="'z' is no outcome"):
        value("SzS")
    with pytest.raises(FormError, match="more than 10"):
        value("S" * 11)
