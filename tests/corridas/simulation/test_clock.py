"""A corrida on air shows the lidias whose broadcast time has come, and nothing of later ones."""

import datetime as dt

import pytest

from corridas.models import Corrida, Escalafon, Injury, Lidia, Season
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_due, post_now
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults, lidias_of
from tests.corridas.simulation.world import NOW

pytestmark = pytest.mark.usefixtures("rows")
TICK = dt.timedelta(microseconds=1)


def on_air(season: Season) -> list[Corrida]:
    for key in world.queue_all(season):
        play_on_air(key, at=NOW)
    return list(Corrida.objects.of_season(season))


def shown(corrida: Corrida, at: dt.datetime) -> int:
    return Lidia.objects.shown(at=at).filter(corrida=corrida).count()


def test_lidias_of_a_broadcast_appear_one_by_one_at_their_time() -> None:
    for corrida in on_air(world.calm()):
        lidias = lidias_of(corrida)
        assert shown(corrida, NOW) == 0
        for before, lidia in enumerate(lidias):
            assert lidia.ends_at is not None
            assert shown(corrida, lidia.ends_at - TICK) == before
            assert shown(corrida, lidia.ends_at) == before + 1


def test_lidia_result_appears_when_its_last_card_has_been_shown() -> None:
    corrida = on_air(world.calm())[0]
    lidias = lidias_of(corrida)
    timeline = corrida.timeline([len(bytes(lidia.draws)) for lidia in lidias])
    ends = [NOW + dt.timedelta(milliseconds=end) for end in timeline.lidia_ends_ms]
    assert [lidia.ends_at for lidia in lidias] == ends
    assert corrida.ends_at == NOW + dt.timedelta(milliseconds=timeline.length_ms)
    assert corrida.ends_at > ends[-1]


def test_queued_corrida_has_no_lidias_yet() -> None:
    world.queue_all(world.calm())
    assert not Lidia.objects.exists()
    assert Corrida.objects.to_come().filter(season=world.calm()).count() == 4
    assert not Corrida.objects.on_air().exists()


@pytest.mark.slow
def test_corrida_stays_on_air_until_posted_and_not_before_its_end() -> None:
    corridas = on_air(world.wild())
    first = min(corridas, key=lambda corrida: corrida.ends_at or NOW)
    assert first.ends_at is not None
    assert post_due(at=first.ends_at - TICK) == []
    assert {corrida.state for corrida in corridas} == {"on_air"}
    assert post_due(at=first.ends_at) == [first.pk]
    first.refresh_from_db()
    assert first.is_over
    assert first.posted_at == first.ends_at
    assert faults(world.wild()) == []


@pytest.mark.slow
def test_broadcast_changes_no_ranking_injury_or_record() -> None:
    on_air(world.wild())
    assert not Escalafon.objects.exists()
    assert not Injury.objects.exists()
    assert not Corrida.objects.over().exists()
    assert not Lidia.objects.posted().exists()
    assert faults(world.wild()) == []


@pytest.mark.slow
def test_corrida_that_will_be_broken_off_looks_complete_until_then() -> None:
    """Neither the state nor the visible fights of the corrida reveal its early end."""
    broken = [corrida for corrida in on_air(world.wild()) if len(lidias_of(corrida)) < 6]
    assert broken
    for corrida in broken:
        *_, last = lidias_of(corrida)
        assert last.ends_at is not None
        assert corrida.state == "on_air"
        assert shown(corrida, last.ends_at - TICK) == last.turn - 1
    for corrida in sorted(broken, key=lambda corrida: corrida.ends_at or NOW):
        assert corrida.ends_at is not None
        assert corrida.pk not in post_due(at=corrida.ends_at - TICK)
        post_due(at=corrida.ends_at)
        corrida.refresh_from_db()
        assert corrida.state == "suspended"
    assert faults(world.wild()) == []


def test_ending_a_broadcast_shows_all_lidias_at_once() -> None:
    corrida = on_air(world.calm())[0]
    assert post_now(corrida.pk, at=NOW + TICK)
    assert shown(corrida, NOW) == 6
    assert faults(world.calm()) == []


@pytest.mark.parametrize("pace_ms", [50, 999, 1000, 60_000])
def test_broadcast_uses_the_pace_of_its_corrida(pace_ms: int) -> None:
    key = world.queue_all(world.brief(), pace_ms=pace_ms)[0]
    play_on_air(key, at=NOW)
    corrida = Corrida.objects.get(pk=key)
    first = lidias_of(corrida)[0]
    cards = len(bytes(first.draws))
    assert first.ends_at is not None
    walked = first.ends_at - NOW - cards * dt.timedelta(milliseconds=pace_ms)
    assert dt.timedelta(milliseconds=500) <= walked <= dt.timedelta(seconds=12)
