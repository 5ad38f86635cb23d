"""Prints all cards again after a winter of version 1 or 2 of the winter's rules.

The new cards are those of version 3. No random number is drawn, so everybody can calculate the
cards again from the winter.
"""

from __future__ import annotations

from dataclasses import replace

from corridas.engine import MatadorCard
from corridas.world.winter.ladder import PIVOT, climbed
from corridas.world.winter.outcome import Outcome, PrintedCard
from corridas.world.winter.year import Year


def with_new_cards(year: Year, outcome: Outcome) -> Outcome:
    """Return the changes of a winter with a new card for every matador.

    Retired matadors get one too if they may still come back. Ratings stay the same.
    """
    changed = {news.slug: news for news in outcome.printed}
    printed = [
        changed.get(man.slug) or PrintedCard(slug=man.slug, card=man.card, before=man.card.rating)
        for man in sorted(year.careers, key=lambda man: man.slug)
    ]
    return replace(
        outcome,
        printed=tuple(replace(news, card=converted(news.card)) for news in printed),
        debuts=tuple(replace(news, card=converted(news.card)) for news in outcome.debuts),
    )


def converted(card: MatadorCard) -> MatadorCard:
    """Return the card of version 3 for a card of version 1 or 2, with the same rating.

    The ranges of the old cards depend mainly on the style, hardly on the rating. So they are taken
    as those of a card at rating `PIVOT`, which then moves along the ladder.
    """
    return climbed(replace(card, rating=PIVOT), card.rating)
