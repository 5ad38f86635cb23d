"""A played season holds what its contracts, commitments and cards promise."""

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
def test_every_row_of_both_seasons_is_what_its_cards_give() -> None:
    for season in seasons():
        assert Corrida.objects.over().filter(season=season).count() > 8
        assert faults(season) == []


def test_nothing_of_a_finished_season_is_left_unplayed() -> None:
    season = Season.objects.get(circuit__slug="leyendas")
    assert set(season.corridas.values_list("state", flat=True)) <= {"posted", "suspended"}


def test_nobody_is_in_two_places_or_across_the_ocean_too_soon() -> None:
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


def test_a_puesto_stands_on_the_day_of_its_corrida_with_a_card_of_his_own() -> None:
    for puesto in Puesto.objects.select_related("cartel__corrida", "card"):
        assert puesto.date == puesto.cartel.corrida.date
        assert puesto.card.matador_id == puesto.matador_id


def test_three_men_and_six_bulls_everywhere() -> None:
    men = Cartel.objects.annotate(men=Count("puestos")).values_list("men", flat=True)
    bulls = Cartel.objects.annotate(herd=Count("bulls")).values_list("herd", flat=True)
    assert set(men) == {3}
    assert set(bulls) == {6}


def test_the_injured_rest() -> None:
    injuries = Injury.objects.all()
    assert len(injuries) > 20
    for injury in injuries:
        fought = Puesto.objects.filter(
            matador=injury.matador_id, date__gt=injury.since, date__lte=injury.until
        )
        assert not fought.exists(), injury


def test_who_stands_in_for_another_stands_where_that_one_must_rest() -> None:
    stand_ins = Puesto.objects.exclude(instead_of=None)
    assert len(stand_ins) > 20
    for puesto in stand_ins:
        assert Injury.objects.filter(
            matador=puesto.instead_of_id, since__lt=puesto.date, until__gte=puesto.date
        ).exists()
        there = Puesto.objects.filter(cartel=puesto.cartel_id).values_list("matador_id", flat=True)
        assert puesto.instead_of_id not in there


@pytest.mark.slow
def test_every_commitment_binds_what_was_played() -> None:
    bound = set()
    for corrida in Corrida.objects.over().select_related("season", "plaza", "cartel__deck"):
        seed = bytes(corrida.cartel.seed)
        promised = bytes(corrida.cartel.commitment)
        assert commitment(seed, stake_of(corrida)) == promised
        bound.add(promised)
    assert len(bound) == Corrida.objects.over().count()


def test_what_is_published_of_a_corrida_checks() -> None:
    for corrida in Corrida.objects.over().filter(season=world.wild()):
        assert not verify.check(corrida)


def test_a_bull_comes_out_once_and_only_where_it_was_sent() -> None:
    lidias = Lidia.objects.select_related("bull")
    assert lidias.count() == lidias.values("bull").distinct().count()
    assert all(lidia.bull.cartel_id == lidia.corrida_id for lidia in lidias)


def test_spared_bulls_become_sires_and_those_not_out_go_home() -> None:
    spared = Bull.objects.filter(lidia__ending="spared")
    assert spared.exists()
    assert set(spared.values_list("state", flat=True)) == {Bull.State.SEMENTAL}
    waiting = Bull.objects.filter(cartel__corrida__state="suspended", lidia=None)
    assert waiting.exists()
    assert set(waiting.values_list("state", flat=True)) == {Bull.State.CAMPO}
