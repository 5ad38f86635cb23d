"""Proofs that no hand of dominoes can end with certain tiles or pips (Rulings D-3 to D-10).

The proofs use only the number of tiles, their pips and the trains that they can make. Functions
return the reason as text, or `None` if nothing was proved. `None` does not mean that the result is
possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations

from tests.dominoes.oracle.bare_pips import counts_allowed, drawable
from tests.dominoes.oracle.hand import LAST_TILES_THAT_STAY
from tests.dominoes.oracle.placing import End, end_left_by, ends_of_first, ways_to_place
from tests.dominoes.oracle.tiles import (
    Options,
    Tile,
    all_tiles,
    is_double,
    is_matador,
    possible_players,
    sides,
)

# Number of tiles after which the search for a train stops without having proved anything.
MOST_WORK = 20_000

Figures = Sequence[int]


@cache
def weights(highest: int) -> list[int]:
    """Return the pips of every tile of the set in ascending order."""
    return sorted(a + b for a, b in all_tiles(highest))


@cache
def lightest(highest: int, many: int) -> int:
    """Return the smallest number of pips that this many tiles can have together."""
    return sum(weights(highest)[:many])


@cache
def heaviest(highest: int, many: int) -> int:
    """Return the largest number of pips that this many tiles can have together."""
    return sum(weights(highest)[::-1][:many])


@cache
def fewest_tiles(highest: int, pips: int) -> int | None:
    """Return how many tiles are needed for these pips, or `None` if the set has too few pips."""
    counts = range(len(weights(highest)) + 1)
    return next((many for many in counts if heaviest(highest, many) >= pips), None)


def groups(seats: Sequence[int]) -> chain[tuple[int, ...]]:
    """Return every non-empty selection of these seats."""
    return chain.from_iterable(combinations(seats, many) for many in range(1, len(seats) + 1))


def most_held(rules: Options, players: int, out: int | None) -> int:
    """Return how many tiles all players together can hold at the end of a hand.

    At least one tile was played, or a whole hand if a player went out.
    """
    everything = rules["hand_size"] * players + drawable(rules, players)
    return everything - (1 if out is None else rules["hand_size"])


def no_such_end(rules: Options, players: int, out: int | None) -> str | None:
    """Check that this number of players is allowed and that the player who went out exists."""
    if players not in possible_players(rules):
        return "D-2 no such table"
    return None if out is None or 0 <= out < players else "D-6 nobody sits there"


def pips_are_impossible(rules: Options, held: Figures, out: int | None) -> str | None:
    """Try to prove from the pips alone that they cannot be left after a hand (Ruling D-10)."""
    highest, players = rules["highest"], len(held)
    if reason := no_such_end(rules, players, out):
        return reason
    if min(held) < 0 or (out is not None and held[out]):
        return "D-7 pips that nobody holds"
    holding = [seat for seat in range(players) if seat != out]
    size, most = rules["hand_size"], drawable(rules, players)
    for group in groups(holding):
        pips, many = sum(held[seat] for seat in group), len(group)
        if pips < lightest(highest, many):
            return "D-10 fewer pips than so many tiles have"
        fewest = fewest_tiles(highest, pips)
        if fewest is None or fewest > many * size + most:
            return "D-10 more pips than so many players can hold"
        if many == len(holding) and fewest > most_held(rules, players, out):
            return "D-10 more pips than can be left at once"
    return None


def tiles_are_impossible(
    rules: Options, held: Sequence[Sequence[Tile]], out: int | None
) -> str | None:
    """Try to prove that these tiles cannot be left after a hand.

    Reasons are duplicate tiles, too many tiles, or unheld tiles that make no possible train.
    """
    players, everything = len(held), all_tiles(rules["highest"])
    together = [tile for tiles in held for tile in tiles]
    if reason := no_such_end(rules, players, out):
        return reason
    if not set(together) <= set(everything) or len(set(together)) < len(together):
        return "D-1 a tile that is none, or twice"
    if not counts_allowed(rules, tuple(map(len, held)), out):
        return "D-5 more or fewer tiles than can be held"
    if reason := no_double_to_lead(rules, together):
        return reason
    free = [tile for tile in everything if tile not in together]
    sizes = sizes_of_trains(rules, players, len(together), out)
    if out is None and not rules["free_pass"]:
        if not find_train(rules, free, sizes, together):
            return "D-6 no train leaves all of them unplayable"
    elif not find_train(rules, free, sizes, []):
        return "D-4 no train can be made of the rest"
    return None


def no_double_to_lead(rules: Options, together: list[Tile]) -> str | None:
    """Try to prove that the highest double was not led (Ruling D-3).

    If nobody draws and the highest double of all dealt tiles must lead, no higher double can be
    left.
    """
    doubles = [tile for tile in together if is_double(tile)]
    if rules["lead"] != "highest_double" or rules["boneyard"] != "pass" or not doubles:
        return None
    free = [tile for tile in all_tiles(rules["highest"]) if tile not in together]
    return None if any(is_double(t) and t > max(doubles) for t in free) else "D-3 led otherwise"


def sizes_of_trains(rules: Options, players: int, held: int, out: int | None) -> range:
    """Return the numbers of tiles that the train can have if the players hold this many tiles at
    the end (Ruling D-5).
    """
    dealt = rules["hand_size"] * players
    left = len(all_tiles(rules["highest"])) - dealt
    if rules["boneyard"] == "pass":
        return range(dealt - held, dealt - held + 1)
    most = dealt + max(0, left - LAST_TILES_THAT_STAY) - held
    if out is None and not rules["free_pass"]:
        return range(most, most + 1)
    return range(max(1, dealt - held, rules["hand_size"] if out is not None else 1), most + 1)


def find_train(rules: Options, free: list[Tile], sizes: range, unplayable: list[Tile]) -> bool:
    """Return whether the free tiles can make a train at which no tile of `unplayable` must be
    played.

    Also returns `True` if the search was stopped because it took too long.
    """
    plain = [tile for tile in unplayable if not is_matador(tile, rules["highest"])]
    steps = [MOST_WORK // max(1, len(free))]
    return any(
        grows(rules, free, [lead], ends_of_first(lead), sizes, plain, steps)
        for lead in free
        if sizes
    )


def grows(
    rules: Options,
    free: list[Tile],
    train: list[Tile],
    ends: tuple[End, End],
    sizes: range,
    plain: list[Tile],
    steps: list[int],
) -> bool:
    """Return whether the train can be extended to one of the wanted lengths.

    At the final train, none of the tiles in `plain` may fit.
    """
    steps[0] -= 1
    if steps[0] < 0 or (len(train) in sizes and not fits_any(rules, plain, ends)):
        return True
    if len(train) >= max(sizes):
        return False
    for tile in free:
        if tile in train:
            continue
        for side in (0, 1):
            for way in ways_to_place(rules, tile, ends[side]):
                end = end_left_by(rules, tile, way)
                further = (end, ends[1]) if side == 0 else (ends[0], end)
                if grows(rules, free, [*train, tile], further, sizes, plain, steps):
                    return True
    return False


def fits_any(rules: Options, tiles: list[Tile], ends: tuple[End, End]) -> bool:
    """Return whether one of the tiles fits one of the ends."""
    return any(ways_to_place(rules, tile, end) for tile in tiles for end in ends)


def most_points(rules: Options, players: int) -> int:
    """Return an upper limit for the points of one hand (Ruling D-7).

    It is the number of pips of the heaviest tiles that can be left.
    """
    return heaviest(rules["highest"], most_held(rules, players, None))


def totals_are_impossible(rules: Options, totals: Figures, hands: int | None = None) -> str | None:
    """Try to prove that these totals are impossible (Rulings D-7 and D-8).

    `hands` is the number of hands played, or `None` if the match was played to its end.
    """
    table, target = sides(rules, len(totals)), rules["target"]
    if len(totals) not in possible_players(rules):
        return "D-2 no such table"
    if any(totals[seat] != totals[side[0]] for side in table for seat in side):
        return "D-2 partners with different points"
    points = [totals[side[0]] for side in table]
    if min(points) < 0:
        return "D-7 fewer points than none"
    if sum(one >= target for one in points) > 1:
        return "D-8 two have reached the target"
    if max(points) > target - 1 + most_points(rules, len(totals)):
        return "D-8 more points than the last hand can bring"
    if hands is not None and sum(points) > hands * most_points(rules, len(totals)):
        return "D-7 more points than so many hands can bring"
    return None
