"""Records of a circuit: minimum values, scopes (circuit, plaza, matador), ties, and records
nearly reached.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.simulation.record_book import Summed, offer_rates, offer_sums
from corridas.world.deeds import (
    CIRCUIT,
    FERIA,
    HERD,
    MATADOR,
    PLAZA,
    PlayedLidia,
    credited,
    shares,
    sums,
)
from corridas.world.nearness import RecordLine, Sums, near
from corridas.world.records import (
    BY_KEY,
    BestClaims,
    Claim,
    Holding,
    better_claim,
    holding_after,
    rate,
)
from tests.corridas.world.test_records import SLUGS, afternoon, bout, claims

ALL_SCOPES = {CIRCUIT, PLAZA, FERIA, HERD, MATADOR}
NO_MATADORS = ALL_SCOPES - {MATADOR}


def bouts(number: int, **brought: Any) -> tuple[PlayedLidia, ...]:
    """Return this number of fights (lidias) that the first matador finished."""
    return tuple(bout(turn, 1, **brought) for turn in range(1, number + 1))


# Records set in one corrida

REACHED: list[tuple[str, tuple[PlayedLidia, ...], int, set[str]]] = [
    ("lidia_score", bouts(1, score=1), 1, ALL_SCOPES),
    ("lidia_bull", bouts(1, bull_points=1), 1, NO_MATADORS),
    ("share_ears", bouts(1, trophy=1), 1, ALL_SCOPES),
    ("share_tails", bouts(1, trophy=3), 1, ALL_SCOPES),
    ("share_indultos", bouts(1, ending="spared"), 1, ALL_SCOPES),
    ("share_bulls", bouts(3), 3, ALL_SCOPES),
    ("share_avisos", bouts(1, avisos=2), 2, ALL_SCOPES),
    ("corrida_ears", bouts(1, trophy=1), 1, NO_MATADORS),
    ("corrida_tails", bouts(1, trophy=3), 1, NO_MATADORS),
    ("corrida_indultos", bouts(1, ending="spared"), 1, NO_MATADORS),
    ("corrida_vueltas", bouts(2, vuelta=True), 2, NO_MATADORS),
    ("corrida_avisos", bouts(2, avisos=1), 2, NO_MATADORS),
]
MISSED: list[tuple[str, tuple[PlayedLidia, ...]]] = [
    ("lidia_score", bouts(1, score=0)),
    ("lidia_score", bouts(1, score=None)),
    ("lidia_bull", bouts(1, bull_points=0)),
    ("share_ears", bouts(2)),
    ("share_tails", bouts(1, trophy=2)),
    ("share_indultos", bouts(1, ending="three_avisos")),
    ("share_bulls", bouts(2)),
    ("share_avisos", bouts(1, avisos=1)),
    ("corrida_ears", bouts(2)),
    ("corrida_tails", bouts(1, trophy=2)),
    ("corrida_indultos", bouts(1)),
    ("corrida_vueltas", bouts(1, vuelta=True)),
    ("corrida_avisos", bouts(1, avisos=1)),
]


@pytest.mark.parametrize(("key", "brought", "value", "scopes"), REACHED)
def test_record_exists_from_its_minimum_value_on_in_each_scope(
    key: str, brought: tuple[PlayedLidia, ...], value: int, scopes: set[str]
) -> None:
    told = claims(afternoon(*brought))
    found = {scope: claim for (scope, _of, kind), claim in told.items() if kind == key}
    assert {scope: claim.value for scope, claim in found.items()} == dict.fromkeys(scopes, value)
    for claim in found.values():
        assert (claim.date, claim.corrida, claim.herd) == ("2027-03-07", 7, 50)
        assert claim.matador == (None if key.startswith("corrida") else 1)
        moment = (1, 101) if key.startswith("lidia") else (None, None)
        assert (claim.turn, claim.bull) == moment


@pytest.mark.parametrize(("key", "brought"), MISSED)
def test_no_record_exists_below_the_minimum_value(
    key: str, brought: tuple[PlayedLidia, ...]
) -> None:
    assert not [line for line in claims(afternoon(*brought)) if line[2] == key]


def test_corrida_records_add_all_matadors_and_share_records_add_one() -> None:
    told = claims(afternoon(bout(1, 1, trophy=3), bout(2, 2, trophy=2), bout(3, 2, trophy=1)))
    value = {key: claim.value for (scope, _of, key), claim in told.items() if scope == CIRCUIT}
    assert (value["share_ears"], value["corrida_ears"], value["corrida_tails"]) == (3, 5, 1)
    assert told[CIRCUIT, "", "share_ears"].matador == 2
    assert told[MATADOR, "uno", "share_ears"].value == 2


def test_lidia_that_nobody_finished_sets_no_record() -> None:
    nobodys = bout(1, trophy=0, score=99, bull_points=99, avisos=2)._replace(finisher_id=None)
    told = claims(afternoon(nobodys, bout(2, score=1, bull_points=1)))
    assert told[CIRCUIT, "", "lidia_score"].value == 1
    assert told[CIRCUIT, "", "lidia_bull"].value == 1
    assert (CIRCUIT, "", "corrida_avisos") not in told
    assert [one.turn for one in credited(afternoon(nobodys, bout(2)))] == [2]


def test_earlier_turn_holds_the_record_of_equal_lidias() -> None:
    told = claims(afternoon(bout(2, 1, score=9), bout(5, 1, score=9), bout(4, 1, score=8)))
    assert told[CIRCUIT, "", "lidia_score"].turn == 2
    assert told[MATADOR, "uno", "lidia_score"].turn == 2


def test_first_matador_of_the_cartel_holds_an_equal_share_record() -> None:
    told = claims(afternoon(bout(1, 2, trophy=1), bout(2, 1, trophy=1)))
    assert told[CIRCUIT, "", "share_ears"].matador == 1


def test_sums_of_several_corridas_are_added_by_matador() -> None:
    one, two = afternoon(bout(1, trophy=1), corrida=3), afternoon(bout(1, trophy=3), corrida=5)
    found = sums([one, two])
    assert (found[1]["corridas"], found[1]["ears"], found[1]["tails"]) == (2, 3, 1)
    assert found[2] == {**dict.fromkeys(found[2], 0), "corridas": 2}
    assert list(shares(one)) == [1, 2, 3]


@pytest.mark.parametrize(
    ("feria", "places"),
    [
        ("goyesca", [(CIRCUIT, ""), (PLAZA, "ronda"), (FERIA, "goyesca"), (HERD, "miura")]),
        ("", [(CIRCUIT, ""), (PLAZA, "ronda"), (HERD, "miura")]),
    ],
)
def test_corrida_counts_for_circuit_plaza_herd_and_feria_records(
    feria: str, places: list[tuple[str, str]]
) -> None:
    assert afternoon(feria=feria).places == places


# Who holds a record

CLAIM = Claim(4, "2027-05-02", 5, 3, 7)


@pytest.mark.parametrize(
    ("ahead", "behind"),
    [
        (CLAIM._replace(value=5, date="2027-09-09"), CLAIM),
        (CLAIM._replace(date="2027-05-01", corrida=9), CLAIM),
        (CLAIM._replace(corrida=4, turn=6), CLAIM),
        (CLAIM._replace(turn=2, matador=9), CLAIM),
        (CLAIM._replace(matador=6), CLAIM),
        (Claim(4), CLAIM),
    ],
)
def test_better_of_two_claims_in_a_season_holds_the_record(ahead: Claim, behind: Claim) -> None:
    assert better_claim(ahead, behind) == better_claim(behind, ahead) == ahead
    assert holding_after(Holding(behind, 1, 2), ahead, 1) == Holding(ahead, 1, 2)
    assert holding_after(Holding(ahead, 1, 2), behind, 1) == Holding(ahead, 1, 2)
    best = BestClaims()
    for claim in (behind, ahead, behind):
        best.offer((CIRCUIT, "", "lidia_score"), claim)
    assert best.claims == {(CIRCUIT, "", "lidia_score"): ahead}


@pytest.mark.parametrize(
    ("held", "claim", "after"),
    [
        (None, CLAIM, Holding(CLAIM, 2)),
        (Holding(CLAIM, 1, 3), CLAIM._replace(value=3), Holding(CLAIM, 1, 3)),
        (Holding(CLAIM, 1, 3), CLAIM._replace(date="2026-01-01"), Holding(CLAIM, 1, 3)),
        (
            Holding(CLAIM, 1, 3),
            CLAIM._replace(value=5),
            Holding(CLAIM._replace(value=5), 2, 4),
        ),
        (
            Holding(CLAIM, 2, 3),
            CLAIM._replace(value=5),
            Holding(CLAIM._replace(value=5), 2, 3),
        ),
    ],
)
def test_later_season_takes_a_record_only_with_a_higher_value(
    held: Holding | None, claim: Claim, after: Holding
) -> None:
    assert holding_after(held, claim, 2) == after


# Records of seasons and careers


def summed(matador: int, seasons: int = 1, **counts: int) -> Summed:
    """Return sums of a matador; figures with `now_` belong to the season."""
    names = ("corridas", "ears", "tails", "indultos", "avisos")
    all_names = (*names, *(f"now_{name}" for name in names))
    return (matador, seasons, *(counts.get(name, 0) for name in all_names))


def offered(*rows: Summed, where: tuple[str, str] = (CIRCUIT, "")) -> dict[Any, Claim]:
    best = BestClaims()
    offer_sums(best, {where: rows}, SLUGS)
    return best.claims


SUMS = [
    ("season_corridas", {"now_corridas": 2}, {"now_corridas": 1}, ALL_SCOPES),
    ("season_ears", {"now_ears": 1}, {"now_ears": 0}, ALL_SCOPES),
    ("season_tails", {"now_tails": 1}, {"now_tails": 0}, ALL_SCOPES),
    ("season_indultos", {"now_indultos": 1}, {"now_indultos": 0}, ALL_SCOPES),
    ("year_ears", {"now_ears": 1}, {"now_ears": 0}, NO_MATADORS),
    ("year_tails", {"now_tails": 1}, {"now_tails": 0}, NO_MATADORS),
    ("year_indultos", {"now_indultos": 1}, {"now_indultos": 0}, NO_MATADORS),
    ("career_corridas", {"corridas": 2}, {"corridas": 1}, NO_MATADORS),
    ("career_ears", {"ears": 1}, {"ears": 0}, NO_MATADORS),
    ("career_tails", {"tails": 1}, {"tails": 0}, NO_MATADORS),
    ("career_indultos", {"indultos": 1}, {"indultos": 0}, NO_MATADORS),
    ("career_seasons", {"seasons": 2}, {"seasons": 1}, {CIRCUIT}),
]


@pytest.mark.parametrize("scope", sorted(NO_MATADORS))
@pytest.mark.parametrize(("key", "reached", "missed", "scopes"), SUMS)
def test_record_of_season_or_career_totals_exists_from_its_minimum_value_on(
    key: str, reached: dict[str, int], missed: dict[str, int], scopes: set[str], scope: str
) -> None:
    where = (scope, "" if scope == CIRCUIT else "some")
    (value,) = reached.values()
    told = offered(summed(1, **reached), where=where)
    wanted = Claim(value, matador=None if key.startswith("year") else 1)
    assert told.get((*where, key)) == (wanted if scope in scopes else None)
    own = scope == CIRCUIT and MATADOR in scopes
    assert told.get((MATADOR, "uno", key)) == (Claim(value, matador=1) if own else None)
    below = {line for line in offered(summed(1, **missed), where=where) if line[2] == key}
    assert below == set()


@pytest.mark.parametrize(
    ("rows", "key", "claim"),
    [
        # The highest sum holds the record; of equal sums, that of the matador who joined first.
        ((summed(1, now_ears=2), summed(2, now_ears=3)), "season_ears", Claim(3, matador=2)),
        ((summed(1, now_ears=3), summed(2, now_ears=3)), "season_ears", Claim(3, matador=1)),
        ((summed(1, now_ears=2), summed(2, now_ears=3)), "year_ears", Claim(5)),
        # A career record counts all seasons, a season record only its own.
        ((summed(1, ears=9, now_ears=2),), "career_ears", Claim(9, matador=1)),
        ((summed(1, ears=9, now_ears=2),), "season_ears", Claim(2, matador=1)),
        ((summed(1, 2), summed(2, 4), summed(3, 3)), "career_seasons", Claim(4, matador=2)),
    ],
)
def test_highest_sum_is_offered_as_a_record(
    rows: tuple[Summed, ...], key: str, claim: Claim
) -> None:
    assert offered(*rows)[CIRCUIT, "", key] == claim


def test_records_of_finished_seasons_are_not_offered_with_the_sums() -> None:
    told = offered(summed(1, 20, corridas=20, ears=20, now_corridas=20, now_ears=20))
    assert not {"season_rate", "career_leads"} & {line[2] for line in told}
    assert {key for key, kind in BY_KEY.items() if kind.closing} == {"season_rate", "career_leads"}


@pytest.mark.parametrize(
    ("ears", "corridas", "hundredths"),
    [(20, 10, 200), (20, 9, None), (20, 11, 181), (0, 10, 0), (0, 0, None), (1, 300, 0)],
)
def test_rate_of_ears_is_rounded_down_and_needs_ten_corridas(
    ears: int, corridas: int, hundredths: int | None
) -> None:
    assert rate(ears, corridas) == hundredths


def test_rates_are_offered_to_the_circuit_and_to_each_matador() -> None:
    best = BestClaims()
    rows = [
        summed(1, ears=99, corridas=10, now_ears=15, now_corridas=10),
        summed(2, now_ears=15, now_corridas=10),
        summed(3, now_ears=90, now_corridas=9),
    ]
    offer_rates(best, rows, SLUGS)
    assert best.claims == {
        (CIRCUIT, "", "season_rate"): Claim(150, matador=1),
        (MATADOR, "uno", "season_rate"): Claim(150, matador=1),
        (MATADOR, "dos", "season_rate"): Claim(150, matador=2),
    }


# Records nearly reached

WORTH = [
    ("corridas", {CIRCUIT: 20, PLAZA: 6, FERIA: 6, HERD: 6}, 1),
    ("ears", {CIRCUIT: 20, PLAZA: 6, FERIA: 6, HERD: 6}, 3),
    ("tails", {CIRCUIT: 4, PLAZA: 2, FERIA: 2, HERD: 2}, 1),
    ("indultos", {CIRCUIT: 3, PLAZA: 2, FERIA: 2, HERD: 2}, 1),
]


@pytest.mark.parametrize("over", ["season", "career"])
@pytest.mark.parametrize("scope", [CIRCUIT, PLAZA, FERIA, HERD])
@pytest.mark.parametrize(("name", "least", "reach"), WORTH)
def test_record_is_near_if_it_is_significant_and_within_reach(
    name: str, least: dict[str, int], reach: int, scope: str, over: str
) -> None:
    where = (scope, "" if scope == CIRCUIT else "some")

    def gaps(value: int, behind: int, holder: int | None = 9) -> list[int]:
        counts = {name: value - behind}
        own, nothing = (counts, {}) if over == "season" else ({}, counts)
        line = RecordLine(value, holder, fresh=False)
        found = near([Sums(1, where, nothing, own)], {(*where, f"{over}_{name}"): line})
        return [one.gap for one in found if one.holder is not None]

    worth = least[scope]
    assert [gaps(worth, behind) for behind in (-1, 0, reach, reach + 1)] == [[], [0], [reach], []]
    assert gaps(worth - 1, 0) == []
    assert gaps(worth, 0, holder=1) == []
    assert gaps(worth, 0, holder=None) == []


@pytest.mark.parametrize(
    ("key", "fresh", "said"),
    [
        ("season_ears", True, False),
        ("season_ears", False, True),
        ("career_ears", True, True),
        ("career_ears", False, True),
    ],
)
def test_record_set_in_this_season_is_near_only_in_its_race(
    key: str, fresh: bool, said: bool
) -> None:
    where = (CIRCUIT, "")
    own = Sums(1, where, {"ears": 30}, {"ears": 30})
    assert bool(near([own], {(*where, key): RecordLine(30, 9, fresh)})) is said


@pytest.mark.parametrize(
    ("ears", "said"), [(95, []), (96, [(100, 4)]), (99, [(100, 1)]), (100, []), (197, [(200, 3)])]
)
def test_round_number_of_ears_is_near_if_one_corrida_can_reach_it(
    ears: int, said: list[tuple[int, int]]
) -> None:
    told = near([Sums(1, (CIRCUIT, ""), {"ears": ears}, {})], {})
    assert [(one.value, one.gap) for one in told if one.key == "round_ears"] == said
    elsewhere = near([Sums(1, (PLAZA, "ronda"), {"ears": ears}, {})], {})
    assert elsewhere == []


def test_near_records_are_sorted_by_importance() -> None:
    def line(value: int) -> RecordLine:
        return RecordLine(value, 9, fresh=False)

    circuit, plaza, feria, herd = ((CIRCUIT, ""), (PLAZA, "p"), (FERIA, "f"), (HERD, "h"))
    places = (herd, feria, plaza, circuit)
    lines = {(*where, "career_ears"): line(30) for where in places}
    lines[(*circuit, "career_tails")] = line(30)
    own = [Sums(one, where, {"ears": 27 + one, "tails": 30}, {}) for one in (1, 2)
           for where in places]  # fmt: skip
    told = [(one.where[0], one.gap, one.key, one.matador) for one in near(own, lines)]
    assert told == [
        (CIRCUIT, 0, "career_tails", 1),
        (CIRCUIT, 0, "career_tails", 2),
        (CIRCUIT, 1, "career_ears", 2),
        (CIRCUIT, 2, "career_ears", 1),
        (PLAZA, 1, "career_ears", 2),
        (PLAZA, 2, "career_ears", 1),
        (FERIA, 1, "career_ears", 2),
        (FERIA, 2, "career_ears", 1),
        (HERD, 1, "career_ears", 2),
        (HERD, 2, "career_ears", 1),
    ]


def test_corrida_day_is_an_iso_date() -> None:
    assert afternoon()._replace(date=dt.date(2027, 1, 2)).day == "2027-01-02"
