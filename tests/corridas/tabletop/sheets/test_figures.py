"""Each figure of a score sheet at its limit: the last possible value and the first impossible
one.
"""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Crowd, Ending, Rules, Trophy
from corridas.tabletop.sheets import State, judge
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL
from tests.corridas.tabletop.sheets.paper import (
    NAMES,
    Sheet,
    deck_of,
    figures,
    frame,
    hurting_in,
    lines,
    read,
    refused,
    tercio,
)

WRONG, MISSING = State.CONTRADICTED, State.MISSING
AGREED, DERIVED, ON_TRUST = State.AGREED, State.DERIVED, State.ON_TRUST
ONE_DECK = Rules(shuffle="when_exhausted")

# In the first tercio of the shipped deck, 9 cards score for and 6 against the matador, and 4 and 3
# for and against the bull with their own BULL entry. In the third tercio 24 cards score for each
# sign of the matador, and 12 of the bull. Seven cards have each digit.
POINTS: list[Any] = [
    # Each case: the points; the path of the finding (None: accepted); its ruling. Nine marks can
    # score. One of the nine scoring cards is itself a 9, so the points are six nines and three
    # eights.
    (tercio(1, 78), None, ""),
    (tercio(1, 79), "tercios/0", "I-4"),
    (tercio(1, 80), "tercios/0/0", "I-4"),
    (tercio(1, -54), None, ""),
    (tercio(1, -55), "tercios/0/0", "I-4"),
    (tercio(1, 0, -27), None, ""),
    (tercio(1, 0, -28), "tercios/0/1", "I-4"),
    (tercio(3, 90), None, ""),  # ten nines after a reshuffle
    (tercio(3, 91), "tercios/2/0", "I-4"),
    (tercio(3, -90), None, ""),
    (tercio(3, -91), "tercios/2/0", "I-4"),
    (tercio(3, 0, -54), None, ""),
    (tercio(3, 0, -55), "tercios/2/1", "I-4"),
    # Both sides share ten marks.
    (tercio(1, 78, -8), None, ""),
    # Without the nine of the bull, ten cards could give these 87 points.
    (tercio(1, 78, -9), "tercios/0", "I-4"),
    (tercio(1, 79, -9), "tercios/0", "I-4"),
    (tercio(1, 71, -10), None, ""),  # eight marks and two
    (tercio(1, 72, -10), "tercios/0", "I-4"),  # nine marks and two
    (tercio(1, -54, -25), None, ""),
    (tercio(1, -54, -26), "tercios/0", "I-4"),  # 80: their nine cards bring 79
    (tercio(3, 81, -9), None, ""),
    (tercio(3, 82, -8), "tercios/2", "I-4"),  # ten marks and one
    # entries
    (tercio(1, [9, -9]), None, ""),
    (tercio(1, [10]), "tercios/0/0", "I-5"),
    (tercio(1, [-10]), "tercios/0/0", "I-5"),
    (tercio(1, [True]), "tercios/0/0", "I-5"),
    (tercio(1, True), "tercios/0/0", "I-5"),
    (tercio(1, "3"), "tercios/0/0", "I-5"),
    (tercio(1, {"entries": 3}), "tercios/0/0", "I-5"),
    (tercio(1, {"sum": 3}), "tercios/0/0", "I-5"),
    (tercio(1, {"entries": [3, -2]}), None, ""),
    (tercio(1, {"entries": [3, -2], "sum": 1}), None, ""),
    (tercio(1, {"entries": [3, -2], "sum": 2}), "tercios/0/0", "I-5"),
    (tercio(1, {"entries": [], "sum": 0}), None, ""),
    (tercio(1, [1] * 4 + [2] * 5), None, ""),
    (tercio(1, [1] * 5 + [2] * 5), "tercios/0/0", "I-5"),  # nine cards score for him
    (tercio(1, [-1] * 6), None, ""),
    (tercio(1, [-1] * 7), "tercios/0/0", "I-5"),
    (tercio(1, 0, [-1] * 3), None, ""),
    (tercio(1, 0, [-1] * 4), "tercios/0/1", "I-5"),
    (tercio(1, 0, [0] * 5), None, ""),
    # Two of the seven cards that score for the bull have the digit 0, so only five can give points
    # above 0.
    (tercio(1, 0, [0] * 7), "tercios/0", "I-4"),
    (tercio(1, 0, [0] * 7 + [-1]), "tercios/0/1", "I-5"),
    (tercio(1, [1] * 4 + [2] * 3, [-3] * 3), None, ""),
    (tercio(1, [1] * 4 + [2] * 4, [-3] * 3), "tercios/0", "I-4"),  # eleven marks
    (tercio(1, [5] * 7), None, ""),
    (tercio(1, [5] * 8), "tercios/0", "I-1"),  # an eighth five
    (tercio(1, [5] * 7, [-5]), "tercios/0", "I-1"),  # on whichever side
    (tercio(1, [5] * 4 + [-5] * 4), "tercios/0", "I-1"),  # whatever its sign
    (tercio(3, [5] * 10), None, ""),
    # nothing written
    (tercio(2, None), "tercios/1/0", "I-18"),
    (tercio(2, 0, None), "tercios/1/1", "I-18"),
    ([[0, 0], [0, 0]], "tercios/2/0", "I-18"),
    ([[0, 0], [0], [0, 0]], "tercios/1/1", "I-18"),
    (None, "tercios/0/0", "I-18"),
]


