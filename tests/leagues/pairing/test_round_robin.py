"""Everybody meets everybody: each pair, each seat and each bye counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairness import Chance
from leagues.fixtures.pairing import (
    PairingError,
    Past,
    ReasonCode,
    Round,
    round_robin,
    rounds_needed,
    table_sizes,
)
from tests.properties import examples


def chance(label: str = "draw") -> Chance:
    return Chance(bytes(range(32)), label)


def meetings(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """How often each two players are at one table."""
    return Counter(
        (min(two), max(two))
        for each in rounds
        for pairing in each.pairings
        for two in combinations(pairing.seats, 2)
    )


def partners(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """How often each two players are on one side: seats 0+2 and 1+3 (Ruling D-2)."""
    return Counter(
        (min(two), max(two))
        for each in rounds
        for pairing in each.pairings
        for two in (pairing.seats[::2], pairing.seats[1::2])
    )


def sat(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """How often each player has each seat."""
    return Counter(
        (player, seat)
        for each in rounds
        for pairing in each.pairings
        for seat, player in enumerate(pairing.seats)
    )


def byes(rounds: Iterable[Round]) -> Counter[int]:
    return Counter(bye.player for each in rounds for bye in each.byes)


def spread(counts: Iterable[int]) -> int:
    """How far the most is from the least."""
    found = list(counts)
    return max(found) - min(found)


def everybody_once_a_round(rounds: Iterable[Round], players: Iterable[int]) -> bool:
    """Whether each round holds each player exactly once, in a match or with a bye."""
    wanted = sorted(players)
    return all(
        sorted(
            [player for pairing in each.pairings for player in pairing.seats]
            + [bye.player for bye in each.byes]
        )
        == wanted
        for each in rounds
    )


@given(st.integers(2, 25), st.integers(1, 4), st.text(max_size=4))
def test_of_two_each_pair_meets_once_a_leg_and_leads_are_level(
    count: int, legs: int, label: str
) -> None:
    players = range(10, 10 + count)
    rounds = round_robin(players, legs=legs, chance=chance(label))
    assert len(rounds) == legs * rounds_needed(count, seats=2)
    assert everybody_once_a_round(rounds, players)
    assert set(meetings(rounds).values()) == {legs}
    assert len(meetings(rounds)) == count * (count - 1) // 2
    assert {byes(rounds)[player] for player in players} == {legs * (count % 2)}
    led = sat(rounds)
    balance = [abs(led[player, 0] - led[player, 1]) for player in players]
    assert max(balance) <= (legs % 2) * ((count + 1) % 2)
    assert [each.leg for each in rounds] == [
        1 + number // (len(rounds) // legs) for number in range(len(rounds))
    ]


def test_a_second_leg_turns_the_seats_round() -> None:
    rounds = round_robin(range(6), legs=2, chance=chance())
    first = [pairing.seats for each in rounds[:5] for pairing in each.pairings]
    second = [pairing.seats for each in rounds[5:] for pairing in each.pairings]
    assert second == [seats[::-1] for seats in first]


def test_of_two_nobody_leads_three_times_running() -> None:
    rounds = round_robin(range(10), chance=chance())
    for player in range(10):
        seats = "".join(
            str(pairing.seats.index(player))
            for each in rounds
            for pairing in each.pairings
            if player in pairing.seats
        )
        assert "000" not in seats
        assert "111" not in seats


def test_chance_alone_decides_who_is_who() -> None:
    once = round_robin(range(8), chance=chance())
    assert once == round_robin(reversed(range(8)), chance=chance())
    assert once != round_robin(range(8), chance=chance("another"))


def test_only_some_rounds_of_a_leg_can_be_asked_for() -> None:
    rounds = round_robin(range(12), rounds=4, chance=chance())
    assert len(rounds) == 4
    assert set(meetings(rounds).values()) == {1}


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(3, 9), st.integers(1, 2), st.data())
def test_who_has_met_does_not_meet_again_before_the_leg_is_full(
    count: int, legs: int, data: st.DataObject
) -> None:
    pairs = list(combinations(range(count), 2))
    played = data.draw(st.lists(st.sampled_from(pairs), max_size=12))
    gone = [(0, 99)]
    rounds = round_robin(range(count), legs=legs, past=Past([*played, *gone]), chance=chance())
    before = Counter(played)
    after = meetings(rounds)
    for two in pairs:
        assert after[two] == max(0, legs - before[two])
    assert all(99 not in pairing.seats for each in rounds for pairing in each.pairings)
    assert everybody_once_a_round(rounds, range(count))


@pytest.mark.parametrize(("size", "seats"), [(9, 3), (16, 4), (25, 5), (4, 2)])
def test_squares_are_perfect_everybody_meets_everybody_exactly_once(size: int, seats: int) -> None:
    rounds = round_robin(range(size), seats=seats, chance=chance())
    assert len(rounds) == size // seats * (seats + 1) // seats if seats > 2 else 3
    assert len(meetings(rounds)) == size * (size - 1) // 2
    assert set(meetings(rounds).values()) == {1}
    assert spread([sat(rounds)[p, s] for p in range(size) for s in range(seats)]) <= 1


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None)
@given(st.integers(3, 14), st.integers(3, 6), st.booleans())
def test_larger_tables_meet_evenly_and_byes_go_round(count: int, seats: int, small: bool) -> None:
    fewest = min(seats, 3) if small else seats
    if count < fewest:
        with pytest.raises(PairingError):
            round_robin(range(count), seats=seats, fewest=fewest, chance=chance())
        return
    rounds = round_robin(range(count), seats=seats, fewest=fewest, chance=chance())
    assert everybody_once_a_round(rounds, range(count))
    assert len(rounds) == rounds_needed(count, seats=seats, fewest=fewest)
    met = meetings(rounds)
    # at most three: of twelve at two tables, somebody is always thrice together in three rounds
    assert spread([met[two] for two in combinations(range(count), 2)]) <= 3
    assert spread([byes(rounds)[player] for player in range(count)]) <= 1
    sizes = table_sizes(count, seats, fewest)
    for each in rounds:
        assert sorted((len(p.seats) for p in each.pairings), reverse=True) == list(sizes)
    taken = sat(rounds)
    assert spread([taken[p, s] for p in range(count) for s in range(min(sizes))]) <= 2


def test_all_pairs_meet_evenly_where_the_rounds_allow_it() -> None:
    rounds = round_robin(range(5), seats=4, rounds=5, chance=chance())
    assert set(meetings(rounds).values()) == {3}
    assert set(byes(rounds).values()) == {1}
    assert set(sat(rounds).values()) == {1}


def test_eight_in_partnership_partner_everybody_once_and_oppose_everybody_twice() -> None:
    # Ruling D-2: four at a table, sides are seats 0+2 and 1+3
    rounds = round_robin(range(8), seats=4, sides=True, rounds=7, chance=chance())
    together, met = partners(rounds), meetings(rounds)
    assert len(together) == 28
    assert set(together.values()) == {1}
    assert set(met.values()) == {3}
    assert spread(sat(rounds).values()) <= 2


def test_partners_change_from_match_to_match() -> None:
    rounds = round_robin(range(4), seats=4, sides=True, legs=3, chance=chance())
    assert set(partners(rounds).values()) == {1}
    codes = [[reason.code for reason in each.pairings[0].reasons] for each in rounds]
    assert all(ReasonCode.PARTNERS_NEW in some for some in codes)


def test_reasons_say_what_can_be_checked() -> None:
    rounds = round_robin(range(5), seats=4, rounds=5, chance=chance())
    first, later = rounds[0].pairings[0], rounds[3].pairings[0]
    assert first.reasons[0].as_data() == {
        "code": "round_robin",
        "params": {"round": 1, "rounds": 5},
    }
    assert first.reasons[1].code is ReasonCode.NOT_MET
    assert later.reasons[1].code is ReasonCode.MET_FEWEST
    assert later.reasons[1].params["pairs"] >= 1
    for each in rounds:
        for bye in each.byes:
            assert bye.reasons[0].as_data() == {"code": "bye_turn", "params": {"byes": 0}}


@pytest.mark.parametrize(
    ("count", "seats", "fewest", "sizes"),
    [
        (7, 4, 3, (4, 3)),
        (6, 4, 3, (3, 3)),
        (5, 4, 3, (4,)),
        (11, 4, 3, (4, 4, 3)),
        (10, 4, 4, (4, 4)),
        (3, 6, 2, (3,)),
        (13, 6, 2, (5, 4, 4)),
    ],
)
def test_as_many_play_as_can_at_as_few_tables(
    count: int, seats: int, fewest: int, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(count, seats, fewest) == sizes


@pytest.mark.parametrize(
    ("code", "players", "seats", "sides", "legs"),
    [
        ("players", 1, 2, False, 1),
        ("players", 3, 4, False, 1),
        ("seats", 9, 7, False, 1),
        ("seats", 9, 1, False, 1),
        ("sides", 9, 3, True, 1),
        ("legs", 9, 3, False, 0),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    code: str, players: int, seats: int, sides: bool, legs: int
) -> None:
    with pytest.raises(PairingError) as refused:
        round_robin(range(players), seats=seats, sides=sides, legs=legs, chance=chance())
    assert refused.value.code == code
    assert str(refused.value).endswith(".")
