"""A novillero (apprentice) becomes a matador in a ceremony, the alternativa, in a corrida.

If a matador who attends the ceremony is injured, another one takes his place.
"""

from __future__ import annotations

import datetime as dt
from itertools import permutations
from typing import Any

import pytest

from corridas import notifications
from corridas.errors import OperationError
from corridas.models import Corrida, Escalafon, Injury, Matador, Puesto, Season, Winter
from corridas.season import cartel_queries
from corridas.season.cartel_effect import swaps
from corridas.season.operations import set_cartel
from corridas.simulation import draw, verify
from corridas.simulation.draw import ceremonies, market_of
from corridas.simulation.schedule import promise_winter
from corridas.simulation.substitutes import replace_injured
from corridas.simulation.winter import winter_over
from corridas.tabletop.lending import NotFiledError, _printed
from fairness import Seed
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, in_year
from tests.factories import CARD
from tests.scratch import seeds

DAY = dt.date(2027, 4, 11)


def named(world: World, number: int) -> dict[str, str]:
    matador = world.matadors[number]
    return {"slug": matador.slug, "name": matador.name}


@pytest.fixture
def agreed(mine: World) -> World:
    """Return a season for which the winter has planned an alternativa, the ceremony that makes a
    matador.

    Matador 2 takes it in 2027. Matador 0 leads the ceremony (padrino), and matador 3 is the witness
    (testigo). Matador 1 may replace one of them; he is senior to matador 3.
    """
    before = in_year(mine, 2026).season
    news = {
        "kind": "alternativa",
        **named(mine, 2),
        "padrino": named(mine, 0),
        "testigo": named(mine, 3),
        "plaza": "ronda",
        "date": DAY.isoformat(),
    }
    promise_winter(before, Seed(bytes(32)))
    Winter.objects.filter(season=before).update(news=[news], done_at=NOW)
    for number, seasons in enumerate((9, 6, 0, 3)):
        Matador.objects.filter(pk=mine.matadors[number].pk).update(seasons=seasons)
    new = mine.matadors[2]
    Matador.objects.filter(pk=new.pk).update(
        alternativa=DAY, padrino=mine.matadors[0], testigo=mine.matadors[3]
    )
    new.cards.create(printing=2, rating=50, since=2027, **CARD)
    for day in (dt.date(2027, 3, 2), DAY):
        Corrida.objects.create(season=mine.season, plaza=mine.plazas[0], date=day)
    return mine


def names(corrida: Corrida) -> list[str]:
    rows = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
    return list(rows.values_list("matador__slug", flat=True))


def held(world: World) -> Corrida:
    return Corrida.objects.select_related("season__circuit", "plaza").get(
        season=world.season, date=DAY
    )


def witnesses(world: World) -> tuple[str, str]:
    row = Matador.objects.select_related("padrino", "testigo").get(pk=world.matadors[2].pk)
    assert row.padrino
    assert row.testigo
    return row.padrino.slug, row.testigo.slug


def announce(world: World) -> Corrida:
    assert draw.announce_alternativas(world.season, fresh=seeds("agreed"), at=NOW) == 1
    return held(world)


def hurt(world: World, number: int) -> None:
    Injury.objects.create(
        matador=world.matadors[number],
        corrida=Corrida.objects.get(season=world.season, date=dt.date(2027, 3, 2)),
        turn=1,
        grade="grave",
        since=dt.date(2027, 3, 2),
        until=dt.date(2027, 6, 1),
    )


def test_matadors_of_an_alternativa_are_announced_when_the_season_begins(agreed: World) -> None:
    corrida = announce(agreed)
    assert names(corrida) == ["matador-0", "matador-3", "matador-2"]
    assert draw.announce_alternativas(agreed.season, fresh=seeds("again"), at=NOW) == 0


def test_winters_of_version_1_put_no_alternativa_on_a_cartel(agreed: World) -> None:
    Winter.objects.update(version=1)
    assert ceremonies(agreed.season) == []
    assert draw.announce_alternativas(agreed.season, fresh=seeds("old"), at=NOW) == 0


def test_new_matador_gets_no_contract_before_his_alternativa(agreed: World) -> None:
    market = market_of(agreed.season, dt.date(2027, 3, 1))
    new = agreed.matadors[2].pk
    days = (DAY - dt.timedelta(1), DAY, DAY + dt.timedelta(1))
    assert [new in {one.key for one in market.candidates(day)} for day in days] == [
        *(False, True, True),
    ]
    draw.announce(agreed.season, until=dt.date(2027, 12, 31), fresh=seeds("all"))
    early = Corrida.objects.get(season=agreed.season, date=dt.date(2027, 3, 2))
    assert sorted(names(early)) == ["matador-0", "matador-1", "matador-3"]
    assert names(held(agreed)) == ["matador-0", "matador-3", "matador-2"]


@pytest.mark.parametrize(
    ("number", "by"), [(0, ("matador-1", "matador-3")), (3, ("matador-0", "matador-1"))]
)
def test_injured_padrino_or_testigo_is_replaced_by_seniority(
    agreed: World, number: int, by: tuple[str, str]
) -> None:
    corrida = announce(agreed)
    hurt(agreed, number)
    assert replace_injured(agreed.season, since=dt.date(2027, 3, 3), fresh=seeds("x"))
    assert set(names(corrida)) == {*by, "matador-2"}
    assert witnesses(agreed) == by


def test_matador_injured_before_the_announcement_is_no_padrino(agreed: World) -> None:
    hurt(agreed, 0)
    corrida = announce(agreed)
    assert set(names(corrida)) == {"matador-1", "matador-3", "matador-2"}
    assert witnesses(agreed) == ("matador-1", "matador-3")


