"""The page with the rules of Indulto (the bullfighting game), explained with one bull that
the engine plays.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.wording import active_language
from corridas.circuit_queries import SHIPPED
from corridas.engine import (
    AVISO_POINTS,
    CROWD_RANGES,
    MARKS,
    STROKES,
    TROPHY_RANGES,
    CorridaSetup,
    MatadorCard,
    Rules,
    play_corrida,
)
from corridas.glossary import entries
from corridas.models import Circuit
from corridas.pages.access import circuit_of
from corridas.pages.circuits.forms import OPTIONS
from corridas.pages.known_cards import known_cards
from corridas.results import NAMES
from corridas.stage.charts import Band, band
from corridas.stage.scene import Scene
from corridas.stage.showing import Showing, ShownMatador, Toro
from corridas.stage.table import printed
from corridas.world.broadcast import Timeline
from corridas.world.roster import load_cards, load_deck
from corridas.world.roster.loading import load_plazas
from corridas.world.short_names import short_names
from fairness import Seed

# The corrida that explains the rules on this page. Juan Belmonte's first bull is the example,
# because it ends with an ear that its points have earned.
CARTEL: Final = ("joselito", "juan-belmonte", "manolete")
PLAZA: Final = "granada"
SEED: Final = b"reglas".ljust(30, b"\0") + bytes([4, 146])
TURN: Final = 2
BULLS: Final = ("Cantinero", "Limonero", "Farolito", "Aceitero", "Brujito", "Relojero")
DAY: Final = dt.date(1947, 5, 4)
# The picture of the ring shows the moment at which the faena (third tercio) has this many cards
# left.
TO_COME: Final = 3
# Index of the example card in the deck: an 8 with both signs and a CLAVAR that scores.
SHOWN_CARD: Final = 51
# Keys of all ranges of a matador's card into which the final number of a bull's fight may fall.
BOTH: Final = (*TROPHY_RANGES, *CROWD_RANGES)
# Indexes of the two cards drawn on the poster, the second card behind the first.
FAN: Final = (SHOWN_CARD, 12)


@cache
def example() -> Showing:
    """Return the example corrida of the rules page.

    The engine plays it from a fixed seed. It is not stored in the database.
    """
    return play_example(CARTEL, PLAZA, Seed(SEED), BULLS, DAY)


def play_example(
    cartel: Sequence[str], plaza: str, seed: Seed, bulls: Sequence[str], date: dt.date
) -> Showing:
    """Simulate a corrida of the shipped circuit from a seed and return its showing.

    `cartel` are the slugs of three matadors, `plaza` is the slug of a plaza, and `bulls` are the
    names of six bulls.
    """
    # The examples of this page and of the lessons were chosen with the cards of version 2.
    cards = load_cards(version=2)
    place = next(each for each in load_plazas() if each.slug == plaza)
    setup = CorridaSetup(
        rules=Rules(),
        deck=load_deck(),
        plaza_rating=place.category,
        matadors=tuple(cards[slug] for slug in cartel),
    )
    record = play_corrida(setup, seed)
    slugs = {cards[slug]: slug for slug in cartel}
    draws = tuple(len(lidia.draws) for lidia in record.lidias)
    short = short_names([(card.name, "", "") for card in setup.order])
    return Showing(
        circuit=SHIPPED,
        corrida=0,
        plaza=place.city,
        date=date,
        category=place.category,
        matadors=tuple(
            ShownMatador(pk=order, slug=slugs[card], name=card.name, short=short[order], card=card)
            for order, card in enumerate(setup.order)
        ),
        bulls=tuple(
            Toro(pk=place, name=name, number=11 + 7 * place, coat="negro", weight=500 + 4 * place)
            for place, name in enumerate(bulls)
        ),
        deck=setup.deck,
        rules=setup.rules,
        record=record,
        timeline=Timeline(draws, pace_ms=1, interval_ms=1, paseillo_ms=1),
    )


@dataclass(frozen=True, kw_only=True)
class Sum:
    """The calculation that leads from the points of the example bull to its verdict.

    `points` are the matador's points after the kill and the avisos (warnings). `score` is the rest
    after dividing them by the plaza's `category`. `drawn` is the number of the two cards drawn, and
    `number` is `score` plus `drawn`, from 1 to 100. `without` is the verdict for `drawn` alone, and
    `outcome` the verdict for `number`.
    """

    name: str
    points: int
    category: int
    score: int
    tens: int
    units: int
    drawn: int
    number: int
    without: str
    outcome: str
    bands: tuple[Band, ...]

    @property
    def pin(self) -> float:
        """The position of `number` on a bar from 0 to 100: the middle of its unit."""
        return self.number - 0.5


def explain(scene: Scene) -> Sum:
    """Return the calculation of the verdict of a lidia that has been shown to its end."""
    result = scene.showing.lidia(scene.turn).result
    assert result.score is not None
    assert result.number is not None
    assert result.finisher is not None
    person = scene.showing.matadors[result.finisher]
    drawn = result.number - result.score
    return Sum(
        name=person.name,
        points=result.matador_points + result.kill_points + AVISO_POINTS * result.avisos,
        category=scene.showing.category,
        score=result.score,
        tens=drawn // 10 % 10,
        units=drawn % 10,
        drawn=drawn,
        number=result.number,
        without=_verdict(person.card, drawn),
        outcome=_verdict(person.card, result.number),
        bands=_bands(person.card),
    )


def _bands(card: MatadorCard) -> tuple[Band, ...]:
    """Return the ranges of trophies and verdicts of a card as drawings, in order from 1 to 100."""
    ranges = {name.removesuffix("_orejas"): getattr(card, name) for name in BOTH}
    bands = [band(name, f"{low}-{high}") for name, (low, high) in ranges.items() if low <= high]
    return tuple(sorted((drawn for drawn in bands if drawn), key=attrgetter("x")))


def _verdict(card: MatadorCard, number: int) -> str:
    return next(NAMES[band.name] for band in _bands(card) if 0 < number - band.x <= band.width)


@require_safe
def rules_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    row = circuit_of(request) or Circuit.objects.filter(slug=circuit).first()
    options = (row.engine_rules() if row else Rules()).options()
    showing, language = example(), active_language()
    last = showing.timeline.moment((TURN, len(showing.lidia(TURN).draws)))
    over = Scene(showing=showing, moment=last, language=language)
    context = {
        "circuit": circuit,
        "named": row,
        "options": [(label, values[options[name]]) for name, (label, values) in OPTIONS.items()],
        "card": printed(showing.deck.cards[SHOWN_CARD], language),
        "fan": [printed(showing.deck.cards[place], language) for place in FAN],
        "showing": showing,
        "during": Scene(showing=showing, moment=_in_the_faena(showing), language=language),
        "over": over,
        "sum": explain(over),
        "tens": range(1, MARKS + 1),
        "fives": range(1, STROKES + 1),
        "known": known_cards(),
        "terms": len(entries(language)),
    }
    return render(request, "corridas/rules.html", context)


def _in_the_faena(showing: Showing) -> int:
    """Return the moment of the example fight at which `TO_COME` cards of the faena (third
    tercio) are left.
    """
    first = showing.timeline.moment((TURN, 0))
    for moment in range(first, first + len(showing.lidia(TURN).draws) + 1):
        scene = Scene(showing=showing, moment=moment, language="en")
        if scene.sheet.tercios[2].marks == MARKS - TO_COME:
            return moment
    raise AssertionError("the example ends before its faena")
