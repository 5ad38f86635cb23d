"""Records, season files and copies contain the trio to which reserved corridas have committed."""

from __future__ import annotations

import io

import pytest

import actas
from accounts.models import User
from corridas import archive
from corridas.archive import Home
from corridas.archive.acta import of_corrida
from corridas.circuits.copy_job import make_copy
from corridas.circuits.copying import request_copy
from corridas.models import Circuit, Commitment, Corrida, Reservation, Run, Season
from corridas.season import commitments
from corridas.season.operations import Goal
from corridas.simulation import verify
from corridas.simulation.rows import stake_of
from fairness import Seed, commitment
from tests.corridas.archive.conftest import end, file_of
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.test_reserved import CALENDAR, men, reserve, sign
from tests.corridas.simulation.world import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return world.found("reserved", CALENDAR)


def signed(season: Season) -> list[Corrida]:
    """Reserve the fiestas, and sign three matadors for each of the first two days."""
    corridas = reserve(season)
    for place, corrida in enumerate(corridas[:2]):
        for man in men(season, *range(3 * place + 40, 3 * place + 43)):
            sign(corrida, man)
    commitments.change_plan(corridas, autopilot=True)
    return corridas


def test_played_corridas_match_what_they_committed_to(season: Season) -> None:
    corridas = signed(season)
    assert world.play_season(season).state == Run.State.DONE
    for corrida in Corrida.objects.of_season(season).select_related("season", "plaza", "cartel"):
        stake = stake_of(corrida)
        assert commitment(bytes(corrida.cartel.seed), stake) == bytes(corrida.cartel.commitment)
        assert not verify.check(corrida)
        assert ("bar" in stake) is (corrida in corridas)
    assert faults(season) == []


def test_record_with_another_trio_does_not_match_its_commitment(season: Season) -> None:
    corrida = signed(season)[0]
    world.play_season(season)
    document = of_corrida(Corrida.objects.get(pk=corrida.pk))
    assert not actas.check(document).differences
    document["stake"]["bar"] = document["stake"]["bar"][::-1]
    changed = actas.check({**document, "digest": actas.digest(actas.without_digest(document))})
    assert {difference.name for difference in changed.differences} == {"commitment"}


def test_season_file_keeps_the_trios(season: Season) -> None:
    corridas = signed(season)
    end(season)
    report = archive.verify(io.BytesIO(file_of(Season.objects.get(pk=season.pk))))
    assert (report.refused, report.findings) == ("", [])
    taken = archive.take_in(report, Home(slug="taken", name="Taken", circuit=None), at=NOW)
    rows = Reservation.objects.filter(corrida__season=taken).order_by("corrida__date")
    assert [row.trio for row in rows] == [
        Reservation.objects.get(corrida=corrida).trio for corrida in corridas
    ]
    for corrida in Corrida.objects.of_season(taken):
        assert not verify.check(corrida)
    again = archive.verify(io.BytesIO(file_of(Season.objects.get(pk=taken.pk))))
    assert (again.refused, again.findings) == ("", [])


def test_copy_of_a_circuit_keeps_the_trios_of_played_corridas_only(season: Season) -> None:
    first, *_rest = signed(season)
    world.run_on(world.begin(season, Goal(until=first.date)))
    ana = User.objects.create_user("ana")
    Circuit.objects.filter(pk=season.circuit_id).update(owner=ana)
    season.circuit.refresh_from_db()
    copy = request_copy(circuit=season.circuit, by=ana, at=NOW)
    assert make_copy(copy.pk, clock=lambda: NOW, fresh=Seed.fresh)
    copy.refresh_from_db()
    copied = Season.objects.select_related("circuit").get(circuit=copy.circuit)
    row = Reservation.objects.get(corrida__season=copied)
    assert row.corrida.date == first.date
    assert row.trio == Reservation.objects.get(corrida=first).trio
    assert Commitment.objects.filter(corrida__season=copied).count() == 3
    for corrida in Corrida.objects.over().filter(season=copied):
        assert not verify.check(corrida)
    assert world.play_season(copied).state == Run.State.DONE
    assert faults(copied) == []
