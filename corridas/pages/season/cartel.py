"""The page on which a director chooses the cartel (poster) of a corrida.

It lists matadors, herds and bulls, and describes the effect of the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.keys import parse_key
from core.names.text import sort_key, words_of
from corridas import calendar
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED, find_season
from corridas.engine import BULLS, MATADORS
from corridas.errors import OperationError
from corridas.models import Corrida, Ganaderia
from corridas.pages.access import directed_circuit
from corridas.pages.spoilers.views import spoiler_limit
from corridas.season import cartel_queries
from corridas.season.cartel_effect import Effect, effect
from corridas.season.cartel_queries import CartelCandidate, HerdLine, Herds
from corridas.season.operations import set_cartel, why_cartel_stays
from corridas.simulation.draw import Offered
from corridas.spoilers.hiding import SpoilerLimit
from corridas.world.names import plaza_in_sentence
from search.text import matches, read_question

# Number of matadors listed before the button "Show the others".
LISTED: Final = 12
LISTED_HERDS: Final = 6
MAX_SEARCH: Final = 60
GOOD_FORM: Final = 0
SHOWS: Final = ("all", "free", "form")


def _by_promise(line: CartelCandidate) -> tuple[float, int]:
    """Sort key: most expected ears first, matadors without chances last by rating."""
    expected, rating = line.promise
    return -expected, -rating


SORTS: Final[dict[str, Callable[[CartelCandidate], object]]] = {
    "expected": _by_promise,
    "name": lambda line: sort_key(line.name),
    "rating": lambda line: -line.rating,
    "form": lambda line: -(line.form_value or 0),
    "ears": lambda line: -line.ears_per_bull,
    "last": lambda line: -line.last.date.toordinal() if line.last else 0,
    "rest": lambda line: -line.journey.rest if line.journey else -1000,
}


@dataclass(kw_only=True)
class Listing:
    """The search text, sort order and filters of the list of matadors.

    `all` is true if every matador is listed. `faults` are error messages about the search.
    """

    q: str
    sort: str
    show: str
    all: bool
    faults: list[str]

    @classmethod
    def read(cls, data: QueryDict) -> Listing:
        faults = []
        q, sort, show = data.get("q", "").strip(), data.get("sort", ""), data.get("show", "")
        if len(q) > MAX_SEARCH:
            faults.append(_("Enter at most %s characters to search for.") % MAX_SEARCH)
            q = q[:MAX_SEARCH]
        if sort and sort not in SORTS:
            faults.append(_("The list can’t be sorted that way. It is sorted by expected ears."))
        if show and show not in SHOWS:
            faults.append(_("This filter does not exist, so all matadors are shown."))
        return cls(
            q=q,
            sort=sort if sort in SORTS else "expected",
            show=show if show in SHOWS else "all",
            all="all" in data,
            faults=faults,
        )

    def filtered(self, line: CartelCandidate) -> bool:
        words = words_of(line.name, line.matador.name, line.style_name)
        if not matches(words, read_question(self.q).words):
            return False
        if self.show == "form":
            return line.refusal is None and (line.form_value or 0) > GOOD_FORM
        return self.show == "all" or line.refusal is None


class CartelContext(TypedDict):
    """Template context of the page on which the cartel is chosen.

    `chosen` are the matadors in the order of appearance, with the two bulls of each. `hidden` is
    the number of matadors not listed. `without_chances` is the number of matadors with a card whose
    chances are not calculated yet, and `some_chances` says whether those of another matador are.
    `fixed` explains why the cartel can no longer be changed, and
    `bound` names the matadors who must appear.
    """

    circuit: str
    corrida: Corrida
    limit: SpoilerLimit
    listing: Listing
    chosen: list[CartelCandidate]
    slots: list[CartelCandidate | None]
    effect: Effect
    lines: list[CartelCandidate]
    matched: int
    total: int
    free: int
    hidden: int
    without_chances: int
    some_chances: bool
    herds: list[HerdLine]
    other_herds: list[HerdLine]
    herd: Ganaderia | None
    bulls: list[tuple[Offered, bool]]
    bulls_chosen: int
    error: str
    fixed: str
    bound: str
    lost: list[CartelCandidate]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cartel_page(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    directed_circuit(request, circuit)
    season = find_season(circuit=circuit)
    if season is None:
        raise Http404("no season")
    corridas = calendar.corridas().select_related("season__circuit", "cartel__ganaderia")
    corrida = get_object_or_404(corridas, pk=pk, season=season)
    limit = spoiler_limit(request, circuit)
    data = request.POST if request.method == "POST" else request.GET
    every, usual = cartel_queries.candidates(corrida, limit.until)
    herds = cartel_queries.herds(corrida, limit.until)
    chosen = _chosen(data, every)
    herd = herds.find_herd(next(iter(_numbers(data, "herd")), None))
    offered = herds.offer(corrida, herd) if herd else []
    numbers = _bulls(data, herd, corrida, offered)
    error = ""
    if request.method == "POST":
        try:
            matadors = [line.matador for line in chosen]
            set_cartel(corrida=corrida, matadors=matadors, herd=herd, bulls=numbers)
            messages.success(request, _announced(corrida))
            still_open = calendar.next_open(calendar.to_play(season), corrida.pk)
            after = f"?announced={corrida.pk}" if still_open else ""
            return redirect(address(circuit, "desk") + after)
        except OperationError as refusal:
            error = str(refusal)
    cartel_queries.add_meetings(corrida, every, chosen, limit.until)
    context = _context(every, usual, chosen, Listing.read(data), herds, herd) | {
        "circuit": circuit,
        "corrida": corrida,
        "limit": limit,
        "bulls": [(offer, offer.bull.number in numbers) for offer in offered],
        "bulls_chosen": len(numbers),
        "error": error,
        "fixed": why_cartel_stays(corrida),
        "bound": next((cartel_queries.must_appear(one.matador) for one in every if one.bound), ""),
    }
    part = "#answer" if request.headers.get("HX-Request") == "true" else ""
    status = 422 if error else 200
    return render(request, f"corridas/cartel.html{part}", context, status=status)


def _announced(corrida: Corrida) -> str:
    return _("The cartel of %(day)s in %(plaza)s has been announced.") % {
        "day": date_format(corrida.date, "MONTH_DAY_FORMAT"),
        "plaza": plaza_in_sentence(corrida.plaza.city, corrida.plaza.name),
    }


def _numbers(data: QueryDict, name: str) -> list[int]:
    """Return the valid integers submitted for a form field. Other values are ignored."""
    return [number for number in map(parse_key, data.getlist(name)) if number is not None]


def _chosen(data: QueryDict, every: Sequence[CartelCandidate]) -> list[CartelCandidate]:
    """Return the chosen matadors, the highest rating first.

    At first these are the announced matadors. In the submitted form `off` removes matadors, `swap`
    ("12-34") replaces one by another, and `fill` fills empty places: first with matadors who must
    appear, then with the available ones with the most expected ears.
    """
    by_key = {line.pk: line for line in every}
    if "chosen" in data:
        keys = _numbers(data, "matador")
    else:
        keys = [line.pk for line in every if line.announced and not line.refusal]
    off = _numbers(data, "off")
    outgoing, _dash, incoming = data.get("swap", "").partition("-")
    if (replacement := parse_key(incoming)) is not None:
        keys = [replacement if str(key) == outgoing else key for key in keys]
    lines = [by_key[key] for key in keys if key in by_key and key not in off]
    if "fill" in data:
        free = [line for line in every if line not in lines and not line.refusal]
        free.sort(key=lambda line: (not line.bound, _by_promise(line), line.pk))
        lines += free[: max(0, MATADORS - len(lines))]
    return sorted(lines, key=lambda line: (-line.rating, line.pk))


def _bulls(
    data: QueryDict, herd: Ganaderia | None, corrida: Corrida, offered: Sequence[Offered]
) -> list[int]:
    """Return the numbers of the chosen bulls.

    If the director has just chosen another herd, these are the first six bulls of that herd.
    """
    six = [offer.bull.number for offer in offered[:BULLS]]
    if herd is None or str(herd.pk) != data.get("bulls_of", ""):
        return six
    there = {offer.bull.number for offer in offered}
    return [number for number in _numbers(data, "bull") if number in there]


def _context(
    every: Sequence[CartelCandidate],
    usual: float | None,
    chosen: list[CartelCandidate],
    listing: Listing,
    herds: Herds,
    herd: Ganaderia | None,
) -> dict[str, object]:
    matching = [line for line in every if listing.filtered(line)]
    ordered = sorted(matching, key=lambda line: (SORTS[listing.sort](line), sort_key(line.name)))
    # Announced matadors come first, and matadors who cannot be chosen come last.
    ordered.sort(key=lambda line: (bool(line.refusal), not line.announced))
    shown = ordered if listing.all or listing.q else ordered[:LISTED]
    missing = [line for line in chosen if line not in shown]
    slots: list[CartelCandidate | None] = [*chosen]
    near = [
        line for place, line in enumerate(herds.lines) if place < LISTED_HERDS or line.herd == herd
    ]
    return {
        "herd": herd,
        "listing": listing,
        "chosen": chosen,
        "slots": slots + [None] * (3 - len(slots)),
        "effect": effect(chosen, every, usual),
        "lines": [*missing, *shown],
        "matched": len(matching),
        "total": len(every),
        "free": sum(line.refusal is None for line in every),
        "hidden": len(ordered) - len(shown),
        "without_chances": sum(bool(line.rating) and line.chances is None for line in every),
        "some_chances": any(line.chances for line in every),
        "herds": near,
        "other_herds": [line for line in (*herds.lines, *herds.refused) if line not in near],
        "lost": [line for line in every if line.announced and line.refusal],
    }
