"""Page with the news of a winter, laid out as a newspaper.

Before the winter, it shows the commitment to the winter's seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple, NotRequired, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.page_cache import PageKey, cached_response
from corridas.chance_text import percent
from corridas.circuit_queries import SHIPPED
from corridas.models import Matador, MatadorCard, Plaza, Season, Winter
from corridas.models.winters import NewsItem, NewsName
from corridas.pages.access import stamp
from corridas.pages.roster.matadors import OWN_BARS, CardBars, bars
from corridas.results import NAMES
from corridas.season import farewells
from corridas.simulation import winter_queries
from corridas.simulation.schedule import winter_stake
from corridas.stage import charts
from corridas.world.winter.outcome import Why
from fairness import canonical

# Number of improved cards, and of worsened cards, that the page draws. The table lists all others.
DRAWN: Final = 4

# CSS class names of ranges that differ from the names of the model fields.
STYLES: Final = {"dos_orejas": "dos", **{name: f"r-{name}" for name in OWN_BARS}}

# Texts of the reasons for retirements, for winters whose careers are not stored on this site.
WHYS: Final = {
    "age": _("Age made the decision for him."),
    "injuries": _("The horns had the last word: too many days in the infirmary."),
    "contracts": _("The telephone had almost stopped ringing."),
    "decline": _("He does not want to be seen as less than he was."),
    "height": _("He bows out at the very top."),
}


@require_safe
def winter_page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    mark = winter_queries.find_mark(year, circuit)
    if mark is None:
        raise Http404(f"no season {year}")
    left = None if mark.done_at else winter_queries.left_in_season(Season(pk=mark.season))
    over = left is not None and not left.going_on
    marks = (*mark, over, *stamp(request))
    keeping = PageKey(name="winter", marks=marks, common=not request.GET)

    def rendered() -> str:
        season = Season.objects.select_related("circuit", "winter").get(pk=mark.season)
        context = {**_context(season), "over": over}
        return render_to_string("corridas/winter.html", context, request)

    return cached_response(request, keeping, rendered)


class WinterContext(TypedDict):
    """Template context of the page of a winter.

    `seed`, `stake` and `paper` (the news) are present once the winter is over.
    """

    circuit: str
    season: Season
    next_year: int
    winters: list[int]
    commitment: str
    seed: NotRequired[str]
    stake: NotRequired[str]
    paper: NotRequired[Paper]


def _context(season: Season) -> WinterContext:
    winter: Winter | None = getattr(season, "winter", None)
    context: WinterContext = {
        "circuit": season.circuit.slug,
        "season": season,
        "next_year": season.year + 1,
        "winters": winter_queries.winters(season.circuit.slug),
        "commitment": bytes(winter.commitment).hex() if winter else "",
    }
    if winter is None or winter.done_at is None:
        return context
    context["seed"] = bytes(winter.seed).hex()
    context["paper"] = _Paper(season, winter).printed()
    context["stake"] = canonical(winter_stake(winter)).decode()
    return context


class CardChange(NamedTuple):
    """A changed range of a matador's card.

    `by` is the number of values it has gained or lost, 0 if it only moved.
    """

    style: str
    label: str
    by: int
    before: str
    after: str


class EarChange(NamedTuple):
    """The chance of an ear in plazas of the first category with the old and the new card.

    `city` is that of such a plaza, empty if the circuit has none. The chances are texts.
    """

    city: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class RatingChange:
    """The change of a matador's rating in a winter.

    `before` and `after` are the drawings of both printings of his card, if both are known. `ear` is
    None if the chances of a printing are not calculated.
    """

    news: NewsItem
    matador: Matador | None
    by: int
    before: CardBars | None = None
    after: CardBars | None = None
    changes: tuple[CardChange, ...] = ()
    ear: EarChange | None = None


class NewsMatador(TypedDict):
    """A matador in the news. `matador` is None if the circuit no longer has him."""

    news: NewsItem | NewsName
    matador: Matador | None
    suit: int


class Leaver(NewsMatador):
    """A matador who retires or returns: his totals, the reason, and what he leaves behind."""

    won: winter_queries.Won | None
    why: object
    leaves: str


class Ceremony(NewsMatador):
    """An alternativa, the ceremony that makes a novillero a matador.

    Under version 1 of the rules it does not take place in a corrida, so `corrida` is None.
    """

    padrino: NewsMatador
    testigo: NewsMatador
    plaza: Plaza | None
    corrida: int | None
    day: date


class Lead(NewsMatador):
    """The main story of the front page, such as a retirement or the most improved card."""

    kind: str
    won: winter_queries.Won | None
    why: object
    leaves: str
    move: RatingChange | None


class Paper(TypedDict):
    """The news of a winter by kind.

    `rose` and `fell` are rating changes. The first `drawn` of each are shown with their cards.
    """

    lead: Lead | None
    retired: list[Leaver]
    returned: list[Leaver]
    alternativas: list[Ceremony]
    debuts: list[NewsMatador]
    rose: list[RatingChange]
    fell: list[RatingChange]
    drawn: int
    herds_up: list[NewsItem]
    herds_down: list[NewsItem]
    sires: list[NewsItem]


class _Paper:
    """Sorts the news of a winter by kind and loads the rows that they refer to, with five
    queries.
    """

    def __init__(self, season: Season, winter: Winter) -> None:
        self._news: dict[str, list[NewsItem]] = defaultdict(list)
        for item in winter.news:
            self._news[item["kind"]].append(item)
        circuit = season.circuit_id
        self.people = winter_queries.people(circuit, self._named())
        gone = [item["slug"] for item in (*self._news["retired"], *self._news["returned"])]
        keys = [self.people[slug].pk for slug in gone if slug in self.people]
        self._won = winter_queries.careers(keys, season.year)
        made = self._news["alternativa"]
        self._plazas = winter_queries.plazas(circuit) if made else {}
        in_corridas = made and winter.version > 1
        self._corridas = winter_queries.corridas_of(season, made) if in_corridas else {}
        careers = farewells.careers_of(winter) if self._news["retired"] else {}
        self._farewells = farewells.farewells(
            [
                (careers[item["slug"]], Why(item["why"]), self._won_by(item["slug"]))
                for item in self._news["retired"]
                if item["slug"] in careers
            ],
            farewells.usual(careers.values()),
            season.year,
        )

    def _won_by(self, slug: str) -> winter_queries.Won | None:
        matador = self.people.get(slug)
        return self._won.get(matador.pk) if matador else None

    def _named(self) -> set[str]:
        people = [*self._news["retired"], *self._news["returned"], *self._news["debut"]]
        people += [*self._news["card"], *self._news["alternativa"]]
        slugs = {item["slug"] for item in people}
        for item in self._news["alternativa"]:
            slugs |= {item["padrino"]["slug"], item["testigo"]["slug"]}
        return slugs

    def printed(self) -> Paper:
        herds = self._news["herd"]
        moves = self._drawn(
            RatingChange(
                news=item,
                matador=self.people.get(item["slug"]),
                by=item["after"] - item["before"],
            )
            for item in self._news["card"]
        )
        rose = [move for move in moves if move.by > 0]
        fell = [move for move in moves if move.by < 0]
        return {
            "lead": self._lead(rose),
            "retired": [self._leaver(item) for item in self._news["retired"]],
            "returned": [self._leaver(item) for item in self._news["returned"]],
            "alternativas": [self._ceremony(item) for item in self._news["alternativa"]],
            "debuts": [self._person(item) for item in self._news["debut"]],
            "rose": rose,
            "fell": fell,
            "drawn": DRAWN,
            "herds_up": [item for item in herds if item["after"] < item["before"]],
            "herds_down": [item for item in herds if item["after"] > item["before"]][::-1],
            "sires": self._news["sire"],
        }

    def _lead(self, rose: Sequence[RatingChange]) -> Lead | None:
        for kind in ("retired", "returned", "alternativa"):
            if self._news[kind]:
                leaver = self._leaver(max(self._news[kind], key=self._fame))
                return Lead(kind=kind, move=None, **leaver)
        if not rose:
            return None
        person = self._person(rose[0].news)
        return Lead(kind="card", won=None, why="", leaves="", move=rose[0], **person)

    def _fame(self, news: NewsItem) -> int:
        won = self._won_by(news["slug"])
        return won.ears if won else 0

    def _person(self, news: NewsItem | NewsName) -> NewsMatador:
        matador = self.people.get(news["slug"])
        suit = charts.suit(matador.pk) if matador else 1
        return {"news": news, "matador": matador, "suit": suit}

    def _leaver(self, news: NewsItem) -> Leaver:
        farewell = self._farewells.get(news["slug"])
        return {
            **self._person(news),
            "won": self._won_by(news["slug"]),
            "why": farewell.why if farewell else WHYS.get(news.get("why", "")),
            "leaves": farewell.leaves if farewell else "",
        }

    def _ceremony(self, news: NewsItem) -> Ceremony:
        return {
            **self._person(news),
            "padrino": self._person(news["padrino"]),
            "testigo": self._person(news["testigo"]),
            "plaza": self._plazas.get(news["plaza"]),
            "corrida": self._corridas.get((news["plaza"], news["date"])),
            "day": date.fromisoformat(news["date"]),
        }

    def _drawn(self, moves: Iterable[RatingChange]) -> list[RatingChange]:
        """Add the drawings of the old and the new card to each rating change, with one query."""
        moves = list(moves)
        known = [move for move in moves if move.matador]
        numbers = {move.news["printing"] - back for move in known for back in (0, 1)}
        keys = [move.matador.pk for move in known if move.matador]
        printed = winter_queries.printed(keys, numbers)
        return [self._with_bars(move, printed) for move in moves]

    def _with_bars(self, move: RatingChange, printed: winter_queries.Printed) -> RatingChange:
        if move.matador is None:
            return move
        pk, number = move.matador.pk, move.news["printing"]
        old, new = (printed.cards.get((pk, printing)) for printing in (number - 1, number))
        if old is None or new is None:
            return move
        return replace(
            move,
            before=bars(old),
            after=bars(new),
            changes=card_changes(old, new),
            ear=ear_change(old, new, printed.city),
        )


def ear_change(old: MatadorCard, new: MatadorCard, city: str) -> EarChange | None:
    if old.ear_1 is None or new.ear_1 is None:
        return None
    return EarChange(city, percent(old.ear_1), percent(new.ear_1))


def card_changes(old: MatadorCard, new: MatadorCard) -> tuple[CardChange, ...]:
    """Return the ranges in which two printings of a card differ, the largest gain first.

    A range of the same size that only moved because its neighbours changed is left out, unless the
    card shows it on a bar of its own.
    """
    changes = []
    for field, text in new.ranges().items():
        name = STYLES.get(field, field)
        before, after = charts.band(name, getattr(old, field)), charts.band(name, text)
        by = (after.width if after else 0) - (before.width if before else 0)
        if by or (field in OWN_BARS and before != after):
            texts = (band.text if band else "–" for band in (before, after))
            changes.append(CardChange(name, NAMES.get(name, field.capitalize()), by, *texts))
    return tuple(sorted(changes, key=lambda change: -change.by))
