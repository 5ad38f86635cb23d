"""The referee accepts sheets of played corridas and reports each error at its line."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from corridas.engine import Ending, Rules
from corridas.tabletop.sheets import Evidence, ScoresheetLine, SheetReading, State, judge
from tests.corridas.tabletop.sheets.afternoon import (
    DECK,
    USUAL,
    by_cards,
    by_sheet,
    figures,
    heading,
    played,
)
from tests.corridas.tabletop.sheets.paper import hurting_in

SETUP, RECORD = played(2)
SHEET = by_sheet(SETUP, RECORD)
CARDS = by_cards(SETUP, RECORD)


def read(sheet: Any, rules: Rules = USUAL) -> SheetReading:
    """Return the referee's judgement under these rules."""
    return judge(rules, DECK, sheet)


def wrong(sheet: Any, rules: Rules = USUAL) -> dict[str, ScoresheetLine]:
    """Return the contradictions that the referee finds, by path."""
    return {line.path: line for line in read(sheet, rules).contradictions}


def changed(sheet: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of a sheet with one value changed; `path` is that of a finding."""
    found = copy.deepcopy(sheet)
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    inside: Any = found
    for part in way:
        inside = inside[part]
    inside[last] = value
    return found


def test_referee_accepts_played_corridas_by_cards_and_by_sheet() -> None:
    for sheet, evidence in ((CARDS, Evidence.CARDS), (SHEET, Evidence.SHEET)):
        reading = read(sheet)
        assert reading.stands
        assert reading.evidence is evidence
        assert [lidia.result for lidia in reading.lidias] == [one.result for one in RECORD.lidias]
    assert [lidia.draws for lidia in read(CARDS).lidias] == [one.draws for one in RECORD.lidias]


def test_referee_accepts_sums_instead_of_entries() -> None:
    lidias = [{"sheet": figures(lidia, sums=True)} for lidia in RECORD.lidias]
    assert read({**SHEET, "lidias": lidias}).stands


def test_cards_and_sheet_of_a_lidia_must_agree() -> None:
    both = {
        **SHEET,
        "lidias": [{**a, **b} for a, b in zip(SHEET["lidias"], CARDS["lidias"], strict=True)],
    }
    assert read(both).stands
    assert read(both).evidence is Evidence.CARDS
    off = changed(both, "lidias/3/sheet/number", 101 - RECORD.lidias[3].result.avisos)
    assert list(wrong(off)) == ["lidias/3/sheet/number"]
    assert not read(off).stands


def test_evidence_of_a_corrida_is_that_of_its_weakest_lidia() -> None:
    mixed = changed(CARDS, "lidias/4", SHEET["lidias"][4])
    assert read(mixed).evidence is Evidence.SHEET


SLIPS = [
    ("lidias/1/sheet/tercios/0/0", {"entries": [3, -2], "sum": 2}, "I-5"),
    ("lidias/1/sheet/tercios/0/0", 91, "I-4"),
    ("lidias/1/sheet/tercios/2/1", "seven", "I-5"),
    ("lidias/1/sheet/tercios/0/0", [10], "I-5"),
    ("lidias/0/sheet/kill/2", -2, "I-1"),
    ("lidias/0/sheet/kill/2", 5, "I-1"),
    ("lidias/0/sheet/kill", [0, 0, 0, 0], "I-10"),
    ("lidias/0/sheet/avisos", 4, "I-10"),
    ("lidias/0/sheet/number", 101, "I-2"),
    ("lidias/0/sheet/began", 1, "I-16"),
    ("lidias/0/sheet/finished", 2, "I-16"),
    ("lidias/0/sheet/score", 77, "I-12"),
    ("lidias/0/sheet/modified", 0, "I-13"),
    ("lidias/0/sheet/trophy", 7, "I-13"),
    ("lidias/0/sheet/totals", [99, 99], "I-5"),
    ("plaza/rating", 4, "I-12"),
    ("cartel/0/ranges/oreja", "1-100", "I-13"),
]


@pytest.mark.parametrize(("path", "value", "ruling"), SLIPS)
def test_mistake_on_a_sheet_is_reported_at_its_line(path: str, value: Any, ruling: str) -> None:
    found = wrong(changed(SHEET, path, value))
    line = found.get(path) or found[path.rsplit("/", 1)[0]]
    assert line.ruling == ruling
    assert line.sentence
    assert line.lidia == (int(path.split("/")[1]) if path.startswith("lidias") else None)


def test_eighth_card_of_a_digit_is_rejected() -> None:
    nines = [card.place for card in DECK.cards if card.number == 9]
    quiet = [
        card.place for card in DECK.cards
        if card.first.sign == 0 and card.first.name not in ("BULL", "CLAVAR") and card.number != 9
    ]  # fmt: skip
    nine_marks = sorted(nines, key=lambda card: DECK.cards[card].first.sign != 0)
    draws = [*quiet[:2], *nine_marks, nine_marks[0]]
    found = wrong(changed(CARDS, "lidias/0/cards", draws))
    line = found[f"lidias/0/cards/{len(draws) - 1}"]
    assert "eighth card with number 9" in line.sentence
    assert line.ruling == "I-3"


def test_cards_after_the_end_are_reported_once() -> None:
    draws = list(RECORD.lidias[0].draws)
    rest = [card for card in range(70) if card not in draws]
    found = wrong(changed(CARDS, "lidias/0/cards", [*draws, *rest, draws[0]]))
    assert list(found) == [f"lidias/0/cards/{len(draws)}"]
    assert f"{71 - len(draws)} more" in found[f"lidias/0/cards/{len(draws)}"].sentence


def test_missing_card_is_reported_as_missing_not_wrong() -> None:
    reading = read(changed(CARDS, "lidias/0/cards", list(RECORD.lidias[0].draws[:-1])))
    assert not reading.contradictions
    assert [line.path for line in reading.missing] == ["lidias/0/cards"]
    assert not reading.stands


def test_matador_injured_earlier_cannot_begin() -> None:
    out = changed(SHEET, "lidias/0/sheet/injured", [0])
    out = changed(out, "lidias/0/sheet/finished", 1)
    line = wrong(out)["lidias/3/sheet/began"]
    names = [card.name for card in SETUP.order]
    assert line.claimed == names[0]
    assert line.derived == names[1]
    assert "bull 1" in line.sentence
    assert line.ruling == "I-16"


def test_three_injured_matadors_end_the_corrida() -> None:
    broken = {
        "tercios": [[4, 0], [0, 0], [0, 0]], "kill": None, "avisos": 0, "indulto": None,
        "number": None, "began": 0, "injured": [0, 1, 2], "finished": None,
    }  # fmt: skip
    deck = hurting_in("first")
    reading = judge(USUAL, deck, {**SHEET, "lidias": [{"sheet": broken}]})
    assert reading.stands
    assert reading.suspended
    assert reading.lidias[0].result is not None
    assert reading.lidias[0].result.ending is Ending.BROKEN_OFF
    after = judge(USUAL, deck, {**SHEET, "lidias": [{"sheet": broken}, SHEET["lidias"][1]]})
    assert [line.path for line in after.contradictions] == ["lidias/1"]
    # In the shipped deck only one card injures, in the third tercio, so it cannot injure three
    # matadors.
    assert list(wrong({**SHEET, "lidias": [{"sheet": broken}]})) == ["lidias/0/sheet/injured"]


def test_shared_deck_needs_the_cards_of_all_earlier_bulls() -> None:
    rules = Rules(shuffle="when_exhausted")
    setup, record = played(2, rules)
    sheet = by_cards(setup, record)
    assert read(sheet, rules).stands
    gap = changed(sheet, "lidias/0", by_sheet(setup, record)["lidias"][0])
    assert "lidias/1/cards" in wrong(gap, rules)


def test_results_without_a_sheet_are_the_weakest_evidence() -> None:
    lidias = [
        {"score": {"ending": "killed", "avisos": 0, "modified": 50, "began": turn % 3}}
        for turn in range(6)
    ]
    reading = read({**heading(SETUP), "lidias": lidias})
    assert reading.stands
    assert reading.evidence is Evidence.SCORE
    wrongly = changed({**heading(SETUP), "lidias": lidias}, "lidias/2/score/trophy", 3)
    assert list(wrong(wrongly)) == ["lidias/2/score/trophy"]


def test_referee_reports_every_figure_of_an_empty_sheet_as_missing() -> None:
    reading = read({})
    assert not reading.stands
    assert reading.setup is None
    assert {line.state for line in reading.all_lines} == {State.MISSING}
