"""Corridas played on paper, and their lidias in the forms in which a table hands them in.

Nothing here asks the engine: cards are shuffled and walked, what stands on the sheets is worked out
by the oracle.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from fairness import Chance
from tests.corridas.oracle.cases import (
    ALL_RULES,
    BULLS,
    CLAVARS,
    MOVES,
    SECONDS,
    WORDS,
    range_text,
)
from tests.corridas.oracle.paper import (
    CROWD,
    DECK_SIZE,
    OWN_RANGES,
    TROPHIES,
    CardText,
    Contradiction,
    MatadorText,
)
from tests.corridas.oracle.sheet import Sheet, running_deck, running_order, work_out_lidia
from tests.corridas.oracle.walk import Case, walk

DECKS_AT_ONCE = 4


class Afternoon(NamedTuple):
    """What a corrida is fought with, on paper."""

    pack: list[CardText]
    order: list[MatadorText]
    rating: int
    rules: dict[str, str]


def some_deck(chance: Chance) -> list[CardText]:
    """A legal deck (Ruling I-1), each column printed from a few words, its digits in any order."""
    numbers = chance.shuffled([digit for digit in range(10) for _ in range(7)])
    columns = [
        [chance.pick(few) for _ in range(DECK_SIZE)]
        for few in (
            [chance.pick(words) for _ in range(1 + chance.below(6))]
            for words in (MOVES, SECONDS, MOVES, BULLS)
        )
    ]
    kills = [f"{chance.pick(WORDS)} {-chance.below(21)}" for _ in range(1 + chance.below(6))]
    for place in chance.shuffled(list(range(DECK_SIZE)))[: 4 + chance.below(8)]:
        columns[1][place] = chance.pick(CLAVARS)
    return [
        CardText(
            number=numbers[n], first=columns[0][n], second=columns[1][n], third=columns[2][n],
            bull=columns[3][n], kill=kills[n % len(kills)],
        )
        for n in range(DECK_SIZE)
    ]  # fmt: skip


def some_card(name: str, rating: int, chance: Chance) -> MatadorText:
    """A legal card (Ruling I-13); the ranges of its own are often empty or everything."""
    cuts = sorted(chance.below(101) for _ in range(8))
    bounds = zip([0, *cuts], [*cuts, 100], strict=True)
    names = chance.shuffled([*TROPHIES, *CROWD])
    card: dict[str, Any] = {"name": name, "rating": rating, "alternativa": None}
    for verdict, (low, high) in zip(names, bounds, strict=True):
        card[verdict] = range_text(low + 1, high)
    for own in OWN_RANGES:
        low, high = 1 + chance.below(100), 1 + chance.below(100)
        card[own] = chance.pick(["-", "1-100", range_text(low, high), range_text(low, high)])
    return cast(MatadorText, card)


def some_afternoon(chance: Chance, pack: list[CardText], cards: list[MatadorText]) -> Afternoon:
    """With what is shipped, or a deck and cards of another make; under any rules."""
    if chance.below(2):
        pack = some_deck(chance)
    three = chance.shuffled(cards)[:3]
    if chance.below(2):
        three = [some_card(name, 90 - at, chance) for at, name in enumerate("ABC")]
    rules, rating = chance.pick(ALL_RULES), 1 + chance.below(3)
    return Afternoon(pack, running_order(three), rating, rules)


def fought(afternoon: Afternoon, turns: int, chance: Chance) -> list[Sheet]:
    """The first lidias of a corrida, or as many as there are until nobody is able."""
    draws: list[list[int]] = []
    sheets: list[Sheet] = []
    for turn in range(turns):
        able = [man for man in range(3) if all(man not in sheet["injured"] for sheet in sheets)]
        if not able:
            break
        starter = turn % 3 if turn % 3 in able else able[0]
        before = running_deck(afternoon.rules, draws)
        case = Case(turn, afternoon.rules, afternoon.pack, afternoon.order, able, starter, before)
        draws.append(drawn(case, chance))
        sheets.append({**work_out_lidia(case, draws[-1], afternoon.rating), "cards": draws[-1]})
    return sheets


def drawn(case: Case, chance: Chance) -> list[int]:
    """Cards off shuffled decks until the lidia is over."""
    lying = case.before[len(case.before) // DECK_SIZE * DECK_SIZE :]
    supply = chance.shuffled([card for card in range(DECK_SIZE) if card not in lying])
    while True:
        for _ in range(DECKS_AT_ONCE):
            supply += chance.shuffled(list(range(DECK_SIZE)))
        try:
            walk(case, supply)
        except Contradiction as over:
            if over.position < len(supply):
                return supply[: over.position]
        else:
            return supply


# What a table writes down.


def heading(afternoon: Afternoon) -> Sheet:
    """A sheet without its lidias."""
    ranges = (*TROPHIES, *CROWD, *OWN_RANGES)
    own = ("name", "key", "rating", "alternativa")
    cartel = [{name: value for name, value in card.items() if name in own} | {
        "ranges": {name: cast(dict[str, Any], card)[name] for name in ranges},
    } for card in afternoon.order]  # fmt: skip
    return {
        "plaza": {"name": "Las Ventas", "rating": afternoon.rating},
        "date": "2026-05-15",
        "cartel": cartel,
        "bulls": [{"name": f"Toro {turn}", "number": 10 + turn} for turn in range(6)],
        "leads": [0, 1, 0],
        "lidias": [],
    }


def as_sheet(lidia: Sheet, chance: Chance) -> Sheet:
    """The whole scoresheet: entries, sums or both; what follows from it beside it, or not."""
    broken = lidia["ending"] == "broken_off"
    sides = zip(lidia["matador_entries"], lidia["bull_entries"], strict=True)
    sheet: Sheet = {
        "tercios": [[noted(m, chance), noted(b, chance)] for m, b in sides],
        "kill": None if broken else list(lidia["strokes"]),
        "avisos": lidia["avisos"],
        "indulto": lidia["indulto"],
        "number": lidia["drawn"],
        "began": lidia["starter"],
        "injured": list(lidia["injured"]),
        "finished": lidia["finisher"],
    }
    further = {"marks": list(lidia["marks"]), **beside(lidia)}
    return sheet | {name: value for name, value in further.items() if not chance.below(3)}


def beside(lidia: Sheet) -> Sheet:
    """What follows from the sheet and may stand beside it."""
    return {
        "totals": [lidia["matador_points"], lidia["bull_points"]],
        "final": lidia["final"],
        "score": lidia["score"],
        "modified": lidia["number"],
        "trophy": lidia["trophy"],
        "vuelta": lidia["vuelta"],
        "crowd": lidia["crowd"],
        "ending": lidia["ending"],
    }


def noted(entries: list[int], chance: Chance) -> object:
    """One side of a tercio: its entries, their sum, or both."""
    both = {"entries": list(entries), "sum": sum(entries)}
    return chance.pick([list(entries), sum(entries), both])


def as_score(lidia: Sheet, chance: Chance) -> Sheet:
    """The result alone, with points and the modifiers' sum or without."""
    score: Sheet = {
        "ending": lidia["ending"],
        "modified": lidia["number"],
        "avisos": lidia["avisos"],
        "began": lidia["starter"],
        "injured": list(lidia["injured"]),
        "finished": lidia["finisher"],
    }
    if chance.below(4):
        score["totals"] = [lidia["matador_points"], lidia["bull_points"]]
    if chance.below(4) and lidia["ending"] in ("killed", "three_avisos"):
        score["kill"] = lidia["kill_points"]
    return score