@pytest.mark.parametrize(("points", "path", "ruling"), POINTS)
def test_points_of_a_tercio_are_accepted_up_to_their_limit(
    points: Any, path: str | None, ruling: str
) -> None:
    reading = read({"sheet": figures(tercios=points)})
    found = refused(reading)
    assert next(iter(found), None) == path
    if path is not None:
        assert found[path] == (MISSING if ruling == "I-18" else WRONG, ruling)
        assert reading.lidias[0].result is None


def test_positive_points_of_the_bull_are_limited_by_the_cards() -> None:
    """If the bull's total is above 0, the sheet needs a number for the indulto (Ruling I-9)."""
    most = figures(tercios=tercio(1, 0, 36), indulto=50)
    assert not refused(read({"sheet": most}))
    more = figures(tercios=tercio(1, 0, 37), indulto=50)
    assert refused(read({"sheet": more})) == {"tercios/0/1": (WRONG, "I-4")}
    four = figures(tercios=tercio(1, 0, [1] * 4), indulto=50)
    assert not refused(read({"sheet": four}))
    five = figures(tercios=tercio(1, 0, [1] * 5), indulto=50)
    assert refused(read({"sheet": five})) == {"tercios/0/1": (WRONG, "I-5")}


def test_shared_deck_may_be_reshuffled_in_the_first_tercio() -> None:
    """After a reshuffle a digit can come fourteen times, so nine nines are possible (I-3)."""
    for points in (tercio(1, [5] * 8), tercio(1, 90)):
        assert refused(read({"sheet": figures(tercios=points)}))
        # This does not apply to the first bull, which begins with a full deck.
        assert refused(read({"sheet": figures(tercios=points)}, rules=ONE_DECK))
        second = read({"sheet": figures()}, {"sheet": figures(tercios=points)}, rules=ONE_DECK)
        assert not refused(second, 1)
    more = {"sheet": figures(tercios=tercio(1, 91))}
    assert refused(read({"sheet": figures()}, more, rules=ONE_DECK), 1)


