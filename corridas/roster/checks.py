"""Checks of a deck, a roster or a card. They change nothing and take seconds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from django.db.models import Model
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.names.text import comparison_key
from corridas.calendar_faults import calendar_fault
from corridas.circuits.calendar_checks import broken_calendar, coming_year
from corridas.engine import BULLS, MATADORS, CardError, DeckError, EngineError, RulesError
from corridas.engine import MatadorCard as EngineCard
from corridas.errors import OperationError
from corridas.models import Circuit, Deck, Ganaderia, Matador, MatadorCard, Plaza
from corridas.roster.card_faults import card_fault, engine_fault
from corridas.simulation.schedule import calendar_of
from corridas.world.calendar import CalendarError, dates
from corridas.world.encierro import HIGHEST_NUMBER
from corridas.world.names import display_name
from corridas.world.trial import Setting, Trial, try_card, try_roster
from fairness import Seed

LIDIAS: Final = 1000


class Weight(Enum):
    WRONG = "wrong"
    NOTE = "note"


class Finding(NamedTuple):
    """A problem or a note about a roster. `row` is the row to edit, if any."""

    weight: Weight
    sentence: str
    row: Model | None = None


def check_deck(*, deck: Deck) -> str:
    """Return a sentence that summarises a legal deck (Ruling I-1).

    Raise `OperationError` if the deck is illegal or does not match its digest.
    """
    try:
        cards = deck.engine_deck().cards
    except DeckError as error:
        raise OperationError(f"{deck}: {error}") from error
    if sha256(deck.cards.encode()).hexdigest() != deck.digest:
        raise OperationError(_("%s: the digest does not match its cards.") % deck)
    kinds = Counter(card.second.kind.name for card in cards)
    hurt = sum(card.bull.kind.name == "HERIDA" for card in cards)
    kill = sum(card.kill.modifier for card in cards)
    return _(
        "%(deck)s is valid (Ruling I-1). It has 70 cards, seven with each number. Cards "
        "with CLAVAR: %(clavar)s; cards with HERIDA: %(hurt)s. On average, the kill "
        "costs %(kill)s points per card."
    ) % {"deck": deck, "clavar": kinds["CLAVAR"], "hurt": hurt, "kill": floatformat(kill / 70, 1)}


def check_roster(*, circuit: Circuit) -> list[Finding]:
    """Return the problems of a roster that would prevent a season, then further notes.

    Nine queries, whatever the size of the roster.
    """
    active = list(circuit.matadors.filter(state=Matador.State.ACTIVE).order_by("name_key"))
    findings = [
        *_rules(circuit),
        *_cards(circuit, active),
        *_names(active),
        *_calendar(circuit, len(active)),
    ]
    return sorted(findings, key=lambda finding: finding.weight is Weight.NOTE)


def _rules(circuit: Circuit) -> Iterator[Finding]:
    try:
        circuit.engine_rules()
    except RulesError as error:
        yield Finding(Weight.WRONG, str(error), circuit)
    try:
        check_deck(deck=circuit.deck)
    except OperationError as error:
        yield Finding(Weight.WRONG, str(error), circuit.deck)


def newest_cards(circuit: Circuit) -> dict[int, MatadorCard]:
    """Return the newest card of every active matador of a circuit, by the matador's key."""
    cards = MatadorCard.objects.filter(matador__circuit=circuit)
    rows = cards.exclude(matador__state=Matador.State.RETIRED).select_related("matador")
    return {card.matador_id: card for card in rows.order_by("matador", "printing")}


def _cards(circuit: Circuit, active: list[Matador]) -> Iterator[Finding]:
    newest = newest_cards(circuit)
    for matador in active:
        if matador.pk not in newest:
            yield Finding(Weight.WRONG, _("%s has no card.") % matador, matador)
    for card in newest.values():
        try:
            card.engine_card()
        except CardError as error:
            yield Finding(Weight.WRONG, f"{card.matador}: {card_fault(error)}", card.matador)
    undated = sum(matador.alternativa is None for matador in active)
    if undated:
        sentence = _("Matadors without an alternativa date: %s. In a tie, they come last.")
        yield Finding(Weight.NOTE, sentence % undated)


def _names(active: list[Matador]) -> Iterator[Finding]:
    by_name = defaultdict(list)
    for matador in active:
        by_name[comparison_key(display_name(matador.name, matador.apodo))].append(matador)
    for same in by_name.values():
        if len(same) > 1:
            sentence = _(
                "%(count)s matadors are called %(name)s and could be mistaken for each other. Give "
                "each of them an apodo of his own."
            )
            called = display_name(same[0].name, same[0].apodo)
            yield Finding(Weight.NOTE, sentence % {"count": len(same), "name": called}, same[1])


