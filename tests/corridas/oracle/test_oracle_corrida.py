"""Corridas worked out by hand: decks that run on, sorteo, injuries, cards that cannot be."""

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

GORING = deck(_0a={"first": "BULL", "bull": "HERIDA"}, _0b={"first": "BULL", "bull": "HERIDA"})
"""0a and 0b gore; whatever comes next decides."""
SAFE = QUIET.replace("0a 0b", "5b 5c")
AFTER_ONES = f"{TWOS} {THREES} {STROKES} {FINAL}"
HURT = f"0a 0c 5c 0d 0e 0f 0g 1a 1b 1c 5d {AFTER_ONES}"
"""0a gores, 0c puts one matador out: ten hash marks, eleven cards."""
TWICE = f"0a 0c 0b 0d 5c 0e 0f 0g 1a 1b 1c 5d {AFTER_ONES}"
"""0b gores the second at once, 0d puts him out as well."""


def test_i_3_each_bull_begins_with_all_cards() -> None:
    assert len(corrida([SAFE] * 6)["lidias"]) == 6


def test_i_3_one_deck_runs_through() -> None:
    with pytest.raises(Contradiction, match="lidia 1, card 0: card 0 has left") as refused:
        corrida([QUIET] * 6, shuffle="when_exhausted")
    assert (refused.value.lidia, refused.value.position) == (1, 0)


NINE_SCORES = deck(_9c={"first": "LANCE+"})
THIRD = f"8a 9c 8a 0c 0d 0e 0f 0g 1a 1b 1c {AFTER_ONES}"
FIFTH = f"0a 0b 9c 0a 0d 0e 0f 0g 1a 1b 1c {AFTER_ONES}"
RUNNING = [QUIET, OTHER, THIRD, OTHER, FIFTH, OTHER]
"""One deck through a corrida of 34 + 34 + 35 + 34 + 35 + 34 cards.

After two lidias 8a and 9c are left; 9c scores, and its points come from the second deck: 8a again.
After four (33 + 34 of the second deck) 0a, 0b and 9c are left; 9c's points come from the third
deck: 0a again.
"""


def test_i_3_the_running_deck_is_renewed_in_the_middle_of_a_lidia() -> None:
    result = corrida(RUNNING, NINE_SCORES, shuffle="when_exhausted")
    assert [sheet["matador_points"] for sheet in result["lidias"]] == [0, 0, 8, 0, 0, 0]
    assert [sheet["marks"] for sheet in result["lidias"]] == [[10, 2, 10]] * 6


@pytest.mark.parametrize(
    ("lidia_number", "text", "position"),
    [(2, THIRD.replace("8a 0c", "8a 8a"), 3), (3, OTHER.replace("2g", "8a"), 0),
     (4, FIFTH.replace("0a 0b 9c 0a", "0a 0b 9c 9c 9c"), 4), (5, OTHER.replace("2g", "0d"), 0)],
)  # fmt: skip
def test_i_3_a_card_twice_in_a_running_deck(lidia_number: int, text: str, position: int) -> None:
    texts = [text if n == lidia_number else t for n, t in enumerate(RUNNING)]
    with pytest.raises(Contradiction, match="has left this deck") as refused:
        corrida(texts, NINE_SCORES, shuffle="when_exhausted")
    assert (refused.value.lidia, refused.value.position) == (lidia_number, position)


def test_i_14_bulls_1_4_2_5_3_6() -> None:
    matadors = list(reversed(three()))
    result = corrida([QUIET] * 6, matadors=matadors)
    assert [card["name"] for card in result["order"]] == ["A", "B", "C"]
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 1, 2, 0, 1, 2]


def test_i_15_the_sorteo_gives_every_bull_one_turn() -> None:
    with pytest.raises(Contradiction, match="sorteo"):
        corrida([QUIET] * 6, sorteo=(0, 1, 2, 3, 4, 4))


def test_i_15_the_bull_of_the_turn_meets_its_fate() -> None:
    # Turn 2 (matador C, aviso 34) ends with three warnings; its bull is 5.
    stopped = " ".join(QUIET.split()[:28])
    matadors = three({}, {}, {"aviso": "34"})
    texts = [QUIET, QUIET, stopped, QUIET, QUIET, stopped]
    result = corrida(texts, matadors=matadors, sorteo=(3, 4, 5, 0, 1, 2))
    muerto, corrales = "muerto", "corrales"
    assert result["bulls"] == [muerto, muerto, corrales, muerto, muerto, corrales]
    assert not result["suspended"]


