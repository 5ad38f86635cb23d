"""Pages on which a director assigns corridas of the season to real tables."""

from __future__ import annotations

import datetime as dt
from typing import Final, TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from core.names.text import clean
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.engine import MATADORS
from corridas.models import Circuit, Corrida, TableCorrida
from corridas.pages.access import directed_circuit
from corridas.pages.tabletop.home import SEATS
from corridas.tabletop.operations import (
    extend_deadline,
    give_fixture,
    people_called,
    take_fixture_back,
)
from leagues.exceptions import OperationError
from leagues.models import Match, Player
from leagues.players import clean_name, player_of

NEXT_FIXTURES: Final = 40
PAGE_SIZE: Final = 50
USUAL: Final = dt.timedelta(days=7)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def fixtures_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    errors: dict[str, str] = {}
    if request.method == "POST":
        try:
            match = _give(request, home)
            messages.success(
                request,
                _(
                    "The corrida has been assigned to a table. Send the link to the players at "
                    "that table."
                ),
            )
            return redirect(f"{address(circuit, 'desk_tables')}#t-{match.pk}")
        except OperationError as error:
            errors[error.field or "corrida"] = str(error)
    return _render(request, home, circuit, errors=errors)


class FixturesContext(TypedDict):
    """Template context of the page of corridas at real tables.

    `tables` are pairs of a corrida and the link to pass on to its players, which may be empty.
    `seats` are a number, the name typed and an error message. `leads` are a matador's place and the
    player chosen to lead him, and `leaders` are the choices. `late` is the corrida whose deadline
    could not be extended, with the reason.
    """

    circuit: str
    home: Circuit
    coming: list[Corrida]
    tables: list[tuple[TableCorrida, str]]
    sent: QueryDict
    deadline: str
    seats: list[tuple[int, str, str]]
    leads: list[tuple[int, str]]
    leaders: list[tuple[str, str]]
    errors: dict[str, str]
    late: tuple[int, str] | None


def _render(
    request: HttpRequest,
    home: Circuit,
    circuit: str,
    *,
    errors: dict[str, str],
    late: tuple[int, str] | None = None,
) -> HttpResponse:
    rows = TableCorrida.objects.filter(circuit=home).exclude(match__state=Match.State.VOID)
    listed = rows.select_related("match__league", "plaza", "corrida__plaza").prefetch_related(
        "match__seats__player"
    )
    deadline = timezone.localtime(timezone.now() + USUAL)
    context: FixturesContext = {
        "circuit": circuit,
        "home": home,
        "coming": _coming(home),
        "tables": [
            (table, _link(request, table)) for table in listed.order_by("-match")[:PAGE_SIZE]
        ],
        "sent": request.POST,
        "deadline": request.POST.get("deadline") or deadline.strftime("%Y-%m-%dT%H:00"),
        "seats": [
            (seat, request.POST.get(f"name-{seat}", ""), errors.get(f"name-{seat}", ""))
            for seat in range(SEATS)
        ],
        "leads": [(place, request.POST.get(f"lead-{place}", "")) for place in range(MATADORS)],
        "leaders": [
            (str(seat), clean(request.POST.get(f"name-{seat}", "")) or unknown)
            for seat, unknown in enumerate(
                (_("the first player"), _("the second player"), _("the third player"))
            )
        ],
        "errors": errors,
        "late": late,
    }
    status = 422 if errors or late else 200
    return render(request, "corridas/tabletop_desk.html", context, status=status)


@login_required
@require_POST
def take_back(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    table = get_object_or_404(TableCorrida, pk=pk, circuit=home, given=True)
    try:
        take_fixture_back(table=table, director=_director(request))
        messages.success(request, _("The corrida has been returned to its season."))
    except OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk_tables"))


@never_cache
@login_required
@require_POST
def extend(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    given = TableCorrida.objects.exclude(match__state=Match.State.VOID).select_related("circuit")
    table = get_object_or_404(given, pk=pk, circuit=home, given=True)
    try:
        deadline = _deadline(request.POST.get("until", ""))
        extend_deadline(
            table=table, director=_director(request), deadline=deadline, at=timezone.now()
        )
    except OperationError as error:
        return _render(request, home, circuit, errors={}, late=(pk, str(error)))
    message = _("The players have until %(at)s to enter the result.") % {
        "at": date_format(deadline, "j M Y, H:i")
    }
    messages.success(request, message)
    return redirect(f"{address(circuit, 'desk_tables')}#t-{table.match_id}")


def _director(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404("nobody")
    return request.user


@transaction.atomic
def _give(request: HttpRequest, circuit: Circuit) -> Match:
    key = request.POST.get("corrida", "")
    waiting = _coming(circuit)
    corrida = next((candidate for candidate in waiting if str(candidate.pk) == key), None)
    if corrida is None:
        raise OperationError(_("Choose a corrida that has been announced."), "corrida")
    return give_fixture(
        corrida=corrida,
        director=_director(request),
        players=_players(request),
        deadline=_deadline(request.POST.get("deadline", "")),
        at=timezone.now(),
        leads=_leads(request),
    )


def _leads(request: HttpRequest) -> list[int] | None:
    """Return for each matador, in the order of appearance, the seat of the player who leads him.

    Return None unless exactly two people play and all three choices are made.
    """
    named = [seat for seat in range(SEATS) if clean(request.POST.get(f"name-{seat}", ""))]
    chosen = [request.POST.get(f"lead-{place}", "") for place in range(MATADORS)]
    seats = {str(seat): place for place, seat in enumerate(named)}
    leads = [seats[key] for key in chosen if key in seats]
    return leads if len(named) == 2 and len(leads) == MATADORS else None


def _players(request: HttpRequest) -> list[Player]:
    """Return the players with the names typed into the form.

    A name without an account becomes a guest.
    """
    sent = [request.POST.get(f"name-{seat}", "") for seat in range(SEATS)]
    by = player_of(request)
    if by is None:
        raise OperationError(_("Choose the players for this corrida."), "players")
    for seat, name in enumerate(sent):
        _check_name(name, f"name-{seat}")
    return people_called(names=sent, by=by, at=timezone.now())


def _check_name(name: str, field: str) -> None:
    """Raise `OperationError` for this form field if a player cannot have the name.

    An empty name is allowed.
    """
    if clean(name):
        try:
            clean_name(name)
        except OperationError as error:
            raise OperationError(str(error), field) from error


def _deadline(text: str) -> dt.datetime:
    """Parse a deadline in the site's time zone.

    Raise `OperationError` if it is not a date and time.
    """
    try:
        return timezone.make_aware(dt.datetime.fromisoformat(text).replace(tzinfo=None))
    except (ValueError, OverflowError) as error:
        raise OperationError(_("Enter a deadline for the result."), "deadline") from error


def _coming(circuit: Circuit) -> list[Corrida]:
    """Return the next corridas of the circuit that can be assigned to a real table, with one
    query.
    """
    rows = Corrida.objects.filter(
        season__circuit=circuit, state=Corrida.State.ANNOUNCED, cartel__isnull=False
    )
    return list(rows.select_related("plaza", "season").order_by("date", "pk")[:NEXT_FIXTURES])


def _link(request: HttpRequest, table: TableCorrida) -> str:
    if not table.given or table.filed_at is not None:
        return ""
    return request.build_absolute_uri(reverse("match_key", args=[table.match.key]))
