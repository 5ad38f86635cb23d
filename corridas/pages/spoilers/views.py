"""Middleware of spoiler protection, and the pages shown instead of hidden results.

`spoilers.addresses` lists which results each URL shows. The API has its own check in
`corridas.api.spoilers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypedDict

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
from corridas.circuit_queries import MAX_SLUG_LENGTH
from corridas.models import Circuit, Corrida
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

# Prefix of the names of API URLs. The middleware skips them, because API views check spoilers
# themselves.
PROGRAMS: Final = "api_"
# The parameter `?live` on a corrida on air: the viewer wants to join the broadcast and accepts to
# miss its beginning.
LIVE: Final = "live"

Answer = HttpResponse | None


class SpoilerMiddleware:
    """Replaces pages that would spoil a corrida which the user has not watched.

    It costs no query for anonymous visitors and for pages without results, and one query for users
    with spoiler protection.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: object, parts: Any) -> Answer:
        match = request.resolver_match
        name = match.view_name if match else ""
        if name.startswith(PROGRAMS) or (scope := scope_of(name)) is SpoilerScope.NOTHING:
            return None
        if scope is SpoilerScope.MOMENT and _is_fragment(request):
            # Spoiler protection was checked when the page itself was loaded. Its fragments are not
            # checked again, because browsers cache them.
            return None
        person = protected_user(request)
        return None if person is None else _hide(request, person, scope, parts)


def protected_user(request: HttpRequest) -> User | None:
    user = request.user
    return user if isinstance(user, User) and user.shielded_since else None


def unwatched(request: HttpRequest, circuit: str) -> frozenset[int]:
    """Return the keys of corridas whose results a page of a circuit must hide.

    The set is empty for users without spoiler protection, and if they have chosen to see the
    results of this circuit.
    """
    person, at = protected_user(request), timezone.now()
    if person is None or {ALL, circuit} & revealed(request.session, at=at):
        return frozenset()
    rows = hidden(person, at).filter(season__circuit__slug=circuit)
    return frozenset(rows.values_list("pk", flat=True))


def spoiler_limit(request: HttpRequest, circuit: str, among: Q = EVERY) -> SpoilerLimit:
    """Return the last day whose results a page may include in the totals of a circuit.

    `among` restricts the check to some of its corridas. There is no limit if the user has chosen to
    see the results of the circuit.
    """
    person, at = protected_user(request), timezone.now()
    if person is not None and {ALL, circuit} & revealed(request.session, at=at):
        person = None
    return spoiler_limit_for(person, at, circuit, among)


def _hide(
    request: HttpRequest, person: User, scope: SpoilerScope, parts: Mapping[str, Any]
) -> Answer:
    at = timezone.now()
    spoiler = spoiler_at(person, scope, parts, at=at, lifted=revealed(request.session, at=at))
    if spoiler is None:
        return None
    corrida = spoiler.corrida
    if corrida is not None and scope is SpoilerScope.LIDIA:
        return redirect(_address_of(corrida, "card", turn=parts["turn"], card=0))
    if corrida is not None and (
        scope is SpoilerScope.MOMENT
        or (scope is SpoilerScope.PRESENT and _joins(request, corrida, spoiler.begun))
    ):
        request.unwatched = corrida  # type: ignore[attr-defined]
        return None
    return _hidden_page(request, spoiler)


def _joins(request: HttpRequest, corrida: Corrida, begun: bool) -> bool:
    if END in request.GET.getlist("to"):
        return False
    if corrida.state != Corrida.State.ON_AIR and not corrida.goes_on(timezone.now()):
        return False
    return not begun or LIVE in request.GET or _is_fragment(request)


def _is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _address_of(corrida: Corrida, name: str, **parts: int) -> str:
    return address(corrida.season.circuit.slug, name, pk=corrida.pk, **parts)


class HiddenCorrida(TypedDict):
    """A corrida that the visitor should watch first.

    `live` is the URL of its broadcast, empty once that has ended, and `first` the URL of its first
    moment.
    """

    corrida: Corrida
    circuit: Circuit
    live: str
    first: str


class HiddenContext(TypedDict):
    """Template context of the page that replaces a page with hidden results.

    `single` is set if the hidden page is about one corrida only.
    """

    spoiler: Spoiler
    listed: list[HiddenCorrida]
    single: HiddenCorrida | None
    further: int
    circuit: str
    back: str


def _hidden_page(request: HttpRequest, spoiler: Spoiler) -> HttpResponse:
    listed = [_hidden_corrida(corrida) for corrida in spoiler.hidden.first]
    context: HiddenContext = {
        "spoiler": spoiler,
        "listed": listed,
        "single": listed[0] if spoiler.corrida is not None else None,
        "further": spoiler.hidden.total - len(listed),
        "circuit": spoiler.circuit,
        "back": request.get_full_path() if request.method in {"GET", "HEAD"} else "/",
    }
    part = "#line" if _is_fragment(request) else ""
    response = render(request, f"corridas/shield/page.html{part}", context, status=403)
    response["Cache-Control"] = "no-store"
    if _is_fragment(request):
        response["HX-Refresh"] = "true"
    return response


def _hidden_corrida(corrida: Corrida) -> HiddenCorrida:
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
    try:
        mark_watched(user=_person(request), corrida=pk, at=timezone.now())
    except Corrida.DoesNotExist as error:
        raise Http404(str(error)) from error
    return redirect_back(request, request.POST.get("next", ""))


@login_required
@require_POST
def mark_all(request: HttpRequest) -> HttpResponse:
    circuit = _circuit(request)
    count = mark_all_watched(user=_person(request), circuit=circuit or None, at=timezone.now())
    message = ngettext(
        "%d corrida has been marked as watched.", "%d corridas have been marked as watched.", count
    )
    messages.success(request, message % count)
    return redirect_back(request, request.POST.get("next", ""))


@login_required
@require_POST
def reveal_circuit(request: HttpRequest) -> HttpResponse:
    circuit = _circuit(request)
    reveal(request.session, circuit, at=timezone.now())
    messages.info(request, _("Results will be shown here for the next half hour."))
    return redirect_back(request, request.POST.get("next", ""))


def _circuit(request: HttpRequest) -> str:
    slug = request.POST.get("circuit", ALL)
    if len(slug) > MAX_SLUG_LENGTH or not slug.isprintable():
        raise Http404("no such circuit")
    return slug


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


# URLs outside of any circuit. *Telón* is Spanish for the curtain of a theatre.
SITE: Final = [
    path("telon/corridas/<int:pk>/", mark_one, name="watched"),
    path("telon/vistas/", mark_all, name="watched_all"),
    path("telon/mostrar/", reveal_circuit, name="unveil"),
]
