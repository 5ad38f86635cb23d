"""The morning: destinations, bulls, runners, the 1s placed, then the late bulls (Ruling E-3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import TYPE_CHECKING, Final

from eltoro.engine.destinations import Bonus
from eltoro.engine.dice import FACES, FIRST_BULLS, MOST_BULLS, UNPLACED
from eltoro.engine.errors import IllegalMove
from eltoro.engine.events import (
    BullRolled,
    DestinationsLaid,
    EffectPaid,
    Placed,
    RunnersRolled,
)
from eltoro.engine.moves import Ask, Made, Move
from eltoro.engine.town import Die, Phase

if TYPE_CHECKING:
    from eltoro.engine.game import Game

DESTINATIONS_LAID: Final = 5
AT_ONCE: Final = 96
"""So many dice are thrown ahead: about those of a day."""
MORNING: Final = Phase.MORNING
CARDS: Final = Phase.CARDS
START: Final = Ask.START
CARD: Final = Ask.CARD
ONE: Final = b"\x01"


def begin_day(game: Game) -> None:
    """All that chance brings before the first decision of a day."""
    game.step = 0
    game.phase = MORNING
    game.chance = game.seed.chance(f"day/{game.day}")
    game.day_points.append([0] * game.players)
    game.dice, game.bulls, game.destinations = bytearray(), bytearray(), ()
    if any(game.effects):
        _pay(game)
    _lay_destinations(game)
    game.throw_ahead(game.chance.dice(AT_ONCE))
    _roll_first_bulls(game)
    _roll_runners(game)
    _ask_for_ones(game, game.first)


def _pay(game: Game) -> None:
    """Points of yesterday's destinations, those of a die rolled for each (Ruling E-7)."""
    works = game.tables.works
    for seat in game.orders[game.first]:
        for index in works[game.effects[seat]].paid:
            destination = game.rules.destinations[index]
            if destination.effect is Bonus.POINTS:
                _credit(game, seat, index, None, destination.amount)
            else:
                face = game.chance.roll()
                _credit(game, seat, index, face, -1 if face % 2 else face)


def _credit(game: Game, seat: int, index: int, face: int | None, points: int) -> None:
    game.day_points[-1][seat] += points
    if game.witness:
        game.tell(EffectPaid(seat, index, face, points))


def _lay_destinations(game: Game) -> None:
    """The ten cards shuffled anew, the last five laid out from the end."""
    cards = list(game.tables.destination_cards)
    game.chance.shuffle(cards)
    game.destinations = tuple(cards[: -DESTINATIONS_LAID - 1 : -1])
    if game.witness:
        game.tell(DestinationsLaid(game.destinations))


def _roll_first_bulls(game: Game) -> None:
    """A bull on each starting space, whatever it shows."""
    faces = game.throw(FIRST_BULLS)
    _add_bulls(game, map(add, game.tables.row_starts, faces))


def _add_bulls(game: Game, rolled: Iterable[int]) -> None:
    if not game.witness:
        game.bulls += bytes(rolled)
        return
    for byte in rolled:
        game.bulls.append(byte)
        die = Die(byte // FACES, byte % FACES + 1)
        game.tell(BullRolled(len(game.bulls) - 1, die))


def _roll_runners(game: Game) -> None:
    """Everybody's runners, in turn order: a face is where one starts (Ruling E-3)."""
    usual = game.rules.runners(game.players)
    counts = (usual,) * game.players
    if any(game.effects):
        works = game.tables.works
        counts = tuple([max(1, usual + works[effects].runners) for effects in game.effects])
    game.roster = roster = game.tables.roster(counts)
    rolled = game.throw(roster.total).translate(game.tables.starting)
    rest = roster.total - roster.begins[game.first]
    game.dice = bytearray(rolled[rest:] + rolled[:rest])
    if game.witness:
        for seat in game.orders[game.first]:
            game.tell(RunnersRolled(seat))


def _ask_for_ones(game: Game, seat: int) -> None:
    """The next to place 1s, from this seat on; when all are placed, the late bulls come."""
    begins = game.roster.begins
    while game.dice.find(UNPLACED, begins[seat], begins[seat + 1]) < 0:
        seat = game.following[seat]
        if seat == game.first:
            late_bulls(game)
            return
    game.turn, game.ask = seat, START


def place(game: Game, seat: int, move: Move) -> None:
    """A player's own 1s, all of them, where it likes (Ruling E-3)."""
    made = move.made
    if made is None or made.roster is not game.roster or made.seat != seat:
        made = _make_out(game, seat, move)
    _check_ones(game, seat, made.aimed)
    game.record.append(move)
    put_ones(game, seat, made.aimed)


def put_ones(game: Game, seat: int, placed: Sequence[tuple[int, int]]) -> None:
    """The own 1s on these starting spaces, by index; then the next player, or the late bulls."""
    for at, space in placed:
        game.dice[at] = space * FACES
    if game.witness:
        begin = game.roster.begins[seat]
        game.tell(Placed(seat, tuple((at - begin, space) for at, space in placed)))
    left = game.following[seat]
    if left == game.first:
        late_bulls(game)
    else:
        _ask_for_ones(game, left)


def _make_out(game: Game, seat: int, move: Move) -> Made:
    """What the words of a move mean today: own runners, each once, and starting spaces."""
    placed: dict[int, int] = {}
    begin, end = game.roster.begins[seat : seat + 2]
    for target in move.targets:
        name, _, key = target.partition(">")
        at = game.roster.index.get(name, -1)
        if not begin <= at < end:
            raise IllegalMove("not_a_one", runner=name)
        if at in placed:
            raise IllegalMove("twice", target=name)
        placed[at] = _start(game, key)
    move.keep(made := Made(game.roster, seat, -1, tuple(placed.items())))
    return made


def _check_ones(game: Game, seat: int, placed: Sequence[tuple[int, int]]) -> None:
    """All own 1s are placed, and nothing else."""
    dice, (begin, end) = game.dice, game.roster.begins[seat : seat + 2]
    for at, _ in placed:
        if dice[at] != UNPLACED:
            raise IllegalMove("not_a_one", runner=game.roster.names[at])
    if dice.count(UNPLACED, begin, end) > len(placed):
        named = {at for at, _ in placed}
        ones = (at for at in range(begin, end) if dice[at] == UNPLACED and at not in named)
        raise IllegalMove("ones_left", runner=game.roster.names[next(ones)])


def _start(game: Game, key: str) -> int:
    board = game.rules.board
    space = board.by_key.get(key, -1)
    if space not in board.rows[0]:
        raise IllegalMove("no_start", space=key)
    return space


def late_bulls(game: Game) -> None:
    """The sixth bull and those of effects, to where they roll; 1s rolled again (Ruling E-3)."""
    late = 1
    if any(game.effects):
        works = game.tables.works
        late += sum([works[effects].bulls for effects in game.effects])
    late = min(late, MOST_BULLS - FIRST_BULLS)
    while late:  # as many as were 1s
        rolled = game.throw(late).translate(game.tables.starting, ONE)
        _add_bulls(game, rolled)
        late -= len(rolled)
    if not ask_for_card(game):
        from eltoro.engine.course import end_step

        end_step(game)


def ask_for_card(game: Game) -> bool:
    """Ask the first in turn order who holds one for a card; whether there is one (Ruling E-4)."""
    game.phase = CARDS
    seat = game.first
    while not game.hands[seat]:
        seat = game.following[seat]
        if seat == game.first:
            return False
    game.turn, game.ask = seat, CARD
    return True
