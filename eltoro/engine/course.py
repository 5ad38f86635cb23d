"""The end of a step: runners, bulls, the charge, the token; and the scoring (Ruling E-4)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

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
from eltoro.engine.morning import ask_for_card
from eltoro.engine.town import Die, Phase

if TYPE_CHECKING:
    from eltoro.engine.game import Game

EVENING: Final = Phase.EVENING
SPACE_BITS: Final = 16
ON_SPACE: Final = tuple((die - die % FACES) << SPACE_BITS for die in range(EVERY_BYTE))
"""By the byte of a die, where its space begins, above whatever tells runners apart."""


def end_step(game: Game) -> None:
    """All that follows the last card of a step, up to the next decision."""
    game.turn = game.ask = None
    steps, following = game.tables.steps, game.following
    while True:
        _move(game)
        _charge(game)
        game.step += 1
        game.first = following[game.first]  # after the day's last step too (Ruling E-4)
        if game.witness:
            game.tell(TokenPassed(game.first))
        if game.step == steps:
            _score(game)
            return
        if ask_for_card(game):
            return


def _move(game: Game) -> None:
    """One row down: runners, whom their own tokens lead, then bulls, whom none does (E-5)."""
    dice, down = game.dice, game.tables.down
    game.dice = moved = dice.translate(down)
    if game.downs:
        begins = game.roster.begins
        for seat, led in game.downs.items():
            own = slice(begins[seat], begins[seat + 1])
            moved[own] = dice[own].translate(led)
    if game.witness:
        game.phase = Phase.RUNNERS
        game.tell(RunnersMoved())
    game.bulls = game.bulls.translate(down)
    if game.witness:
        game.phase = Phase.BULLS
        game.tell(BullsMoved())


def _charge(game: Game) -> None:
    """All who show a bull's face are rolled once; who does so again is trampled (Ruling E-6).

    In the order of the dice: spaces as listed, then players in turn order, then their number.
    """
    dice, bulls, ranks = game.dice, set(game.bulls), game.roster.ranks[game.first]
    matched = [ON_SPACE[die] + ranks[at] for at, die in enumerate(dice) if die in bulls]
    if not matched:
        return
    matched.sort()
    faces = game.throw(len(matched))
    if game.witness:
        _tell_charge(game, [key % EVERY_BYTE for key in matched], faces, bulls)
        return
    for key, face in zip(matched, faces):  # noqa: B905  as many as were thrown
        die = (key >> SPACE_BITS) + face - 1
        dice[key % EVERY_BYTE] = TRAMPLED if die in bulls else die


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


def _score(game: Game) -> None:
    """Runners at the destinations bring points; the effects are for tomorrow (Ruling E-7)."""
    every, laid, points = game.rules.destinations, game.destinations, game.day_points[-1]
    begins, slots = game.roster.begins, game.dice.translate(game.tables.slots)
    worth = [every[index].points for index in laid]
    worth.append(0)  # for those who did not arrive
    working = [slot for slot, index in enumerate(laid) if every[index].effect]
    game.phase = EVENING
    arrived = [slots[begin:end] for begin, end in pairwise(begins)]
    game.effects = [tuple([laid[slot] for slot in working if slot in own]) for own in arrived]
    for seat in game.orders[game.first]:
        gained = sum(map(worth.__getitem__, arrived[seat]))
        points[seat] += gained
        if game.witness:
            game.tell(Scored(seat, gained))
    if game.day < game.rules.days:
        if game.witness:
            game.tell(DayOver(game.day))
        begin_evening(game)
    else:
        _end(game)


def _end(game: Game) -> None:
    """After the last day nothing works on (Ruling E-7)."""
    game.effects = [()] * game.players
    if game.witness:
        game.tell(DayOver(game.day))
    game.phase = Phase.OVER
    game.turn = game.ask = None
    if game.witness:
        game.tell(GameOver())
