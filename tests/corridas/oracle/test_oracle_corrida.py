"""The second implementation computes whole corridas that were worked out by hand.

They contain running decks, the drawing of lots, injuries and impossible cards.
"""

from __future__ import annotations

import pytest

from tests.corridas.oracle.hand import (
    FINAL,
    ONES,
    OTHER,
    QUIET,
    STROKES,
    THREES,
    TWOS,
    corrida,
    deck,
    lidia,
    three,
)
from tests.corridas.oracle.paper import Contradiction, with_defaults
from tests.corridas.oracle.sheet import work_out_lidia
from tests.corridas.oracle.walk import Case

# A deck in which 0a and 0b lead to HERIDA. The next card decides whether the matador is injured.
GORING = deck(_0a={"first": "BULL", "bull": "HERIDA"}, _0b={"first": "BULL", "bull": "HERIDA"})
SAFE = QUIET.replace("0a 0b", "5b 5c")
AFTER_ONES = f"{TWOS} {THREES} {STROKES} {FINAL}"
# First tercio in which 0a leads to HERIDA and 0c injures the matador: ten marks, eleven cards.
HURT = f"0a 0c 5c 0d 0e 0f 0g 1a 1b 1c 5d {AFTER_ONES}"
# The same first tercio, except that card 0b then injures the second matador, because 0d is drawn
# after it.
TWICE = f"0a 0c 0b 0d 5c 0e 0f 0g 1a 1b 1c 5d {AFTER_ONES}"


def test_i_3_each_bull_begins_with_a_full_deck() -> None:
    assert len(corrida([SAFE] * 6)["lidias"]) == 6


def test_i_3_shared_deck_rejects_a_card_already_drawn() -> None:
    with pytest.raises(Contradiction, match="lidia 1, card 0: card 0 has left") as refused:
        corrida([QUIET] * 6, shuffle="when_exhausted")
    assert (refused.value.lidia, refused.value.position) == (1, 0)


NINE_SCORES = deck(_9c={"first": "LANCE+"})
THIRD = f"8a 9c 8a 0c 0d 0e 0f 0g 1a 1b 1c {AFTER_ONES}"
FIFTH = f"0a 0b 9c 0a 0d 0e 0f 0g 1a 1b 1c {AFTER_ONES}"
# One deck runs through a corrida with 34 + 34 + 35 + 34 + 35 + 34 cards. After two lidias only 8a
# and 9c are left. 9c scores, and its points come from the second deck, with 8a again. After four
# lidias 0a, 0b and 9c are left, and the points of 9c come from the third deck, with 0a again.
RUNNING = [QUIET, OTHER, THIRD, OTHER, FIFTH, OTHER]


def test_i_3_shared_deck_is_reshuffled_in_the_middle_of_a_lidia() -> None:
    result = corrida(RUNNING, NINE_SCORES, shuffle="when_exhausted")
    assert [sheet["matador_points"] for sheet in result["lidias"]] == [0, 0, 8, 0, 0, 0]
    assert [sheet["marks"] for sheet in result["lidias"]] == [[10, 2, 10]] * 6


@pytest.mark.parametrize(
    ("lidia_number", "text", "position"),
    [(2, THIRD.replace("8a 0c", "8a 8a"), 3), (3, OTHER.replace("2g", "8a"), 0),
     (4, FIFTH.replace("0a 0b 9c 0a", "0a 0b 9c 9c 9c"), 4), (5, OTHER.replace("2g", "0d"), 0)],
)  # fmt: skip
def test_i_3_card_repeated_in_a_shared_deck_is_rejected(
    lidia_number: int, text: str, position: int
) -> None:
    texts = [text if n == lidia_number else t for n, t in enumerate(RUNNING)]
    with pytest.raises(Contradiction, match="has left this deck") as refused:
        corrida(texts, NINE_SCORES, shuffle="when_exhausted")
    assert (refused.value.lidia, refused.value.position) == (lidia_number, position)


def test_i_14_matadors_fight_bulls_1_4_then_2_5_then_3_6() -> None:
    matadors = list(reversed(three()))
    result = corrida([QUIET] * 6, matadors=matadors)
    assert [card["name"] for card in result["order"]] == ["A", "B", "C"]
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 1, 2, 0, 1, 2]


def test_i_15_lot_must_give_each_bull_one_turn() -> None:
    with pytest.raises(Contradiction, match="sorteo"):
        corrida([QUIET] * 6, sorteo=(0, 1, 2, 3, 4, 4))


def test_i_15_fate_belongs_to_the_bull_drawn_for_the_turn() -> None:
    # The second fight of matador C ends with three warnings, like his first, because his AVISO
    # range contains 34. The lot decides which two of the six bulls he fights.
    stopped = " ".join(QUIET.split()[:28])
    matadors = three({}, {}, {"aviso": "34"})
    texts = [QUIET, QUIET, stopped, QUIET, QUIET, stopped]
    result = corrida(texts, matadors=matadors, sorteo=(3, 4, 5, 0, 1, 2))
    muerto, corrales = "muerto", "corrales"
    assert result["bulls"] == [muerto, muerto, corrales, muerto, muerto, corrales]
    assert not result["suspended"]


