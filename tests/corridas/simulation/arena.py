"""Two small circuits whose rows have the same names, and corridas with lidias of chosen results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from corridas.models import Bull, Corrida, Feria, Lidia, Season
from corridas.simulation.insertion import LidiaRow
from corridas.simulation.post import post_now
from corridas.world.deeds import PlayedCorrida
from tests.factories import World, small_circuit

NOW: Final = dt.datetime(2027, 3, 1, 17, tzinfo=dt.UTC)

# Columns of a lidia that was finished, and the figures credited to the matador who finished it.
OUTCOMES: Final[tuple[tuple[dict[str, Any], dict[str, int]], ...]] = (
    ({}, {}),
    ({"trophy": 1}, {"ears": 1}),
    ({"trophy": 2}, {"ears": 2, "two_ears": 1}),
    ({"trophy": 3}, {"ears": 2, "two_ears": 1, "tails": 1}),
    ({"vuelta": True}, {"vueltas": 1}),
    ({"ending": "spared"}, {"indultos": 1}),
    ({"avisos": 2}, {"avisos": 2}),
    ({"ending": "three_avisos", "avisos": 3}, {"avisos": 3, "three_avisos": 1}),
    ({"ending": "spared", "trophy": 3}, {"indultos": 1, "ears": 2, "two_ears": 1, "tails": 1}),
)


def fought(turn: int = 1, **columns: Any) -> LidiaRow:
    """Return the row of a lidia without a trophy, fought by the matador whose turn it is.

    The matadors have the keys 1, 2, 3, and the bulls the keys 101 to 106.
    """
    plain: dict[str, Any] = {
        "corrida_id": 7,
        "turn": turn,
        "bull_id": 100 + turn,
        "starter_id": (turn - 1) % 3 + 1,
        "finisher_id": (turn - 1) % 3 + 1,
        "ending": "killed",
        "injured": 0,
        "draws": b"",
        "matador_points": 5,
        "bull_points": 2,
        "kill_points": 0,
        "avisos": 0,
        "score": 3,
        "number": 40,
        "trophy": 0,
        "vuelta": False,
        "crowd": 3,
    }
    return LidiaRow(**plain | columns)


def played(
    *lidias: LidiaRow, category: int = 1, day: dt.date = dt.date(2027, 3, 7)
) -> PlayedCorrida:
    """Return a played corrida of the matadors 1, 2 and 3."""
    return PlayedCorrida(
        pk=7,
        date=day,
        plaza="ronda",
        category=category,
        feria="goyesca",
        herd="miura",
        herd_key=50,
        matadors=(1, 2, 3),
        lidias=lidias,
        suspended=False,
        seed=b"s" * 32,
    )


def twins() -> tuple[World, World]:
    """Create the site's circuit and a second one whose plazas, ferias and matadors have the
    same slugs.
    """
    return small_circuit(), small_circuit("otra", "Circuito Otro")


def in_year(world: World, year: int) -> World:
    """Return the circuit with a season in another year, which has a feria with the same slug."""
    season = Season.objects.create(
        circuit=world.circuit, year=year, seed=b"t" * 32, commitment=b"c" * 32
    )
    feria = Feria.objects.create(
        season=season,
        plaza=world.plazas[0],
        slug=world.feria.slug,
        name=world.feria.name,
        starts=dt.date(year, 3, 1),
        ends=dt.date(year, 3, 9),
    )
    return replace(world, season=season, feria=feria)


def day_of(world: World, day: int, month: int = 3) -> dt.date:
    return dt.date(world.season.year, month, day)


def fight(
    world: World,
    corrida: Corrida,
    *brought: Mapping[str, Any],
    bulls: int = 6,
    state: str = Corrida.State.ON_AIR,
) -> Corrida:
    """Give a corrida lidias with these columns; the other lidias have no trophy.

    `finisher` is the place of a matador in the cartel (0-2), or None.
    """
    trio = [puesto.matador for puesto in corrida.cartel.puestos.order_by("order")]
    born = 1 + Bull.objects.filter(ganaderia=world.herd).count()
    plain = fought()._asdict()
    for name in ("corrida_id", "turn", "bull_id", "starter_id", "finisher_id"):
        del plain[name]
    herd = Bull.objects.bulk_create(
        Bull(
            ganaderia=world.herd,
            year=world.season.year,
            number=born + turn,
            name=f"Farolero {born + turn}",
            coat="negro",
            weight=520,
            cartel=corrida.cartel,
            place=turn,
        )
        for turn in range(bulls)
    )
    lidias = []
    for turn, bull in enumerate(herd):
        columns = dict(brought[turn]) if turn < len(brought) else {}
        by = columns.pop("finisher", turn % 3)
        lidias.append(
            Lidia(
                corrida=corrida,
                turn=turn + 1,
                bull=bull,
                starter=trio[turn % 3],
                finisher=None if by is None else trio[by],
                **plain | {"ends_at": NOW} | columns,
            )
        )
    Lidia.objects.bulk_create(lidias)
    corrida.state, corrida.on_air_at, corrida.ends_at, corrida.pace_ms = state, NOW, NOW, 1000
    corrida.save()
    return corrida


def post(
    world: World,
    day: dt.date,
    *brought: Mapping[str, Any],
    plaza: int = 0,
    first: int = 0,
    bulls: int = 6,
) -> Corrida:
    """Announce a corrida, give it lidias, and post it (add its results to the season's tables)."""
    corrida = fight(world, world.announce(day, plaza, first), *brought, bulls=bulls)
    assert post_now(corrida.pk, at=NOW)
    corrida.refresh_from_db()
    return corrida
