"""Random corridas computed without the engine, and their lidias in each form that a table submits.

Cards are shuffled and read here; the figures of the score sheets are computed by the second
implementation of the rules.
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
    """The deck, matadors, plaza rating and rules of a corrida, as plain data."""

    pack: list[CardText]
    order: list[MatadorText]
    rating: int
    rules: dict[str, str]


def some_deck(chance: Chance) -> list[CardText]:
    """Return a random legal deck (Ruling I-1), each column printed with a few different texts."""
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
    """Return a random legal matador card (I-13).

    Its VUELTA, AVISO and INDULTO ranges are often empty or contain every number.
    """
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
    """Return a random corrida with the shipped deck and cards, or with random ones, under any
    rules.
    """
    if chance.below(2):
        pack = some_deck(chance)
    three = chance.shuffled(cards)[:3]
    if chance.below(2):
        three = [some_card(name, 90 - at, chance) for at, name in enumerate("ABC")]
    rules, rating = chance.pick(ALL_RULES), 1 + chance.below(3)
    return Afternoon(pack, running_order(three), rating, rules)


def fought(afternoon: Afternoon, turns: int, chance: Chance) -> list[Sheet]:
    """Play the first `turns` lidias of a corrida, or fewer if all matadors are injured before."""
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
    """Draw cards from shuffled decks until the lidia is over, and return them."""
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


# Forms in which a table submits a lidia


def heading(afternoon: Afternoon) -> Sheet:
    """Return the sheet of a corrida (plaza, date, cartel, bulls) without its lidias."""
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
    """Return the score sheet of a lidia, with entries, sums or both, and with some of the
    figures that follow.
    """
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
    """Return the figures that follow from a score sheet and may be written on it too."""
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
    """Return one side of a tercio as its entries, as their sum, or as both."""
    both = {"entries": list(entries), "sum": sum(entries)}
    return chance.pick([list(entries), sum(entries), both])


def as_score(lidia: Sheet, chance: Chance) -> Sheet:
    """Return only the result of a lidia, with or without points and the sum of the kill
    modifiers.
    """
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