def test_i_16_substitute_finishes_with_his_own_ranges() -> None:
    # The first bull injures A. B finishes it with his own ranges, in which 56 is OREJA. The fourth
    # bull was meant for A, so B begins it. The fifth and sixth remain with B and C.
    card = {"oreja": "51-60", "division": "81-90"}
    result = corrida([HURT, *[SAFE] * 5], GORING, matadors=three({}, card))
    first = result["lidias"][0]
    assert (first["starter"], first["finisher"], first["injured"]) == (0, 1, [0])
    assert (first["trophy"], first["crowd"]) == (1, None)
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 1, 2, 1, 1, 2]


def test_i_16_points_and_marks_stay_after_an_injury() -> None:
    pack = deck(
        _1a={"first": "LANCE+"}, _9f={"second": "CLAVAR+"}, _7a={"second": "BULL", "bull": "HERIDA"}
    )
    # Card 1a scores 8 points (8a). CLAVAR+ scores 6 points (6b). Card 7a leads to HERIDA (a wound),
    # but 5b does not injure. Card 7b scores nothing. The CLAVAR card 9g ends the tercio.
    text = f"{ONES.replace('1a', '1a 8a')} 9f 6b 7a 5b 7b 9g {THREES} {STROKES} {FINAL}"
    stays = lidia(text, pack)
    # The same cards, except that a 0 follows HERIDA: A is injured and B finishes. (Card 0g is used
    # for this, and 8b takes its place in the first tercio.) Marks and points stay as before.
    leaves = lidia(text.replace("0g", "8b").replace("7a 5b", "7a 0g"), pack)
    assert (stays["injured"], leaves["injured"]) == ([], [0])
    for figure in ("marks", "matador_entries", "bull_entries", "score"):
        assert stays[figure] == leaves[figure]
    assert leaves["marks"] == [10, 4, 10]
    assert leaves["matador_entries"] == [[8], [6], []]


def test_i_16_third_matador_continues_alone_after_two_injuries() -> None:
    result = corrida([TWICE, *[SAFE] * 5], GORING)
    assert result["lidias"][0]["injured"] == [0, 1]
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 2, 2, 2, 2, 2]


def test_i_16_corrida_ends_at_the_card_that_injures_the_third_matador() -> None:
    # The first bull injures A. The second injures B, and C finishes it. The third injures C with
    # its second card, which is the last card of the corrida. The bulls of turns 3, 4 and 5 (from 0)
    # never appear.
    result = corrida([HURT, HURT, "0a 0c"], GORING, sorteo=(5, 4, 3, 2, 1, 0))
    last = result["lidias"][2]
    assert (last["ending"], last["starter"], last["finisher"]) == ("broken_off", 2, None)
    assert (last["injured"], last["marks"]) == ([2], [1, 0, 0])
    nothing = [last[f] for f in ("score", "number", "trophy", "vuelta", "crowd")]
    assert nothing == [None] * 5
    assert result["suspended"]
    assert result["bulls"] == ["campo"] * 3 + ["corrales"] + ["muerto"] * 2


def test_i_16_corrida_broken_off_at_the_sixth_bull_is_suspended() -> None:
    # The first bull injures A and B. C continues alone, and the sixth bull injures him.
    result = corrida([TWICE, *[SAFE] * 4, "0a 0c"], GORING)
    assert result["suspended"]
    assert len(result["lidias"]) == 6


def test_i_16_lidia_after_a_suspension_is_rejected() -> None:
    with pytest.raises(Contradiction, match="lidia 3, card 0: the corrida was over"):
        corrida([HURT, HURT, "0a 0c", SAFE], GORING)


def test_i_16_points_of_a_lidia_broken_off_remain() -> None:
    pack = deck(_0a={"first": "BULL", "bull": "HERIDA"}, _5b={"first": "LANCE-"})
    sheet = lidia("5b 8a 0a 0c", pack, able=(1,))
    assert (sheet["ending"], sheet["matador_points"], sheet["starter"]) == ("broken_off", -8, 1)


@pytest.mark.parametrize(
    ("text", "position", "why"),
    [
        (QUIET.replace("0b", "0a"), 1, "has left this deck"),
        (f"{QUIET} 8a", 34, "left over"),
        (QUIET[:-3], 33, "missing"),
        ("", 0, "missing"),
        (QUIET.replace("9f", "9a"), 34, "missing"),
    ],
)
def test_i_18_impossible_cards_are_rejected_with_position_and_reason(
    text: str, position: int, why: str
) -> None:
    with pytest.raises(Contradiction, match=why) as refused:
        lidia(text)
    assert (refused.value.lidia, refused.value.position) == (0, position)


@pytest.mark.parametrize("card", [70, 255, -1])
def test_i_18_card_numbers_above_69_are_rejected(card: int) -> None:
    case = Case(0, with_defaults({}), deck(), three(), [0, 1, 2], 0, [])
    with pytest.raises(Contradiction, match="card 1: there is no card"):
        work_out_lidia(case, [0, card], 1)
