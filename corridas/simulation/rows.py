"""Converts database rows to input of the engine, and rows of played corridas to values.

Data that is read a thousand times per season is read as tuples, because creating model instances
took longer than playing the corridas.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, NotRequired, TypedDict

from django.db.models import OuterRef, QuerySet, Subquery

from corridas import sql
from corridas.engine import (
    BULLS,
    RANGES,
    CorridaRecord,
    CorridaSetup,
    Ending,
    Rules,
    cartel_json,
    draw_sorteo,
    replay_corrida,
)
from corridas.engine import Deck as EngineDeck
from corridas.engine import MatadorCard as EngineCard
from corridas.models import Bull, Corrida, Deck, Lidia, Matador, MatadorCard, Puesto
from corridas.world.deeds import PlayedCorrida, PlayedLidia
from corridas.world.encierro import NewBull
from corridas.world.market import CurrentCard
from fairness import Seed


class PlazaRow(NamedTuple):
    """The columns of a plaza that contracts depend on, named like the attributes of its model."""

    slug: str
    name: str
    category: int
    continent: str


class PendingCorrida(NamedTuple):
    """A corrida that needs matadors and bulls, with the attribute names of its model.

    `bar` are the slugs of the market's trio if the corrida was reserved (`Reservation.trio`).
    """

    pk: int
    date: dt.date
    feria_id: int | None
    plaza: PlazaRow
    bar: tuple[str, ...] = ()


def to_contract(season_id: int, until: dt.date) -> list[PendingCorrida]:
    """Return the announced corridas of a season up to a day that have no matadors yet, by date."""
    return _contracted(sql.to_contract(season_id, until))


def pending_corridas(season_id: int, corridas: Collection[int]) -> list[PendingCorrida]:
    """Return those of these corridas of a season that are in the state `announced`, by date."""
    return _contracted(sql.pending_corridas(season_id, corridas))


def _contracted(rows: Iterable[tuple[Any, ...]]) -> list[PendingCorrida]:
    return [
        PendingCorrida(pk, date, feria, PlazaRow(*plaza), tuple(json.loads(trio)) if trio else ())
        for pk, date, feria, *plaza, trio in rows
    ]


class AnnouncedCorrida(NamedTuple):
    """A corrida whose matadors and bulls are known.

    `plaza`, `feria` and `herd` are slugs; `feria` is empty outside ferias. `category` is that of
    the plaza. `deck` is the digest of the deck's text.
    """

    pk: int
    date: dt.date
    plaza: str
    category: int
    feria: str
    herd: str
    herd_key: int
    seed: bytes
    deck: str


class PuestoCard(NamedTuple):
    matador_id: int
    card: EngineCard
    instead_of: int | None = None


class NewCartel(NamedTuple):
    """The new seed and matadors of a corrida after an injured matador was replaced."""

    seed: bytes
    places: list[PuestoCard]


class BrandedBull(NamedTuple):
    name: str
    number: int


_OF_CORRIDA = (
    "pk",
    "date",
    "plaza__slug",
    "plaza__category",
    "feria__slug",
    "cartel__ganaderia__slug",
    "cartel__ganaderia_id",
)


def announced_corridas(corridas: Collection[int]) -> list[AnnouncedCorrida]:
    """Return those of these corridas whose matadors and bulls are known, by date."""
    return [
        AnnouncedCorrida._make((*row[:-2], bytes(row[-2]), row[-1]))
        for row in sql.announced(corridas)
    ]


def places_of(corridas: Collection[int]) -> dict[int, list[PuestoCard]]:
    """Return the matadors of each corrida with their cards, in the order of appearance."""
    rows = sql.places(corridas)
    cards = {}
    for key, slug, name, alternativa, rating, *ranges in sql.cards(
        {card for _, _, card, _ in rows}
    ):
        day = dt.date.fromisoformat(alternativa) if alternativa else None
        cards[key] = printed_card(slug, name, rating, day, tuple(ranges))
    places: dict[int, list[PuestoCard]] = defaultdict(list)
    for cartel, matador, card, replaced in rows:
        places[cartel].append(PuestoCard(matador, cards[card], replaced))
    return places


def bulls_of(corridas: Collection[int]) -> dict[int, list[int]]:
    """Return the keys of the six bulls of each corrida, by their places 0-5."""
    bulls: dict[int, list[int]] = defaultdict(list)
    for cartel, pk in sql.bulls(corridas):
        bulls[cartel].append(pk)
    return bulls


def latest_cards(circuit_id: int) -> dict[int, CurrentCard]:
    """Return the newest card of every active matador of a circuit, by his key and in that order.

    Apprentices and retired matadors are left out, because they are not contracted.
    """
    newest = MatadorCard.objects.filter(matador=OuterRef("matador")).order_by("-printing")
    rows = MatadorCard.objects.filter(
        matador__circuit=circuit_id,
        matador__state=Matador.State.ACTIVE,
        printing=Subquery(newest.values("printing")[:1]),
    ).order_by("matador_id")
    career = ("matador__slug", "matador__name", "matador__alternativa")
    printed = {}
    for pk, matador, form, slug, name, alternativa, rating, *ranges in rows.values_list(
        "pk", "matador_id", "matador__form", *career, "rating", *RANGES
    ):
        card = printed_card(slug, name, rating, alternativa, tuple(ranges))
        printed[matador] = CurrentCard(pk, matador, form, card)
    return printed


@lru_cache(maxsize=256)
def printed_card(
    slug: str, name: str, rating: int, alternativa: dt.date | None, ranges: tuple[str, ...]
) -> EngineCard:
    """Return a matador's card for the engine.

    The card's key is the matador's slug, by which the engine distinguishes matadors of the same
    name (Ruling I-14).
    """
    printed = dict(zip(RANGES, ranges, strict=True))
    return EngineCard.parse(name, rating, alternativa, printed, slug)


@lru_cache(maxsize=8)
def engine_deck(digest: str) -> EngineDeck:
    """Return the deck with this digest.

    It is validated only once per process, because it never changes.
    """
    return EngineDeck.parse(Deck.objects.get(digest=digest).cards)


class StakePlaza(TypedDict):
    name: str
    rating: int


class Stake(TypedDict):
    """All data to which a corrida commits before its first card is drawn, as JSON."""

    game: str
    rules: dict[str, str]
    deck: str
    plaza: StakePlaza
    date: str
    cartel: list[dict[str, object]]
    bulls: list[str]
    bar: NotRequired[list[str]]


def stake(
    rules: Rules,
    deck: str,
    corrida: Corrida | PendingCorrida,
    cards: Sequence[EngineCard],
    bulls: Iterable[Bull | NewBull | BrandedBull],
    bar: Iterable[str] = (),
) -> Stake:
    """Return the commitment data of a corrida. The arguments are the same as in `written_stake`."""
    plaza, names = corrida.plaza, [f"{bull.name} {bull.number}" for bull in bulls]
    place = (plaza.name, plaza.category)
    return written_stake(rules, deck, place, corrida.date, cards, names, bar)


def written_stake(
    rules: Rules,
    deck: str,
    plaza: tuple[str, int],
    date: dt.date,
    cards: Iterable[EngineCard],
    bulls: Iterable[str],
    bar: Iterable[str] = (),
) -> Stake:
    """Return the data to which a corrida commits together with its seed (Ruling F-2).

    `deck` is the digest of the deck's text, and `plaza` its name and category. `cards` are in the
    order of appearance. `bulls` are names with branding numbers, by place. `bar` are the slugs of
    the market's trio; only reserved corridas have one.
    """
    name, rating = plaza
    written: Stake = {
        "game": "indulto",
        "rules": rules.options(),
        "deck": deck,
        "plaza": {"name": name, "rating": rating},
        "date": date.isoformat(),
        "cartel": cartel_json(cards, _card_stake),
        "bulls": list(bulls),
    }
    if trio := list(bar):
        written["bar"] = trio
    return written


# The cards of a season occur in many corridas, and writing a card takes longer than a cache lookup.
_card_stake = lru_cache(maxsize=256)(EngineCard.to_json)


def setup_of(corrida: Corrida) -> CorridaSetup:
    """Return a corrida's input for the engine.

    Raises `Cartel.DoesNotExist` if the corrida has no matadors yet.
    """
    return CorridaSetup(
        rules=corrida.season.engine_rules(),
        deck=engine_deck(corrida.cartel.deck.digest),
        plaza_rating=corrida.plaza.category,
        matadors=tuple(place.card for place in places_of([corrida.pk])[corrida.pk]),
    )


def stake_of(corrida: Corrida) -> Stake:
    setup = setup_of(corrida)
    bulls = corrida.cartel.bulls.order_by("place")
    reservation = getattr(corrida, "reservation", None)
    bar = reservation.trio or () if reservation else ()
    return stake(setup.rules, corrida.cartel.deck.digest, corrida, setup.order, bulls, bar)


def replay(corrida: Corrida) -> CorridaRecord:
    """Replay a stored corrida from its recorded cards.

    For a corrida played with real cards, the order of the bulls is taken from the rows. Raises
    `ImpossibleDraw` if the recorded cards are impossible.
    """
    rows = list(corrida.lidias.order_by("turn").values_list("draws", "bull__place"))
    if corrida.origin == Corrida.Origin.TABLE:
        out = [place for _, place in rows if place is not None]
        sorteo = (*out, *(place for place in range(BULLS) if place not in out))
    else:
        sorteo = draw_sorteo(Seed(bytes(corrida.cartel.seed)))
    return replay_corrida(setup_of(corrida), sorteo, [bytes(draws) for draws, _ in rows])


def played_corridas(corridas: QuerySet[Corrida]) -> list[PlayedCorrida]:
    """Return finished corridas by date. Three queries, whatever their number."""
    rows: Any = corridas.order_by("date", "pk").values_list(*_OF_CORRIDA)
    keys = corridas.order_by().values("pk")
    matadors: dict[int, list[int]] = defaultdict(list)
    puestos = Puesto.objects.filter(cartel__in=keys).order_by("cartel_id", "order")
    for pk, matador in puestos.values_list("cartel_id", "matador_id"):
        matadors[pk].append(matador)
    lidias: dict[int, list[PlayedLidia]] = defaultdict(list)
    ordered = Lidia.objects.filter(corrida__in=keys).order_by("corrida_id", "turn")
    results: Any = ordered.values_list("corrida_id", *PlayedLidia._fields)
    for pk, *columns in results:
        lidias[pk].append(PlayedLidia(*columns))
    return [
        PlayedCorrida(
            pk,
            date,
            plaza,
            category,
            feria or "",
            herd,
            herd_key,
            tuple(matadors[pk]),
            tuple(lidias[pk]),
            was_suspended(lidias[pk]),
        )
        for pk, date, plaza, category, feria, herd, herd_key in rows
    ]


def was_suspended(lidias: Sequence[PlayedLidia]) -> bool:
    return len(lidias) < BULLS or lidias[-1].ending == Ending.BROKEN_OFF.value
