"""The referee of real tables beside a second reading of Ruling I-18, and beside bad intent."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from corridas.engine import CorridaSetup, Rules, play_corrida
from corridas.tabletop.sheets import LidiaReading, Pad, Reading, judge
from fairness import Seed
from tests.corridas.oracle.cases import ALL_RULES, seeds
from tests.corridas.oracle.sheet import running_order
from tests.corridas.oracle.slips import WILD, slip
from tests.corridas.oracle.table import Table
from tests.corridas.oracle.worlds import World, slow, worlds
from tests.corridas.tabletop.sheets.afternoon import (
    by_cards,
    by_sheet,
    figures,
    heading,
    pad_of,
    played,
)

WORLDS = int(os.environ.get("TABLE_WORLDS", "12"))
"""Of the sweep: each under twelve rule sets, handed in four ways, each of those with three slips
besides. Two of them make 384 sheets."""
ANY = [Rules.from_options(options) for options in ALL_RULES]
FUZZED = int(os.environ.get("TABLE_FUZZED", "10000"))
"""Sheets of the sweep, in ten parts. Each part has all ways to hand in 24 corridas, under
every rule set, ten times with other slips."""


def handed_in(setup: CorridaSetup, record: Any) -> list[dict[str, Any]]:
    """The same corrida by its cards, by entries, by sums, and by both."""
    cards, entries = by_cards(setup, record), by_sheet(setup, record)
    sums = [{"sheet": figures(lidia, sums=True)} for lidia in record.lidias]
    both = [{**one, **other} for one, other in zip(cards["lidias"], entries["lidias"], strict=True)]
    head = heading(setup)
    return [cards, entries, {**head, "lidias": sums}, {**head, "lidias": both}]


def told(lidia: LidiaReading) -> dict[str, Any] | None:
    """A lidia in the words of the second reading; None where it does not stand."""
    if not lidia.stands or lidia.result is None:
        return None
    result = lidia.result._asdict()
    ending = lidia.result.ending.value
    return {**result, "ending": ending, "injured": list(lidia.result.injured)}


def compare(reading: Reading, second: list[dict[str, Any] | None]) -> None:
    """The same lidias stand, and come to the same, up to the first that does not."""
    assert reading.stands == (None not in second)
    for lidia, other in zip(reading.lidias, second, strict=False):
        assert told(lidia) == other
        if other is None:
            return


def agree(world: World, setup: CorridaSetup, options: dict[str, str], sheet: Any) -> bool:
    """Both readings of a sheet; says whether it stands."""
    table = Table(world.pack, options, running_order(world.matadors), world.plaza_rating)
    reading = judge(setup.rules, setup.deck, sheet)
    compare(reading, table.read(sheet["lidias"]))
    return reading.stands


@pytest.mark.slow
@settings(slow, max_examples=2)
@given(worlds, seeds)
def test_both_readings_agree_on_what_stands(world: World, seed: Seed) -> None:
    agree_on_all(world, seed)


@pytest.mark.nightly
@settings(slow, max_examples=WORLDS)
@given(worlds, seeds)
def test_both_readings_agree_on_many_worlds(world: World, seed: Seed) -> None:
    agree_on_all(world, seed)


def agree_on_all(world: World, seed: Seed) -> None:
    """What stands under every rule set, handed in every way, with and without slips."""
    for options in ALL_RULES:
        setup = world.setup(options)
        chance = seed.chance(f"slips/{options}")
        for sheet in handed_in(setup, play_corrida(setup, seed)):
            assert agree(world, setup, options, sheet)
            for _ in range(3):
                slipped = {**sheet, "lidias": slip(sheet["lidias"], chance)}
                agree(world, setup, options, slipped)


@cache
def afternoon(number: int) -> tuple[CorridaSetup, list[dict[str, Any]]]:
    """One of a few corridas, handed in each way."""
    setup, record = played(number, ANY[number % len(ANY)], 1 + number % 3, 2 * number)
    return setup, handed_in(setup, record)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 10))]
)
def test_nothing_that_is_handed_in_raises(part: int) -> None:
    refused = 0
    for number in range(part * FUZZED // 10, (part + 1) * FUZZED // 10):
        setup, sheets = afternoon(number % 24)
        chance = Seed(number.to_bytes(32, "big")).chance("fuzz")
        bad = slip(sheets[number // 24 % 4], chance, WILD, often=6)
        reading = judge(setup.rules, setup.deck, bad)
        refused += not reading.stands
        Pad.of(setup.rules, setup.deck, bad, number % 6)
        assert all(line.sentence and line.path for line in reading.all_lines)
    assert refused > FUZZED // 20


@pytest.mark.parametrize("bad", [None, 7, "x", [], {}, {"lidias": 3}, {"cartel": [[]]}, [{}]])
def test_what_is_no_sheet_is_refused(bad: Any) -> None:
    setup, record = played(0)
    assert not judge(setup.rules, setup.deck, bad).stands
    assert pad_of(by_cards(setup, record), 0).over
