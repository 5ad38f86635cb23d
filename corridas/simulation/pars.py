"""The pars of a season: what is usual in its plazas, measured in a rehearsal of its calendar.

They are stored when a season is planned, or when the first corrida of an older season is played.
Houses and moods depend on them (docs/empresa.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TypedDict

from django.utils.translation import gettext as _

from corridas.card_chances import scores_of, why_missing
from corridas.models import Circuit, Corrida, Season
from corridas.simulation.draw import Ceremony, ceremonies
from corridas.simulation.rows import latest_cards
from corridas.world.box_office import VERSION, DatedBill, Pars, rehearsal_seed, rehearse
from corridas.world.contracts import OpenCorrida
from corridas.world.market import CurrentCard, Market


class StoredPars(TypedDict):
    """The column `Season.pars`: pars by category, as text because JSON has no other keys.

    `version` is that of the rules, and `roster` the digest from which the seed of the rehearsal was
    made.
    """

    version: int
    roster: str
    pars: dict[str, dict[str, int]]


def pars_of(season: Season) -> dict[int, Pars]:
    """Return the stored pars of a season by category, empty if it has none."""
    stored: StoredPars | None = season.pars
    if stored is None:
        return {}
    return {int(category): Pars(**par) for category, par in stored["pars"].items()}


def store_pars(season: Season) -> dict[int, Pars]:
    """Return the pars of a season that is not over. If it has none yet, measure and store them.

    There are none if the score counts of the circuit's deck do not exist yet (`why_no_pars`). The
    caller has opened a transaction.
    """
    if season.pars is None:
        season.pars = _measured(season)
        if season.pars is not None:
            Season.objects.filter(pk=season.pk, pars__isnull=True).update(pars=season.pars)
    return pars_of(season)


def why_no_pars(season: Season) -> str:
    """Return the sentence that says why a season has no pars, and so no houses; empty if it has.

    If it has pars, a category without carteles may still have none.
    """
    if season.pars is not None:
        return ""
    if not Corrida.objects.filter(season=season).exclude(state__in=Corrida.OVER).exists():
        return _("Attendance was not counted when this season was played.")
    if scores_of(season.circuit) is None:
        return why_missing(season.circuit)
    return _("Attendance is counted from the next corrida on.")


def first_market(circuit: int, held: Sequence[Ceremony]) -> Market:
    """Return a circuit's matadors with their forms of today, without bookings and injuries.

    `held` are the alternativas of the season.
    """
    market = Market(latest_cards(circuit))
    for ceremony in held:
        market.begin(ceremony.matador, ceremony.date)
    return market


def _measured(season: Season) -> StoredPars | None:
    counts = scores_of(season.circuit)
    if counts is None:
        return None
    market = first_market(season.circuit_id, ceremonies(season))
    calendar = _calendar(season)
    digest = _digest(season.circuit, market, calendar)
    pars = rehearse(market, calendar, counts, rehearsal_seed(season.year, digest))
    return {
        "version": VERSION,
        "roster": digest,
        "pars": {str(category): asdict(par) for category, par in pars.items()},
    }


def _calendar(season: Season) -> list[DatedBill]:
    rows = Corrida.objects.filter(season=season).order_by("date", "plaza__slug")
    fields = ("pk", "date", "plaza__category", "plaza__continent", "feria_id")
    return [
        DatedBill(date, OpenCorrida(pk, category, continent, feria))
        for pk, date, category, continent, feria in rows.values_list(*fields)
    ]


def _digest(circuit: Circuit, market: Market, calendar: Sequence[DatedBill]) -> str:
    """Return a digest of everything that the pars depend on, without keys of rows."""
    ferias: dict[int | None, int] = {None: 0}
    for each in calendar:
        ferias.setdefault(each.bill.feria, len(ferias))
    document = {
        "deck": circuit.deck.digest,
        "rules": circuit.engine_rules().options(),
        "men": [_man(market, key, card) for key, card in market.cards.items()],
        "days": [
            [
                each.day.isoformat(),
                each.bill.category,
                each.bill.continent,
                ferias[each.bill.feria],
            ]
            for each in calendar
        ],
    }
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _man(market: Market, key: int, current: CurrentCard) -> list[str | int | None]:
    begins = market.begins.get(key)
    card = current.card
    return [
        card.key,
        card.rating,
        current.form,
        begins.isoformat() if begins else None,
        *card.ranges().values(),
    ]
