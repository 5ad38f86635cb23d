"""Modified decks, destinations and boards, so that rare cards occur often and amounts differ."""

from __future__ import annotations

import csv
import io

from fairness import Chance
from tests.eltoro.oracle.papers import Line, lines
from tests.eltoro.oracle.shelf import CARDS, DESTINATIONS, Setting, any_setting

KINDS_TOGETHER = 4
ON_RUNNERS = ("roll", "turn", "flip", "odd", "even", "set")
UP_TO_MORE = (*ON_RUNNERS, "bull-roll", "bull-turn", "bull-flip", "bull-lead", "sign", "unsign")
MORE = (*UP_TO_MORE, "draw", "points", "brave")
MOST = 3


def as_text(table: list[Line]) -> str:
    """Return a table as CSV text."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return file.getvalue()


def lines_with_counts(table: list[Line], names: list[str], column: str) -> list[Line]:
    """Return the lines with these names; each count is how often its name occurs."""
    kept = [line for line in table if line[column] in names]
    return [{**line, "count": str(names.count(line[column]))} for line in kept]


def some_cards(chance: Chance) -> str:
    """Return 52 cards of a few kinds, with other amounts and targets than the shipped ones."""
    table = lines(CARDS)
    kinds = [chance.pick(table)["card"] for _ in range(KINDS_TOGETHER)]
    names = [chance.pick(kinds) for _ in range(52)]
    return as_text([changed_line(line, chance) for line in lines_with_counts(table, names, "card")])


def changed_line(line: Line, chance: Chance) -> Line:
    """Change the amount of a card, whose runners it is for, and whether 6 and 1 are adjacent."""
    line = dict(line)
    if line["effect"] in MORE:
        line["amount"] = str(1 + chance.below(MOST))
    if line["effect"] in (*ON_RUNNERS, "roll-space"):
        line["whose"] = chance.pick(["own", "other", "any"])
    if line["effect"] in ("turn", "bull-turn"):
        line["round"] = chance.pick(["", "yes"])
    return line


def some_destinations(chance: Chance) -> str:
    """Return ten destination cards, some kinds more than once and others not at all."""
    table = lines(DESTINATIONS)
    names = [chance.pick(table)["destination"] for _ in range(10)]
    drawn = lines_with_counts(table, names, "destination")
    return as_text([other_amount(line, chance) for line in drawn])


def other_amount(line: Line, chance: Chance) -> Line:
    """Change the points of a destination and the amount of its effect."""
    amounts = {"runner": "-3 -1 1", "card": "-2 1 3", "bull": "1 2", "points": "-2 1 3"}
    words = amounts.get(line["effect"], "").split()
    line = {**line, "points": chance.pick([line["points"], "-2", "0", "7"])}
    return {**line, "amount": chance.pick(words)} if words else line


def some_board(chance: Chance) -> str:
    """Return a random board with two to five rows.

    Its spaces are listed row by row or in another order.
    """
    widths = [5, *(3 + chance.below(4) for _ in range(chance.below(4))), 5]
    names = [[f"s{row}-{at}" for at in range(width)] for row, width in enumerate(widths)]
    names[0], names[-1] = ["2", "3", "4", "5", "6"], ["d1", "d2", "d3", "d4", "d5"]
    table = [
        {"space": space, "row": str(row), "name": space.upper(), **way}
        for row, spaces in enumerate(names)
        for space, way in zip(spaces, ways_down(names, row, chance), strict=True)
    ]
    return as_text(table if chance.below(2) else interleaved(table))


def ways_down(names: list[list[str]], row: int, chance: Chance) -> list[Line]:
    """Return random ways from the spaces of a row; every space of the next row is reached."""
    none = {"way": "", "even": "", "odd": ""}
    if row == len(names) - 1:
        return [none] * len(names[row])
    while True:
        ways = [{**none, **some_way(names[row + 1], chance)} for _ in names[row]]
        if {to for way in ways for to in way.values() if to} == set(names[row + 1]):
            return ways


def some_way(below: list[str], chance: Chance) -> Line:
    """Return one street or a fork."""
    even, odd = chance.shuffled(below)[:2]
    return {"even": even, "odd": odd} if chance.below(4) else {"way": even}


def interleaved(table: list[Line]) -> list[Line]:
    """Return the spaces of all rows in turn, which changes the order of charges."""
    rows = {
        line["row"]: [other for other in table if other["row"] == line["row"]] for line in table
    }
    longest = max(len(row) for row in rows.values())
    return [row[at] for at in range(longest) for row in reversed(rows.values()) if at < len(row)]


def stacked_setting(chance: Chance) -> Setting:
    """Return random settings with modified board, cards and destinations."""
    usual = any_setting(chance)
    return usual._replace(
        board=chance.pick([usual.board, some_board(chance)]),
        cards=some_cards(chance),
        destinations=some_destinations(chance),
    )


def some_setting(chance: Chance) -> Setting:
    """Return random settings, half of the time with the shipped cards."""
    return any_setting(chance) if chance.below(2) else stacked_setting(chance)
