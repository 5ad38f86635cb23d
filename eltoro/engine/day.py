"""A day of El Toro: morning, steps with cards and charges of bulls, evening (Rulings E-3
to E-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, pairwise
from operator import add
from typing import Final

from eltoro.engine.cards import DECK_SIZE, HAND_SIZE, Bonus
from eltoro.engine.dice import (
    EVERY_BYTE,
    FACE_BASE,
    FACES,
    FIRST_BULLS,
    MAX_BULLS,
    TRAMPLED,
    UNPLACED,
)
from eltoro.engine.errors import IllegalMove
from eltoro.engine.events import (
    BullRolled,
    BullsMoved,
    CardPlayed,
    Charged,
    DayOver,
    Dealt,
    DestinationsLaid,
    Discarded,
    EffectPaid,
    FirstTaken,
    GameOver,
    Matched,
    Placed,
    RunnersMoved,
    RunnersRolled,
    Scored,
    Shuffled,
    TokenPassed,
)
from eltoro.engine.lookup import ReadMove
from eltoro.engine.moves import DecisionKind, Move
from eltoro.engine.rules import RUNNERS
from eltoro.engine.state import ROLLS_AHEAD, GameState
from eltoro.engine.town import Die, Phase

# The following functions are for the morning of a day. Destinations are laid out, then bulls and
# runners are rolled, players place runners that show 1, and the last bulls are rolled (Ruling E-3).
DESTINATIONS_LAID: Final = 5
MORNING: Final = Phase.MORNING
CARDS: Final = Phase.CARDS
START: Final = DecisionKind.START
CARD: Final = DecisionKind.CARD
ONE_BYTE: Final = b"\x01"


def begin_day(game: GameState) -> None:
    """Begin a day: everything until the first decision of a player or until cards are played."""
    game.step = 0
    game.phase = MORNING
    game.chance = game.seed.chance(f"day/{game.day}")
    game.day_points.append([0] * game.players)
    game.dice, game.bulls, game.destinations = bytearray(), bytearray(), ()
    if any(game.effects):
        _pay(game)
    _lay_destinations(game)
    game.throw_ahead(game.chance.dice(ROLLS_AHEAD))
    _roll_first_bulls(game)
    _roll_runners(game)
    _ask_for_ones(game, game.first)


def _pay(game: GameState) -> None:
    """Add the points that destinations reached yesterday bring their players today.

    The points of some destinations depend on a die, which is rolled here (Ruling E-7).
    """
    works = game.tables.works
    for seat in game.orders[game.first]:
        for index in works[game.effects[seat]].paid:
            destination = game.rules.destinations[index]
            if destination.effect is Bonus.POINTS:
                _credit(game, seat, index, None, destination.amount)
            else:
                face = game.chance.roll()
                _credit(game, seat, index, face, -1 if face % 2 else face)


def _credit(game: GameState, seat: int, index: int, face: int | None, points: int) -> None:
    game.day_points[-1][seat] += points
    if game.witness:
        game.report_event(EffectPaid(seat, index, face, points))


def _lay_destinations(game: GameState) -> None:
    """Shuffle the ten destination cards and lay out the last five."""
    cards = list(game.tables.destination_cards)
    game.chance.shuffle(cards)
    game.destinations = tuple(cards[: -DESTINATIONS_LAID - 1 : -1])
    if game.witness:
        game.report_event(DestinationsLaid(game.destinations))


def _roll_first_bulls(game: GameState) -> None:
    """Roll five bulls, one on each starting space."""
    faces = game.throw(FIRST_BULLS)
    _add_bulls(game, map(add, game.tables.row_starts, faces))


def _add_bulls(game: GameState, rolled: Iterable[int]) -> None:
    if not game.witness:
        game.bulls += bytes(rolled)
        return
    for byte in rolled:
        game.bulls.append(byte)
        die = Die(byte // FACES, byte % FACES + 1)
        game.report_event(BullRolled(len(game.bulls) - 1, die))


def _roll_runners(game: GameState) -> None:
    """Roll all runners in turn order.

    A runner begins on the starting space whose number it shows (Ruling E-3).
    """
    usual = RUNNERS[game.players]
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
            game.report_event(RunnersRolled(seat))


def _ask_for_ones(game: GameState, seat: int) -> None:
    """Let the first player from this seat on who has runners that show 1 place them.

    If nobody has such runners left, the last bulls of the morning are rolled.
    """
    begins = game.roster.begins
    while game.dice.find(UNPLACED, begins[seat], begins[seat + 1]) < 0:
        seat = game.following[seat]
        if seat == game.first:
            late_bulls(game)
            return
    game.turn, game.ask = seat, START


def place_ones(game: GameState, seat: int, move: Move) -> None:
    """Play a move that places all of a player's runners that show 1 (Ruling E-3).

    Raises `IllegalMove` and then changes nothing.
    """
    made = move.made
    if made is None or made.roster is not game.roster or made.seat != seat:
        made = _read_ones(game, seat, move)
    _check_ones(game, seat, made.aimed)
    game.record.append(move)
    put_ones(game, seat, made.aimed)


def put_ones(game: GameState, seat: int, placed: Sequence[tuple[int, int]]) -> None:
    """Place a player's runners that show 1 on these starting spaces.

    Then the next player with such runners places them, or else the last bulls are rolled.
    """
    for at, space in placed:
        game.dice[at] = space * FACES
    if game.witness:
        begin = game.roster.begins[seat]
        game.report_event(Placed(seat, tuple((at - begin, space) for at, space in placed)))
    left = game.following[seat]
    if left == game.first:
        late_bulls(game)
    else:
        _ask_for_ones(game, left)


def _read_ones(game: GameState, seat: int, move: Move) -> ReadMove:
    """Parse a move that places runners that show 1.

    Raises `IllegalMove` if it names another player's runner, a runner twice, or a space that is not
    a starting space.
    """
    placed: dict[int, int] = {}
    begin, end = game.roster.begins[seat : seat + 2]
    for target in move.targets:
        name, _, key = target.partition(">")
        at = game.roster.index.get(name, -1)
        if not begin <= at < end:
            raise IllegalMove("not_a_one", runner=name)
        if at in placed:
            raise IllegalMove("twice", target=name)
        placed[at] = _start_space(game, key)
    move.cache_move(made := ReadMove(game.roster, seat, -1, tuple(placed.items())))
    return made


def _check_ones(game: GameState, seat: int, placed: Sequence[tuple[int, int]]) -> None:
    """Raise `IllegalMove` unless these are exactly the player's runners that show 1."""
    dice, (begin, end) = game.dice, game.roster.begins[seat : seat + 2]
    for at, _ in placed:
        if dice[at] != UNPLACED:
            raise IllegalMove("not_a_one", runner=game.roster.names[at])
    if dice.count(UNPLACED, begin, end) > len(placed):
        named = {at for at, _ in placed}
        ones = (at for at in range(begin, end) if dice[at] == UNPLACED and at not in named)
        raise IllegalMove("ones_left", runner=game.roster.names[next(ones)])


