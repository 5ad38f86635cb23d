"""What no hand can leave: proofs from counts, weights and trains alone (Rulings D-3 to D-10).

A proof is the reason in words; None says that nothing was proved, not that a hand leaves it.
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

MOST_WORK = 20_000
"""Tiles tried after which the search for a train gives up, having proved nothing."""

Figures = Sequence[int]


@cache
def weights(highest: int) -> list[int]:
    """The pips of every tile, the lightest first."""
    return sorted(a + b for a, b in all_tiles(highest))


@cache
def lightest(highest: int, many: int) -> int:
    """The fewest pips that so many tiles have."""
    return sum(weights(highest)[:many])


@cache
def heaviest(highest: int, many: int) -> int:
    """The most pips that so many tiles have, or all there are."""
    return sum(weights(highest)[::-1][:many])


@cache
def fewest_tiles(highest: int, pips: int) -> int | None:
    """How many tiles it takes to have these pips; None where the set has not so many."""
    counts = range(len(weights(highest)) + 1)
    return next((many for many in counts if heaviest(highest, many) >= pips), None)


def groups(seats: Sequence[int]) -> chain[tuple[int, ...]]:
    """Every choice of one or more of these seats."""
    return chain.from_iterable(combinations(seats, many) for many in range(1, len(seats) + 1))


def most_held(rules: Options, players: int, out: int | None) -> int:
    """How many tiles can be held at the end: one was played at least, or a whole hand."""
    everything = rules["hand_size"] * players + drawable(rules, players)
    return everything - (1 if out is None else rules["hand_size"])


def no_such_end(rules: Options, players: int, out: int | None) -> str | None:
    """Whether so many can play, and the one who is out sits there."""
    if players not in possible_players(rules):
        return "D-2 no such table"
    return None if out is None or 0 <= out < players else "D-6 nobody sits there"


def pips_are_impossible(rules: Options, held: Figures, out: int | None) -> str | None:
    """Ruling D-10 by weight: who can hold these pips, and how many tiles that takes."""
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
    """What cannot be left, tile by tile: twice the same, too many, or no train beside them."""
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
    """Ruling D-3: where nobody draws, the highest double of all that were dealt was led."""
    doubles = [tile for tile in together if is_double(tile)]
    if rules["lead"] != "highest_double" or rules["boneyard"] != "pass" or not doubles:
        return None
    free = [tile for tile in all_tiles(rules["highest"]) if tile not in together]
    return None if any(is_double(t) and t > max(doubles) for t in free) else "D-3 led otherwise"


def sizes_of_trains(rules: Options, players: int, held: int, out: int | None) -> range:
    """How many tiles can lie, so many being held (Ruling D-5)."""
    dealt = rules["hand_size"] * players
    left = len(all_tiles(rules["highest"])) - dealt
    if rules["boneyard"] == "pass":
        return range(dealt - held, dealt - held + 1)
    most = dealt + max(0, left - LAST_TILES_THAT_STAY) - held
    if out is None and not rules["free_pass"]:
        return range(most, most + 1)
    return range(max(1, dealt - held, rules["hand_size"] if out is not None else 1), most + 1)


def find_train(rules: Options, free: list[Tile], sizes: range, unplayable: list[Tile]) -> bool:
    """Whether some of the free tiles make a train at which none of these has to be played."""
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
    """Whether the train can be gone on with until it is one that is looked for."""
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
    """Whether one of the tiles could be played."""
    return any(ways_to_place(rules, tile, end) for tile in tiles for end in ends)


def most_points(rules: Options, players: int) -> int:
    """More than any hand brings: the heaviest tiles that can be held, all by others (D-7)."""
    return heaviest(rules["highest"], most_held(rules, players, None))


def totals_are_impossible(rules: Options, totals: Figures, hands: int | None = None) -> str | None:
    """Rulings D-7 and D-8: points by seat after a match, or after so many hands of one."""
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
