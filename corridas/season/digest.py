"""The digest of a run: what its corridas brought, and what comes next.

Read in a fixed number of queries. What later corridas could change is counted as of the end of the
run; records within reach and the next corridas are left out once another run has followed.
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
from corridas.escalafon.queries.ranking import Person, Standing
from corridas.following.queries import NOTHING, Followed, followed_first
from corridas.labels import KINDS, STOPS
from corridas.models import Corrida, Feria, Injury, Lidia, Puesto, Run, Season
from corridas.simulation.rows import engine_deck, places_of
from corridas.stage.decision import Decision, decide, indulto, injuries
from corridas.world.awards import BY_KEY, TRIUMPH, points
from corridas.world.stops import StopOn

# What the first page of a long run shows; the rest is behind its link
AFTERNOONS: Final = 5
MOVES: Final = 6
INJURIES: Final = 2
# The next corridas, and those searched for records within reach
NEXT: Final = 2
AHEAD: Final = 6
NEAR: Final = 2
# Places of the escalafón whose moves come first
HEAD: Final = 10


def digests(season: Season) -> QuerySet[Run]:
    """Return the runs of a season that played something, newest first."""
    played = Corrida.objects.filter(run=OuterRef("pk"))
    return Run.objects.filter(Exists(played), season=season).order_by("-pk")


def latest_digest(season: Season) -> Run | None:
    """Return the latest run of a season that has ended and played something."""
    return digests(season).exclude(state__in=Run.ACTIVE).first()


def find_run(circuit: str, year: int, pk: int) -> Any:
    """Return a run that played something, or None.

    Its `bills` is the newest place on a cartel to come, which changes with every replacement.
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
class Line:
    """A digest in the list: `run` has its first and last day and its corridas as `held`."""

    run: Any
    counts: Tally
    hurt: int


def listed(season: Season, until: dt.date | None = None) -> QuerySet[Run]:
    """Return the digests of a season up to a day."""
    rows = digests(season).annotate(
        starts=Min("corridas__date"), ends=Max("corridas__date"), held=Count("corridas")
    )
    return rows.filter(ends__lte=until) if until else rows


def lines(runs: Iterable[Run]) -> list[Line]:
    """Return the lines of runs of `listed`. Two queries."""
    rows = list(runs)
    keys = [run.pk for run in rows]
    counts: dict[int, Tally] = defaultdict(Tally)
    lidias: Any = Lidia.objects.filter(corrida__run__in=keys, finisher__isnull=False).order_by()
    columns = ("corrida__run", "trophy", "vuelta", "ending", "avisos")
    for lidia in lidias.values_list(*columns, named=True):
        counts[lidia.corrida__run].add(lidia)
    wounds = Injury.objects.filter(corrida__run__in=keys).order_by().values_list("corrida__run")
    hurt: dict[int, int] = dict(wounds.annotate(Count("pk")))
    return [Line(run=run, counts=counts[run.pk], hurt=hurt.get(run.pk, 0)) for run in rows]


class Neighbours(NamedTuple):
    """The digests before and after one, as keys of runs."""

    before: int | None
    after: int | None


def neighbours(run: Run) -> Neighbours:
    earlier, later = Q(pk__lt=run.pk), Q(pk__gt=run.pk)
    rows = digests(run.season).order_by()
    return Neighbours(
        **rows.aggregate(before=Max("pk", filter=earlier), after=Min("pk", filter=later))
    )


class Result(NamedTuple):
    """A lidia of the season, as columns."""

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
        """The order of lidias: the trophy, the crowd, the final number. An indulto counts most."""
        trophy = 2 * (self.trophy or 0) + 3 * (self.ending == "spared")
        return (trophy, self.crowd or 0, self.number or 0)


class Place(NamedTuple):
    """A matador's place on a cartel."""

    corrida: int
    order: int
    matador: int
    instead_of: int | None
    alternativa: dt.date | None
    padrino: int | None
    testigo: int | None


@dataclass(kw_only=True)
class Bull:
    """A finished bull, and the card that decided it where its cards are known."""

    lidia: Result
    shown: results.Bull
    decision: Decision | None = None


@dataclass(kw_only=True)
class Share:
    """A matador's part in an afternoon."""

    matador: int
    person: Person
    order: int
    bulls: list[Bull] = field(default_factory=list)
    counts: Tally = field(default_factory=Tally)
    hurt: bool = False

    @property
    def best(self) -> Bull | None:
        return max(self.bulls, key=lambda bull: bull.lidia.greatness, default=None)

    @property
    def rank(self) -> tuple[int, ...]:
        """Its points as for the award of a triumph, then the best bull."""
        if self.best is None:
            return (-99,)
        return (points(BY_KEY[TRIUMPH], self.counts), *self.best.lidia.greatness)


