"""Swiss rounds: equals meet, repeats only where nothing else is left, byes and leads in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.fixtures.pairing import Entrant, PairingError, Past, ReasonCode, Round, swiss_round
from leagues.fixtures.pairing.rounds import pair_key
from leagues.fixtures.pairing.seating import cheapest_seating
from tests.leagues.pairing.test_round_robin import chance, everybody_once_a_round
from tests.properties import examples


def standing(scores: dict[int, int]) -> list[Entrant]:
    """Entrants in the places that their scores give them."""
    ranks = sorted(scores.values(), reverse=True)
    return [
        Entrant(player=player, score=score, place=1 + ranks.index(score))
        for player, score in scores.items()
    ]


def perfect_matchings(players: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair everybody."""
    if not players:
        yield []
        return
    for index in range(1, len(players)):
        rest = [*players[1:index], *players[index + 1 :]]
        for others in perfect_matchings(rest):
            yield [pair_key(players[0], players[index]), *others]


def season(count: int, seats: int, rounds: int, *, sides: bool = False) -> tuple[list[Round], Past]:
    """So many rounds, each won by who comes first in a drawn order."""
    past, drawn = Past(sides=sides), []
    strength = chance("strength").shuffled(range(count))
    scores = dict.fromkeys(range(count), 0)
    for number in range(1, rounds + 1):
        each = swiss_round(
            standing(scores),
            number=number,
            seats=seats,
            sides=sides,
            past=past,
            chance=chance(f"round/{number}"),
        )
        drawn.append(each)
        for bye in each.byes:
            past.byes[bye.player] += 1
            scores[bye.player] += 1
        for pairing in each.pairings:
            past.add(pairing.seats)
            scores[min(pairing.seats, key=strength.index)] += 1
    return drawn, past


matches = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda two: two[0] != two[1]),
    max_size=24,
)


