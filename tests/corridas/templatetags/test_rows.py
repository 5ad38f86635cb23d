"""Cached rows of lists: rendered once for all users who see the same, and separately for others."""

import pytest
from django.utils import translation

from corridas import calendar, results
from corridas.models import Corrida, Lidia, Matador
from corridas.templatetags.ringside import part
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def corrida(rows: str) -> Corrida:
    world.run_on(world.begin(world.wild()))
    return calendar.corridas().over()[0]


def row(corrida: Corrida, *, hidden: bool = False) -> results.ListedCorrida:
    again = calendar.corridas().filter(pk=corrida.pk)
    [afternoon] = results.afternoons(again, NOW, hidden=[corrida.pk] if hidden else [])
    return afternoon.row


def rendered(row: results.ListedCorrida) -> str:
    return part("corridas/_afternoon.html", row=row, circuit="leyendas")


def test_the_same_row_is_rendered_once(corrida: Corrida) -> None:
    assert rendered(row(corrida)) is rendered(row(corrida))


def test_a_hidden_row_and_a_shown_row_are_cached_separately(corrida: Corrida) -> None:
    shown, hidden = rendered(row(corrida)), rendered(row(corrida, hidden=True))
    assert "Not watched yet" in hidden
    assert "Not watched yet" not in shown
    assert not any(share.bulls or share.hurt for share in row(corrida, hidden=True).shares)
    assert rendered(row(corrida)) == shown


def test_a_changed_row_is_rendered_again_immediately(corrida: Corrida) -> None:
    rendered(row(corrida))
    Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.SUSPENDED)
    assert "suspended" in rendered(row(corrida))
    Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.ON_AIR)
    assert "Live" in rendered(row(corrida))
    Matador.objects.filter(pk=row(corrida).shares[0].matador).update(apodo="Somebody Else")
    assert "Somebody Else" in rendered(row(corrida))


def test_the_row_of_a_corrida_on_air_contains_only_bulls_already_shown(corrida: Corrida) -> None:
    Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.ON_AIR)
    lidias = Lidia.objects.filter(corrida=corrida)
    lidias.update(ends_at=None)
    before = rendered(row(corrida))
    assert not any(share.bulls for share in row(corrida).shares)
    lidias.update(ends_at=NOW)
    assert rendered(row(corrida)) != before


def test_a_row_is_cached_per_language(corrida: Corrida) -> None:
    english = rendered(row(corrida, hidden=True))
    with translation.override("es"):
        assert rendered(row(corrida, hidden=True)) != english
