"""Posting results gives the same counters as an independent count in this module (Ruling I-17)."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import transaction

from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Puesto,
    Season,
)
from corridas.models.escalafon import COUNTERS
from corridas.simulation import verify
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_now, rebuild
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults, lidias_of
from tests.corridas.simulation.world import NOW

EARS = {None: 0, 0: 0, 1: 1, 2: 2, 3: 2}
Row = tuple[int, int, str]


def by_hand(season: Season) -> Counter[Row]:
    counted: Counter[Row] = Counter()
    for corrida in Corrida.objects.over().filter(season=season).select_related("plaza"):
        category = corrida.plaza.category
        for puesto in Puesto.objects.filter(cartel=corrida.pk):
            counted[puesto.matador_id, category, "corridas"] += 1
            counted[puesto.matador_id, category, "injuries"] += puesto.injured_in is not None
        for lidia in corrida.lidias.exclude(finisher=None):
            for name, count in brought(lidia):
                counted[lidia.finisher_id or 0, category, name] += count
    return +counted


def brought(lidia: Lidia) -> Iterator[tuple[str, int]]:
    yield "bulls", 1
    yield "ears", EARS[lidia.trophy]
    yield "tails", lidia.trophy == 3
    yield "two_ears", lidia.trophy in (2, 3)
    yield "vueltas", lidia.vuelta is True
    yield "indultos", lidia.ending == "spared"
    yield "avisos", lidia.avisos
    yield "three_avisos", lidia.ending == "three_avisos"


def kept(season: Season) -> Counter[Row]:
    counted: Counter[Row] = Counter()
    for row in Escalafon.objects.filter(season=season):
        for name in COUNTERS:
            counted[row.matador_id, row.category, name] += getattr(row, name)
    return +counted


@pytest.mark.slow
@pytest.mark.usefixtures("over")
@pytest.mark.parametrize("slug", ["leyendas", "wild"])
def test_counters_of_a_played_season_match_its_lidias(slug: str) -> None:
    season = Season.objects.get(circuit__slug=slug)
    assert kept(season) == by_hand(season)
    assert kept(season).total() > 50


@pytest.mark.usefixtures("over")
def test_substitute_who_finishes_is_credited() -> None:
    handed_over = Lidia.objects.posted().exclude(finisher=None).exclude(injured=0)
    taken_up = [lidia for lidia in handed_over if lidia.finisher_id != lidia.starter_id]
    assert taken_up, "the fierce deck makes some"
    for lidia in taken_up:
        category = lidia.corrida.plaza.category
        row = Escalafon.objects.get(
            season=lidia.corrida.season_id, matador=lidia.finisher_id, category=category
        )
        assert row.bulls >= 1


@pytest.mark.usefixtures("over")
def test_corrida_broken_off_counts_for_all_three_matadors() -> None:
    broken = Corrida.objects.filter(state="suspended")
    assert broken.count() > 2
    for corrida in broken.select_related("plaza"):
        men = Puesto.objects.filter(cartel=corrida.pk).values_list("matador_id", flat=True)
        rows = Escalafon.objects.filter(
            season=corrida.season_id, matador__in=men, category=corrida.plaza.category
        )
        assert [row.corridas >= 1 for row in rows] == [True] * 3


@pytest.mark.usefixtures("over")
def test_matador_who_was_never_announced_has_no_ranking_row() -> None:
    season = world.wild()
    announced = Puesto.objects.filter(cartel__corrida__season=season).values("matador")
    assert not Escalafon.objects.filter(season=season).exclude(matador__in=announced).exists()


@pytest.mark.usefixtures("rows")
def test_each_posting_raises_the_seasons_version_by_one() -> None:
    season = world.calm()
    keys = world.queue_all(season)
    for version, key in enumerate(keys):
        play_on_air(key, at=NOW)
        season.refresh_from_db()
        assert season.posted_version == version
        post_now(key, at=NOW)
        season.refresh_from_db()
        assert season.posted_version == version + 1


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_counters_are_equal_if_posted_one_by_one_or_in_a_run() -> None:
    season = world.wild()
    for key in world.queue_all(season):
        play_on_air(key, at=NOW)
        post_now(key, at=NOW + dt.timedelta(seconds=key))
    assert kept(season) == by_hand(season)
    assert faults(season) == []


@pytest.mark.usefixtures("damageable")
def test_rebuild_finds_and_repairs_damaged_counters() -> None:
    season = world.wild()
    before = kept(season)
    spoilt, lost = Escalafon.objects.filter(season=season).order_by("pk")[:2]
    Escalafon.objects.filter(pk=spoilt.pk).update(ears=spoilt.ears + 3)
    Escalafon.objects.filter(pk=lost.pk).delete()
    idle = Matador.objects.filter(circuit=season.circuit_id).exclude(escalafon__season=season)[0]
    Escalafon.objects.create(season=season, matador=idle, category=1, corridas=1)

    told = rebuild(season, write_rows=False)
    sentence = (
        f"matador {spoilt.matador_id}, category {spoilt.category}, "
        f"ears: stored {spoilt.ears + 3}, calculated {spoilt.ears}"
    )
    assert sentence in told
    assert f"matador {idle.pk}, category 1, corridas: stored 1, calculated 0" in told
    assert any(line.startswith(f"matador {lost.matador_id}, ") for line in told)

    version = season.posted_version
    assert rebuild(season, write_rows=True) == told
    assert rebuild(season, write_rows=False) == []
    assert kept(season) == before
    season.refresh_from_db()
    assert season.posted_version == version + 1


@pytest.mark.usefixtures("damageable")
def test_rebuild_of_correct_counters_changes_nothing() -> None:
    season = world.wild()
    assert rebuild(season, write_rows=True) == []
    assert world.wild().posted_version == season.posted_version


@pytest.mark.slow
@pytest.mark.usefixtures("damageable")
def test_audit_finds_each_kind_of_damage() -> None:
    season = world.wild()
    assert faults(season) == []
    lidia = Lidia.objects.filter(corrida__season=season).exclude(injured=0)[0]
    spoilers = (
        lambda: Lidia.objects.filter(pk=lidia.pk).update(matador_points=99),
        lambda: Lidia.objects.filter(pk=lidia.pk).delete(),
        lambda: Injury.objects.filter(corrida=lidia.corrida_id).delete(),
        lambda: Matador.objects.filter(pk=lidia.starter_id).update(form="R"),
        lambda: Bull.objects.filter(pk=lidia.bull_id).update(state="campo"),
        lambda: Puesto.objects.filter(cartel=lidia.corrida_id).update(injured_in=6),
    )
    for spoil in spoilers:
        with transaction.atomic():
            spoil()
            assert faults(season) != []
            transaction.set_rollback(True)
    assert faults(season) == []


@pytest.mark.usefixtures("damageable")
def test_new_edition_of_a_card_does_not_change_played_corridas() -> None:
    season = world.wild()
    card = MatadorCard.objects.get(
        pk=Puesto.objects.filter(cartel__corrida__season=season)[0].card_id
    )
    MatadorCard.objects.create(
        matador=card.matador, printing=2, rating=1, ovacion="1-100", aviso="1-100"
    )
    assert faults(season) == []
    corrida = Corrida.objects.over().filter(season=season)[0]
    assert not verify.check(corrida)
    assert len(lidias_of(corrida)) > 0


@pytest.mark.usefixtures("damageable")
def test_verification_fails_for_any_changed_column_of_a_lidia() -> None:
    corrida = Corrida.objects.over().filter(season=world.wild())[0]
    lidia = lidias_of(corrida)[0]
    stranger = Matador.objects.exclude(puestos__cartel=corrida.pk).first()
    spare = Bull.objects.filter(cartel=corrida.pk).exclude(pk=lidia.bull_id).first()
    changes: tuple[dict[str, object], ...] = (
        {"starter": stranger},
        {"finisher": stranger},
        {"injured": lidia.injured ^ 4},
        {"vuelta": not lidia.vuelta},
        {"crowd": 1 if lidia.crowd != 1 else 2},
        {"avisos": lidia.avisos + 1},
    )
    for change in changes:
        with transaction.atomic():
            Lidia.objects.filter(pk=lidia.pk).update(**change)
            assert verify.check(corrida), change
            transaction.set_rollback(True)
    Bull.objects.filter(pk=lidia.bull_id).update(place=spare and spare.place)
    assert verify.check(corrida)
