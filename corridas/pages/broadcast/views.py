"""Pages of a broadcast corrida: the live page, the replay, and a permanent URL for every card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Final, TypedDict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.wording import active_language
from core.page_cache import OWN_COOKIES, PageKey, cached_response
from core.page_cache.shared import shared_page
from corridas import calendar
from corridas.addresses import address
from corridas.broadcast import queries as broadcast_queries
from corridas.broadcast import source
from corridas.circuit_queries import SHIPPED
from corridas.models import Bull, Corrida, Lidia, Puesto
from corridas.pages.access import may_plan
from corridas.pages.spoilers.views import unwatched
from corridas.results import BullResult, visible_results
from corridas.simulation.rows import stake_of
from corridas.stage.scene import Scene, next_score
from corridas.stage.showing import Showing
from corridas.tabletop import queries
from corridas.tabletop.queries import evidence_of
from corridas.world.broadcast import BroadcastError
from corridas.world.short_names import short_names
from fairness import canonical


def _page_without_cards(request: HttpRequest, corrida: Corrida, status: int) -> HttpResponse:
    over, sealed = corrida.is_over, corrida.origin == Corrida.Origin.HERE
    results = _results(corrida)
    drawn = bool(results["bulls"])
    bulls = [(None, bull) for bull in broadcast_queries.encierro(corrida)] if not drawn else []
    context = {
        **results,
        "bulls": results["bulls"] or bulls,
        "drawn": drawn,
        "over": over,
        "commitment": bytes(corrida.cartel.commitment).hex() if sealed else "",
        "seed": bytes(corrida.cartel.seed).hex() if sealed and over else "",
    }
    return render(request, "corridas/corrida_unread.html", context, status=status)


View = Callable[..., HttpResponse]
CACHE_CONTROL: Final = "max-age=86400, stale-while-revalidate=604800"
# Version number of the HTML fragments of a broadcast, part of their ETag. Increase it when the
# markup changes, so that browsers discard the fragments in their caches.
LOOK: Final = "1"
# Number of cards by which `?to=faster` advances, for viewers without JavaScript.
FASTER: Final = 10


def _without_cards(status: int) -> Callable[[View], View]:
    """Decorate a view to show a page without cards if the corrida cannot be replayed.

    `status` is the status of that page. It is not 500, because the server works and a retry would
    not help. The nightly check reports the corrida to the administrator.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: str, **parts: str | int) -> HttpResponse:
            try:
                return view(request, *args, **parts)
            except source.NotReplayedError as error:
                if request.headers.get("HX-Request"):
                    return _fresh(HttpResponse(status=409))
                return _fresh(_page_without_cards(request, error.corrida, status))

        return wrapper

    return decorate


