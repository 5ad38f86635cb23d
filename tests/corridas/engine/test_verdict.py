"""Tests of the way from points to the verdict (rulings I-2 and I-11 to I-13)."""

from __future__ import annotations

import pytest

from corridas.engine import Crowd, Trophy
from tests.corridas.engine.ring import (
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

GAIN = {0: "", 1: "1g", 2: "2g", 7: "7a", 8: "8a", 9: "9c", 12: "8a 4f", 15: "8a 7a", 5: "5b"}


def scoring(final: int) -> tuple[tuple[str, ...], str]:
    """Return deck entries and cards of a lidia with this final score, without its final number."""
    if final <= 0:
        return (f"3a kill=MEDIA_{final}",), QUIET[:-6]
    gains = GAIN[final].split()
    prints = tuple(f"0{copy} 1s=LANCE+" for copy, _ in zip("ab", gains, strict=False))
    firsts = ONES
    for copy, gained in zip("ab", gains, strict=False):
        firsts = firsts.replace(f"0{copy}", f"0{copy} {gained}")
    return prints, f"{firsts} {TWOS} {THREES} {STROKES}".replace(" 1g 2a", " 6b 2a")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("final", "plaza", "score"),
    [
        (12, 1, 12), (12, 2, 6), (12, 3, 4),
        (7, 1, 7), (7, 2, 3), (7, 3, 2), (8, 3, 2), (1, 2, 0), (2, 3, 0), (15, 2, 7),
        (0, 1, 0), (0, 2, 0), (0, 3, 0),
        (-1, 1, -1), (-1, 2, 0), (-1, 3, 0), (-2, 3, 0), (-3, 2, -1), (-4, 3, -1),
        (-7, 1, -7), (-7, 2, -3), (-7, 3, -2), (-8, 3, -2), (-9, 3, -3), (-15, 2, -7),
    ],
    ids=lambda value: f"I-12 {value}",
)  # fmt: skip
def test_i_12_score_divided_by_the_plaza_is_rounded_towards_zero(
    final: int, plaza: int, score: int
) -> None:
    prints, text = scoring(final)
    record = lidia(setup(*prints, plaza=plaza), f"{text} 5d 6d")
    check(record, final=final, score=score, drawn=56, number=56 + score)


@pytest.mark.parametrize(
    ("option", "plaza", "final", "score"),
    [
        ("separate", 1, 7, 7), ("against", 1, 1, 1), ("for", 1, 13, 13),
        ("separate", 3, 7, 2), ("against", 2, 1, 0), ("for", 2, 13, 6),
    ],
    ids=lambda value: f"I-11 {value}",
)  # fmt: skip
@pytest.mark.parametrize(("sign", "turned"), [("+", 1), ("-", -1)])
def test_i_11_bull_points_count_as_the_option_says(
    option: str, plaza: int, final: int, score: int, sign: str, turned: int
) -> None:
    # The matador has +7 or -7 points, the bull +6 or -6. A bull with more than 0 points is checked
    # for indulto, with the number 87.
    prints = (f"0a 1s=LANCE{sign}", f"0b 1s=BULL bull=BRAVO{sign}")
    check_cards = "8b 7d " if turned > 0 else ""
    text = f"0a 7a 0b 6b {ONES[6:]} {TWOS} {THREES} {check_cards}{STROKES} 5d 6d"
    record = lidia(setup(*prints, plaza=plaza, bull_points=option), text)
    check(record, matador_points=7 * turned, bull_points=6 * turned)
    check(record, final=final * turned, score=score * turned)


def test_i_11_kill_and_warnings_count_with_every_option() -> None:
    for option in ("separate", "against", "for"):
        given = setup("3a kill=MEDIA_-6", matadors=three({"aviso": "35"}), bull_points=option)
        check(lidia(given, QUIET.replace("3b 4b", "3b 5b")), final=-15, kill_points=-6, avisos=1)


