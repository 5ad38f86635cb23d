"""Where the own 1s begin the day: each best for itself, before the sixth bull is out."""

from __future__ import annotations

from eltoro.bots.outlook import Outlook
from eltoro.engine import FACES, Move


def start(outlook: Outlook) -> Move:
    """All own 1s where a 1 may expect most, over all that the sixth bull may roll (E-3)."""
    hopes = {rank: _hope(outlook, rank) for rank in outlook.ranks}
    best = max(hopes, key=lambda rank: hopes[rank])
    waiting = [number for number, place in enumerate(outlook.dice[outlook.seat], 1) if place < 0]
    name = outlook.key(best)
    letter = "abcdef"[outlook.seat]
    return Move.start(*(f"{letter}{number}>{name}" for number in waiting))


def _hope(outlook: Outlook, rank: int) -> float:
    """What a 1 may expect on a starting space."""
    found = 0.0
    for face in range(1, FACES):  # the sixth bull rolls 2 to 6 and begins there
        sixth = FACES * outlook.ranks[face - 1] + face
        found += outlook.values((*outlook.bulls, sixth))[outlook.seat][FACES * rank]
    return found
