"""Indulto as a game of the leagues: points by seat, places, rejected sheets, and rule options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from django.utils import translation

from accounts.wording import bloodless
from corridas.engine import CHOICES
from corridas.game import INDULTO, LABELS, PROFILES, points_by_seat
from corridas.tabletop.sheets import judge
from leagues.games import Judgement, RulesRefused
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL, heading, played

SETUP, _RECORD = played(2)
NAMES = ("ana", "blas", "carla")
# The index of the matador who finishes each bull, by order of appearance, if no matador is injured.
FINISHED = (0, 1, 2, 0, 1, 2)


def trophies(*won: int) -> list[dict[str, Any]]:
    """Return six lidias given by results only.

    Each final number is inside the range of its trophy.
    """
    found = []
    for turn, trophy in enumerate(won):
        card = SETUP.order[FINISHED[turn]]
        bands = (card.silencio, card.oreja, card.dos_orejas, card.rabo)
        number = bands[trophy].low
        found.append({"score": {"ending": "killed", "avisos": 0, "modified": number}})
    return found


def sheet(*won: int, leads: Sequence[int] | None = (0, 1, 0)) -> dict[str, Any]:
    written = {**heading(SETUP), "lidias": trophies(*won)}
    if leads is None:
        del written["leads"]
    else:
        written["leads"] = list(leads)
    return written


def judged(written: dict[str, Any], seats: int) -> Judgement:
    return INDULTO.referee.judge(rules={}, seats=seats, sheet=written)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("won", "leads", "points", "places"),
    [
        # An ear gives one point, two ears two and a tail two more (Ruling I-17), to the seat that
        # led the matador who finished the bull.
        ((0, 0, 0, 0, 0, 0), (0, 1, 2), (0, 0, 0), (1, 1, 1)),
        ((1, 0, 0, 0, 0, 0), (0, 1, 2), (1, 0, 0), (1, 2, 2)),
        ((1, 2, 3, 0, 0, 0), (0, 1, 2), (1, 2, 4), (3, 2, 1)),
        ((1, 2, 3, 0, 0, 0), (2, 1, 0), (4, 2, 1), (1, 2, 3)),
        ((2, 2, 1, 0, 0, 0), (0, 1, 2), (2, 2, 1), (1, 1, 3)),
        ((1, 0, 1, 1, 0, 3), (0, 1, 0), (7, 0), (1, 2)),
        ((1, 0, 1, 1, 0, 3), (1, 0, 1), (0, 7), (2, 1)),
        ((3, 3, 3, 3, 3, 3), (0, 0, 0), (24,), (1,)),
        ((0, 0, 0, 3, 2, 2), (0, 1, 1), (4, 4), (1, 1)),
    ],
)
def test_points_for_ears_go_to_the_seat_that_led_the_finishing_matador(
    won: tuple[int, ...], leads: tuple[int, ...], points: tuple[int, ...], places: tuple[int, ...]
) -> None:
    found = judged(sheet(*won, leads=leads), len(points))
    assert found.objections == ()
    assert (found.points, found.places, found.over) == (points, places, True)
    assert found.evidence == "score"


@pytest.mark.parametrize(
    ("leads", "seats", "stands"),
    [
        ((0, 1, 0), 2, True),
        ((0, 0, 0), 2, False),
        ((0, 1, 2), 2, False),
        ((0, 1, 2), 3, True),
        ((0, 1, 1), 3, False),
        ((0, 0, 0), 1, True),
        ((1, 1, 1), 1, False),
    ],
)
def test_every_seat_must_lead_a_matador_and_no_other_seat_may(
    leads: tuple[int, ...], seats: int, stands: bool
) -> None:
    found = judged(sheet(1, 1, 1, 1, 1, 1, leads=leads), seats)
    assert found.over == stands
    assert [line.path for line in found.objections] == ([] if stands else ["leads"])
    assert found.places == (found.places if stands else ())
    assert len(found.points) == seats


def test_an_incomplete_sheet_has_no_places_and_no_objections() -> None:
    written = sheet(1, 0, 0, 0, 0, 0)
    written["lidias"][5] = {}
    found = judged(written, 2)
    assert (found.objections, found.over, found.places) == ((), False, ())
    assert found.points == (1, 0)


def test_a_sheet_without_leaders_gives_no_points() -> None:
    found = judged(sheet(3, 3, 3, 3, 3, 3, leads=None), 2)
    assert (found.points, found.over, found.places) == ((0, 0), False, ())
    reading = judge(USUAL, DECK, sheet(3, 3, 3, 3, 3, 3, leads=None))
    assert points_by_seat(reading, 2) == (0, 0)


def test_an_objection_names_the_field_and_gives_a_sentence() -> None:
    written = sheet(1, 0, 0, 0, 0, 0)
    written["lidias"][2]["score"]["modified"] = 101
    found = judged(written, 2)
    assert [line.path for line in found.objections] == ["lidias/2/score/modified"]
    assert found.objections[0].ruling == "I-13"
    assert any(line.endswith(found.objections[0].sentence) for line in found.lines)
    assert (found.over, found.places) == (False, ())


@pytest.mark.parametrize("language", ["en", "es"])
def test_leagues_show_the_referee_s_objections_in_the_terms_of_the_game(language: str) -> None:
    written = sheet(1, 0, 0, 0, 0, 0)
    written["lidias"][2]["score"]["avisos"] = 3
    with translation.override(language):
        usual = judged(written, 2)
    with translation.override(bloodless(language)):
        told = judged(written, 2)
        own = judge(USUAL, DECK, written).contradictions[0].sentence
    assert told == usual
    assert usual.objections[0].sentence != own


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"shuffle": "never"}, "shuffle"),
        ({"shuffle": "each_bull", "bull_points": "half"}, "bull_points"),
        ({"bull_reading": "same_card", "pace": 3}, "pace"),
        ({"bull_points": None}, "bull_points"),
    ],
)
def test_an_invalid_rule_option_is_named(options: dict[str, Any], field: str) -> None:
    with pytest.raises(RulesRefused) as refused:
        INDULTO.normalise(options)
    assert refused.value.field == field
    known = field in LABELS
    assert (
        (str(LABELS[field][0]) in str(refused.value)) if known else ("pace" in str(refused.value))
    )


def test_every_rule_choice_has_a_label_and_every_profile_a_description() -> None:
    assert {key: set(choices) for key, (_l, _h, choices) in LABELS.items()} == {
        key: set(values) for key, values in CHOICES.items()
    }
    described = {key: INDULTO.describe(options) for key, (_n, _s, options) in PROFILES.items()}
    assert described["rulebook"] == [
        "When the deck is shuffled: before every bull",
        "When a card says BULL: read the same card",
        "The bull’s points: are kept separate",
    ]
    changed = {
        key: [line for line in lines if line not in described["rulebook"]]
        for key, lines in described.items()
    }
    assert changed == {
        "rulebook": [],
        "one_deck": ["When the deck is shuffled: when no cards are left"],
        "next_card": ["When a card says BULL: read the next card"],
        "against": ["The bull’s points: are deducted from the score"],
        "for": ["The bull’s points: are added to the score"],
    }
    assert [(o.key, o.default) for o in INDULTO.options] == [
        ("shuffle", "each_bull"),
        ("bull_reading", "same_card"),
        ("bull_points", "separate"),
    ]


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_every_player_is_a_side_of_their_own(seats: int) -> None:
    assert INDULTO.sides({}, seats) == tuple(range(seats))
    assert list(INDULTO.seat_counts({})) == [1, 2, 3]


def test_points_without_a_sheet_are_accepted_if_six_bulls_can_give_them() -> None:
    """Every possible distribution of trophies between three seats is accepted, and no other
    points.
    """
    worth, tried = (0, 1, 2, 4), (-1, 0, 1, 2, 3, 4, 6, 7, 8, 12, 15, 20, 22, 23, 24, 25)
    possible = set()
    for first, second in combinations_with_replacement(range(7), 2):
        bulls = (first, second - first, 6 - second)
        sums = [{sum(won) for won in combinations_with_replacement(worth, n)} for n in bulls]
        possible |= set(product(*sums))
    assert INDULTO.judge_points
    for points in product(tried, repeat=3):
        assert INDULTO.judge_points({}, points, NAMES).over == (points in possible)


@pytest.mark.slow
def test_injuries_allow_every_distribution_of_six_bulls_between_the_seats() -> None:
    """Only the number of bulls limits the points of the seats (Ruling I-16)."""
    shares = set()
    for plan in product(range(3), repeat=6):  # how many matadors each bull injures
        if sum(plan) > 2:
            continue
        written = sheet(0, 0, 0, 0, 0, 0)
        able = [0, 1, 2]
        for turn, injured in enumerate(plan):
            starter = turn % 3 if turn % 3 in able else able[0]
            queue = [starter, *(place for place in able if place != starter)]
            written["lidias"][turn] = {
                "score": {"ending": "three_avisos", "injured": queue[:injured]}
            }
            able = [place for place in able if place not in queue[:injured]]
        reading = judge(USUAL, DECK, written)
        assert reading.stands
        finishers = [lidia.result.finisher for lidia in reading.lidias if lidia.result]
        shares.add(tuple(sorted(finishers.count(place) for place in range(3))))
    every = combinations_with_replacement(range(7), 3)
    assert shares == {share for share in every if sum(share) == 6}


def test_points_without_a_sheet_give_places() -> None:
    assert INDULTO.judge_points
    judged = INDULTO.judge_points({}, (4, 7, 4), NAMES)
    assert (judged.points, judged.places, judged.short) == ((4, 7, 4), (2, 1, 2), "")
    assert INDULTO.judge_points({}, (25, 0), NAMES[:2]).places == ()
