"""The winter between two seasons: changes to matadors, their cards, and herds.

These are pure functions: the same year and seed always give the same winter. docs/careers.md
explains the model.
"""

from corridas.world.winter.ages import Beginning, draw_beginning
from corridas.world.winter.debuts import NamesError
from corridas.world.winter.form import STEP
from corridas.world.winter.lore import Lore, load_lore
from corridas.world.winter.new_cards import with_new_cards
from corridas.world.winter.outcome import (
    Alternativa,
    Debut,
    HerdMove,
    Outcome,
    PrintedCard,
    Retired,
    Returned,
    Standing,
    Why,
    standing_after,
)
from corridas.world.winter.turning import Seniority, seniority, winter
from corridas.world.winter.year import VERSION, Career, HerdYear, OpenDate, State, Year

__all__ = [
    "STEP",
    "VERSION",
    "Alternativa",
    "Beginning",
    "Career",
    "Debut",
    "HerdMove",
    "HerdYear",
    "Lore",
    "NamesError",
    "OpenDate",
    "Outcome",
    "PrintedCard",
    "Retired",
    "Returned",
    "Seniority",
    "Standing",
    "State",
    "Why",
    "Year",
    "draw_beginning",
    "load_lore",
    "seniority",
    "standing_after",
    "winter",
    "with_new_cards",
]
