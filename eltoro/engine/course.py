"""The end of a step: runners, bulls, the charge, the token; and the scoring (Ruling E-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eltoro.engine.dice import EVERY_BYTE, FACES, TRAMPLED
from eltoro.engine.evening import begin_evening
from eltoro.engine.events import (
    BullsMoved,
    Charged,
    DayOver,
    GameOver,
    Matched,
    RunnersMoved,
    Scored,
    TokenPassed,
)
from eltoro.engine.morning import ask_for_card, in_turn_order
from eltoro.engine.town import Die, Phase

if TYPE_CHECKING:
    from eltoro.engine.game import Game

NOT_THERE = bytes((TRAMPLED,))


def after_card(game: Game, seat: int) -> None:
    """The next seat in turn order that holds a card, or the end of the step (Ruling E-4)."""
    seat, following, hands = game.following[seat], game.following, game.hands
    while seat != game.first:
        if hands[seat]:
            game.turn = seat
            return
        seat = following[seat]
    end_step(game)


def end_step(game: Game) -> None:
    """All that follows the last card of a step, up to the next decision."""
    game.turn = game.ask = None
    while True:
        _move_runners(game)
        _move_bulls(game)
        _charge(game)
        _pass_token(game)
        if game.step == game.rules.board.steps:
            _score(game)
            return
        game.phase = Phase.CARDS
        if ask_for_card(game, game.first):
            return


def _move_runners(game: Game) -> None:
    """One row down; a colour's own tokens lead it (Ruling E-5)."""
    if game.downs:
        begins, dice = game.roster.begins, game.dice
        game.dice = bytearray().join(
            dice[begins[seat] : begins[seat + 1]].translate(down)
            for seat, down in enumerate(game.downs)
        )
    else:
        game.dice = game.dice.translate(game.tables.down)
    if game.witness:
        game.phase = Phase.RUNNERS
        game.tell(RunnersMoved())


def _move_bulls(game: Game) -> None:
    """One row down; no token leads them (Ruling E-5)."""
    game.bulls = game.bulls.translate(game.tables.down)
    if game.witness:
        game.phase = Phase.BULLS
        game.tell(BullsMoved())


def _charge(game: Game) -> None:
    """All who show a bull's face are rolled once; who does so again is trampled (Ruling E-6).

    In the order of the dice: spaces as listed, then players in turn order, then their number.
    """
    dice, bulls = game.dice, set(game.bulls)
    begin = game.roster.begins[game.first]
    turned = dice[begin:] + dice[:begin]
    matched = [die // FACES * EVERY_BYTE + at for at, die in enumerate(turned) if die in bulls]
    if not matched:
        return
    matched.sort()
    rest = len(dice)
    struck = [(key % EVERY_BYTE + begin) % rest for key in matched]
    faces = game.chance.dice(len(struck))
    if game.witness:
        _tell_charge(game, struck, faces, bulls)
        return
    for at, face in zip(struck, faces, strict=True):
        die = dice[at]
        die += face - 1 - die % FACES
        dice[at] = TRAMPLED if die in bulls else die


def _tell_charge(game: Game, struck: list[int], faces: bytes, bulls: set[int]) -> None:
    """The same, one by one before a witness."""
    dice, begins, seats = game.dice, game.roster.begins, game.roster.seats
    runners = [(seats[at], at - begins[seats[at]]) for at in struck]
    game.tell(Matched(tuple(runners)))
    game.phase = Phase.CHARGE
    for runner, at, face in zip(runners, struck, faces, strict=True):
        space, before = divmod(dice[at], FACES)
        die = space * FACES + face - 1
        dice[at] = TRAMPLED if die in bulls else die
        game.tell(Charged(runner, Die(space, before + 1), Die(space, face), die in bulls))


def _pass_token(game: Game) -> None:
    """To the left, after the last step of the day too (Ruling E-4)."""
    game.step += 1
    game.first = game.following[game.first]
    if game.witness:
        game.tell(TokenPassed(game.first))


def _score(game: Game) -> None:
    """Runners at the destinations bring points; the effects are for tomorrow (Ruling E-7)."""
    every, laid, points = game.rules.destinations, game.destinations, game.day_points[-1]
    worth = [every[index].points for index in laid]
    game.phase = Phase.EVENING
    arrived = _arrived(game)
    game.effects = [
        tuple([laid[slot] for slot in sorted(set(slots)) if every[laid[slot]].effect])
        for slots in arrived
    ]
    for seat in in_turn_order(game):
        gained = sum([worth[slot] for slot in arrived[seat]])
        points[seat] += gained
        if game.witness:
            game.tell(Scored(seat, gained))
    if game.day == game.rules.days:
        game.effects = [()] * game.players
        _end(game)
    else:
        game.tell(DayOver(game.day))
        begin_evening(game)


def _arrived(game: Game) -> list[bytearray]:
    """By seat, the destinations of the runners that got there, 0 to 4 for d1 to d5."""
    begins, slots = game.roster.begins, game.tables.slots
    return [
        game.dice[begins[seat] : begins[seat + 1]].translate(slots, NOT_THERE)
        for seat in range(game.players)
    ]


def _end(game: Game) -> None:
    game.tell(DayOver(game.day))
    game.phase = Phase.OVER
    game.turn = game.ask = None
    game.tell(GameOver())
