"""The referee agrees with a second implementation of Ruling I-18, also on falsified sheets."""

from __future__ import annotations

import os
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from corridas.engine import BULLS, CorridaSetup, Rules, play_corrida
from corridas.tabletop.sheets import LidiaReading, Pad, SheetReading, judge
from fairness import Chance, Seed
from tests.corridas.oracle.afternoons import (
    Afternoon,
    as_score,
    as_sheet,
    beside,
    fought,
    some_afternoon,
)
from tests.corridas.oracle.afternoons import heading as heading_of
from tests.corridas.oracle.cases import ALL_RULES, seeds
from tests.corridas.oracle.proofs import why_impossible
from tests.corridas.oracle.sheet import Sheet, running_order
from tests.corridas.oracle.slips import WILD, slip
from tests.corridas.oracle.table import PaperTable
from tests.corridas.oracle.test_shipped_cards import shipped_deck, shipped_matadors
from tests.corridas.oracle.translation import engine_deck
from tests.corridas.oracle.worlds import World, slow, worlds
from tests.corridas.tabletop.sheets.afternoon import (
    by_cards,
    by_sheet,
    figures,
    heading,
    pad_of,
    played,
)
from tests.properties import FULL

# Number of corridas in the full test. Each is played under twelve rule sets and submitted in four
# forms, each form also with three random mistakes. Two corridas make 384 sheets.
WORLDS = int(os.environ.get("TABLE_WORLDS", "12"))
# Number of corridas of which each figure is changed, on three score sheets each.
IN_FULL = 5
# Names of all figures of a score sheet.
FIGURES = {
    *("began", "finished", "injured", "tercios", "marks", "kill", "avisos", "avisos_points"),
    *("indulto", "number", "totals", "final", "score", "modified", "trophy", "vuelta", "crowd"),
    "ending",
}
ANY = [Rules.from_options(options) for options in ALL_RULES]
# Number of sheets with random mistakes, in ten tests. Each test has 24 corridas in all forms and
# under every rule set, ten times with different mistakes.
FUZZED = int(os.environ.get("TABLE_FUZZED", "10000" if FULL else "3000"))


def handed_in(setup: CorridaSetup, record: Any) -> list[dict[str, Any]]:
    """Return a played corrida in four forms: cards, entries, sums, and cards with entries."""
    cards, entries = by_cards(setup, record), by_sheet(setup, record)
    sums = [{"sheet": figures(lidia, sums=True)} for lidia in record.lidias]
    both = [{**one, **other} for one, other in zip(cards["lidias"], entries["lidias"], strict=True)]
    head = heading(setup)
    return [cards, entries, {**head, "lidias": sums}, {**head, "lidias": both}]


def written_in_full(afternoon: Afternoon, chance: Chance) -> list[dict[str, Any]]:
    """Return a corrida in three forms with all figures: as cards and scoresheets, as scoresheets
    only, and as results only.
    """
    lidias = fought(afternoon, BULLS, chance)
    sheets = [{**as_sheet(lidia, chance), **beside_sheet(lidia)} for lidia in lidias]
    both = [{"cards": one["cards"], "sheet": two} for one, two in zip(lidias, sheets, strict=True)]
    scores = [{**as_score(lidia, chance), **beside_score(lidia)} for lidia in lidias]
    ways = [both, [{"sheet": one} for one in sheets], [{"score": one} for one in scores]]
    return [{**heading_of(afternoon), "lidias": way} for way in ways]


def beside_sheet(lidia: Sheet) -> Sheet:
    """Return all figures that follow from a score sheet."""
    points = {"avisos_points": -9 * min(lidia["avisos"], 2)}
    return {"marks": list(lidia["marks"]), **points, **beside(lidia)}


def beside_score(lidia: Sheet) -> Sheet:
    """Return all figures that follow from a result."""
    return {name: lidia[name] for name in ("trophy", "vuelta", "crowd")}


def lidia_figures(lidia: LidiaReading) -> dict[str, Any] | None:
    """Return the referee's result of a lidia (fight) in the form of the second implementation.

    None if the lidia is rejected.
    """
    if not lidia.stands or lidia.result is None:
        return None
    result = lidia.result._asdict()
    ending = lidia.result.ending.value
    return {**result, "ending": ending, "injured": list(lidia.result.injured)}


def compare(reading: SheetReading, second: list[dict[str, Any] | None]) -> None:
    """Check that referee and second implementation accept the same lidias with the same results.

    Lidias (fights) after the first rejected one are not compared.
    """
    assert reading.stands == (None not in second)
    for lidia, other in zip(reading.lidias, second, strict=False):
        assert lidia_figures(lidia) == other
        if other is None:
            return


