"""Announces corridas: contracts matadors, draws bulls, and commits to a secret seed."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypedDict

from django.db import transaction
from django.db.models import CharField, QuerySet, Value

from corridas import sql
from corridas.bulk import bulk_insert, bulk_update
from corridas.engine import BULLS, ENGINE_VERSION
from corridas.models import (
    Bull,
    Cartel,
    Commitment,
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Matador,
    Puesto,
    Reservation,
    Season,
)
from corridas.models.winters import NewsItem
from corridas.search_index import index_bull_names, index_new_bulls
from corridas.simulation.emit import emit_announced
from corridas.simulation.new_circuit import stock
from corridas.simulation.reservations import Reservations, contract_chance
from corridas.simulation.rows import PendingCorrida, latest_cards, stake, to_contract
from corridas.simulation.winter_queries import alternativas_before
from corridas.world.contracts import DAYS_TO_SETTLE, OPEN, Engagement, OpenCorrida, contract
from corridas.world.encierro import (
    FIRST_SONS,
    HIGHEST_NUMBER,
    LAST_SONS,
    EncierroError,
    NewBull,
    choose_herd,
    draw_encierro,
    fathers,
)
from corridas.world.encierro import Herd as HerdOffer
from corridas.world.market import CurrentCard, Market
from corridas.world.winter import Seniority, seniority
from fairness import Chance, Seed, commitment


def market_of(season: Season, since: dt.date, promised: Iterable[Ceremony] | None = None) -> Market:
    """Load the market of a season: its matadors with bookings, injuries and appearances.

    Bookings shortly before `since` are included, because travel affects contracts. `promised` are
    the ceremonies of the season (see `Ceremony`), if they are already loaded.
    """
    market = Market(latest_cards(season.circuit_id), _appearances(season))
    for ceremony in ceremonies(season) if promised is None else promised:
        market.begin(ceremony.matador, ceremony.date)
    rests = Injury.objects.filter(matador__circuit=season.circuit_id, until__gte=since)
    for matador, first, last in rests.values_list("matador_id", "since", "until"):
        market.rest(matador, first, last)
    since_settled = since - dt.timedelta(DAYS_TO_SETTLE)
    known = Puesto.objects.filter(matador__circuit=season.circuit_id, date__gte=since_settled)
    fields = (
        "matador_id",
        "date",
        "cartel_id",
        "cartel__corrida__plaza__continent",
        "cartel__corrida__feria_id",
        "cartel__corrida__state",
    )
    signed = _signed(season.circuit_id, since_settled)
    rows = known.order_by().values_list(*fields).union(signed, all=True).order_by("date")
    for matador, date, corrida, continent, feria, state in rows:
        over = state in Corrida.OVER  # the ranking includes it
        engagement = Engagement(date, continent, feria)
        # A signed matador is not on a cartel yet, so nobody can replace him there.
        key = corrida if state != _SIGNED else None
        market.book([matador], engagement, corrida=key, counted=over)
    return market


# Stands for the state of a corrida for which a matador is signed and whose cartel lacks him.
_SIGNED = "signed"


def _signed(circuit: int, since: dt.date) -> QuerySet[Commitment, tuple[Any, ...]]:
    """Return the matadors who are signed but on no cartel yet, with the columns of bookings."""
    held = Commitment.objects.on_no_cartel().filter(
        matador__circuit=circuit, corrida__date__gte=since
    )
    return held.order_by().values_list(
        "matador_id",
        "corrida__date",
        "corrida_id",
        "corrida__plaza__continent",
        "corrida__feria_id",
        Value(_SIGNED, output_field=CharField()),
    )


class Ceremony(NamedTuple):
    """An alternativa (the ceremony that makes a matador) planned in the winter for a corrida.

    `men` are the keys of the new matador, the padrino and the testigo (the two who attend).
    """

    corrida: int
    date: dt.date
    men: tuple[int, ...]

    @property
    def matador(self) -> int:
        return self.men[0]


def ceremonies(season: Season) -> list[Ceremony]:
    """Return the alternativas that take place in corridas of a season. Three queries at most."""
    agreed = alternativas_before(season)
    if not agreed:
        return []
    days = Corrida.objects.filter(season=season, date__in=[item["date"] for item in agreed])
    held = {(slug, date): pk for pk, slug, date in days.values_list("pk", "plaza__slug", "date")}
    slugs = {slug for item in agreed for slug in _men_of(item)}
    rows = Matador.objects.filter(circuit=season.circuit_id, slug__in=slugs)
    keys = dict(rows.values_list("slug", "pk"))
    found = []
    for item in agreed:
        date = dt.date.fromisoformat(item["date"])
        corrida, men = held.get((item["plaza"], date)), [keys.get(slug) for slug in _men_of(item)]
        if corrida is not None and men[0] is not None:
            found.append(Ceremony(corrida, date, tuple(man for man in men if man is not None)))
    return found


def _men_of(item: NewsItem) -> tuple[str, str, str]:
    return item["slug"], item["padrino"]["slug"], item["testigo"]["slug"]


def name_witnesses(held: Iterable[Ceremony]) -> None:
    """Store who attends alternativas according to the present carteles (bills of the corridas).

    The more senior of the two other matadors is the padrino, regardless of the plan made in the
    winter.
    """
    matadors = {ceremony.corrida: ceremony.matador for ceremony in held}
    beside: dict[int, list[tuple[Seniority, int]]] = defaultdict(list)
    rows = Puesto.objects.filter(cartel__in=list(matadors))
    names = ("matador__seasons", "matador__alternativa", "matador__slug")
    for cartel, key, *of in rows.values_list("cartel_id", "matador_id", *names):
        beside[cartel].append((seniority(*of), key))
    found = []
    for corrida, men in beside.items():
        matador = matadors[corrida]
        witnesses = [key for _, key in sorted(men) if key != matador]
        if len(witnesses) < len(men):
            found.append((*witnesses, matador))
    bulk_update(Matador, ["padrino_id", "testigo_id"], found)


def engagement_in(corrida: Corrida | PendingCorrida) -> Engagement:
    return Engagement(corrida.date, corrida.plaza.continent, corrida.feria_id)


def _appearances(season: Season) -> dict[int, int]:
    posted: dict[int, int] = defaultdict(int)
    rows = Escalafon.objects.filter(season=season)
    for matador, corridas in rows.values_list("matador_id", "corridas"):
        posted[matador] += corridas
    return posted


# A function that returns a new seed at every call.
SeedFactory = Callable[[], Seed]
# A herd, the six bulls that it sends, and the sire (spared ancestor) of each bull, or None.
Encierro = tuple[Ganaderia, Sequence[NewBull], Sequence[int | None]]


@transaction.atomic(savepoint=False)
def announce(
    season: Season,
    *,
    until: dt.date,
    fresh: SeedFactory,
    contracts: ContractContext | None = None,
    at: dt.datetime | None = None,
) -> int:
    """Contract matadors and bulls for all corridas up to a date that have none.

    Returns the number of corridas that were announced. A corrida stays open if fewer than three
    matadors are free. Followers of the circuit are notified with the time `at`, or not at all if it
    is None.
    """
    return _announce(season, to_contract(season.pk, until), contracts, fresh=fresh, at=at)


def announce_alternativas(season: Season, *, fresh: SeedFactory, at: dt.datetime | None) -> int:
    """Announce the corridas of a new season in which alternativas take place, whatever their date.

    Returns their number.
    """
    held = {ceremony.corrida for ceremony in ceremonies(season)}
    if not held:
        return 0
    return announce_only(season, held, fresh=fresh, at=at)


@transaction.atomic(savepoint=False)
def announce_only(
    season: Season, corridas: Collection[int], *, fresh: SeedFactory, at: dt.datetime | None
) -> int:
    """Announce those of these corridas that have no matadors yet, whatever their date.

    Returns their number.
    """
    waiting = to_contract(season.pk, dt.date(season.year, 12, 31))
    only = [corrida for corrida in waiting if corrida.pk in corridas]
    return _announce(season, only, None, fresh=fresh, at=at)


def _announce(
    season: Season,
    waiting: Sequence[PendingCorrida],
    contracts: ContractContext | None,
    *,
    fresh: SeedFactory,
    at: dt.datetime | None,
) -> int:
    if not waiting:
        return 0
    contracts = contracts or ContractContext(season, waiting[0].date)
    printer = CartelPrinter(season, fresh)
    for day, corridas in groupby(waiting, key=attrgetter("date")):
        for corrida, cards in _contract_day(season, day, list(corridas), contracts):
            herd, bulls = contracts.herds.encierro(corrida)
            printer.print(corrida, cards, (herd, bulls, contracts.herds.fathers(corrida, herd)))
    printer.save()
    hung = {cartel["corrida_id"] for cartel in printer.carteles}
    held = [ceremony for ceremony in contracts.ceremonies if ceremony.corrida in hung]
    if held:
        name_witnesses(held)
    if at is not None and printer.carteles:
        emit_announced(season, [drawn for drawn in waiting if drawn.pk in hung], at=at)
    return len(printer.carteles)


def without_cartel(season: Season, until: dt.date) -> QuerySet[Corrida]:
    return Corrida.objects.filter(
        season=season, state=Corrida.State.ANNOUNCED, cartel=None, date__lte=until
    )


class ContractContext:
    def __init__(self, season: Season, since: dt.date) -> None:
        self.ceremonies = ceremonies(season)
        self.reservations = Reservations(season)
        self.market = market_of(season, since, self.ceremonies)
        self.herds = HerdBook(season)


def _contract_day(
    season: Season, day: dt.date, corridas: Sequence[PendingCorrida], contracts: ContractContext
) -> list[tuple[PendingCorrida, list[CurrentCard]]]:
    market = contracts.market
    promised = {
        ceremony.corrida: tuple(man for man in ceremony.men if not market.is_resting(man, day))
        for ceremony in contracts.ceremonies
    }
    offers = [
        OpenCorrida(
            *(corrida.pk, corrida.plaza.category, corrida.plaza.continent, corrida.feria_id),
            fixed=promised.get(corrida.pk, ()),
        )
        for corrida in corridas
    ]
    contracts.reservations.choose_trios(season, day, offers, market)
    agreed = contract(day, offers, market.candidates(day), contract_chance(season, day))
    contracted = []
    for corrida in corridas:
        keys = agreed[corrida.pk]
        if keys != OPEN:
            market.book(keys, engagement_in(corrida), corrida=corrida.pk)
            contracted.append((corrida, [market.cards[key] for key in keys]))
    return contracted


def spared_bulls(season: Season, since: int, until: int) -> QuerySet[Bull]:
    return Bull.objects.filter(
        ganaderia__circuit=season.circuit_id,
        year__range=(since, until),
        state=sql.SPARED,
    ).order_by("ganaderia_id", "year", "number")


def sires_at_work(season: Season) -> dict[int, list[int]]:
    sires: dict[int, list[int]] = defaultdict(list)
    spared = spared_bulls(season, season.year - LAST_SONS, season.year - FIRST_SONS)
    for herd, bull in spared.values_list("ganaderia_id", "pk"):
        sires[herd].append(bull)
    return sires


# Number of additional bulls from which a director can choose.
SPARES = 3


class Offered(NamedTuple):
    """A bull that a herd can send, with the key of its sire (spared ancestor) or None."""

    bull: NewBull
    sire: int | None


def _announced_bulls(corrida: Corrida, herd: Ganaderia) -> list[Offered]:
    rows = Bull.objects.filter(cartel=corrida.pk, ganaderia=herd).order_by("place")
    fields = ("name", "number", "coat", "weight", "sire_id")
    return [Offered(NewBull(*bull), sire) for *bull, sire in rows.values_list(*fields)]


class HerdBook:
    def __init__(self, season: Season) -> None:
        self._season = season
        self.herds = list(
            Ganaderia.objects.filter(circuit=season.circuit_id, archived_at__isnull=True)
        )
        self._by_key = {herd.pk: herd for herd in self.herds}
        sent: dict[int, int] = defaultdict(int)
        self._numbers: dict[int, set[int]] = defaultdict(set)
        bulls = Bull.objects.filter(ganaderia__circuit=season.circuit_id, year=season.year)
        for herd, number, place in bulls.values_list("ganaderia_id", "number", "place"):
            self._numbers[herd].add(number)
            sent[herd] += place == 0
        self._offers = {
            herd.pk: HerdOffer(herd.pk, herd.continent, sent[herd.pk]) for herd in self.herds
        }
        self._sires = sires_at_work(season)

    def encierro(self, corrida: PendingCorrida) -> tuple[Ganaderia, list[NewBull]]:
        herd = self._choose(corrida)
        used = self._numbers[herd.pk]
        bulls = self._drawn(corrida, "encierro", used)
        used.update(bull.number for bull in bulls)
        offer = self._offers.get(herd.pk)
        if offer is not None:
            self._offers[herd.pk] = offer._replace(encierros=offer.encierros + 1)
        return herd, bulls

    def fathers(
        self, corrida: Corrida | PendingCorrida, herd: Ganaderia, label: str = "sires"
    ) -> list[int | None]:
        sires = self._sires.get(herd.pk, ())
        if not sires:
            return [None] * BULLS
        return fathers(sires, BULLS, self._chance(corrida, label))

    def encierros(self, herd: Ganaderia) -> int:
        """Return for how many corridas of this season a herd supplies the bulls, including
        announced ones.
        """
        return self._offers[herd.pk].encierros if herd.pk in self._offers else 0

    def has_bulls(self, herd: Ganaderia) -> bool:
        return HIGHEST_NUMBER - len(self._numbers[herd.pk]) >= BULLS

    def offer(self, corrida: Corrida, herd: Ganaderia) -> list[Offered]:
        """Return the bulls from which a director can choose: six, and up to three more (`SPARES`).

        The first six are the announced ones, or those that the herd would send by default. The
        offer stays the same until the herd is announced for another corrida. Raises `EncierroError`
        if the herd has no bulls left.
        """
        six = _announced_bulls(corrida, herd)
        if not six:
            bulls = self._drawn(corrida, "encierro", self._numbers[herd.pk])
            six = list(map(Offered, bulls, self.fathers(corrida, herd)))
        names = {offered.bull.name for offered in six}
        used = self._numbers[herd.pk] | {offered.bull.number for offered in six}
        try:
            bulls = self._drawn(corrida, "spares", used)
        except EncierroError:
            return six
        spares = map(Offered, bulls, self.fathers(corrida, herd, "spares/sires"))
        return six + [spare for spare in spares if spare.bull.name not in names][:SPARES]

    def _drawn(
        self, corrida: Corrida | PendingCorrida, label: str, used: set[int]
    ) -> list[NewBull]:
        chance = self._chance(corrida, label)
        return draw_encierro(stock(), corrida.plaza.category, used, chance)

    def _chance(self, corrida: Corrida | PendingCorrida, label: str) -> Chance:
        seed = Seed(bytes(self._season.seed))
        return seed.chance(f"{label}/{corrida.date}/{corrida.plaza.slug}")

    def _choose(self, corrida: PendingCorrida) -> Ganaderia:
        offers = list(self._offers.values())
        chance = self._chance(corrida, "herd")
        plaza = corrida.plaza
        return self._by_key[choose_herd(plaza.category, plaza.continent, offers, chance)]


class CartelRow(TypedDict):
    corrida_id: int
    ganaderia_id: int
    deck_id: int
    seed: bytes
    commitment: bytes
    engine_version: str
    set_by_hand: bool


class PuestoRow(TypedDict):
    cartel_id: int
    order: int
    matador_id: int
    card_id: int
    date: dt.date
    instead_of_id: int | None


class BullRow(TypedDict):
    ganaderia_id: int
    year: int
    number: int
    name: str
    coat: str
    weight: int
    state: str
    cartel_id: int
    place: int
    sire_id: int | None


class CartelPrinter:
    """New carteles (posters of corridas) with their matadors and bulls, collected for one bulk
    insert.
    """

    def __init__(self, season: Season, fresh: SeedFactory, *, set_by_hand: bool = False) -> None:
        self._season, self._fresh, self._set_by_hand = season, fresh, set_by_hand
        self._rules, self._deck = season.engine_rules(), season.circuit.deck
        self.carteles: list[CartelRow] = []
        self.puestos: list[PuestoRow] = []
        self.bulls: list[BullRow] = []

    def print(
        self,
        corrida: Corrida | PendingCorrida,
        cards: Sequence[CurrentCard],
        encierro: Encierro,
        instead: dict[int, int] | None = None,
    ) -> None:
        """Add a cartel with matadors in the order of appearance, bulls, a new seed and its
        commitment.

        `instead` maps a matador to the one he replaces.
        """
        herd, new_bulls, sires = encierro
        ordered = in_order(cards)
        self.carteles.append(self._cartel(corrida, herd, ordered, new_bulls))
        self.puestos += place_matadors(corrida, ordered, instead or {})
        self.bulls += self._encierro(corrida, herd, new_bulls, sires)

    def _encierro(
        self,
        corrida: Corrida | PendingCorrida,
        herd: Ganaderia,
        bulls: Sequence[NewBull],
        sires: Sequence[int | None],
    ) -> list[BullRow]:
        herd_key, year, state = herd.pk, self._season.year, Bull.State.CAMPO.value
        return [
            {
                "ganaderia_id": herd_key,
                "year": year,
                "number": bull.number,
                "name": bull.name,
                "coat": bull.coat,
                "weight": bull.weight,
                "state": state,
                "cartel_id": corrida.pk,
                "place": place,
                "sire_id": sires[place],
            }
            for place, bull in enumerate(bulls)
        ]

    def _cartel(
        self,
        corrida: Corrida | PendingCorrida,
        herd: Ganaderia,
        ordered: Sequence[CurrentCard],
        bulls: Sequence[NewBull],
    ) -> CartelRow:
        seed = self._fresh().value
        cards = [printed.card for printed in ordered]
        # A director who sets a cartel is not compared with the site's three: see `fill_by_hand`.
        bar = corrida.bar if isinstance(corrida, PendingCorrida) else ()
        at_stake = stake(self._rules, self._deck.digest, corrida, cards, bulls, bar)
        return {
            "corrida_id": corrida.pk,
            "ganaderia_id": herd.pk,
            "deck_id": self._deck.pk,
            "seed": seed,
            "commitment": commitment(seed, at_stake),
            "engine_version": ENGINE_VERSION,
            "set_by_hand": self._set_by_hand,
        }

    def save(self) -> None:
        bulk_insert(Cartel, self.carteles)
        bulk_insert(Puesto, self.puestos)
        bulk_insert(Bull, self.bulls)
        corridas = [cartel["corrida_id"] for cartel in self.carteles]
        index_new_bulls(self._season.circuit_id, corridas)


def in_order(cards: Sequence[CurrentCard]) -> list[CurrentCard]:
    """Return cards in the order of appearance (Ruling I-14)."""
    return sorted(cards, key=lambda printed: printed.card.appearance)


def place_matadors(
    corrida: Corrida | PendingCorrida, ordered: Sequence[CurrentCard], instead: dict[int, int]
) -> list[PuestoRow]:
    return [
        {
            "cartel_id": corrida.pk,
            "order": order,
            "matador_id": printed.matador_id,
            "card_id": printed.pk,
            "date": corrida.date,
            "instead_of_id": instead.get(printed.matador_id),
        }
        for order, printed in enumerate(ordered)
    ]


def delete_cartel(circuit: int, corrida: int) -> None:
    """Delete the cartel (poster) of a corrida, and its bulls, which have not fought yet."""
    bulls = Bull.objects.filter(cartel=corrida)
    names = set(bulls.values_list("name", flat=True))
    bulls.delete()
    index_bull_names(circuit, names)
    Cartel.objects.filter(corrida=corrida).delete()


@transaction.atomic
def fill_by_hand(
    corrida: Corrida,
    matadors: Iterable[int],
    herd: Ganaderia,
    *,
    fresh: SeedFactory,
    bulls: Sequence[int] = (),
) -> None:
    """Replace the cartel (poster) of a corrida with one chosen by a director.

    `bulls` are branding numbers from the herd's offer; by default the first six bulls are taken.
    Raises `EncierroError` for bulls that the herd does not offer.
    """
    book = HerdBook(corrida.season)
    offered = {offer.bull.number: offer for offer in book.offer(corrida, herd)}
    if not offered.keys() >= set(bulls):
        raise EncierroError("the herd does not offer these bulls")
    six = [offered[number] for number in bulls or list(offered)[:BULLS]]
    delete_cartel(corrida.season.circuit_id, corrida.pk)
    printer = CartelPrinter(corrida.season, fresh, set_by_hand=True)
    cards = latest_cards(corrida.season.circuit_id)
    chosen = [cards[matador] for matador in matadors]
    if Reservation.objects.filter(pk=corrida.pk).update(trio=None):
        chosen_men = [each.matador_id for each in chosen]
        Commitment.objects.filter(corrida=corrida).exclude(matador__in=chosen_men).update(
            released=True
        )
    printer.print(corrida, chosen, (herd, [bull for bull, _ in six], [sire for _, sire in six]))
    printer.save()
    name_witnesses(
        [ceremony for ceremony in ceremonies(corrida.season) if ceremony.corrida == corrida.pk]
    )
