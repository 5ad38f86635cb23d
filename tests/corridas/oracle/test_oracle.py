"""The second implementation computes lidias that were worked out by hand (rulings I-2 to I-13)."""

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

# An uneventful lidia from its second tercio on.
REST = f"{TWOS} {THREES} {STROKES} {FINAL}"
END = f"{STROKES} {FINAL}"


def test_uneventful_lidia_ends_with_number_56_and_division() -> None:
    # No card scores, so the score is 0. The last two cards make the number 56, which is in the
    # range 51-60 of the verdict DIVISION.
    sheet = lidia(QUIET)
    assert sheet["marks"] == [10, 2, 10]
    assert (sheet["ending"], sheet["score"], sheet["number"]) == ("killed", 0, 56)
    assert (sheet["trophy"], sheet["vuelta"], sheet["crowd"]) == (0, False, 4)


@pytest.mark.parametrize(("tens", "units", "number"), [(0, 0, 100), (0, 7, 7), (7, 0, 70)])
def test_i_2_tens_then_units_and_00_is_100(tens: int, units: int, number: int) -> None:
    assert two_cards(tens, units) == number


@pytest.mark.parametrize(("final", "number"), [("0f 0g", 100), ("0f 7a", 7), ("7a 0f", 70)])
def test_i_2_final_number_is_tens_then_units(final: str, number: int) -> None:
    ones = ONES.replace("0f 0g", "5b 5c")
    assert lidia(f"{ones} {TWOS} {THREES} {STROKES} {final}")["number"] == number


def test_i_3_all_70_cards_are_reshuffled_when_none_is_left() -> None:
    # The second tercio (act) ends only with two CLAVAR cards, but the first tercio has drawn all
    # four. So the remaining sixty cards do not end it. The reshuffled deck contains the CLAVAR
    # cards 9f and 9g again, and the second tercio has 62 marks.
    ones = "9d 9e 9f 9g 0a 0b 0c 0d 0e 0f"
    rest = [f"{d}{c}" for d in range(10) for c in "abcdefg" if f"{d}{c}" not in ones]
    sheet = lidia(f"{ones} {' '.join(rest)} {TWOS} {THREES} {END}")
    assert sheet["marks"] == [10, 62, 10]


def test_i_3_oracle_reshuffles_the_card_being_resolved_too() -> None:
    # The 70th card of the deck is 8a, and it scores. The reshuffled deck contains 8a, which is
    # drawn at once and gives 8 points.
    ones = "9d 9e 9f 9g 0a 0b 0c 0d 0e 0f"
    rest = [f"{d}{c}" for d in range(10) for c in "abcdefg" if f"{d}{c}" not in f"{ones} 8a"]
    pack = deck(_8a={"second": "QUIEBRO+"})
    sheet = lidia(f"{ones} {' '.join(rest)} 8a 8a {TWOS} {THREES} {END}", pack)
    assert sheet["matador_entries"] == [[], [8], []]
    assert sheet["marks"] == [10, 62, 10]