@dataclass(kw_only=True)
class Afternoon:
    """A corrida with its matadors in the order of appearance."""

    corrida: Any
    shares: list[Share]

    @property
    def first(self) -> Share | None:
        """The matador whose afternoon it was; None where nobody finished a bull."""
        present = [share for share in self.shares if share.bulls]
        return max(present, key=attrgetter("rank"), default=None)

    @property
    def rank(self) -> tuple[int, ...]:
        """The trophies of its best matador, then the category of the plaza, then his best bull."""
        if self.first is None:
            return (-99,)
        trophies, *bull = self.first.rank
        return (trophies, -self.corrida.plaza.category, *bull)


@dataclass(frozen=True, kw_only=True)
class Move:
    """A line of the escalafón and its place before the run, None without one."""

    line: Standing
    was: int | None

    @property
    def gained(self) -> int:
        return self.was - self.line.place if self.was else 0


class Missed(NamedTuple):
    """A corrida that an injured matador misses, and who stands in; None for nobody yet."""

    corrida: Corrida
    substitute: Person | None


@dataclass(kw_only=True)
class Hurt:
    """An injured matador: where, until when, and what he misses."""

    injury: Injury
    person: Person
    corrida: Corrida
    missed: list[Missed]
    card: int | None = None

    @property
    def back(self) -> dt.date:
        return self.injury.until + dt.timedelta(days=1)


class Spared(NamedTuple):
    """A spared bull: who fought it, and the card that spared it.

    `range` is the INDULTO range of the matador's card.
    """

    bull: Any
    lidia: Result
    person: Person
    corrida: Corrida
    decision: Decision | None
    range: str


class Fallen(NamedTuple):
    """A record that fell, with holder and corrida where it has them."""

    key: str
    label: str
    value: object
    before: object
    person: Person | None
    corrida: Corrida | None
    turn: int | None


class Stop(NamedTuple):
    """A condition that was met: by whom, and at which card. Turn 0 is the paseíllo."""

    kind: str
    person: Person | None
    corrida: Corrida
    turn: int
    card: int | None
    words: str = ""

    @property
    def heading(self) -> str:
        return str(STOPS[self.kind].heading)


class Alternativa(NamedTuple):
    """An alternativa taken in a corrida of the run: by whom, from whom and before whom."""

    person: Person
    padrino: Person
    testigo: Person
    corrida: Corrida


class Cut(NamedTuple):
    """What a matador cut in the run."""

    matador: int
    person: Person
    counts: Tally


@dataclass(frozen=True, kw_only=True)
class Digest:
    """Everything that the page of a run shows.

    `held` are its corridas. `shown` are the best afternoons by date, or those of the page asked
    for. `move` and `bands` are place and card of the matador of the `best` afternoon. `changed`
    counts all places that changed.
    """

    run: Run
    held: list[Any]
    totals: Tally
    shown: list[Afternoon]
    best: Afternoon | None
    move: Move | None
    bands: Mapping[str, str]
    moves: list[Move]
    changed: int
    hurt: list[Hurt]
    spared: list[Spared]
    fallen: list[Fallen]
    near: list[records.Said]
    coming: list[Afternoon]
    stops: list[Stop]
    alternativas: list[Alternativa]
    cut: list[Cut]
    neighbours: Neighbours

    @property
    def feria(self) -> Feria | None:
        """The feria of all its corridas, None where they belong to several or to none."""
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
    """Return the digest of a run of `find_run`.

    With `whole`, all lists are whole but that of afternoons. With `page` they are too, and those
    afternoons are shown instead of the best. Records are left out for a `shielded` person: the book
    also holds what they have not watched. Matadors and herds `followed` come first in every list
    but rankings and calendars, and are chosen before others for short lists.
    """
    reader = _Reader(run, shielded=shielded, followed=followed)
    return reader.digest(page, whole=whole or page is not None)


