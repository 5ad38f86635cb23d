"""A whole game calculated from players, days, seed and moves, phase by phase."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy, deepcopy
from dataclasses import dataclass, field

from fairness import Chance
from tests.eltoro.oracle.deeds import DEEDS
from tests.eltoro.oracle.draw_pile import deal
from tests.eltoro.oracle.morning import check_start, do_start, let_late_bulls_in, wake_up
from tests.eltoro.oracle.papers import pack_of_cards, read_board, read_cards, read_destinations
from tests.eltoro.oracle.street import charge, move_bulls, move_runners, pass_token, score_day
from tests.eltoro.oracle.targets import check_targets
from tests.eltoro.oracle.town import RefusedMoveError, Town, effect_of, turn_order

# Kind of move that players must make in each phase with decisions.
ASKED = {"morning": "start", "cards": "play", "evening": "discard"}

# Attributes of a game that change during the game.
OPEN = (
    "runners", "bulls", "tokens", "laid", "points", "arrived", "hands", "deck", "discards",
    "waiting",
)  # fmt: skip

Picture = tuple[str, Town]


@dataclass
class Course:
    """The game so far, with a copy of the position after every phase.

    Without copies (`drawn=False`), or with only those named in `only`, the calculation is faster.
    """

    town: Town
    drawn: bool = True
    pictures: list[Picture] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    only: tuple[str, ...] = ()


def new_game(
    board: str,
    cards: str,
    destinations: str,
    players: int,
    days: int,
    seed: bytes,
    *,
    drawn: bool = True,
) -> Course:
    """Return a new game with cards dealt and the first morning rolled, up to the first decision."""
    kinds = read_cards(cards)
    town = Town(
        board=read_board(board),
        cards=kinds,
        destinations=read_destinations(destinations),
        players=players,
        days=days,
        seed=seed,
        dice=Chance(seed, "day/1"),
        hands=[[] for _ in range(players)],
        deck=pack_of_cards(kinds),
        arrived=[[] for _ in range(players)],
    )
    Chance(seed, "deck/0").shuffle(town.deck)
    deal(town)
    wake_up(town)
    course = Course(town, drawn)
    note(course, "morning")
    go_on(course)
    return course


def picture_of(town: Town) -> Town:
    """Return an independent copy of the present position."""
    picture = copy(town)
    for what in OPEN:
        setattr(picture, what, deepcopy(getattr(town, what)))
    return picture


def note(course: Course, name: str) -> None:
    """Store a copy of the present position under this name."""
    if course.drawn and (not course.only or name in course.only):
        course.pictures.append((name, picture_of(course.town)))


def go_on(course: Course) -> None:
    """Play everything that needs no decision, until a player must decide or the game is over."""
    while not course.town.waiting and course.town.phase != "over":
        {"morning": end_morning, "cards": end_cards, "evening": end_evening}[course.town.phase](
            course
        )


def end_morning(course: Course) -> None:
    """End the morning after all 1s are placed: the late bulls enter and the first step begins."""
    let_late_bulls_in(course.town)
    note(course, "bulls in town")
    begin_step(course.town)


def begin_step(town: Town) -> None:
    """Begin a step, in which every player who holds a card must play one (Ruling E-4)."""
    town.step += 1
    town.phase = "cards"
    town.waiting = [seat for seat in turn_order(town) if town.hands[seat]]


def end_cards(course: Course) -> None:
    """End the cards of a step: runners move, bulls move and charge, and the token is passed on.

    After the last step of the day, the score is calculated.
    """
    for name, happens in [("runners", move_runners), ("bulls", move_bulls), ("charge", charge)]:
        happens(course.town)
        note(course, name)
    pass_token(course.town)
    note(course, "token")
    if course.town.step < course.town.board["steps"]:
        begin_step(course.town)
    else:
        end_day(course)


def end_day(course: Course) -> None:
    """Calculate the score; then the evening begins or the game ends."""
    town = course.town
    score_day(town)
    note(course, "score")
    town.phase = "evening" if town.day < town.days else "over"
    if town.phase == "evening":
        town.waiting = [seat for seat in turn_order(town) if town.hands[seat]]


def end_evening(course: Course) -> None:
    """End the evening after all discards: token, deal and next morning (Ruling E-8)."""
    town = course.town
    takers = [seat for seat in turn_order(town) if effect_of(town, seat, "first")]
    town.first = [*takers, town.first][0]
    deal(town)
    note(course, "deal")
    wake_up(town)
    note(course, "morning")


def play(course: Course, text: str) -> None:
    """Make a move of the player who must decide.

    Raises `RefusedMoveError` for an illegal move, which changes nothing.
    """
    check(course.town, text)
    kind, *words = words_of(text)
    {"start": make_start, "play": make_play, "discard": make_discard}[kind](course.town, words)
    course.town.waiting.pop(0)
    course.moves.append(text)
    go_on(course)


def words_of(text: str) -> list[str]:
    """Split a move into words; the kind and number of spaces do not matter."""
    return text.split() or [""]


def check(town: Town, text: str) -> None:
    """Raise `RefusedMoveError` if a move is not allowed now."""
    kind, *words = words_of(text)
    if not town.waiting:
        raise RefusedMoveError("E-9", "the game is over")
    if kind not in ASKED.values():
        raise RefusedMoveError("notation", f"{kind} is no move")
    if kind != ASKED[town.phase]:
        raise RefusedMoveError("E-4", f"not now: {kind}")
    seat = town.waiting[0]
    {"start": check_start, "play": check_play, "discard": check_discard}[kind](town, seat, words)


def check_play(town: Town, seat: int, words: list[str]) -> None:
    """Check that the player holds the card and may play it with these targets."""
    if not words or words[0] not in town.hands[seat]:
        raise RefusedMoveError("E-4", "a card not held")
    check_targets(town, town.cards[words[0]], seat, words[1:])


def check_discard(town: Town, seat: int, words: list[str]) -> None:
    """Check that the player holds all discarded cards."""
    held = list(town.hands[seat])
    for card in words:
        if card not in held:
            raise RefusedMoveError("E-8", f"{card} not held")
        held.remove(card)


def make_start(town: Town, words: list[str]) -> None:
    """Place the player's own dice that show a 1 on the board."""
    do_start(town, words)


def make_play(town: Town, words: list[str]) -> None:
    """Play a card: it leaves the hand, has its effect, and only then joins the discards."""
    seat, (card, *targets) = town.waiting[0], words
    town.hands[seat].remove(card)
    DEEDS[town.cards[card]["effect"]](town, town.cards[card], seat, targets)
    town.discards.append(card)


def make_discard(town: Town, words: list[str]) -> None:
    """Move cards to the discards in the order written."""
    for card in words:
        town.hands[town.waiting[0]].remove(card)
        town.discards.append(card)


def play_all(course: Course, moves: Iterable[str]) -> RefusedMoveError | None:
    """Make the moves one after the other and return the first error, or `None`.

    The number of legal moves is the length of `course.moves`.
    """
    for text in moves:
        try:
            play(course, text)
        except RefusedMoveError as refusal:
            return refusal
    return None
