"""Tests of the three tercios and the check for indulto (rulings I-2 and I-4 to I-9)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from corridas.engine import Ending, TercioEnded, by_card
from tests.corridas.engine.ring import (
    FINAL,
    ONES,
    QUIET,
    SPARING,
    STROKES,
    THREES,
    TWOS,
    check,
    lidia,
    setup,
    three,
)

END = f"{STROKES} {FINAL}"
REST = f"{TWOS} {THREES} {END}"
LEAN = f"{SPARING} {TWOS} {THREES} {STROKES}"


class Case(NamedTuple):
    """Replaced deck entries, the cards drawn, and the expected figures of the lidia."""

    name: str
    prints: tuple[str, ...]
    text: str
    figures: dict[str, Any]
    options: dict[str, Any] = {}


def ones(first: str) -> str:
    """Return the cards of a lidia that begins with these cards and is uneventful after its first
    tercio.
    """
    return f"{first} {ONES.split(' ', 1)[1]} {REST}"


def end(kept: str, first: str) -> str:
    """Return the cards of a lidia whose faena begins with these cards.

    `kept` are the cards before the second tercio.
    """
    return f"{ONES} {kept} {first} {THREES.split(' ', 1)[1]} {END}"


NEXT = {"bull_reading": "next_card"}
CASES = [
    Case("I-2 tens then units", (), f"{LEAN} 5b 0g", {"drawn": 50, "number": 50}),
    Case("I-2 a 0 is no tens", (), f"{LEAN} 0g 5b", {"drawn": 5, "number": 5}),
    Case("I-2 01 is 1", (), f"{LEAN} 0f 1b", {"drawn": 1, "number": 1}),
    Case("I-2 00 is 100", (), f"{LEAN} 0f 0g", {"drawn": 100, "number": 100}),
    Case("I-4 nothing happens", (), QUIET, {"marks": [10, 2, 10], "cards": 34, "score": 0}),
    Case(
        "I-4 a card drawn to score is no mark", ("0a 1s=LANCE+",), ones("0a 7a"),
        {"marks": [10, 2, 10], "cards": 35, "matador": [[7], [], []]},
    ),
    Case(
        "I-4 a card drawn to score is not read", ("0a 1s=LANCE+", "7a 1s=LANCE+ bull=HERIDA"),
        ones("0a 7a"), {"matador": [[7], [], []], "cards": 35},
    ),
    Case(
        "I-4 a card of an injury is no mark", ("0a 1s=BULL bull=HERIDA",), ones("0a 7a"),
        {"marks": [10, 2, 10], "cards": 35},
    ),
    Case(
        "I-4 a card that answers is no mark", ("0a 1s=BULL",), ones("0a 7a"),
        {"marks": [10, 2, 10], "cards": 35}, NEXT,
    ),
    Case(
        "I-4 kill modifiers are no points of the third tercio", ("3a kill=MEDIA_-6",), QUIET,
        {"matador": [[], [], []], "kill_points": -6, "strokes": [-6, 0, 0, 0, 0], "score": -6},
    ),
    Case("I-5 a plus adds", ("0a 1s=LANCE+",), ones("0a 9c"), {"score": 9}),
    Case("I-5 a minus takes", ("0a 1s=LANCE-",), ones("0a 9c"), {"score": -9}),
    Case(
        "I-5 a 0 is noted too", ("0a 1s=LANCE+",), ones("0a 0g").replace("0f 0g", "0f 5b"),
        {"matador": [[0], [], []], "matador_points": 0},
    ),
    Case(
        "I-5 the bull has a total of its own",
        ("0a 1s=BULL bull=BRAVO-", "0b 1s=LANCE+"), ones("0a 8a 0b 9c").replace("9c 0b", "9c"),
        {"bull": [[-8], [], []], "matador": [[9], [], []], "bull_points": -8, "matador_points": 9},
    ),
    Case(
        "I-5 totals run through and are noted by tercio",
        ("0a 1s=LANCE+", "9f 2s=CLAVAR-", "1d 3s=PASE+", "1e 3s=BULL bull=BRAVO-"),
        f"0a 7a {ONES[3:]} 9f 4f 9g 1d 5c 1e 8a {THREES[6:]} {END}",
        {"matador": [[7], [-4], [5]], "bull": [[], [], [-8]], "matador_points": 8, "score": 8},
    ),
    Case(
        "I-5 the second tercio scores for the bull too",
        ("7a 2s=BULL bull=BRAVO-",), f"{ONES} 7a 6b {REST}",
        {"bull": [[], [-6], []], "marks": [10, 3, 10]},
    ),
    Case(
        "I-6 same_card: its own BULL entry answers",
        ("0a 1s=BULL bull=BRAVO-", "7a bull=HERIDA"), ones("0a 7a"),
        {"bull": [[-7], [], []], "cards": 35, "injured": ()},
    ),
    Case(
        "I-6 same_card: an answer that scores nothing draws nothing", ("0a 1s=BULL",), QUIET,
        {"bull": [[], [], []], "cards": 34},
    ),
    Case(
        "I-6 next_card: the BULL entry of one more card answers",
        ("0a 1s=BULL bull=HERIDA", "7a 1s=LANCE+ bull=BRAVO-"), ones("0a 7a 8a"),
        {"bull": [[-8], [], []], "matador": [[], [], []], "injured": (), "cards": 36}, NEXT,
    ),
    Case(
        "I-6 next_card: a BULL under the answering card's tercio says nothing",
        ("0a 1s=BULL", "7a 1s=BULL"), ones("0a 7a"), {"cards": 35, "marks": [10, 2, 10]}, NEXT,
    ),
    Case(
        "I-6 next_card: the answering CLAVAR sticks nothing",
        ("7a 2s=BULL",), f"{ONES} 7a 9d {REST}", {"marks": [10, 3, 10], "cards": 36}, NEXT,
    ),
    Case(
        "I-6 next_card: HERIDA of the answering card",
        ("0a 1s=BULL", "7a bull=HERIDA"), ones("0a 7a 0g").replace("0f 0g", "0f 5b"),
        {"injured": (0,), "finisher": 1, "cards": 36}, NEXT,
    ),
    *(
        Case(
            f"I-7 a {after[0]} lets the matador continue", ("0a 1s=BULL bull=HERIDA",),
            f"0a {after} {SPARING[3:]} {REST}",
            {"injured": (), "starter": 0, "finisher": 0, "score": 0},
        )
        for after in ["1b", "2g", "3f", "4f", "5b", "6b", "7a", "8a", "9a"]
    ),
    Case(
        "I-7 a 0 in the first tercio",
        ("0a 1s=BULL bull=HERIDA",), ones("0a 0g").replace("0f 0g", "0f 5b"),
        {"injured": (0,), "starter": 0, "finisher": 1, "marks": [10, 2, 10]},
    ),
    Case(
        "I-7 a 0 in the second tercio",
        ("7a 2s=BULL bull=HERIDA",), f"{ONES.replace('0g', '5b')} 7a 0g {REST}",
        {"injured": (0,), "starter": 0, "finisher": 1, "marks": [10, 3, 10]},
    ),
    Case(
        "I-7 a 0 in the third tercio",
        ("1d 3s=BULL bull=HERIDA",), end(TWOS, "1d 0g").replace("0f 0g", "0f 5b"),
        {"injured": (0,), "starter": 0, "finisher": 1, "marks": [10, 2, 10]},
    ),
    Case("I-8 at once", (), f"{ONES} 9d 9e {THREES} {END}", {"marks": [10, 2, 10]}),
    Case(
        "I-8 others in between", (), f"{ONES} 7a 9f 7b 7c 9g {THREES} {END}",
        {"marks": [10, 5, 10]},
    ),
    Case(
        "I-8 the second CLAVAR is still resolved", ("9g 2s=CLAVAR+",),
        f"{ONES} 9f 9g 8a {THREES} {END}", {"matador": [[], [8], []], "marks": [10, 2, 10]},
    ),
    Case(
        "I-8 a CLAVAR that takes points is one", ("9f 2s=CLAVAR-", "9g 2s=CLAVAR-"),
        f"{ONES} 9f 8a 9g 7a {THREES} {END}", {"matador": [[], [-8, -7], []]},
    ),
    Case(
        "I-8 a CLAVAR drawn to score is none", ("7a 2s=QUIEBRO-",),
        f"{ONES} 7a 9f 9g 9d {THREES} {END}",
        {"matador": [[], [-9], []], "marks": [10, 3, 10]},
    ),
    Case(
        "I-8 a CLAVAR of the first tercio is none", (),
        f"9d 9e {ONES[6:]} {REST}", {"marks": [10, 2, 10]},
    ),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cards_of_the_tercios_give_the_expected_figures(case: Case) -> None:
    check(lidia(setup(*case.prints, **case.options), case.text), **case.figures)


def test_i_3_reshuffle_includes_the_card_being_resolved() -> None:
    # The first tercio draws all CLAVAR cards, so the second one does not end and the deck runs out
    # after sixty more. The last card, 8a, scores. The new deck includes 8a, which is drawn at once.
    taken = "9d 9e 9f 9g 0a 0b 0c 0d 0e 0f"
    names = [f"{number}{copy}" for number in range(10) for copy in "abcdefg"]
    rest = " ".join(name for name in names if name not in f"{taken} 8a")
    record = lidia(
        setup("8a 2s=QUIEBRO+"), f"{taken} {rest} 8a 8a {TWOS} {THREES} {STROKES} {FINAL}"
    )
    check(record, matador=[[], [8], []], marks=[10, 62, 10], cards=95)


BULL = ("0a 1s=BULL bull=BRAVO+", "1d 3s=BULL bull=BRAVO+", "1e 3s=BULL bull=BRAVO-")
FAENA = f"{ONES.replace('0a', '0a 7a')} {TWOS} {THREES}"


SPARED, KILLED = Ending.SPARED, Ending.KILLED
CHECKS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("I-9 inside", "87", f"8a 7b {FINAL}", {"indulto": 87, "ending": SPARED, "cards": 27}),
    ("I-9 low edge", "87-90", f"8a 7b {FINAL}", {"ending": SPARED}),
    ("I-9 high edge", "80-87", f"8a 7b {FINAL}", {"ending": SPARED}),
    ("I-9 00 is 100", "100", f"0f 0g {FINAL}", {"indulto": 100, "ending": SPARED}),
    ("I-9 just below", "88-99", f"8a 7b {END}", {"indulto": 87, "ending": KILLED, "cards": 37}),
    ("I-9 just above", "1-86", f"8a 7b {END}", {"indulto": 87, "ending": KILLED}),
    ("I-9 drawn where empty", "-", f"8a 7b {END}", {"indulto": 87, "ending": KILLED}),
]


@pytest.mark.parametrize(
    ("indulto", "closing", "expected"), [c[1:] for c in CHECKS], ids=[c[0] for c in CHECKS]
)
def test_i_9_indulto_range_decides_whether_the_bull_is_spared(
    indulto: str, closing: str, expected: dict[str, Any]
) -> None:
    # The bull gains 5 points in the first tercio.
    text = f"0a 5b {SPARING[3:]} {TWOS} {THREES} {closing}"
    check(lidia(setup(*BULL[:1], matadors=three({"indulto": indulto})), text), **expected)


def test_i_9_bull_without_points_is_not_checked_for_indulto() -> None:
    record = lidia(setup(matadors=three({"indulto": "1-100"})), QUIET)
    check(record, indulto=None, ending=KILLED, bull_points=0)


@pytest.mark.parametrize(
    ("gained", "lost", "checked"),
    [("7b", "7c", False), ("7b", "8a", False), ("7b", "6b", True), ("0g", "1g", False)],
    ids=["I-9 total 0", "I-9 total -1", "I-9 total +1", "I-9 total -1 from 0"],
)
def test_i_9_indulto_is_checked_only_if_the_bulls_total_is_above_0(
    gained: str, lost: str, checked: bool
) -> None:
    firsts = ONES.replace("0g", "5b")
    faena = f"{firsts} {TWOS} 1d {gained} 1e {lost} 1f 5c {THREES[12:]}"
    given = setup(*BULL[1:], matadors=three({"indulto": "1-100"}))
    record = lidia(given, f"{faena} {f'8b 7d {FINAL}' if checked else END}")
    check(record, indulto=87 if checked else None)


def test_i_9_a_spared_bull_skips_the_kill() -> None:
    given = setup(*BULL[:1], "0b 1s=LANCE+", matadors=three({"indulto": "1-100"}))
    record = lidia(given, f"{FAENA.replace('0b', '0b 9c')} 8a 7b {FINAL}")
    check(record, ending=SPARED, strokes=[], kill_points=0, avisos=0, final=9, number=65)


def test_i_9_indulto_is_checked_after_the_tenth_faena_card_is_resolved() -> None:
    # The tenth faena card gives the bull its first points.
    given = setup("2f 3s=BULL bull=BRAVO+", matadors=three({"indulto": "1-100"}))
    record = lidia(given, f"{ONES} {TWOS} {THREES} 5b 8a 7b {FINAL}")
    check(record, bull=[[], [], [5]], indulto=87, ending=SPARED)


def test_i_9_indulto_uses_the_range_of_the_substitute() -> None:
    # The range of A spares every bull, but the tenth faena card injures A. The range of B is empty.
    prints = ("0a 1s=BULL bull=BRAVO+", "2f 3s=BULL bull=HERIDA")
    firsts = ONES.replace("0a", "0a 7a").replace("0g", "5b")
    text = f"{firsts} {TWOS} {THREES} 0g 8a 7b {END}"
    given = setup(*prints, matadors=three({"indulto": "1-100"}))
    check(lidia(given, text), injured=(0,), finisher=1, indulto=87, ending=KILLED)


@pytest.mark.slow
def test_i_8_tercio_ends_after_its_last_card_is_resolved() -> None:
    record = lidia(setup("9g 2s=CLAVAR+"), f"{ONES} 9f 9g 8a {THREES} {END}")
    ends = [(n, e.tercio) for n, e in by_card(record.events) if isinstance(e, TercioEnded)]
    assert ends == [(9, 1), (12, 2), (22, 3)]