def _start_space(game: GameState, key: str) -> int:
    board = game.rules.board
    space = board.by_key.get(key, -1)
    if space not in board.rows[0]:
        raise IllegalMove("no_start", space=key)
    return space


def late_bulls(game: GameState) -> None:
    """Roll the sixth bull and bulls added by destinations. A 1 is rolled again (Ruling E-3)."""
    late = 1
    if any(game.effects):
        works = game.tables.works
        late += sum([works[effects].bulls for effects in game.effects])
    late = min(late, MAX_BULLS - FIRST_BULLS)
    while late:  # roll again as many bulls as showed 1
        rolled = game.throw(late).translate(game.tables.starting, ONE_BYTE)
        _add_bulls(game, rolled)
        late -= len(rolled)
    if not ask_for_card(game):
        end_step(game)


def ask_for_card(game: GameState) -> bool:
    """Let the first player who has cards play a card (Ruling E-4).

    Returns False if nobody has cards.
    """
    game.phase = CARDS
    seat = game.first
    while not game.hands[seat]:
        seat = game.following[seat]
        if seat == game.first:
            return False
    game.turn, game.ask = seat, CARD
    return True


# The following functions are for a step of the day: playing cards, the moves that end a step, and
# scoring (Rulings E-4 and E-5).
EVENING: Final = Phase.EVENING
SPACE_BITS: Final = 16
# Sort keys of runners, by the byte of their die. The upper bits are the number of the space. The
# lower bits are free for the index of the runner. Sorting by these keys sorts runners by space.
ON_SPACE: Final = tuple(base << SPACE_BITS for base in FACE_BASE)


def play_card(game: GameState, seat: int, move: Move) -> None:
    """Play a card for the seat whose turn it is.

    Raises `IllegalMove` and then changes nothing.
    """
    made = move.made
    if made is None or made.roster is not game.roster or made.seat != seat:
        made = _read_card(game, seat, move)
    _, _, index, aimed = made
    hand = game.hands[seat]
    if index not in hand:
        raise IllegalMove("not_held", card=move.card)
    if aimed:
        card, check, act, _, _ = game.tables.acts[index]
        if check is not None:
            check(game, seat, card, aimed)
    game.record.append(move)
    hand.remove(index)
    if game.witness:
        game.report_event(CardPlayed(seat, index, move))
    if aimed:
        act(game, seat, card, aimed)
    game.discards.append(index)
    _next_player(game, seat)


