"""Creates a circuit from a roster: deck, plazas, herds, matadors and their first cards.

Also deletes a circuit in which no corrida has been fought.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from corridas.card_chances import fill_chances
from corridas.circuit_queries import free_slug
from corridas.errors import OperationError
from corridas.models import Bull, Circuit, Deck, Ganaderia, Matador, MatadorCard, Plaza
from corridas.search_index import index_circuit
from corridas.simulation.namesakes import tell_apart
from corridas.world.encierro import Span, Stock
from corridas.world.inventing import Invention, invent
from corridas.world.roster import DATA, Roster, load
from corridas.world.winter import load_lore
from fairness import Seed
from search.index import remove_scope

if TYPE_CHECKING:
    from accounts.models import User


@lru_cache(maxsize=1)
def shipped() -> Roster:
    return load(DATA)


@lru_cache(maxsize=1)
def stock() -> Stock:
    roster = shipped()
    return Stock(
        roster.bull_names,
        tuple((coat.name, coat.weight) for coat in roster.coats),
        {
            category: Span(weights.minimum, weights.low, weights.high)
            for category, weights in roster.weights.items()
        },
    )


@dataclass(frozen=True, kw_only=True)
class Company:
    """The roster for a new circuit.

    For a fictional roster, `seed` is the public text from which it was generated.
    """

    roster: Roster
    seed: str = ""
    invention: Invention | None = None
    year: int = 0


def bare_company() -> Company:
    """Return the bundled plazas without matadors and herds.

    This is for a circuit whose roster will be imported.
    """
    return Company(roster=replace(shipped(), matadors=(), cards={}, herds=()))


def invented_company(words: str, seed: Seed, year: int, *, version: int = 1) -> Company:
    """Return a fictional roster. `version` is that of its cards, as for `Circuit.cards_version`."""
    invention = invent(shipped(), load_lore(version=version), seed, year, version=version)
    return Company(roster=invention.roster, seed=words, invention=invention, year=year)


def mark_invented(circuit: Circuit, company: Company) -> None:
    if company.invention is None:
        return
    matadors = list(circuit.matadors.all())
    for matador in matadors:
        beginning = company.invention.beginnings[matador.slug]
        matador.fictional, matador.promise = True, beginning.promise
        matador.counted_from = company.year - beginning.age
    Matador.objects.bulk_update(matadors, ["fictional", "promise", "counted_from"])


@transaction.atomic
def unfound(circuit: Circuit) -> None:
    """Delete a circuit with all its data. Raises `ProtectedError` if a corrida has been fought."""
    Bull.objects.filter(ganaderia__circuit=circuit).delete()
    circuit.seasons.all().delete()
    circuit.matadors.all().delete()
    remove_scope(circuit.pk)
    circuit.delete()


_MAX_TRIES = 3


def create_circuit(*, name: str, **columns: object) -> Circuit:
    """Create a circuit. Its slug is made from its name.

    `columns` are the other columns. If another transaction takes the slug first, another slug is
    tried.
    """
    for attempt in range(_MAX_TRIES):
        slug = free_slug(name, crowded=attempt > 0)
        try:
            with transaction.atomic():
                return Circuit.objects.create(slug=slug, name=name, **columns)
        except IntegrityError:
            if not Circuit.objects.filter(slug=slug).exists():
                raise  # the slug is not the cause
    raise OperationError(
        _("Someone else has just chosen the same name. Try again or choose another name."), "name"
    )


@transaction.atomic
def found(
    roster: Roster, *, name: str, owner: User | None, rules: dict[str, str], slug: str = ""
) -> Circuit:
    """Create a circuit with its whole roster.

    Circuits with the same deck share one `Deck` row. The circuit's slug is `slug`, or an unused one
    made from its name.
    """
    columns: dict[str, Any] = {"name": name, "owner": owner, "rules": rules, "deck": _deck(roster)}
    circuit = Circuit.objects.create(slug=slug, **columns) if slug else create_circuit(**columns)
    _settle_places(circuit, roster)
    _sign_matadors(circuit, roster)
    tell_apart(circuit.pk)
    index_circuit(circuit.pk)
    return circuit


def _deck(roster: Roster) -> Deck:
    cards = str(roster.deck)
    digest = sha256(cards.encode()).hexdigest()
    deck, _ = Deck.objects.get_or_create(
        digest=digest, defaults={"name": "Temporada", "cards": cards}
    )
    return deck


def _settle_places(circuit: Circuit, roster: Roster) -> None:
    Plaza.objects.bulk_create(
        Plaza(
            circuit=circuit,
            slug=plaza.slug,
            name=plaza.name,
            city=plaza.city,
            country=plaza.country,
            continent=plaza.continent,
            category=plaza.category,
            seats=plaza.seats,
            latitude=plaza.latitude,
            longitude=plaza.longitude,
        )
        for plaza in roster.plazas
    )
    Ganaderia.objects.bulk_create(
        Ganaderia(
            circuit=circuit,
            slug=herd.slug,
            name=herd.name,
            country=herd.country,
            continent=herd.continent,
            encaste=herd.encaste,
            renown=renown,
        )
        for renown, herd in enumerate(roster.herds)
    )


def _sign_matadors(circuit: Circuit, roster: Roster) -> None:
    matadors = Matador.objects.bulk_create(
        Matador(
            circuit=circuit,
            slug=matador.slug,
            name=matador.name,
            apodo=matador.apodo,
            country=matador.country,
            birthplace=matador.birthplace,
            born=matador.born,
            died=matador.died,
            deathplace=matador.deathplace,
            alternativa=matador.alternativa_date,
            alternativa_place=matador.alternativa_place,
            style=matador.style,
        )
        for matador in roster.matadors
    )
    cards = [(matador, roster.cards[matador.slug]) for matador in matadors]
    printed = (
        MatadorCard(
            matador=matador,
            rating=card.rating,
            **card.ranges(),
        )
        for matador, card in cards
    )
    MatadorCard.objects.bulk_create(fill_chances(circuit, printed))
