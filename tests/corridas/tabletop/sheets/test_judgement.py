"""The judgement of a corrida that leagues use: ears by seat, places, evidence and objections."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import Rules, Trophy
from corridas.game import INDULTO, LEADER_POINTS, points_by_seat
from corridas.tabletop.sheets import Awaits, Pad, Use, judge
from leagues.games import Judgement
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL
from tests.corridas.tabletop.sheets.paper import Sheet, deck_of, figures, frame, tercio

# Numbers that bring one of three trophies, and one that brings none.
EAR, TWO, TAIL, NOTHING = 61, 81, 96, 50


def corrida(*numbers: int, leads: Any = (0, 1, 2), **changed: Any) -> Sheet:
    """Return the sheet of a corrida of six bulls with these final numbers."""
    lidias = [{"sheet": figures(number=number)} for number in numbers]
    return {**frame(), "leads": list(leads), "lidias": lidias, **changed}


def judged(sheet: Any, seats: int, rules: Any = None) -> Judgement:
    """Return the judgement that leagues receive."""
    return INDULTO.referee.judge(rules=rules or USUAL.options(), seats=seats, sheet=sheet)


def test_points_for_each_trophy_of_a_matador() -> None:
    """A tail counts as two ears and one tail (Ruling I-17)."""
    assert LEADER_POINTS == {Trophy.NONE: 0, Trophy.OREJA: 1, Trophy.DOS_OREJAS: 2, Trophy.RABO: 4}


SEATS: list[Any] = [
    # Each case: seats that lead the matadors; number of seats; points; places. Ana cuts an ear and
    # two ears with her bulls, Blas a tail.
    ((0, 1, 2), 3, (3, 4, 0), (2, 1, 3)),
    ((2, 1, 0), 3, (0, 4, 3), (3, 1, 2)),
    ((0, 1, 0), 2, (3, 4), (2, 1)),
    ((1, 1, 0), 2, (0, 7), (2, 1)),
    ((0, 0, 0), 1, (7,), (1,)),
    ((0, 1, 1), 2, (3, 4), (2, 1)),
]


@pytest.mark.parametrize(("leads", "seats", "points", "places"), SEATS)
def test_ears_count_for_the_seat_that_leads_the_matador(
    leads: tuple[int, ...], seats: int, points: Any, places: Any
) -> None:
    found = judged(corrida(EAR, TAIL, NOTHING, TWO, NOTHING, NOTHING, leads=leads), seats)
    assert (found.points, found.places, found.over) == (points, places, True)
    assert (found.objections, found.evidence) == ((), "sheet")


def test_tied_players_share_their_place() -> None:
    found = judged(corrida(EAR, EAR, NOTHING, NOTHING, NOTHING, NOTHING), 3)
    assert (found.points, found.places) == ((1, 1, 0), (1, 1, 3))


def test_ears_count_for_the_matador_who_finished() -> None:
    """The first bull injures Ana.

    Blas cuts its ear, and an ear of her second bull (Ruling I-16).
    """
    sheet = corrida(EAR, NOTHING, NOTHING, EAR, NOTHING, NOTHING)
    sheet["lidias"][0]["sheet"]["injured"] = [0]
    assert judged(sheet, 3).points == (0, 2, 0)


LEADS: list[Any] = [
    ((0, 1, 1), 3),  # the third player leads nobody
    ((0, 1, 2), 2),  # seat 2 does not exist
    ((1, 1, 1), 2),
    ((1, 1, 1), 1),
]


@pytest.mark.parametrize(("leads", "seats"), LEADS)
def test_every_seat_must_lead_a_matador(leads: tuple[int, ...], seats: int) -> None:
    found = judged(corrida(*[EAR] * 6, leads=leads), seats)
    assert [objection.path for objection in found.objections] == ["leads"]
    assert (found.over, found.places, len(found.points)) == (False, (), seats)


@pytest.mark.slow
def test_missing_lidias_leave_the_corrida_open_without_objection() -> None:
    found = judged(corrida(*[EAR] * 5), 3)
    assert (found.objections, found.over, found.places) == ((), False, ())
    assert found.points == (2, 2, 1)
    unled = judged({**corrida(*[EAR] * 6), "leads": None}, 3)
    assert (unled.objections, unled.over, unled.points) == ((), False, (0, 0, 0))
    wrong = judged(corrida(*[EAR] * 5, 101), 3)
    assert [(one.path, one.ruling) for one in wrong.objections] == [
        ("lidias/5/sheet/number", "I-2")
    ]
    assert (wrong.over, wrong.places) == (False, ())


@pytest.mark.parametrize("rules", [{"shuffle": "never"}, {"colour": "red"}, 7, [1]])
def test_scoresheet_with_invalid_rules_gets_an_objection(rules: Any) -> None:
    found = judged(corrida(*[EAR] * 6), 2, rules)
    assert [objection.path for objection in found.objections] == ["rules"]
    assert (found.points, found.over, found.evidence) == ((0, 0), False, "score")


def test_deck_must_be_named_by_its_digest() -> None:
    found = judged({**corrida(*[EAR] * 6), "deck": 7}, 3)
    assert [(one.path, one.ruling) for one in found.objections] == [("deck", "I-1")]


def test_judgement_uses_the_rules_of_the_match() -> None:
    """The bull has -3 points.

    With the option `against` they turn the number 60 into 63, an ear (I-11).
    """
    sheet = corrida(*[NOTHING] * 5, 60)
    sheet["lidias"][5]["sheet"] |= {"tercios": tercio(1, 0, -3)}
    assert judged(sheet, 3).points == (0, 0, 0)
    assert judged(sheet, 3, Rules(bull_points="against").options()).points == (0, 0, 1)


def test_lidia_without_a_result_gives_no_ears() -> None:
    reading = judge(USUAL, DECK, corrida(EAR, 101, EAR))
    assert points_by_seat(reading, 3) == (1, 0, 1)


# A deck for testing what each card is drawn for: the first reads BULL and injures, the second (1)
# scores.
PAD_DECK = deck_of(
    first={0: "BULL", 1: "PASE+", 2: "BULL", 3: "BULL"},
    bull={0: "HERIDA", 2: "EMBISTE+", 3: "MIRA"},
    third=dict.fromkeys(range(70), "PASE"),
)


def pad(*cards: int, rules: Rules = USUAL) -> Pad:
    """Return the card-entry pad of the first bull after these cards."""
    found = Pad.of(rules, PAD_DECK, {**frame(indulto="1-100"), "lidias": [{"cards": cards}]}, 0)
    assert found is not None
    return found


AWAITED: list[Any] = [
    # Each case: cards; what the next card is drawn for.
    ((), Awaits(Use.MARK, 1, 1, False, "first")),
    ((10,), Awaits(Use.MARK, 1, 2, False, "first")),
    ((1,), Awaits(Use.SCORE, 1, 0, False, "number")),
    ((2,), Awaits(Use.BULL_SCORE, 1, 0, False, "number")),
    ((0,), Awaits(Use.INJURY, 0, 0, False, "number")),
    ((3,), Awaits(Use.MARK, 1, 2, False, "first")),
    ((1, 10), Awaits(Use.MARK, 1, 2, False, "first")),
    (tuple(range(10, 19)), Awaits(Use.MARK, 1, 10, False, "first")),
    (tuple(range(10, 20)), Awaits(Use.MARK, 2, 1, False, "second")),
    ((*range(10, 20), 0), Awaits(Use.MARK, 2, 2, False, "second")),
    ((*range(10, 20), 0, 1), Awaits(Use.MARK, 3, 1, False, "third")),
    ((*range(10, 20), 0, 1, *range(20, 30)), Awaits(Use.STROKE, 3, 1, False, "kill")),
    ((*range(10, 20), 0, 1, *range(20, 31)), Awaits(Use.AVISO, 3, 0, False, "number")),
    ((*range(10, 20), 0, 1, *range(20, 32)), Awaits(Use.STROKE, 3, 2, False, "kill")),
    ((*range(10, 20), 0, 1, *range(20, 40)), Awaits(Use.FINAL, 3, 0, True, "number")),
    ((*range(10, 20), 0, 1, *range(20, 41)), Awaits(Use.FINAL, 3, 0, False, "number")),
    # The bull has nine points, so the number for the indulto is drawn.
    ((2, 9, *range(10, 19), 0, 1, *range(20, 30)), Awaits(Use.INDULTO, 3, 0, True, "number")),
    ((2, 9, *range(10, 19), 0, 1, *range(20, 31)), Awaits(Use.INDULTO, 3, 0, False, "number")),
]


@pytest.mark.parametrize(("cards", "awaited"), AWAITED)
def test_card_entry_pad_says_what_the_next_card_is_for(
    cards: tuple[int, ...], awaited: Awaits
) -> None:
    found = pad(*cards)
    assert found.awaits == awaited
    assert found.cards == cards
    assert (found.over, found.refused, found.surplus, found.number) == (False, None, 0, None)
    assert set(found.left) == set(range(70)) - set(cards)
    offers = found.with_number(5)
    assert [offer.card for offer in offers] == [c for c in range(5, 70, 10) if c not in cards]


def test_card_entry_pad_requests_an_answer_to_bull_with_option_next_card() -> None:
    """Check the option `next_card` of Ruling I-6."""
    rules = Rules(bull_reading="next_card")
    assert pad(0, rules=rules).awaits == Awaits(Use.ANSWER, 1, 0, False, "bull")
    assert pad(0, 2, rules=rules).awaits == Awaits(Use.BULL_SCORE, 1, 0, False, "number")
    assert pad(2, 0, rules=rules).awaits == Awaits(Use.INJURY, 0, 0, False, "number")


def test_card_entry_pad_names_the_matador_in_the_ring() -> None:
    """A 0 injures (Ruling I-7), and the next matador in turn takes over from the next card on."""
    assert (pad(0, 11).starter, pad(0, 11).on_the_sand) == (0, 0)
    assert (pad(0, 10).starter, pad(0, 10).on_the_sand) == (0, 1)
    assert pad(0, 10).awaits == Awaits(Use.MARK, 1, 2, False, "first")


def test_card_entry_pad_of_a_finished_fight_requests_no_card() -> None:
    cards = (*range(10, 20), 0, 1, *range(20, 42))
    found = pad(*cards)
    assert (found.over, found.awaits, found.offers, found.surplus) == (True, None, (), 0)
    assert found.number == 1  # a 0 for the tens, a 1 for the units
    assert pad(*cards, 50, 51).surplus == 2
    assert found.last
    assert pad().last == ()


def test_card_entry_pad_shows_the_text_that_counts_on_each_card() -> None:
    first = {offer.card: offer for offer in pad().offers}
    assert [first[card].reading for card in (0, 1, 2, 10)] == ["BULL", "PASE+", "BULL", "PASE"]
    assert first[1].readings == ("PASE+", "CLAVAR", "PASE", "MIRA", "ESTOCADA 0")
    assert {offer.card: offer.reading for offer in pad(1).offers}[15] == "5"


def test_card_entry_pad_stops_at_an_impossible_card() -> None:
    for cards, at in (((10, 10), 1), ((10, 11, 10, 12), 2), ((70,), 0)):
        found = pad(*cards)
        assert (found.refused, found.awaits, found.offers) == (at, None, ())
    assert pad(10, 70).cards == (10, -1)


@pytest.mark.parametrize(("points", "said"), [
    ((3, 2), "Ana wins the corrida with 3 ears."),
    ((0, 1), "Berta wins the corrida with 1 ear."),
    ((2, 2), "Ana and Berta win the corrida with 2 ears each."),
    ((0, 0), "No ears were cut."),
])  # fmt: skip
def test_winner_of_a_corrida_has_most_ears(points: tuple[int, ...], said: str) -> None:
    assert INDULTO.ended
    assert INDULTO.ended({}, {}, ["Ana", "Berta"], points) == said
