"""Kinds of records, their holders, and records that a matador may reach in his next corrida."""

import datetime as dt
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.world import nearness
from corridas.world.deeds import (
    CIRCUIT,
    FERIA,
    HERD,
    MATADOR,
    PLAZA,
    PlayedCorrida,
    PlayedLidia,
    count,
    shares,
)
from corridas.world.nearness import Near, RecordLine, Sums, near
from corridas.world.records import (
    BY_KEY,
    GROUPS,
    KINDS,
    RATE_LEAST,
    BestClaims,
    Claim,
    Holding,
    better_claim,
    holding_after,
    rate,
)

SLUGS = {1: "uno", 2: "dos", 3: "tres"}


def bout(turn: int, matador: int | None = None, **brought: Any) -> PlayedLidia:
    plain = PlayedLidia(
        turn=turn,
        bull_id=100 + turn,
        finisher_id=matador or (turn - 1) % 3 + 1,
        ending="killed",
        injured=0,
        matador_points=5,
        bull_points=2,
        avisos=0,
        score=3,
        number=40,
        trophy=0,
        vuelta=False,
        crowd=3,
    )
    return plain._replace(**brought)


def afternoon(*lidias: PlayedLidia, corrida: int = 7, feria: str = "goyesca") -> PlayedCorrida:
    return PlayedCorrida(
        pk=corrida,
        date=dt.date(2027, 3, corrida),
        plaza="ronda",
        category=1,
        feria=feria,
        herd="miura",
        herd_key=50,
        matadors=(1, 2, 3),
        lidias=lidias,
        suspended=False,
    )


def claims(*afternoons: PlayedCorrida) -> dict[tuple[str, str, str], Claim]:
    best = BestClaims()
    for one in afternoons:
        best.enter(one, SLUGS)
    return best.claims


def test_every_kind_of_record_has_a_unique_key_and_a_group() -> None:
    assert len(BY_KEY) == len(KINDS)
    told = [over for part in GROUPS.values() for over in part]
    assert {kind.over for kind in KINDS} <= set(told)
    for kind in KINDS:
        assert set(kind.scopes) <= {CIRCUIT, PLAZA, FERIA, HERD, MATADOR}


def test_tail_counts_as_two_ears_and_a_tail() -> None:
    own = count([bout(1, trophy=3), bout(2, trophy=1), bout(3, ending="spared", trophy=2)])
    assert (own["ears"], own["tails"], own["indultos"]) == (5, 1, 1)


def test_finisher_is_credited_and_a_broken_off_lidia_counts_for_nobody() -> None:
    day = afternoon(bout(1, 2, trophy=1), bout(2, trophy=1), bout(3)._replace(finisher_id=None))
    told = shares(day)
    assert [(key, own["corridas"], own["ears"]) for key, own in told.items()] == [
        (1, 1, 0),
        (2, 1, 2),
        (3, 1, 0),
    ]


def test_corrida_counts_for_the_records_of_all_its_places() -> None:
    told = claims(afternoon(bout(1, trophy=3), bout(4, trophy=1)))
    for where in ((CIRCUIT, ""), (PLAZA, "ronda"), (FERIA, "goyesca"), (HERD, "miura")):
        assert told[(*where, "share_ears")] == Claim(3, "2027-03-07", 7, None, 1, 50)
        assert told[(*where, "corrida_ears")].value == 3
    assert told[MATADOR, "uno", "share_tails"].value == 1
    assert (MATADOR, "dos", "share_tails") not in told
    assert (MATADOR, "uno", "corrida_ears") not in told


def test_corrida_outside_a_feria_counts_for_no_feria_record() -> None:
    told = claims(afternoon(bout(1, trophy=1), feria=""))
    assert not [line for line in told if line[0] == FERIA]


def test_record_of_a_lidia_names_its_turn_and_its_bull() -> None:
    told = claims(afternoon(bout(1, score=9), bout(2, score=31), bout(3, score=None)))
    claim = told[CIRCUIT, "", "lidia_score"]
    assert (claim.value, claim.turn, claim.matador, claim.bull) == (31, 2, 2, 102)


def test_equal_value_of_a_later_season_does_not_take_a_record() -> None:
    held = Holding(Claim(4, "2027-05-01", 1), season=1)
    assert holding_after(held, Claim(4, "2028-01-01", 2), season=2) == held
    assert holding_after(held, Claim(5, "2028-01-01", 2), season=2) == Holding(
        Claim(5, "2028-01-01", 2), 2, before=4
    )