class _Demand(NamedTuple):
    """What the calendar requires: corridas by continent, the most on one day, and its plazas."""

    corridas: Mapping[str, int]
    most_on_a_day: int
    plazas: set[str]


def _calendar(circuit: Circuit, active: int) -> Iterator[Finding]:
    plazas = {plaza.slug: plaza for plaza in circuit.plazas.filter(archived_at=None)}
    if error := broken_calendar(circuit):
        yield Finding(Weight.WRONG, calendar_fault(error), circuit)
    try:
        planned = dates(calendar_of(circuit), coming_year(circuit))
    except CalendarError:
        return  # the error added above is about the same year
    days = Counter(corrida.date for corrida in planned)
    demand = _Demand(
        Counter(plazas[corrida.plaza].continent for corrida in planned),
        max(days.values(), default=0),
        {corrida.plaza for corrida in planned},
    )
    yield from _men(active, demand)
    yield from _herds(circuit, demand)
    yield from _rings(circuit, plazas, demand)


def _men(active: int, demand: _Demand) -> Iterator[Finding]:
    if active < MATADORS:
        yield Finding(
            Weight.WRONG, _("A cartel needs three matadors. Active matadors: %s.") % active
        )
    needed = MATADORS * demand.most_on_a_day
    if MATADORS <= active < needed:
        figures = {"most": demand.most_on_a_day, "needed": needed, "active": active}
        sentence = _(
            "The busiest day has %(most)s corridas and needs %(needed)s matadors, but only "
            "%(active)s are active. Some carteles will stay empty."
        )
        yield Finding(Weight.NOTE, sentence % figures)


def _herds(circuit: Circuit, demand: _Demand) -> Iterator[Finding]:
    herds = Counter(
        Ganaderia.objects.filter(circuit=circuit, archived_at=None).values_list(
            "continent", flat=True
        )
    )
    names = dict(Plaza.Continent.choices)
    for continent, corridas in sorted(demand.corridas.items()):
        parameters = {
            "corridas": corridas,
            "continent": names[continent],
            "herds": herds[continent],
        }
        if not herds[continent]:
            sentence = ngettext(
                "%(corridas)s corrida is planned in %(continent)s, where there are no herds.",
                "%(corridas)s corridas are planned in %(continent)s, where there are no herds.",
                corridas,
            )
            yield Finding(Weight.WRONG, sentence % parameters, circuit)
        elif BULLS * corridas > HIGHEST_NUMBER * herds[continent]:
            sentence = ngettext(
                "The %(corridas)s corridas in %(continent)s need more bulls than its "
                "%(herds)s herd can breed in a year.",
                "The %(corridas)s corridas in %(continent)s need more bulls than its "
                "%(herds)s herds can breed in a year.",
                herds[continent],
            )
            yield Finding(Weight.WRONG, sentence % parameters, circuit)


def _rings(circuit: Circuit, plazas: dict[str, Plaza], demand: _Demand) -> Iterator[Finding]:
    if not demand.plazas:
        yield Finding(Weight.WRONG, _("The calendar has no dates at the plazas of this circuit."))
    unused = [plazas[slug] for slug in plazas if slug not in demand.plazas]
    for plaza in unused[:10]:
        yield Finding(Weight.NOTE, _("The calendar has no dates at %s.") % plaza, plaza)
    if len(unused) > 10:
        more = len(unused) - 10
        sentence = ngettext(
            "The calendar leaves out %s more plaza.",
            "The calendar leaves out %s more plazas.",
            more,
        )
        yield Finding(Weight.NOTE, sentence % more, circuit)


@dataclass(frozen=True, kw_only=True)
class CardComparison:
    """Simulated results of a card and the mean of its circuit, in plazas of one category."""

    card: Trial
    mean: Trial
    category: int


def put_on_trial(*, card: MatadorCard, category: int, lidias: int = LIDIAS) -> CardComparison:
    """Simulate lidias with a card, and as many with all cards of its circuit.

    Nothing is stored. The seed depends on the card and the deck, so the same card gives the same
    result. Raise `OperationError` for a card or deck that the engine rejects, and for an unknown
    category.
    """
    circuit = card.matador.circuit
    try:
        setting = Setting(
            rules=circuit.engine_rules(), deck=circuit.deck.engine_deck(), plaza_rating=category
        )
        face = card.engine_card()
        others = list(_readable(circuit)) or [face]
        seed = Seed(sha256(repr((face.ranges(), circuit.deck.digest)).encode()).digest())
        alone = try_card(face, setting, lidias, seed)
        return CardComparison(
            card=alone, mean=try_roster(others, setting, lidias, seed), category=category
        )
    except EngineError as error:
        raise OperationError(engine_fault(error)) from error


def _readable(circuit: Circuit) -> Iterator[EngineCard]:
    for card in newest_cards(circuit).values():
        try:
            yield card.engine_card()
        except CardError:
            continue