def _next_player(game: GameState, seat: int) -> None:
    """Let the next player with cards play a card, or end the step (Ruling E-4)."""
    hands, following, first = game.hands, game.following, game.first
    seat = following[seat]
    while seat != first:
        if hands[seat]:
            game.turn = seat
            return
        seat = following[seat]
    end_step(game)


def _read_card(game: GameState, seat: int, move: Move) -> ReadMove:
    index = game.tables.by_key.get(move.card, -1)
    if index not in game.hands[seat]:
        raise IllegalMove("not_held" if index >= 0 else "no_card", card=move.card)
    card, play = game.tables.cards[index], game.tables.plays[index]
    aimed = play.read(game.roster, seat, card, move.targets)
    move.cache_move(made := ReadMove(game.roster, seat, index, aimed))
    return made


def end_step(game: GameState) -> None:
    """End a step: everything after its last card until a player must decide again.

    Runners and bulls move, bulls charge, the first-player token is passed, and after the last step
    the day is scored.
    """
    game.turn = game.ask = None
    steps, following = game.tables.steps, game.following
    while True:
        _move(game)
        _charge(game)
        game.step += 1
        game.first = following[game.first]  # also after the last step of a day (Ruling E-4)
        if game.witness:
            game.report_event(TokenPassed(game.first))
        if game.step == steps:
            _score(game)
            return
        if ask_for_card(game):
            return


def _move(game: GameState) -> None:
    """Move runners by their own tokens or parity, then bulls by parity (Ruling E-5).

    On a fork, even faces take the even way and odd faces the odd way.
    """
    dice, down = game.dice, game.tables.down
    game.dice = moved = dice.translate(down)
    if game.downs:
        begins = game.roster.begins
        for seat, led in game.downs.items():
            own = slice(begins[seat], begins[seat + 1])
            moved[own] = dice[own].translate(led)
    if game.witness:
        game.phase = Phase.RUNNERS
        game.report_event(RunnersMoved())
    game.bulls = game.bulls.translate(down)
    if game.witness:
        game.phase = Phase.BULLS
        game.report_event(BullsMoved())


def _charge(game: GameState) -> None:
    """Roll runners that match a bull. Those that match again are trampled (Ruling E-6).

    The order of the dice is by space, then by player in turn order, then by number of the runner.
    """
    dice, bulls, ranks = game.dice, bytearray(EVERY_BYTE), game.roster.ranks[game.first]
    for die in game.bulls:
        bulls[die] = 1
    struck = compress(game.roster.every, dice.translate(bulls))
    matched = [ON_SPACE[dice[at]] + ranks[at] for at in struck]
    if not matched:
        return
    matched.sort()
    faces = game.throw(len(matched))
    if game.witness:
        _charge_with_events(game, [key % EVERY_BYTE for key in matched], faces, bulls)
        return
    for key, face in zip(matched, faces):  # noqa: B905  both have the same length
        die = (key >> SPACE_BITS) + face
        dice[key % EVERY_BYTE] = TRAMPLED if bulls[die] else die


def _charge_with_events(game: GameState, struck: list[int], faces: bytes, bulls: bytearray) -> None:
    """Roll the matching runners one by one and report each event to the witness."""
    dice, begins, seats = game.dice, game.roster.begins, game.roster.seats
    runners = [(seats[at], at - begins[seats[at]]) for at in struck]
    game.report_event(Matched(tuple(runners)))
    game.phase = Phase.CHARGE
    for runner, at, face in zip(runners, struck, faces, strict=True):
        space, before = divmod(dice[at], FACES)
        die = space * FACES + face - 1
        dice[at] = TRAMPLED if bulls[die] else die
        game.report_event(
            Charged(runner, Die(space, before + 1), Die(space, face), bool(bulls[die]))
        )


