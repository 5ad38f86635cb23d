"""Pairing at its edges: how many can play, who sits out, who leads, and what is said of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from leagues.fixtures.pairing import (
    Entrant,
    PairingError,
    Past,
    ReasonCode,
    Round,
    round_robin,
    rounds_needed,
    swiss_round,
    table_sizes,
)
from leagues.fixtures.pairing.rounds import check_pairable, pair_key
from leagues.fixtures.pairing.seating import (
    cheapest_pairs,
    lead_reason,
    met_reasons,
    remaining_rounds,
    seat_order,
)
from tests.leagues.pairing.test_round_robin import byes, chance, meetings, sat
from tests.leagues.pairing.test_swiss import standing


@pytest.mark.parametrize(
    ("players", "seats", "fewest", "sides", "code"),
    [
        (2, 2, 2, False, ""),
        (6, 6, 6, False, ""),
        (3, 6, 2, False, ""),
        (2, 6, 2, False, ""),
        (4, 4, 4, True, ""),
        (1, 2, 2, False, "players"),
        (5, 6, 6, False, "players"),
        (3, 4, 4, True, "players"),
        (9, 7, 7, False, "seats"),
        (9, 7, 6, False, "seats"),
        (9, 4, 5, False, "seats"),
        (9, 4, 1, False, "seats"),
        (9, 1, 1, False, "seats"),
        (9, 4, 3, True, "sides"),
        (9, 2, 2, True, "sides"),
        (9, 6, 6, True, "sides"),
    ],
)
def test_how_many_can_be_paired(
    players: int, seats: int, fewest: int, sides: bool, code: str
) -> None:
    if not code:
        check_pairable(players, seats, fewest, sides=sides)
        return
    with pytest.raises(PairingError) as refused:
        check_pairable(players, seats, fewest, sides=sides)
    assert refused.value.code == code
    wanted = {"players": players, "seats": fewest} if code == "players" else {"seats": seats}
    assert refused.value.params == wanted


@pytest.mark.parametrize(("legs", "rounds"), [(0, None), (-1, None), (1, 0), (0, 3)])
def test_a_league_has_a_leg_and_a_round(legs: int, rounds: int | None) -> None:
    with pytest.raises(PairingError) as refused:
        round_robin(range(4), chance=chance(), legs=legs, rounds=rounds)
    assert refused.value.code == "legs"


@pytest.mark.parametrize(
    ("players", "seats", "fewest", "rounds"),
    [
        (2, 2, None, 1),
        (3, 2, None, 3),
        (4, 2, None, 3),
        (9, 2, None, 9),
        (10, 2, None, 9),
        (4, 4, None, 1),
        (5, 4, None, 2),
        (8, 4, None, 3),
        (9, 3, None, 4),
        (7, 4, 3, 3),
        (16, 4, None, 5),
    ],
)
def test_the_rounds_of_a_leg(players: int, seats: int, fewest: int | None, rounds: int) -> None:
    assert rounds_needed(players, seats=seats, fewest=fewest) == rounds


@pytest.mark.parametrize(
    ("count", "seats", "fewest", "sizes"),
    [
        (2, 2, 2, (2,)),
        (3, 2, 2, (2,)),
        (3, 4, 4, ()),
        (4, 4, 3, (4,)),
        (8, 4, 3, (4, 4)),
        (9, 4, 3, (3, 3, 3)),
        (9, 4, 4, (4, 4)),
        (6, 5, 4, (5,)),
        (8, 5, 4, (4, 4)),
    ],
)
def test_sizes_of_tables(count: int, seats: int, fewest: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(count, seats, fewest) == sizes


@pytest.mark.parametrize(
    ("rounds", "legs", "number", "most"),
    [(1, 1, 1, 1), (4, 1, 4, 1), (5, 1, 5, 1), (6, 1, 6, 2), (None, 3, 15, 3), (3, 4, 3, 1)],
)
def test_so_many_rounds_whatever_the_legs(
    rounds: int | None, legs: int, number: int, most: int
) -> None:
    drawn = round_robin(range(6), rounds=rounds, legs=legs, chance=chance())
    assert [each.number for each in drawn] == list(range(1, number + 1))
    assert [each.leg for each in drawn] == [1 + place // 5 for place in range(number)]
    assert max(meetings(drawn).values()) == most


def test_somebody_named_twice_enters_once() -> None:
    assert round_robin([1, 2, 2, 3, 1], chance=chance()) == round_robin([1, 2, 3], chance=chance())


def test_who_leads_alternates_for_each_from_round_to_round() -> None:
    """At home, away, at home: of an odd number everybody leads as often as they follow."""
    rounds = round_robin(range(7), legs=2, chance=chance())
    led = sat(rounds)
    assert {led[player, 0] for player in range(7)} == {6}
    assert {led[player, 1] for player in range(7)} == {6}
    assert set(byes(rounds).values()) == {2}
    for each in rounds:
        for pairing in each.pairings:
            reason = pairing.reasons[-1]
            assert reason.code in {ReasonCode.LED_LEAST, ReasonCode.LED_LEVEL}
            assert reason.params["player"] == pairing.seats[0]


@pytest.mark.parametrize(
    ("matches", "seats", "code", "led"),
    [
        ([], (1, 2), ReasonCode.LED_LEVEL, 0),
        ([(2, 1)], (1, 2), ReasonCode.LED_LEAST, 0),
        ([(1, 2), (2, 1)], (1, 2), ReasonCode.LED_LEVEL, 1),
        ([(1, 9), (2, 9), (2, 9)], (1, 2), ReasonCode.LED_LEAST, 1),
        ([(2, 9)], (1, 2, 3), ReasonCode.LED_LEVEL, 0),
        ([(2, 9), (3, 9)], (1, 2, 3), ReasonCode.LED_LEAST, 0),
    ],
)
def test_why_the_first_leads(
    matches: list[tuple[int, ...]], seats: tuple[int, ...], code: ReasonCode, led: int
) -> None:
    reason = lead_reason(seats, Past(matches))
    assert (reason.code, reason.params) == (code, {"player": seats[0], "led": led})


@pytest.mark.parametrize(
    ("matches", "table", "expected"),
    [
        ([], (1, 2), (1, 2)),
        ([(1, 9)], (1, 2), (2, 1)),
        ([(9, 1)], (2, 1), (1, 2)),
        # each has had each seat once: who led last follows now
        ([(1, 9), (9, 1), (9, 2), (2, 9)], (2, 1), (1, 2)),
        ([(9, 1), (1, 9), (2, 9), (9, 2)], (1, 2), (2, 1)),
        ([(1, 2, 3), (3, 1, 2)], (1, 2, 3), (2, 3, 1)),
    ],
)
def test_the_seat_goes_to_who_had_it_least_and_not_last(
    matches: list[tuple[int, ...]], table: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert seat_order(table, Past(matches)) == expected


@pytest.mark.parametrize(
    ("matches", "expected"),
    [
        ([], ["not_met", "partners_new"]),
        ([(1, 2, 3, 4)], ["met_fewest", "partners_before"]),
        ([(1, 3, 2, 4)], ["met_fewest", "partners_new"]),
        ([(1, 8, 3, 9)], ["not_met", "partners_before"]),
    ],
)
def test_what_a_table_of_partners_repeats(
    matches: list[tuple[int, ...]], expected: list[str]
) -> None:
    # Ruling D-2: sides are seats 0+2 and 1+3
    reasons = met_reasons((1, 2, 3, 4), Past(matches, sides=True))
    assert [reason.code.value for reason in reasons] == expected


def test_reasons_count_who_met_and_how_often() -> None:
    past = Past([(1, 2, 9), (2, 1, 8), (3, 4, 7)])
    (reason,) = met_reasons((1, 2, 3, 4), past)
    assert reason.params == {"pairs": 2, "times": 2}
    (again,) = met_reasons((1, 3), Past([(1, 3), (3, 1), (1, 3)]))
    assert again.params == {"pairs": 1, "times": 3}
    both = Past([(1, 8, 3, 9), (1, 9, 3, 8)], sides=True)
    assert met_reasons((1, 2, 3, 4), both)[1].params == {"times": 2}


def test_two_who_met_meet_again_only_in_the_leg_that_is_left() -> None:
    past = Past([(0, 1), (0, 1), (2, 3)])
    rounds = remaining_rounds([0, 1, 2, 3], past, 2)
    played = [pair_key(*seats) for tables in rounds for seats in tables]
    assert sorted(played) == [
        *[(0, 2)] * 2, *[(0, 3)] * 2, *[(1, 2)] * 2, *[(1, 3)] * 2, (2, 3),
    ]  # fmt: skip
    assert len(rounds) == 5, "two by two as long as that goes"
    assert past.met[0, 1] == 2, "the past is left as it was"


def test_pairs_are_the_cheapest_in_all_even_where_the_cheapest_one_is_none_of_them() -> None:
    cost = {(1, 2): 1, (3, 4): 50, (1, 3): 10, (2, 4): 10, (1, 4): 30, (2, 3): 30}
    found = cheapest_pairs([1, 2, 3, 4], lambda one, other: cost[pair_key(one, other)], 1000)
    assert found == [(1, 3), (2, 4)]


def drawn(
    scores: dict[int, int], past: Past | None = None, seats: int = 2, fewest: int | None = None
) -> Round:
    return swiss_round(
        standing(scores), number=3, seats=seats, fewest=fewest, past=past, chance=chance()
    )


@pytest.mark.parametrize(
    ("scores", "had", "seats", "fewest", "out"),
    [
        ({1: 3, 2: 2, 3: 1}, [], 2, None, [3]),
        ({1: 3, 2: 2, 3: 1}, [3], 2, None, [2]),
        ({1: 3, 2: 2, 3: 1}, [3, 2], 2, None, [1]),
        ({1: 3, 2: 2, 3: 1}, [1, 2, 3], 2, None, [3]),
        ({1: 3, 2: 2, 3: 1}, [1, 1, 2, 3, 3], 2, None, [2]),
        ({1: 3, 2: 2, 3: 1, 4: 0}, [], 2, None, []),
        ({1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1, 7: 0}, [], 4, None, [7, 6, 5]),
        ({1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1, 7: 0}, [7, 5], 4, None, [6, 4, 3]),
        ({1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1, 7: 0}, [], 4, 3, []),
        ({1: 4, 2: 3, 3: 2, 4: 1, 5: 0}, [], 4, 3, [5]),
        ({1: 4, 2: 3, 3: 2, 4: 1, 5: 0}, [1, 2, 3, 4, 5], 4, 3, [5]),
    ],
)
def test_who_sits_out(
    scores: dict[int, int], had: list[int], seats: int, fewest: int | None, out: list[int]
) -> None:
    found = drawn(scores, Past(byes=had), seats, fewest)
    assert [bye.player for bye in found.byes] == out
    for bye in found.byes:
        times = had.count(bye.player)
        reason = bye.reasons[0]
        assert reason.code is (ReasonCode.BYE_FEWEST if times else ReasonCode.BYE_LOWEST)
        assert reason.params == {"byes": times}


@pytest.mark.parametrize(
    ("scores", "met", "expected"),
    [
        ({1: 2, 2: 2, 3: 0, 4: 0}, [], {(1, 2), (3, 4)}),
        ({1: 3, 2: 2, 3: 1, 4: 0}, [], {(1, 2), (3, 4)}),
        ({1: 3, 2: 2, 3: 1, 4: 0}, [(1, 2)], {(1, 3), (2, 4)}),
        ({1: 3, 2: 2, 3: 1, 4: 0}, [(3, 4), (1, 3)], {(1, 4), (2, 3)}),
        # 3 has met everybody: what is repeated is what fits the standing best
        ({1: 3, 2: 2, 3: 1, 4: 0}, [(3, 4), (1, 3), (2, 3)], {(1, 2), (3, 4)}),
    ],
)
def test_equals_meet_and_nobody_again_while_it_can_be_helped(
    scores: dict[int, int], met: list[tuple[int, int]], expected: set[tuple[int, int]]
) -> None:
    found = drawn(scores, Past(met))
    assert {pair_key(*pairing.seats) for pairing in found.pairings} == expected


def test_the_best_pair_comes_first_and_who_stands_higher_leads_among_equals() -> None:
    found = drawn({4: 3, 2: 3, 3: 1, 1: 1})
    assert [set(pairing.seats) for pairing in found.pairings] == [{2, 4}, {1, 3}]
    entrants = [Entrant(player=9, place=1, score=2), Entrant(player=1, place=2, score=1)]
    first = swiss_round(entrants, number=1, chance=chance())
    assert first.pairings[0].seats == (9, 1)
    assert first.number == 1


def test_two_who_both_led_do_not_meet_where_others_would_do() -> None:
    """All level: 1 and 2 have led, 3 and 4 have followed."""
    past = Past([(1, 8), (2, 9), (8, 3), (9, 4)])
    for label in "abcdef":
        found = swiss_round(
            [Entrant(player=player) for player in (1, 2, 3, 4)],
            number=2, past=past, chance=chance(label),
        )  # fmt: skip
        assert {pairing.seats[0] for pairing in found.pairings} == {3, 4}
        assert {pairing.seats[1] for pairing in found.pairings} == {1, 2}


def test_scores_are_said_as_they_are() -> None:
    half = Fraction(1, 2)
    entrants = [
        Entrant(player=1, score=1 + half, place=1),
        Entrant(player=2, score=half, place=2),
    ]
    found = swiss_round(entrants, number=2, chance=chance())
    assert found.pairings[0].reasons[0].params == {"low": 0.5, "high": 1.5}
    level = swiss_round(
        [Entrant(player=1, score=Fraction(4, 2)), Entrant(player=2, score=2)],
        number=2, chance=chance(),
    )  # fmt: skip
    reason = level.pairings[0].reasons[0]
    assert (reason.code, reason.params) == (ReasonCode.SAME_SCORE, {"score": 2})
    assert [type(value) for value in reason.params.values()] == [int]


def test_a_pair_that_met_before_says_how_often() -> None:
    found = drawn({1: 1, 2: 0}, Past([(1, 2), (2, 1)]))
    assert found.pairings[0].reasons[1].as_data() == {
        "code": "met_nobody_left",
        "params": {"times": 2},
    }


def test_who_are_partners_are_not_opponents() -> None:
    # Ruling D-2: sides are seats 0+2 and 1+3
    past = Past([(1, 2, 3, 4)], sides=True)
    assert dict(past.partnered) == {(1, 3): 1, (2, 4): 1}
    assert dict(past.met) == {(1, 2): 1, (1, 4): 1, (2, 3): 1, (3, 4): 1}
    assert past.last_seat == {1: 0, 2: 1, 3: 2, 4: 3}
    alone = Past([(1, 2, 3, 4)])
    assert len(alone.met) == 6
    three = Past([(1, 2, 3)], sides=True)
    assert len(three.met) == 3, "three are no partnership"
    again = past.copy()
    again.add((1, 2, 3, 4))
    assert (past.partnered[1, 3], again.partnered[1, 3], again.sides) == (1, 2, True)
    again.remove_table((1, 2, 3, 4))
    assert again.partnered[1, 3] == 1


def test_of_two_who_led_as_often_the_one_who_led_last_follows() -> None:
    past = Past([(9, 1), (1, 9), (2, 9), (9, 2)])
    entrants = [Entrant(player=1, place=1, score=1), Entrant(player=2, place=2)]
    found = swiss_round(entrants, number=5, past=past, chance=chance())
    assert found.pairings[0].seats == (2, 1)
