"""The pages with the rules of the three games, and the button that copies a circuit."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from corridas.addresses import address
from corridas.circuits.copy_job import make_copy
from corridas.circuits.operations import delete_circuit
from corridas.engine import Rules, Trophy
from corridas.models import Circuit, CircuitCopy, Deck
from corridas.pages import rulebook
from corridas.pages.known_cards import BARGAIN, DEAR, known_cards
from corridas.stage.scene import Scene
from corridas.world.chances import chances, sample_scores
from corridas.world.roster import load_cards, load_deck
from fairness import Seed
from tests.corridas.pages.barrio import founded
from tests.factories import World, browser_of


def over() -> Scene:
    showing = rulebook.example()
    last = showing.timeline.moment((rulebook.TURN, len(showing.lidia(rulebook.TURN).draws)))
    return Scene(showing=showing, moment=last, language="en")


def test_the_example_bull_of_the_rules_page_wins_an_ear_by_its_points() -> None:
    """The number drawn would only bring an ovation. The points, divided by the plaza's category,

    raise it to an ear (Rulings I-12, I-13).
    """
    told = rulebook.explain(over())
    assert told.category == 2
    assert told.score == int(told.points / told.category) > 0
    assert told.drawn == 10 * told.tens + told.units
    assert told.number == told.drawn + told.score
    assert (told.without, told.outcome) == ("Ovación", "Oreja")
    assert over().showing.lidia(rulebook.TURN).result.trophy is Trophy.OREJA


def test_the_ranges_of_the_example_card_cover_1_to_100_without_gaps() -> None:
    bands = rulebook.explain(over()).bands
    assert [band.x for band in bands[1:]] == [band.x + band.width for band in bands[:-1]]
    assert (bands[0].x, bands[-1].x + bands[-1].width) == (0, 100)


def test_the_example_card_has_a_clavar_and_both_signs() -> None:
    card = rulebook.example().deck.cards[rulebook.SHOWN_CARD]
    assert card.second.name == "CLAVAR"
    assert {card.second.sign, card.third.sign, card.bull.sign} == {1, -1}


def test_the_rules_page_shows_the_options_of_the_circuit(client: Client, lived: World) -> None:
    page = client.get(reverse("rules")).content.decode()
    assert "before every bull" in page
    Circuit.objects.update(rules={"shuffle": "when_exhausted"})
    page = client.get(reverse("rules")).content.decode()
    assert "when no cards are left" in page


def test_the_rules_page_needs_at_most_four_queries(
    client: Client, lived: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(reverse("rules"))
    with django_assert_max_num_queries(4):
        client.get(reverse("rules"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "drawn"), [("dominoes_rules", "dom-train"), ("eltoro_rules", "elt-postcard")]
)
def test_the_rules_of_dominoes_and_el_toro_have_drawings(
    client: Client, name: str, drawn: str
) -> None:
    assert drawn in client.get(reverse(name)).content.decode()


def test_the_home_page_links_to_the_rules_of_every_game(client: Client, lived: World) -> None:
    page = client.get(reverse("home")).content.decode()
    for name in ("rules", "dominoes_rules", "eltoro_rules", "circuit_new"):
        assert f'href="{reverse(name)}' in page


@pytest.mark.slow
@pytest.mark.django_db
def test_a_user_copies_a_public_circuit_and_follows_the_progress() -> None:
    circuit = founded("ana", public=True)
    beto = browser_of("beto")
    page = beto.get(reverse("circuits")).content.decode()
    assert address(circuit.slug, "circuit_copy") in page
    answer = beto.post(address(circuit.slug, "circuit_copy"))
    job = CircuitCopy.objects.get(asked_by__username="beto")
    progress = answer["Location"]
    assert progress == reverse("circuit_copying", kwargs={"pk": job.pk})
    assert "hx-trigger" in beto.get(progress).text
    assert f'href="{progress}"' in beto.get(reverse("circuits")).text
    assert browser_of("carla").get(progress).status_code == 404
    make_copy(job.pk, clock=timezone.now, fresh=Seed.fresh)
    copy = Circuit.objects.get(owner__username="beto")
    assert not copy.public
    desk = address(copy.slug, "desk")
    assert f'href="{desk}"' in beto.get(progress).text
    assert beto.get(desk).status_code == 200


@pytest.mark.django_db
def test_a_copy_can_be_cancelled_on_its_progress_page() -> None:
    circuit = founded("ana", public=True)
    beto = browser_of("beto")
    progress = beto.post(address(circuit.slug, "circuit_copy"))["Location"]
    assert beto.post(progress)["Location"] == reverse("circuits")
    assert "The copy was cancelled" in beto.get(progress).text
    assert progress not in beto.get(reverse("circuits")).text


@pytest.mark.django_db
def test_the_progress_page_of_a_deleted_copy_says_so_before_its_rows_are_removed() -> None:
    beto = browser_of("beto")
    user = User.objects.get(username="beto")
    deck = Deck.objects.create(name="Blank", digest="d" * 64, cards="")
    copy = Circuit.objects.create(slug="copy", name="Copy", deck=deck, owner=user)
    job = CircuitCopy.objects.create(
        circuit=copy, asked_by=user, state=CircuitCopy.State.DONE, asked_at=timezone.now()
    )
    progress = reverse("circuit_copying", kwargs={"pk": job.pk})
    assert "Your copy is ready" in beto.get(progress).text
    assert delete_circuit(circuit=copy, by=user, at=timezone.now())
    page = beto.get(progress).text
    assert "This copy has been deleted." in page
    assert "Your copy is ready" not in page


@pytest.mark.django_db
def test_a_private_circuit_of_another_user_cannot_be_copied() -> None:
    circuit = founded("ana", public=False)
    assert browser_of("beto").post(address(circuit.slug, "circuit_copy")).status_code == 404


@pytest.mark.slow
def test_the_rules_compare_two_shipped_cards_by_their_chances(db: None, client: Client) -> None:
    """The figures in the text are those of the cards, with the shipped deck and default rules.

    The bargain has the better chances in every category of plaza, with the lower rating.
    """
    dear, bargain = known_cards()
    assert dear.rating > bargain.rating
    cards = load_cards()
    counts = sample_scores(load_deck(), Rules(), 30_000, Seed(bytes(32)))
    for known, (slug, _ear) in ((dear, DEAR), (bargain, BARGAIN)):
        card = cards[slug]
        assert (known.name, known.rating) == (card.name, card.rating)
        assert chances(card, 1, counts).ear == pytest.approx(known.ear / 100, abs=0.012)
    for category in (1, 2, 3):
        worse, better = (chances(cards[slug], category, counts) for slug, _ in (DEAR, BARGAIN))
        assert worse.ear < better.ear
        assert worse.two_ears < better.two_ears
        assert worse.ears < better.ears
    page = " ".join(client.get(reverse("rules")).text.split())
    assert f"{dear.name} has the rating {dear.rating}, but" in page
    assert f"an ear from {dear.ear} % of his bulls" in page
    assert (
        f"{bargain.name}, with the rating {bargain.rating}, cuts one from {bargain.ear} %" in page
    )
