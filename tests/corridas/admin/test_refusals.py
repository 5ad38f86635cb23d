"""Invalid decks, plazas, rules and ferias are rejected with an error at the right field."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from corridas.models import Deck, Feria, Plaza
from tests.factories import World


def errors(answer: Any) -> dict[str, list[str]]:
    """Return the error messages of a rejected form by field."""
    assert answer.status_code == 200
    return dict(answer.context["adminform"].form.errors)


def spoil(cards: str, kind: str) -> str:
    """Return the shipped deck with one fault."""
    lines = cards.splitlines()
    if kind == "short":
        return "\n".join(lines[:-1])
    if kind == "number":
        digit = int(lines[0][0])
        lines[0] = str((digit + 1) % 10) + lines[0][1:]
    if kind == "kill":
        lines[12] = lines[12].rsplit("|", 1)[0] + "|MEDIA +6"
    if kind == "clavar":
        parts = lines[5].split("|")
        lines[5] = "|".join([parts[0], " CLAVAR ", *parts[2:]])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("short", "A deck has 70 cards, this one 69 (Ruling I-1)."),
        ("number", "is on 6 cards, not on seven (Ruling I-1)."),
        ("kill", "KILL “MEDIA +6” needs words and a modifier of 0 or less (Ruling I-1)."),
        ("clavar", "Card 5, 1s: CLAVAR has no place there (Ruling I-1)."),
    ],
)
def test_an_invalid_deck_is_rejected_with_an_error_at_its_cards(
    world: World, office: Client, kind: str, sentence: str
) -> None:
    given = {"name": "Otra", "cards": spoil(world.deck.cards, kind)}
    (said,) = errors(office.post("/admin/corridas/deck/add/", given))["cards"]
    assert sentence in said
    assert Deck.objects.count() == 1


def test_two_decks_cannot_have_the_same_cards(world: World, office: Client) -> None:
    Deck.objects.update(digest="")
    first, *rest = world.deck.cards.splitlines()
    given = {"name": "Otra", "cards": "\r\n".join([*rest[:-1], rest[-1], first]) + "\r\n"}
    assert office.post("/admin/corridas/deck/add/", given).status_code == 302
    other = Deck.objects.get(name="Otra")
    assert len(other.engine_deck().cards) == 70
    again = errors(office.post("/admin/corridas/deck/add/", given))
    assert again["cards"] == ["These are the cards of the deck “Otra”."]


def test_the_cards_of_a_deck_on_an_announced_cartel_are_locked(
    world: World, office: Client
) -> None:
    page = f"/admin/corridas/deck/{world.deck.pk}/change/"
    assert 'name="cards"' in office.get(page).text
    world.announce(dt.date(2027, 5, 1))
    shown = office.get(page).text
    assert 'name="cards"' not in shown
    assert (
        "A cartel has been announced with this deck, so its cards can no longer be changed."
        in shown
    )
    office.post(page, {"name": "Baraja vieja", "cards": "nothing"})
    world.deck.refresh_from_db()
    assert world.deck.name == "Baraja vieja"
    assert len(world.deck.engine_deck().cards) == 70


def test_a_new_deck_can_start_as_a_copy_of_another_deck(world: World, office: Client) -> None:
    form = office.get(f"/admin/corridas/deck/add/?copy={world.deck.pk}").context["adminform"].form
    assert form.initial["cards"] == world.deck.cards


@pytest.mark.slow
@pytest.mark.parametrize("category", ["0", "4", "first"])
def test_a_plaza_of_a_category_other_than_1_2_or_3_is_rejected(
    world: World, office: Client, category: str
) -> None:
    given = {
        "circuit": world.circuit.pk,
        "name": "Nueva",
        "slug": "nueva",
        "city": "Nueva",
        "country": "ES",
        "continent": "EU",
        "category": category,
    }
    said = errors(office.post("/admin/corridas/plaza/add/", given))["category"]
    assert said == [f"The category of a plaza must be 1, 2 or 3, not {category} (Ruling I-12)."]
    assert not Plaza.objects.filter(slug="nueva").exists()


CIRCUIT = {
    "name": "Circuito Nuevo",
    "slug": "circuito-nuevo",
    "rules": "{}",
    "pace_ms": "3000",
}


@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        (
            {"rules": '{"weather": "fair"}'},
            "rules",
            "There is no option “weather”; there are shuffle, bull_reading, bull_points.",
        ),
        (
            {"rules": '{"shuffle": "never"}'},
            "rules",
            "The option shuffle is one of each_bull, when_exhausted, not “never”.",
        ),
        (
            {"rules": '{"shuffle": ["each_bull"]}'},
            "rules",
            "The option shuffle is one of each_bull, when_exhausted, not “['each_bull']”.",
        ),
        (
            {"rules": "[1]"},
            "rules",
            ('Enter the options as a JSON object, such as {"shuffle": "each_bull"}.'),
        ),
        ({"rules": "shuffle"}, "rules", "Enter a valid JSON."),
        (
            {"pace_ms": "1"},
            "pace_ms",
            "Ensure this value is greater than or equal to 50.",
        ),
    ],
)
def test_an_unknown_option_is_rejected_with_an_error_at_its_field(
    world: World, office: Client, changed: dict[str, str], field: str, sentence: str
) -> None:
    given = CIRCUIT | {"deck": str(world.deck.pk)} | changed
    assert errors(office.post("/admin/corridas/circuit/add/", given))[field] == [sentence]


def test_a_circuit_can_be_created_with_rule_options(world: World, office: Client) -> None:
    rules = '{"shuffle": "when_exhausted"}'
    given = CIRCUIT | {"deck": str(world.deck.pk), "rules": rules, "public": "on"}
    assert office.post("/admin/corridas/circuit/add/", given).status_code == 302
    founded = type(world.circuit).objects.get(slug="circuito-nuevo")
    assert founded.engine_rules().shuffle == "when_exhausted"


def test_a_season_cannot_be_planned_if_the_circuit_lacks_plazas_of_its_calendar(
    world: World, office: Client
) -> None:
    answer = office.post(f"/admin/corridas/circuit/{world.circuit.pk}/do/plan/", follow=True)
    assert "The calendar has corridas at plazas that Circuito Leyendas does not have" in answer.text
    assert world.circuit.seasons.count() == 1


def test_a_feria_must_end_after_it_begins_and_belong_to_one_circuit(
    world: World, office: Client
) -> None:
    other = type(world.circuit).objects.create(slug="otro", name="Otro", deck=world.deck)
    far = Plaza.objects.create(
        circuit=other, slug="far", name="Far", city="Far", country="ES", continent="EU", category=3
    )
    given = {
        "season": str(world.season.pk),
        "plaza": str(far.pk),
        "name": "Feria al revés",
        "slug": "reves",
        "starts": "2027-06-09",
        "ends": "2027-06-01",
    }
    said = errors(office.post("/admin/corridas/feria/add/", given))
    assert said == {
        "ends": ["A feria can’t end before it begins."],
        "plaza": ["Far, Far belongs to another circuit."],
    }
    assert Feria.objects.count() == 1


@pytest.mark.parametrize("number", ["²", "x", "9" * 5000])
def test_an_unknown_deck_is_not_copied(office: Client, number: str) -> None:
    form = office.get("/admin/corridas/deck/add/", {"copy": number}).context["adminform"].form
    assert "cards" not in form.initial
