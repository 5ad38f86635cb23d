"""Random mistakes in the moves of a game, one small function for each kind.

A record is a list of moves in notation. Each mutation takes a record and random numbers and returns
another record. The result may still be legal by chance, which the oracle (the independent rules
checker) decides.
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


def random_position(record: Record, chance: Chance, kind: str = "") -> int:
    """Return the position of a random move, of the given kind if there is one."""
    places = [at for at, text in enumerate(record) if text.startswith(kind)]
    return chance.pick(places or list(range(len(record))))


def with_move(record: Record, at: int, *moves: str) -> Record:
    """Return the record with the move at one position replaced by other moves."""
    return [*record[:at], *moves, *record[at + 1 :]]


def nothing(record: Record, _: Chance) -> Record:
    """Return the record unchanged."""
    return record


def swap_moves(record: Record, chance: Chance) -> Record:
    """Swap two moves, so that they are made by the wrong player or at the wrong time."""
    one, other = random_position(record, chance), random_position(record, chance)
    swapped = with_move(record, one, record[other])
    return with_move(swapped, other, record[one])


def drop_move(record: Record, chance: Chance) -> Record:
    """Leave out a move; from then on, moves belong to the wrong players."""
    return with_move(record, random_position(record, chance))


def double_move(record: Record, chance: Chance) -> Record:
    """Write down a move twice, so that its card is played twice."""
    at = random_position(record, chance)
    return with_move(record, at, record[at], record[at])


def end_early(record: Record, chance: Chance) -> Record:
    """Leave out all moves after a random position."""
    return record[: random_position(record, chance)]


def end_late(record: Record, chance: Chance) -> Record:
    """Add a move after the end of the game."""
    return [*record, record[random_position(record, chance)]]


def another_card(record: Record, chance: Chance) -> Record:
    """Replace the card of a move by another one with the same targets."""
    at = random_position(record, chance, "play")
    words = record[at].split(" ")
    return with_move(record, at, " ".join([words[0], chance.pick(KEYS), *words[2:]]))


def a_bare_card(record: Record, chance: Chance) -> Record:
    """Replace a move by any card without targets, whether it is held or not."""
    return with_move(record, random_position(record, chance, "play"), f"play {chance.pick(KEYS)}")


def some_target(chance: Chance) -> str:
    """Return a random text in the notation of targets, for any board."""
    runner, other = (f"{chance.pick(SEATS)}{1 + chance.below(10)}" for _ in range(2))
    bull, space, sign = f"T{1 + chance.below(12)}", chance.pick(SPACES), chance.pick(SIGNS)
    ways = [
        runner, f"{runner}+", f"{runner}-", f"{runner}={chance.below(8)}", f"{runner}~{other}",
        bull, f"{bull}+", f"{bull}-", f"{bull}>{space}", f"@{space}", sign,
        f"{chance.pick(SIGNS)}>{sign}", f"{runner}>{2 + chance.below(5)}",
    ]  # fmt: skip
    return chance.pick(ways)


def another_target(record: Record, chance: Chance) -> Record:
    """Replace a target by another one, perhaps of another kind."""
    at = random_position(record, chance, "play")
    words = record[at].split(" ")
    words[-1] = some_target(chance) if len(words) > 2 else words[-1]
    return with_move(record, at, " ".join(words))


def extra_target(record: Record, chance: Chance) -> Record:
    """Add a target to a move."""
    at = random_position(record, chance, chance.pick(["play", "start"]))
    return with_move(record, at, f"{record[at]} {some_target(chance)}")


def same_target(record: Record, chance: Chance) -> Record:
    """Repeat the last target of a move."""
    at = random_position(record, chance)
    return with_move(record, at, f"{record[at]} {record[at].split(' ')[-1]}")


def fewer_words(record: Record, chance: Chance) -> Record:
    """Shorten a move: a target, a placed 1 or the name of the card is missing."""
    at = random_position(record, chance)
    return with_move(record, at, record[at].rpartition(" ")[0])


def with_runner(record: Record, at: int, chance: Chance, other: Callable[[str], str]) -> Record:
    """Replace the name of one runner in a move."""
    found = list(RUNNER.finditer(record[at]))
    if not found:
        return record
    name = chance.pick(found)
    text = record[at][: name.start()] + other(name[0]) + record[at][name.end() :]
    return with_move(record, at, text)


def another_owner(record: Record, chance: Chance) -> Record:
    """Replace a runner by the one of another player with the same number."""
    at, seat = random_position(record, chance), chance.pick(SEATS)
    return with_runner(record, at, chance, lambda name: seat + name[1:])


def another_runner(record: Record, chance: Chance) -> Record:
    """Replace a runner by another of the same player, which may be trampled or placed already."""
    at, number = random_position(record, chance), 1 + chance.below(10)
    return with_runner(record, at, chance, lambda name: f"{name[0]}{number}")


def another_start(record: Record, chance: Chance) -> Record:
    """Place a 1 on another space, perhaps not a starting space."""
    at = random_position(record, chance, "start")
    place = chance.pick([*SPACES, "1", "7", "02", ""])
    return with_move(record, at, f"{record[at].rpartition('>')[0]}>{place}")


def the_other_way(record: Record, chance: Chance) -> Record:
    """Replace up by down, or even by odd."""
    at = random_position(record, chance)
    words = {"+": "-", "-": "+", "even": "odd", "odd": "even"}
    text = re.sub(r"even(?!-)|odd(?!-)|[+-](?= |$)", lambda found: words[found[0]], record[at])
    return with_move(record, at, text)


def another_sign(record: Record, chance: Chance) -> Record:
    """Place a token on another sign or move it from one sign to another."""
    at = random_position(record, chance, "play street-sign")
    one, other = chance.pick(SIGNS), chance.pick(SIGNS)
    aim = chance.pick([one, f"{one}>{other}", f"{one}>{one}", one.partition("/")[0]])
    return with_move(record, at, f"play street-sign {aim}")


def same_aim(record: Record, chance: Chance) -> Record:
    """Give a card the targets with which the same card was played at another time.

    The targets may by then be runners of the wrong player or one bull too many.
    """
    plays = [text for text in record if text.startswith("play ") and text.count(" ") > 1]
    if not plays:
        return record
    on_signs = [text for text in plays if "/" in text]
    other = chance.pick(on_signs or plays) if chance.below(2) else chance.pick(plays)
    places = [at for at, text in enumerate(record) if text.split(" ")[:2] == other.split(" ")[:2]]
    return with_move(record, chance.pick(places), other)


def onto_no_sign(record: Record, chance: Chance) -> Record:
    """Place a token although the player has none left and moved one before."""
    moved = [at for at, text in enumerate(record) if text.count(">") == 1 and text.count("/") == 2]
    if not moved:
        return another_sign(record, chance)
    at = chance.pick(moved)
    card = record[at].rpartition(" ")[0]
    return with_move(record, at, f"{card} {record[at].rpartition('>')[2]}")


def another_sweep(record: Record, chance: Chance) -> Record:
    """Remove a token from a sign that may have none."""
    at = random_position(record, chance, "play road-sweeper")
    return with_move(record, at, f"play road-sweeper {chance.pick(SIGNS)}")


def another_discard(record: Record, chance: Chance) -> Record:
    """Discard another card, which may not be held, or a card once too often."""
    at = random_position(record, chance, "discard")
    return with_move(record, at, f"{record[at]} {chance.pick(KEYS)}")


def discard_instead(record: Record, chance: Chance) -> Record:
    """Discard a card that was played, or play a card that was discarded."""
    at = random_position(record, chance)
    kind, _, rest = record[at].partition(" ")
    other = {"play": "discard", "discard": "play", "start": "play"}[kind]
    return with_move(record, at, f"{other} {rest}")


def another_digit(record: Record, chance: Chance) -> Record:
    """Replace a digit of a move by another digit."""
    at = random_position(record, chance)
    digits = [place for place, sign in enumerate(record[at]) if sign.isdigit()]
    if not digits:
        return record
    place = chance.pick(digits)
    text = record[at][:place] + str(chance.below(10)) + record[at][place + 1 :]
    return with_move(record, at, text)


def other_notation(record: Record, chance: Chance) -> Record:
    """Write a move in a notation that does not exist."""
    at = random_position(record, chance)
    move = record[at]
    ways = [
        move.upper(), f" {move}", f"{move} ", f"{move}\n", move.replace(" ", "  ", 1),
        move.replace(" ", "\t", 1), move.replace("1", "01"), move.replace("1", "\u0661"), move[1:],
        move.replace("@", ""), move.replace(">", "-"), move.replace(" ", ","), f"{move}|", "",
        move.replace("T", "t"), move.replace("a", "A"), move.replace("~", ">"),
    ]  # fmt: skip
    return with_move(record, at, chance.pick(ways))


def garbage(record: Record, chance: Chance) -> Record:
    """Replace a move, or the words after its card, by random characters."""
    at = random_position(record, chance)
    signs = "".join(chance.pick(GARBAGE) for _ in range(chance.below(12)))
    behind = " ".join([*record[at].split(" ")[:2], signs])
    return with_move(record, at, chance.pick([signs, behind]))


def twice(record: Record, chance: Chance) -> Record:
    """Make two random mistakes in the same record."""
    once = chance.pick(MUTATIONS[:-1])(record, chance)
    return chance.pick(MUTATIONS[:-1])(once, chance) if once else once


MUTATIONS: list[Mutation] = [
    nothing, swap_moves, drop_move, double_move, end_early, end_late, another_card, a_bare_card,
    another_target, extra_target, same_target, fewer_words, another_owner, another_runner,
    another_start, the_other_way, another_sign, same_aim, onto_no_sign, another_sweep,
    another_discard, discard_instead, another_digit, other_notation, garbage, twice,
]  # fmt: skip