def agree(world: World, setup: CorridaSetup, options: dict[str, str], sheet: Any) -> bool:
    """Check that referee and second implementation agree on a sheet, and return whether
    they accept it.
    """
    table = PaperTable(world.pack, options, running_order(world.matadors), world.plaza_rating)
    reading = judge(setup.rules, setup.deck, sheet)
    compare(reading, table.read(sheet["lidias"]))
    return reading.stands


@pytest.mark.slow
@settings(slow, max_examples=2)
@given(worlds, seeds)
def test_referee_and_oracle_accept_the_same_sheets(world: World, seed: Seed) -> None:
    agree_on_all(world, seed)


@pytest.mark.nightly
@settings(slow, max_examples=WORLDS)
@given(worlds, seeds)
def test_referee_and_oracle_agree_on_many_corridas(world: World, seed: Seed) -> None:
    agree_on_all(world, seed)


def agree_on_all(world: World, seed: Seed) -> None:
    """Check sheets under every rule set, in every form, with and without random mistakes."""
    for options in ALL_RULES:
        setup = world.setup(options)
        chance = seed.chance(f"slips/{options}")
        for sheet in handed_in(setup, play_corrida(setup, seed)):
            assert agree(world, setup, options, sheet)
            for _ in range(3):
                slipped = {**sheet, "lidias": slip(sheet["lidias"], chance)}
                agree(world, setup, options, slipped)


def with_one_changed(sheet: dict[str, Any], turn: int, name: str, chance: Chance) -> dict[str, Any]:
    """Return a copy of a score sheet in which one figure of a lidia is changed."""
    found = deepcopy(sheet)
    written = found["lidias"][turn].get("sheet") or found["lidias"][turn]["score"]
    written[name] = changed(written[name], chance)
    return found


def changed(value: Any, chance: Chance) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.pick([1, -1, 9, -9])
    if isinstance(value, list) and value:
        place = chance.below(len(value))
        return [*value[:place], changed(value[place], chance), *value[place + 1 :]]
    if isinstance(value, dict) and value:
        name = chance.pick(sorted(value))
        return {**value, name: changed(value[name], chance)}
    return chance.pick(["killed", "spared", 0, 1, [0], None])


class Readings:
    """The referee and the second implementation judge the same corrida."""

    def __init__(self, afternoon: Afternoon) -> None:
        self.afternoon = afternoon
        self.rules = Rules.from_options(afternoon.rules)
        self.deck = engine_deck(afternoon.pack)

    def compare(self, sheet: Any) -> bool:
        """Compare both, and return whether the sheet is accepted.

        The referee also counts the cards that a result needs. If it rejects a sheet that the second
        implementation accepts, the sheet must be provably impossible.
        """
        day, lidias = self.afternoon, sheet["lidias"]
        reading = judge(self.rules, self.deck, sheet)
        second = PaperTable(day.pack, day.rules, day.order, day.rating).read(lidias)
        read = [lidia_figures(lidia) for lidia in reading.lidias]
        if None in read and read.index(None) < len(second) and second[read.index(None)]:
            refused = read.index(None)
            assert read[:refused] == second[:refused]
            assert why_impossible(day, lidias[: refused + 1]) is not None
        else:
            compare(reading, second)
        return reading.stands


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 10))]
)
def test_referee_and_oracle_agree_when_any_figure_is_changed(part: int) -> None:
    pack, cards = shipped_deck(), shipped_matadors()
    chance = Seed(bytes([part]) * 32).chance("figures")
    refused = set[str]()
    for _ in range(IN_FULL):
        afternoon = some_afternoon(chance, pack, cards)
        readings = Readings(afternoon)
        for sheet in written_in_full(afternoon, chance):
            assert readings.compare(sheet)
            turn = chance.below(len(sheet["lidias"]))
            lidia = sheet["lidias"][turn]
            for name in sorted(lidia.get("sheet") or lidia["score"]):
                slipped = with_one_changed(sheet, turn, name, chance)
                if not readings.compare(slipped):
                    refused.add(name)
    assert refused >= FIGURES


@cache
def afternoon(number: int) -> tuple[CorridaSetup, list[dict[str, Any]]]:
    """Return one of a few corridas, in each form in which it can be submitted."""
    setup, record = played(number, ANY[number % len(ANY)], 1 + number % 3, 2 * number)
    return setup, handed_in(setup, record)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 10))]
)
def test_referee_never_raises_for_malformed_sheets(part: int) -> None:
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
def test_referee_rejects_data_that_is_not_a_sheet(bad: Any) -> None:
    setup, record = played(0)
    assert not judge(setup.rules, setup.deck, bad).stands
    assert pad_of(by_cards(setup, record), 0).over
