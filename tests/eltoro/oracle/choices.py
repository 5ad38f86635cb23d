"""All legal moves in a position, found by trying every possible text (for small cases)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from tests.eltoro.oracle.course import ASKED, check
from tests.eltoro.oracle.morning import STARTS, unplaced
from tests.eltoro.oracle.papers import Line, signs
from tests.eltoro.oracle.targets import most_targets
from tests.eltoro.oracle.town import SEATS, RefusedMoveError, Town

RUNNERS = [f"{seat}{at}" for seat in SEATS for at in range(1, 11)]
BULLS = [f"T{at}" for at in range(1, 12)]


def thinkable_targets(town: Town, card: Line) -> list[str]:
    """Return every text that could name one target of this card, even if it does not exist."""
    spaces = town.board["spaces"]
    on_all_signs = signs(town.board)
    written = {
        "runner": RUNNERS,
        "turned": [f"{runner}{way}" for runner in RUNNERS for way in "+-"],
        "set": [f"{runner}={face}" for runner in RUNNERS for face in range(8)],
        "swap": [f"{one}~{other}" for one in RUNNERS for other in RUNNERS],
        "space": [f"@{space}" for space in spaces],
        "bull": BULLS,
        "turned bull": [f"{bull}{way}" for bull in BULLS for way in "+-"],
        "lead": [f"{bull}>{space}" for bull in BULLS for space in spaces],
        "sign": on_all_signs + [f"{a}>{b}" for a in on_all_signs for b in on_all_signs],
    }
    return written.get(FORMS.get(card["effect"], ""), [])


FORMS = {
    "roll": "runner",
    "flip": "runner",
    "odd": "runner",
    "even": "runner",
    "roll-space": "space",
    "turn": "turned",
    "set": "set",
    "swap": "swap",
    "bull-roll": "bull",
    "bull-flip": "bull",
    "bull-roll-space": "space",
    "bull-add": "space",
    "bull-turn": "turned bull",
    "bull-lead": "lead",
    "sign": "sign",
    "unsign": "sign",
}


def is_legal(town: Town, text: str) -> bool:
    """Return whether the player who must decide may make this move now."""
    try:
        check(town, text)
    except RefusedMoveError:
        return False
    return True


def legal_targets(town: Town, card: str) -> list[str]:
    """Return all single targets for which a card can be played."""
    thinkable = thinkable_targets(town, town.cards[card])
    return [target for target in thinkable if is_legal(town, f"play {card} {target}")]


def legal_plays(town: Town, card: str) -> Iterator[str]:
    """Return all ways to play a card, with any number of targets in any order."""
    for many in range(most_targets(town.cards[card]) + 1):
        for targets in permutations(legal_targets(town, card), many):
            text = " ".join(["play", card, *targets])
            if is_legal(town, text):
                yield text


def legal_starts(town: Town) -> Iterator[str]:
    """Return all ways to place the player's own dice that show a 1, ordered by number."""
    ones = unplaced(town, town.waiting[0])
    for wishes in product(STARTS, repeat=len(ones)):
        yield " ".join(["start", *(f"{r}>{to}" for r, to in zip(ones, wishes, strict=True))])


def legal_discards(town: Town) -> Iterator[str]:
    """Return all ways to discard cards, in every order but without duplicates."""
    held = town.hands[town.waiting[0]]
    for many in range(len(held) + 1):
        for cards in sorted(set(permutations(held, many))):
            yield " ".join(["discard", *cards])


def legal_moves(town: Town) -> list[str]:
    """Return all legal moves of the player who must decide."""
    if not town.waiting:
        return []
    if ASKED[town.phase] == "start":
        return list(legal_starts(town))
    if ASKED[town.phase] == "discard":
        return list(legal_discards(town))
    held = sorted(set(town.hands[town.waiting[0]]))
    return [text for card in held for text in legal_plays(town, card)]
