"""Displayed names of matadors and plazas."""

import datetime as dt
from itertools import combinations
from typing import Any

import pytest

from corridas.templatetags.season import surname
from corridas.world.names import (
    Bearer,
    display_name,
    distinctions,
    plaza_in_sentence,
    plaza_title,
)
from corridas.world.roster import DATA, load, load_names
from corridas.world.short_names import KNOWN_AS, PARTICLES, given_names, short_name, short_names

# Maximum number of characters that fit next to a figure in the ring on a phone.
LONGEST = 16


def test_apodo_is_shown_instead_of_the_name() -> None:
    assert display_name("Fermín Espinosa", "Armillita") == "Armillita"
    assert display_name("Domingo Ortega", "") == "Domingo Ortega"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Palomo Linares", "Palomo Linares"),
        ("Ignacio Sánchez Mejías", "Sánchez Mejías"),
        ("Sánchez Mejías", "Sánchez Mejías"),
        ("Pepe Luis Vázquez", "Pepe Luis"),
        ("Luis Miguel Dominguín", "Luis Miguel"),
        ("Rafael de Paula", "Rafael de Paula"),
        ("Niño de la Palma", "Niño de la Palma"),
        ("Juan Belmonte", "Belmonte"),
        ("Paco Camino", "Camino"),
        ("Adrián Montero Prieto", "Montero Prieto"),
        ("José María Fernández de Córdoba", "Fernández"),
        ("Adrián De la Cruz Montenegro", "De la Cruz"),
        ("Luis Miguel", "Miguel"),
        ("Zoltán Kovács", "Zoltán Kovács"),
        ("Lola", "Lola"),
        ("", ""),
    ],
)
def test_short_name_is_the_name_by_which_a_matador_is_known(name: str, short: str) -> None:
    assert short_name(name) == short
    assert surname(name) == short


def test_apodo_is_never_shortened() -> None:
    assert short_name("Manuel Jiménez", "Pepe Largo") == "Pepe Largo"


def test_short_names_of_shipped_matadors_are_unique() -> None:
    people = load(DATA).matadors
    short = [short_name(person.name, person.apodo) for person in people]
    assert len(set(short)) == len(short)
    assert max(map(len, short)) <= LONGEST
    assert set(KNOWN_AS) <= {person.name for person in people}
    for person, called in zip(people, short, strict=True):
        assert called in {person.apodo or called, *_ends(person.name), *KNOWN_AS.values()}


def _ends(name: str) -> list[str]:
    words = name.split()
    return [" ".join(words[place:]) for place in range(len(words))]


def test_short_names_of_invented_matadors_contain_a_surname() -> None:
    rows = load_names(DATA)
    surnames = [row.name for row in rows if row.kind == "surname"]
    for place, given in enumerate(sorted(given_names())):
        for first, second in combinations((surnames * 2)[place : place + 3], 2):
            short = short_name(f"{given} {first} {second}")
            assert short in f"{first} {second}"
            assert short.lower().split()[-1] not in PARTICLES
            assert len(short) <= LONGEST


@pytest.mark.parametrize(
    ("people", "short"),
    [
        ([("Juan Belmonte", ""), ("José Gómez", "Joselito")], ["Belmonte", "Joselito"]),
        (
            [("Adrián Ortega", ""), ("Luis Ortega", ""), ("Juan Belmonte", "")],
            ["Adrián Ortega", "Luis Ortega", "Belmonte"],
        ),
        ([("Luis Gallo", ""), ("Rafael Gómez", "Gallo")], ["Luis Gallo", "Gallo"]),
        ([], []),
    ],
)
def test_matadors_on_one_cartel_have_different_short_names(
    people: list[tuple[str, str]], short: list[str]
) -> None:
    assert short_names([(*names, "") for names in people]) == short


def test_matadors_of_one_name_on_a_cartel_have_distinctions() -> None:
    people = [("Sancho Rueda", "", "Ronda, 1950"), ("Sancho Rueda", "", "Ronda, 1980")]
    assert short_names([*people, ("Juan Belmonte", "", "")]) == [
        "Sancho Rueda (Ronda, 1950)",
        "Sancho Rueda (Ronda, 1980)",
        "Belmonte",
    ]


def bearer(slug: str, name: str = "Sancho Rueda", **known: Any) -> Bearer:
    empty: dict[str, Any] = {"apodo": "", "birthplace": "", "born": "", "alternativa": None}
    return Bearer(slug=slug, name=name, **{**empty, **known})


def test_distinctions_use_details_in_which_the_matadors_differ() -> None:
    taken = dt.date(2003, 6, 24)
    assert distinctions(
        [
            bearer("old", birthplace="Ronda", born="1950-02-01"),
            bearer("young", "SANCHO RUEDA", birthplace="Ronda", born="1980"),
            bearer("cordoba", birthplace="Córdoba"),
            bearer("late", alternativa=taken),
            bearer("nothing"),
            bearer("apodo", "Luis Gómez", apodo="Sancho Rueda", alternativa=taken),
            bearer("other", apodo="Gallito", born="1950"),
            bearer("hijo", "Sancho Rueda (hijo)"),
        ]
    ) == {
        "old": "Ronda, 1950",
        "young": "Ronda, 1980",
        "cordoba": "Córdoba",
        "late": "late",
        "nothing": "nothing",
        "apodo": "apodo",
    }
    assert distinctions([bearer("a", alternativa=taken), bearer("b")]) == {
        "a": "alternativa 2003",
        "b": "b",
    }


@pytest.mark.parametrize(
    ("city", "name", "title"),
    [
        ("Madrid", "Las Ventas", ("Madrid", "Las Ventas")),
        ("Valencia", "Plaza de Valencia", ("", "Plaza de Valencia")),
        ("Arles", "Arènes d'Arles", ("", "Arènes d'Arles")),
        ("Priego de Córdoba", "Plaza de Priego", ("Priego de Córdoba", "")),
        ("El Puerto de Santa María", "Plaza del Puerto", ("El Puerto de Santa María", "")),
        ("La Coruña", "La Vieja", ("La Coruña", "La Vieja")),
    ],
)
def test_plaza_title_does_not_repeat_the_city(city: str, name: str, title: tuple[str, str]) -> None:
    assert plaza_title(city, name) == title


@pytest.mark.parametrize(
    ("city", "name", "text"),
    [
        ("Sevilla", "Real Maestranza", "Sevilla (Real Maestranza)"),
        ("Madrid", "Las Ventas", "Madrid (Las Ventas)"),
        ("Manizales", "Plaza de Manizales", "Manizales"),
        ("Priego de Córdoba", "Plaza de Priego", "Priego de Córdoba"),
        ("", "Las Ventas", "Las Ventas"),
    ],
)
def test_plaza_name_in_a_sentence_needs_no_article(city: str, name: str, text: str) -> None:
    assert plaza_in_sentence(city, name) == text


def test_shipped_plaza_titles_repeat_no_word_of_the_city() -> None:
    for plaza in load(DATA).plazas:
        city, name = (set(part.split()) for part in plaza_title(plaza.city, plaza.name))
        assert {word for word in city & name if len(word) > len("las")} == set()
