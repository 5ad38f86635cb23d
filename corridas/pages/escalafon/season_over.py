"""The page about the end of a season: champion, awards, best moment and possible retirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.wording import active_language
from core.page_cache import PageKey, cached_response
from corridas.circuit_queries import SHIPPED
from corridas.circuits.operations import DIRECT
from corridas.escalafon.queries.awards import GivenAward
from corridas.escalafon.queries.chances import Expectation
from corridas.escalafon.queries.ranking import Standing
from corridas.escalafon.queries.season_over import LEADERS, BestFight, SeasonOver, season_over
from corridas.models import Matador, Season, Winter
from corridas.pages.access import stamp
from corridas.pages.escalafon.ranking import RaceView, race_view
from corridas.season import farewells
from corridas.season.operations import what_is_in_the_way
from corridas.season.pauses import NextWinter, next_winter, note_end_seen
from corridas.simulation import winter_queries
from corridas.simulation.winter import closing_careers
from corridas.simulation.winter_queries import UnfinishedCorridas, left_in_season
from corridas.stage.charts import suit, suits
from corridas.stage.table import Face, number_faces
from corridas.world.awards import BULL, HERD, LIDIA, NEW_FOR, REVELATION, TRIUMPH
from corridas.world.ranking import decided_by
from corridas.world.winter import Career
from corridas.world.winter.outcome import Why
from fairness import Seed
from leagues.text import count_points, join_with_and

TEMPLATE: Final = "corridas/season_over.html"
# Maximum number of ferias listed here. The page of the awards lists all of them.
FERIAS: Final = 8
# A matador is listed as likely to retire if the probability is at least this many thousandths.
LEAST_ODDS: Final = 60
MOST_NAMED: Final = 9


@require_safe
def season_over_page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    mark = winter_queries.find_mark(year, circuit)
    if mark is None:
        raise Http404(f"no season {year}")
    left, directs, coming = None, False, None
    if mark.done_at is None:
        season, at = _season(mark.season), timezone.now()
        left = left_in_season(season)
        if left.going_on:
            return _not_over(request, season, left)
        directs = request.user.has_perm(DIRECT, season.circuit)
        if directs and _is_seen(request):
            note_end_seen(season=season, by=request.user.pk, at=at)
        coming = next_winter(season, at)
    failed = left.failed if left else 0

    def rendered() -> str:
        context = _context(_season(mark.season), failed, directs, coming)
        return render_to_string(TEMPLATE, context, request)

    marks = (*mark, failed, directs, coming, *stamp(request))
    # Do not share this page between visitors if the director sees it, because it then contains a
    # form with a CSRF token.
    common = not directs and not request.GET
    return cached_response(
        request, PageKey(name="season_over", marks=marks, common=common), rendered
    )


def _is_seen(request: HttpRequest) -> bool:
    """Return whether a person is looking at the page.

    A browser may prefetch a page before the user opens it. Such a request does not count.
    """
    return request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", "")


def _season(pk: int) -> Season:
    return Season.objects.select_related("circuit", "winter").get(pk=pk)


def _not_over(request: HttpRequest, season: Season, left: UnfinishedCorridas) -> HttpResponse:
    context = {
        "circuit": season.circuit.slug,
        "season": season,
        "obstacle": what_is_in_the_way(left),
        "directs": request.user.has_perm(DIRECT, season.circuit),
    }
    return render(request, TEMPLATE, context)


@dataclass(frozen=True, kw_only=True)
class Goodbye:
    """A line about a matador's retirement: he has retired, goes on, or may retire in the
    coming winter.
    """

    name: str
    matador: Matador | None
    suit: int
    words: farewells.Farewell


class SeasonOverContext(TypedDict):
    """Template context of the page about the end of a season.

    `awards` are pairs of an award and its reason. `winter` says when the winter begins, if it has
    not begun. `gap` is the champion's lead over the second in corridas. `decided` is the criterion
    that puts him first. `podium` are the first three with their suits and the ears that they could
    expect, if known. `goodbyes` are the matadors who retired or, before the winter, who may
    retire. `going_on` are those who were likely to retire but did not. `failed` is the number of
    corridas that failed and that the winter would leave out. `directs` is true if the visitor
    directs the circuit and may start the winter.
    """

    circuit: str
    season: Season
    next_year: int
    next_planned: bool
    wintered: bool
    winter: NextWinter | None
    failed: int
    directs: bool
    over: SeasonOver
    champion: Standing | None
    gap: int
    decided: str
    podium: list[tuple[Standing, int, Expectation | None]]
    longest: str
    race: RaceView | None
    ferias: list[tuple[GivenAward, str]]
    awards: list[tuple[GivenAward, str]]
    moment: BestFight | None
    faces: tuple[Face, ...]
    goodbyes: list[Goodbye]
    going_on: list[Goodbye]


def _context(
    season: Season, failed: int, directs: bool, coming: NextWinter | None
) -> SeasonOverContext:
    over = season_over(season)
    lines, people = over.lines, over.ranking.people
    winter: Winter | None = getattr(season, "winter", None)
    wintered = winter is not None and winter.done_at is not None
    champion = lines[0] if lines else None
    worn = suits([line.pk for line in lines])
    great = {award.row.pk for award in sorted(over.ferias, key=_greatness)[:FERIAS]}
    goodbyes, going_on = _after(season, winter) if winter and wintered else _before(season, winter)
    circuit = season.circuit
    return {
        "circuit": circuit.slug,
        "season": season,
        "next_year": season.year + 1,
        "next_planned": wintered and circuit.seasons.filter(year=season.year + 1).exists(),
        "wintered": wintered,
        "winter": coming,
        "failed": failed,
        "directs": directs and not circuit.frozen_at and not circuit.archived_at,
        "over": over,
        "champion": champion,
        "gap": lines[0].corridas - lines[1].corridas if len(lines) > 1 else 0,
        "decided": decided_by(lines[0], lines[1]) if len(lines) > 1 else "",
        "podium": [(line, worn[line.pk], over.expected.get(line.pk)) for line in lines[:LEADERS]],
        "longest": people[over.lead.longest].name if over.lead else "",
        "race": race_view(over.ranking.part, over.ranking.marks, lines, people, ()),
        "ferias": [(award, _deeds(award)) for award in over.ferias if award.row.pk in great],
        "awards": [(award, _reason(award, season.year, champion)) for award in over.given],
        "moment": over.moment,
        "faces": _faces(over.moment),
        "goodbyes": goodbyes,
        "going_on": going_on,
    }


def _greatness(award: GivenAward) -> tuple[bool, int]:
    """Return a sort key that orders awards by importance.

    Awards of ferias come first, then those of series of single dates. Within each group the highest
    score comes first.
    """
    feria = award.row.feria
    return feria is not None and feria.name.startswith("Temporada"), -award.row.score


def _faces(moment: BestFight | None) -> tuple[Face, ...]:
    return number_faces(moment.deck, moment.places, active_language()) if moment else ()


def _before(season: Season, winter: Winter | None) -> tuple[list[Goodbye], list[Goodbye]]:
    """Return the matadors who may retire in the coming winter.

    The second list, of matadors who go on, is empty before the winter.
    """
    if winter is None:
        return [], []
    closing = closing_careers(season, Seed(bytes(winter.seed)))
    people = {man.slug: man for man, _career in closing}
    doubted = _doubts([career for _man, career in closing])
    return [_goodbye(people.get(doubt.career.slug), doubt) for doubt in doubted], []


def _after(season: Season, winter: Winter) -> tuple[list[Goodbye], list[Goodbye]]:
    """Return the matadors who retired in the winter, and the matadors who were likely to
    retire but did not.
    """
    careers = farewells.careers_of(winter)
    retired = {item["slug"]: item for item in winter.news if item["kind"] == "retired"}
    doubted = [line for line in _doubts(list(careers.values())) if line.career.slug not in retired]
    slugs = {*retired, *(doubt.career.slug for doubt in doubted)}
    people = winter_queries.people(season.circuit_id, slugs)
    gone = {slug: people[slug].pk for slug in retired if slug in people}
    won = winter_queries.careers(gone.values(), season.year)
    leaving = [
        (careers[slug], Why(item["why"]), won.get(gone.get(slug, 0)))
        for slug, item in retired.items()
        if slug in careers
    ]
    words = farewells.farewells(leaving, farewells.usual(careers.values()), season.year)
    nothing = farewells.Farewell("", "")
    goodbyes = [
        Goodbye(
            name=item["name"],
            matador=people.get(slug),
            suit=suit(gone.get(slug, 0)),
            words=words.get(slug, nothing),
        )
        for slug, item in retired.items()
    ]
    return goodbyes, [_goodbye(people.get(doubt.career.slug), doubt) for doubt in doubted]


def _doubts(careers: Sequence[Career]) -> list[farewells.Doubt]:
    usual = farewells.usual(careers)
    return farewells.doubts(careers, usual, least=LEAST_ODDS, most=MOST_NAMED)


def _goodbye(matador: Matador | None, doubt: farewells.Doubt) -> Goodbye:
    return Goodbye(
        name=matador.billing if matador else doubt.career.name,
        matador=matador,
        suit=suit(matador.pk if matador else 0),
        words=farewells.Farewell(doubt.words, ""),
    )


def _counts(award: GivenAward) -> dict[str, int]:
    return {of: count for of, count, _weight in award.row.detail.get("terms", [])}


def _deeds(award: GivenAward) -> str:
    """Return as text the trophies for which an award was given, such as `8 ears, 1 tail and 2
    vueltas`.
    """
    counts = _counts(award)
    phrases = {
        "ears": ngettext("%(count)s ear", "%(count)s ears", counts.get("ears", 0)),
        "tails": ngettext("%(count)s tail", "%(count)s tails", counts.get("tails", 0)),
        "indultos": ngettext("%(count)s indulto", "%(count)s indultos", counts.get("indultos", 0)),
        "vueltas": ngettext("%(count)s vuelta", "%(count)s vueltas", counts.get("vueltas", 0)),
    }
    phrases_used = [
        phrase % {"count": counts[of]} for of, phrase in phrases.items() if counts.get(of)
    ]
    return join_with_and(phrases_used) or _("no trophy")


def _reason(award: GivenAward, year: int, champion: Standing | None) -> str:
    """Return a sentence that says for what a matador or herd won an award.

    Return an empty string if the award was not given.
    """
    row = award.row
    if not row.matador and not row.ganaderia:
        return ""
    parts: dict[str, object] = {
        "deeds": _deeds(award),
        "score": count_points(award.score),
        "points": count_points(_counts(award).get("bull_points", 0)),
        "bulls": award.bulls,
        "matador": row.matador.billing if row.matador else "",
        "bull": row.bull.name if row.bull else "",
        "herd": row.ganaderia.name if row.ganaderia else "",
        "city": row.corrida.plaza.city if row.corrida else "",
        "day": date_format(row.corrida.date, "j F") if row.corrida else "",
    }
    sentences = {
        LIDIA: _("%(deeds)s in %(city)s on %(day)s, with %(bull)s from %(herd)s: %(score)s."),
        BULL: _("It earned %(points)s in %(city)s on %(day)s, where %(matador)s fought it."),
        HERD: _("%(deeds)s from %(bulls)s bulls: %(score)s per bull."),
        TRIUMPH: _(
            "%(deeds)s, %(score)s, but not the most corridas: another matador leads the escalafón."
        ),
    }
    if award.key == TRIUMPH and row.matador and champion and champion.pk == row.matador.pk:
        return _("%(deeds)s, %(score)s, and first place in the escalafón as well.") % parts
    if award.key == REVELATION:
        sworn = row.matador.alternativa if row.matador else None
        if sworn and sworn.year == year:
            return _("%(deeds)s in the year of his alternativa: %(score)s.") % parts
        if sworn and year - sworn.year >= NEW_FOR:  # only by version 1 of the award rules
            return (
                _(
                    "%(deeds)s, %(score)s. No matador was in his first two seasons, so the "
                    "matadors with the latest alternativas were considered."
                )
                % parts
            )
        return _("%(deeds)s in the year after his alternativa: %(score)s.") % parts
    return sentences[award.key] % parts
