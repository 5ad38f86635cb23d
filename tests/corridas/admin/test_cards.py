"""Matador cards in the admin site.

A card must obey the rules of the engine. It can be edited until a cartel with it is announced;
after that, an edit creates the next printing.
"""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client

from corridas.engine.errors import CARD_FAULTS
from corridas.errors import OperationError
from corridas.models import Matador, MatadorCard, Puesto
from corridas.roster.card_faults import FAULTS
from corridas.roster.operations import print_next_card
from tests.corridas.admin.conftest import card_fields
from tests.factories import World


def page(matador: Matador) -> str:
    return f"/admin/corridas/matador/{matador.pk}/change/"


def errors_at(html: str, field: str) -> list[str]:
    """Return the error messages of a field of the editable card."""
    found = re.search(rf'id="id_cards-0-{field}_error">(.*?)</ul>', html, re.DOTALL)
    return re.findall(r"<li>(.*?)</li>", found[1], re.DOTALL) if found else []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        (
            {"pitos": "2-8"},
            "pitos",
            "The number 2 is in two ranges, BRONCA and PITOS (Ruling I-13).",
        ),
        (
            {"bronca": "1-50"},
            "bronca",
            "The number 43 is in two ranges, OREJA and BRONCA (Ruling I-13).",
        ),
        (
            {"silencio": "9-15"},
            "silencio",
            "These numbers are not in any range: 16-19 (Ruling I-13).",
        ),
        ({"bronca": "2"}, "bronca", "These numbers are not in any range: 1 (Ruling I-13)."),
        ({"rabo": ""}, "dos_orejas", "These numbers are not in any range: 97-100 (Ruling I-13)."),
        (
            {"oreja": "many"},
            "oreja",
            ("“many” is not a range. Enter, for example, 81-94, 7 or - (Ruling I-13)."),
        ),
        (
            {"indulto": "0-7"},
            "indulto",
            "“0-7” is not a range within 1 to 100 with the lower number first (Ruling I-13).",
        ),
    ],
)
def test_an_invalid_card_gets_an_error_at_the_wrong_range(
    world: World, office: Client, changed: dict[str, str], field: str, sentence: str
) -> None:
    romero = world.matadors[0]
    answer = office.post(page(romero), card_fields(romero, **changed))
    assert answer.status_code == 200
    assert errors_at(answer.text, field) == [sentence]
    assert romero.cards.get().rating == 90


@pytest.mark.slow
def test_errors_of_a_card_are_shown_in_the_reader_s_language(world: World, office: Client) -> None:
    assert FAULTS.keys() == CARD_FAULTS.keys()
    romero = world.matadors[0]
    given = card_fields(romero, silencio="9-15")
    text = office.post(page(romero), given, headers={"accept-language": "es"}).text
    said = "Estos números no están en ningún intervalo: 16-19 (norma I-13)."
    assert errors_at(text, "silencio") == [said]


def test_an_editable_card_is_saved_in_the_notation_of_the_engine(
    world: World, office: Client
) -> None:
    romero = world.matadors[0]
    given = card_fields(romero, bronca=" 1-1", pitos="2-8", rating="77", indulto="")
    assert office.post(page(romero), given).status_code == 302
    card = romero.cards.get()
    assert (card.rating, card.bronca, card.pitos, card.indulto) == (77, "1", "2-8", "-")


def test_a_new_matador_is_saved_together_with_his_card(world: World, office: Client) -> None:
    blank = Matador(circuit=world.circuit, name="Curro Cúchares", slug="curro")
    given = card_fields(blank) | {"cards-INITIAL_FORMS": "0", "cards-0-matador": ""}
    assert office.post("/admin/corridas/matador/add/", given).status_code == 302
    card = MatadorCard.objects.get(matador__slug="curro")
    assert (card.printing, card.rating) == (1, 80)


def test_a_new_matador_whose_card_has_a_gap_is_rejected_with_an_error_at_the_range(
    world: World, office: Client
) -> None:
    blank = Matador(circuit=world.circuit, name="Curro Cúchares", slug="curro")
    given = card_fields(blank, rabo="98-100")
    given |= {"cards-INITIAL_FORMS": "0", "cards-0-matador": ""}
    answer = office.post("/admin/corridas/matador/add/", given)
    said = "These numbers are not in any range: 97 (Ruling I-13)."
    assert errors_at(answer.text, "dos_orejas") == [said]
    assert not Matador.objects.filter(slug="curro").exists()


