"""Short ways to create positions for tests of the oracle, with chosen rolls of the dice."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.course import Course, check, note, play
from tests.eltoro.oracle.shelf import shipped
from tests.eltoro.oracle.town import Die, RefusedMoveError, Town

SEED = bytes(32)
# Position of each shipped destination in the list of destinations.
RESTAURANT, NIGHTCLUB, PIER, BOOKSTORE, CHINA_SHOP, FESTIVAL, CASINO, BANK = range(8)


class Loaded(Chance):
    """Dice that show these faces, one after the other."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__(SEED, "loaded")
        self.faces = list(faces)

    def roll(self, sides: int = 6) -> int:
        """Return the next of the given faces."""
        assert sides == 6
        return self.faces.pop(0)


def dice_of(text: str) -> dict[str, Die]:
    """Parse dice such as `a1@fuente:2 b3@molino:6`; bulls are written in the same way."""
    dice = {}
    for word in text.split():
        name, _, place = word.partition("@")
        space, _, face = place.partition(":")
        dice[name] = Die(space, int(face))
    return dice


def laid_out(
    runners: str = "", bulls: str = "", faces: list[int] | None = None, players: int = 2
) -> Course:
    """Return a game on its first day with these dice on the shipped board and no cards in hand."""
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
    """Return the row in which the dice are, or the first row if there are no dice."""
    dice = [*town.runners.values(), *town.bulls.values()]
    return max([0, *(town.board["row"][die.space] for die in dice if die.space)])


def course_with_card(course: Course, card: str, seat: int = 0) -> Course:
    """Give this card to a seat, and make it this seat's turn."""
    course.town.hands[seat].append(card)
    course.town.waiting = [seat, seat]
    return course


def played(course: Course, text: str, seat: int = 0) -> Town:
    """Let a seat play this card and return the position."""
    play(course_with_card(course, text.split()[1], seat), text)
    return course.town


def dice_text(dice: dict[str, Die]) -> str:
    """Return dice as text, such as `a1@fuente:2`."""
    return " ".join(f"{name}@{die.space}:{die.face}" for name, die in dice.items())


def ruling_against(town: Town, text: str) -> str | None:
    """Return the ruling that forbids a move now, or `None` if the move is legal."""
    try:
        check(town, text)
    except RefusedMoveError as refusal:
        return refusal.ruling
    return None
