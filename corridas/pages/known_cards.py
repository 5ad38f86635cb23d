"""Two shipped cards that explain the difference between a matador's rating and his card."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from corridas.world.roster import load_cards

# A matador whose card brings few ears for his rating, and one whose card brings many. The second
# figure is the chance of an ear in plazas of the first category, in whole per cent. It is not
# calculated on a page, because that takes seconds; a test compares it.
DEAR: Final = ("paquiro", 18)
BARGAIN: Final = ("damaso-gonzalez", 36)


class KnownCard(NamedTuple):
    name: str
    rating: int
    ear: int


@cache
def known_cards() -> tuple[KnownCard, KnownCard]:
    """Return the matador who is dear for what he brings, and the one who is a bargain."""
    cards = load_cards()
    dear, bargain = (
        KnownCard(cards[slug].name, cards[slug].rating, ear) for slug, ear in (DEAR, BARGAIN)
    )
    return dear, bargain
