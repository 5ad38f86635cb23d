"""The digest of a run: what its corridas brought, and what comes next.

A run is a job that continues a season. The number of queries is fixed. Rankings are those at the
end of the run, even if later corridas have changed them. Records within reach and the next corridas
are left out if another run has followed.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery

from corridas import results
from corridas.circuit_queries import LAST_YEAR
from corridas.engine import CorridaSetup, EngineError, MatadorCard, Tally
from corridas.escalafon.queries import ranking, records
from corridas.escalafon.queries.ranking import MatadorNames, Standing
from corridas.following.queries import NOTHING, Followed, followed_first
from corridas.labels import KINDS, STOPS
from corridas.models import Corrida, Feria, Injury, Lidia, Puesto, Run, Season
from corridas.simulation.rows import engine_deck, places_of
from corridas.stage.decision import Decision, decide, indulto, injuries
from corridas.world.awards import BY_KEY, TRIUMPH, points
from corridas.world.stops import StopOn

# Number of corridas, changed ranks and injuries on the first page of a long digest. The others are
# behind a link.
AFTERNOONS: Final = 5
MOVES: Final = 6
INJURIES: Final = 2
# Number of next corridas shown, and of coming corridas searched for records within reach.
NEXT: Final = 2
AHEAD: Final = 6
NEAR: Final = 2
# Changes within this many first ranks are shown before others.
HEAD: Final = 10


def digests(season: Season) -> QuerySet[Run]:
    """Return the runs of a season in which at least one corrida was played, newest first."""
    played = Corrida.objects.filter(run=OuterRef("pk"))
    return Run.objects.filter(Exists(played), season=season).order_by("-pk")


def latest_digest(season: Season) -> Run | None:
    """Return the latest finished run of a season in which at least one corrida was played."""
    return digests(season).exclude(state__in=Run.ACTIVE).first()


def find_run(circuit: str, year: int, pk: int) -> Any:
    """Return a run in which at least one corrida was played, or None.

    `bills` identifies the matadors of the coming corridas: it is the highest key of an announced
    appearance, which changes with every replacement.
    """
    if year > LAST_YEAR:
        return None
    bills = Puesto.objects.filter(
        cartel__corrida__season=OuterRef("season"),
        cartel__corrida__state=Corrida.State.ANNOUNCED,
    ).order_by("-pk")
    rows = Run.objects.filter(
        Exists(Corrida.objects.filter(run=OuterRef("pk"))),
        pk=pk,
        season__year=year,
        season__circuit__slug=circuit,
    )
    with_season = rows.select_related("season__circuit")
    return with_season.annotate(bills=Subquery(bills.values("pk")[:1])).first()


@dataclass(frozen=True, kw_only=True)
class DigestLine:
    """A run in the list of digests.

    `run` has the attributes `starts` and `ends` (dates of its first and last corrida) and `held`
    (its number of corridas).
    """

    run: Any
    counts: Tally
    hurt: int


def listed(season: Season, until: dt.date | None = None) -> QuerySet[Run]:
    """Return the runs of a season that have a digest, up to a day, with their dates and counts."""
    rows = digests(season).annotate(
        starts=Min("corridas__date"), ends=Max("corridas__date"), held=Count("corridas")
    )
    return rows.filter(ends__lte=until) if until else rows


def lines(runs: Iterable[Run]) -> list[DigestLine]:
    """Return the list entries of runs returned by `listed`. Two queries."""
    rows = list(runs)
    keys = [run.pk for run in rows]
    counts: dict[int, Tally] = defaultdict(Tally)
    lidias: Any = Lidia.objects.filter(corrida__run__in=keys, finisher__isnull=False).order_by()
    columns = ("corrida__run", "trophy", "vuelta", "ending", "avisos")
    for lidia in lidias.values_list(*columns, named=True):
        counts[lidia.corrida__run].add(lidia)
    wounds = Injury.objects.filter(corrida__run__in=keys).order_by().values_list("corrida__run")
    hurt: dict[int, int] = dict(wounds.annotate(Count("pk")))
    return [DigestLine(run=run, counts=counts[run.pk], hurt=hurt.get(run.pk, 0)) for run in rows]


class Neighbours(NamedTuple):
    """Keys of the runs whose digests come before and after a digest."""

    before: int | None
    after: int | None


def neighbours(run: Run) -> Neighbours:
    earlier, later = Q(pk__lt=run.pk), Q(pk__gt=run.pk)
    rows = digests(run.season).order_by()
    return Neighbours(
        **rows.aggregate(before=Max("pk", filter=earlier), after=Min("pk", filter=later))
    )


class FightResult(NamedTuple):
    """The result of a fight, as columns of `Lidia`."""

    pk: int
    corrida_id: int
    turn: int
    starter_id: int
    finisher_id: int | None
    ending: str
    injured: int
    avisos: int
    trophy: int | None
    vuelta: bool | None
    crowd: int | None
    number: int | None
    score: int | None
    bull_id: int
    bull__name: str

    @property
    def greatness(self) -> tuple[int, int, int]:
        """Sort key of fights: trophy, crowd's verdict, final number.

        A spared bull raises the value of the trophy.
        """
        trophy = 2 * (self.trophy or 0) + 3 * (self.ending == "spared")
        return (trophy, self.crowd or 0, self.number or 0)


class DigestMatador(NamedTuple):
    """A matador on the cartel (poster) of a corrida."""

    corrida: int
    order: int
    matador: int
    instead_of: int | None
    alternativa: dt.date | None
    padrino: int | None
    testigo: int | None


@dataclass(kw_only=True)
class FinishedBull:
    """A finished bull, and the card that decided its fight if the cards are known."""

    lidia: FightResult
    shown: results.BullResult
    decision: Decision | None = None


@dataclass(kw_only=True)
class MatadorFights:
    """A matador's bulls and trophies in a corrida."""

    matador: int
    person: MatadorNames
    order: int
    bulls: list[FinishedBull] = field(default_factory=list)
    counts: Tally = field(default_factory=Tally)
    hurt: bool = False

    @property
    def best(self) -> FinishedBull | None:
        return max(self.bulls, key=lambda bull: bull.lidia.greatness, default=None)

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key: points by the formula of the triumph award, then the best bull."""
        if self.best is None:
            return (-99,)
        return (points(BY_KEY[TRIUMPH], self.counts), *self.best.lidia.greatness)


@dataclass(kw_only=True)
class DigestCorrida:
    """A corrida with its matadors in the order of appearance."""

    corrida: Any
    shares: list[MatadorFights]

    @property
    def first(self) -> MatadorFights | None:
        """The most successful matador, or None if nobody finished a bull."""
        present = [share for share in self.shares if share.bulls]
        return max(present, key=attrgetter("rank"), default=None)

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key: points of the most successful matador, category of the plaza, his best bull."""
        if self.first is None:
            return (-99,)
        trophies, *bull = self.first.rank
        return (trophies, -self.corrida.plaza.category, *bull)


