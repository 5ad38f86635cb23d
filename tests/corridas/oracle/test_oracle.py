"""Lidias worked out by hand, card by card, ruling by ruling (I-2 to I-13)."""

from __future__ import annotations

import pytest

from tests.corridas.oracle.hand import (
    FINAL,
    ONES,
    QUIET,
    STROKES,
    THREES,
    TWOS,
    deck,
    lidia,
    matador,
    three,
)
from tests.corridas.oracle.paper import Contradiction, numbers_in, two_cards
from tests.corridas.oracle.sheet import running_order, verdict

REST = f"{TWOS} {THREES} {STROKES} {FINAL}"
"""A quiet lidia from the second tercio on."""
END = f"{STROKES} {FINAL}"


def test_a_quiet_lidia_has_56_and_divides_opinion() -> None:
    # Nothing scores: score 0, the number drawn is 5 and 6, DIVISION is 51-60.
    sheet = lidia(QUIET)
    assert sheet["marks"] == [10, 2, 10]
    assert (sheet["ending"], sheet["score"], sheet["number"]) == ("killed", 0, 56)
    assert (sheet["trophy"], sheet["vuelta"], sheet["crowd"]) == (0, False, 4)


@pytest.mark.parametrize(("tens", "units", "number"), [(0, 0, 100), (0, 7, 7), (7, 0, 70)])
def test_i_2_tens_then_units_and_00_is_100(tens: int, units: int, number: int) -> None:
    assert two_cards(tens, units) == number


@pytest.mark.parametrize(("final", "number"), [("0f 0g", 100), ("0f 7a", 7), ("7a 0f", 70)])
def test_i_2_in_the_verdict(final: str, number: int) -> None:
    ones = ONES.replace("0f 0g", "5b 5c")
    assert lidia(f"{ones} {TWOS} {THREES} {STROKES} {final}")["number"] == number


def test_i_3_all_70_are_shuffled_when_none_is_left() -> None:
    # Ones take all four CLAVARs out of the deck. Sixty other cards do not end the second tercio;
    # then the deck is empty, the new one has 9f and 9g again: 62 hash marks.
    ones = "9d 9e 9f 9g 0a 0b 0c 0d 0e 0f"
    rest = [f"{d}{c}" for d in range(10) for c in "abcdefg" if f"{d}{c}" not in ones]
    sheet = lidia(f"{ones} {' '.join(rest)} {TWOS} {THREES} {END}")
    assert sheet["marks"] == [10, 62, 10]


def test_i_3_the_card_being_resolved_is_shuffled_in_too() -> None:
    # The 70th card of the deck is 8a, and scores; 8a itself comes back with its points.
    ones = "9d 9e 9f 9g 0a 0b 0c 0d 0e 0f"
    rest = [f"{d}{c}" for d in range(10) for c in "abcdefg" if f"{d}{c}" not in f"{ones} 8a"]
    pack = deck(_8a={"second": "QUIEBRO+"})
    sheet = lidia(f"{ones} {' '.join(rest)} 8a 8a {TWOS} {THREES} {END}", pack)
    assert sheet["matador_entries"] == [[], [8], []]
    assert sheet["marks"] == [10, 62, 10]


