"""Hides pages from people who have not watched what they show.

What an address shows is in `spoilers.addresses`; the API has a check of its own in `spoilers.api`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.redirects import redirect_back
from corridas.addresses import address
from corridas.broadcast.source import END
from corridas.circuits.queries import MAX_SLUG_LENGTH
from corridas.models import Corrida
from corridas.spoilers.addresses import SpoilerScope, scope_of
from corridas.spoilers.hiding import (
    ALL,
    Spoiler,
    SpoilerLimit,
    reveal,
    revealed,
    spoiler_at,
    spoiler_limit_for,
)
from corridas.spoilers.operations import mark_all_watched, mark_watched
from corridas.spoilers.queries import EVERY, hidden

PROGRAMS: Final = "api_"
"""Names of the addresses that answer for themselves: who asks there is known by a key."""
LIVE: Final = "live"
"""`?live` on a corrida on air: its viewer wants to join, whatever was before."""

Answer = HttpResponse | None


class SpoilerMiddleware:
    """Veil what tells the person how a corrida ended that they have not watched.

    Strangers, and addresses that tell of no corrida, cost nothing; a person with the shield one
    query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, parts: Any) -> Answer:
        """The veil in the place of the page; None where there is nothing to veil."""
        match = request.resolver_match
        name = match.view_name if match else ""
        if name.startswith(PROGRAMS) or (what := scope_of(name)) is SpoilerScope.NOTHING:
            return None
        if what is SpoilerScope.MOMENT and _is_fragment(request):
            return None  # of a page that was let in, and kept by browsers anyway
        person = protected_user(request)
        return None if person is None else _hide(request, person, what, parts)


def protected_user(request: HttpRequest) -> User | None:
    """The person, where they have the shield."""
    user = request.user
    return user if isinstance(user, User) and user.shielded_since else None


def unwatched(request: HttpRequest, circuit: str) -> frozenset[int]:
    """The corridas of a circuit whose results a page leaves out by itself, by number; one query.

    None for who has no shield, or wants to see the circuit's results for now.
    """
    person, at = protected_user(request), timezone.now()
    if person is None or {ALL, circuit} & revealed(request.session, at=at):
        return frozenset()
    rows = hidden(person, at).filter(season__circuit__slug=circuit)
    return frozenset(rows.values_list("pk", flat=True))


def spoiler_limit(request: HttpRequest, circuit: str, among: Q = EVERY) -> SpoilerLimit:
    """How far a page that adds up corridas of a circuit, or `among` certain ones, may tell.

    One query; none for who has no shield. What is lifted is told whole.
    """
    person, at = protected_user(request), timezone.now()
    if person is not None and {ALL, circuit} & revealed(request.session, at=at):
        person = None
    return spoiler_limit_for(person, at, circuit, among)


def _hide(request: HttpRequest, person: User, what: SpoilerScope, parts: dict[str, Any]) -> Answer:
    at = timezone.now()
    veil = spoiler_at(person, what, parts, at=at, lifted=revealed(request.session, at=at))
    if veil is None:
        return None
    if veil.corrida is not None:
        return _of_one(request, what, veil, parts)
    return _hidden_page(request, veil)


def _of_one(
    request: HttpRequest, what: SpoilerScope, veil: Spoiler, parts: dict[str, Any]
) -> Answer:
    """One corrida: a replay may be watched, and what is on air; else the veil."""
    if what is SpoilerScope.LIDIA:
        return redirect(_address_of(veil.corrida, "card", turn=parts["turn"], card=0))
    if what is SpoilerScope.MOMENT or (what is SpoilerScope.PRESENT and _joins(request, veil)):
        request.unwatched = veil.corrida  # type: ignore[attr-defined]
        return None
    return _hidden_page(request, veil)


def _joins(request: HttpRequest, veil: Spoiler) -> bool:
    """Whether somebody follows a corrida on air: from its beginning, or come what may."""
    if veil.corrida is None or END in request.GET.getlist("to"):
        return False
    if veil.corrida.state != Corrida.State.ON_AIR and not veil.corrida.goes_on(timezone.now()):
        return False
    return not veil.begun or LIVE in request.GET or _is_fragment(request)


def _is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _address_of(corrida: Corrida | None, name: str, **parts: int) -> str:
    assert corrida is not None
    return address(corrida.season.circuit.slug, name, pk=corrida.pk, **parts)


def _hidden_page(request: HttpRequest, veil: Spoiler) -> HttpResponse:
    """The veil as a page; as a line, where a part of a page was asked for."""
    listed = [_listed(one) for one in veil.hidden.first]
    context = {
        "veil": veil,
        "listed": listed,
        "one": listed[0] if veil.corrida is not None else None,
        "further": veil.hidden.total - len(listed),
        "circuit": veil.circuit,
        "back": request.get_full_path() if request.method in {"GET", "HEAD"} else "/",
    }
    name = "_line" if _is_fragment(request) else "page"
    response = render(request, f"corridas/shield/{name}.html", context, status=403)
    response["Cache-Control"] = "no-store"
    if _is_fragment(request):
        response["HX-Refresh"] = "true"
    return response


def _listed(corrida: Corrida) -> dict[str, Any]:
    """A corrida as the veil names it, and where it is watched."""
    live = corrida.state == Corrida.State.ON_AIR or corrida.goes_on(timezone.now())
    return {
        "corrida": corrida,
        "circuit": corrida.season.circuit,
        "live": f"{_address_of(corrida, 'corrida')}?{LIVE}" if live else "",
        "first": _address_of(corrida, "card", turn=0, card=0),
    }


@login_required
@require_POST
def mark_one(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep that the person has watched a corrida, or knows how it ended."""
    try:
        mark_watched(user=_person(request), corrida=pk, at=timezone.now())
    except Corrida.DoesNotExist as error:
        raise Http404(str(error)) from error
    return redirect_back(request, request.POST.get("next", ""))


@login_required
@require_POST
def mark_all(request: HttpRequest) -> HttpResponse:
    """The same of all that is hidden: of the circuit sent along, or everywhere."""
    circuit = _circuit(request)
    count = mark_all_watched(user=_person(request), circuit=circuit or None, at=timezone.now())
    said = ngettext(
        "%d corrida has been marked as watched.", "%d corridas have been marked as watched.", count
    )
    messages.success(request, said % count)
    return redirect_back(request, request.POST.get("next", ""))


@login_required
@require_POST
def reveal_circuit(request: HttpRequest) -> HttpResponse:
    """Show anyway, for half an hour: the circuit sent along, or everything."""
    circuit = _circuit(request)
    reveal(request.session, circuit, at=timezone.now())
    messages.info(request, _("Results will be shown here for the next half hour."))
    return redirect_back(request, request.POST.get("next", ""))


def _circuit(request: HttpRequest) -> str:
    """The slug sent along; `ALL` for every circuit, 404 for what is no slug."""
    sent = request.POST.get("circuit", ALL)
    if len(sent) > MAX_SLUG_LENGTH or not sent.isprintable():
        raise Http404("no such circuit")
    return sent


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


SITE: Final = [
    path("telon/corridas/<int:pk>/", mark_one, name="watched"),
    path("telon/vistas/", mark_all, name="watched_all"),
    path("telon/mostrar/", reveal_circuit, name="unveil"),
]
"""Addresses of the whole site; a telón is the curtain of a theatre."""
