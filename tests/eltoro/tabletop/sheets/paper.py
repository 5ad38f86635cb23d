"""Scoresheets of El Toro in short notation, and what the referee answers to them."""

from __future__ import annotations

from typing import Any

from eltoro.engine import Rules
from eltoro.tabletop.sheets import ScoresheetReading, objection_sentence, read_evening

NAMES = ("ana", "blas", "carla", "dani", "eva", "fito")
DESTINATIONS = """\
destination,count,points,effect,amount,name,name_es
restaurant,2,3,,,Restaurant,Restaurante
nightclub,1,4,runner,-1,Nightclub,Discoteca
pier,1,2,runner,1,Mozo's Pier,Muelle del Mozo
bookstore,2,2,card,1,Bookstore,Librería
china-shop,1,6,bull,1,China Shop,Cacharrería
festival,1,3,first,,Festival,Verbena
casino,1,1,die,,Casino,Casino
bank,1,1,points,3,Bank,Banco
"""
CARDS = """\
card,count,effect,amount,whose,round,name,name_es
second-wind,50,roll,2,own,,Second wind,Segundo aire
daredevil,2,brave,3,,,Daredevil,Valiente
"""
USUAL = ("restaurant", "nightclub", "casino", "bank", "pier")
Day = dict[str, Any]


def town(days: int = 3) -> Rules:
    """Return rules of El Toro with fixed cards and destinations."""
    return Rules(days=days, cards=CARDS, destinations=DESTINATIONS)


def day(*arrived: str, gained: str = "", dice: str = "", laid: tuple[str, ...] = USUAL) -> Day:
    """Return a day such as `day("2.2..", "...1.", dice="- 4")`.

    Each text lists how many runners of a player arrived at the five destinations d1 to d5.
    """
    players = len(arrived)
    return {
        "destinations": list(laid),
        "arrived": [[0 if n == "." else int(n) for n in row] for row in arrived],
        "gained": [int(n) for n in gained.split()] or [0] * players,
        "dice": [None if n == "-" else int(n) for n in dice.split()] or [None] * players,
    }


def arrivals(*days: Day) -> Any:
    """Return a scoresheet of the kind `arrivals` with these days."""
    return {"kind": "arrivals", "days": list(days)}


def points(*days: str) -> Any:
    """Return a scoresheet of the kind `points`, such as `points("14 9", "-1 3")`, day by day."""
    return {"kind": "points", "days": [[int(n) for n in row.split()] for row in days]}


def read(sheet: Any, players: int = 2, days: int = 3) -> ScoresheetReading:
    """Return the referee's reading of a scoresheet of El Toro."""
    return read_evening(town(days), players, sheet)


def objection_messages(reading: ScoresheetReading, days: int = 3) -> list[str]:
    """Return the messages of all objections."""
    return [objection_sentence(town(days), fault, NAMES) for fault in reading.objections]
