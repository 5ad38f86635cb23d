"""The effects of action cards (Rulings E-4 to E-6, E-10).

Each effect has a function that takes the game, the seat that plays, the card and its checked
targets. `PLAYS` adds functions that parse, write, check and randomly choose targets. `tables_of`
returns the lookup tables of a rule set, which contain these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, TypeAlias

from eltoro.engine import random_targets, targets
from eltoro.engine.board import EVEN, MAX_SPACES, ODD, Sign
from eltoro.engine.cards import Card, Effect, RunnerOwner
from eltoro.engine.day import take_cards
from eltoro.engine.dice import EVERY_BYTE, FACE_BASE, FACES, OUTSIDE, TRAMPLED
from eltoro.engine.events import (
    BullAdded,
    BullLed,
    DieRolled,
    DieTurned,
    Drew,
    Gained,
    TokenPlaced,
    TokenRemoved,
)
from eltoro.engine.lookup import Play, Tables
from eltoro.engine.rules import Rules
from eltoro.engine.state import GameState
from eltoro.engine.town import Die

ANY: Final = RunnerOwner.ANY
# For the byte of a die: its byte after a change, either to the opposite face, or to the next face
# up or down (6 and 1 are adjacent).
FLIPPED: Final = tuple(base + FACES - die % FACES for die, base in enumerate(FACE_BASE))
TURNED: Final = {
    by: tuple(base + (die + by) % FACES + 1 for die, base in enumerate(FACE_BASE)) for by in (1, -1)
}
# For each space and each byte of a die: 1 if the die is on that space, else 0.
ON_SPACE: Final = tuple(
    bytes(int(die // FACES == space) for die in range(EVERY_BYTE)) for space in range(MAX_SPACES)
)
DieEvent: TypeAlias = type[DieRolled] | type[DieTurned]


def _die(byte: int) -> Die:
    return Die(byte // FACES, byte % FACES + 1)


def _set_runner(game: GameState, at: int, after: int, die_event: DieEvent) -> None:
    """Change the die of a runner and report it to the witness."""
    if game.witness:
        before = game.dice[at]
        game.dice[at] = after
        seat = game.roster.seats[at]
        runner = (seat, at - game.roster.begins[seat])
        game.report_event(die_event(runner, None, _die(before), _die(after)))
    else:
        game.dice[at] = after


def _set_bull(game: GameState, at: int, after: int, die_event: DieEvent) -> None:
    """Change the die of a bull and report it to the witness."""
    before = game.bulls[at]
    game.bulls[at] = after
    if game.witness:
        game.report_event(die_event(None, at, _die(before), _die(after)))


def roll(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: roll these runners in this order."""
    faces = game.throw(len(aimed))
    if game.witness:
        for at, face in zip(aimed, faces, strict=True):
            _set_runner(game, at, FACE_BASE[game.dice[at]] + face, DieRolled)
        return
    dice = game.dice
    for at, face in zip(aimed, faces):  # noqa: B905  same length, and `strict` is slow
        dice[at] = FACE_BASE[dice[at]] + face


