"""The morning: destinations, bulls, runners, the 1s placed, then the late bulls (Ruling E-3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from eltoro.engine.destinations import Bonus
from eltoro.engine.dice import FACES, FIRST_BULLS, MOST_BULLS, UNPLACED, roster_of
from eltoro.engine.errors import IllegalMove
from eltoro.engine.events import (
    BullRolled,
    DestinationsLaid,
    EffectPaid,
    Placed,
    RunnersRolled,
)
from eltoro.engine.moves import Ask, Move
from eltoro.engine.town import Die, Phase

if TYPE_CHECKING:
    from eltoro.engine.game import Game

DESTINATIONS_LAID: Final = 5


def begin_day(game: Game) -> None:
    """All that chance brings before the first decision of a day."""
    game.step = 0
    game.phase = Phase.MORNING
    game.chance = game.seed.chance(f"day/{game.day}")
    game.day_points.append([0] * game.players)
    game.roster, game.dice = roster_of((0,) * game.players), bytearray()
    game.bulls, game.destinations = bytearray(), ()
    if any(game.effects):
        _pay(game)
    _lay_destinations(game)
    _roll_first_bulls(game)
    _roll_runners(game)
    _ask_for_ones(game, game.first)


def of_effect(game: Game, seat: int, bonus: Bonus) -> int:
    """What a seat's effects of this kind add up to (Ruling E-7)."""
    every = game.rules.destinations
    return sum(every[each].amount for each in game.effects[seat] if every[each].effect is bonus)


def in_turn_order(game: Game) -> list[int]:
    """The seats from the first player to the left."""
    players = game.players
    return [(game.first + left) % players for left in range(players)]


def _pay(game: Game) -> None:
    """Points of yesterday's destinations, those of a die rolled for each (Ruling E-7)."""
    for seat in in_turn_order(game):
        for index in game.effects[seat]:
            destination = game.rules.destinations[index]
            if destination.effect is Bonus.POINTS:
                _credit(game, EffectPaid(seat, index, None, destination.amount))
            elif destination.effect is Bonus.DIE:
                face = game.chance.roll()
                _credit(game, EffectPaid(seat, index, face, -1 if face % 2 else face))


def _credit(game: Game, paid: EffectPaid) -> None:
    game.day_points[-1][paid.seat] += paid.points
    game.tell(paid)


def _lay_destinations(game: Game) -> None:
    """The ten cards shuffled anew, the last five laid out from the end."""
    cards = list(game.tables.destination_cards)
    game.chance.shuffle(cards)
    game.destinations = tuple(cards[: -DESTINATIONS_LAID - 1 : -1])
    if game.witness:
        game.tell(DestinationsLaid(game.destinations))


def _roll_first_bulls(game: Game) -> None:
    """A bull on each starting space, whatever it shows."""
    starts = game.tables.row_starts
    faces = game.chance.dice(FIRST_BULLS)
    if not game.witness:
        game.bulls = bytearray(map(int.__add__, starts, faces))
        return
    for start, face in zip(starts, faces, strict=True):
        _add_bull(game, start + face)


def _add_bull(game: Game, byte: int) -> None:
    game.bulls.append(byte)
    if game.witness:
        die = Die(byte // FACES, byte % FACES + 1)
        game.tell(BullRolled(len(game.bulls) - 1, die))


def _roll_runners(game: Game) -> None:
    """Everybody's runners, in turn order: a face is where one starts (Ruling E-3)."""
    usual = game.rules.runners(game.players)
    counts = (usual,) * game.players
    if any(game.effects):
        counts = tuple(
            max(1, usual + of_effect(game, seat, Bonus.RUNNER)) for seat in range(game.players)
        )
    game.roster = roster = roster_of(counts)
    rolled = game.chance.dice(roster.total).translate(game.tables.starting)
    rest = roster.total - roster.begins[game.first]
    game.dice = bytearray(rolled[rest:] + rolled[:rest])
    if game.witness:
        for seat in in_turn_order(game):
            game.tell(RunnersRolled(seat))


def _ask_for_ones(game: Game, seat: int) -> None:
    """The next to place 1s, from this seat on; when all are placed, the late bulls come."""
    begins = game.roster.begins
    while game.dice.find(UNPLACED, begins[seat], begins[seat + 1]) < 0:
        seat = game.following[seat]
        if seat == game.first:
            _late_bulls(game)
            return
    game.turn, game.ask = seat, Ask.START


def place(game: Game, seat: int, move: Move) -> None:
    """A player's own 1s, all of them, where it likes (Ruling E-3)."""
    placed = _placing(game, seat, move.targets)
    game.log.append(move)
    for at, space in placed.items():
        game.dice[at] = space * FACES
    if game.witness:
        begin = game.roster.begins[seat]
        game.tell(Placed(seat, tuple((at - begin, space) for at, space in placed.items())))
    left = game.following[seat]
    if left == game.first:
        _late_bulls(game)
    else:
        _ask_for_ones(game, left)


def _placing(game: Game, seat: int, targets: Sequence[str]) -> dict[int, int]:
    """By index of the runner, the starting space; `IllegalMove` unless it is all 1s, once each."""
    placed: dict[int, int] = {}
    begin, end = game.roster.begins[seat : seat + 2]
    for target in targets:
        name, _, key = target.partition(">")
        at = game.roster.index.get(name, -1)
        if not begin <= at < end or game.dice[at] != UNPLACED:
            raise IllegalMove("not_a_one", runner=name)
        if at in placed:
            raise IllegalMove("twice", target=name)
        placed[at] = _start(game, key)
    for at in range(begin, end):
        if game.dice[at] == UNPLACED and at not in placed:
            raise IllegalMove("ones_left", runner=game.roster.names[at])
    return placed


def _start(game: Game, key: str) -> int:
    board = game.rules.board
    space = board.by_key.get(key, -1)
    if space not in board.rows[0]:
        raise IllegalMove("no_start", space=key)
    return space


def _late_bulls(game: Game) -> None:
    """The sixth bull and those of effects, to where they roll; 1s rolled again (Ruling E-3)."""
    late = 1
    if any(game.effects):
        late += sum(of_effect(game, seat, Bonus.BULL) for seat in range(game.players))
    for _ in range(min(late, MOST_BULLS - FIRST_BULLS)):
        face = game.chance.roll()
        while face == 1:
            face = game.chance.roll()
        _add_bull(game, game.tables.starting[face])
    begin_step(game)


def begin_step(game: Game) -> None:
    """Cards are played; where nobody holds one, the step goes by (Ruling E-4)."""
    from eltoro.engine.course import end_step

    game.phase = Phase.CARDS
    if not ask_for_card(game, game.first):
        end_step(game)


def ask_for_card(game: Game, seat: int) -> bool:
    """Ask this seat, or the next that holds a card, for one; whether there is one."""
    while not game.hands[seat]:
        seat = game.following[seat]
        if seat == game.first:
            return False
    game.turn, game.ask = seat, Ask.CARD
    return True