@require_safe
@shared_page(1)
@_without_cards(200)
def corrida_page(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    corrida = _visible_or_404(request, broadcast_queries.find_corrida_to_watch(pk), circuit)
    if not source.is_played(corrida):
        return _waiting(request, corrida)
    if not queries.has_cards(corrida):
        return table_page(request, corrida)
    showing, at = source.showing_of(corrida), timezone.now()
    to_end = corrida.is_over and request.GET.get("to") == source.END
    moment = (source.reached if to_end else source.present)(corrida, showing, at)
    if moment < 0:
        return _waiting(request, corrida)
    if corrida.is_over or request.headers.get("HX-Request"):
        return _fresh(_show(request, corrida, showing, moment, moment))
    return _page_on_air(request, corrida, showing, moment)


def _page_on_air(
    request: HttpRequest, corrida: Corrida, showing: Showing, moment: int
) -> HttpResponse:
    """Return the live page at one moment of the broadcast.

    The response is cached until the next moment and shared by all visitors without a session.
    """
    page = PageKey(
        name="on-air",
        marks=(corrida.pk, bytes(corrida.cartel.commitment), moment, active_language()),
        common=not request.GET and OWN_COOKIES.isdisjoint(request.COOKIES),
        brief=True,
    )
    response = cached_response(
        request, page, lambda: _show(request, corrida, showing, moment, moment).text
    )
    if "ETag" in response:
        del response["ETag"]
    return _fresh(response)


@require_safe
@_without_cards(409)
def lidia_page(request: HttpRequest, pk: int, turn: int, circuit: str = SHIPPED) -> HttpResponse:
    corrida = find_corrida(request, pk, circuit)
    if not queries.has_cards(corrida):
        return redirect(f"{_address_of(corrida)}#bull-{turn}")
    showing, now = _now(corrida)
    if showing is None or turn > showing.timeline.lidias:
        return _ahead(request, corrida, showing, now, turn)
    last = showing.timeline.cards_per_lidia[turn - 1] if turn else 0
    moment = showing.timeline.moment((turn, last))
    if moment > now:
        return _ahead(request, corrida, showing, now, turn)
    return _past_moment(
        request, corrida, showing, moment, _reachable_from(corrida, showing, moment)
    )


@require_safe
@_without_cards(409)
def card_page(
    request: HttpRequest, pk: int, turn: int, card: int, circuit: str = SHIPPED
) -> HttpResponse:
    corrida = find_corrida(request, pk, circuit)
    showing, now = _now(corrida)
    if showing is None:
        return _ahead(request, corrida, showing, now, turn)
    try:
        moment = showing.timeline.moment((turn, card))
    except BroadcastError:
        return _ahead(request, corrida, showing, now, turn)
    if moment > now:
        return _ahead(request, corrida, showing, now, turn)
    now = _reachable_from(corrida, showing, moment)
    if request.GET.get("to"):
        return _jump(request, corrida, showing, moment, now)
    return _past_moment(request, corrida, showing, moment, now)


def find_corrida(request: HttpRequest, pk: int, circuit: str) -> Corrida:
    """Return the corrida with this key in this circuit.

    Raise `Http404` if it does not exist or the visitor may not see the circuit.
    """
    return _visible_or_404(request, broadcast_queries.find_corrida(pk), circuit)


def _visible_or_404(request: HttpRequest, corrida: Corrida | None, circuit: str) -> Corrida:
    if corrida is None or corrida.season.circuit.slug != circuit:
        raise Http404("no such corrida")
    if not request.user.has_perm("corridas.view_circuit", corrida.season.circuit):
        raise Http404("no such corrida")
    return corrida


def _address_of(corrida: Corrida, name: str = "corrida", **parts: int) -> str:
    return address(corrida.season.circuit.slug, name, pk=corrida.pk, **parts)


def _reachable_from(corrida: Corrida, showing: Showing, moment: int) -> int:
    """Return the last moment (card) of the broadcast that a viewer at `moment` may open.

    Usually this is the moment that the broadcast clock has reached. If the results were published
    early and the viewer has already gone beyond the clock, it is the end of the corrida.
    """
    at = timezone.now()
    clock = source.present(corrida, showing, at)
    return clock if moment <= clock else source.reached(corrida, showing, at)


def _now(corrida: Corrida) -> tuple[Showing | None, int]:
    if not source.is_played(corrida) or not queries.has_cards(corrida):
        return None, -1
    showing = source.showing_of(corrida)
    now = source.reached(corrida, showing, timezone.now())
    return (showing, now) if now >= 0 else (None, -1)


def _ahead(
    request: HttpRequest, corrida: Corrida, showing: Showing | None, now: int, turn: int
) -> HttpResponse:
    """Return the response for the URL of a card that has not been broadcast yet or does not exist.

    The number of cards of a finished lidia is public, so a URL beyond its last card returns 404. In
    all other cases the response must not reveal whether the card exists, so it redirects to the
    live page.
    """
    finished = showing.timeline.position(now).finished if showing else 0
    over = showing is not None and now == len(showing.timeline) - 1
    if over or 0 < turn <= finished or turn > 7:
        raise Http404("no such card")
    if request.headers.get("HX-Request"):
        return _fresh(HttpResponse(status=404))
    messages.info(
        request, _("The card you asked for has not been drawn yet. You are now at the latest card.")
    )
    return _fresh(redirect(_address_of(corrida)))


def _jump(
    request: HttpRequest, corrida: Corrida, showing: Showing, moment: int, now: int
) -> HttpResponse:
    goal: int | None = moment + FASTER
    if request.GET["to"] == "score":
        goal = next_score(showing, moment)
    if goal is None or goal > now:
        goal = now
    if request.headers.get("HX-Request"):
        return _fresh(_show(request, corrida, showing, goal, now))
    if goal == now and not _over(showing, now):
        return _fresh(redirect(_address_of(corrida)))
    turn, cards = showing.timeline.address(goal)
    return _fresh(redirect(_address_of(corrida, "card", turn=turn, card=cards)))


def _over(showing: Showing, now: int) -> bool:
    return now == len(showing.timeline) - 1


def _past_moment(
    request: HttpRequest, corrida: Corrida, showing: Showing, moment: int, now: int
) -> HttpResponse:
    """Return the response for a moment of a corrida that has already been broadcast.

    HTML fragments of a public circuit may be stored in any cache. Full pages are never cached.
    """
    if not request.headers.get("HX-Request"):
        return _fresh(_show(request, corrida, showing, moment, now))
    channel = source.kind(active_language())
    tag = f'"{channel}-{corrida.pk}-{moment + 1}-{LOOK}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = _show(request, corrida, showing, moment, now)
    owner = "public" if corrida.season.circuit.public else "private"
    response["ETag"], response["Cache-Control"] = tag, f"{owner}, {CACHE_CONTROL}"
    patch_vary_headers(response, ("HX-Request", "Accept-Language", "Cookie"))
    return response


def _fresh(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("HX-Request",))
    return response


def _show(
    request: HttpRequest, corrida: Corrida, showing: Showing, moment: int, now: int
) -> HttpResponse:
    language = active_language()
    if request.headers.get("HX-Request"):
        return HttpResponse(source.draw(showing, moment, language))
    every = request.GET.get("story") == "all"
    stage = source.draw(showing, moment, language, stands=True, every=every)
    context = {
        **_moment_page(corrida, showing, now),
        **_where(corrida, showing, moment, now),
        "stage": stage,
        "scene": Scene(showing=showing, moment=moment, language=language),
    }
    return render(request, "corridas/corrida.html", context)


class CorridaContext(TypedDict):
    """Template context of everything around the ring on the page of a corrida.

    `seed` and `stake` (the data that the seed was committed with) are empty until the viewer may
    know the result. `commitment` is empty for a corrida without one, such as a corrida of a real
    table.
    """

    circuit: str
    corrida: Corrida
    people: Sequence[object]
    roles: dict[str, str]
    bulls: list[tuple[int, object]]
    drawn: bool
    channel: str
    commitment: str
    seed: str
    stake: str


class PlaceContext(TypedDict):
    """Template context: the position of a page in the broadcast.

    `following` is true if the page shows the latest moment and is updated live. `early` is true if
    the results were posted before the broadcast has ended.
    """

    over: bool
    following: bool
    early: bool
    newest: str
    pace: int
    latest: int


def _moment_page(corrida: Corrida, showing: Showing, now: int) -> CorridaContext:
    posted = corrida.is_over and _over(showing, now)
    sealed = corrida.origin == Corrida.Origin.HERE
    return {
        "circuit": corrida.season.circuit.slug,
        "corrida": corrida,
        "people": showing.matadors,
        "roles": broadcast_queries.roles(corrida),
        "bulls": [(turn, showing.bull_of(turn)) for turn in range(1, len(showing.bulls) + 1)],
        "drawn": True,
        "channel": source.kind(active_language()),
        "commitment": bytes(corrida.cartel.commitment).hex() if sealed else "",
        "seed": bytes(corrida.cartel.seed).hex() if posted and sealed else "",
        "stake": canonical(stake_of(corrida)).decode() if posted and sealed else "",
    }


def _where(corrida: Corrida, showing: Showing, moment: int, now: int) -> PlaceContext:
    over, goes_on = _over(showing, now), corrida.is_over and corrida.goes_on(timezone.now())
    return {
        "over": over,
        "following": moment == now and not over,
        "early": goes_on and not over,
        "newest": _address_of(corrida) + (f"?to={source.END}" if goes_on and over else ""),
        "pace": corrida.pace_ms or 1200,
        "latest": now + 1,
    }


def _waiting(request: HttpRequest, corrida: Corrida) -> HttpResponse:
    announced = getattr(corrida, "cartel", None)
    plan = corrida.state == Corrida.State.ANNOUNCED and may_plan(request, corrida.season)
    context = {
        "circuit": corrida.season.circuit.slug,
        "corrida": corrida,
        "people": _billed(broadcast_queries.puestos(corrida)) if announced else [],
        "roles": broadcast_queries.roles(corrida) if announced else {},
        "bulls": [(None, bull) for bull in broadcast_queries.encierro(corrida)]
        if announced
        else [],
        "drawn": False,
        "commitment": bytes(announced.commitment).hex() if announced else "",
        "waiting": True,
        "unwatched": unwatched(request, corrida.season.circuit.slug),
        "channel": source.kind(active_language()),
        "soon": corrida.state in {Corrida.State.QUEUED, Corrida.State.ON_AIR},
        "plan": plan,
        "cartel": _open_cartel(corrida) if plan and not announced else None,
    }
    if request.headers.get("HX-Request"):
        return _fresh(HttpResponse(status=404))
    return _fresh(render(request, "corridas/corrida.html", context))


def _open_cartel(corrida: Corrida) -> calendar.OpenCartel | None:
    carteles = calendar.open_carteles(calendar.to_play(corrida.season))
    return next((cartel for cartel in carteles if cartel.corrida.pk == corrida.pk), None)


def table_page(request: HttpRequest, corrida: Corrida) -> HttpResponse:
    context = {
        **_results(corrida),
        "drawn": True,
        "over": True,
        "table": evidence_of([corrida.pk]).get(corrida.pk),
    }
    return render(request, "corridas/corrida_at_table.html", context)


class BilledMatador(TypedDict):
    """A matador of the cartel (poster) with the same keys as `stage.showing.ShownMatador`.

    This allows the same templates to render both.
    """

    name: str
    short: str
    slug: str
    card: dict[str, int]


class ResultsContext(TypedDict):
    """Template context: a corrida with its finished lidias, without the cards drawn."""

    circuit: str
    corrida: Corrida
    people: list[BilledMatador]
    roles: dict[str, str]
    bulls: list[tuple[int, Bull]]
    lidias: list[tuple[Lidia, BullResult]]


def _results(corrida: Corrida) -> ResultsContext:
    rows = Lidia.objects.shown(at=timezone.now()).filter(corrida=corrida).defer("draws")
    lidias = list(rows.select_related("bull", "starter", "finisher").order_by("turn"))
    return {
        "circuit": corrida.season.circuit.slug,
        "corrida": corrida,
        "people": _billed(broadcast_queries.puestos(corrida)),
        "roles": broadcast_queries.roles(corrida),
        "bulls": [(lidia.turn, lidia.bull) for lidia in lidias],
        "lidias": [(lidia, visible_results(lidia)) for lidia in lidias],
    }


def _billed(puestos: Iterable[Puesto]) -> list[BilledMatador]:
    matadors = [(puesto.matador, puesto.card.rating) for puesto in puestos]
    short = short_names([matador.called for matador, _ in matadors])
    return [
        {"name": matador.billing, "short": called, "slug": matador.slug, "card": {"rating": rating}}
        for (matador, rating), called in zip(matadors, short, strict=True)
    ]
