"""Compute the score sheet of a lidia and the six score sheets of a corrida from their cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from tests.corridas.oracle.paper import (
    CROWD,
    TROPHIES,
    CardText,
    Contradiction,
    MatadorText,
    numbers_in,
    with_defaults,
)
from tests.corridas.oracle.walk import (
    Case,
    DrawnCard,
    hurt,
    is_spared,
    number_of,
    on_the_sand,
    points,
    strokes,
    walk,
    warnings,
)

Sheet = dict[str, Any]
FATE = {
    "killed": "muerto",
    "spared": "semental",
    "three_avisos": "corrales",
    "broken_off": "corrales",
}


def running_order(matadors: Sequence[MatadorText]) -> list[MatadorText]:
    """Return the matadors in the order in which they appear (Ruling I-14)."""
    order = sorted(matadors, key=lambda m: m.get("key", ""))
    order.sort(key=lambda m: unicodedata.normalize("NFC", m["name"]))
    order.sort(key=lambda m: date.fromisoformat(m["alternativa"] or "9999-12-31"))
    order.sort(key=lambda m: m["rating"], reverse=True)
    return order


def work_out_corrida(
    *,
    deck: list[CardText],
    matadors: Sequence[MatadorText],
    plaza_rating: int,
    options: Mapping[str, str],
    sorteo: Sequence[int],
    draws: Sequence[Sequence[int]],
) -> Sheet:
    """Compute a corrida from its cards: `order`, `lidias`, `suspended` and the fates of the
    `bulls`.

    `sorteo` is the bull, 0 to 5, of each turn (Ruling I-15). Raises `Contradiction` for an
    impossible card.
    """
    if sorted(sorteo) != [0, 1, 2, 3, 4, 5]:
        raise Contradiction(0, 0, "the sorteo gives each of six bulls one turn")
    order = running_order(matadors)
    rules = with_defaults(options)
    lidias: list[Sheet] = []
    for turn in range(6):
        able = [m for m in range(3) if all(m not in sheet["injured"] for sheet in lidias)]
        if not able:
            break
        if turn >= len(draws):
            raise Contradiction(turn, 0, "the corrida was not over, and this lidia is missing")
        starter = turn % 3 if turn % 3 in able else able[0]
        before = running_deck(rules, draws[:turn])
        case = Case(turn, rules, deck, order, able, starter, before)
        lidias.append(work_out_lidia(case, list(draws[turn]), plaza_rating))
    if len(draws) > len(lidias):
        raise Contradiction(len(lidias), 0, "the corrida was over, and this lidia is left over")
    fates = ["campo"] * 6
    for turn, sheet in enumerate(lidias):
        fates[sorteo[turn]] = FATE[sheet["ending"]]
    suspended = lidias[-1]["ending"] == "broken_off"
    return {"order": order, "lidias": lidias, "suspended": suspended, "bulls": fates}


def running_deck(rules: Mapping[str, str], earlier: Sequence[Sequence[int]]) -> list[int]:
    """Return the cards drawn before this bull, if one deck runs through the corrida (Ruling
    I-3).
    """
    if rules["shuffle"] == "each_bull":
        return []
    return [card for draws in earlier for card in draws]


def work_out_lidia(case: Case, cards: list[int], plaza_rating: int) -> Sheet:
    """Compute all figures of one score sheet from the cards in the order drawn."""
    lines = walk(case, cards)
    sheet = top_and_bottom(case, lines)
    sheet["ending"] = ending(case, lines)
    if sheet["ending"] in ("killed", "spared"):
        add_verdict(case, sheet, plaza_rating)
    if sheet["ending"] == "three_avisos":
        sheet.update(trophy=0, vuelta=False, crowd=1)
    return sheet


def top_and_bottom(case: Case, lines: list[DrawnCard]) -> Sheet:
    """Return the figures of a score sheet before the verdict: marks, entries, strokes and
    matadors.
    """
    tercios = (1, 2, 3)
    return {
        "purposes": [line.purpose for line in lines],
        "tercio_ends": tercio_ends([line.purpose for line in lines]),
        "marks": [sum(line.purpose == str(t) for line in lines) for t in tercios],
        "matador_entries": [points(lines, "matador", t) for t in tercios],
        "bull_entries": [points(lines, "bull", t) for t in tercios],
        "matador_points": sum(points(lines, "matador")),
        "bull_points": sum(points(lines, "bull")),
        "strokes": strokes(lines),
        "kill_points": sum(strokes(lines)),
        "warnings": warnings(case, lines),
        "avisos": len(warnings(case, lines)),
        "indulto": number_of(lines, "indulto"),
        "drawn": number_of(lines, "final"),
        "starter": case.starter,
        "injured": hurt(case, lines),
        "finisher": on_the_sand(case, lines),
        **dict.fromkeys(("final", "score", "number", "trophy", "vuelta", "crowd")),
    }


def tercio_ends(purposes: list[str]) -> list[int]:
    """Return the position of the last card of each tercio that was completed."""
    nexts = (("2",), ("3",), ("indulto tens", "kill"))
    begun = [next((n for n, p in enumerate(purposes) if p in parts), 0) for parts in nexts]
    return [position - 1 for position in begun if position]


def ending(case: Case, lines: list[DrawnCard]) -> str:
    """Return how the lidia ended (Rulings I-9, I-10, I-16)."""
    if on_the_sand(case, lines) is None:
        return "broken_off"
    if len(warnings(case, lines)) == 3:
        return "three_avisos"
    return "spared" if is_spared(case, lines) else "killed"


def add_verdict(case: Case, sheet: Sheet, plaza_rating: int) -> None:
    """Add the final score, the plaza's division, the final number and the verdict (I-11 to
    I-13).
    """
    bull = {"separate": 0, "against": -1, "for": 1}[case.rules["bull_points"]]
    final = sheet["matador_points"] + sheet["kill_points"] - 9 * sheet["avisos"]
    final += bull * sheet["bull_points"]
    score = abs(final) // plaza_rating * (1 if final > 0 else -1)
    number = min(100, max(1, sheet["drawn"] + score))
    matador = case.order[sheet["finisher"]]
    sheet.update(final=final, score=score, number=number, **verdict(matador, number))


def verdict(matador: MatadorText, number: int) -> Sheet:
    """Return the trophy 0-3, whether there is a vuelta, and without a trophy the crowd's
    verdict 1-6 (I-13).
    """
    printed: dict[str, Any] = dict(matador)
    trophy = [n for n, name in enumerate(TROPHIES, 1) if number in numbers_in(printed[name])]
    crowd = [n for n, name in enumerate(CROWD, 1) if number in numbers_in(printed[name])]
    return {
        "trophy": trophy[0] if trophy else 0,
        "vuelta": number in numbers_in(matador["vuelta"]),
        "crowd": None if trophy else crowd[0],
    }
