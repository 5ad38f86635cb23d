"""Towns laid out by hand, in one line, with dice that fall as wished."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.course import Course, check, note, play
from tests.eltoro.oracle.shelf import shipped
from tests.eltoro.oracle.town import Die, RefusedMoveError, Town

SEED = bytes(32)
RESTAURANT, NIGHTCLUB, PIER, BOOKSTORE, CHINA_SHOP, FESTIVAL, CASINO, BANK = range(8)
"""The shipped destinations, by the number of their kind."""


class Loaded(Chance):
    """Dice that show these faces, one after the other."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__(SEED, "loaded")
        self.faces = list(faces)

    def roll(self, sides: int = 6) -> int:
        """The next face wished for."""
        assert sides == 6
        return self.faces.pop(0)


def dice_of(text: str) -> dict[str, Die]:
    """`a1@fuente:2 b3@molino:6`, bulls in the same way."""
    dice = {}
    for word in text.split():
        name, _, place = word.partition("@")
        space, _, face = place.partition(":")
        dice[name] = Die(space, int(face))
    return dice


def laid_out(
    runners: str = "", bulls: str = "", faces: list[int] | None = None, players: int = 2
) -> Course:
    """A first day on the shipped board at its first cards, with these dice on it and no cards."""
    course = shipped("el-toro", players, 3, SEED)
    course.town.waiting = []
    course.town.hands = [[] for _ in range(players)]
    course.town.phase, course.town.first = "cards", 0
    course.town.runners, course.town.bulls = dice_of(runners), dice_of(bulls)
    course.town.step = 1 + row_of(course.town)
    course.town.dice = Loaded(faces or [])
    note(course, "laid out")
    return course


def row_of(town: Town) -> int:
    """The row where the dice are; the first, where there are none."""
    dice = [*town.runners.values(), *town.bulls.values()]
    return max([0, *(town.board["row"][die.space] for die in dice if die.space)])


def asked(course: Course, card: str, seat: int = 0) -> Course:
    """The same town, a seat just to play this card."""
    course.town.hands[seat].append(card)
    course.town.waiting = [seat, seat]
    return course


def played(course: Course, text: str, seat: int = 0) -> Town:
    """The town after a seat has played this card in this way."""
    play(asked(course, text.split()[1], seat), text)
    return course.town


def shown(dice: dict[str, Die]) -> str:
    """Dice in one line again."""
    return " ".join(f"{name}@{die.space}:{die.face}" for name, die in dice.items())


def ruling_against(town: Town, text: str) -> str | None:
    """The ruling by which a move is refused now; None where it may be made."""
    try:
        check(town, text)
    except RefusedMoveError as refusal:
        return refusal.ruling
    return None
