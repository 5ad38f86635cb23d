"""The start page of corridas at real tables, with the visitor's corridas and a form for a new one.

Visitors without such corridas see an introduction.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from api.idempotency import form_once
from api.types import JSONObject
from core.names.text import clean
from corridas.circuit_queries import SHIPPED
from corridas.engine import BULLS, MATADORS, CorridaSetup
from corridas.models import Circuit, Ganaderia, MatadorCard, Plaza, TableCorrida
from corridas.pages.tabletop.entry import AtCorrida, Writing, parse_integer
from corridas.pages.tabletop.printing import bulls_of_herd, latest_cards
from corridas.tabletop.operations import GAME, begin_table_corrida
from corridas.tabletop.queries import cartel_on_sheet
from corridas.tabletop.sheets.frame import MAX_NUMBER
from leagues.exceptions import NotAllowed, OperationError
from leagues.matches.operations import matches
from leagues.matches.operations.matches import friends_of, players_by_name
from leagues.members_read.queries import belongs_to, members_of
from leagues.models import League, Match, MatchSeat, Player
from leagues.pages.access import league_of, visitor
from leagues.pages.matches.matches import match_url, submitted_version
from leagues.players import MAX_NAME_LENGTH, become_guest
from leagues.text import join_with_and, join_with_or


@transaction.atomic
def open_corrida(request: HttpRequest, form: NewCorridaForm, player: Player | None) -> Match:
    by = player
    if by is None:
        if form.league is not None:
            raise NotAllowed(_("First say who you are."))
        by = become_guest(request, form.of("own"))
    players = _members(form) if form.league else _friends(form, by)
    if form.league:
        keys = [f"p{player.pk}" for player in players]
    else:
        keys = ["0", *(str(seat) for seat in range(1, SEATS) if form.of(f"name-{seat}"))]
    return begin_table_corrida(
        players=players,
        by=by,
        plaza=_plaza(form),
        date=form.date or timezone.localdate(),
        matadors=form.matadors,
        bulls=form.bulls(),
        at=timezone.now(),
        circuit=form.circuit if form.counts else None,
        league=form.league,
        leads=leads_of(form, players, keys),
    )


@transaction.atomic
def frame_match(request: HttpRequest, at: AtCorrida, form: NewCorridaForm) -> None:
    """Set plaza, cartel and bulls of a corrida whose players are known.

    Raise `OperationError` for invalid values. A corrida lacks these if only its points were
    imported, until somebody corrects the result.
    """
    if at.player is None:
        raise NotAllowed(_("First say who you are."))
    seated = [seat.player for seat in at.seats]
    content = form.frame(leads_of(form, seated, list(map(str, range(len(seated))))))
    if at.correcting:
        at.store_draft(Writing(), sheet=content)
        return
    version = submitted_version(request)
    matches.save_draft(match=at.match, version=version, content=content, by=at.player)
    date = form.date or timezone.localdate()
    TableCorrida.objects.update_or_create(
        match=at.match, defaults={"plaza": _plaza(form), "date": date}
    )


def leads_of(form: NewCorridaForm, players: Sequence[Player], keys: Sequence[str]) -> list[int]:
    """Return the seat of the player who leads each matador of the form.

    Raise `OperationError` if a choice is missing. `keys` are the values that stand for the players
    in the form. A missing choice is completed if only one is possible: for a single player, or if
    exactly one matador and one player are left.
    """
    seats = {key: seat for seat, key in enumerate(keys)}
    chosen = [seats.get(form.of(f"lead-{place}")) for place in range(MATADORS)]
    if len(players) == 1:
        return [0] * MATADORS
    open_places = [place for place, seat in enumerate(chosen) if seat is None]
    idle = [seat for seat in range(len(players)) if seat not in chosen]
    if len(open_places) == len(idle) == 1:
        chosen[open_places[0]] = idle.pop()
    leads = [seat for seat in chosen if seat is not None]
    if len(leads) < MATADORS:
        words = {
            "matador": form.matadors[open_places[0]].matador.billing,
            "names": join_with_or([player.name for player in players]),
        }
        raise OperationError(
            _("Choose who leads %(matador)s: %(names)s.") % words, f"lead-{open_places[0]}"
        )
    if idle:
        words = {"names": join_with_and([players[seat].name for seat in idle])}
        raise OperationError(
            _("Every player must lead at least one matador. Players without a matador: %(names)s.")
            % words,
            "matadors",
        )
    return leads


def _plaza(form: NewCorridaForm) -> Plaza:
    plaza = form.plaza
    assert plaza is not None
    return plaza


def _friends(form: NewCorridaForm, by: Player) -> list[Player]:
    names = [form.of(f"name-{seat}") for seat in range(1, SEATS)]
    named = ["", *(name for name in names if name)]
    return players_by_name(by=by, at=timezone.now(), names=named)


def _members(form: NewCorridaForm) -> list[Player]:
    by_key = {str(member.pk): member for member in form.members}
    chosen = [form.of(f"seat-{seat}") for seat in range(SEATS)]
    players = [by_key[key] for key in chosen if key in by_key]
    if not players:
        raise OperationError(_("Choose which league members played."), "players")
    return players


PAGE_SIZE: Final = 20


@never_cache
@require_safe
def tabletop_page(request: HttpRequest) -> HttpResponse:
    player = visitor(request)
    context = {"you": player, "corridas": corridas_of(player) if player else []}
    return render(request, "corridas/tabletop_front.html", context)


def corridas_of(player: Player) -> list[TableCorrida]:
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    rows = TableCorrida.objects.filter(match__in=seated).exclude(match__state=Match.State.VOID)
    return list(rows.select_related("match", "plaza", "circuit").order_by("-match")[:PAGE_SIZE])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def new_page(request: HttpRequest) -> HttpResponse:
    league, player = _league(request)
    form = new_corrida_form(request, league)
    if request.method == "POST" and form.check():
        try:
            return redirect(match_url(open_corrida(request, form, player)))
        except OperationError as error:
            form.errors[error.field or "players"] = str(error)
            player = visitor(request)
    status = 422 if request.method == "POST" else 200
    return render(
        request, "corridas/tabletop_new.html", _form_context(request, form, player), status=status
    )


def frame(request: HttpRequest, at: AtCorrida) -> HttpResponse:
    """Show or handle the form for plaza, cartel and bulls of a match whose players are known.

    Such a match is a league's fixture, or a rematch.
    """
    form = new_corrida_form(request, at.match.league)
    if request.method == "POST" and form.check():
        try:
            frame_match(request, at, form)
            return redirect(match_url(at.match))
        except OperationError as error:
            form.errors[error.field or "players"] = str(error)
    status = 422 if request.method == "POST" else 200
    seated = [seat.player for seat in at.seats]
    context = {**_form_context(request, form, at.player, seated), "at": at}
    return render(request, "corridas/tabletop_new.html", context, status=status)


def _league(request: HttpRequest) -> tuple[League | None, Player | None]:
    slug = request.POST.get("league") or request.GET.get("league") or ""
    if not slug:
        return None, visitor(request)
    league, player = league_of(request, slug)
    if league.game != GAME:
        raise Http404("another game")
    return league, player


class FormContext(TypedDict):
    """Template context of the form for a new corrida. Values are as typed.

    `matadors` are the matador chosen, the player who leads him, and an error message. `leaders` are
    the choices of players, with their names if known. `bulls` are name, number, and the
    placeholders of both. `own` is the value of the choice that the corrida counts in no circuit.
    """

    form: NewCorridaForm
    you: Player | None
    league: League | None
    circuits: list[Circuit]
    own: str
    friends: list[Player]
    matadors: list[tuple[str, str, str]]
    leaders: list[tuple[str, str]]
    bulls: list[tuple[str, str, JSONObject]]
    names: list[str]
    seats: list[str]


def _form_context(
    request: HttpRequest,
    form: NewCorridaForm,
    player: Player | None,
    seated: Sequence[Player] = (),
) -> FormContext:
    if form.errors:
        messages.warning(request, str(next(iter(form.errors.values()))))
    return {
        "form": form,
        "you": player,
        "league": form.league,
        "circuits": circuits_of(request),
        "own": OWN,
        "friends": friends_of(player) if player and form.league is None else [],
        "matadors": [
            (
                form.of(f"matador-{place}"),
                form.of(f"lead-{place}") if form.sent else _usual_leader(form, place),
                form.errors.get(f"lead-{place}", ""),
            )
            for place in range(MATADORS)
        ],
        "leaders": _leaders(form, player, seated),
        "bulls": [
            (form.of(f"bull-{turn}"), form.of(f"number-{turn}"), given)
            for turn, given in zip(range(BULLS), form.bulls(), strict=True)
        ],
        "names": [form.of(f"name-{seat}") for seat in range(1, SEATS)],
        "seats": _seats(form, player),
    }


def _usual_leader(form: NewCorridaForm, place: int) -> str:
    """Return the preselected leader of a matador: the players in order.

    The last matador has none, because two players must choose who leads him.
    """
    return str(place) if form.league is None and place < MATADORS - 1 else ""


def _leaders(
    form: NewCorridaForm, player: Player | None, seated: Sequence[Player]
) -> list[tuple[str, str]]:
    """Return the choices for the player who leads a matador, as pairs of value and name.

    These are the players of an existing match, otherwise the members of its league, otherwise the
    names typed into the form.
    """
    if seated:
        return [(str(seat), person.name) for seat, person in enumerate(seated)]
    if form.league is not None:
        return [(f"p{member.pk}", member.name) for member in form.members]
    own = player.name if player else form.of("own")
    others = [form.of(f"name-{seat}") for seat in range(1, SEATS)]
    unknown = (_("you"), _("the second player"), _("the third player"))
    named = zip([own, *others], unknown, strict=True)
    return [(str(seat), name or text) for seat, (name, text) in enumerate(named)]


def _seats(form: NewCorridaForm, player: Player | None) -> list[str]:
    chosen = [form.of(f"seat-{seat}") for seat in range(SEATS)]
    if not any(chosen) and player is not None:
        chosen[0] = str(player.person_id)
    return chosen


# Maximum number of players at a table. Each leads one or more of the three matadors.
SEATS: Final = 3
# Form value of the choice that the corrida counts in no circuit.
OWN: Final = "own"


@dataclass(slots=True, kw_only=True)
class NewCorridaForm:
    """The form for a new corrida at a real table, with the rosters to choose from.

    `circuit` is the circuit whose roster is offered. `counts` is true if the corrida is meant to
    count there. `errors` are error messages by field.
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
        """Return the submitted value of a form field without superfluous spaces, or an empty
        string.
        """
        return clean(self.sent.get(name, ""))

    @property
    def plaza(self) -> Plaza | None:
        return next(
            (candidate for candidate in self.plazas if str(candidate.pk) == self.of("plaza")), None
        )

    @property
    def herd(self) -> Ganaderia | None:
        """Return the chosen herd, by default the most famous herd of the circuit."""
        first = next(iter(self.herds), None)
        return next(
            (candidate for candidate in self.herds if str(candidate.pk) == self.of("herd")), first
        )

    @property
    def matadors(self) -> list[MatadorCard]:
        """Return the cards of the chosen matadors in the order of the form, without missing
        choices.
        """
        by_key = {str(card.matador_id): card for card in self.cards}
        chosen = [by_key.get(self.of(f"matador-{place}")) for place in range(MATADORS)]
        return [card for card in chosen if card is not None]

    @property
    def date(self) -> dt.date | None:
        """Return the day of the corrida, by default today.

        Return None if the submitted date is invalid.
        """
        text = self.of("date")
        if not self.sent:
            return timezone.localdate()
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            return None

    def bulls(self) -> list[JSONObject]:
        herd = self.herd
        offered = bulls_of_herd(self.circuit, herd) if herd else []
        bulls = []
        for turn in range(BULLS):
            name, number = self.of(f"bull-{turn}"), parse_integer(self.of(f"number-{turn}"))
            given = offered[turn] if turn < len(offered) else None
            bulls.append(
                {
                    "name": name or (given.name if given else ""),
                    "number": number
                    if number is not None
                    else (given.number if given and not name else turn + 1),
                }
            )
        return bulls

    def check(self) -> bool:
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
        elif any(len(name) > MAX_NAME_LENGTH for name, _number in names):
            self.errors["bulls"] = _("A name can have at most %d characters.") % MAX_NAME_LENGTH
        elif not all(map(_is_bull_number, self._typed_numbers())):
            self.errors["bulls"] = _("Enter a name and a number from 0 to 999 for each bull.")
        return not self.errors

    def _typed_numbers(self) -> list[str]:
        return [text for turn in range(BULLS) if (text := self.of(f"number-{turn}"))]

    def frame(self, leads: Sequence[int]) -> JSONObject:
        """Return a new sheet without lidias, its matadors in the order of appearance.

        `leads` are the seats of the players who lead each matador, in the order of the form. See
        Ruling I-14.
        """
        plaza, date = self.plaza, self.date
        assert plaza is not None
        assert date is not None
        cards = [card.engine_card() for card in self.matadors]
        setup = CorridaSetup(
            rules=self.circuit.engine_rules(),
            deck=self.circuit.deck.engine_deck(),
            plaza_rating=plaza.category,
            matadors=tuple(cards),
        )
        return {
            "plaza": {"name": plaza.name, "rating": plaza.category},
            "date": date.isoformat(),
            "deck": self.circuit.deck.digest,
            "cartel": cartel_on_sheet(self.circuit, setup),
            "bulls": self.bulls(),
            "leads": [leads[cards.index(card)] for card in setup.order],
            "lidias": [{} for _ in range(BULLS)],
        }