def next_printing(matador: Matador, **changed: str) -> dict[str, str]:
    """Return the form data that creates the next printing of a printed card."""
    rating = str(matador.cards.order_by("-printing")[0].rating)
    given = card_fields(matador, **{"rating": rating, **changed})
    return given | {"cards-INITIAL_FORMS": "0", "cards-0-id": ""}


@pytest.mark.slow
def test_editing_a_printed_card_creates_the_next_printing(world: World, office: Client) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    romero = world.matadors[0]
    shown = office.get(page(romero)).text
    assert "Printing 2 (next)" in shown
    assert "Printing 1 is used on a cartel and is locked." in shown
    assert office.post(page(romero), next_printing(romero, rating="71")).status_code == 302
    first, second = romero.cards.order_by("printing")
    assert (first.printing, first.rating) == (1, 90)
    assert (second.printing, second.rating, second.oreja) == (2, 71, first.oreja)
    assert corrida.cartel.puestos.get(matador=romero).card == first
    shown = office.get(page(romero)).text
    assert "Printing 2, open for editing" in shown
    assert re.findall(r"<h3>\s*Printing (\d)", shown) == ["2", "1"]


def test_saving_a_matador_without_changing_his_printed_card_creates_no_printing(
    world: World, office: Client
) -> None:
    world.announce(dt.date(2027, 5, 1))
    romero = world.matadors[0]
    given = next_printing(romero) | {"apodo": "El Infalible"}
    assert office.post(page(romero), given).status_code == 302
    assert romero.cards.count() == 1


def test_a_next_printing_with_a_gap_is_rejected(world: World, office: Client) -> None:
    world.announce(dt.date(2027, 5, 1))
    romero = world.matadors[0]
    answer = office.post(page(romero), next_printing(romero, silencio="9-15"))
    said = "These numbers are not in any range: 16-19 (Ruling I-13)."
    assert errors_at(answer.text, "silencio") == [said]
    assert romero.cards.count() == 1


def test_edits_of_a_card_that_was_announced_meanwhile_become_the_next_printing(
    world: World, office: Client
) -> None:
    romero = world.matadors[0]
    given = card_fields(romero, rating="71")
    world.announce(dt.date(2027, 5, 1))
    answer = office.post(page(romero), given)
    assert (
        "The card has been announced in the meantime, so it can no longer be changed. "
        "What you typed is still here. If you save again, your changes become the next "
        "printing."
    ) in answer.text
    assert romero.cards.get().rating == 90
    kept = answer.context["inline_admin_formsets"][0].formset
    assert kept.forms[0]["rating"].value() == "71"
    given |= {"cards-INITIAL_FORMS": "0", "cards-0-id": ""}
    assert office.post(page(romero), given).status_code == 302
    assert list(romero.cards.values_list("printing", "rating")) == [(2, 71), (1, 90)]


def test_the_next_printing_of_a_card_can_start_as_a_copy_of_the_last(
    world: World, office: Client
) -> None:
    world.announce(dt.date(2027, 5, 1))
    romero = world.matadors[0]
    assert "Create the next printing" in office.get(page(romero)).text
    office.post(f"/admin/corridas/matador/{romero.pk}/do/next-printing/")
    assert office.post(page(romero), card_fields(romero, rating="71")).status_code == 302
    assert list(romero.cards.values_list("printing", "rating")) == [(2, 71), (1, 90)]


def test_a_card_that_can_still_be_edited_gets_no_next_printing(
    world: World, office: Client
) -> None:
    romero = world.matadors[0]
    answer = office.post(f"/admin/corridas/matador/{romero.pk}/do/next-printing/", follow=True)
    assert "Printing 1 of Pedro Romero can still be edited. Edit that printing." in answer.text
    assert romero.cards.count() == 1


def test_a_matador_without_a_card_cannot_get_a_next_printing(world: World) -> None:
    bare = Matador.objects.create(circuit=world.circuit, slug="bare", name="Nobody")
    with pytest.raises(OperationError, match="Nobody has no card yet"):
        print_next_card(matador=bare)


@pytest.mark.slow
def test_printings_of_a_matador_card_are_listed_newest_first(world: World, office: Client) -> None:
    romero = world.matadors[0]
    for rating, day in ((11, 1), (12, 2), (13, 3)):
        world.announce(dt.date(2027, 5, day), first=1)
        card = print_next_card(matador=romero) if romero.cards.count() > 1 else None
        card = card or romero.cards.create(printing=2, rating=rating)
        card.rating = rating
        card.save()
        Puesto.objects.filter(date=dt.date(2027, 5, day), order=2).update(matador=romero, card=card)
    shown = office.get(page(romero)).text
    assert re.findall(r"Rating <b>(\d+)</b>", shown) == ["13", "12", "11", "90"]