@dataclass(frozen=True, kw_only=True)
class RankChange:
    """A matador in the ranking, and his rank before the run (None if he had none)."""

    line: Standing
    was: int | None

    @property
    def gained(self) -> int:
        return self.was - self.line.place if self.was else 0


class MissedCorrida(NamedTuple):
    """A corrida that an injured matador misses, and his substitute (None if not chosen yet)."""

    corrida: Corrida
    substitute: MatadorNames | None


@dataclass(kw_only=True)
class InjuredMatador:
    """An injured matador: the injury, the corrida in which it happened, and corridas he misses."""

    injury: Injury
    person: MatadorNames
    corrida: Corrida
    missed: list[MissedCorrida]
    card: int | None = None

    @property
    def back(self) -> dt.date:
        return self.injury.until + dt.timedelta(days=1)


class SparedBull(NamedTuple):
    """A spared bull: the matador who fought it, and the card that spared it.

    `range` is the INDULTO range of the matador's card.
    """

    bull: Any
    lidia: FightResult
    person: MatadorNames
    corrida: Corrida
    decision: Decision | None
    range: str


class BrokenRecord(NamedTuple):
    """A record that was broken, with its holder and its corrida if there are any."""

    key: str
    label: str
    value: object
    before: object
    person: MatadorNames | None
    corrida: Corrida | None
    turn: int | None


