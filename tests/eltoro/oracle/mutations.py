"""What can go wrong when a game is written down, one small function a mishap.

A record is a list of moves in notation. Every mutation takes it with a chance and gives another,
which may by luck still be legal: who is right is for the oracle to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fairness import Chance
from tests.eltoro.oracle.papers import read_board, read_cards, signs
from tests.eltoro.oracle.shelf import BOARDS, CARDS
from tests.eltoro.oracle.town import SEATS

Record = list[str]
Mutation = Callable[[Record, Chance], Record]

KEYS = list(read_cards(CARDS))
TOWNS = [read_board(text) for text in BOARDS.values()]
SPACES = [space for town in TOWNS for space in town["spaces"]]
SIGNS = [sign for town in TOWNS for sign in signs(town)]
RUNNER = re.compile(r"\b[a-f][0-9]+")
GARBAGE = "0123456789abT@/>=~+- playstrdicPLAY\t\n\x00\x7f\u200b\u0661\u00b9\U0001f402"


def somewhere(record: Record, chance: Chance, kind: str = "") -> int:
    """The number of some move, of a kind where there is one."""
    places = [at for at, text in enumerate(record) if text.startswith(kind)]
    return chance.pick(places or list(range(len(record))))


def with_move(record: Record, at: int, *moves: str) -> Record:
    """The record with other moves in place of one."""
    return [*record[:at], *moves, *record[at + 1 :]]


def nothing(record: Record, _: Chance) -> Record:
    """The game as it was."""
    return record


def swap_moves(record: Record, chance: Chance) -> Record:
    """Two moves changed places: each made by the wrong player, or at the wrong time."""
    one, other = somewhere(record, chance), somewhere(record, chance)
    swapped = with_move(record, one, record[other])
    return with_move(swapped, other, record[one])


def drop_move(record: Record, chance: Chance) -> Record:
    """A move nobody wrote down: from then on, the wrong players move."""
    return with_move(record, somewhere(record, chance))


def double_move(record: Record, chance: Chance) -> Record:
    """A move written down twice, a card played twice."""
    at = somewhere(record, chance)
    return with_move(record, at, record[at], record[at])


def end_early(record: Record, chance: Chance) -> Record:
    """The rest is missing."""
    return record[: somewhere(record, chance)]


def end_late(record: Record, chance: Chance) -> Record:
    """A move after the end."""
    return [*record, record[somewhere(record, chance)]]


def another_card(record: Record, chance: Chance) -> Record:
    """Another card's name, with the targets of the one that was played."""
    at = somewhere(record, chance, "play")
    words = record[at].split(" ")
    return with_move(record, at, " ".join([words[0], chance.pick(KEYS), *words[2:]]))


def a_bare_card(record: Record, chance: Chance) -> Record:
    """Any card at all, held or not, aimed at nothing."""
    return with_move(record, somewhere(record, chance, "play"), f"play {chance.pick(KEYS)}")


def some_target(chance: Chance) -> str:
    """Something in the notation of targets, on any board."""
    runner, other = (f"{chance.pick(SEATS)}{1 + chance.below(10)}" for _ in range(2))
    bull, space, sign = f"T{1 + chance.below(12)}", chance.pick(SPACES), chance.pick(SIGNS)
    ways = [
        runner, f"{runner}+", f"{runner}-", f"{runner}={chance.below(8)}", f"{runner}~{other}",
        bull, f"{bull}+", f"{bull}-", f"{bull}>{space}", f"@{space}", sign,
        f"{chance.pick(SIGNS)}>{sign}", f"{runner}>{2 + chance.below(5)}",
    ]  # fmt: skip
    return chance.pick(ways)


def another_target(record: Record, chance: Chance) -> Record:
    """A target in place of another, perhaps of another kind."""
    at = somewhere(record, chance, "play")
    words = record[at].split(" ")
    words[-1] = some_target(chance) if len(words) > 2 else words[-1]
    return with_move(record, at, " ".join(words))


def extra_target(record: Record, chance: Chance) -> Record:
    """A target too many, or the one that was forgotten."""
    at = somewhere(record, chance, chance.pick(["play", "start"]))
    return with_move(record, at, f"{record[at]} {some_target(chance)}")


def same_target(record: Record, chance: Chance) -> Record:
    """The last target once more."""
    at = somewhere(record, chance)
    return with_move(record, at, f"{record[at]} {record[at].split(' ')[-1]}")


def fewer_words(record: Record, chance: Chance) -> Record:
    """The end of a move missing: a target fewer, a 1 not placed, no card named."""
    at = somewhere(record, chance)
    return with_move(record, at, record[at].rpartition(" ")[0])


def with_runner(record: Record, at: int, chance: Chance, other: Callable[[str], str]) -> Record:
    """A move with one runner's name changed."""
    found = list(RUNNER.finditer(record[at]))
    if not found:
        return record
    name = chance.pick(found)
    text = record[at][: name.start()] + other(name[0]) + record[at][name.end() :]
    return with_move(record, at, text)


def another_owner(record: Record, chance: Chance) -> Record:
    """The same runner of another player."""
    at, seat = somewhere(record, chance), chance.pick(SEATS)
    return with_runner(record, at, chance, lambda name: seat + name[1:])


