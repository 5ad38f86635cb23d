"""A matador's form: one letter for each of his last ten bulls; recent bulls weigh most."""

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
def test_form_letter_of_each_result(
    ending: Ending, trophy: Trophy | None, crowd: Crowd | None, letter: str
) -> None:
    assert outcome(ending, trophy, crowd) == letter


def test_lidia_without_a_verdict_has_no_form_letter() -> None:
    with pytest.raises(FormError, match="verdict"):
        outcome(Ending.KILLED, Trophy.NONE, None)


def test_form_drops_the_oldest_of_eleven_letters() -> None:
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
def test_value_of_a_form(form: str, worth: int) -> None:
    assert value(form) == worth


@given(FORMS, st.sampled_from(OUTCOMES))
def test_better_result_never_lowers_the_form(form: str, letter: str) -> None:
    better = OUTCOMES[OUTCOMES.index(letter) :]
    values = [value(push(form, other)) for other in better]
    assert values == sorted(values)
    assert all(-100 <= worth <= 100 for worth in values)


@given(FORMS)
def test_form_letters_are_ordered_from_worst_to_best(form: str) -> None:
    assert list(worths(OUTCOMES)) == sorted(worths(OUTCOMES))
    assert worths(form) == tuple(worths(OUTCOMES)[OUTCOMES.index(letter)] for letter in form)


def test_invalid_form_letters_are_rejected() -> None:
    with pytest.raises(FormError, match="'Z' is no outcome"):
        push("SS", "Z")
    with pytest.raises(FormError, match="'12' is no outcome"):
        push("SS", "12")
    with pytest.raises(FormError, match="'z' is no outcome"):
        value("SzS")
    with pytest.raises(FormError, match="more than 10"):
        value("S" * 11)