CLAMPED = [
    ("I-13 below 1 counts as 1", -15, "0g 5d", 5, 1),
    ("I-13 0 counts as 1", -5, "0g 5d", 5, 1),
    ("I-13 1 is 1", -4, "0g 5d", 5, 1),
    ("I-13 2 is 2", -3, "0g 5d", 5, 2),
    ("I-13 99 is 99", 1, "9a 8d", 98, 99),
    ("I-13 100 is 100", 2, "9a 8d", 98, 100),
    ("I-13 above 100 counts as 100", 7, "9a 8d", 98, 100),
    ("I-13 00 and a gain", 9, "0f 0g", 100, 100),
    ("I-13 00 and a loss", -1, "0f 0g", 100, 99),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("final", "cards", "drawn", "number"), [c[1:] for c in CLAMPED], ids=[c[0] for c in CLAMPED]
)
def test_i_13_number_is_limited_to_1_to_100(
    final: int, cards: str, drawn: int, number: int
) -> None:
    prints, text = scoring(final)
    record = lidia(setup(*prints), f"{text.replace('0f', '5e').replace('0g', '5f')} {cards}")
    check(record, drawn=drawn, number=number)


TENS = ["0f", "1b", "2g", "3f", "4f", "5a", "6a", "7a", "8a", "9a"]
UNITS = ["0g", "1c", "2g", "3g", "4g", "5b", "6b", "7b", "8b", "9b"]
OUTCOMES = [
    (1, Trophy.NONE, False, Crowd.BRONCA), (10, Trophy.NONE, False, Crowd.BRONCA),
    (13, Trophy.NONE, False, Crowd.PITOS), (26, Trophy.NONE, False, Crowd.SILENCIO),
    (50, Trophy.NONE, True, Crowd.SILENCIO), (51, Trophy.NONE, True, Crowd.DIVISION),
    (61, Trophy.NONE, False, Crowd.APLAUSOS), (73, Trophy.NONE, False, Crowd.OVACION),
    (80, Trophy.NONE, False, Crowd.OVACION), (81, Trophy.OREJA, False, None),
    (90, Trophy.OREJA, False, None), (91, Trophy.DOS_OREJAS, False, None),
    (97, Trophy.DOS_OREJAS, False, None), (98, Trophy.RABO, False, None),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "trophy", "vuelta", "crowd"), OUTCOMES, ids=[f"I-13 {o[0]}" for o in OUTCOMES]
)
def test_i_13_number_decides_trophy_vuelta_and_crowd(
    number: int, trophy: Trophy, vuelta: bool, crowd: Crowd | None
) -> None:
    # The range VUELTA (lap of honour) is 50-60 here. These numbers bring no trophy and two
    # different verdicts of the crowd, so the test shows that VUELTA depends on neither.
    tens, units = divmod(number, 10)
    final = f"{TENS[tens]} {UNITS[units]}"
    text = f"{SPARING} {TWOS} {THREES} {STROKES} {final}"
    record = lidia(setup(matadors=three({"vuelta": "50-60"})), text)
    check(record, drawn=number, trophy=trophy, vuelta=vuelta, crowd=crowd)


@pytest.mark.parametrize(
    ("vuelta", "final", "expected"),
    [
        ("85-100", "8b 5d", (Trophy.OREJA, True, None)),
        ("86-100", "8b 5d", (Trophy.OREJA, False, None)),
        ("1-100", "5d 6d", (Trophy.NONE, True, Crowd.DIVISION)),
        ("-", "5d 6d", (Trophy.NONE, False, Crowd.DIVISION)),
        ("-", "9c 8b", (Trophy.RABO, False, None)),
    ],
    ids=["I-13 with a trophy", "I-13 beside it", "I-13 without a trophy", "I-13 -", "I-13 rabo -"],
)
def test_i_13_vuelta_is_read_with_and_without_a_trophy(
    vuelta: str, final: str, expected: tuple[Trophy, bool, Crowd | None]
) -> None:
    record = lidia(setup(matadors=three({"vuelta": vuelta})), f"{QUIET[:-6]} {final}")
    assert record.result[-3:] == expected


def test_i_13_verdict_is_read_on_the_finishers_card() -> None:
    # The number 56 is DIVISION on the card of A. On the card of B, who finishes, all numbers up to
    # 80 are BRONCA.
    harsh = {"bronca": "1-80", "pitos": "-", "silencio": "-", "division": "-", "aplausos": "-"}
    given = setup("0a 1s=BULL bull=HERIDA", matadors=three({}, {**harsh, "ovacion": "-"}))
    record = lidia(given, f"0a 0g {QUIET[3:].replace('0g', '5b')}")
    check(record, finisher=1, number=56, crowd=Crowd.BRONCA)
