"""Every card, destination and board there is, as the pages show them."""

from __future__ import annotations

from dataclasses import dataclass

from eltoro import words
from eltoro.engine import BOARDS, Rules
from eltoro.game import BOARD_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """An action card as `eltoro/_card.html` draws it."""

    key: str
    name: str
    sentence: str
    effect: str
    whose: str
    bull: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDestination:
    """A destination: points for each runner, what it brings the day after, how many cards."""

    key: str
    name: str
    sentence: str
    points: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBoard:
    """A board: how many steps a day has on it, roundabouts, how many of them are forks."""

    name: str
    steps: int
    roundabouts: int
    forks: int


def cards(rules: Rules) -> list[ShownCard]:
    """The kinds of action cards, as the deck lists them."""
    return [
        ShownCard(
            key=card.key,
            name=words.card_name(card),
            sentence=words.card_sentence(card),
            effect=str(card.effect),
            whose=str(card.whose or ""),
            bull=card.bull,
            count=card.count,
        )
        for card in rules.cards
    ]


def destinations(rules: Rules) -> list[ShownDestination]:
    """The kinds of destinations, as they are listed."""
    return [
        ShownDestination(
            key=one.key,
            name=words.destination_name(one),
            sentence=words.destination_sentence(one),
            points=one.points,
            count=one.count,
        )
        for one in rules.destinations
    ]


def boards() -> list[ShownBoard]:
    """The boards that the site ships."""
    return [
        ShownBoard(
            name=BOARD_NAMES.get(key, key),
            steps=board.steps,
            roundabouts=len(board.spaces) - len(board.rows[-1]),
            forks=sum(space.is_fork for space in board.spaces),
        )
        for key, board in BOARDS.items()
    ]