def roll_space(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: roll all runners on a space, in turn order and then by number."""
    begin = game.roster.begins[game.first]
    here = game.dice.translate(ON_SPACE[aimed[0]])
    there = list(compress(game.roster.turned[game.first], here[begin:] + here[:begin]))
    if card.whose is not ANY:
        there = [at for at in there if _is_meant(game, seat, card, at)]
    roll(game, seat, card, there)


def _is_meant(game: GameState, seat: int, card: Card, at: int) -> bool:
    """Return True if a card may target this runner, which depends on the runner's owner."""
    own = game.roster.seats[at] == seat
    return own is (card.whose is RunnerOwner.OWN)


def roll_all(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: roll all of the player's runners on the board, by number."""
    begins, dice = game.roster.begins, game.dice
    own: Sequence[int] = range(begins[seat], begins[seat + 1])
    if TRAMPLED in dice:
        own = [at for at in own if dice[at] < OUTSIDE]
    roll(game, seat, card, own)


def turn(game: GameState, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Effect of a card: turn each of these runners one face up or down."""
    for at, by in aimed:
        _set_runner(game, at, TURNED[by][game.dice[at]], DieTurned)


def flip(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: turn each of these runners to the opposite face."""
    for at in aimed:
        _set_runner(game, at, FLIPPED[game.dice[at]], DieTurned)


def make_odd(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: lower even faces by one, so 2 becomes 1, 4 becomes 3 and 6 becomes 5."""
    for at in aimed:
        die = game.dice[at]
        if die % 2:
            _set_runner(game, at, die - 1, DieTurned)


def make_even(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: raise odd faces by one, so 1 becomes 2, 3 becomes 4 and 5 becomes 6."""
    for at in aimed:
        die = game.dice[at]
        if not die % 2:
            _set_runner(game, at, die + 1, DieTurned)


def set_face(game: GameState, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Effect of a card: set each runner to the face chosen for it."""
    for at, face in aimed:
        _set_runner(game, at, FACE_BASE[game.dice[at]] + face, DieTurned)


def swap(game: GameState, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Effect of a card: swap the faces of the player's runner and another player's runner.

    Both runners stay on their spaces.
    """
    for own, other in aimed:
        mine, theirs = game.dice[own], game.dice[other]
        _set_runner(game, own, FACE_BASE[mine] + theirs % FACES + 1, DieTurned)
        _set_runner(game, other, FACE_BASE[theirs] + mine % FACES + 1, DieTurned)


def bull_roll(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: roll these bulls in this order."""
    for at, face in zip(aimed, game.throw(len(aimed)), strict=True):
        _set_bull(game, at, FACE_BASE[game.bulls[at]] + face, DieRolled)


def bull_roll_space(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: roll all bulls on a space, by number."""
    there = [at for at, die in enumerate(game.bulls) if die // FACES == aimed[0]]
    bull_roll(game, seat, card, there)


def bull_turn(game: GameState, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Effect of a card: turn each of these bulls one face up or down."""
    for at, by in aimed:
        _set_bull(game, at, TURNED[by][game.bulls[at]], DieTurned)


def bull_flip(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: turn each of these bulls to the opposite face of its die."""
    for at in aimed:
        _set_bull(game, at, FLIPPED[game.bulls[at]], DieTurned)


def bull_lead(game: GameState, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Effect of a card: move each bull to a neighbouring space in its row, face unchanged (E-2)."""
    for at, space in aimed:
        before = game.bulls[at]
        game.bulls[at] = after = space * FACES + before % FACES
        if game.witness:
            game.report_event(BullLed(at, _die(before), _die(after)))


def bull_add(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Effect of a card: add bulls on these spaces and roll them (Ruling E-6)."""
    for space in aimed:
        byte = space * FACES + game.throw(1)[0] - 1
        game.bulls.append(byte)
        if game.witness:
            game.report_event(BullAdded(len(game.bulls) - 1, _die(byte)))


def place_tokens(
    game: GameState, seat: int, card: Card, aimed: Sequence[tuple[Sign, Sign | None]]
) -> None:
    """Effect of a card: place the player's tokens on path signs (Ruling E-5).

    Another player's token on the same sign returns to its owner.
    """
    for sign, moved in aimed:
        if moved:
            del game.tokens[moved]
            _lead_runners(game, seat, moved[0])
        replaced = game.tokens.get(sign)
        game.tokens[sign] = seat
        _lead_runners(game, seat, sign[0])
        if replaced is not None:
            _lead_runners(game, replaced, sign[0])
        if game.witness:
            game.report_event(TokenPlaced(seat, sign, replaced, moved))


def remove_tokens(game: GameState, seat: int, card: Card, aimed: Iterable[Sign]) -> None:
    """Effect of a card: return the tokens on these path signs to their owners (Ruling E-5)."""
    for sign in aimed:
        owner = game.tokens.pop(sign)
        _lead_runners(game, owner, sign[0])
        if game.witness:
            game.report_event(TokenRemoved(owner, sign))


def _lead_runners(game: GameState, seat: int, fork: int) -> None:
    """Update the ways of a player's runners at a fork, by token or else by parity (Ruling E-5)."""
    if seat not in game.downs:
        game.downs[seat] = bytearray(game.tables.down)
    even, odd = (game.tokens.get((fork, parity)) == seat for parity in (EVEN, ODD))
    led = 2 if even == odd else EVEN if even else ODD
    game.downs[seat][fork * FACES : (fork + 1) * FACES] = game.tables.forks[fork][led]


def draw(game: GameState, seat: int, card: Card, aimed: object) -> None:
    """Effect of a card: draw cards. The played card is discarded afterwards (Ruling E-8)."""
    count = take_cards(game, seat, card.amount)
    if game.witness:
        game.report_event(Drew(seat, count))


def gain(game: GameState, seat: int, card: Card, aimed: object) -> None:
    """Effect of a card: add points for the player."""
    _gain(game, seat, card.amount)


def brave(game: GameState, seat: int, card: Card, aimed: object) -> None:
    """Effect of a card: add a point for each own runner that shares a space with a bull.

    The card limits the number of points.
    """
    begin, end = game.roster.begins[seat : seat + 2]
    bulls = {die // FACES for die in game.bulls}
    near = [die for die in game.dice[begin:end] if die < OUTSIDE and die // FACES in bulls]
    _gain(game, seat, min(len(near), card.amount))


def _gain(game: GameState, seat: int, points: int) -> None:
    game.day_points[-1][seat] += points
    if game.witness:
        game.report_event(Gained(seat, points))


def _runners_play(act: Callable[..., None]) -> Play:
    read, write = targets.read_runners, targets.write_runners
    return Play(read, write, targets.runners, act, random_targets.any_runners)


def _untargeted_play(act: Callable[..., None]) -> Play:
    return Play(targets.read_nothing, targets.write_nothing, None, act, None, targets.EVERYTHING)


def _space_play(act: Callable[..., None], choose: Callable[..., tuple[object, ...]]) -> Play:
    read, write = targets.read_spaces, targets.write_spaces
    return Play(read, write, targets.in_row, act, choose)


def _bulls_play(act: Callable[..., None]) -> Play:
    read, write = targets.read_bulls, targets.write_bulls
    return Play(read, write, targets.bulls, act, random_targets.any_bulls)


PLAYS: Final[dict[Effect, Play]] = {
    Effect.ROLL: _runners_play(roll),
    Effect.ROLL_SPACE: _space_play(roll_space, random_targets.any_runners_space),
    Effect.ROLL_ALL: _untargeted_play(roll_all),
    Effect.TURN: Play(
        targets.read_turns,
        targets.write_turns,
        targets.check_turned_runners,
        turn,
        random_targets.any_turns,
    ),
    Effect.FLIP: _runners_play(flip),
    Effect.ODD: _runners_play(make_odd),
    Effect.EVEN: _runners_play(make_even),
    Effect.SET: Play(
        targets.read_sets,
        targets.write_sets,
        targets.check_placed_runners,
        set_face,
        random_targets.any_faces,
    ),
    Effect.SWAP: Play(
        targets.read_pairs, targets.write_pairs, targets.pairs, swap, random_targets.any_pairs
    ),
    Effect.BULL_ROLL: _bulls_play(bull_roll),
    Effect.BULL_ROLL_SPACE: _space_play(bull_roll_space, random_targets.any_bulls_space),
    Effect.BULL_TURN: Play(
        targets.read_bull_turns,
        targets.write_bull_turns,
        targets.turned_bulls,
        bull_turn,
        random_targets.any_bull_turns,
    ),
    Effect.BULL_FLIP: _bulls_play(bull_flip),
    Effect.BULL_LEAD: Play(
        targets.read_led,
        targets.write_led,
        targets.led_bulls,
        bull_lead,
        random_targets.any_led,
    ),
    Effect.BULL_ADD: Play(
        targets.read_spaces,
        targets.write_spaces,
        targets.new_bulls,
        bull_add,
        random_targets.any_new_bulls,
    ),
    Effect.SIGN: Play(
        targets.read_signs,
        targets.write_signs,
        targets.signs,
        place_tokens,
        random_targets.any_signs,
    ),
    Effect.UNSIGN: Play(
        targets.read_tokens,
        targets.write_tokens,
        targets.tokens,
        remove_tokens,
        random_targets.any_tokens,
    ),
    Effect.DRAW: _untargeted_play(draw),
    Effect.POINTS: _untargeted_play(gain),
    Effect.BRAVE: _untargeted_play(brave),
}


@lru_cache(maxsize=64)
def tables_of(rules: Rules) -> Tables:
    """Return the lookup tables of a rule set."""
    return Tables(rules, PLAYS)