@settings(max_examples=examples(150), deadline=None)
@given(matches, st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_nobody_meets_again_unless_nothing_else_is_left(
    played: list[tuple[int, int]], scores: list[int]
) -> None:
    past = Past(played)
    drawn = swiss_round(standing(dict(enumerate(scores))), number=2, past=past, chance=chance())
    squares = sum(past.met[pair_key(*p.seats)] ** 2 for p in drawn.pairings)
    best = min(
        sum(past.met[two] ** 2 for two in matching) for matching in perfect_matchings(range(6))
    )
    assert squares == best
    for pairing in drawn.pairings:
        met = past.met[pair_key(*pairing.seats)]
        reason = pairing.reasons[1]
        assert reason.code is (ReasonCode.MET_NOBODY_LEFT if met else ReasonCode.NOT_MET)
        assert reason.params == ({"times": met} if met else {})


@settings(max_examples=examples(100), deadline=None)
@given(matches, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_among_pairings_without_repeats_the_standing_decides(
    played: list[tuple[int, int]], scores: list[int]
) -> None:
    past = Past(played)
    drawn = swiss_round(standing(dict(enumerate(scores))), number=2, past=past, chance=chance())
    levels = {score: level for level, score in enumerate(sorted(set(scores)))}

    def price(pairs: list[tuple[int, int]]) -> tuple[int, int]:
        again = sum(past.met[two] ** 2 for two in pairs)
        return again, sum((levels[scores[a]] - levels[scores[b]]) ** 2 for a, b in pairs)

    mine = price([pair_key(*pairing.seats) for pairing in drawn.pairings])
    assert mine == min(price(matching) for matching in perfect_matchings(range(6)))


def test_the_upper_half_of_a_level_meets_its_lower_half() -> None:
    entrants = [Entrant(player=player, score=0, place=player) for player in range(1, 9)]
    drawn = swiss_round(entrants, number=1, chance=chance())
    assert [sorted(pairing.seats) for pairing in drawn.pairings] == [[1, 5], [2, 6], [3, 7], [4, 8]]


@pytest.mark.parametrize("count", [2, 5, 8, 9, 16, 31])
def test_a_season_of_duels_repeats_nothing_and_shares_leads_and_byes(count: int) -> None:
    rounds, past = season(count, 2, min(6, count - 1 + count % 2))
    for each in rounds:
        assert everybody_once_a_round([each], range(count))
    assert max(past.met.values()) == 1
    assert max(past.byes.values(), default=0) <= 1
    assert all(abs(past.sat[p, 0] - past.sat[p, 1]) <= 2 for p in range(count))


@pytest.mark.slow
@pytest.mark.parametrize(("count", "seats"), [(12, 3), (20, 4), (23, 4), (30, 5), (36, 6)])
def test_a_season_of_larger_tables(count: int, seats: int) -> None:
    rounds, past = season(count, seats, 4)
    for each in rounds:
        assert everybody_once_a_round([each], range(count))
        assert {len(pairing.seats) for pairing in each.pairings} == {seats}
    assert max(past.byes.values(), default=0) <= 1
    assert max(past.met.values()) <= 2
    for player in range(count):
        assert max(past.sat[player, seat] for seat in range(seats)) <= 3


def test_equals_sit_together_at_larger_tables() -> None:
    scores = {player: player // 4 for player in range(16)}
    drawn = swiss_round(standing(scores), number=3, seats=4, chance=chance())
    tables = [sorted(pairing.seats) for pairing in drawn.pairings]
    assert tables == [[12, 13, 14, 15], [8, 9, 10, 11], [4, 5, 6, 7], [0, 1, 2, 3]]
    assert drawn.pairings[0].reasons[0].as_data() == {
        "code": "same_score",
        "params": {"score": 3},
    }


def test_smaller_tables_where_more_can_play_so() -> None:
    drawn = swiss_round(
        standing(dict.fromkeys(range(7), 0)), number=1, seats=4, fewest=3, chance=chance()
    )
    assert sorted(len(pairing.seats) for pairing in drawn.pairings) == [3, 4]
    assert drawn.byes == ()


def test_partners_change_and_first_and_last_go_together() -> None:
    # Ruling D-2: sides are seats 0+2 and 1+3
    _, past = season(8, 4, 5, sides=True)
    assert max(past.partnered.values()) == 1
    entrants = [Entrant(player=player, place=player) for player in range(1, 5)]
    drawn = swiss_round(entrants, number=1, seats=4, sides=True, chance=chance())
    seats = drawn.pairings[0].seats
    assert {frozenset(seats[::2]), frozenset(seats[1::2])} == {frozenset({1, 4}), frozenset({2, 3})}
    assert drawn.pairings[0].reasons[2].code is ReasonCode.PARTNERS_NEW


def test_a_bye_goes_to_the_lowest_of_those_who_had_none() -> None:
    entrants = standing({1: 3, 2: 2, 3: 2, 4: 1, 5: 0})
    drawn = swiss_round(entrants, number=4, past=Past(byes=[5]), chance=chance())
    assert [bye.player for bye in drawn.byes] == [4]
    assert drawn.byes[0].reasons[0].as_data() == {"code": "bye_lowest", "params": {"byes": 0}}
    drawn = swiss_round(entrants, number=6, past=Past(byes=[1, 2, 3, 4, 5, 5]), chance=chance())
    assert drawn.byes[0].player == 4
    assert drawn.byes[0].reasons[0].as_data() == {"code": "bye_fewest", "params": {"byes": 1}}


def test_lots_decide_the_bye_of_those_who_are_level() -> None:
    entrants = standing(dict.fromkeys(range(5), 0))
    byes = {
        swiss_round(entrants, number=1, chance=chance(f"{lot}")).byes[0].player for lot in range(60)
    }
    assert byes == set(range(5))


def test_who_led_less_leads_and_the_reason_says_so() -> None:
    past = Past([(1, 3), (1, 4), (3, 2), (2, 4)])
    drawn = swiss_round(
        [Entrant(player=1), Entrant(player=2)], number=3, past=past, chance=chance()
    )
    assert drawn.pairings[0].seats == (2, 1)
    assert drawn.pairings[0].reasons[-1].as_data() == {
        "code": "led_least",
        "params": {"player": 2, "led": 1},
    }
    first = swiss_round([Entrant(player=1), Entrant(player=2)], number=1, chance=chance())
    assert first.pairings[0].reasons[-1].code is ReasonCode.LED_LEVEL


def test_between_levels_the_reason_names_both() -> None:
    drawn = swiss_round(standing({1: 3, 2: 1}), number=2, chance=chance())
    assert drawn.pairings[0].reasons[0].as_data() == {
        "code": "near_score",
        "params": {"low": 1, "high": 3},
    }


def test_the_same_seed_pairs_the_same_in_whatever_order_they_enter() -> None:
    entrants = standing({player: player % 3 for player in range(14)})
    for seats in (2, 4):
        once = swiss_round(entrants, number=1, seats=seats, chance=chance())
        again = swiss_round(entrants[::-1], number=1, seats=seats, chance=chance())
        assert once == again


def test_the_past_is_left_as_it_was_and_who_withdrew_is_nobody_s_concern() -> None:
    past = Past([(1, 2), (1, 99)], byes=[99])
    before = (past.met.copy(), past.sat.copy(), past.byes.copy())
    drawn = swiss_round(standing({1: 1, 2: 0, 3: 0, 4: 0}), number=2, past=past, chance=chance())
    assert everybody_once_a_round([drawn], [1, 2, 3, 4])
    assert (past.met, past.sat, past.byes) == before


def test_a_single_player_cannot_be_paired() -> None:
    with pytest.raises(PairingError, match="takes 2 players, there are 1"):
        swiss_round([Entrant(player=1)], number=1, chance=chance())


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4))
def test_seats_are_dealt_at_the_least_cost_there_is(costs: list[list[int]]) -> None:
    def total(seats: Sequence[int]) -> int:
        return sum(costs[player][seat] for seat, player in enumerate(seats))

    found = cheapest_seating(range(4), lambda player, seat: costs[player][seat])
    assert total(found) == min(map(total, permutations(range(4))))


def test_a_large_field_repeats_nothing() -> None:
    rounds, past = season(60, 2, 5)
    assert max(past.met.values()) == 1
    gaps = Counter(pairing.reasons[0].code for each in rounds for pairing in each.pairings)
    assert gaps[ReasonCode.SAME_SCORE] > 4 * gaps[ReasonCode.NEAR_SCORE]