def _score(game: GameState) -> None:
    """Score the runners at the destinations and store the effects on the next day (Ruling E-7)."""
    every, laid, points = game.rules.destinations, game.destinations, game.day_points[-1]
    begins, slots = game.roster.begins, game.dice.translate(game.tables.slots)
    worth = [every[index].points for index in laid]
    worth.append(0)  # for runners that did not arrive
    working = [slot for slot, index in enumerate(laid) if every[index].effect]
    game.phase = EVENING
    arrived = [slots[begin:end] for begin, end in pairwise(begins)]
    game.effects = [tuple([laid[slot] for slot in working if slot in own]) for own in arrived]
    for seat in game.orders[game.first]:
        gained = sum(map(worth.__getitem__, arrived[seat]))
        points[seat] += gained
        if game.witness:
            game.report_event(Scored(seat, gained))
    if game.day < game.rules.days:
        if game.witness:
            game.report_event(DayOver(game.day))
        begin_evening(game)
    else:
        _end_game(game)


def _end_game(game: GameState) -> None:
    """End the game after the last day. Effects of its destinations are dropped (Ruling E-7)."""
    game.effects = [()] * game.players
    if game.witness:
        game.report_event(DayOver(game.day))
    game.phase = Phase.OVER
    game.turn = game.ask = None
    if game.witness:
        game.report_event(GameOver())


# The following functions are for the evening of a day: players discard cards, the first-player
# token may change, and cards are dealt (Rulings E-7 and E-8).
def deal_first(game: GameState) -> None:
    """Shuffle the deck, deal the first hands and begin the first morning."""
    game.deck = list(game.tables.deck)
    game.chance.shuffle(game.deck)
    if game.witness:
        game.report_event(Shuffled(DECK_SIZE, again=False))
    _deal(game)
    begin_day(game)


def begin_evening(game: GameState) -> None:
    """Begin the evening: players with cards decide in turn order what to discard."""
    _ask_to_discard(game, game.first)


def _ask_to_discard(game: GameState, seat: int) -> None:
    while not game.hands[seat]:
        seat = game.following[seat]
        if seat == game.first:
            end_evening(game)
            return
    game.turn, game.ask = seat, DecisionKind.DISCARD


def discard(game: GameState, seat: int, move: Move) -> None:
    """Play a move that discards any number of cards (Ruling E-8)."""
    kept, away = game.hands[seat].copy(), []
    for key in move.targets:
        index = game.tables.by_key.get(key, -1)
        if index not in kept:
            raise IllegalMove("not_held" if index >= 0 else "no_card", card=key)
        kept.remove(index)
        away.append(index)
    game.record.append(move)
    put_away(game, seat, kept, away)


def put_away(game: GameState, seat: int, kept: list[int], away: list[int]) -> None:
    """Move cards from a player's hand to the discards.

    Then the next player decides which cards to discard.
    """
    game.hands[seat] = kept
    game.discards += away
    if game.witness:
        game.report_event(Discarded(seat, len(away)))
    left = game.following[seat]
    if left == game.first:
        end_evening(game)
    else:
        _ask_to_discard(game, left)


def end_evening(game: GameState) -> None:
    """End the evening: apply effects on the first-player token, deal cards and begin the
    next day.
    """
    game.turn = game.ask = None
    if any(game.effects):
        _take_first(game)
    _deal(game)
    game.day += 1
    begin_day(game)


def _take_first(game: GameState) -> None:
    """Give the first-player token to the first seat whose destination grants it (Ruling E-7)."""
    works = game.tables.works
    for seat in game.orders[game.first]:
        if works[game.effects[seat]].first:
            game.first = seat
            if game.witness:
                game.report_event(FirstTaken(seat))
            return


def _deal(game: GameState) -> None:
    """Deal cards until all hands are full, beginning with the first player (Ruling E-8)."""
    hands, effects, works = game.hands, game.effects, game.tables.works
    for seat in game.orders[game.first]:
        size = HAND_SIZE
        if effects[seat]:
            size = max(0, size + works[effects[seat]].cards)
        count = take_cards(game, seat, size - len(hands[seat]))
        if game.witness:
            game.report_event(Dealt(seat, count))


def take_cards(game: GameState, seat: int, count: int) -> int:
    """Draw cards for a seat and return how many were available (Ruling E-8)."""
    hand, deck = game.hands[seat], game.deck
    if 0 < count <= len(deck):
        hand += deck[: -count - 1 : -1]
        del deck[-count:]
        return count
    for taken in range(count):
        if not game.deck and not _shuffle_again(game):
            return taken
        hand.append(game.deck.pop())
    return max(count, 0)


def _shuffle_again(game: GameState) -> bool:
    """Shuffle the discarded cards into the deck. Returns False if there are none."""
    if not game.discards:
        return False
    game.deck += game.discards
    game.discards.clear()
    game.shuffles += 1
    game.seed.chance(f"deck/{game.shuffles}").shuffle(game.deck)
    if game.witness:
        game.report_event(Shuffled(len(game.deck), again=True))
    return True
