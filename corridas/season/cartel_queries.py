"""Queries for choosing the matadors and the herd of a corrida, and what is known of each."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from django.db.models import Count, Max, Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from corridas.engine import BULLS, EARS, Trophy
from corridas.escalafon.queries.chances import (
    BULLS_EACH,
    chance_columns,
    stored_chances,
    usual_cartel,
)
from corridas.escalafon.queries.profiles import printed
from corridas.models import (
    Commitment,
    Corrida,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Puesto,
    Season,
)
from corridas.results import LETTERS, loudness, verdict
from corridas.simulation.draw import HerdBook, Offered, ceremonies
from corridas.world.chances import Chances
from corridas.world.distance import Place, distance_km, rest_days
from corridas.world.form import value
from corridas.world.names import plaza_in_sentence

# A matador cannot appear on the other continent within this time before or after a corrida.
OCEAN: Final = dt.timedelta(days=2)
# Values of a matador without a card: his rating, the ears of a usual cartel, and his chances.
NO_CARD: Final = (0, None, None, None, None, None)
# After this many days of rest, the journey since the last corrida is no longer shown.
RECENT_REST: Final = 7


class Refusal(NamedTuple):
    """Why a matador or a herd cannot be chosen: as a full sentence, and in a few words.

    `day` is the date of the corrida whose result the text reveals, if any.
    """

    sentence: str
    reason: str
    day: dt.date | None = None


class Engagement(NamedTuple):
    """Another corrida on whose cartel (poster) a matador is announced: its date and place."""

    date: dt.date
    plaza: str
    city: str
    continent: str


def refusals(corrida: Corrida, matadors: Iterable[Matador]) -> dict[int, Refusal]:
    """Return, by key, why matadors cannot appear in a corrida. Six queries at most.

    Matadors without an entry can appear: they are active, have a card and are full matadors, are
    not injured, and have no other corrida that day or on the other continent on an adjacent day.
    Corridas for which promoters have signed them count too.
    """
    asked = list(matadors)
    keys = [matador.pk for matador in asked]
    carded = set(MatadorCard.objects.filter(matador__in=keys).values_list("matador", flat=True))
    near: dict[int, list[Engagement]] = defaultdict(list)
    for row in _engagements(corrida, keys, since=corrida.date - OCEAN):
        near[row.matador_id].append(row.engagement)
    begins = {held.matador: held.date for held in ceremonies(corrida.season)}
    return _refusals(corrida, asked, carded, begins, near)


def _refusals(
    corrida: Corrida,
    matadors: Sequence[Matador],
    carded: Collection[int],
    begins: Mapping[int, dt.date],
    near: Mapping[int, Iterable[Engagement]],
) -> dict[int, Refusal]:
    keys = [matador.pk for matador in matadors]
    hurt = Injury.objects.filter(
        matador__in=keys, since__lte=corrida.date, until__gte=corrida.date
    ).order_by("until")
    injuries = {injury.matador_id: injury for injury in hurt.select_related("corrida")}
    found = {}
    for man in matadors:
        refusal = _refusal(
            corrida,
            man,
            man.pk in carded,
            begins.get(man.pk),
            injuries.get(man.pk),
            near.get(man.pk, ()),
        )
        if refusal:
            found[man.pk] = refusal
    return found


def _refusal(
    corrida: Corrida,
    matador: Matador,
    carded: bool,
    begins: dt.date | None,
    injury: Injury | None,
    near: Iterable[Engagement],
) -> Refusal | None:
    if matador.circuit_id != corrida.season.circuit_id:
        sentence = _("%s belongs to another circuit.")
        return Refusal(sentence % matador, _("From another circuit"))
    if matador.state != Matador.State.ACTIVE:
        return Refusal(_("%s is not an active matador.") % matador, _("Not an active matador"))
    if not carded:
        return Refusal(_("%s has no card, so he can’t appear.") % matador, _("Has no card yet"))
    if begins and corrida.date < begins:
        sentence = _("%(matador)s doesn’t take the alternativa until %(date)s.")
        words = {"matador": matador, "date": date_format(begins, "DATE_FORMAT")}
        reason = _("The alternativa is on %s") % date_format(begins, "j F")
        return Refusal(sentence % words, reason)
    if injury:
        sentence = _("%s is injured and can’t appear on that day.")
        reason = _("Injured until %s") % date_format(injury.until, "j F")
        return Refusal(sentence % matador, reason, injury.corrida.date)
    return _clash(corrida, matador, near)


def _clash(corrida: Corrida, matador: Matador, near: Iterable[Engagement]) -> Refusal | None:
    for other in near:
        names = {"matador": matador, "plaza": other.plaza, "city": other.city}
        if other.date == corrida.date:
            sentence = _("%(matador)s is already announced in %(plaza)s on that day.")
            return Refusal(sentence % names, _("Appears in %(city)s on the same day") % names)
        if other.continent != corrida.plaza.continent and abs(other.date - corrida.date) <= OCEAN:
            sentence = _(
                "%(matador)s can’t cross the ocean in time to reach %(plaza)s or to return from it."
            )
            names["day"] = date_format(other.date, "j F")
            return Refusal(
                sentence % names, _("Appears in %(city)s, across the ocean, on %(day)s") % names
            )
    return None


def left_out(corrida: Corrida, matadors: Iterable[Matador]) -> str:
    """Return a sentence about a matador who must appear but is not among these, or "".

    A matador whose alternativa takes place in the corrida must appear in it.
    """
    bound = {held.matador for held in ceremonies(corrida.season) if held.corrida == corrida.pk}
    missing = bound - {matador.pk for matador in matadors}
    active = Matador.objects.filter(pk__in=missing, state=Matador.State.ACTIVE)
    new = active.first() if missing else None
    return must_appear(new) if new else ""


def must_appear(matador: Matador) -> str:
    return _("%s takes the alternativa in this corrida and must be on its cartel.") % matador


class _Engaged(NamedTuple):
    matador_id: int
    cartel_id: int
    state: str
    place: Place
    engagement: Engagement


def _engagements(corrida: Corrida, matadors: Collection[int], *, since: dt.date) -> list[_Engaged]:
    """Return other bookings of matadors, the oldest first, until some days after a corrida.

    Corridas for which they are signed, and which have no cartel yet, count too. One query.
    """
    days = (since, corrida.date + OCEAN)
    puestos = Puesto.objects.filter(matador__in=matadors, date__range=days)
    signed = Commitment.objects.on_no_cartel().filter(
        matador__in=matadors, corrida__date__range=days
    )
    fields = ("name", "city", "continent", "latitude", "longitude")
    listed = (
        puestos.exclude(cartel=corrida.pk)
        .order_by()
        .values_list(
            *("matador_id", "cartel_id", "cartel__corrida__state", "date"),
            *(f"cartel__corrida__plaza__{name}" for name in fields),
        )
        .union(
            signed.exclude(corrida=corrida.pk)
            .order_by()
            .values_list(
                *("matador_id", "corrida_id", "corrida__state", "corrida__date"),
                *(f"corrida__plaza__{name}" for name in fields),
            ),
            all=True,
        )
        .order_by("date")
    )
    return [
        _Engaged(
            matador,
            cartel,
            state,
            (latitude, longitude),
            Engagement(date, plaza_in_sentence(city, name), city, continent),
        )
        for matador, cartel, state, date, name, city, continent, latitude, longitude in listed
    ]


def herd_refusal(corrida: Corrida, herd: Ganaderia) -> Refusal | None:
    if herd.circuit_id != corrida.season.circuit_id:
        sentence = _("%s belongs to another circuit.")
        return Refusal(sentence % herd, _("From another circuit"))
    if herd.archived_at is not None:
        return Refusal(_("The herd %s is archived.") % herd, _("Archived"))
    if herd.continent != corrida.plaza.continent:
        sentence = _("%s is on another continent, and bulls don’t cross the ocean.")
        return Refusal(sentence % herd, _("On another continent"))
    return None


class LastAfternoon(NamedTuple):
    """The best result of a matador in his last corrida.

    `verdict` is None if he finished no bull.
    """

    corrida: int
    verdict: str | None
    city: str
    date: dt.date


class Journey(NamedTuple):
    """A matador's journey from his previous booking to the corrida.

    `rest` is the number of days in between, and `km` the distance, None if it is unknown.
    """

    city: str
    date: dt.date
    rest: int
    km: int | None

    @property
    def recent(self) -> bool:
        """Whether the matador has rested for less than a week since then."""
        return self.rest < RECENT_REST


class Meetings(NamedTuple):
    """Corridas in which two matadors appeared: how often each one did better, and ties.

    The matador with more ears did better, and tails break ties.
    """

    won: int
    lost: int
    level: int

    @property
    def total(self) -> int:
        return self.won + self.lost + self.level


@dataclass(kw_only=True, eq=False)
class CartelCandidate:
    """A matador from whom the director can choose, with what is known of him.

    `chances` are those of his newest card in this category of plaza, None until they are
    calculated. `form` and `form_value` (-100 to 100) are empty if they are hidden. `ears` and
    `bulls` count this season and the last, in plazas of the same category. `bound` is true if the
    matador's alternativa takes place in the corrida, so that he must appear.
    """

    matador: Matador
    rating: int
    style: str
    form: list[str]
    form_value: int | None
    chances: Chances | None = None
    ears: int = 0
    bulls: int = 0
    last: LastAfternoon | None = None
    journey: Journey | None = None
    refusal: Refusal | None = None
    announced: bool = False
    bound: bool = False
    meetings: list[tuple[CartelCandidate, Meetings]] = field(default_factory=list)

    @property
    def pk(self) -> int:
        return self.matador.pk

    @property
    def name(self) -> str:
        return self.matador.billing

    @property
    def style_name(self) -> str:
        return self.matador.style_name

    @property
    def expected(self) -> float | None:
        """The ears expected from his two bulls."""
        return BULLS_EACH * self.chances.ears if self.chances else None

    @property
    def promise(self) -> tuple[float, int]:
        """Sort key by expected ears, then by rating.

        Matadors without chances come after all others.
        """
        return (-1.0 if self.expected is None else self.expected, self.rating)

    @property
    def ears_per_bull(self) -> float:
        return self.ears / self.bulls if self.bulls else -1.0


class Candidates(NamedTuple):
    """The matadors from whom the director can choose.

    `usual` are the ears expected from a usual cartel in plazas of this category, None if they are
    unknown (`usual_cartel`).
    """

    lines: list[CartelCandidate]
    usual: float | None


def candidates(corrida: Corrida, until: dt.date | None = None) -> Candidates:
    """Return every active matador of the circuit with what is known of him.

    Results count up to the day `until`, or all posted ones if it is None. Ten queries at most.
    """
    circuit = corrida.season.circuit_id
    men = list(Matador.objects.filter(circuit=circuit, state=Matador.State.ACTIVE))
    cards = printed(until).filter(matador__in=[man.pk for man in men]).order_by("printing")
    category = corrida.plaza.category
    rows = cards.values_list(
        "matador_id",
        "rating",
        usual_cartel(corrida.season, category),
        *chance_columns(category),
    )
    printed_cards = {matador: row for matador, *row in rows}
    usual = next((usual for _rating, usual, *_chances in printed_cards.values()), None)
    since = dt.date(corrida.season.year, 1, 1) - OCEAN
    engaged = _engagements(corrida, [man.pk for man in men], since=since)
    near: dict[int, list[Engagement]] = defaultdict(list)
    for row in engaged:
        near[row.matador_id].append(row.engagement)
    held = ceremonies(corrida.season)
    why = _refusals(corrida, men, printed_cards, {one.matador: one.date for one in held}, near)
    bound = {one.matador for one in held if one.corrida == corrida.pk}
    cut = _ears_by_category(corrida, until)
    last, journeys = _afternoons(corrida, engaged, until)
    announced = set(Puesto.objects.filter(cartel=corrida.pk).values_list("matador", flat=True))
    lines = []
    for man in men:
        rating, _usual, *known = printed_cards.get(man.pk, NO_CARD)
        lines.append(
            CartelCandidate(
                matador=man,
                rating=rating,
                chances=stored_chances(*known),
                style=man.style,
                form=[] if until else [LETTERS[letter] for letter in man.form],
                form_value=None if until else value(man.form),
                ears=cut[man.pk][0],
                bulls=cut[man.pk][1],
                last=last.get(man.pk),
                journey=journeys.get(man.pk),
                refusal=_hidden(why.get(man.pk), until),
                announced=man.pk in announced,
                bound=man.pk in bound,
            )
        )
    return Candidates(lines, usual)


def _hidden(refusal: Refusal | None, until: dt.date | None) -> Refusal | None:
    """Replace the reason of a refusal that would reveal an injury which is still hidden."""
    if refusal and refusal.day and until and refusal.day > until:
        return Refusal(refusal.sentence, _("Not available on that day"))
    return refusal


def _two_seasons(season: Season) -> QuerySet[Season]:
    years = (season.year - 1, season.year)
    return Season.objects.filter(circuit=season.circuit_id, year__in=years)


def recent_corridas(season: Season, until: dt.date | None = None) -> QuerySet[Corrida]:
    """Return finished corridas of a season and of the one before it, up to a day."""
    over = Corrida.objects.over().filter(season__in=_two_seasons(season))
    return over.filter(date__lte=until) if until else over


def _ears_by_category(corrida: Corrida, until: dt.date | None) -> dict[int, list[int]]:
    """Return ears and bulls of each matador in plazas of the same category as the corrida's."""
    here = recent_corridas(corrida.season, until).filter(plaza__category=corrida.plaza.category)
    rows = Lidia.objects.filter(corrida__in=here, finisher__isnull=False).order_by()
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    counted = rows.values_list("finisher_id", "trophy").annotate(Count("pk"))
    for matador, trophy, number in counted:
        sums[matador][0] += EARS[trophy or 0] * number
        sums[matador][1] += number
    return sums