class MetCondition(NamedTuple):
    """A stop condition that ended a run: which matador met it, and at which card of a corrida.

    Turn 0 is the paseíllo (entry parade).
    """

    kind: str
    person: MatadorNames | None
    corrida: Corrida
    turn: int
    card: int | None
    words: str = ""

    @property
    def heading(self) -> str:
        return str(STOPS[self.kind].heading)


class Alternativa(NamedTuple):
    """A ceremony in a corrida of the run in which a novillero became a matador.

    `person` is the new matador; `padrino` and `testigo` attended.
    """

    person: MatadorNames
    padrino: MatadorNames
    testigo: MatadorNames
    corrida: Corrida


class TrophyCount(NamedTuple):
    """The trophies that a matador won in a run (the simulation of part of a season)."""

    matador: int
    person: MatadorNames
    counts: Tally


@dataclass(frozen=True, kw_only=True)
class Digest:
    """Everything that the page of a digest shows.

    `held` are the corridas of the run. `shown` are the best of them by date, or those of the
    requested page. `best` is the corrida of the most successful matador, `move` his change of rank
    and `bands` the ranges of his card. `changed` is the number of all changed ranks.
    """

    run: Run
    held: list[Any]
    totals: Tally
    shown: list[DigestCorrida]
    best: DigestCorrida | None
    move: RankChange | None
    bands: Mapping[str, str]
    moves: list[RankChange]
    changed: int
    hurt: list[InjuredMatador]
    spared: list[SparedBull]
    fallen: list[BrokenRecord]
    near: list[records.Sentence]
    coming: list[DigestCorrida]
    stops: list[MetCondition]
    alternativas: list[Alternativa]
    cut: list[TrophyCount]
    neighbours: Neighbours

    @property
    def feria(self) -> Feria | None:
        """The feria to which all corridas of the run belong, or None."""
        first: Feria | None = self.held[0].feria
        return first if len({corrida.feria_id for corrida in self.held}) == 1 else None

    @property
    def one_plaza(self) -> bool:
        return len({corrida.plaza_id for corrida in self.held}) == 1


def digest_of(
    run: Run,
    *,
    page: slice | None = None,
    whole: bool = False,
    shielded: bool = False,
    followed: Followed = NOTHING,
) -> Digest:
    """Return the digest of a run returned by `find_run`.

    By default lists are short. With `whole` all lists are complete except that of corridas. With
    `page` lists are complete too, and the corridas of that page are shown instead of the best.
    Records are left out if `shielded` is true, because they may reveal results that the user has
    not watched. Matadors and herds in `followed` come first in all lists except rankings and
    calendars.
    """
    reader = _Reader(run, shielded=shielded, followed=followed)
    return reader.digest(page, whole=whole or page is not None)


