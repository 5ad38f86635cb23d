"""A corrida about to be played at a table: which circuit, plaza, day, matadors, bulls, people."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q
from django.http import Http404, HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from corridas.circuits.queries import SHIPPED
from corridas.engine import BULLS, MATADORS, RANGES, CorridaSetup
from corridas.models import Circuit, Ganaderia, MatadorCard, Plaza
from corridas.views.imprenta.pages import bulls_of, latest_cards
from corridas.views.tabletop.writing import whole
from leagues.models import League, Player
from leagues.queries.people import members_of

SEATS: Final = 3
"""One to three people sit there; each leads one or more matadors."""
OWN: Final = "own"
"""The value that keeps the corrida out of every circuit's book."""


@dataclass(slots=True, kw_only=True)
class Beginning:
    """The form as it was filled in, with the rosters it offers and what is wrong by field.

    `circuit`: whose roster is used; `counts`: whether it is meant for that circuit's book.
    """

    circuit: Circuit
    league: League | None
    sent: Mapping[str, str]
    counts: bool
    cards: list[MatadorCard] = field(default_factory=list)
    plazas: list[Plaza] = field(default_factory=list)
    herds: list[Ganaderia] = field(default_factory=list)
    members: list[Player] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """What was filled in; no column takes a NUL."""
        return self.sent.get(name, "").replace("\0", "")[:60].strip()

    @property
    def plaza(self) -> Plaza | None:
        """The plaza chosen."""
        return next((one for one in self.plazas if str(one.pk) == self.of("plaza")), None)

    @property
    def herd(self) -> Ganaderia | None:
        """The herd chosen, the most famous at first."""
        first = next(iter(self.herds), None)
        return next((one for one in self.herds if str(one.pk) == self.of("herd")), first)

    @property
    def matadors(self) -> list[MatadorCard]:
        """The cards chosen, in the order of the form; fewer where one is missing."""
        by_key = {str(card.matador_id): card for card in self.cards}
        chosen = [by_key.get(self.of(f"matador-{place}")) for place in range(MATADORS)]
        return [card for card in chosen if card is not None]

    @property
    def date(self) -> dt.date | None:
        """The day, today at first; None for what is none."""
        text = self.of("date")
        if not self.sent:
            return timezone.localdate()
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            return None

    def bulls(self) -> list[dict[str, Any]]:
        """Six bulls: those typed in, the others of the herd."""
        herd = self.herd
        offered = bulls_of(self.circuit, herd) if herd else []
        found = []
        for turn in range(BULLS):
            name, number = self.of(f"bull-{turn}"), whole(self.of(f"number-{turn}"))
            given = offered[turn] if turn < len(offered) else None
            found.append(
                {
                    "name": name or (given.name if given else ""),
                    "number": number
                    if number is not None
                    else (given.number if given and not name else turn + 1),
                }
            )
        return found

    def check(self) -> bool:
        """Whether all is there; else the sentences are beside their fields."""
        if self.plaza is None:
            self.errors["plaza"] = _("Choose a plaza.")
        if self.date is None:
            self.errors["date"] = _("Enter the date.")
        persons = [card.matador_id for card in self.matadors]
        if len(persons) < MATADORS:
            self.errors["matadors"] = _("Choose three matadors.")
        elif len(set(persons)) < MATADORS:
            self.errors["matadors"] = _("Choose three different matadors.")
        names = [(bull["name"], bull["number"]) for bull in self.bulls()]
        if any(not name for name, _number in names) or len(set(names)) < BULLS:
            self.errors["bulls"] = _("Enter six different bulls.")
        return not self.errors

    def frame(self, leads: Sequence[int]) -> dict[str, Any]:
        """The sheet with nothing fought yet; the matadors in their order (Ruling I-14).

        `leads` gives the seat of each matador in the order of the form.
        """
        plaza, date = self.plaza, self.date
        assert plaza is not None
        assert date is not None
        order = self._order(plaza.category)
        return {
            "plaza": {"name": plaza.name, "rating": plaza.category},
            "date": date.isoformat(),
            "deck": self.circuit.deck.digest,
            "cartel": [_entry(self.matadors[place]) for place in order],
            "bulls": self.bulls(),
            "leads": [leads[place] for place in order],
            "lidias": [{} for _ in range(BULLS)],
        }

    def _order(self, rating: int) -> list[int]:
        """Places of the form in the order of appearance (Ruling I-14)."""
        engine = [card.engine_card() for card in self.matadors]
        setup = CorridaSetup(
            rules=self.circuit.engine_rules(),
            deck=self.circuit.deck.engine_deck(),
            plaza_rating=rating,
            matadors=(engine[0], engine[1], engine[2]),
        )
        return [engine.index(card) for card in setup.order]


def _entry(card: MatadorCard) -> dict[str, Any]:
    engine = card.engine_card()
    return {
        "name": engine.name,
        "rating": card.rating,
        "alternativa": engine.alternativa.isoformat() if engine.alternativa else None,
        "ranges": {name: getattr(card, name) for name in RANGES},
    }


def beginning(request: HttpRequest, league: League | None) -> Beginning:
    """The form for the circuit asked for, the shipped one by default."""
    sent = request.POST if request.method == "POST" else QueryDict()
    asked = request.POST.get("circuit") or request.GET.get("circuit") or SHIPPED
    seen = list(circuits_of(request))
    slug = SHIPPED if asked == OWN else asked
    circuit = next((one for one in seen if one.slug == slug), None)
    if circuit is None:
        circuit = next(iter(seen), None)
    if circuit is None:
        raise Http404("no circuit to play in")
    plazas = Plaza.objects.filter(circuit=circuit, archived_at=None)
    herds = Ganaderia.objects.filter(circuit=circuit, archived_at=None)
    return Beginning(
        circuit=circuit,
        league=league,
        sent={name: str(value) for name, value in sent.items()},
        counts=asked != OWN and league is None,
        cards=latest_cards(circuit),
        plazas=list(plazas.order_by("category", "city", "name")),
        herds=list(herds),
        members=[m.player for m in members_of(league) if m.plays] if league else [],
    )


def circuits_of(request: HttpRequest) -> list[Circuit]:
    """Circuits that a visitor may see and that are played in, the shipped one first."""
    own = Q(owner=request.user) if request.user.is_authenticated else Q()
    open_ones = Circuit.objects.filter(archived_at=None).filter(Q(public=True) | own)
    found = open_ones.select_related("deck").order_by("name")
    return sorted(found, key=lambda circuit: circuit.slug != SHIPPED)
