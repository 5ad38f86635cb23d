"""Random mistakes in the written moves of a hand, one small function for each kind.

A log is a list of moves in notation. Each mutation takes a log and random numbers and returns
another log. The result may still be legal by chance, which the oracle (the independent rules
checker) decides.
"""

from __future__ import annotations

from collections.abc import Callable

from fairness import Chance

Log = list[str]
Mutation = Callable[[Log, Chance], Log]

ENDS = ("<", ">")
GARBAGE = "0123456789|+<>- drawpsDRAWPASS\t\n\x00\x7f\u200b\u0663\u00bd\U0001f06e"


def random_position(log: Log, chance: Chance) -> int:
    """Return a random position in the log."""
    return chance.below(len(log))


def with_move(log: Log, at: int, *moves: str) -> Log:
    """Return the log with the move at one position replaced by other moves."""
    return [*log[:at], *moves, *log[at + 1 :]]


def swap_moves(log: Log, chance: Chance) -> Log:
    """Swap two moves, so that they are made by the wrong player or at the wrong time."""
    one, other = random_position(log, chance), random_position(log, chance)
    swapped = with_move(log, one, log[other])
    return with_move(swapped, other, log[one])


def swap_tiles(log: Log, chance: Chance) -> Log:
    """Swap the tiles of two moves; each is played at the end where the other was played."""
    one, other = random_position(log, chance), random_position(log, chance)
    first, second = log[one], log[other]
    if first.startswith(ENDS) and second.startswith(ENDS):
        swapped = with_move(log, one, first[0] + second[1:])
        return with_move(swapped, other, second[0] + first[1:])
    return swap_moves(log, chance)


def flip(log: Log, chance: Chance) -> Log:
    """Turn a tile, so that its halves are written in the opposite order."""
    at = random_position(log, chance)
    sign, tile = (log[at][:1], log[at][1:]) if log[at].startswith(ENDS) else ("", log[at])
    for mark in "|+":
        if mark in tile:
            return with_move(log, at, sign + mark.join(reversed(tile.split(mark))))
    return log


def lay_the_other_way(log: Log, chance: Chance) -> Log:
    """Write a tile as lying across instead of in line, or the other way round."""
    at = random_position(log, chance)
    return with_move(log, at, log[at].translate(str.maketrans("|+", "+|")))


def other_side(log: Log, chance: Chance) -> Log:
    """Play a tile at the other end of the train."""
    at = random_position(log, chance)
    return with_move(log, at, log[at].translate(str.maketrans("<>", "><")))


def drop_move(log: Log, chance: Chance) -> Log:
    """Leave out a move; from then on, moves belong to the wrong players."""
    return with_move(log, random_position(log, chance))


def double_move(log: Log, chance: Chance) -> Log:
    """Write down a move twice, so that its tile is played twice."""
    at = random_position(log, chance)
    return with_move(log, at, log[at], log[at])


def extra_draw(log: Log, chance: Chance) -> Log:
    """Insert a draw that was not made."""
    at = random_position(log, chance)
    return with_move(log, at, "draw", log[at])


def extra_pass(log: Log, chance: Chance) -> Log:
    """Insert a pass, perhaps when the player had to play a tile."""
    at = random_position(log, chance)
    return with_move(log, at, "pass", log[at])


def pass_instead(log: Log, chance: Chance) -> Log:
    """Replace a move by a pass."""
    return with_move(log, random_position(log, chance), "pass")


def draw_instead(log: Log, chance: Chance) -> Log:
    """Replace a move by a draw."""
    return with_move(log, random_position(log, chance), "draw")


def end_early(log: Log, chance: Chance) -> Log:
    """Leave out all moves after a random position."""
    return log[: random_position(log, chance)]


def end_late(log: Log, chance: Chance) -> Log:
    """Add a move after the end of the hand."""
    return [*log, log[random_position(log, chance)]]


def another_half(log: Log, chance: Chance) -> Log:
    """Replace a digit of a move by another digit."""
    at = random_position(log, chance)
    digits = [place for place, sign in enumerate(log[at]) if sign.isdigit()]
    if not digits:
        return log
    place = chance.pick(digits)
    return with_move(log, at, log[at][:place] + str(chance.below(10)) + log[at][place + 1 :])


def other_notation(log: Log, chance: Chance) -> Log:
    """Write a move in a notation that does not exist or means another move."""
    at = random_position(log, chance)
    move = log[at]
    ways = [
        move.upper(), f" {move}", f"{move}\n", move.replace("|", "-"), move.replace("|", ""),
        f"0{move}", move[1:], f"{move}|0", move.replace(">", "r"), f">{move}", "",
    ]  # fmt: skip
    return with_move(log, at, chance.pick(ways))


def garbage(log: Log, chance: Chance) -> Log:
    """Replace a move by random characters."""
    signs = [chance.pick(GARBAGE) for _ in range(chance.below(9))]
    return with_move(log, random_position(log, chance), "".join(signs))


def twice(log: Log, chance: Chance) -> Log:
    """Make two random mistakes in the same log."""
    return some_mutation(chance)(some_mutation(chance)(log, chance) or log, chance)


def nothing(log: Log, _: Chance) -> Log:
    """Return the log unchanged."""
    return log


MUTATIONS: list[Mutation] = [
    nothing, swap_moves, swap_tiles, flip, lay_the_other_way, other_side, drop_move, double_move,
    extra_draw, extra_pass, pass_instead, draw_instead, end_early, end_late, another_half,
    other_notation, garbage, twice,
]  # fmt: skip


def some_mutation(chance: Chance) -> Mutation:
    """Return a random mutation, except `twice`."""
    return chance.pick(MUTATIONS[:-1])
