"""What matadors are called."""

import pytest

from corridas.templatetags.season import surname
from corridas.world.names import display_name, short_name


def test_an_apodo_stands_for_the_name() -> None:
    assert display_name("Fermín Espinosa", "Armillita") == "Armillita"
    assert display_name("Domingo Ortega", "") == "Domingo Ortega"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Palomo Linares", "Palomo Linares"),
        ("Ignacio Sánchez Mejías", "Sánchez Mejías"),
        ("Sánchez Mejías", "Sánchez Mejías"),
        ("Pepe Luis Vázquez", "Vázquez"),
        ("Luis Miguel Dominguín", "Dominguín"),
        ("Rafael de Paula", "de Paula"),
        ("Niño de la Palma", "Niño de la Palma"),
        ("Paco Camino", "Paco Camino"),
    ],
)
def test_a_short_name_keeps_both_surnames(name: str, short: str) -> None:
    assert surname(name) == short


def test_something_is_left_of_every_name() -> None:
    assert short_name("Luis Miguel", {"Luis", "Miguel"}) == "Miguel"