def _afternoons(
    corrida: Corrida, engaged: Iterable[_Engaged], until: dt.date | None
) -> tuple[dict[int, LastAfternoon], dict[int, Journey]]:
    """Return the last posted corrida of each matador, and his journey to this corrida."""
    there = (corrida.plaza.latitude, corrida.plaza.longitude)
    posted: dict[int, _Engaged] = {}
    journeys = {}
    for row in engaged:
        date, city = row.engagement.date, row.engagement.city
        if date < corrida.date:
            rest, km = rest_days(date, corrida.date), distance_km(row.place, there)
            journeys[row.matador_id] = Journey(city, date, rest, km)
            if row.state in Corrida.OVER and not (until and date > until):
                posted[row.matador_id] = row
    best = _best_verdicts({row.cartel_id for row in posted.values()})
    last = {
        matador: LastAfternoon(
            row.cartel_id,
            best.get((row.cartel_id, matador)),
            row.engagement.city,
            row.engagement.date,
        )
        for matador, row in posted.items()
    }
    return last, journeys


def _best_verdicts(corridas: Collection[int]) -> dict[tuple[int, int], str]:
    rows = Lidia.objects.filter(corrida__in=corridas, finisher__isnull=False).order_by()
    best: dict[tuple[int, int], str] = {}
    for corrida, finisher, trophy, crowd in rows.values_list(
        "corrida_id", "finisher_id", "trophy", "crowd"
    ):
        reached, at = verdict(trophy, crowd), (corrida, finisher)
        if reached and (at not in best or loudness(reached) > loudness(best[at])):
            best[at] = reached
    return best


