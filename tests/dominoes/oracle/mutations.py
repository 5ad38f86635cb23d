"""What can go wrong when a hand is written down, one small function a mishap.

A log is a list of moves in notation. Every mutation takes it with a chance and gives another log,
which may by luck still be legal: who is right is for the oracle to say.
"""

from __future__ import annotations

from collections.abc import Callable

from fairness import Chance

Log = list[str]
Mutation = Callable[[Log, Chance], Log]

ENDS = ("<", ">")
GARBAGE = "0123456789|+<>- drawpsDRAWPASS\t\n\x00\x7f\u200b\u0663\u00bd\U0001f06e"


def somewhere(log: Log, chance: Chance) -> int:
    """The number of some move."""
    return chance.below(len(log))


def with_move(log: Log, at: int, *moves: str) -> Log:
    """The log with other moves in place of one."""
    return [*log[:at], *moves, *log[at + 1 :]]


def swap_moves(log: Log, chance: Chance) -> Log:
    """Two moves changed places: each made by the wrong player, or at the wrong time."""
    one, other = somewhere(log, chance), somewhere(log, chance)
    swapped = with_move(log, one, log[other])
    return with_move(swapped, other, log[one])


def swap_tiles(log: Log, chance: Chance) -> Log:
    """Two moves changed tiles, each at the end where the other lay."""
    one, other = somewhere(log, chance), somewhere(log, chance)
    first, second = log[one], log[other]
    if first.startswith(ENDS) and second.startswith(ENDS):
        swapped = with_move(log, one, first[0] + second[1:])
        return with_move(swapped, other, second[0] + first[1:])
    return swap_moves(log, chance)


def flip(log: Log, chance: Chance) -> Log:
    """A tile written the other way round."""
    at = somewhere(log, chance)
    sign, tile = (log[at][:1], log[at][1:]) if log[at].startswith(ENDS) else ("", log[at])
    for mark in "|+":
        if mark in tile:
            return with_move(log, at, sign + mark.join(reversed(tile.split(mark))))
    return log


def lay_the_other_way(log: Log, chance: Chance) -> Log:
    """Across instead of in line, or in line instead of across."""
    at = somewhere(log, chance)
    return with_move(log, at, log[at].translate(str.maketrans("|+", "+|")))


def other_side(log: Log, chance: Chance) -> Log:
    """A tile at the other end of the train."""
    at = somewhere(log, chance)
    return with_move(log, at, log[at].translate(str.maketrans("<>", "><")))


def drop_move(log: Log, chance: Chance) -> Log:
    """A move nobody wrote down: from then on, the wrong players move."""
    return with_move(log, somewhere(log, chance))


def double_move(log: Log, chance: Chance) -> Log:
    """A move written down twice, a tile laid twice."""
    at = somewhere(log, chance)
    return with_move(log, at, log[at], log[at])


def extra_draw(log: Log, chance: Chance) -> Log:
    """A draw where none was."""
    at = somewhere(log, chance)
    return with_move(log, at, "draw", log[at])


def extra_pass(log: Log, chance: Chance) -> Log:
    """A pass, perhaps in front of a tile that had to be played."""
    at = somewhere(log, chance)
    return with_move(log, at, "pass", log[at])


def pass_instead(log: Log, chance: Chance) -> Log:
    """A pass in place of what was done."""
    return with_move(log, somewhere(log, chance), "pass")


def draw_instead(log: Log, chance: Chance) -> Log:
    """A draw in place of what was done."""
    return with_move(log, somewhere(log, chance), "draw")


def end_early(log: Log, chance: Chance) -> Log:
    """The rest is missing."""
    return log[: somewhere(log, chance)]


def end_late(log: Log, chance: Chance) -> Log:
    """A move of the same hand after its end."""
    return [*log, log[somewhere(log, chance)]]


def another_half(log: Log, chance: Chance) -> Log:
    """A digit misread."""
    at = somewhere(log, chance)
    digits = [place for place, sign in enumerate(log[at]) if sign.isdigit()]
    if not digits:
        return log
    place = chance.pick(digits)
    return with_move(log, at, log[at][:place] + str(chance.below(10)) + log[at][place + 1 :])


def other_notation(log: Log, chance: Chance) -> Log:
    """The same thing, written in no way or another way that anybody knows."""
    at = somewhere(log, chance)
    move = log[at]
    ways = [
        move.upper(), f" {move}", f"{move}\n", move.replace("|", "-"), move.replace("|", ""),
        f"0{move}", move[1:], f"{move}|0", move.replace(">", "r"), f">{move}", "",
    ]  # fmt: skip
    return with_move(log, at, chance.pick(ways))


def garbage(log: Log, chance: Chance) -> Log:
    """Some signs in place of a move."""
    signs = [chance.pick(GARBAGE) for _ in range(chance.below(9))]
    return with_move(log, somewhere(log, chance), "".join(signs))


def twice(log: Log, chance: Chance) -> Log:
    """Two mishaps in one hand."""
    return some_mutation(chance)(some_mutation(chance)(log, chance) or log, chance)


def nothing(log: Log, _: Chance) -> Log:
    """The hand as it was."""
    return log


MUTATIONS: list[Mutation] = [
    nothing, swap_moves, swap_tiles, flip, lay_the_other_way, other_side, drop_move, double_move,
    extra_draw, extra_pass, pass_instead, draw_instead, end_early, end_late, another_half,
    other_notation, garbage, twice,
]  # fmt: skip


def some_mutation(chance: Chance) -> Mutation:
    """Any of them but `twice`."""
    return chance.pick(MUTATIONS[:-1])