def test_i_4_only_cards_of_the_tercio_are_hash_marks() -> None:
    # 0a scores (7a: 7), 0b is answered by its own HERIDA (7b, not 0). Ten marks all the same.
    pack = deck(_0a={"first": "LANCE+"}, _0b={"first": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0a 0b", "0a 7a 0b 7b")
    sheet = lidia(f"{ones} {REST}", pack)
    assert sheet["marks"] == [10, 2, 10]
    assert sheet["purposes"][:5] == ["1", "matador + 1", "1", "wound", "1"]


def test_i_4_kill_modifiers_are_no_points_of_the_third_tercio() -> None:
    # 3a is a bad stroke, -6: points stay 0, score is -6, 56 - 6 = 50 is SILENCIO.
    sheet = lidia(QUIET, deck(_3a={"kill": "MEDIA ESTOCADA -6"}))
    assert (sheet["matador_points"], sheet["kill_points"]) == (0, -6)
    assert (sheet["score"], sheet["number"], sheet["crowd"]) == (-6, 50, 3)


def test_i_5_totals_run_through_and_are_noted_by_tercio() -> None:
    # Matador: +7 (1s), -4 (2s), +0 (3s). Bull: -8 (1s), +6 (3s). 56 + 3 = 59.
    # The bull's total is -2: no check for indulto.
    pack = deck(
        _0a={"first": "LANCE+"}, _0b={"first": "BULL", "bull": "CABECEO-"},
        _9f={"second": "CLAVAR-"}, _1d={"third": "PASE+"}, _1e={"third": "BULL", "bull": "BRAVO+"},
    )  # fmt: skip
    ones = ONES.replace("0a 0b", "0a 7a 0b 8a").replace("0g", "5c")
    threes = THREES.replace("1d 1e", "1d 0g 1e 6b")
    sheet = lidia(f"{ones} 9f 4f 9g {threes} {END}", pack)
    assert sheet["matador_entries"] == [[7], [-4], [0]]
    assert sheet["bull_entries"] == [[-8], [], [6]]
    assert (sheet["matador_points"], sheet["bull_points"], sheet["number"]) == (3, -2, 59)


def test_i_6_same_card_answers_with_its_own_bull_entry() -> None:
    # 0a: BULL / BRAVO+; one card (7a) is drawn, for the points.
    pack = deck(_0a={"first": "BULL", "bull": "BRAVO-"}, _7a={"bull": "HERIDA"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a')} {REST}", pack)
    assert sheet["bull_entries"] == [[-7], [], []]


def test_i_6_next_card_answers_with_the_next_bull_entry() -> None:
    # 0a: BULL; 7a is drawn, only its BULL entry counts (its `+` in the first tercio does not):
    # BRAVO-; 8a gives the points. Neither is a hash mark.
    pack = deck(_0a={"first": "BULL", "bull": "HERIDA"}, _7a={"first": "LANCE+", "bull": "BRAVO-"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a 8a')} {REST}", pack, bull_reading="next_card")
    assert sheet["bull_entries"] == [[-8], [], []]
    assert sheet["matador_entries"] == [[], [], []]
    assert (sheet["injured"], sheet["marks"]) == ([], [10, 2, 10])


@pytest.mark.parametrize(("after", "injured", "finisher"), [("7a", [], 0), ("0g", [0], 1)])
def test_i_7_only_a_0_puts_the_matador_out(after: str, injured: list[int], finisher: int) -> None:
    pack = deck(_0a={"first": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0g", "5c").replace("0a", f"0a {after}")
    sheet = lidia(f"{ones} {REST}", pack)
    assert (sheet["injured"], sheet["starter"], sheet["finisher"]) == (injured, 0, finisher)


def test_i_8_the_second_clavar_is_still_resolved() -> None:
    # Second tercio: 7a nothing, 9f CLAVAR, 7b nothing, 9g CLAVAR+ and 8a for its points.
    pack = deck(_9g={"second": "CLAVAR+"})
    sheet = lidia(f"{ONES} 7a 9f 7b 9g 8a {THREES} {END}", pack)
    assert (sheet["marks"], sheet["matador_entries"]) == ([10, 4, 10], [[], [8], []])


def test_i_8_a_clavar_drawn_for_points_is_none() -> None:
    # 9f comes as the points of 7a and sticks nothing; 9g and 9d end the tercio.
    sheet = lidia(f"{ONES} 7a 9f 9g 9d {THREES} {END}", deck(_7a={"second": "QUIEBRO-"}))
    assert (sheet["marks"], sheet["matador_entries"]) == ([10, 3, 10], [[], [-9], []])


BRAVE = deck(_1d={"third": "BULL", "bull": "BRAVO+"})
BRAVE_THREES = THREES.replace("1d", "1d 7a")
"""The bull's total is +7 after the faena."""


def test_i_9_a_spared_bull_skips_the_kill() -> None:
    # 8a 5b: 85, in the range. No kill; 5 and 6 are the final number.
    order = three({"indulto": "85-90"})
    sheet = lidia(f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {FINAL}", BRAVE, order=order)
    assert (sheet["ending"], sheet["indulto"], sheet["strokes"]) == ("spared", 85, [])
    assert (sheet["kill_points"], sheet["avisos"], sheet["number"]) == (0, 0, 56)


@pytest.mark.parametrize("indulto", ["-", "86-90"])
def test_i_9_two_cards_are_drawn_also_in_vain(indulto: str) -> None:
    order = three({"indulto": indulto})
    sheet = lidia(f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {END}", BRAVE, order=order)
    assert (sheet["ending"], sheet["indulto"]) == ("killed", 85)


def test_i_9_a_total_of_0_is_not_checked() -> None:
    # The points card is a 0 (0g): the total is not above 0, the next card is a stroke.
    ones, threes = ONES.replace("0g", "5c"), THREES.replace("1d", "1d 0g")
    sheet = lidia(f"{ones} {TWOS} {threes} {END}", BRAVE, order=three({"indulto": "1-100"}))
    assert (sheet["ending"], sheet["indulto"]) == ("killed", None)


def test_i_9_the_range_is_that_of_who_is_on_the_sand() -> None:
    # A is hurt by the tenth faena card (2f, then 0g); B, whose range holds 85, spares the bull.
    pack = deck(_1d={"third": "BULL", "bull": "BRAVO+"}, _2f={"third": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0g", "5c")
    order = three({"indulto": "-"}, {"indulto": "85"})
    sheet = lidia(f"{ones} {TWOS} {BRAVE_THREES} 0g 8a 5b {FINAL}", pack, order=order)
    assert (sheet["ending"], sheet["injured"], sheet["finisher"]) == ("spared", [0], 1)


def test_i_10_two_warnings_cost_nine_each() -> None:
    # Numbers 34 34 34 38 37: 37-38 warns twice, -18; the strokes are -2 and 0s. 56 - 20 = 36.
    strokes = "3a 4a 3b 4b 3c 4c 3d 8a 3e 7a"
    order = three({"aviso": "37-38"})
    pack = deck(_3b={"kill": "PINCHAZO -2"})
    sheet = lidia(f"{ONES} {TWOS} {THREES} {strokes} {FINAL}", pack, order=order)
    assert (sheet["strokes"], sheet["warnings"]) == ([0, -2, 0, 0, 0], [38, 37])
    assert (sheet["avisos"], sheet["score"], sheet["number"]) == (2, -20, 36)


def test_i_10_the_third_warning_stops_the_bullfight() -> None:
    # All numbers are 34, a warning each: over after six cards of the kill, the third stroke
    # (3c, -5) counted.
    pack = deck(_3c={"kill": "BAJONAZO -5"})
    sheet = lidia(f"{ONES} {TWOS} {THREES} 3a 4a 3b 4b 3c 4c", pack, order=three({"aviso": "34"}))
    assert (sheet["ending"], sheet["avisos"], sheet["kill_points"]) == ("three_avisos", 3, -5)
    assert (sheet["score"], sheet["number"], sheet["finisher"]) == (None, None, 0)
    assert (sheet["trophy"], sheet["vuelta"], sheet["crowd"]) == (0, False, 1)


def test_i_10_the_third_warning_with_the_last_stroke() -> None:
    strokes = "3a 8a 3b 8b 3c 4c 3d 4d 3e 4e"
    text = f"{ONES} {TWOS} {THREES} {strokes}"
    order = three({"aviso": "34"})
    assert lidia(text, order=order)["ending"] == "three_avisos"
    with pytest.raises(Contradiction, match="card 32: cards are left over"):
        lidia(f"{text} {FINAL}", order=order)


@pytest.mark.parametrize(("bull_points", "final"), [("separate", 0), ("against", -7), ("for", 7)])
def test_i_11_what_the_bulls_points_are_for(bull_points: str, final: int) -> None:
    text = f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {END}"
    sheet = lidia(text, BRAVE, bull_points=bull_points)
    assert (sheet["final"], sheet["number"]) == (final, 56 + final)


@pytest.mark.parametrize("plaza", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_i_12_the_fraction_is_dropped_towards_zero(plaza: int, sign: int) -> None:
    # 7 and -7: third of it 2, half of it 3, whole 7.
    pack = deck(_0a={"first": "LANCE+" if sign > 0 else "LANCE-"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a')} {REST}", pack, plaza=plaza)
    assert sheet["score"] == sign * {1: 7, 2: 3, 3: 2}[plaza]


@pytest.mark.parametrize(
    ("kill", "final", "number"), [("ESTOCADA -60", FINAL, 1), ("ESTOCADA -55", FINAL, 1)]
)
def test_i_13_below_1_counts_as_1(kill: str, final: str, number: int) -> None:
    sheet = lidia(QUIET, deck(_3a={"kill": kill}))
    assert (sheet["number"], sheet["crowd"]) == (number, 1)


def test_i_13_above_100_counts_as_100() -> None:
    # 98 + 7 is 100: RABO, VUELTA too, no verdict of the crowd.
    pack = deck(_0a={"first": "LANCE+"})
    ones = ONES.replace("0a", "0a 7a")
    sheet = lidia(f"{ones} {TWOS} {THREES} {STROKES} 9a 8a", pack)
    assert (sheet["drawn"], sheet["number"]) == (98, 100)
    assert (sheet["trophy"], sheet["vuelta"], sheet["crowd"]) == (3, True, None)


@pytest.mark.parametrize(
    ("number", "trophy", "vuelta", "crowd"),
    [(1, 0, False, 1), (25, 0, False, 2), (26, 0, False, 3), (61, 0, False, 5), (80, 0, False, 6),
     (81, 1, False, None), (85, 1, True, None), (91, 2, True, None), (100, 3, True, None)],
)  # fmt: skip
def test_i_13_the_verdict(number: int, trophy: int, vuelta: bool, crowd: int | None) -> None:
    assert verdict(matador(), number) == {"trophy": trophy, "vuelta": vuelta, "crowd": crowd}


def test_i_13_vuelta_without_a_trophy() -> None:
    card = matador(vuelta="7")
    assert verdict(card, 7) == {"trophy": 0, "vuelta": True, "crowd": 1}


def test_i_13_ranges_on_paper() -> None:
    assert numbers_in("-") == []
    assert numbers_in("7") == [7]
    assert numbers_in("98-100") == [98, 99, 100]


def test_i_14_rating_then_alternativa_then_name() -> None:
    # NFC: decomposed "É" (E + accent) becomes one letter, which comes after Z.
    late = matador("E\u0301l", 70, alternativa=None)
    zeta = matador("Zeta", 70, alternativa=None)
    old = matador("Vieux", 70, alternativa="1801-01-01")
    top = matador("Cumbre", 71, alternativa=None)
    assert running_order([late, zeta, old]) == [old, zeta, late]
    assert running_order([late, top, zeta]) == [top, zeta, late]


def test_i_14_key_after_name() -> None:
    second = matador("Zeta", 70, alternativa=None, key="zeta-2")
    first = matador("Zeta", 70, alternativa=None, key="zeta")
    other = matador("Alfa", 70, alternativa=None, key="zz")
    assert running_order([second, first, other]) == [other, first, second]
