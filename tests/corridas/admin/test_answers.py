"""Roster checks, deck checks and card trials in the admin site. None of them changes a row."""

from __future__ import annotations

from hashlib import sha256

import pytest
from django.test import Client

from corridas.circuits.operations import found_leyendas
from corridas.errors import OperationError
from corridas.models import Change, Circuit, Deck, Ganaderia, Lidia, Matador, Plaza
from corridas.roster.checks import check_deck, check_roster, put_on_trial
from corridas.world.trial import Setting, Trial, try_card, try_roster
from fairness import Seed
from tests.corridas.admin.conftest import Queries
from tests.factories import World


def said_of(circuit: Circuit) -> str:
    return " ".join(finding.sentence for finding in check_roster(circuit=circuit))


@pytest.fixture
def leyendas(db: None) -> Circuit:
    return found_leyendas(year=2027)


def test_check_finds_no_fault_in_the_shipped_roster(leyendas: Circuit) -> None:
    wrong = [found for found in check_roster(circuit=leyendas) if found.weight.value == "wrong"]
    assert wrong == []
    assert (
        "is valid (Ruling I-1). It has 70 cards, seven with each number. Cards with CLAVAR:"
        in check_deck(deck=leyendas.deck)
    )


def test_roster_check_names_every_fault(leyendas: Circuit) -> None:
    first, second = Matador.objects.order_by("pk")[:2]
    first.cards.all().delete()
    second.cards.update(rabo="-")
    Ganaderia.objects.filter(continent="AM").delete()
    Circuit.objects.update(rules={"weather": "fair"})
    Deck.objects.update(digest="x")
    leyendas.refresh_from_db()
    said = said_of(leyendas)
    assert f"{first} has no card." in said
    assert "These numbers are not in any range" in said
    assert "America, where there are no herds" in said
    assert "There is no option “weather”" in said
    assert ": the digest does not match its cards." in said


def test_roster_check_notes_two_matadors_with_the_same_name(leyendas: Circuit) -> None:
    first, second = Matador.objects.filter(apodo="").order_by("pk")[:2]
    Matador.objects.filter(pk=second.pk).update(name=first.name.upper())
    findings = check_roster(circuit=leyendas)
    assert [one.weight.value for one in findings if "could be mistaken" in one.sentence] == ["note"]


def test_roster_check_reports_too_few_matadors_herds_and_plazas(leyendas: Circuit) -> None:
    keys = list(Matador.objects.order_by("pk").values_list("pk", flat=True))
    Matador.objects.filter(pk__in=keys[4:]).update(state="retired")
    europe = list(Ganaderia.objects.filter(continent="EU").values_list("pk", flat=True))
    Ganaderia.objects.filter(pk__in=europe[1:]).update(archived_at="2027-01-01T00:00Z")
    said = said_of(leyendas)
    assert "4 are active" in said
    assert "need more bulls than its 1 herd can" in said
    Matador.objects.filter(pk__in=keys[2:]).update(state="retired")
    assert "A cartel needs three matadors. Active matadors: 2." in said_of(leyendas)
    Plaza.objects.update(archived_at="2027-01-01T00:00Z")
    assert "The calendar has no dates at the plazas of this circuit." in said_of(leyendas)


@pytest.mark.slow
def test_a_roster_can_be_checked_from_its_page_and_from_the_list_of_circuits(
    world: World, office: Client
) -> None:
    page = f"/admin/corridas/circuit/{world.circuit.pk}/"
    assert "Check the roster" in office.get(f"{page}change/").text
    shown = office.get(f"{page}check/").text
    assert ": the digest does not match its cards." in shown
    Deck.objects.update(digest=sha256(world.deck.cards.encode()).hexdigest())
    given = {"action": "check_rosters", "index": "0", "_selected_action": world.circuit.pk}
    told = office.post("/admin/corridas/circuit/", given, follow=True).text
    assert "Circuito Leyendas: the roster can be used." in told
    world.herd.delete()
    told = office.post("/admin/corridas/circuit/", given, follow=True).text
    assert "There is 1 problem." in told
    assert f"{page}check/" in told


