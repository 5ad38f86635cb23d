"""Read and write trains, rule sets and whole hands of dominoes as text, for tests.

A train is written from left to right. What its ends need is in brackets: `(4*)` is a 4 or a
matador (a tile that fits any end). The first tile is in square brackets:

(4*) 3|1 [6|3] 4|4 (3*)

A hand is written in five lines, which are sufficient to replay it:

rules: highest=6 hand_size=7 ...
hands: 0|0 6|3 ... / 5|5 ... / ...    by seat
boneyard: 2|1 ...                     in drawing order
leader: 0
moves: 6|3 >4|4 draw draw <3|1 pass
"""

from __future__ import annotations

from typing import Final

from dominoes.engine import (
    Deal,
    Hand,
    Move,
    MoveKind,
    NotationError,
    Rules,
    Side,
    Train,
    bits,
    domino_set,
    read_tile,
    write_tile,
)
from dominoes.engine.fits import fits_of, reason_against_laying
from dominoes.engine.view import NO_TRAIN, lay_train

HEADINGS: Final = ("rules", "hands", "boneyard", "leader", "moves")


def write_rules(rules: Rules) -> str:
    """Return every option with its value, such as `highest=6 hand_size=7 partners=false ...`."""
    return " ".join(f"{name}={_value(value)}" for name, value in rules.options().items())


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_rules(text: str) -> Rules:
    """Parse options of a rule set, with defaults for missing ones.

    Raises `NotationError` for invalid syntax, and `RulesError` like `Rules`.
    """
    options: dict[str, str | int | bool] = {}
    for option in text.split():
        name, sign, value = option.partition("=")
        if not sign or name in options:
            raise NotationError(f"“{option}” is not an option with a value, or appears twice.")
        options[name] = value
    return Rules.from_options(options)


def read_train(rules: Rules, text: str) -> Train:
    """Parse a train and check it against the rules. The needs of its ends are optional.

    Raises `NotationError`, and `IllegalMove` for a tile that does not fit.
    """
    words = text.split()
    if words in ([], [NO_TRAIN]):
        return Train((), None)
    needs = [word for word in words if word.startswith("(")]
    tiles = [word for word in words if not word.startswith("(")]
    train = _build_train(rules, _as_moves(tiles))
    if needs and str(train).split() != words:
        raise NotationError(f"The train is “{train}”, not “{text}”.")
    return train


def _as_moves(tiles: list[str]) -> list[Move]:
    """Return the moves that play these tiles: the first tile first, then outwards on both sides."""
    first = [place for place, tile in enumerate(tiles) if tile.startswith("[")]
    if len(first) != 1:
        raise NotationError("A train has one first tile, in brackets.")
    left, right = tiles[: first[0]], tiles[first[0] + 1 :]
    middle = Move.read(tiles[first[0]].removeprefix("[").removesuffix("]"))
    if middle.kind is not MoveKind.LEAD:
        raise NotationError(f"“{middle}” is no first tile.")
    texts = [f"<{tile}" for tile in reversed(left)] + [f">{tile}" for tile in right]
    return [middle, *(Move.read(text) for text in texts)]


def _build_train(rules: Rules, moves: list[Move]) -> Train:
    """Return the train built by these moves, each checked against the rules."""
    tiles, fits = domino_set(rules.highest), fits_of(rules.highest, rules.matadors)
    seen: set[int] = set()
    left = right = 0
    for move in moves:
        if move.tile is None or move.tile in seen or move.tile >= len(tiles):
            raise NotationError(f"“{move}” cannot lie in this train.")
        seen.add(move.tile)
        state = fits.after[move.code]
        if move.kind is MoveKind.LEAD:
            left, right = tiles.tiles[move.tile][1], state
            continue
        at_left = move.side is Side.LEFT
        plays = fits.left[left] if at_left else fits.right[right]
        end = fits.ends[left if at_left else right]
        if move.code not in plays[end.fits & 1 << move.tile]:
            raise reason_against_laying(rules, move, end)
        left, right = (state, right) if at_left else (left, state)
    laid = tuple(tile._replace(number=-1) for tile in lay_train(rules, moves))
    return Train(laid, (fits.ends[left], fits.ends[right]))


def write_hand(hand: Hand) -> str:
    """Return a whole hand, with all tiles visible, as five lines of text."""
    hands = (" ".join(map(write_tile, bits(tiles))) for tiles in hand.dealt.hands)
    lines = (
        write_rules(hand.rules),
        " / ".join(hands),
        " ".join(map(write_tile, hand.dealt.boneyard)),
        str(hand.dealt.leader),
        " ".join(map(str, hand.log)),
    )
    return "".join(f"{head}: {line}\n" for head, line in zip(HEADINGS, lines, strict=True))


def read_hand(text: str) -> Hand:
    """Parse a hand and play its moves.

    Raises `NotationError` for missing or invalid parts, `RulesError`, `DealError` if the
    tiles are not those of the set, and `IllegalMove`.
    """
    found = dict(_line(line) for line in text.splitlines() if line.strip())
    missing = [head for head in HEADINGS if head not in found]
    if missing:
        raise NotationError(f"The hand does not tell its {missing[0]}.")
    rules = read_rules(found["rules"])
    hands = [[read_tile(tile) for tile in held.split()] for held in found["hands"].split("/")]
    boneyard = [read_tile(tile) for tile in found["boneyard"].split()]
    dealt = Deal.of(hands, boneyard, _seat(found["leader"]))
    dealt.check(rules)
    hand = Hand(rules, dealt)
    for move in found["moves"].split():
        hand.play(Move.read(move))
    return hand


def _line(line: str) -> tuple[str, str]:
    head, sign, rest = line.partition(":")
    if not sign or head.strip() not in HEADINGS:
        raise NotationError(f"“{line}” is no line of a hand.")
    return head.strip(), rest.strip()


def _seat(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= len("189")):
        raise NotationError(f"“{text}” is no seat.")
    return int(text)
