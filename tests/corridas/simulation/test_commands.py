"""Tests of the management commands that found, play and check seasons."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from corridas.circuits.operations import found_leyendas
from corridas.models import Circuit, Corrida, Escalafon, Lidia, Run, Season
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults


def command_output(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.usefixtures("rows", "valkey")
def test_found_leyendas_creates_a_season_with_a_corrida_on_air() -> None:
    text = command_output("found_leyendas")
    season = Season.objects.get(circuit__slug="leyendas")
    played = Corrida.objects.over().filter(season=season)
    assert season.year == timezone.now().year
    assert f"{played.count()} corridas of {season} played." in text
    assert played.count() > 20
    assert max(corrida.date for corrida in played) <= season.corridas.on_air().get().date
    assert season.circuit.plazas.count() == 63
    assert season.circuit.matadors.count() >= 50
    assert faults(season) == []
    rows = counts()
    command_output("found_leyendas")
    assert counts() == rows, "founding twice changes nothing"


def counts() -> list[int]:
    return [model.objects.count() for model in (Circuit, Season, Corrida, Run, Escalafon)]


@pytest.mark.usefixtures("rows")
def test_found_leyendas_with_bare_plays_nothing() -> None:
    command_output("found_leyendas", "--bare")
    assert Circuit.objects.filter(slug="leyendas", always_on_air=True).exists()
    assert not Corrida.objects.exclude(state="announced").exists()
    circuit = Circuit.objects.get(slug="leyendas")
    assert found_leyendas(year=1999) == circuit
    assert circuit.seasons.count() == 1


@pytest.mark.usefixtures("rows")
def test_play_season_plays_to_a_date_and_then_to_the_end() -> None:
    season = world.calm()
    text = command_output("play", "--circuit=calm", "--instant", "--until=2026-03-01")
    assert text == f"1 corridas of {season} played: done.\n"
    assert command_output("play", "--circuit=calm", "--instant", "--year=2026").startswith("3 cor")
    assert Corrida.objects.over().filter(season=season).count() == 4
    with pytest.raises(
        CommandError, match="There are no corridas left to play up to the date that you chose"
    ):
        command_output("play", "--circuit=calm", "--instant")


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--circuit=nowhere"], "no circuit 'nowhere'"),
        (["--circuit=calm", "--year=1999"], "no season 1999"),
    ],
)
def test_play_season_names_an_unknown_circuit_season_or_feria(
    words: list[str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        command_output("play", *words)


@pytest.mark.slow
@pytest.mark.usefixtures("damageable")
def test_rebuild_escalafon_checks_and_then_repairs_the_ranking() -> None:
    assert "agrees" in command_output("rebuild", "escalafon", "--check")
    row = Escalafon.objects.filter(season=world.wild())[0]
    Escalafon.objects.filter(pk=row.pk).update(ears=row.ears + 1)
    with pytest.raises(CommandError, match="1 figures differ"):
        command_output("rebuild", "escalafon", "--check")
    row.refresh_from_db()
    damaged = row.ears
    text = command_output("rebuild", "escalafon")
    assert f"matador {row.matador_id}, category {row.category}, ears: stored {damaged}" in text
    assert "differ" not in command_output("rebuild", "escalafon", "--check")
    fresh = Escalafon.objects.get(
        season=row.season_id, matador=row.matador_id, category=row.category
    )
    assert fresh.ears == damaged - 1


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_verify_corridas_reports_whether_results_match_commitments() -> None:
    world.play_season(world.wild())
    world.play_season(world.calm())
    kept = command_output("verify", "corridas")
    assert f"{Corrida.objects.over().count()} corridas are as promised." in kept
    lidia = Lidia.objects.filter(corrida__season=world.calm())[0]
    Lidia.objects.filter(pk=lidia.pk).update(matador_points=lidia.matador_points + 1)
    with pytest.raises(CommandError, match="1 corridas are not as promised"):
        command_output("verify", "corridas", f"--year={world.calm().year}")
