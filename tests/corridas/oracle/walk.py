"""Read one lidia card by card, with a list of steps that are still to do.

The only state is two lists: the purposes still to be drawn for, and the cards drawn with their
purposes. Everything that a decision needs (the bull's total, the CLAVAR cards, the warnings, the
matador in the ring) is counted again from the second list each time.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.corridas.oracle.paper import (
    DECK_SIZE,
    CardText,
    Contradiction,
    MatadorText,
    column,
    modifier,
    numbers_in,
    says_clavar,
    sign,
    two_cards,
)


class Case(NamedTuple):
    """The setup of one lidia: rules, deck, matadors, who is able to fight, and the cards
    already drawn.
    """

    lidia: int
    rules: dict[str, str]
    deck: list[CardText]
    order: list[MatadorText]
    able: list[int]
    starter: int
    # Cards of the running deck that were drawn in earlier lidias (Ruling I-3, `when_exhausted`).
    before: list[int]


class DrawnCard(NamedTuple):
    """One card drawn, and the purpose for which it was drawn."""

    purpose: str
    card: CardText


TO_DO = ["1"] * 10 + ["2"] + ["3"] * 10 + ["indulto?"]
KILL = ["kill", "aviso"] * 5
VERDICT = ["final tens", "final units"]


def walk(case: Case, cards: list[int]) -> list[DrawnCard]:
    """Return the purpose of each card. Raise `Contradiction` at the first impossible card.

    Purposes: `1` `2` `3` (a mark of this tercio), `matador + 2` (points, sign, tercio), `bull - 3`,
    `answer 1` (next card's BULL entry), `wound`, `indulto tens`, `indulto units`, `kill`, `aviso`,
    `final tens`, `final units`.
    """
    lines: list[DrawnCard] = []
    to_do = list(TO_DO)
    used = 0
    while to_do:
        purpose = to_do.pop(0)
        if purpose.endswith("?"):
            to_do = decide(case, lines, purpose) + to_do
            continue
        lines.append(DrawnCard(purpose, card_at(case, cards, used)))
        used += 1
        to_do = [] if is_over(case, lines) else follow(case, lines) + to_do
    if used < len(cards):
        raise Contradiction(case.lidia, used, "cards are left over: the lidia was over before")
    return lines


def card_at(case: Case, cards: list[int], position: int) -> CardText:
    """Return the card at a position. Raise `Contradiction` if it cannot be there (Ruling I-3)."""
    if position >= len(cards):
        raise Contradiction(case.lidia, position, "a card is missing: the lidia was not over")
    card = cards[position]
    if card not in range(DECK_SIZE):
        raise Contradiction(case.lidia, position, f"there is no card {card}")
    gone = case.before + cards[:position]
    full_decks = len(gone) // DECK_SIZE * DECK_SIZE
    if card in gone[full_decks:]:
        raise Contradiction(case.lidia, position, f"card {card} has left this deck already")
    return case.deck[card]


def follow(case: Case, lines: list[DrawnCard]) -> list[str]:
    """Return the purposes that the card just drawn requires at once."""
    purpose, card = lines[-1]
    if purpose in ("1", "2", "3"):
        again = ["2"] if purpose == "2" and clavars(lines) < 2 else []
        return after_move(case, card, int(purpose)) + again
    if purpose.startswith("answer"):
        return after_bull(card, int(purpose[-1]))
    if purpose == "indulto units":
        return ["spared?"]
    return []


def after_move(case: Case, card: CardText, tercio: int) -> list[str]:
    """Return what a card of a tercio requires: points, the bull's answer, or nothing (I-5, I-6)."""
    reading = column(card, tercio)
    if reading == "BULL":
        same = case.rules["bull_reading"] == "same_card"
        return after_bull(card, tercio) if same else [f"answer {tercio}"]
    return [f"matador {sign(reading)} {tercio}"] if sign(reading) else []


def after_bull(card: CardText, tercio: int) -> list[str]:
    """Return what a BULL entry requires: points, a check for an injury, or nothing (I-5, I-7)."""
    if card["bull"] == "HERIDA":
        return ["wound"]
    return [f"bull {sign(card['bull'])} {tercio}"] if sign(card["bull"]) else []


def decide(case: Case, lines: list[DrawnCard], question: str) -> list[str]:
    """Return the next purposes after the faena and after the check for indulto (Ruling I-9)."""
    if question == "indulto?":
        wanted = sum(points(lines, "bull")) > 0
        return ["indulto tens", "indulto units"] if wanted else KILL + VERDICT
    return VERDICT if is_spared(case, lines) else KILL + VERDICT


def is_over(case: Case, lines: list[DrawnCard]) -> bool:
    """Return whether the card just drawn ends the lidia (Rulings I-10 and I-16)."""
    purpose = lines[-1].purpose
    if purpose == "wound":
        return on_the_sand(case, lines) is None
    return purpose == "aviso" and len(warnings(case, lines)) == 3


def points(lines: list[DrawnCard], whose: str, tercio: int | None = None) -> list[int]:
    """Return the signed entries of `matador` or `bull`, in one tercio or in all."""
    entries = []
    for purpose, card in lines:
        words = purpose.split()
        if words[0] == whose and str(tercio or words[2]) == words[2]:
            entries.append(int(f"{words[1]}{card['number']}"))
    return entries


def clavars(lines: list[DrawnCard]) -> int:
    """Return the number of cards drawn in the second tercio that read CLAVAR (Ruling I-8)."""
    return sum(says_clavar(line.card["second"]) for line in lines if line.purpose == "2")


def hurt(case: Case, lines: list[DrawnCard]) -> list[int]:
    """Return the matadors injured by this bull, in order (Rulings I-7 and I-16)."""
    out: list[int] = []
    for purpose, card in lines:
        if purpose == "wound" and card["number"] == 0:
            out.append(next(m for m in [case.starter, *case.able] if m not in out))
    return out


def on_the_sand(case: Case, lines: list[DrawnCard]) -> int | None:
    """Return the matador who faces the bull now, or None if all are injured (Ruling I-16)."""
    out = hurt(case, lines)
    standing = [m for m in [case.starter, *case.able] if m not in out]
    return standing[0] if standing else None


def number_of(lines: list[DrawnCard], what: str) -> int | None:
    """Return the two-card number drawn for `indulto` or `final`, or None if it was not drawn
    (I-2).
    """
    digits = [line.card["number"] for line in lines if line.purpose.startswith(what)]
    return two_cards(*digits) if len(digits) == 2 else None


def is_spared(case: Case, lines: list[DrawnCard]) -> bool:
    """Return whether the indulto number is in the range of the current matador (Ruling I-9)."""
    finisher = on_the_sand(case, lines)
    drawn = number_of(lines, "indulto")
    return finisher is not None and drawn in numbers_in(case.order[finisher]["indulto"])


def strokes(lines: list[DrawnCard]) -> list[int]:
    """Return the modifiers of the kill cards drawn (Ruling I-10)."""
    return [modifier(line.card["kill"]) for line in lines if line.purpose == "kill"]


def warnings(case: Case, lines: list[DrawnCard]) -> list[int]:
    """Return the warning numbers: the kill card's digit, then the next card's digit (Ruling
    I-10).
    """
    matador = on_the_sand(case, lines)
    kills = [line.card["number"] for line in lines if line.purpose == "kill"]
    after = [line.card["number"] for line in lines if line.purpose == "aviso"]
    numbers = [two_cards(tens, units) for tens, units in zip(kills, after, strict=False)]
    allowed = numbers_in(case.order[matador]["aviso"]) if matador is not None else []
    return [number for number in numbers if number in allowed]
