"""The referee compares cards, in the order drawn, with every figure of the score sheet next to
them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from corridas.engine import CorridaSetup, Ending, LidiaRecord, Range, Rules, play_corrida
from corridas.tabletop.sheets import LidiaReading, State, judge
from tests.corridas.tabletop.sheets.afternoon import (
    DECK,
    PRINTED,
    USUAL,
    by_cards,
    by_sheet,
    figures,
    heading,
    played,
    seed,
)
from tests.corridas.tabletop.sheets.paper import deck_of, frame
from tests.corridas.tabletop.sheets.test_referee import changed

WRONG = State.CONTRADICTED
ZEROS = [card.place for card in DECK.cards if card.number == 0]


@cache
def lidia_that(ended: str) -> tuple[CorridaSetup, LidiaRecord]:
    """Return a first lidia that ended in this way, or in which a matador was "hurt"."""
    for number in range(200):
        setup, record = played(number, first=number)
        if ended == Ending.THREE_AVISOS.value:
            cards = tuple(replace(card, aviso=Range(1, 100)) for card in setup.matadors)
            setup = replace(setup, matadors=cards)
            record = play_corrida(setup, seed(number))
        lidia = record.lidias[0]
        if ended in (lidia.result.ending.value, "hurt" if lidia.result.injured else ""):
            return setup, lidia
    raise AssertionError(ended)


def free_zeros(lidia: LidiaRecord) -> list[int]:
    """Return the cards of digit 0 that are still available for the final number."""
    return [card for card in ZEROS if card not in lidia.draws[:-2]]


def beside(setup: CorridaSetup, lidia: LidiaRecord, sheet: Any) -> LidiaReading:
    """Return the referee's judgement of a lidia's cards together with this score sheet."""
    lidias = [{"cards": list(lidia.draws), "sheet": sheet}]
    return judge(USUAL, DECK, {**heading(setup), "lidias": lidias}).lidias[0]


def wrong(reading: LidiaReading) -> list[tuple[str, str]]:
    """Return the findings that contradict the cards: the end of the path and the ruling."""
    found = [line for line in reading.lines if line.state is WRONG]
    assert (reading.result is None) == bool(found)
    return [(line.path.partition("/sheet/")[2], line.ruling) for line in found]


@pytest.mark.parametrize("ended", ["killed", "spared", "three_avisos", "hurt"])
@pytest.mark.parametrize("sums", [False, True])
def test_cards_and_their_own_score_sheet_agree(ended: str, sums: bool) -> None:
    setup, lidia = lidia_that(ended)
    reading = beside(setup, lidia, figures(lidia, sums=sums))
    assert wrong(reading) == []
    assert reading.result == lidia.result
    assert reading.draws == bytes(lidia.draws)
    states = {line.path.partition("/sheet/")[2]: line.state for line in reading.lines}
    assert states["tercios/0/0"] is State.AGREED
    assert states["began"] is State.AGREED
    assert states["totals"] is State.DERIVED


def test_cards_without_a_sheet_show_the_figures_that_follow() -> None:
    setup, lidia = lidia_that("hurt")
    reading = beside(setup, lidia, None)
    found = {line.path.partition("/sheet/")[2]: line for line in reading.lines}
    for path in ("began", "finished", "injured", "kill", "avisos", "number", "totals", "modified"):
        assert found[path].state is State.DERIVED, path
    assert found["began"].derived == setup.order[0].name
    assert found["injured"].derived == setup.order[0].name
    assert found["finished"].derived == setup.order[1].name


def off(lidia: LidiaRecord) -> dict[str, tuple[Any, str]]:
    """Return each figure of a killed bull's lidia, changed by one, with the ruling of its
    finding.
    """
    sheet, result = figures(lidia), lidia.result
    found: dict[str, tuple[Any, str]] = {
        "began": (result.starter + 1, "I-16"),
        "finished": (2 if result.finisher != 2 else 1, "I-16"),
        "injured": ([*sheet["injured"], 2], "I-16"),
        "kill": ([*sheet["kill"][:4], sheet["kill"][4] - 1], "I-10"),
        "avisos": (result.avisos + 1, "I-10"),
        "avisos_points": (-9 * result.avisos - 9, "I-10"),
        "indulto": (sheet["indulto"] % 100 + 1 if sheet["indulto"] else 50, "I-2"),
        "number": (sheet["number"] % 100 + 1, "I-2"),
        "totals": ([result.matador_points, result.bull_points + 1], "I-5"),
        "score": ((result.score or 0) + 1, "I-12"),
        "final": (999, "I-11"),
        "modified": ((result.number or 0) % 100 + 1, "I-13"),
        "trophy": ((result.trophy or 0) + 1, "I-13"),
        "vuelta": (not result.vuelta, "I-13"),
        "crowd": (1 if result.crowd != 1 else 2, "I-13"),
        "ending": ("broken_off", "I-10"),
    }
    for place in range(3):
        for side in range(2):
            entries = sheet["tercios"][place][side]
            found[f"tercios/{place}/{side}"] = (sum(entries) + 1, "I-5")
    return found


@pytest.mark.parametrize("ended", ["killed", "hurt"])
def test_figure_that_contradicts_the_cards_is_found(ended: str) -> None:
    setup, lidia = lidia_that(ended)
    sheet = {**figures(lidia), "totals": None}
    for path, (value, ruling) in off(lidia).items():
        found = wrong(beside(setup, lidia, changed(sheet, path, value)))
        assert found == [(path, ruling)], path


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("side", range(2))
def test_points_may_accompany_cards_as_entries_or_sums(place: int, side: int) -> None:
    """Entries must have the order of the cards (Ruling I-5)."""
    setup, lidia = lidia_that("killed")
    sheet = figures(lidia)
    entries, path = sheet["tercios"][place][side], f"tercios/{place}/{side}"
    for right in (sum(entries), {"entries": entries, "sum": sum(entries)}, None):
        assert wrong(beside(setup, lidia, changed(sheet, path, right))) == []
    for value, where in (
        ([*entries, 1], path),
        ({"entries": [*entries, 1], "sum": sum(entries)}, path),
        ({"entries": entries, "sum": sum(entries) + 1}, f"{path}/sum"),
    ):
        assert wrong(beside(setup, lidia, changed(sheet, path, value))) == [(where, "I-5")]


def test_number_of_marks_must_agree_with_the_cards() -> None:
    """The first and third tercio have ten marks, the second has any number (Ruling I-4)."""
    setup, lidia = lidia_that("killed")
    alone = beside(setup, lidia, figures(lidia))
    marks = [int(line.derived) for line in alone.lines if "/marks/" in line.path and line.derived]
    assert marks[::2] == [10, 10]
    assert wrong(beside(setup, lidia, {**figures(lidia), "marks": marks})) == []
    for place in range(3):
        more = [count + (at == place) for at, count in enumerate(marks)]
        found = wrong(beside(setup, lidia, {**figures(lidia), "marks": more}))
        assert found == [(f"marks/{place}", "I-4")]


@pytest.mark.parametrize(("path", "value"), [("indulto", 50), ("kill", [0]), ("avisos", 1)])
def test_sheet_of_a_spared_bull_has_no_kill(path: str, value: Any) -> None:
    setup, lidia = lidia_that("spared")
    sheet = changed(figures(lidia), path, value)
    if path == "indulto":
        sheet["indulto"] = figures(lidia)["indulto"] % 100 + 1
    assert [at for at, _ruling in wrong(beside(setup, lidia, sheet))] == [path]


def test_number_100_may_be_written_as_0() -> None:
    """Ruling I-2: 00 is a hundred, and so is the figure 0 on a sheet."""
    afternoons = (played(number) for number in range(20))
    setup, lidia = next(
        (setup, lidia)
        for setup, record in afternoons
        if len(free_zeros(lidia := record.lidias[0])) > 1 and lidia.result.number
    )
    draws = [*lidia.draws[:-2], *free_zeros(lidia)[:2]]
    for written, stands in ((0, True), (100, True), (1, False), (False, False)):
        lidias = [{"cards": draws, "sheet": {"number": written}}]
        found = wrong(judge(USUAL, DECK, {**heading(setup), "lidias": lidias}).lidias[0])
        assert found == ([] if stands else [("number", "I-2")])
    assert wrong(beside(setup, lidia, {"number": 0})) == [("number", "I-2")]


def card_line(cards: Any, rules: Rules = USUAL) -> list[tuple[str, State, str]]:
    """Return path, state and ruling of the findings on these cards of the first bull."""
    found = judge(rules, DECK, {**frame(), "lidias": [{"cards": cards}]}).lidias[0].lines
    return [(line.path, line.state, line.ruling) for line in found if "/cards" in line.path]


def test_card_numbers_outside_0_to_69_are_rejected() -> None:
    for card, stands in ((0, True), (69, True), (70, False), (-1, False), (True, False)):
        found = card_line([card])
        expected = ("lidias/0/cards", State.MISSING, "I-18")
        if not stands:
            expected = ("lidias/0/cards/0", WRONG, "I-1")
        assert found == [expected]
    assert card_line([3, None]) == [("lidias/0/cards/1", WRONG, "I-1")]
    assert card_line([]) == [("lidias/0/cards", State.MISSING, "I-18")]
    assert card_line(None) == []
    assert card_line("12") == [("lidias/0/cards", State.MISSING, "I-18")]


def test_same_card_twice_is_reported_as_a_repeated_card() -> None:
    reading = judge(USUAL, DECK, {**frame(), "lidias": [{"cards": [5, 5]}]}).lidias[0]
    assert [(line.path, line.ruling) for line in reading.lines] == [("lidias/0/cards/1", "I-3")]
    assert "Card 5" in reading.lines[0].sentence
    assert "eighth" not in reading.lines[0].sentence


def test_eighth_card_of_a_digit_is_reported_after_seven_others() -> None:
    deck = deck_of()
    nines = [place for place in range(70) if place % 10 == 9]
    for drawn, eighth in (([*nines[:6], nines[0]], False), ([*nines, nines[0]], True)):
        content = {**frame(), "lidias": [{"cards": drawn}]}
        line = judge(USUAL, deck, content).lidias[0].lines[0]
        assert line.path == f"lidias/0/cards/{len(drawn) - 1}"
        assert ("eighth card with number 9" in line.sentence) == eighth


def test_missing_and_superfluous_cards_are_reported() -> None:
    setup, lidia = lidia_that("killed")
    draws = list(lidia.draws)
    rest = next(card for card in range(70) if card not in draws)
    for cards, path, state in (
        (draws[:-1], "lidias/0/cards", State.MISSING),
        (draws, "lidias/0/cards", State.AGREED),
        ([*draws, rest], f"lidias/0/cards/{len(draws)}", WRONG),
    ):
        lidias = [{"cards": cards}]
        reading = judge(USUAL, DECK, {**heading(setup), "lidias": lidias}).lidias[0]
        line = next(line for line in reading.lines if "/cards" in line.path)
        assert (line.path, line.state) == (path, state)
        assert (reading.result is None) == (state is not State.AGREED)


def test_matador_injured_by_the_cards_cannot_begin_a_later_bull() -> None:
    """The injury follows from the cards alone (Ruling I-16)."""
    setup, lidia = lidia_that("hurt")
    assert lidia.result.injured == (0,)
    later = figures(lidia)
    lidias = [{"cards": list(lidia.draws)}, {}, {}, {"sheet": {**later, "began": 0}}]
    reading = judge(USUAL, DECK, {**heading(setup), "lidias": lidias})
    line = next(line for line in reading.lidias[3].lines if line.path.endswith("began"))
    assert (line.state, line.derived) == (WRONG, setup.order[1].name)
    assert "bull 1" in line.sentence


def test_shared_deck_rejects_a_card_of_the_previous_bull() -> None:
    """With one deck, a card of the first bull cannot come for the second.

    With a new deck for each bull it can (Ruling I-3).
    """
    rules = Rules(shuffle="when_exhausted")
    setup, record = played(2, rules)
    first, second = (list(lidia.draws) for lidia in record.lidias[:2])
    for options, stands in ((rules, False), (USUAL, True)):
        lidias = [{"cards": first}, {"cards": [first[0], *second[1:]]}]
        reading = judge(options, DECK, {**heading(setup), "lidias": lidias})
        found = [line.path for line in reading.lidias[1].lines if line.state is WRONG]
        assert ("lidias/1/cards/0" in found) != stands


@pytest.mark.slow
def test_cards_that_injure_all_matadors_suspend_the_corrida() -> None:
    """With a deck that injures with every card, nine cards injure three matadors, and nothing
    follows.
    """
    deck = deck_of(first=dict.fromkeys(range(70), "BULL"), bull=dict.fromkeys(range(70), "HERIDA"))
    zeros = [place for place in range(70) if place % 10 == 0]
    content = {**frame(), "lidias": [{"cards": [1, zeros[0], 2, zeros[1], 3, zeros[2]]}]}
    reading = judge(USUAL, deck, content)
    assert reading.suspended
    result = reading.lidias[0].result
    assert result is not None
    assert (result.ending, result.injured) == (Ending.BROKEN_OFF, (0, 1, 2))
    assert reading.stands
    for path, value in (("kill", [0]), ("finished", 0), ("number", 50), ("crowd", 1)):
        lidia = {**content["lidias"][0], "sheet": {path: value}}
        found = judge(USUAL, deck, {**content, "lidias": [lidia]}).lidias[0]
        assert [at for at, _ruling in wrong(found)] == [path]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "number", "turn", "cards"), [("next_card", 125, 0, 939), ("same_card", 587, 3, 620)]
)
def test_lidia_of_many_hundred_cards_is_judged_to_its_end(
    reading: Any, number: int, turn: int, cards: int
) -> None:
    """Both CLAVAR cards may answer or score again and again, so the second tercio takes many
    decks (I-3, I-6, I-8).
    """
    second = {place: "CLAVAR" if place < 2 else "BULL" for place in range(70)}
    deck = deck_of(second=second, bull=dict.fromkeys(range(70), "MIRA+"))
    rules = Rules(bull_reading=reading)
    setup = CorridaSetup(rules=rules, deck=deck, plaza_rating=1, matadors=PRINTED[:3])
    record = play_corrida(setup, seed(number))
    assert len(record.lidias[turn].draws) == cards
    found = judge(rules, deck, by_cards(setup, record))
    assert [line for line in found.lines if line.refuses] == []
    assert [one.result for one in found.lidias] == [lidia.result for lidia in record.lidias]
    again = judge(rules, deck, by_sheet(setup, record))
    assert [line for line in again.lines if line.refuses] == []
