"""Consistency checks of a season's rows, computed without the code that writes these rows."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator

from corridas.engine import Crowd, Ending, ImpossibleDraw, LidiaResult, Trophy
from corridas.models import Bull, Corrida, Injury, Lidia, Matador, Puesto, Season
from corridas.simulation.post import rebuild
from corridas.simulation.rows import replay
from corridas.world.form import outcome, push

LEFT = {"killed": "muerto", "spared": "semental", "three_avisos": "corrales"}
LEFT["broken_off"] = "corrales"


def faults(season: Season) -> list[str]:
    """Return a description of every inconsistency in the rows of a season."""
    return [
        *rebuild(season, write_rows=False),
        *_lidias(season),
        *_replays(season),
        *_injuries(season),
        *_forms(season),
        *_bulls(season),
    ]


def lidias_of(corrida: Corrida) -> list[Lidia]:
    return list(Lidia.objects.filter(corrida=corrida).order_by("turn"))


def _played(season: Season) -> list[Corrida]:
    states = (*Corrida.OVER, Corrida.State.ON_AIR)
    found = Corrida.objects.of_season(season).filter(state__in=states)
    return list(found.select_related("season", "plaza", "cartel__deck"))


def _lidias(season: Season) -> Iterator[str]:
    """Find wrong numbers of lidias: six or fewer if broken off, and none before a corrida is
    played.
    """
    played = _played(season)
    others = Corrida.objects.of_season(season).exclude(pk__in=[corrida.pk for corrida in played])
    for corrida in others.filter(lidias__isnull=False).distinct():
        yield f"{corrida} is {corrida.state} and has lidias"
    for corrida in played:
        lidias = lidias_of(corrida)
        turns = [lidia.turn for lidia in lidias]
        if turns != list(range(1, len(turns) + 1)) or not turns:
            yield f"{corrida} has the turns {turns}"
            continue
        broken = len(turns) < 6 or lidias[-1].ending == "broken_off"
        if corrida.is_over and broken != (corrida.state == "suspended"):
            yield f"{corrida} is {corrida.state} with {len(turns)} lidias"


def _replays(season: Season) -> Iterator[str]:
    """Find lidias whose columns differ from a replay of the stored cards."""
    for corrida in _played(season):
        puestos = list(Puesto.objects.filter(cartel=corrida.pk).order_by("order"))
        men = [puesto.matador_id for puesto in puestos]
        try:
            record = replay(corrida)
        except ImpossibleDraw as error:
            yield f"{corrida}: {error}"
            continue
        derived = [_columns(lidia.turn + 1, lidia.result, men) for lidia in record.lidias]
        kept = [tuple(getattr(lidia, name) for name in COLUMNS) for lidia in lidias_of(corrida)]
        bulls = dict(Bull.objects.filter(cartel=corrida.pk).values_list("pk", "place"))
        came = [bulls[lidia.bull_id] for lidia in lidias_of(corrida)]
        if kept != derived:
            yield f"{corrida}: kept {kept}, its cards give {derived}"
        if came != list(record.sorteo[: len(came)]):
            yield f"{corrida}: the bulls came out as {came}, drawn was {record.sorteo}"


COLUMNS = (
    "turn",
    "starter_id",
    "finisher_id",
    "ending",
    "injured",
    "matador_points",
    "bull_points",
    "kill_points",
    "avisos",
    "score",
    "number",
    "trophy",
    "vuelta",
    "crowd",
)


def _columns(turn: int, result: LidiaResult, men: list[int]) -> tuple[object, ...]:
    finisher = None if result.finisher is None else men[result.finisher]
    injured = sum(2**order for order in result.injured)
    rest = [getattr(result, name) for name in COLUMNS[5:]]
    return (turn, men[result.starter], finisher, result.ending.value, injured, *rest)


def _hurt(season: Season) -> Counter[tuple[int, int, int]]:
    """Return which matadors were injured in which corrida and turn, from the bits stored with
    lidias.
    """
    hurt: Counter[tuple[int, int, int]] = Counter()
    for lidia in Lidia.objects.posted().filter(corrida__season=season).exclude(injured=0):
        for puesto in Puesto.objects.filter(cartel=lidia.corrida_id):
            if lidia.injured & 1 << puesto.order:
                hurt[lidia.corrida_id, puesto.matador_id, lidia.turn] += 1
    return hurt


def _injuries(season: Season) -> Iterator[str]:
    """Find injuries that are missing, superfluous, or not noted with the turn in the cartel."""
    hurt = _hurt(season)
    rows = Injury.objects.filter(corrida__season=season)
    kept = Counter(rows.values_list("corrida_id", "matador_id", "turn"))
    puestos = Puesto.objects.filter(cartel__corrida__season=season, injured_in__isnull=False)
    named = Counter(puestos.values_list("cartel_id", "matador_id", "injured_in"))
    if kept != hurt:
        yield f"injuries kept {kept}, the lidias say {hurt}"
    if named != hurt:
        yield f"injuries on the carteles {named}, the lidias say {hurt}"
    for injury in rows:
        if not injury.since < injury.until <= injury.since + dt.timedelta(150):
            yield f"{injury} is no rest"


def _forms(season: Season) -> Iterator[str]:
    """Find matadors whose form is not that of their last ten bulls in the order fought."""
    forms: dict[int, str] = defaultdict(str)
    posted = Lidia.objects.posted().filter(corrida__season__circuit=season.circuit_id)
    for lidia in posted.order_by("corrida__posted_at", "corrida__date", "corrida", "turn"):
        if lidia.finisher_id is not None:
            trophy = None if lidia.trophy is None else Trophy(lidia.trophy)
            crowd = None if lidia.crowd is None else Crowd(lidia.crowd)
            letter = outcome(Ending(lidia.ending), trophy, crowd)
            forms[lidia.finisher_id] = push(forms[lidia.finisher_id], letter)
    for matador in Matador.objects.filter(circuit=season.circuit_id):
        if matador.form != forms[matador.pk]:
            yield f"{matador} has the form {matador.form}, his bulls give {forms[matador.pk]}"


def _bulls(season: Season) -> Iterator[str]:
    """Find bulls whose state is not the result of their lidia.

    A bull that has not fought, or whose corrida is not posted yet, must be in the field (`campo`).
    """
    for bull in Bull.objects.filter(cartel__corrida__season=season).select_related(
        "lidia__corrida"
    ):
        lidia = getattr(bull, "lidia", None)
        told = lidia is not None and lidia.corrida.is_over
        where = LEFT[lidia.ending] if lidia and told else "campo"
        if bull.state != where:
            yield f"{bull} is {bull.state}, not {where}"
