"""A lidia counts the same in all statistics, and a corrida is added to all of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import pytest

from corridas.engine import counts_of
from corridas.escalafon.queries import ranking
from corridas.models import Injury, Season
from corridas.simulation.insertion import LidiaRow
from corridas.simulation.post import Ledger, entered
from corridas.simulation.rows import was_suspended
from corridas.world import deeds
from corridas.world.deeds import PlayedLidia
from corridas.world.injuries import examine
from fairness import Seed
from tests.corridas.simulation.arena import OUTCOMES, fought, played

SEASON = Season(pk=4, circuit_id=1, year=2027, seed=b"s" * 32)


@pytest.mark.parametrize(("columns", "counted"), OUTCOMES)
def test_fight_is_counted_the_same_in_all_statistics(
    columns: dict[str, Any], counted: dict[str, int]
) -> None:
    lidia = fought(**columns)
    expected = Counter({"bulls": 1, **counted})
    assert +Counter(counts_of(lidia)) == expected
    row = (dt.date(2027, 3, 7), 7, 1, 1, 2, lidia.trophy, lidia.vuelta, lidia.ending)
    (finish,) = ranking._finishes([(*row, lidia.avisos, lidia.crowd)])
    tally = ranking.Counts()
    tally.finish(finish)
    assert {key: +row for key, row in tally.counts.items()} == {2: expected}
    del expected["two_ears"]
    assert +Counter(deeds.count([lidia])) == expected


def test_lidia_without_a_verdict_counts_only_as_a_bull() -> None:
    lidia = fought(trophy=None, vuelta=None, crowd=None, score=None, number=None)
    assert +Counter(counts_of(lidia)) == {"bulls": 1}
    assert +Counter(deeds.count([lidia])) == {"bulls": 1}


def test_lidia_row_has_all_columns_of_a_played_lidia() -> None:
    assert set(PlayedLidia._fields) < set(LidiaRow._fields)


# A corrida is added


def counters(ledger: Ledger) -> dict[tuple[int, int], dict[str, int]]:
    return {key: dict(+counted) for key, counted in ledger.counters.items()}


@pytest.mark.parametrize("category", [1, 2, 3])
@pytest.mark.parametrize(("columns", "counted"), OUTCOMES)
def test_finisher_is_credited_in_the_category_of_the_plaza(
    columns: dict[str, Any], counted: dict[str, int], category: int
) -> None:
    ledger = entered(SEASON, [played(fought(1, finisher_id=2, **columns), category=category)])
    assert counters(ledger) == {
        (1, category): {"corridas": 1},
        (2, category): {"corridas": 1, "bulls": 1, **counted},
        (3, category): {"corridas": 1},
    }


def test_bull_of_a_lidia_broken_off_is_credited_to_nobody() -> None:
    broken = fought(1, finisher_id=None, ending="broken_off", trophy=None, crowd=None, avisos=2)
    ledger = entered(SEASON, [played(broken)])
    assert counters(ledger) == {(one, 1): {"corridas": 1} for one in (1, 2, 3)}
    assert ledger.letters == {}
    assert ledger.bulls == {"corrales": [101]}


def test_corridas_add_up_by_matador_and_category() -> None:
    ear = fought(1, trophy=1)
    ledger = entered(SEASON, [played(ear), played(ear), played(ear, category=3)])
    assert counters(ledger)[1, 1] == {"corridas": 2, "bulls": 2, "ears": 2}
    assert counters(ledger)[1, 3] == {"corridas": 1, "bulls": 1, "ears": 1}
    assert len(ledger.corridas) == 3


@pytest.mark.parametrize(
    ("ending", "fate"),
    [
        ("killed", "muerto"),
        ("spared", "semental"),
        ("three_avisos", "corrales"),
        ("broken_off", "corrales"),
    ],
)
def test_ending_of_a_lidia_decides_the_state_of_the_bull(ending: str, fate: str) -> None:
    ledger = entered(SEASON, [played(fought(1, ending=ending))])
    assert ledger.bulls == {fate: [101]}


def test_form_letters_belong_to_the_finisher_in_the_order_of_the_bulls() -> None:
    first = played(
        fought(1, trophy=1), fought(2, finisher_id=1, trophy=3), fought(3, ending="three_avisos")
    )
    ledger = Ledger(SEASON)
    assert ledger.enter(first).letters == {1: "1R", 3: "X"}
    assert ledger.enter(played(fought(1, ending="spared"))).letters == {1: "I"}
    assert ledger.letters == {1: "1RI", 3: "X"}


# Injured matadors

DAY = dt.date(2027, 3, 7)


@pytest.mark.parametrize(
    ("injured", "orders"), [(0, []), (1, [0]), (2, [1]), (4, [2]), (5, [0, 2]), (7, [0, 1, 2])]
)
def test_each_bit_of_the_injury_mask_means_one_matador_of_the_cartel(
    injured: int, orders: list[int]
) -> None:
    ledger = Ledger(SEASON)
    heard = ledger.enter(played(fought(2, injured=injured)))
    expected = [(order + 1, 2) for order in orders]
    assert [(one.matador_id, one.turn) for one in heard.injuries] == expected
    for order in range(3):
        assert ledger.counters[order + 1, 1]["injuries"] == (order in orders)


def injury_columns(injury: Injury) -> tuple[Any, ...]:
    return (injury.matador_id, injury.corrida_id, injury.turn, injury.grade, injury.since)


def test_injury_report_follows_from_the_seed_of_the_season() -> None:
    ledger = entered(SEASON, [played(fought(5, injured=2), category=2)])
    (injury,) = ledger.injuries
    wound = examine(Seed(bytes(SEASON.seed)).chance("injury/2027-03-07/ronda/1"))
    assert injury_columns(injury) == (2, 7, 5, wound.grade.value, DAY)
    assert injury.until == DAY + dt.timedelta(days=wound.days)
    assert ledger.counters[2, 2]["injuries"] == 1


def test_corrida_added_to_a_ledger_reports_only_its_own_injuries() -> None:
    ledger = Ledger(SEASON)
    first = ledger.enter(played(fought(1, injured=1)))
    second = ledger.enter(played(fought(1, injured=4), day=dt.date(2027, 3, 8)))
    assert [one.matador_id for one in first.injuries] == [1]
    assert [one.matador_id for one in second.injuries] == [3]
    assert [one.matador_id for one in ledger.injuries] == [1, 3]


@pytest.mark.parametrize(
    ("endings", "suspended"),
    [
        (["killed"] * 6, False),
        (["killed"] * 5, True),
        (["killed"] * 5 + ["broken_off"], True),
        (["three_avisos"] * 6, False),
        (["killed", "broken_off"], True),
    ],
)
def test_corrida_with_missing_or_broken_off_lidias_is_suspended(
    endings: list[str], suspended: bool
) -> None:
    lidias = [fought(turn, ending=ending) for turn, ending in enumerate(endings, start=1)]
    assert was_suspended(lidias) is suspended