MARKS: list[Any] = [
    # Each case: marks; points of the second tercio; path of the finding; its ruling.
    ([10, 2, 10], (18, 0), None, ""),  # two marks, two nines
    ([10, 2, 10], (19, 0), "tercios/1/0", "I-4"),
    ([10, 3, 10], (19, 0), None, ""),
    # Both marks are CLAVAR cards, so the bull cannot score.
    ([10, 2, 10], (0, -1), "tercios/1", "I-4"),
    ([10, 3, 10], (0, -1), None, ""),
    ([10, 3, 10], (9, -9), None, ""),
    ([10, 3, 10], (9, -10), "tercios/1", "I-4"),
    ([10, 4, 10], (9, -10), None, ""),
    # One CLAVAR card scores against the matador.
    ([10, 2, 10], (-9, 0), None, ""),
    ([10, 2, 10], (-10, 0), "tercios/1", "I-4"),
    ([10, 3, 10], (-10, 0), None, ""),
    ([10, 2, 10], (-19, 0), "tercios/1/0", "I-4"),
    ([10, 2, 10], ([1, 1], 0), None, ""),
    ([10, 2, 10], ([1, -1, 1], 0), "tercios/1", "I-4"),
    ([9, 2, 10], (0, 0), "marks/0", "I-4"),
    ([11, 2, 10], (0, 0), "marks/0", "I-4"),
    ([10, 2, 9], (0, 0), "marks/2", "I-4"),
    ([10, 2, 11], (0, 0), "marks/2", "I-4"),
    ([10, 1, 10], (0, 0), "marks/1", "I-8"),
    ([10, True, 10], (0, 0), "marks/1", "I-8"),
    # Twenty cards are CLAVARs. At most sixteen of them can be drawn for points within one deck.
    ([10, 9999, 10], (0, 0), "marks/1", "I-8"),
    ([10, 10000, 10], (0, 0), "marks/1", "I-8"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("marks", "second", "path", "ruling"), MARKS)
def test_number_of_hash_marks_is_checked(
    marks: list[int], second: Any, path: str | None, ruling: str
) -> None:
    """The first and the third tercio have ten marks, the second has at least two (Rulings I-4,
    I-8).
    """
    found = refused(read({"sheet": figures(marks=marks, tercios=tercio(2, *second))}))
    assert found == ({} if path is None else {path: (WRONG, ruling)})


NO_ENTRIES: list[Any] = [[[], []]] * 3


def test_second_tercio_without_points_has_at_most_36_marks() -> None:
    """Thirty-four cards score nothing there and are not CLAVARs, and two CLAVARs end the tercio.

    More marks need a reshuffle, and so seventy cards before it. The marks of the first tercio take
    twenty cards at most, and marks without points take one each. If entries may add up to 0, marks
    take more cards.
    """
    longest = figures(tercios=NO_ENTRIES, marks=[10, 36, 10])
    assert not refused(read({"sheet": longest}))
    longer = figures(tercios=NO_ENTRIES, marks=[10, 37, 10])
    assert refused(read({"sheet": longer})) == {"tercios/1": (WRONG, "I-4")}
    assert not refused(read({"sheet": figures(marks=[10, 37, 10])}))


def test_lidia_broken_off_may_have_fewer_marks() -> None:
    broken = figures(marks=[3, 0, 0], injured=[0, 1, 2], kill=None, number=None, avisos=None)
    deck = hurting_in("first")
    assert not refused(read({"sheet": broken}, deck=deck))
    # The rest of the score sheet must be empty (Ruling I-16).
    for path, value in (("kill", [0]), ("number", 0), ("indulto", 50), ("avisos", 1)):
        found = refused(read({"sheet": {**broken, path: value}}, deck=deck))
        assert found == {path: (WRONG, "I-16")}
    for path, nothing in (("kill", []), ("avisos", 0)):
        assert not refused(read({"sheet": {**broken, path: nothing}}, deck=deck))


UNTIL_THE_END: list[Any] = [
    ([3, 0, 0], set()),
    ([10, 0, 0], set()),
    ([10, 7, 0], set()),
    ([10, 2, 9], set()),
    ([9, 1, 0], {"marks/0"}),
    ([10, 1, 1], {"marks/1"}),
    ([3, 2, 1], {"marks/0"}),
    ([11, 0, 0], {"marks/0"}),
    ([10, 2, 11], {"marks/2"}),
    ([99, -5, "x"], {"marks/0", "marks/1", "marks/2"}),
    ([True, 0, 0], {"marks/0"}),
    ([10, 5], {"marks/2"}),
    ("none", {"marks/0", "marks/1", "marks/2"}),
]


@pytest.mark.parametrize(("marks", "wrong"), UNTIL_THE_END)
def test_marks_of_a_lidia_broken_off_are_full_then_partial_then_none(
    marks: Any, wrong: set[str]
) -> None:
    """A lidia broken off has full tercios, then a partial one, then empty ones (Rulings I-4,
    I-8, I-16).
    """
    broken = figures(marks=marks, injured=[0, 1, 2], kill=None, number=None, avisos=None)
    deck = hurting_in("first", "second", "third")
    found = refused(read({"sheet": broken}, deck=deck))
    assert found == dict.fromkeys(wrong, (WRONG, "I-4"))


BROKEN: list[Any] = [
    # Each case: tercios in which matadors can be injured; marks; the tercio with a point; path of
    # the finding; its ruling.
    (["first"], None, 1, None, ""),
    (["first"], None, 2, "tercios/1", "I-16"),
    (["first"], None, 3, "tercios/2", "I-16"),
    (["second"], None, 2, None, ""),
    (["second"], None, 3, "tercios/2", "I-16"),
    (["first", "third"], None, 3, None, ""),
    (["first", "third"], [4, 0, 0], 1, None, ""),
    (["first", "third"], [4, 0, 0], 2, "tercios/1/0", "I-4"),
    (["first", "third"], [10, 4, 0], 1, "marks/1", "I-16"),  # a third tercio has a mark
    (["first"], [10, 4, 0], 1, "marks/1", "I-16"),  # nobody is hurt there
    (["first", "third"], [10, 4, 1], 3, "tercios/2", "I-4"),  # that mark injured
    (["first", "third"], [10, 4, 2], 3, None, ""),
    (["second"], [10, 0, 0], 1, "marks/0", "I-16"),
    (["second"], [10, 3, 0], 1, None, ""),
    (["second"], [10, 2, 0], 1, "injured", "I-7"),  # three are hurt
    (["second"], [9, 0, 0], 1, "marks/0", "I-16"),
    (["third"], [10, 2, 0], 1, "marks/1", "I-16"),
    (["third"], [0, 0, 0], 1, "tercios/0/0", "I-4"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("hurting", "marks", "scoring", "path", "ruling"), BROKEN)
def test_lidia_broken_off_has_no_points_after_the_last_injury(
    hurting: list[str], marks: list[int] | None, scoring: int, path: str | None, ruling: str
) -> None:
    deck = hurting_in(*hurting)
    points = [[0, 0], [0, 0], [0, 0]]
    points[scoring - 1] = [3, 0]
    broken = figures(
        tercios=points, injured=[0, 1, 2], kill=None, number=None, avisos=None, marks=marks
    )
    found = refused(read({"sheet": broken}, deck=deck))
    assert found == ({} if path is None else {path: (WRONG, ruling)})


# In the shipped deck, -11 is on cards of the digits 1 and 6, -1 on 1 and 3, -8 on 0 and 7.
KILLS: list[Any] = [
    # Each case: AVISO range; kill; avisos; path of the finding; its ruling.
    ("-", [0] * 5, 0, None, ""),
    ("-", [0] * 4, 0, "kill", "I-10"),
    ("-", [0] * 6, 0, "kill", "I-10"),
    ("-", [], 0, "kill", "I-10"),
    ("-", None, 0, "kill", "I-10"),
    ("-", 0, 0, "kill", "I-10"),
    ("-", [0, 0, 0, 0, 1], 0, "kill/4", "I-1"),
    ("-", [-2, 0, 0, 0, 0], 0, "kill/0", "I-1"),
    ("-", [0, None, 0, 0, 0], 0, "kill/1", "I-1"),
    ("-", [0, False, 0, 0, 0], 0, "kill/1", "I-1"),
    ("-", [-11] * 4 + [0], 0, None, ""),  # on two cards, and two decks may meet in a kill
    ("-", [-11] * 5, 0, "kill/4", "I-1"),
    ("-", [0] * 5, None, "avisos", "I-18"),
    ("-", [0] * 5, -1, "avisos", "I-10"),
    ("-", [0] * 5, 4, "avisos", "I-10"),
    ("-", [0] * 5, 1, "avisos", "I-10"),  # an empty range gives no warning
    ("10-39", [-8] * 4 + [-1], 0, "avisos", "I-10"),  # the cards 1 and 3 have -1: both warn
    ("10-39", [-8] * 4 + [-1], 1, None, ""),
    ("10-39", [-8] * 4 + [-1], 2, "avisos", "I-10"),
    ("10-19", [-8] * 4 + [-1], 0, None, ""),  # it may be the card of the 3
    ("10-19", [-8] * 4 + [-1], 1, None, ""),
    ("10-39", [-1, -1, -8, -8, -8], 1, "avisos", "I-10"),
    ("10-39", [-1, -1, -8, -8, -8], 2, None, ""),
    ("10-39", [-1, -1, -1, -8, -8], 2, "avisos", "I-10"),
    # The third warning comes with the last stroke.
    ("10-39", [-1, -1], 3, "kill", "I-10"),
    ("10-39", [-1, -1, -1], 3, None, ""),
    ("10-39", [-8, -1, -1, -1], 3, None, ""),
    ("10-39", [-8, -1, -1, -8, -1], 3, None, ""),
    ("10-39", [-8, -1, -1, -8, -1, -1], 3, "kill", "I-10"),
    ("10-39", [-1, -1, -8], 3, "avisos", "I-10"),
    ("10-39", [-1, -1, -1, -1], 3, "avisos", "I-10"),  # the third came before the last
    ("10-39", [-1, -8, -8, -1], 3, "avisos", "I-10"),
    ("10-39", [-1, -1, -1, -8, -8], 3, "avisos", "I-10"),
    # The kill card gives the tens; 00 is 100 (Ruling I-2).
    ("100", [-8, 0, 0, 0, 0], 1, None, ""),
    ("100", [-11] * 4 + [-1], 1, "avisos", "I-10"),
    ("1", [-8, -11, -11, -11, -11], 1, None, ""),
    ("9", [-8, -11, -11, -11, -11], 1, None, ""),
    ("10", [-11, -8, -8, -8, -8], 1, None, ""),
    ("9", [-11, -1, -1, -1, -1], 1, "avisos", "I-10"),
    ("10", [-8] * 4 + [-10], 1, "avisos", "I-10"),
    ("69", [-11, -8, -8, -8, -8], 1, None, ""),
    ("70", [-11] * 4 + [-1], 1, "avisos", "I-10"),
]


@pytest.mark.parametrize(("aviso", "kill", "avisos", "path", "ruling"), KILLS)
def test_strokes_and_warnings_of_a_kill_are_checked(
    aviso: str, kill: Any, avisos: Any, path: str | None, ruling: str
) -> None:
    """A kill has five strokes, or ends with the third warning if the AVISO range allows three
    (I-10).
    """
    number = None if avisos == 3 else 50
    found = refused(read({"sheet": figures(kill=kill, avisos=avisos, number=number)}, aviso=aviso))
    assert next(iter(found), None) == path
    if path is not None:
        missing = avisos is None or kill in (None, [])
        assert found[path] == (MISSING if missing else WRONG, ruling)


def test_warnings_use_the_aviso_range_of_the_finisher() -> None:
    reading = read({"sheet": figures(kill=[-1, -8, -8, -8, -8], avisos=1)}, aviso="10-39")
    assert not refused(reading)
    both = read({"sheet": figures(injured=[0])}, aviso="10-39")
    assert lines(both)["finished"].derived == NAMES[1]


def test_sheet_with_a_third_warning_has_no_final_number() -> None:
    """There is no final score and no number.

    The modifier of the third warning's stroke counts, but the third warning costs no nine points
    (Rulings I-10, I-18).
    """
    stopped = figures(kill=[-1, -8, -1, -1], avisos=3, number=None, tercios=tercio(1, 7))
    reading = read({"sheet": stopped}, aviso="10-39")
    result = reading.lidias[0].result
    assert result is not None
    assert (result.ending, result.kill_points, result.avisos) == (Ending.THREE_AVISOS, -11, 3)
    assert (result.score, result.number, result.matador_points) == (None, None, 7)
    assert (result.trophy, result.vuelta, result.crowd) == (Trophy.NONE, False, Crowd.BRONCA)
    assert lines(reading)["avisos_points"].derived == "-18"
    numbered = read({"sheet": {**stopped, "number": 50}}, aviso="10-39")
    assert refused(numbered) == {"number": (WRONG, "I-10")}


NUMBERS: list[Any] = [
    (0, 100, ""),  # 00
    (1, 1, ""),
    (100, 100, ""),
    (101, None, "I-2"),
    (-1, None, "I-2"),
    (True, None, "I-2"),
    ("50", None, "I-2"),
    (None, None, "I-13"),
]


@pytest.mark.parametrize(("written", "modified", "ruling"), NUMBERS)
def test_final_number_must_be_one_that_two_cards_make(
    written: Any, modified: int | None, ruling: str
) -> None:
    reading = read({"sheet": figures(number=written)})
    result = reading.lidias[0].result
    if modified is None:
        assert refused(reading) == {"number": (MISSING if written is None else WRONG, ruling)}
        assert result is None
    else:
        assert result is not None
        assert result.number == modified


INDULTOS: list[Any] = [
    # Each case: the bull's points; the indulto number; whether the bull is spared (None: rejected);
    # state of the finding; its ruling.
    (0, None, False, None, ""),
    (-1, None, False, None, ""),
    (0, 45, None, WRONG, "I-9"),
    (-1, 45, None, WRONG, "I-9"),
    (1, None, None, MISSING, "I-9"),
    (1, 101, None, WRONG, "I-2"),
    (1, 39, False, None, ""),
    (1, 40, True, None, ""),
    (1, 49, True, None, ""),
    (1, 50, False, None, ""),
]


@pytest.mark.parametrize(("bull", "written", "spared", "state", "ruling"), INDULTOS)
def test_indulto_number_is_required_and_decides(
    bull: int, written: Any, spared: bool | None, state: State | None, ruling: str
) -> None:
    """Two cards are drawn if the bull's total is above 0 (Ruling I-9).

    Here the numbers 40 to 49 spare the bull.
    """
    changed: Sheet = {"kill": None, "avisos": None} if spared else {}
    sheet = figures(tercios=tercio(1, 0, bull), indulto=written, **changed)
    reading = read({"sheet": sheet}, indulto="40-49")
    result = reading.lidias[0].result
    if spared is None:
        assert refused(reading)["indulto"] == (state, ruling)
        return
    assert result is not None
    assert (result.ending is Ending.SPARED) == spared
    assert result.number == 50


def test_indulto_number_100_may_be_written_as_0() -> None:
    spared = figures(tercios=tercio(1, 0, 1), indulto=0, kill=None, avisos=None)
    assert not refused(read({"sheet": spared}, indulto="100"))


@pytest.mark.parametrize(
    ("path", "value", "stands"),
    [("kill", [], True), ("avisos", 0, True), ("kill", [0] * 5, False), ("avisos", 1, False)],
)
def test_sheet_of_a_spared_bull_has_no_kill_and_no_warnings(
    path: str, value: Any, stands: bool
) -> None:
    sheet = figures(tercios=tercio(1, 0, 1), indulto=45, kill=None, avisos=None)
    found = refused(read({"sheet": {**sheet, path: value}}, indulto="45"))
    assert found == ({} if stands else {path: (WRONG, "I-9")})


# The matador has 12 points, the bull 5. The kill is -7, and there is one warning: 12 - 7 - 9 = -4.
FOUGHT = figures(
    tercios=[[5, 0], [4, 5], [3, 0]], kill=[-1, 0, 0, 0, -6], avisos=1, indulto=50, number=40
)
SUMS: list[Any] = [
    # Each case: how the bull's points count (Ruling I-11); plaza; final score; score; number read
    # on the card.
    ("separate", 1, -4, -4, 36),
    ("against", 1, -9, -9, 31),
    ("for", 1, 1, 1, 41),
    ("separate", 2, -4, -2, 38),
    ("separate", 3, -4, -1, 39),  # towards zero (Ruling I-12)
    ("against", 2, -9, -4, 36),
    ("against", 3, -9, -3, 37),
    ("for", 2, 1, 0, 40),
]


@pytest.mark.parametrize(("reading", "plaza", "final", "score", "modified"), SUMS)
def test_final_score_and_number_are_added_up_by_the_rules(
    reading: Any, plaza: int, final: int, score: int, modified: int
) -> None:
    rules = Rules(bull_points=reading)
    claims: dict[str, Any] = {
        "final": final,
        "score": score,
        "modified": modified,
        "totals": [12, 5],
    }
    found = read({"sheet": {**FOUGHT, **claims}}, rules=rules, rating=plaza, aviso="10-39")
    assert not refused(found)
    assert {lines(found)[path].state for path in claims} == {AGREED}
    result = found.lidias[0].result
    assert result is not None
    assert (result.matador_points, result.bull_points, result.kill_points) == (12, 5, -7)
    assert (result.score, result.number, result.avisos) == (score, modified, 1)
    for path, value in claims.items():
        off = [12, 6] if path == "totals" else value + 1
        again = read({"sheet": {**FOUGHT, path: off}}, rules=rules, rating=plaza, aviso="10-39")
        assert list(refused(again)) == [path]


@pytest.mark.parametrize(
    ("drawn", "points", "modified"),
    [(99, 1, 100), (100, 1, 100), (2, -1, 1), (1, -1, 1), (100, 0, 100)],
)
def test_final_number_is_limited_to_1_to_100(drawn: int, points: int, modified: int) -> None:
    """Check Ruling I-13."""
    result = read({"sheet": figures(tercios=tercio(1, points), number=drawn)}).lidias[0].result
    assert result is not None
    assert result.number == modified


OUTCOMES: list[Any] = [
    # Each case: number; trophy; vuelta; verdict of the crowd.
    (1, 0, False, 1),
    (10, 0, False, 1),
    (11, 0, False, 2),
    (50, 0, False, 5),
    (54, 0, False, 6),
    (55, 0, True, 6),
    (60, 0, True, 6),
    (61, 1, True, None),
    (70, 1, True, None),
    (71, 1, False, None),
    (80, 1, False, None),
    (81, 2, False, None),
    (95, 2, False, None),
    (96, 3, False, None),
    (100, 3, False, None),
]


@pytest.mark.parametrize(("number", "trophy", "vuelta", "crowd"), OUTCOMES)
def test_final_number_decides_trophy_vuelta_and_verdict(
    number: int, trophy: int, vuelta: bool, crowd: int | None
) -> None:
    """There may be a vuelta with or without a trophy, but a verdict only without one (Ruling
    I-13).
    """
    claims = {"trophy": trophy, "vuelta": vuelta, "crowd": crowd, "ending": "killed"}
    reading = read({"sheet": {**figures(number=number), **claims}})
    assert not refused(reading)
    off = {
        "trophy": (trophy + 1) % 4,
        "vuelta": not vuelta,
        "crowd": 1 if crowd is None else crowd % 6 + 1,
        "ending": "spared",
    }
    for path, value in off.items():
        found = refused(read({"sheet": {**figures(number=number), path: value}}))
        assert found == {path: (WRONG, "I-10" if path == "ending" else "I-13")}
    yes = refused(read({"sheet": {**figures(number=number), "vuelta": int(vuelta)}}))
    assert list(yes) == ["vuelta"]  # 1 is not yes


AVISOS_POINTS = [(0, 0), (1, -9), (2, -18)]


@pytest.mark.parametrize(("avisos", "points"), AVISOS_POINTS)
def test_first_and_second_warning_cost_nine_points_each(avisos: int, points: int) -> None:
    sheet = figures(kill=[-1] * avisos + [0] * (5 - avisos), avisos=avisos)
    assert not refused(read({"sheet": {**sheet, "avisos_points": points}}, aviso="10-39"))
    for off in (points - 9, points + 9):
        wrong = read({"sheet": {**sheet, "avisos_points": off}}, aviso="10-39")
        assert refused(wrong)["avisos_points"] == (WRONG, "I-10")


def test_figures_that_follow_are_shown_if_not_written() -> None:
    found = lines(read({"sheet": figures()}))
    derived = {path for path, line in found.items() if line.state is DERIVED}
    assert derived == {
        "began", "finished", "avisos_points", "totals", "final", "score", "modified", "trophy",
        "vuelta", "crowd", "ending",
    }  # fmt: skip
    trusted = {path for path, line in found.items() if line.state is ON_TRUST}
    assert trusted == {
        *(f"tercios/{n}/{side}" for n in range(3) for side in range(2)),
        *(f"kill/{n}" for n in range(5)), "avisos", "number",
    }  # fmt: skip
    assert (found["vuelta"].derived, found["crowd"].derived) == ("no", "aplausos")
    assert found["modified"].derived == "50"


# Who began, who was injured and who finished (Ruling I-16)
PEOPLE: list[Any] = [
    # Each case: turn; figures written; path of the finding; expected finisher.
    (0, {}, None, 0),
    (0, {"began": 0, "finished": 0}, None, 0),
    (0, {"began": 1}, "began", None),
    (0, {"began": False}, "began", None),
    (0, {"began": 3}, "began", None),
    (0, {"began": -1}, "began", None),
    (0, {"began": "0"}, "began", None),
    (1, {"began": 1, "finished": 1}, None, 1),
    (1, {"began": True}, "began", None),
    (1, {"began": 0}, "began", None),
    (1, {"finished": True}, "finished", None),
    (2, {"began": 2}, None, 2),
    (3, {"began": 0}, None, 0),
    (3, {"began": 3}, "began", None),
    (0, {"finished": 1}, "finished", None),
    (0, {"finished": None}, None, 0),
    (0, {"injured": None}, None, 0),
    (0, {"injured": 0}, "injured", None),
    (0, {"injured": "0"}, "injured", None),
    (0, {"injured": [0]}, None, 1),
    (0, {"injured": [0], "finished": 1}, None, 1),
    (0, {"injured": [0], "finished": 0}, "finished", None),
    (0, {"injured": [0], "finished": 2}, "finished", None),
    (0, {"injured": [1]}, "injured/0", None),
    (0, {"injured": [False]}, "injured/0", None),
    (0, {"injured": [0, 1]}, None, 2),
    (0, {"injured": [0, 2]}, "injured/1", None),
    (0, {"injured": [0, 0]}, "injured/1", None),
    (0, {"injured": [0, 1, 2, 0]}, "injured/3", None),
    (0, {"injured": [0, 1, 2, None]}, "injured/3", None),
    (1, {"injured": [1]}, None, 0),  # the first still able, not the next
    (1, {"injured": [1, 0]}, None, 2),
    (1, {"injured": [1, 2]}, "injured/1", None),
    (2, {"injured": [2]}, None, 0),
    (2, {"injured": [2, 0], "finished": 1}, None, 1),
]


@pytest.mark.parametrize(("turn", "written", "path", "finisher"), PEOPLE)
def test_starter_injured_and_finisher_must_agree(
    turn: int, written: Sheet, path: str | None, finisher: int | None
) -> None:
    lidias = [{"sheet": figures()} for _turn in range(turn)]
    reading = read(*lidias, {"sheet": {**figures(), **written}})
    assert refused(reading, turn) == ({} if path is None else {path: (WRONG, "I-16")})
    result = reading.lidias[turn].result
    if path is None:
        assert result is not None
        assert (result.starter, result.finisher) == (turn % 3, finisher)
        assert list(result.injured) == (written.get("injured") or [])
    else:
        assert result is None


SAID: list[Any] = [
    # Each case: figures written; path; the figure as read; the correct figure; the message.
    ({"began": 1}, "began", NAMES[1], NAMES[0], f"The matador for this bull is {NAMES[0]}."),
    ({"began": 2}, "began", NAMES[2], NAMES[0], f"The matador for this bull is {NAMES[0]}."),
    ({"began": 3}, "began", "3", NAMES[0], f"The matador for this bull is {NAMES[0]}."),
    (
        {"injured": [2]},
        "injured/0",
        NAMES[2],
        "",
        f"Only the matador in the ring can be injured, in this case {NAMES[0]}.",
    ),
    (
        {"injured": [0, 2]},
        "injured/1",
        NAMES[2],
        "",
        f"Only the matador in the ring can be injured, in this case {NAMES[1]}.",
    ),
    (
        {"injured": [0, 1, 2, 0]},
        "injured/3",
        NAMES[0],
        "",
        "Only the matador in the ring can be injured, in this case nobody.",
    ),
    (
        {"injured": 0},
        "injured",
        "0",
        "",
        "Enter the order in which the matadors were injured.",
    ),
    (
        {"finished": 2},
        "finished",
        NAMES[2],
        NAMES[0],
        f"You entered {NAMES[2]}, but the result is {NAMES[0]}.",
    ),
    (
        {"injured": [0, 1, 2], "kill": None, "number": None, "finished": 0},
        "finished",
        NAMES[0],
        "",
        (
            f"You entered {NAMES[0]}, but the result is —. No matador was able to continue, so "
            "the lidia was broken off."
        ),
    ),
]


@pytest.mark.parametrize(("written", "path", "claimed", "derived", "sentence"), SAID)
def test_finding_names_the_matador_who_was_not_in_the_ring(
    written: Sheet, path: str, claimed: str, derived: str, sentence: str
) -> None:
    line = lines(read({"sheet": {**figures(), **written}}))[path]
    assert (line.claimed, line.derived or "", line.sentence) == (claimed, derived, sentence)


def test_finding_names_the_bull_that_injured_a_matador() -> None:
    """Check Ruling I-16."""
    usual = [{"sheet": figures()} for _ in range(2)]
    hurt = {"sheet": figures(injured=[0])}
    reading = read(hurt, *usual, {"sheet": {**figures(), "began": 0}})
    (line,) = (one for one in reading.lidias[3].lines if one.state is WRONG)
    assert (
        line.sentence
        == f"{NAMES[0]} was injured by bull 1 and is out, so {NAMES[1]} starts this lidia."
    )
    assert (line.claimed, line.derived) == (NAMES[0], NAMES[1])


def test_injured_matador_is_replaced_in_later_bulls() -> None:
    """The first matador who is able takes over all later bulls of an injured one (Ruling I-16)."""
    reading = read({"sheet": figures(injured=[0])}, *[{"sheet": figures()} for _ in range(5)])
    began = [lidia.result.starter for lidia in reading.lidias if lidia.result]
    assert began == [0, 1, 2, 1, 1, 2]
    again = read({"sheet": figures(injured=[0])}, {"sheet": figures(injured=[1, 0])})
    assert refused(again, 1) == {"injured/1": (WRONG, "I-16")}
    both = read(
        {"sheet": figures(injured=[0])},
        {"sheet": figures(injured=[1])},
        *[{"sheet": figures()} for _ in range(4)],
    )
    assert [lidia.result.starter for lidia in both.lidias if lidia.result] == [0, 1, 2, 2, 2, 2]
    assert not both.suspended


def test_corrida_is_suspended_when_the_last_matador_is_injured() -> None:
    broken = figures(injured=[2, 1], kill=None, number=None)
    lidias = [{"sheet": figures(injured=[0])}, {"sheet": figures()}, {"sheet": broken}]
    reading = read(*lidias)
    assert reading.suspended
    assert [lidia.turn for lidia in reading.lidias] == [0, 1, 2]
    result = reading.lidias[2].result
    assert result is not None
    assert (result.ending, result.finisher) == (Ending.BROKEN_OFF, None)
    assert (result.trophy, result.vuelta, result.crowd) == (None, None, None)
    later = read(*lidias, {}, {"sheet": figures()}, {})
    assert [(line.path, line.ruling) for line in later.contradictions] == [("lidias/4", "I-16")]
    first = read(*lidias, {"sheet": figures()})
    assert [line.path for line in first.contradictions] == ["lidias/3"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("finished", "stands"), [(None, True), (0, False), (2, False), ("nobody", False)]
)
def test_lidia_broken_off_has_no_finisher(finished: Any, stands: bool) -> None:
    broken = figures(injured=[0, 1, 2], kill=None, number=None, finished=finished)
    reading = read({"sheet": broken}, deck=hurting_in("first"))
    assert refused(reading) == ({} if stands else {"finished": (WRONG, "I-16")})
    assert lines(reading)["finished"].state is (AGREED if stands else WRONG)


BULL = {2: "BULL"}
HERIDA: list[Any] = [
    # Each case: where a card reads BULL; where the BULL entry is HERIDA; whether the same card can
    # injure; whether the next card can injure.
    ({}, {}, False, False),
    (BULL, {}, False, False),
    ({}, {2: "HERIDA"}, False, False),
    (BULL, {3: "HERIDA"}, False, True),
    (BULL, {2: "HERIDA"}, True, True),
]


@pytest.mark.slow
@pytest.mark.parametrize("entry", ["first", "second", "third"])
@pytest.mark.parametrize(("bulls", "heridas", "same", "following"), HERIDA)
def test_injuries_need_a_deck_that_can_injure(
    entry: str, bulls: dict[int, str], heridas: dict[int, str], same: bool, following: bool
) -> None:
    """Check Rulings I-6 and I-7."""
    entries: dict[str, dict[int, str]] = {entry: dict(bulls), "bull": dict(heridas)}
    if entry == "second":
        entries["second"] |= {0: "CLAVAR", 1: "CLAVAR"}
    deck = deck_of(**entries)
    for rules, can in ((Rules(), same), (Rules(bull_reading="next_card"), following)):
        found = refused(read({"sheet": figures(injured=[0])}, rules=rules, deck=deck))
        # One card cannot both read BULL and be the next card, unless the deck is reshuffled in
        # between.
        alone = rules != Rules() and can and bulls.keys() == heridas.keys() and entry == "first"
        wrong = {"injured": (WRONG, "I-7")} if alone else {"injured/0": (WRONG, "I-7")}
        assert found == ({} if can and not alone else wrong)


def test_sheet_with_seven_lidias_is_rejected() -> None:
    six = [{"sheet": figures()} for _turn in range(6)]
    assert read(*six).stands
    seven = read(*six, {"sheet": figures()})
    assert [(line.path, line.ruling) for line in seven.contradictions] == [("lidias", "I-14")]
    assert not seven.stands


def test_score_sheet_is_preferred_to_a_result_and_six_are_required() -> None:
    both = read({"sheet": figures(), "score": {"ending": "spared"}})
    assert not refused(both)
    nothing = read(*[{"sheet": figures()} for _turn in range(5)])
    assert [(line.path, line.ruling) for line in nothing.missing] == [("lidias/5", "I-18")]
    assert not nothing.stands
    assert DECK.kills.count(-11) == DECK.kills.count(-1) == DECK.kills.count(-8) == 2


def test_sentences_distinguish_matadors_of_one_name_by_their_keys() -> None:
    sheet = frame()
    for place, key in enumerate(("rueda", "rueda-2")):
        sheet["cartel"][place] |= {"name": "Sancho Rueda", "key": key}
    reading = judge(USUAL, DECK, {**sheet, "lidias": [{"sheet": figures(began=1)}]})
    line = lines(reading)["began"]
    assert line.sentence == "The matador for this bull is Sancho Rueda (rueda)."
    assert (line.claimed, line.derived) == ("Sancho Rueda (rueda-2)", "Sancho Rueda (rueda)")
    sheet["cartel"][:2] = sheet["cartel"][1::-1]
    (wrong,) = judge(USUAL, DECK, sheet).lines
    assert "belongs to Sancho Rueda (rueda)." in wrong.sentence