class _Reader:
    """Loads the season of a run once, and builds the parts of the digest."""

    def __init__(self, run: Run, *, shielded: bool, followed: Followed) -> None:
        self.run, self.shielded, self.followed = run, shielded, followed
        season = run.season_id
        corridas = Corrida.objects.filter(season=season).select_related("plaza", "feria")
        rows: Any = corridas.annotate(
            deck=F("cartel__deck__digest"), herd=F("cartel__ganaderia")
        ).order_by("date", "pk")
        self.corridas = {row.pk: row for row in rows}
        self.own = [row for row in self.corridas.values() if row.run_id == run.pk]
        self.places: dict[int, list[DigestMatador]] = defaultdict(list)
        puestos: Any = Puesto.objects.filter(cartel__corrida__season=season).order_by("order")
        columns = ("cartel_id", "order", "matador_id", "instead_of_id")
        sworn = ("matador__alternativa", "matador__padrino_id", "matador__testigo_id")
        for row in puestos.values_list(*columns, *sworn):
            self.places[row[0]].append(DigestMatador(*row))
        self.lidias: dict[int, list[FightResult]] = defaultdict(list)
        lidias: Any = Lidia.objects.posted().filter(corrida__season=season).order_by("turn")
        for row in lidias.values_list(*FightResult._fields):
            self.lidias[row[1]].append(FightResult(*row))
        self.people = ranking.people_by_id(
            place.matador for places in self.places.values() for place in places
        )
        self.neighbours = neighbours(run)
        # Draws and matadors' cards of the fights that are shown. `_load` fills them.
        self.rows: dict[int, Any] = {}
        self.cards: dict[int, list[Any]] = {}

    def digest(self, page: slice | None, *, whole: bool) -> Digest:
        afternoons = [self._afternoon(corrida) for corrida in self.own]
        ranked = sorted(afternoons, key=attrgetter("rank"), reverse=True)
        best = ranked[0] if ranked[0].first else None
        chosen = sorted(ranked, key=lambda one: not self._follows(one))[:AFTERNOONS]
        first = {one.corrida.pk for one in chosen}
        shown = [one for one in afternoons if one.corrida.pk in first]
        if page is not None:
            shown = afternoons[page]
        men, herds = self.followed.matadors, self.followed.herds
        hurt = followed_first(
            self._hurt(by_gravity=not whole), men, lambda one: one.injury.matador_id
        )
        spared = [lidia for lidia in self._lidias() if lidia.ending == "spared"]
        spared = followed_first(spared, herds, lambda one: self.corridas[one.corrida_id].herd)
        spared = followed_first(spared, men, attrgetter("finisher_id"))
        replayed = {one.corrida.pk for one in hurt[:INJURIES]}
        drawn = spared if whole else spared[:1]
        self._load([*shown, ranked[0]], replayed, drawn)
        for one in hurt[:INJURIES]:
            one.card = self._injury_card(one)
        before, after = self._standings()
        places = {line.pk: line.place for line in before}
        moves = [RankChange(line=line, was=places.get(line.pk)) for line in after]
        champion = best.first if best and best.first else None
        coming = self._coming()
        return Digest(
            run=self.run,
            held=self.own,
            totals=self._totals(),
            shown=shown,
            best=best,
            move=next(
                (move for move in moves if champion and move.line.pk == champion.matador), None
            ),
            bands=self._bands(champion),
            moves=notable_moves(moves, men, before=bool(before), whole=whole),
            changed=sum(move.was != move.line.place for move in moves),
            hurt=hurt,
            spared=[self._spared(lidia) for lidia in drawn],
            fallen=self._fallen(),
            near=self._near(coming),
            coming=[self._afternoon(corrida) for corrida in coming[:NEXT]],
            stops=self._stops(hurt, spared),
            alternativas=self._alternativas(),
            cut=self._cut(),
            neighbours=self.neighbours,
        )

    def _follows(self, afternoon: DigestCorrida) -> bool:
        men = {share.matador for share in afternoon.shares}
        return bool(men & self.followed.matadors) or afternoon.corrida.herd in self.followed.herds

    def _lidias(self) -> list[FightResult]:
        return [lidia for corrida in self.own for lidia in self.lidias[corrida.pk]]

    def _afternoon(self, corrida: Any) -> DigestCorrida:
        shares = {
            place.matador: MatadorFights(
                matador=place.matador, person=self.people[place.matador], order=place.order
            )
            for place in self.places[corrida.pk]
        }
        for lidia in self.lidias[corrida.pk]:
            finisher = shares.get(lidia.finisher_id or 0)
            if finisher is not None:
                finisher.bulls.append(FinishedBull(lidia=lidia, shown=_shown(lidia)))
                finisher.counts.add(lidia)
            for share in shares.values():
                share.hurt = share.hurt or bool(lidia.injured & 1 << share.order)
        return DigestCorrida(corrida=corrida, shares=list(shares.values()))

    def _totals(self) -> Tally:
        """Return the totals of the run.

        `out` counts bulls that came out, and `hurt` injuries.
        """
        totals = Tally()
        for lidia in self._lidias():
            totals["out"] += 1
            totals["hurt"] += lidia.injured.bit_count()
            if lidia.finisher_id is not None:
                totals.add(lidia)
        return totals

    def _alternativas(self) -> list[Alternativa]:
        """Return the ceremonies in which novilleros became matadors, by date.

        Padrino and testigo, who attend, are on the same bill.
        """
        found = []
        for corrida in self.own:
            here = {place.matador for place in self.places[corrida.pk]}
            found += [
                Alternativa(
                    self.people[place.matador],
                    self.people[place.padrino],
                    self.people[place.testigo],
                    corrida,
                )
                for place in self.places[corrida.pk]
                if place.alternativa == corrida.date
                and place.padrino in here
                and place.testigo in here
            ]
        return found

    def _cut(self) -> list[TrophyCount]:
        counts: dict[int, Tally] = defaultdict(Tally)
        for lidia in self._lidias():
            if lidia.finisher_id is not None:
                counts[lidia.finisher_id].add(lidia)
        cut = [
            TrophyCount(pk, self.people[pk], tally)
            for pk, tally in counts.items()
            if tally["ears"] or tally["indultos"]
        ]
        cut.sort(key=lambda one: (-points(BY_KEY[TRIUMPH], one.counts), one.person.full_name))
        return followed_first(cut, self.followed.matadors, attrgetter("matador"))

    def _load(
        self,
        afternoons: Iterable[DigestCorrida],
        replayed: Collection[int],
        spared: Iterable[FightResult],
    ) -> None:
        """Load draws, matadors' cards and bulls of what is shown, and find the decisive cards."""
        shown = {one.corrida.pk: one for one in afternoons}
        keys = {*shown, *replayed, *(lidia.corrida_id for lidia in spared)}
        if self.run.last_id in self.corridas:
            keys.add(self.run.last_id)
        lidias = Lidia.objects.filter(corrida__in=keys).select_related("bull__ganaderia")
        self.rows = {row.pk: row for row in lidias}
        try:
            self.cards = places_of(keys)
        except (EngineError, LookupError, ValueError):
            self.cards = {}  # a damaged card: everything else is shown
        for afternoon in shown.values():
            for share in afternoon.shares:
                for bull in share.bulls:
                    bull.decision = self._decision(bull.lidia)

    def _draws(self, lidia: FightResult) -> bytes:
        return bytes(self.rows[lidia.pk].draws)

    def _card(self, lidia: FightResult) -> MatadorCard | None:
        places = self.cards.get(lidia.corrida_id, [])
        return next((place.card for place in places if place.matador_id == lidia.finisher_id), None)

    def _decision(self, lidia: FightResult) -> Decision | None:
        card = self._card(lidia)
        if card is None:
            return None
        deck = engine_deck(self.corridas[lidia.corrida_id].deck)
        return decide(lidia, self._draws(lidia), deck, card, earlier=self._earlier(lidia))

    def _earlier(self, lidia: FightResult) -> bytes:
        """Return the cards drawn earlier from the same shuffled deck.

        It is empty if the deck is shuffled before each bull.
        """
        if self.run.season.engine_rules().shuffle == "each_bull":
            return b""
        before = (row for row in self.lidias[lidia.corrida_id] if row.turn < lidia.turn)
        return b"".join(map(self._draws, before))

    def _bands(self, champion: MatadorFights | None) -> Mapping[str, str]:
        card = self._card(champion.best.lidia) if champion and champion.best else None
        return card.ranges() if card else {}

    def _standings(self) -> tuple[list[Standing], list[Standing]]:
        """Return the rankings before and after the run, without corridas that were posted later."""
        posted = [row.posted_at for row in self.own if row.posted_at]
        began, ended = min(posted, default=None), max(posted, default=None)
        before, after = [], []
        for row in self.corridas.values():
            if not row.is_over or row.date > self.own[-1].date:
                continue
            if row.run_id == self.run.pk:
                after.append(row.pk)
            elif row.run_id is not None:
                before += [row.pk] if row.run_id < self.run.pk else []
            elif row.posted_at and began and row.posted_at <= began:
                before.append(row.pk)
            elif row.posted_at and ended and row.posted_at <= ended:
                after.append(row.pk)  # meanwhile, at a real table or on air
        return self._ranked(before), self._ranked([*before, *after])

    def _ranked(
        self, corridas: Iterable[int], last: tuple[int, int] | None = None
    ) -> list[Standing]:
        """Rank the matadors by these corridas.

        Of the corrida `last` (its key) only the given number of bulls counts.
        """
        tally: dict[int, Counter[str]] = defaultdict(Tally)
        for corrida in corridas:
            lidias = self.lidias[corrida]
            if not lidias:
                continue
            for place in self.places[corrida]:
                tally[place.matador]["corridas"] += 1
            for lidia in lidias[: last[1]] if last and last[0] == corrida else lidias:
                if lidia.finisher_id is not None:
                    tally[lidia.finisher_id].add(lidia)  # type: ignore[attr-defined]
        return ranking.ranked(tally, self.people)

    def _hurt(self, *, by_gravity: bool) -> list[InjuredMatador]:
        rows = list(Injury.objects.filter(corrida__run=self.run.pk).order_by("since", "pk"))
        if by_gravity:
            rows.sort(key=lambda row: row.since - row.until)
        return [
            InjuredMatador(
                injury=row,
                person=self.people[row.matador_id],
                corrida=self.corridas[row.corrida_id],
                missed=self._missed(row),
            )
            for row in rows
        ]

    def _missed(self, injury: Injury) -> list[MissedCorrida]:
        missed = []
        for pk, corrida in self.corridas.items():
            if not injury.since < corrida.date <= injury.until:
                continue
            for place in self.places[pk]:
                if place.instead_of == injury.matador_id:
                    missed.append(MissedCorrida(corrida, self.people[place.matador]))
                elif place.matador == injury.matador_id and not corrida.is_over:
                    missed.append(MissedCorrida(corrida, None))
        return missed

    def _injury_card(self, hurt: InjuredMatador) -> int | None:
        corrida = self.corridas[hurt.corrida.pk]
        if corrida.pk not in self.cards:
            return None
        setup = CorridaSetup(
            rules=self.run.season.engine_rules(),
            deck=engine_deck(corrida.deck),
            plaza_rating=corrida.plaza.category,
            matadors=tuple(place.card for place in self.cards[corrida.pk]),
        )
        cards = injuries(setup, [self._draws(lidia) for lidia in self.lidias[corrida.pk]])
        order = {place.matador: place.order for place in self.places[corrida.pk]}
        return cards.get((hurt.injury.turn, order.get(hurt.injury.matador_id, -1)))

    def _spared(self, lidia: FightResult) -> SparedBull:
        card = self._card(lidia)
        return SparedBull(
            bull=self.rows[lidia.pk].bull,
            lidia=lidia,
            person=self.people[lidia.finisher_id or 0],
            corrida=self.corridas[lidia.corrida_id],
            decision=self._indulto(lidia),
            range=card.ranges()["indulto"].replace("-", "–") if card else "",
        )

    def _indulto(self, lidia: FightResult) -> Decision | None:
        return indulto(self._draws(lidia), engine_deck(self.corridas[lidia.corrida_id].deck))

    def _fallen(self) -> list[BrokenRecord]:
        if self.shielded:
            return []
        stored = {line["key"]: line for line in self.run.fallen or []}
        return [
            BrokenRecord(
                key=key,
                label=str(words.label),
                value=records.figure(key, stored[key]["value"]),
                before=records.figure(key, stored[key]["before"]),
                person=self.people.get(stored[key]["matador_id"]),
                corrida=self.corridas.get(stored[key]["corrida_id"]),
                turn=stored[key]["turn"],
            )
            for key, words in KINDS.items()
            if key in stored
        ]

    def _coming(self) -> list[Any]:
        if self.neighbours.after is not None:
            return []
        to_come = (Corrida.State.ANNOUNCED, Corrida.State.QUEUED)
        return [row for row in self.corridas.values() if row.state in to_come][:AHEAD]

    def _near(self, coming: Sequence[Corrida]) -> list[records.Sentence]:
        if self.shielded or not coming:
            return []
        sentences = records.sentences_before(coming, NEAR)
        by_matador: dict[str, records.Sentence] = {}
        for corrida in coming:
            for sentence in sentences.get(corrida.pk, []):
                by_matador.setdefault(sentence.slug, sentence)
        return sorted(by_matador.values(), key=lambda sentence: not sentence.record)[:NEAR]

    def _stops(
        self, hurt: Iterable[InjuredMatador], spared: Iterable[FightResult]
    ) -> list[MetCondition]:
        """Return which matadors met the stop conditions in the last corrida of the run."""
        corrida = self.corridas.get(self.run.last_id)
        if corrida is None or self.run.state != Run.State.STOPPED:
            return []
        here = [one for one in hurt if one.corrida.pk == corrida.pk]
        spared_here = [lidia for lidia in spared if lidia.corrida_id == corrida.pk]
        by_condition: dict[StopOn, Callable[[], list[MetCondition]]] = {
            StopOn.INJURY: lambda: [
                MetCondition("injury", one.person, corrida, one.injury.turn, self._injury_card(one))
                for one in here
            ],
            StopOn.INDULTO: lambda: [
                self._stop("indulto", lidia, card=decision.card if decision else None)
                for lidia in spared_here
                for decision in [self._indulto(lidia)]
            ],
            StopOn.LEADER: lambda: self._new_leader(corrida),
            StopOn.RECORD: lambda: [self._broken(line, corrida) for line in self._fallen()],
        }
        met = self.run.reason.split(",")
        return [
            stop
            for condition, stops in by_condition.items()
            if condition.value in met
            for stop in stops()
        ]

    def _stop(
        self, kind: str, lidia: FightResult, card: int | None = None, words: str = ""
    ) -> MetCondition:
        """Return a stop at a card of a fight, by default its last card."""
        person = self.people.get(lidia.finisher_id or 0)
        corrida = self.corridas[lidia.corrida_id]
        return MetCondition(
            kind, person, corrida, lidia.turn, card or len(self._draws(lidia)), words
        )

    def _new_leader(self, corrida: Any) -> list[MetCondition]:
        """Return the bull after which the new leader stayed in front.

        It is the entry parade if he led before the first bull.
        """
        before = [
            row.pk
            for row in self.corridas.values()
            if row.is_over and row.posted_at and _posting(row) <= _posting(corrida)
        ]
        lidias = self.lidias[corrida.pk]
        leaders = [
            self._ranked(before, last=(corrida.pk, bulls))[0].pk for bulls in range(len(lidias) + 1)
        ]
        step = len(lidias)
        while step and leaders[step - 1] == leaders[-1]:
            step -= 1
        person = self.people[leaders[-1]]
        if not step:
            return [MetCondition("leader", person, corrida, 0, 0)]
        return [self._stop("leader", lidias[step - 1])._replace(person=person)]

    def _broken(self, line: BrokenRecord, corrida: Any) -> MetCondition:
        """Return the last bull that counted for a broken record.

        It is the entry parade for a record number of corridas.
        """
        counted = [
            lidia
            for lidia in self.lidias[corrida.pk]
            if line.turn in {None, lidia.turn}
            and (line.person is None or self.people.get(lidia.finisher_id or 0) == line.person)
        ]
        if counted and not line.key.endswith("_corridas"):
            stop = self._stop("record", counted[-1], words=line.label)
            return stop._replace(person=line.person)
        return MetCondition("record", line.person, corrida, 0, 0, line.label)


