"""A league of dominoes, and the forms of its tabletop hands."""

from __future__ import annotations

from typing import Any

from dominoes.engine import PROFILES, Rules
from leagues.models import League, Player
from tests import factories


def league(organiser: Player, *players: Player, rules: Rules | None = None, **row: Any) -> League:
    """A ladder in which all of them play."""
    options = (rules or PROFILES["rulebook"]).options()
    return factories.league("dominoes", organiser, *players, rules=options, **row)


def fields(**sent: Any) -> dict[str, Any]:
    """A form's fields; `held_1="5|3 2|1"` ticks tiles, `pips_1` types them."""
    found: dict[str, Any] = {}
    for name, value in sent.items():
        key = name.replace("_", "-")
        if key.startswith("held-"):
            found[key] = value.split()
            found.setdefault(f"pips-{key[5:]}", "")
        else:
            found[key] = value
    return found