class _Reader:
    """The season of a run, read once, and the parts of its digest."""

    def __init__(self, run: Run, *, shielded: bool, followed: Followed) -> None:
        self.run, self.shielded, self.followed = run, shielded, followed
        season = run.season_id
        corridas = Corrida.objects.filter(season=season).select_related("plaza", "feria")
        rows: Any = corridas.annotate(
            deck=F("cartel__deck__digest"), herd=F("cartel__ganaderia")
        ).order_by("date", "pk")
        self.corridas = {row.pk: row for row in rows}
        self.own = [row for row in self.corridas.values() if row.run_id == run.pk]
        self.places: dict[int, list[Place]] = defaultdict(list)
        puestos: Any = Puesto.objects.filter(cartel__corrida__season=season).order_by("order")
        columns = ("cartel_id", "order", "matador_id", "instead_of_id")
        sworn = ("matador__alternativa", "matador__padrino_id", "matador__testigo_id")
        for row in puestos.values_list(*columns, *sworn):
            self.places[row[0]].append(Place(*row))
        self.lidias: dict[int, list[Result]] = defaultdict(list)
        lidias: Any = Lidia.objects.posted().filter(corrida__season=season).order_by("turn")
        for row in lidias.values_list(*Result._fields):
            self.lidias[row[1]].append(Result(*row))
        self.people = ranking.people_by_id(
            place.matador for places in self.places.values() for place in places
        )
        self.neighbours = neighbours(run)
        # The cards of what is shown, see `_load`
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
        moves = [Move(line=line, was=places.get(line.pk)) for line in after]
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

    def _follows(self, afternoon: Afternoon) -> bool:
        men = {share.matador for share in afternoon.shares}
        return bool(men & self.followed.matadors) or afternoon.corrida.herd in self.followed.herds

    def _lidias(self) -> list[Result]:
        return [lidia for corrida in self.own for lidia in self.lidias[corrida.pk]]

    def _afternoon(self, corrida: Any) -> Afternoon:
        shares = {
            place.matador: Share(
                matador=place.matador, person=self.people[place.matador], order=place.order
            )
            for place in self.places[corrida.pk]
        }
        for lidia in self.lidias[corrida.pk]:
            finisher = shares.get(lidia.finisher_id or 0)
            if finisher is not None:
                finisher.bulls.append(Bull(lidia=lidia, shown=_shown(lidia)))
                finisher.counts.add(lidia)
            for share in shares.values():
                share.hurt = share.hurt or bool(lidia.injured & 1 << share.order)
        return Afternoon(corrida=corrida, shares=list(shares.values()))

    def _totals(self) -> Tally:
        """Count the lidias of the run; `out` are the bulls that came out, `hurt` the injuries."""
        totals = Tally()
        for lidia in self._lidias():
            totals["out"] += 1
            totals["hurt"] += lidia.injured.bit_count()
            if lidia.finisher_id is not None:
                totals.add(lidia)
        return totals

    def _alternativas(self) -> list[Alternativa]:
        """Return the alternativas by date. Padrino and testigo are on the same cartel."""
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

    def _cut(self) -> list[Cut]:
        counts: dict[int, Tally] = defaultdict(Tally)
        for lidia in self._lidias():
            if lidia.finisher_id is not None:
                counts[lidia.finisher_id].add(lidia)
        cut = [
            Cut(pk, self.people[pk], tally)
            for pk, tally in counts.items()
            if tally["ears"] or tally["indultos"]
        ]
        cut.sort(key=lambda one: (-points(BY_KEY[TRIUMPH], one.counts), one.person.full_name))
        return followed_first(cut, self.followed.matadors, attrgetter("matador"))

    def _load(
        self, afternoons: Iterable[Afternoon], replayed: Collection[int], spared: Iterable[Result]
    ) -> None:
        """Read draws, printed cards and bulls of what is shown, and find the deciding cards."""
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

    def _draws(self, lidia: Result) -> bytes:
        return bytes(self.rows[lidia.pk].draws)

    def _card(self, lidia: Result) -> MatadorCard | None:
        places = self.cards.get(lidia.corrida_id, [])
        return next((place.card for place in places if place.matador_id == lidia.finisher_id), None)

    def _decision(self, lidia: Result) -> Decision | None:
        card = self._card(lidia)
        if card is None:
            return None
        deck = engine_deck(self.corridas[lidia.corrida_id].deck)
        return decide(lidia, self._draws(lidia), deck, card, earlier=self._earlier(lidia))

    def _earlier(self, lidia: Result) -> bytes:
        """Return the cards drawn before a lidia from the same deck, by the rule of shuffling."""
        if self.run.season.engine_rules().shuffle == "each_bull":
            return b""
        before = (row for row in self.lidias[lidia.corrida_id] if row.turn < lidia.turn)
        return b"".join(map(self._draws, before))

    def _bands(self, champion: Share | None) -> Mapping[str, str]:
        card = self._card(champion.best.lidia) if champion and champion.best else None
        return card.ranges() if card else {}

    def _standings(self) -> tuple[list[Standing], list[Standing]]:
        """Return the escalafón before and after the run, without corridas of later days."""
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
        """Rank by these corridas; of the `last` one (its key) only so many bulls count."""
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

    def _hurt(self, *, by_gravity: bool) -> list[Hurt]:
        rows = list(Injury.objects.filter(corrida__run=self.run.pk).order_by("since", "pk"))
        if by_gravity:
            rows.sort(key=lambda row: row.since - row.until)
        return [
            Hurt(
                injury=row,
                person=self.people[row.matador_id],
                corrida=self.corridas[row.corrida_id],
                missed=self._missed(row),
            )
            for row in rows
        ]

    def _missed(self, injury: Injury) -> list[Missed]:
        missed = []
        for pk, corrida in self.corridas.items():
            if not injury.since < corrida.date <= injury.until:
                continue
            for place in self.places[pk]:
                if place.instead_of == injury.matador_id:
                    missed.append(Missed(corrida, self.people[place.matador]))
                elif place.matador == injury.matador_id and not corrida.is_over:
                    missed.append(Missed(corrida, None))
        return missed

    def _injury_card(self, hurt: Hurt) -> int | None:
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

    def _spared(self, lidia: Result) -> Spared:
        card = self._card(lidia)
        return Spared(
            bull=self.rows[lidia.pk].bull,
            lidia=lidia,
            person=self.people[lidia.finisher_id or 0],
            corrida=self.corridas[lidia.corrida_id],
            decision=self._indulto(lidia),
            range=card.ranges()["indulto"].replace("-", "–") if card else "",
        )

    def _indulto(self, lidia: Result) -> Decision | None:
        return indulto(self._draws(lidia), engine_deck(self.corridas[lidia.corrida_id].deck))

    def _fallen(self) -> list[Fallen]:
        if self.shielded:
            return []
        stored = {line["key"]: line for line in self.run.fallen or []}
        return [
            Fallen(
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

    def _near(self, coming: Sequence[Corrida]) -> list[records.Said]:
        if self.shielded or not coming:
            return []
        said = records.said_before(coming, NEAR)
        by_matador: dict[str, records.Said] = {}
        for corrida in coming:
            for sentence in said.get(corrida.pk, []):
                by_matador.setdefault(sentence.slug, sentence)
        return sorted(by_matador.values(), key=lambda sentence: not sentence.record)[:NEAR]

    def _stops(self, hurt: Iterable[Hurt], spared: Iterable[Result]) -> list[Stop]:
        """Return who met the conditions that stopped the run, in its last corrida."""
        corrida = self.corridas.get(self.run.last_id)
        if corrida is None or self.run.state != Run.State.STOPPED:
            return []
        here = [one for one in hurt if one.corrida.pk == corrida.pk]
        spared_here = [lidia for lidia in spared if lidia.corrida_id == corrida.pk]
        by_condition: dict[StopOn, Callable[[], list[Stop]]] = {
            StopOn.INJURY: lambda: [
                Stop("injury", one.person, corrida, one.injury.turn, self._injury_card(one))
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

    def _stop(self, kind: str, lidia: Result, card: int | None = None, words: str = "") -> Stop:
        """Return a stop at a card of a lidia, by default its last."""
        person = self.people.get(lidia.finisher_id or 0)
        corrida = self.corridas[lidia.corrida_id]
        return Stop(kind, person, corrida, lidia.turn, card or len(self._draws(lidia)), words)

    def _new_leader(self, corrida: Any) -> list[Stop]:
        """Find the bull after which the new leader stayed in front; None before the first."""
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
            return [Stop("leader", person, corrida, 0, 0)]
        return [self._stop("leader", lidias[step - 1])._replace(person=person)]

    def _broken(self, line: Fallen, corrida: Any) -> Stop:
        """Point at the last bull that counted for a record, or at the paseíllo."""
        counted = [
            lidia
            for lidia in self.lidias[corrida.pk]
            if line.turn in {None, lidia.turn}
            and (line.person is None or self.people.get(lidia.finisher_id or 0) == line.person)
        ]
        if counted and not line.key.endswith("_corridas"):
            stop = self._stop("record", counted[-1], words=line.label)
            return stop._replace(person=line.person)
        return Stop("record", line.person, corrida, 0, 0, line.label)


def _posting(corrida: Any) -> tuple[dt.datetime, dt.date, int]:
    """Return the place of a corrida in the order of posting; several may have one instant."""
    return (corrida.posted_at, corrida.date, corrida.pk)


def _shown(lidia: Result) -> results.Bull:
    return results.Bull(
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
    moves: Sequence[Move], followed: Collection[int], *, before: bool, whole: bool
) -> list[Move]:
    """Return all moves, or the most telling ones by place; without places before, the first."""
    if not before:
        return list(moves if whole else moves[:MOVES])
    if whole:
        return [move for move in moves if move.was != move.line.place]
    moved = [
        move for move in moves if move.gained or (move.was is None and move.line.pk in followed)
    ]
    moved.sort(key=lambda move: (move.line.pk not in followed, *_weight(move)))
    return sorted(moved[:MOVES], key=lambda move: move.line.place)


def _weight(move: Move) -> tuple[bool, bool, int, int]:
    """Put changes of the lead first, then the largest among the first ten."""
    best = min(move.line.place, move.was or move.line.place)
    return (best > 1, best > HEAD, -abs(move.gained), move.line.place)