def _posting(corrida: Any) -> tuple[dt.datetime, dt.date, int]:
    """Return the sort key for the order of posting. Several corridas may be posted at one time."""
    return (corrida.posted_at, corrida.date, corrida.pk)


def _shown(lidia: FightResult) -> results.BullResult:
    return results.BullResult(
        turn=lidia.turn,
        name=lidia.bull__name,
        pk=lidia.bull_id,
        starter=lidia.starter_id,
        finisher=lidia.finisher_id,
        verdict=results.verdict(lidia.trophy, lidia.crowd),
        vuelta=bool(lidia.vuelta),
        spared=lidia.ending == "spared",
        three_avisos=lidia.ending == "three_avisos",
        avisos=lidia.avisos,
        injured=lidia.injured,
        score=lidia.score,
    )


def notable_moves(
    moves: Sequence[RankChange], followed: Collection[int], *, before: bool, whole: bool
) -> list[RankChange]:
    """Return the changed ranks to show, in the order of the ranking.

    By default these are the most important ones. With `whole` all are returned. If there was no
    ranking before, the first lines are returned.
    """
    if not before:
        return list(moves if whole else moves[:MOVES])
    if whole:
        return [move for move in moves if move.was != move.line.place]
    moved = [
        move for move in moves if move.gained or (move.was is None and move.line.pk in followed)
    ]
    moved.sort(key=lambda move: (move.line.pk not in followed, *_weight(move)))
    return sorted(moved[:MOVES], key=lambda move: move.line.place)


def _weight(move: RankChange) -> tuple[bool, bool, int, int]:
    """Sort key: changes of the first rank, then changes within the first ten, the largest first."""
    best = min(move.line.place, move.was or move.line.place)
    return (best > 1, best > HEAD, -abs(move.gained), move.line.place)
