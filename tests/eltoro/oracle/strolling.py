"""Random moves, most of them with targets; the oracle decides which of them are legal."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.choices import is_legal, thinkable_targets
from tests.eltoro.oracle.course import ASKED, Course, play
from tests.eltoro.oracle.morning import STARTS, unplaced
from tests.eltoro.oracle.targets import most_targets
from tests.eltoro.oracle.town import Town


def some_move(town: Town, chance: Chance) -> str:
    """Return a random legal move of the player who must decide."""
    asked = ASKED[town.phase]
    return {"start": some_start, "play": some_play, "discard": some_discard}[asked](town, chance)


def some_start(town: Town, chance: Chance) -> str:
    """Return a move that places the player's own 1s on random starting spaces."""
    ones = chance.shuffled(unplaced(town, town.waiting[0]))
    return " ".join(["start", *(f"{runner}>{chance.pick(STARTS)}" for runner in ones)])


def some_play(town: Town, chance: Chance) -> str:
    """Return a move that plays a random card, usually with as many targets as allowed.

    If targets conflict, fewer are used.
    """
    card = chance.pick(town.hands[town.waiting[0]])
    most = most_targets(town.cards[card])
    wanted = most if chance.below(4) else chance.below(most + 1)
    targets: list[str] = []
    thinkable = thinkable_targets(town, town.cards[card]) if wanted else []
    for target in chance.shuffled(thinkable):
        if len(targets) < wanted and is_legal(town, " ".join(["play", card, *targets, target])):
            targets.append(target)
    return " ".join(["play", card, *targets])


def some_discard(town: Town, chance: Chance) -> str:
    """Return a move that discards random cards or none."""
    held = chance.shuffled(town.hands[town.waiting[0]])
    return " ".join(["discard", *held[: chance.below(len(held) + 1)]])


def stroll(course: Course, chance: Chance) -> list[str]:
    """Play random moves to the end of the game and return them."""
    while course.town.waiting:
        play(course, some_move(course.town, chance))
    return course.moves


def eager_move(town: Town, chance: Chance) -> str:
    """Return a legal move that gains points from cards if possible, so that the deck is used up
    fast.
    """
    if ASKED[town.phase] == "play":
        hand = town.hands[town.waiting[0]]
        eager = [card for card in hand if town.cards[card]["effect"] in ("points", "brave", "draw")]
        if eager and chance.below(8):
            return f"play {chance.pick(eager)}"
    if ASKED[town.phase] == "discard" and chance.below(4):
        return " ".join(["discard", *town.hands[town.waiting[0]]])
    return some_move(town, chance)


def stroll_for_points(course: Course, chance: Chance) -> list[str]:
    """Play to the end of the game for many points from cards, and return the moves."""
    while course.town.waiting:
        play(course, eager_move(course.town, chance))
    return course.moves