def another_runner(record: Record, chance: Chance) -> Record:
    """Another runner of the same player, perhaps trampled or placed already."""
    at, number = somewhere(record, chance), 1 + chance.below(10)
    return with_runner(record, at, chance, lambda name: f"{name[0]}{number}")


def another_start(record: Record, chance: Chance) -> Record:
    """A 1 placed where nobody starts, or elsewhere."""
    at = somewhere(record, chance, "start")
    place = chance.pick([*SPACES, "1", "7", "02", ""])
    return with_move(record, at, f"{record[at].rpartition('>')[0]}>{place}")


def the_other_way(record: Record, chance: Chance) -> Record:
    """Up for down, even for odd."""
    at = somewhere(record, chance)
    words = {"+": "-", "-": "+", "even": "odd", "odd": "even"}
    text = re.sub(r"even(?!-)|odd(?!-)|[+-](?= |$)", lambda found: words[found[0]], record[at])
    return with_move(record, at, text)


def another_sign(record: Record, chance: Chance) -> Record:
    """A token on another sign, or moved from one to another."""
    at = somewhere(record, chance, "play street-sign")
    one, other = chance.pick(SIGNS), chance.pick(SIGNS)
    aim = chance.pick([one, f"{one}>{other}", f"{one}>{one}", one.partition("/")[0]])
    return with_move(record, at, f"play street-sign {aim}")


def same_aim(record: Record, chance: Chance) -> Record:
    """A card aimed as the same card was at another time: onto one's own, one bull too many."""
    plays = [text for text in record if text.startswith("play ") and text.count(" ") > 1]
    if not plays:
        return record
    on_signs = [text for text in plays if "/" in text]
    other = chance.pick(on_signs or plays) if chance.below(2) else chance.pick(plays)
    places = [at for at, text in enumerate(record) if text.split(" ")[:2] == other.split(" ")[:2]]
    return with_move(record, chance.pick(places), other)


def onto_no_sign(record: Record, chance: Chance) -> Record:
    """A token placed that was moved, none being left."""
    moved = [at for at, text in enumerate(record) if text.count(">") == 1 and text.count("/") == 2]
    if not moved:
        return another_sign(record, chance)
    at = chance.pick(moved)
    card = record[at].rpartition(" ")[0]
    return with_move(record, at, f"{card} {record[at].rpartition('>')[2]}")


def another_sweep(record: Record, chance: Chance) -> Record:
    """A token taken from where there may be none."""
    at = somewhere(record, chance, "play road-sweeper")
    return with_move(record, at, f"play road-sweeper {chance.pick(SIGNS)}")


def another_discard(record: Record, chance: Chance) -> Record:
    """A card thrown away that may not be held, or that once too often."""
    at = somewhere(record, chance, "discard")
    return with_move(record, at, f"{record[at]} {chance.pick(KEYS)}")


def discard_instead(record: Record, chance: Chance) -> Record:
    """A card thrown away instead of played, or played instead of thrown away."""
    at = somewhere(record, chance)
    kind, _, rest = record[at].partition(" ")
    other = {"play": "discard", "discard": "play", "start": "play"}[kind]
    return with_move(record, at, f"{other} {rest}")


def another_digit(record: Record, chance: Chance) -> Record:
    """A digit misread."""
    at = somewhere(record, chance)
    digits = [place for place, sign in enumerate(record[at]) if sign.isdigit()]
    if not digits:
        return record
    place = chance.pick(digits)
    text = record[at][:place] + str(chance.below(10)) + record[at][place + 1 :]
    return with_move(record, at, text)


def other_notation(record: Record, chance: Chance) -> Record:
    """The same thing, written in no way that anybody knows."""
    at = somewhere(record, chance)
    move = record[at]
    ways = [
        move.upper(), f" {move}", f"{move} ", f"{move}\n", move.replace(" ", "  ", 1),
        move.replace(" ", "\t", 1), move.replace("1", "01"), move.replace("1", "\u0661"), move[1:],
        move.replace("@", ""), move.replace(">", "-"), move.replace(" ", ","), f"{move}|", "",
        move.replace("T", "t"), move.replace("a", "A"), move.replace("~", ">"),
    ]  # fmt: skip
    return with_move(record, at, chance.pick(ways))


def garbage(record: Record, chance: Chance) -> Record:
    """Some signs in place of a move, or behind its card."""
    at = somewhere(record, chance)
    signs = "".join(chance.pick(GARBAGE) for _ in range(chance.below(12)))
    behind = " ".join([*record[at].split(" ")[:2], signs])
    return with_move(record, at, chance.pick([signs, behind]))


def twice(record: Record, chance: Chance) -> Record:
    """Two mishaps in one game."""
    once = chance.pick(MUTATIONS[:-1])(record, chance)
    return chance.pick(MUTATIONS[:-1])(once, chance) if once else once


MUTATIONS: list[Mutation] = [
    nothing, swap_moves, drop_move, double_move, end_early, end_late, another_card, a_bare_card,
    another_target, extra_target, same_target, fewer_words, another_owner, another_runner,
    another_start, the_other_way, another_sign, same_aim, onto_no_sign, another_sweep,
    another_discard, discard_instead, another_digit, other_notation, garbage, twice,
]  # fmt: skip