def _is_bull_number(text: str) -> bool:
    number = parse_integer(text)
    return number is not None and 0 <= number <= MAX_NUMBER


def new_corrida_form(request: HttpRequest, league: League | None) -> NewCorridaForm:
    """Return the form for a new corrida in the requested circuit.

    By default this is the shipped circuit. Raise `Http404` if the visitor may see no circuit.
    """
    sent = request.POST if request.method == "POST" else QueryDict()
    choice = request.POST.get("circuit") or request.GET.get("circuit") or SHIPPED
    circuits = circuits_of(request)
    slug = SHIPPED if choice == OWN else choice
    circuit = next((candidate for candidate in circuits if candidate.slug == slug), None)
    if circuit is None:
        circuit = next(iter(circuits), None)
    if circuit is None:
        raise Http404("no circuit to play in")
    plazas = Plaza.objects.filter(circuit=circuit, archived_at=None)
    herds = Ganaderia.objects.filter(circuit=circuit, archived_at=None)
    return NewCorridaForm(
        circuit=circuit,
        league=league,
        sent={name: str(value) for name, value in sent.items()},
        counts=choice != OWN and league is None,
        cards=latest_cards(circuit),
        plazas=list(plazas.order_by("category", "city_key", "name_key")),
        herds=list(herds),
        members=[m.player for m in members_of(league) if m.plays] if league else [],
    )


def circuits_of(request: HttpRequest) -> list[Circuit]:
    own = Q(owner=request.user) if request.user.is_authenticated else Q()
    open_ones = Circuit.objects.filter(archived_at=None).filter(Q(public=True) | own)
    circuits = open_ones.select_related("deck").order_by("name_key")
    return sorted(circuits, key=lambda circuit: circuit.slug != SHIPPED)