def add_meetings(
    corrida: Corrida,
    every: Sequence[CartelCandidate],
    chosen: Sequence[CartelCandidate],
    until: dt.date | None = None,
) -> None:
    """Set the `meetings` of each candidate: his results against the chosen matadors.

    Two queries.
    """
    if not chosen:
        return
    over = Corrida.objects.over().filter(season__circuit=corrida.season.circuit_id)
    if until:
        over = over.filter(date__lte=until)
    pairs = [(line.pk, other.pk) for line in every for other in chosen if line is not other]
    met = meetings(over, {other.pk for other in chosen}, pairs)
    for line in every:
        line.meetings = [
            (other, met[line.pk, other.pk]) for other in chosen if (line.pk, other.pk) in met
        ]


def meetings(
    over: QuerySet[Corrida], among: Collection[int], pairs: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], Meetings]:
    """Return how often each matador of a pair did better, over the corridas `over`. Two queries.

    One matador of each pair must be in `among`. Pairs that never met have no entry.
    """
    mine = Puesto.objects.filter(matador__in=among).values("cartel")
    carteles: dict[int, list[int]] = defaultdict(list)
    puestos = Puesto.objects.filter(cartel__in=mine, cartel__corrida__in=over).order_by()
    for cartel, matador in puestos.values_list("cartel_id", "matador_id"):
        carteles[cartel].append(matador)
    lidias = Lidia.objects.filter(
        corrida__in=over, corrida__cartel__in=mine, trophy__gt=0, finisher__isnull=False
    ).order_by()
    cut: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for key, matador, trophy in lidias.values_list("corrida_id", "finisher_id", "trophy"):
        cut[key, matador][0] += EARS[trophy or 0]
        cut[key, matador][1] += trophy == Trophy.RABO
    nothing = [0, 0]
    won: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for key, men in carteles.items():
        for one, other in combinations(men, 2):
            left, right = cut.get((key, one), nothing), cut.get((key, other), nothing)
            sign = (left > right) - (left < right)
            won[one, other][sign] += 1
            won[other, one][-sign] += 1
    return {
        pair: Meetings(won[pair][1], won[pair][-1], won[pair][0]) for pair in pairs if pair in won
    }