def test_i_16_the_next_able_finishes_and_ranges_are_his() -> None:
    # A is hurt with the first bull. B finishes with B's ranges (56 is his OREJA).
    # Bull 4 would be A's: B begins it, and 5 and 6 stay with B and C.
    card = {"oreja": "51-60", "division": "81-90"}
    result = corrida([HURT, *[SAFE] * 5], GORING, matadors=three({}, card))
    first = result["lidias"][0]
    assert (first["starter"], first["finisher"], first["injured"]) == (0, 1, [0])
    assert (first["trophy"], first["crowd"]) == (1, None)
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 1, 2, 1, 1, 2]


def test_i_16_totals_and_marks_stay_on_the_sheet() -> None:
    pack = deck(
        _1a={"first": "LANCE+"}, _9f={"second": "CLAVAR+"}, _7a={"second": "BULL", "bull": "HERIDA"}
    )
    # 1a scores 8 (8a); CLAVAR+ 6 (6b); 7a gores, 5b: not; 7b nothing; 9g ends the tercio.
    text = f"{ONES.replace('1a', '1a 8a')} 9f 6b 7a 5b 7b 9g {THREES} {STROKES} {FINAL}"
    stays = lidia(text, pack)
    # The same with a 0 (0g, freed from the ones by 8b): B finishes; marks and points as before.
    leaves = lidia(text.replace("0g", "8b").replace("7a 5b", "7a 0g"), pack)
    assert (stays["injured"], leaves["injured"]) == ([], [0])
    for figure in ("marks", "matador_entries", "bull_entries", "score"):
        assert stays[figure] == leaves[figure]
    assert leaves["marks"] == [10, 4, 10]
    assert leaves["matador_entries"] == [[8], [6], []]


def test_i_16_two_hurt_by_one_bull_the_third_goes_on_alone() -> None:
    result = corrida([TWICE, *[SAFE] * 5], GORING)
    assert result["lidias"][0]["injured"] == [0, 1]
    assert [sheet["starter"] for sheet in result["lidias"]] == [0, 2, 2, 2, 2, 2]


def test_i_16_with_nobody_able_it_ends_at_that_card() -> None:
    # A out with the first bull, B out with the second (finished by C), C with the third: the
    # second card of that lidia is the last one. Bulls of turns 3, 4, 5 never came out.
    result = corrida([HURT, HURT, "0a 0c"], GORING, sorteo=(5, 4, 3, 2, 1, 0))
    last = result["lidias"][2]
    assert (last["ending"], last["starter"], last["finisher"]) == ("broken_off", 2, None)
    assert (last["injured"], last["marks"]) == ([2], [1, 0, 0])
    nothing = [last[f] for f in ("score", "number", "trophy", "vuelta", "crowd")]
    assert nothing == [None] * 5
    assert result["suspended"]
    assert result["bulls"] == ["campo"] * 3 + ["corrales"] + ["muerto"] * 2


def test_i_16_broken_off_with_the_last_bull() -> None:
    # A and B are out after the first two; C alone fights on and is hurt by the sixth bull.
    result = corrida([TWICE, *[SAFE] * 4, "0a 0c"], GORING)
    assert result["suspended"]
    assert len(result["lidias"]) == 6


def test_i_16_a_later_lidia_cannot_follow_a_suspension() -> None:
    with pytest.raises(Contradiction, match="lidia 3, card 0: the corrida was over"):
        corrida([HURT, HURT, "0a 0c", SAFE], GORING)


def test_i_16_points_of_a_lidia_broken_off_are_kept() -> None:
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
def test_i_18_cards_that_cannot_be(text: str, position: int, why: str) -> None:
    with pytest.raises(Contradiction, match=why) as refused:
        lidia(text)
    assert (refused.value.lidia, refused.value.position) == (0, position)


@pytest.mark.parametrize("card", [70, 255, -1])
def test_i_18_there_are_seventy_cards(card: int) -> None:
    case = Case(0, with_defaults({}), deck(), three(), [0, 1, 2], 0, [])
    with pytest.raises(Contradiction, match="card 1: there is no card"):
        work_out_lidia(case, [0, card], 1)