@pytest.mark.slow
def test_a_deck_can_be_checked_from_its_page_and_from_the_list_of_decks(
    world: World, office: Client
) -> None:
    way = f"/admin/corridas/deck/{world.deck.pk}/do/check/"
    assert ": the digest does not match its cards." in office.post(way, follow=True).text
    Deck.objects.update(digest=sha256(world.deck.cards.encode()).hexdigest())
    assert (
        "is valid (Ruling I-1). It has 70 cards, seven with each number. Cards with CLAVAR:"
        in office.post(way, follow=True).text
    )
    given = {"action": "check_decks", "index": "0", "_selected_action": world.deck.pk}
    assert (
        "is valid (Ruling I-1). It has 70 cards, seven with each number. Cards with CLAVAR:"
        in office.post("/admin/corridas/deck/", given, follow=True).text
    )
    Deck.objects.update(cards="x")
    with pytest.raises(OperationError, match="Card 0: “x” is no number"):
        check_deck(deck=Deck.objects.get())


def test_a_roster_check_needs_as_many_queries_for_many_matadors_as_for_few(
    world: World, queries: Queries
) -> None:
    way = f"/admin/corridas/circuit/{world.circuit.pk}/check/"
    few = queries(way)
    for number in range(9):
        Matador.objects.create(circuit=world.circuit, slug=f"m{number}", name=f"M {number}")
    assert queries(way) == few


@pytest.mark.slow
def test_a_card_trial_compares_a_card_with_the_mean_of_all_cards(
    world: World, office: Client
) -> None:
    romero = world.matadors[0]
    card = romero.cards.get()
    card.oreja, card.ovacion, card.vuelta = "60-81", "38-59", "-"
    card.save()
    compared = put_on_trial(card=card, category=1, lidias=300)
    assert compared.card.lidias == compared.mean.lidias == 300
    assert compared.card.share("ovacion") > compared.mean.share("ovacion")
    assert compared.card.share("vuelta") == 0
    assert put_on_trial(card=card, category=1, lidias=300) == compared
    before = Change.objects.count()
    shown = office.get(f"/admin/corridas/matador/{romero.pk}/trial/?category=3&card=x").text
    assert "Pedro Romero: 1,000 lidias" in shown
    assert "Dos orejas" in shown
    assert (Change.objects.count(), Lidia.objects.count()) == (before, 0)


@pytest.mark.slow
def test_a_card_trial_requires_a_matador_card_without_gaps(world: World, office: Client) -> None:
    romero = world.matadors[0]
    romero.cards.update(rabo="-")
    way = f"/admin/corridas/matador/{romero.pk}/trial/"
    assert "These numbers are not in any range: 97-100" in office.get(way, follow=True).text
    romero.cards.all().delete()
    assert office.get(way).status_code == 404
    assert office.get("/admin/corridas/matador/0/trial/").status_code == 404


def test_outcome_counts_of_a_card_trial_add_up(world: World) -> None:
    card = world.matadors[0].cards.get().engine_card()
    setting = Setting(
        rules=world.circuit.engine_rules(), deck=world.deck.engine_deck(), plaza_rating=2
    )
    trial = try_card(card, setting, 100, Seed(b"s" * 32))
    verdicts = ("bronca", "pitos", "silencio", "division", "aplausos", "ovacion")
    trophies = ("oreja", "dos_orejas", "rabo", "three_avisos")
    assert sum(trial.counts.get(name, 0) for name in verdicts + trophies) == 100
    assert Trial(0, {}).share("oreja") == 0
    with pytest.raises(ValueError, match="one card or more"):
        try_roster([], setting, 10, Seed(b"s" * 32))
