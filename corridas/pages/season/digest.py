"""The page of a digest (what happened while corridas were simulated), and the list of digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypedDict

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.wording import active_language
from core.page_cache import PageKey, cached_response
from corridas.calendar import is_over
from corridas.circuit_queries import SHIPPED, find_season, years
from corridas.engine import Tally
from corridas.following.queries import Followed, followed_keys
from corridas.models import Season
from corridas.pages.access import stamp
from corridas.pages.roster.matadors import CROWD, TROPHIES
from corridas.pages.spoilers.views import spoiler_limit, unwatched
from corridas.season import digest
from corridas.simulation.rows import engine_deck
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.stage import charts
from corridas.stage.beats import NUMBER, Beat, Turned
from corridas.stage.table import Face, faces
from leagues.text import join_with_and

PAGE_SIZE: Final = 40


class DigestContext(TypedDict):
    """Template context of the page of a digest.

    `share` is the best performance of a matador, `brought` the trophies he won, and `bands` the
    ranges of his card. `faces` are the two cards of the final number, the deciding one first.
    `leaf` is the current page of the list of all corridas, if it is requested. `followed` are
    matadors and herds marked with a star. `season_over` is true for the last run of a season that
    is over.
    """

    circuit: str
    season: Season
    digest: digest.Digest
    days: str
    share: digest.MatadorFights | None
    brought: str
    bands: Sequence[charts.Band]
    faces: Sequence[Face]
    slope: charts.Slope
    leaf: Page[Any] | None
    followed: Followed
    season_over: bool


@require_safe
def digest_page(request: HttpRequest, year: int, run: int, circuit: str = SHIPPED) -> HttpResponse:
    row = digest.find_run(circuit, year, run)
    if row is None:
        raise Http404(f"no digest {run}")
    whole = request.GET.get("all") == "1"
    shielded = bool(unwatched(request, circuit))
    followed = followed_keys(request.user, circuit)
    season = row.season
    over = is_over(season.pk)
    marks = (season.pk, season.posted_version, row.pk, row.state, row.done, row.bills, over)
    stars = [tuple(sorted(keys)) for keys in followed]
    keeping = PageKey(
        name="digest",
        marks=(*marks, shielded, *stars, *stamp(request)),
        common=not request.GET or request.GET.urlencode() == "all=1",
    )

    def rendered() -> str:
        leaf = None
        if whole:
            # Do not use `row.done` here: the run may also have published the results of corridas
            # that were being broadcast.
            leaf = Paginator(range(row.corridas.count()), PAGE_SIZE).get_page(
                request.GET.get("page")
            )
        page = slice(leaf.start_index() - 1, leaf.end_index()) if leaf else None
        found = digest.digest_of(row, page=page, shielded=shielded, followed=followed)
        context = _context(found, leaf, followed, over)
        return render_to_string("corridas/digest.html", context, request)

    return cached_response(request, keeping, rendered)


def _context(
    found: digest.Digest, leaf: Page[Any] | None, followed: Followed, over: bool
) -> DigestContext:
    season, share = found.run.season, found.best.first if found.best else None
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "digest": found,
        "days": _days(found),
        "share": share,
        "brought": trophies_in_words(share.counts) if share else "",
        "bands": _bands(found.bands),
        "faces": _faces(found),
        "slope": charts.slope([(move.was, move.line.place) for move in found.moves]),
        "leaf": leaf,
        "followed": followed,
        "season_over": over and found.neighbours.after is None,
    }


def _days(found: digest.Digest) -> str:
    first, last = (date_format(corrida.date, "j F") for corrida in (found.held[0], found.held[-1]))
    return first if first == last else f"{first} – {last}"


def trophies_in_words(counts: Tally) -> str:
    """Return the trophies of a matador in a corrida as text; an empty string without any."""
    ears, tails, indultos = (counts[name] for name in ("ears", "tails", "indultos"))
    named = [
        (ears, ngettext("an ear", "%(count)d ears", ears)),
        (tails, ngettext("a tail", "%(count)d tails", tails)),
        (indultos, ngettext("an indulto", "%(count)d indultos", indultos)),
    ]
    return join_with_and([words % {"count": count} for count, words in named if count])


def _bands(ranges: Mapping[str, str]) -> list[charts.Band]:
    names = [*((name, name) for name in CROWD), *TROPHIES] if ranges else []
    bands = [charts.band(name, ranges[column]) for name, column in names]
    return sorted((band for band in bands if band), key=attrgetter("x"))


def _faces(found: digest.Digest) -> tuple[Face, ...]:
    share = found.best.first if found.best else None
    decision = share.best.decision if share and share.best else None
    if found.best is None or decision is None or not decision.pair:
        return ()
    other = next(card for card in decision.pair if card is not decision.face)
    cards = [Turned(card.place, [NUMBER]) for card in (decision.face, other)]
    beat = Beat(decision.card - 1, 0, cards=cards)
    return faces(engine_deck(found.best.corrida.deck), beat, active_language())


class DigestsContext(TypedDict):
    """Template context of the list of digests of a season, newest first.

    With spoiler protection the list ends at the last day that spoils nothing.
    """

    circuit: str
    season: Season
    years: list[int]
    leaf: Page[Any]
    lines: list[digest.DigestLine]
    limit: SpoilerLimit


@require_safe
def digests_page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    season = find_season(year, circuit)
    if season is None:
        raise Http404(f"no season {year}")
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.SEASON, {"year": year}))
    leaf = Paginator(digest.listed(season, limit.until), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    context: DigestsContext = {
        "circuit": circuit,
        "season": season,
        "years": years(circuit),
        "leaf": leaf,
        "lines": digest.lines(leaf.object_list),
        "limit": limit,
    }
    return render(request, "corridas/digests.html", context)
