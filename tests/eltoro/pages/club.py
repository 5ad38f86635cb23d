"""A league of Running with the Bulls, and the forms of its evenings."""

from __future__ import annotations

from typing import Any

from eltoro.engine import Rules
from leagues.models import League, Player
from tests import factories
from tests.eltoro.sheets.paper import town


def league(organiser: Player, *players: Player, rules: Rules | None = None) -> League:
    """A ladder in which all of them play."""
    options = (rules or town()).options()
    return factories.league(
        "eltoro", organiser, *players, rules=options, name="Beach league", slug="beach-league"
    )


def grid(*days: str) -> dict[str, Any]:
    """The fields of points by day: `grid("14 9", "8 17", "- 3")`; a dash leaves one empty."""
    return {
        f"points-{day}-{seat}": "" if text == "-" else text
        for day, row in enumerate(days)
        for seat, text in enumerate(row.split())
    }


def day(gained: str = "0 0", dice: str = "", **arrived: str) -> dict[str, Any]:
    """The fields of a day: `day(bank="1 0", restaurant_1="0 2")`, one card each; who arrived."""
    laid: list[str] = []
    sent: dict[str, Any] = {"laid": laid}
    for name, counts in arrived.items():
        key, _underscore, number = name.partition("_")
        card = f"{key.replace('china', 'china-shop')}.{number or 0}"
        laid.append(card)
        sent |= {f"n-{card}-{seat}": text for seat, text in enumerate(counts.split())}
    sent |= {f"gained-{seat}": text for seat, text in enumerate(gained.split())}
    rolled = [one.split(":") for one in dice.split()]
    return sent | {f"die-{seat}-0": face for seat, face in rolled}
