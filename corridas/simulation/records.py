"""From rows to what the engine plays with, and a played corrida back from its rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from corridas.engine import (
    RANGES,
    CorridaRecord,
    CorridaSetup,
    Range,
    Rules,
    draw_sorteo,
    replay_corrida,
)
from corridas.engine import Deck as EngineDeck
from corridas.engine import MatadorCard as EngineCard
from corridas.models import Bull, Corrida, Deck, MatadorCard, Puesto
from fairness import Seed


@lru_cache(maxsize=8)
def _parsed(cards: str) -> EngineDeck:
    return EngineDeck.parse(cards)


def engine_deck(deck: Deck) -> EngineDeck:
    """The deck of a row, checked once a process."""
    return _parsed(deck.cards)


@lru_cache(maxsize=1024)
def _printed(
    name: str, rating: int, alternativa: dt.date | None, ranges: tuple[str, ...]
) -> EngineCard:
    parsed = {field: Range.parse(text) for field, text in zip(RANGES, ranges, strict=True)}
    return EngineCard(name=name, rating=rating, alternativa=alternativa, **parsed)


def engine_card(card: MatadorCard) -> EngineCard:
    """The card of a row with its matador, checked once a process."""
    ranges = tuple(getattr(card, field) for field in RANGES)
    return _printed(card.matador.name, card.rating, card.matador.alternativa, ranges)


def stake(
    rules: Rules,
    deck: Deck,
    corrida: Corrida,
    cards: Sequence[EngineCard],
    bulls: Iterable[Bull],
) -> dict[str, Any]:
    """What a corrida's commitment binds (Ruling F-2): all that is known before the first card."""
    return {
        "game": "indulto",
        "rules": rules.options(),
        "deck": deck.digest,
        "plaza": {"name": corrida.plaza.name, "rating": corrida.plaza.category},
        "date": corrida.date.isoformat(),
        "cartel": [_card_stake(card) for card in cards],
        "bulls": [f"{bull.name} {bull.number}" for bull in bulls],
    }


@lru_cache(maxsize=1024)
def _card_stake(card: EngineCard) -> dict[str, Any]:
    known = card.alternativa.isoformat() if card.alternativa else None
    return {
        "name": card.name,
        "rating": card.rating,
        "alternativa": known,
        "ranges": card.ranges(),
    }


def puestos_of(corrida: Corrida) -> list[Puesto]:
    """The three places of a cartel with cards and matadors, in order of appearance."""
    puestos = Puesto.objects.filter(cartel_id=corrida.pk).order_by("order")
    return list(puestos.select_related("card__matador", "matador"))


def setup_of(corrida: Corrida) -> CorridaSetup:
    """What the engine plays the corrida from; `Cartel.DoesNotExist` before it is announced."""
    cartel = corrida.cartel
    return CorridaSetup(
        rules=corrida.season.engine_rules(),
        deck=engine_deck(cartel.deck),
        plaza_rating=corrida.plaza.category,
        matadors=tuple(engine_card(puesto.card) for puesto in puestos_of(corrida)),
    )


def stake_of(corrida: Corrida) -> dict[str, Any]:
    """The stake of an announced corrida, as it was committed to."""
    setup = setup_of(corrida)
    bulls = sorted(encierro_of(corrida), key=lambda bull: bull.place or 0)
    return stake(setup.rules, corrida.cartel.deck, corrida, setup.order, bulls)


def encierro_of(corrida: Corrida) -> list[Bull]:
    """The six bulls of a cartel in the order of their places, 0-5."""
    return list(corrida.cartel.bulls.select_related("ganaderia").order_by("place"))


def replay(corrida: Corrida) -> CorridaRecord:
    """Play a stored corrida again from its draws.

    Raises `ImpossibleDraw` where the rows are not a corrida that can have been.
    """
    draws = [
        bytes(draws) for draws in corrida.lidias.order_by("turn").values_list("draws", flat=True)
    ]
    sorteo = draw_sorteo(Seed(bytes(corrida.cartel.seed)))
    return replay_corrida(setup_of(corrida), sorteo, draws)