def test_earlier_corrida_of_a_season_takes_an_equal_record() -> None:
    held = Holding(Claim(4, "2027-05-01", 1), season=1, before=3)
    earlier = Claim(4, "2027-04-01", 2)
    assert holding_after(held, earlier, season=1) == Holding(earlier, 1, before=3)


DAYS = st.sampled_from(["2027-03-01", "2027-03-02", "2027-03-03"])
CLAIMS = st.tuples(st.integers(1, 4), DAYS, st.integers(1, 5), st.integers(1, 6)).map(
    lambda told: Claim(*told)
)


@given(st.lists(CLAIMS, min_size=1, max_size=4), st.one_of(st.none(), CLAIMS))
def test_record_does_not_depend_on_the_order_of_posting(
    told: list[Claim], old: Claim | None
) -> None:
    ends = set()
    for order in permutations(told):
        held = Holding(old, season=1) if old else None
        for claim in order:
            held = holding_after(held, claim, season=2)
        ends.add(held)
    assert len(ends) == 1


@given(CLAIMS, CLAIMS)
def test_better_claim_is_the_higher_or_the_earlier(one: Claim, other: Claim) -> None:
    won = better_claim(one, other)
    assert won == better_claim(other, one)
    assert won.value == max(one.value, other.value)


def test_rate_of_ears_needs_ten_corridas_and_is_in_hundredths() -> None:
    assert rate(19, RATE_LEAST) == 190
    assert rate(19, RATE_LEAST - 1) is None


def behind(where: tuple[str, str], **career: int) -> Sums:
    return Sums(1, where, career, career)


@pytest.mark.parametrize(("ears", "said"), [(37, True), (40, True), (36, False), (41, False)])
def test_record_of_ears_is_near_if_one_corrida_can_reach_it(ears: int, said: bool) -> None:
    lines = {(CIRCUIT, "", "career_ears"): RecordLine(40, 9, fresh=True)}
    told = near([behind((CIRCUIT, ""), ears=ears)], lines)
    expected = [Near(1, (CIRCUIT, ""), "career_ears", 40, 40 - ears, 9)] if said else []
    assert told == expected


def test_own_records_and_records_of_this_season_are_not_near() -> None:
    own = {(CIRCUIT, "", "season_ears"): RecordLine(40, 1, fresh=False)}
    this_year = {(CIRCUIT, "", "season_ears"): RecordLine(40, 9, fresh=True)}
    small = {(CIRCUIT, "", "season_ears"): RecordLine(3, 9, fresh=False)}
    assert near([behind((CIRCUIT, ""), ears=39)], own) == []
    assert near([behind((CIRCUIT, ""), ears=39)], this_year) == []
    assert near([behind((CIRCUIT, ""), ears=2)], small) == []


@pytest.mark.parametrize(
    ("where", "before", "said"),
    [
        ((CIRCUIT, ""), 99, 100),
        ((CIRCUIT, ""), 98, None),
        ((PLAZA, "ronda"), 9, 10),
        ((HERD, "miura"), 19, 20),
        ((FERIA, "goyesca"), 9, None),
    ],
)
def test_round_numbers_that_a_matador_is_about_to_reach(
    where: tuple[str, str], before: int, said: int | None
) -> None:
    told = near([behind(where, corridas=before)], {})
    assert [one.value for one in told] == ([said] if said else [])


def test_near_records_are_sorted_by_kind_and_place() -> None:
    lines = {
        (CIRCUIT, "", "career_corridas"): RecordLine(100, 9, fresh=False),
        (PLAZA, "ronda", "career_corridas"): RecordLine(9, 9, fresh=False),
    }
    sums = [behind((PLAZA, "ronda"), corridas=9), behind((CIRCUIT, ""), corridas=99)]
    told = near(sums, lines)
    assert [(one.where[0], one.key) for one in told] == [
        (CIRCUIT, "career_corridas"),
        (PLAZA, "career_corridas"),
        (CIRCUIT, "round_corridas"),
        (PLAZA, "round_corridas"),
    ]
    assert near(sums, lines, most=1) == told[:1]
    assert nearness.REACH["corridas"] == 1
