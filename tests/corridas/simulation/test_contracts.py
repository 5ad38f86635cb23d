"""The rows of a played season agree with its contracts, commitments and cards."""

import datetime as dt
from collections import defaultdict
from itertools import pairwise

import pytest
from django.db.models import Count

from corridas.models import Bull, Cartel, Corrida, Injury, Lidia, Puesto, Season
from corridas.simulation import verify
from corridas.simulation.rows import stake_of
from corridas.world.contracts import DAYS_TO_CROSS
from fairness import commitment
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults

pytestmark = pytest.mark.usefixtures("over")


def seasons() -> list[Season]:
    return [*Season.objects.filter(circuit__slug="leyendas"), world.wild()]


@pytest.mark.slow
def test_rows_of_played_seasons_follow_from_the_stored_cards() -> None:
    for season in seasons():
        assert Corrida.objects.over().filter(season=season).count() > 8
        assert faults(season) == []


def test_finished_season_has_no_unplayed_corridas() -> None:
    season = Season.objects.get(circuit__slug="leyendas")
    assert set(season.corridas.values_list("state", flat=True)) <= {"posted", "suspended"}


def test_no_matador_is_in_two_places_or_crosses_the_ocean_too_soon() -> None:
    trips: dict[int, list[tuple[dt.date, str]]] = defaultdict(list)
    fields = ("matador_id", "date", "cartel__corrida__plaza__continent")
    for matador, date, continent in Puesto.objects.order_by("date").values_list(*fields):
        trips[matador].append((date, continent))
    crossings = 0
    for days in trips.values():
        for (before, here), (after, there) in pairwise(days):
            assert before < after
            crossings += here != there
            assert here == there or (after - before).days >= DAYS_TO_CROSS
    assert crossings > 10


def test_each_puesto_has_the_date_of_its_corrida_and_the_matadors_card() -> None:
    for puesto in Puesto.objects.select_related("cartel__corrida", "card"):
        assert puesto.date == puesto.cartel.corrida.date
        assert puesto.card.matador_id == puesto.matador_id


def test_every_cartel_has_three_matadors_and_six_bulls() -> None:
    men = Cartel.objects.annotate(men=Count("puestos")).values_list("men", flat=True)
    bulls = Cartel.objects.annotate(herd=Count("bulls")).values_list("herd", flat=True)
    assert set(men) == {3}
    assert set(bulls) == {6}


def test_injured_matadors_do_not_fight_until_they_are_healed() -> None:
    injuries = Injury.objects.all()
    assert len(injuries) > 20
    for injury in injuries:
        fought = Puesto.objects.filter(
            matador=injury.matador_id, date__gt=injury.since, date__lte=injury.until
        )
        assert not fought.exists(), injury


def test_substitutes_appear_on_days_when_the_replaced_matador_is_injured() -> None:
    stand_ins = Puesto.objects.exclude(instead_of=None)
    assert len(stand_ins) > 20
    for puesto in stand_ins:
        assert Injury.objects.filter(
            matador=puesto.instead_of_id, since__lt=puesto.date, until__gte=puesto.date
        ).exists()
        there = Puesto.objects.filter(cartel=puesto.cartel_id).values_list("matador_id", flat=True)
        assert puesto.instead_of_id not in there


@pytest.mark.slow
def test_every_commitment_matches_the_played_corrida() -> None:
    bound = set()
    for corrida in Corrida.objects.over().select_related("season", "plaza", "cartel__deck"):
        seed = bytes(corrida.cartel.seed)
        promised = bytes(corrida.cartel.commitment)
        assert commitment(seed, stake_of(corrida)) == promised
        bound.add(promised)
    assert len(bound) == Corrida.objects.over().count()


def test_published_corridas_verify() -> None:
    for corrida in Corrida.objects.over().filter(season=world.wild()):
        assert not verify.check(corrida)


@pytest.mark.slow
def test_bull_fights_once_and_in_the_corrida_of_its_cartel() -> None:
    lidias = Lidia.objects.select_related("bull")
    assert lidias.count() == lidias.values("bull").distinct().count()
    assert all(lidia.bull.cartel_id == lidia.corrida_id for lidia in lidias)


def test_spared_bulls_become_sires_and_unused_bulls_return() -> None:
    spared = Bull.objects.filter(lidia__ending="spared")
    assert spared.exists()
    assert set(spared.values_list("state", flat=True)) == {Bull.State.SEMENTAL}
    waiting = Bull.objects.filter(cartel__corrida__state="suspended", lidia=None)
    assert waiting.exists()
    assert set(waiting.values_list("state", flat=True)) == {Bull.State.CAMPO}
