"""Boards of real games for tests, and short ways to record entries on them."""

from __future__ import annotations

from collections.abc import Iterable

from eltoro.engine import DueEntryKind, RealBoard, Rules
from fairness import Seed

SEED = Seed(bytes(range(32)))
KINDS = """destination,count,points,effect,amount,name,name_es
restaurant,2,3,,,Restaurant,Restaurante
nightclub,1,4,runner,-1,Nightclub,Discoteca
pier,1,2,runner,1,Mozo's Pier,Muelle del Mozo
bookstore,2,2,card,1,Bookstore,Librería
china-shop,1,6,bull,1,China Shop,Cacharrería
festival,1,3,first,,Festival,Verbena
casino,1,1,die,,Casino,Casino
bank,1,1,points,3,Bank,Banco
"""
# Rules with fixed destinations, so that tests do not depend on the shipped ones.
RULES = Rules(destinations=KINDS)
DESTINATIONS = "restaurant bank pier casino festival"


def by_hand(players: int = 2, rules: Rules | None = None) -> RealBoard:
    """Return a board whose dice are rolled by the players."""
    return RealBoard(rules or RULES, players, SEED, rolls=False)


def by_site(players: int = 2, rules: Rules | None = None, seed: Seed = SEED) -> RealBoard:
    """Return a board whose dice the site rolls."""
    return RealBoard(rules or Rules(), players, seed, rolls=True)


def board_after(kept: RealBoard, entries: Iterable[str]) -> RealBoard:
    """Return the board after these entries."""
    for text in entries:
        kept = kept.record(text)
    return kept


def morning(
    runners: str = "a=222222222 b=333333333",
    bulls: str = "11111",
    sixth: str = "6",
    players: int = 2,
    rules: Rules | None = None,
) -> RealBoard:
    """Return a board after its first morning with these dice, at the point when cards are played.

    No runner shows a 1.
    """
    entries = [f"lay {DESTINATIONS}", f"bulls {bulls}", f"runners {runners}", f"bulls {sixth}"]
    return board_after(by_hand(players, rules), entries)


def two_casinos() -> RealBoard:
    """Return a board on the morning after one runner of b arrived at each of two casinos."""
    kinds = KINDS.replace("casino,1,", "casino,2,").replace("bookstore,2,", "bookstore,1,")
    rules = Rules(destinations=kinds, days=3)
    laid = "casino bank pier restaurant casino"
    entries = [f"lay {laid}", "bulls 11111", f"runners a={'6' * 9} b={'6' * 9}", "bulls 2"]
    kept = board_after(by_hand(2, rules), [*entries, "advance", "advance", "advance"])
    entries = ["lead b1>lonja b2>arenal", "face b1=5 b2=5", "move T1>rambla", "advance"]
    kept = board_after(kept, entries)
    assert kept.days[0].arrived[1][::4] == (1, 1)
    return kept.record("evening")


def to_the_end(kept: RealBoard, destinations: str = "") -> RealBoard:
    """Play the rest of a game whose dice the site rolls, without playing cards."""
    said = {
        DueEntryKind.LAY: f"lay {destinations}".strip(),
        DueEntryKind.CARDS: "advance",
        DueEntryKind.EVENING: "evening",
    }
    while kept.due is not DueEntryKind.OVER:
        ones = " ".join(f"{name}>4" for name in kept.ones)
        kept = kept.record(f"start {ones}" if kept.due is DueEntryKind.START else said[kept.due])
    return kept


def spaces(kept: RealBoard, seat: int) -> list[str]:
    """Return the space and face of each runner of a seat. A trampled runner is returned as `-`."""
    board = kept.rules.board
    return [
        "-" if die is None else f"{board.spaces[die.space].key}:{die.face}"
        for die in kept.town().runners[seat]
    ]