def test_alternativa_is_not_announced_while_no_padrino_and_testigo_are_available(
    agreed: World,
) -> None:
    hurt(agreed, 0)
    hurt_too = agreed.matadors[1]
    Matador.objects.filter(pk=hurt_too.pk).update(state="retired")
    assert draw.announce_alternativas(agreed.season, fresh=seeds("x"), at=NOW) == 0
    assert witnesses(agreed) == ("matador-0", "matador-3")


def test_director_may_replace_padrino_and_testigo_but_not_the_new_matador(agreed: World) -> None:
    corrida = announce(agreed)
    one, two, new, four = agreed.matadors
    with pytest.raises(OperationError, match="takes the alternativa in this corrida"):
        set_cartel(corrida=corrida, matadors=[one, two, four])
    set_cartel(corrida=corrida, matadors=[new, four, two])
    assert set(names(corrida)) == {"matador-1", "matador-3", "matador-2"}
    assert witnesses(agreed) == ("matador-1", "matador-3")
    early = Corrida.objects.get(season=agreed.season, date=dt.date(2027, 3, 2))
    with pytest.raises(OperationError, match="until 11 April 2027"):
        set_cartel(corrida=early, matadors=[one, two, new])


def test_candidate_lists_mark_the_new_matador_before_and_on_his_day(agreed: World) -> None:
    announce(agreed)
    new = agreed.matadors[2]

    def line(date: dt.date) -> cartel_queries.CartelCandidate:
        corrida = Corrida.objects.select_related("season", "plaza").get(
            season=agreed.season, date=date
        )
        return next(one for one in cartel_queries.candidates(corrida) if one.matador == new)

    early, taken = line(dt.date(2027, 3, 2)), line(DAY)
    assert early.refusal
    assert early.refusal.reason == "The alternativa is on 11 April"
    assert (early.bound, taken.bound, taken.refusal) == (False, True, None)


def test_suggested_swaps_never_remove_the_new_matador(agreed: World) -> None:
    corrida = announce(agreed)
    every = cartel_queries.candidates(corrida)
    new = agreed.matadors[2]
    for trio in permutations(every, 3):
        outgoing = {swap.outgoing.matador for swap in swaps(trio, every)}
        assert new not in outgoing


def test_new_matador_who_has_retired_may_be_replaced(agreed: World) -> None:
    corrida = announce(agreed)
    Matador.objects.filter(pk=agreed.matadors[2].pk).update(state="retired")
    one, two, _new, four = agreed.matadors
    set_cartel(corrida=corrida, matadors=[one, two, four])
    assert witnesses(agreed) == ("matador-0", "matador-3")


def test_real_table_cannot_use_the_new_matador_before_his_alternativa(agreed: World) -> None:
    cards = [printed.card for printed in market_of(agreed.season, DAY).cards.values()]
    assert len(_printed(agreed.season, DAY, cards)) == len(cards)
    with pytest.raises(NotFiledError):
        _printed(agreed.season, DAY - dt.timedelta(1), cards)


# What the winter agrees


def ready(world: World, calendar: list[list[Any]]) -> Season:
    """End a season in which a novillero has waited long enough for his alternativa."""
    men = Matador.objects.filter(circuit=world.circuit)
    men.update(counted_from=2000, promise=90, seasons=4)
    men.filter(pk=world.matadors[2].pk).update(state="novillero", seasons=3, counted_from=2007)
    for number in (0, 1, 3):
        Escalafon.objects.create(
            season=world.season, matador=world.matadors[number], category=1, corridas=3
        )
    world.circuit.calendar = calendar
    world.circuit.save(update_fields=["calendar"])
    promise_winter(world.season, Seed(bytes(32)))
    return world.season


def test_winter_agrees_an_alternativa_for_a_corrida_of_the_next_season(mine: World) -> None:
    season = ready(mine, [["F", "arles", "03-01", 2, "daily"], ["G", "ronda", "05-01", 1, "daily"]])
    following = winter_over(
        season, at=NOW, fresh=seeds("winter"), on_winter=notifications.winter_over
    )
    new = Matador.objects.select_related("padrino", "testigo").get(pk=mine.matadors[2].pk)
    assert (new.state, new.alternativa, new.alternativa_place) == (
        *("active", dt.date(2028, 5, 1), "Ronda"),
    )  # fmt: skip
    corrida = following.corridas.get(date=dt.date(2028, 5, 1))
    assert names(corrida)[2] == new.slug
    assert new.padrino
    assert new.testigo
    assert set(names(corrida)[:2]) == {new.padrino.slug, new.testigo.slug}
    assert [one.corrida for one in ceremonies(following)] == [corrida.pk]
    winter = Winter.objects.select_related("season__circuit").get(season=season)
    assert winter.version == 3
    assert verify.check_winter(winter) == ()


def test_novillero_does_not_become_a_matador_if_the_next_season_has_no_corrida(mine: World) -> None:
    winter_over(ready(mine, []), at=NOW, fresh=seeds("winter"), on_winter=notifications.winter_over)
    new = Matador.objects.get(pk=mine.matadors[2].pk)
    assert (new.state, new.alternativa, new.seasons) == ("novillero", None, 4)


def test_alternativa_uses_a_corrida_without_a_cartel_in_a_planned_season(mine: World) -> None:
    season = ready(mine, [])
    following = in_year(mine, 2028)
    Corrida.objects.create(season=following.season, plaza=mine.plazas[0], date=day_of(following, 9))
    following.announce(day_of(following, 5), first=3)
    winter_over(season, at=NOW, fresh=seeds("winter"), on_winter=notifications.winter_over)
    new = Matador.objects.get(pk=mine.matadors[2].pk)
    assert new.alternativa == day_of(following, 9)
    corrida = following.season.corridas.get(date=day_of(following, 9))
    assert names(corrida)[2] == new.slug