class HerdLine(NamedTuple):
    """A herd from which the director can choose the bulls of a corrida.

    `sent` is the number of corridas that it supplies this season. `bulls`, `ears` and `spared`
    count this season and the last. `here` is the date of its last corrida in the same plaza.
    """

    herd: Ganaderia
    announced: bool
    sent: int
    bulls: int
    ears: int
    spared: int
    here: dt.date | None
    refusal: Refusal | None


@dataclass(frozen=True, kw_only=True)
class Herds:
    """The herds of a circuit in the order of renown, the announced one first.

    `refused` are the herds that cannot be chosen.
    """

    lines: list[HerdLine]
    refused: list[HerdLine]
    book: HerdBook

    def find_herd(self, key: int | None) -> Ganaderia | None:
        """Return the herd with this key.

        Without a valid key it is the announced herd or the first one.
        """
        by_key = {line.herd.pk: line.herd for line in self.lines}
        first = self.lines[0].herd if self.lines else None
        return by_key.get(key, first) if key is not None else first

    def offer(self, corrida: Corrida, herd: Ganaderia) -> list[Offered]:
        """Return the bulls that a herd offers, those announced for the corrida first. One query."""
        return self.book.offer(corrida, herd)


def herds(corrida: Corrida, until: dt.date | None = None) -> Herds:
    """Return the herds of the circuit with the results of their bulls. Four queries."""
    book = HerdBook(corrida.season)
    over = recent_corridas(corrida.season, until)
    fought = Lidia.objects.filter(corrida__in=over).order_by()
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    here: dict[int, dt.date] = {}
    rows = fought.values_list("bull__ganaderia_id", "trophy", "ending").annotate(
        Count("pk"), here=Max("corrida__date", filter=Q(corrida__plaza=corrida.plaza_id))
    )
    for herd, trophy, ending, number, date in rows:
        sums[herd]["bulls"] += number
        sums[herd]["ears"] += EARS[trophy or 0] * number
        sums[herd]["spared"] += number if ending == Lidia.Ending.SPARED else 0
        if date:
            here[herd] = max(date, here.get(herd, date))
    announced = corrida.cartel.ganaderia_id if hasattr(corrida, "cartel") else None
    lines = [
        HerdLine(
            herd,
            herd.pk == announced,
            book.encierros(herd),
            sums[herd.pk]["bulls"],
            sums[herd.pk]["ears"],
            sums[herd.pk]["spared"],
            here.get(herd.pk),
            herd_refusal(corrida, herd) or _spent(book, herd, herd.pk == announced),
        )
        for herd in book.herds
    ]
    lines.sort(key=lambda line: not line.announced)
    return Herds(
        lines=[line for line in lines if not line.refusal],
        refused=[line for line in lines if line.refusal],
        book=book,
    )


def _spent(book: HerdBook, herd: Ganaderia, announced: bool) -> Refusal | None:
    if announced or book.has_bulls(herd):
        return None
    words = _("The herd has fewer than %s bulls left") % BULLS
    return Refusal(words, words)