def test_i_4_only_cards_of_the_tercio_are_hash_marks() -> None:
    # Cards are written as digit and letter. Card 0a scores, and the next card 7a gives 7 points.
    # Card 0b leads to HERIDA (a wound), but its next card 7b is not a 0, so nobody is injured. The
    # additional cards are not hash marks, so the first tercio still has ten marks.
    pack = deck(_0a={"first": "LANCE+"}, _0b={"first": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0a 0b", "0a 7a 0b 7b")
    sheet = lidia(f"{ones} {REST}", pack)
    assert sheet["marks"] == [10, 2, 10]
    assert sheet["purposes"][:5] == ["1", "matador + 1", "1", "wound", "1"]


def test_i_4_kill_modifiers_do_not_count_as_points_of_a_tercio() -> None:
    # The kill card 3a has the modifier -6. The points of the tercios stay 0, and the score is -6.
    # The number drawn is 56, and 56 - 6 = 50 is in the range of the verdict SILENCIO.
    sheet = lidia(QUIET, deck(_3a={"kill": "MEDIA ESTOCADA -6"}))
    assert (sheet["matador_points"], sheet["kill_points"]) == (0, -6)
    assert (sheet["score"], sheet["number"], sheet["crowd"]) == (-6, 50, 3)


def test_i_5_points_are_noted_by_tercio_and_added_up() -> None:
    # The matador gets 7, -4 and 0 points in the three tercios, together 3. The bull gets -8 in the
    # first and 6 in the third, together -2, so there is no check for indulto (sparing the bull).
    # The number drawn is 56, and 56 + 3 = 59.
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


def test_i_6_bull_is_answered_by_the_bull_entry_of_the_same_card() -> None:
    # Card 0a reads BULL, and the BULL line of the same card is BRAVO-. Only one more card, 7a, is
    # drawn, which gives the points.
    pack = deck(_0a={"first": "BULL", "bull": "BRAVO-"}, _7a={"bull": "HERIDA"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a')} {REST}", pack)
    assert sheet["bull_entries"] == [[-7], [], []]


def test_i_6_bull_is_answered_by_the_bull_entry_of_the_next_card() -> None:
    # Card 0a reads BULL. With this rule option the next card 7a is drawn, and only its BULL line
    # BRAVO- counts. Then 8a is drawn for the points. The cards 7a and 8a are not hash marks.
    pack = deck(_0a={"first": "BULL", "bull": "HERIDA"}, _7a={"first": "LANCE+", "bull": "BRAVO-"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a 8a')} {REST}", pack, bull_reading="next_card")
    assert sheet["bull_entries"] == [[-8], [], []]
    assert sheet["matador_entries"] == [[], [], []]
    assert (sheet["injured"], sheet["marks"]) == ([], [10, 2, 10])


@pytest.mark.parametrize(("after", "injured", "finisher"), [("7a", [], 0), ("0g", [0], 1)])
def test_i_7_only_a_0_after_herida_injures_the_matador(
    after: str, injured: list[int], finisher: int
) -> None:
    pack = deck(_0a={"first": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0g", "5c").replace("0a", f"0a {after}")
    sheet = lidia(f"{ones} {REST}", pack)
    assert (sheet["injured"], sheet["starter"], sheet["finisher"]) == (injured, 0, finisher)


def test_i_8_second_clavar_is_resolved_before_the_tercio_ends() -> None:
    # The second tercio draws 7a (no effect), 9f (CLAVAR), 7b (no effect) and 9g (CLAVAR+). The
    # points of 9g require one more card, 8a, before the tercio ends.
    pack = deck(_9g={"second": "CLAVAR+"})
    sheet = lidia(f"{ONES} 7a 9f 7b 9g 8a {THREES} {END}", pack)
    assert (sheet["marks"], sheet["matador_entries"]) == ([10, 4, 10], [[], [8], []])


def test_i_8_clavar_drawn_for_points_does_not_count() -> None:
    # Card 9f is drawn for the points of 7a, so it does not count as a CLAVAR. The CLAVAR cards 9g
    # and 9d end the tercio.
    sheet = lidia(f"{ONES} 7a 9f 9g 9d {THREES} {END}", deck(_7a={"second": "QUIEBRO-"}))
    assert (sheet["marks"], sheet["matador_entries"]) == ([10, 3, 10], [[], [-9], []])


BRAVE = deck(_1d={"third": "BULL", "bull": "BRAVO+"})
# A deck with which the bull has 7 points in total after the faena (third tercio).
BRAVE_THREES = THREES.replace("1d", "1d 7a")


def test_i_9_a_spared_bull_skips_the_kill() -> None:
    # The cards 8a and 5b make the number 85, which is in the INDULTO range, so the bull is spared.
    # The kill is skipped, and the next two cards make the final number 56.
    order = three({"indulto": "85-90"})
    sheet = lidia(f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {FINAL}", BRAVE, order=order)
    assert (sheet["ending"], sheet["indulto"], sheet["strokes"]) == ("spared", 85, [])
    assert (sheet["kill_points"], sheet["avisos"], sheet["number"]) == (0, 0, 56)


@pytest.mark.parametrize("indulto", ["-", "86-90"])
def test_i_9_bull_outside_the_indulto_range_is_killed(indulto: str) -> None:
    order = three({"indulto": indulto})
    sheet = lidia(f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {END}", BRAVE, order=order)
    assert (sheet["ending"], sheet["indulto"]) == ("killed", 85)


def test_i_9_bull_with_a_total_of_0_is_not_checked() -> None:
    # The card drawn for the bull's points is a 0 (card 0g). The bull's total is not above 0, so the
    # next card is not for the indulto but the first of the kill.
    ones, threes = ONES.replace("0g", "5c"), THREES.replace("1d", "1d 0g")
    sheet = lidia(f"{ones} {TWOS} {threes} {END}", BRAVE, order=three({"indulto": "1-100"}))
    assert (sheet["ending"], sheet["indulto"]) == ("killed", None)


def test_i_9_indulto_range_is_that_of_the_substitute() -> None:
    # The tenth card of the faena (third tercio) is 2f, and the next card 0g injures matador A.
    # Matador B takes over. His INDULTO range contains the number 85, so the bull is spared.
    pack = deck(_1d={"third": "BULL", "bull": "BRAVO+"}, _2f={"third": "BULL", "bull": "HERIDA"})
    ones = ONES.replace("0g", "5c")
    order = three({"indulto": "-"}, {"indulto": "85"})
    sheet = lidia(f"{ones} {TWOS} {BRAVE_THREES} 0g 8a 5b {FINAL}", pack, order=order)
    assert (sheet["ending"], sheet["injured"], sheet["finisher"]) == ("spared", [0], 1)


def test_i_10_two_warnings_cost_nine_each() -> None:
    # The five warning numbers are 34, 34, 34, 38 and 37. The AVISO range is 37-38, so there are two
    # warnings, which cost 18 points. The modifiers of the kill cards cost 2. The number drawn is
    # 56, and 56 - 20 = 36.
    strokes = "3a 4a 3b 4b 3c 4c 3d 8a 3e 7a"
    order = three({"aviso": "37-38"})
    pack = deck(_3b={"kill": "PINCHAZO -2"})
    sheet = lidia(f"{ONES} {TWOS} {THREES} {strokes} {FINAL}", pack, order=order)
    assert (sheet["strokes"], sheet["warnings"]) == ([0, -2, 0, 0, 0], [38, 37])
    assert (sheet["avisos"], sheet["score"], sheet["number"]) == (2, -20, 36)


def test_i_10_the_third_warning_stops_the_bullfight() -> None:
    # All warning numbers are 34, which is in the AVISO range. So the third warning ends the fight
    # after six cards of the kill. The modifier -5 of the third kill card, 3c, still counts.
    pack = deck(_3c={"kill": "BAJONAZO -5"})
    sheet = lidia(f"{ONES} {TWOS} {THREES} 3a 4a 3b 4b 3c 4c", pack, order=three({"aviso": "34"}))
    assert (sheet["ending"], sheet["avisos"], sheet["kill_points"]) == ("three_avisos", 3, -5)
    assert (sheet["score"], sheet["number"], sheet["finisher"]) == (None, None, 0)
    assert (sheet["trophy"], sheet["vuelta"], sheet["crowd"]) == (0, False, 1)


def test_i_10_third_warning_with_the_fifth_stroke_ends_the_lidia() -> None:
    strokes = "3a 8a 3b 8b 3c 4c 3d 4d 3e 4e"
    text = f"{ONES} {TWOS} {THREES} {strokes}"
    order = three({"aviso": "34"})
    assert lidia(text, order=order)["ending"] == "three_avisos"
    with pytest.raises(Contradiction, match="card 32: cards are left over"):
        lidia(f"{text} {FINAL}", order=order)


@pytest.mark.parametrize(("bull_points", "final"), [("separate", 0), ("against", -7), ("for", 7)])
def test_i_11_bull_points_count_as_the_option_says(bull_points: str, final: int) -> None:
    text = f"{ONES} {TWOS} {BRAVE_THREES} 8a 5b {END}"
    sheet = lidia(text, BRAVE, bull_points=bull_points)
    assert (sheet["final"], sheet["number"]) == (final, 56 + final)


@pytest.mark.parametrize("plaza", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_i_12_score_is_divided_by_the_plaza_rating_towards_zero(plaza: int, sign: int) -> None:
    # The matador has 7 or -7 points. Divided by the plaza's rating 3, 2 or 1 and rounded towards
    # zero, this gives 2, 3 or 7, with the same sign.
    pack = deck(_0a={"first": "LANCE+" if sign > 0 else "LANCE-"})
    sheet = lidia(f"{ONES.replace('0a', '0a 7a')} {REST}", pack, plaza=plaza)
    assert sheet["score"] == sign * {1: 7, 2: 3, 3: 2}[plaza]


@pytest.mark.parametrize(
    ("kill", "final", "number"), [("ESTOCADA -60", FINAL, 1), ("ESTOCADA -55", FINAL, 1)]
)
def test_i_13_number_below_1_counts_as_1(kill: str, final: str, number: int) -> None:
    sheet = lidia(QUIET, deck(_3a={"kill": kill}))
    assert (sheet["number"], sheet["crowd"]) == (number, 1)


def test_i_13_number_above_100_counts_as_100() -> None:
    # 98 + 7 is limited to 100. This number is in the ranges RABO (tail) and VUELTA (lap of honour).
    # There is a trophy, so there is no verdict of the crowd.
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
def test_i_13_number_decides_the_verdict(
    number: int, trophy: int, vuelta: bool, crowd: int | None
) -> None:
    assert verdict(matador(), number) == {"trophy": trophy, "vuelta": vuelta, "crowd": crowd}


def test_i_13_vuelta_is_possible_without_a_trophy() -> None:
    card = matador(vuelta="7")
    assert verdict(card, 7) == {"trophy": 0, "vuelta": True, "crowd": 1}


def test_i_13_printed_ranges_are_read_as_numbers() -> None:
    assert numbers_in("-") == []
    assert numbers_in("7") == [7]
    assert numbers_in("98-100") == [98, 99, 100]


def test_i_14_matadors_appear_by_rating_then_alternativa_then_name() -> None:
    # In the Unicode form NFC, E with a combining accent becomes the single letter É, which is
    # sorted after Z.
    late = matador("E\u0301l", 70, alternativa=None)
    zeta = matador("Zeta", 70, alternativa=None)
    old = matador("Vieux", 70, alternativa="1801-01-01")
    top = matador("Cumbre", 71, alternativa=None)
    assert running_order([late, zeta, old]) == [old, zeta, late]
    assert running_order([late, top, zeta]) == [top, zeta, late]


def test_i_14_matadors_of_one_name_appear_by_key() -> None:
    second = matador("Zeta", 70, alternativa=None, key="zeta-2")
    first = matador("Zeta", 70, alternativa=None, key="zeta")
    other = matador("Alfa", 70, alternativa=None, key="zz")
    assert running_order([second, first, other]) == [other, first, second]
