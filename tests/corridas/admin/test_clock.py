"""The admin site shows nothing of a corrida on air before its broadcast has reached it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client

from corridas.models import Corrida, Injury, Lidia, Season, Winter
from tests.factories import World

# Seconds from one bull to the next at one card a second: thirty cards, and the time in which the
# bull is dragged out.
LIDIA = 42

SEED = (b"s" * 32).hex()
COMMITMENT = (b"c" * 32).hex()
DAY = dt.date(2027, 3, 8)


def page(corrida: Corrida) -> str:
    return f"/admin/corridas/corrida/{corrida.pk}/change/"


def bare(text: str) -> str:
    """Return a page without its CSRF tokens, which differ at each visit."""
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)


LISTS = ("matador", "bull", "escalafon", "injury", "season", "feria", "run", "lidia")


@pytest.mark.slow
@pytest.mark.parametrize("model", LISTS)
def test_admin_lists_do_not_depend_on_the_results_of_a_corrida_on_air(
    lived: World, office: Client, model: str
) -> None:
    corrida = lived.announce(DAY)
    lived.play(corrida)
    told = bare(office.get(f"/admin/corridas/{model}/").text)
    Lidia.objects.filter(corrida=corrida).update(finisher=lived.matadors[3], trophy=3)
    begun = dt.datetime.now(dt.UTC)
    Corrida.objects.filter(pk=corrida.pk).update(
        state=Corrida.State.ON_AIR, pace_ms=1000, on_air_at=begun
    )
    Lidia.objects.filter(corrida=corrida).update(ends_at=begun + dt.timedelta(hours=1))
    assert bare(office.get(f"/admin/corridas/{model}/").text) == told


@pytest.mark.slow
def test_a_lidia_on_air_appears_in_the_admin_only_when_its_broadcast_is_over(
    world: World, office: Client
) -> None:
    """Check that the bulls appear one after the other.

    The fourth bull earns a tail, but the broadcast has reached the third, so the admin must not
    show the tail yet.
    """
    corrida = world.air(world.announce(DAY), seconds=8 + 2 * LIDIA + 5)
    listed = office.get("/admin/corridas/lidia/")
    assert [lidia.turn for lidia in listed.context["cl"].result_list] == [1, 2]
    shown = office.get(page(corrida)).text
    assert [lidia.bull.name in shown for lidia in corrida.lidias.order_by("turn")] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    told, untold = (corrida.lidias.get(turn=turn) for turn in (2, 3))
    assert office.get(f"/admin/corridas/lidia/{told.pk}/change/").status_code == 200
    hidden = office.get(f"/admin/corridas/lidia/{untold.pk}/change/")
    assert hidden.status_code == 302
    assert "doesn’t exist" in office.get(hidden["Location"]).text


def test_the_admin_hides_seed_and_end_of_a_corrida_on_air(world: World, office: Client) -> None:
    corrida = world.air(world.announce(DAY), seconds=20)
    corrida.ends_at = dt.datetime(2031, 12, 24, 18, 30, tzinfo=dt.UTC)
    corrida.save()
    shown = office.get(page(corrida)).text
    assert COMMITMENT in shown
    assert "sealed until the corrida is over" in shown
    assert SEED not in shown
    assert "2031" not in shown


def test_the_admin_shows_the_seed_of_a_corrida_that_is_over(lived: World, office: Client) -> None:
    shown = office.get(page(Corrida.objects.over()[0])).text
    assert COMMITMENT in shown
    assert SEED in shown


def test_the_admin_hides_the_seed_of_a_season_while_a_corrida_is_on_air(
    lived: World, office: Client
) -> None:
    address = f"/admin/corridas/season/{lived.season.pk}/change/"
    assert SEED in office.get(address).text
    lived.air(lived.announce(DAY), seconds=20)
    shown = office.get(address).text
    assert SEED not in shown
    assert COMMITMENT in shown


def test_the_admin_hides_the_seed_of_a_season_until_its_winter_is_over(
    lived: World, office: Client
) -> None:
    """Check the seed before and after the winter.

    Game tables may post corridas until the winter, and the season's seed decides how long
    matadors injured there must rest. So the seed must stay hidden until then.
    """
    winter = Winter.objects.create(season=lived.season, seed=b"w", commitment=b"w")
    address = f"/admin/corridas/season/{lived.season.pk}/change/"
    assert SEED not in office.get(address).text
    winter.done_at = Corrida.objects.over().latest("date").posted_at
    winter.save()
    assert SEED in office.get(address).text


def test_the_admin_hides_the_seed_of_a_corrida_fought_at_a_game_table(
    lived: World, office: Client
) -> None:
    """The result of a game table may still be struck off, and the site would then play the corrida
    from its seed.

    So the seed must stay hidden.
    """
    corrida = Corrida.objects.over()[0]
    Corrida.objects.filter(pk=corrida.pk).update(origin=Corrida.Origin.TABLE)
    assert SEED not in office.get(page(corrida)).text


def test_no_admin_list_shows_a_seed(lived: World, office: Client) -> None:
    for model in ("season", "corrida", "lidia"):
        assert SEED not in office.get(f"/admin/corridas/{model}/").text


def test_the_admin_hides_an_injury_of_a_corrida_on_air(world: World, office: Client) -> None:
    corrida = world.air(world.announce(DAY), seconds=20)
    hurt = Injury.objects.create(
        matador=world.matadors[1], corrida=corrida, turn=2, grade="grave", since=DAY, until=DAY
    )
    book = "/admin/corridas/injury/"
    assert "Francisco Montes" not in office.get(book).text
    assert office.get(f"{book}{hurt.pk}/change/").status_code == 302
    Corrida.objects.update(state=Corrida.State.POSTED)
    assert "Francisco Montes" in office.get(book).text


@pytest.mark.parametrize(
    "question",
    [
        "matador/?lidias__isnull=0",
        "matador/?lidias__trophy=3",
        "matador/?lidias=1",
        "bull/?lidia__isnull=0",
        "bull/?lidia__trophy=3",
        "corrida/?lidias__trophy=3",
        "corrida/?ends_at__gt=2027-01-01",
        "corrida/?cartel__seed__startswith=s",
        "season/?seed__gt=s",
        "lidia/?draws__contains=x",
    ],
)
def test_admin_lists_cannot_be_filtered_or_sorted_by_hidden_columns(
    world: World, office: Client, question: str
) -> None:
    world.air(world.announce(DAY), seconds=20)
    answer = office.get(f"/admin/corridas/{question}")
    assert answer.status_code in {302, 400}
    assert "trophy" not in answer.headers.get("Location", "")


@pytest.mark.slow
def test_rows_that_other_rows_refer_to_cannot_be_deleted(lived: World, office: Client) -> None:
    """Django's confirmation page would list all related rows, including unrevealed results.

    So deletion must be unavailable.
    """
    corrida = lived.air(lived.announce(DAY), seconds=20)
    rows = {
        "matador": lived.matadors[0].pk,
        "plaza": lived.plazas[0].pk,
        "ganaderia": lived.herd.pk,
        "bull": corrida.lidias.get(turn=4).bull_id,
        "deck": lived.deck.pk,
        "circuit": lived.circuit.pk,
        "season": lived.season.pk,
        "feria": lived.feria.pk,
        "corrida": corrida.pk,
        "lidia": corrida.lidias.get(turn=4).pk,
    }
    for model, key in rows.items():
        answer = office.get(f"/admin/corridas/{model}/{key}/delete/")
        assert answer.status_code in {302, 403}, model
        assert "delete_selected" not in office.get(f"/admin/corridas/{model}/").text
    assert Season.objects.count() == 1
