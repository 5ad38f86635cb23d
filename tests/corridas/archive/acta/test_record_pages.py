"""The record file (acta) of a corrida as a download: who may have it, from when, and caching."""

from __future__ import annotations

import datetime as dt
import json
from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

import actas
from corridas.archive.acta import of_corrida, of_lidia
from corridas.models import Cartel, Corrida, TableCorrida
from corridas.simulation.rows import stake_of
from fairness import commitment
from tests.corridas.pages.tabletop.test_tabletop_filed import filed
from tests.factories import World


def over(world: World, state: str = "posted") -> Corrida:
    """Return a corrida that is over, with cards played by the engine and a true commitment."""
    name_the_deck(world)
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 4, 1)), seconds=60)
    promise = commitment(bytes(corrida.cartel.seed), stake_of(corrida))
    Cartel.objects.filter(pk=corrida.pk).update(commitment=promise)
    shown = timezone.now() - dt.timedelta(days=1)
    Corrida.objects.filter(pk=corrida.pk).update(state=state, on_air_at=shown)
    return Corrida.objects.get(pk=corrida.pk)


def name_the_deck(world: World) -> None:
    """Store the true digest of the deck, because the small circuit has an invented one."""
    world.deck.digest = sha256(world.deck.cards.encode()).hexdigest()
    world.deck.save()


def test_a_record_file_can_be_downloaded_and_cached(client: Client, world: World) -> None:
    corrida = over(world)
    answer = client.get(f"/corridas/{corrida.pk}/record/")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/json")
    assert answer["Content-Disposition"] == f'attachment; filename="corrida-{corrida.pk}.json"'
    assert answer["Cache-Control"] == "public, max-age=3600, stale-while-revalidate=86400"
    assert actas.check_file(answer.content).is_confirmed
    again = client.get(answer.request["PATH_INFO"], headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    assert not again.content


def test_the_record_file_of_a_lidia_verifies_on_its_own(client: Client, world: World) -> None:
    corrida = over(world)
    answer = client.get(f"/corridas/{corrida.pk}/4/record/")
    document = answer.json()
    assert actas.check_file(answer.content).is_confirmed
    assert [lidia["turn"] for lidia in document["lidias"]] == [4]
    whole = client.get(f"/corridas/{corrida.pk}/record/").json()
    assert document["lidias"][0] == whole["lidias"][3]
    assert client.get(f"/corridas/{corrida.pk}/7/record/").status_code == 404
    assert client.get(f"/corridas/{corrida.pk}/0/record/").status_code == 404


@pytest.mark.parametrize("state", ["announced", "queued", "on_air", "failed", "at_table"])
def test_no_record_file_is_available_before_the_corrida_is_over(
    client: Client, world: World, state: str
) -> None:
    corrida = over(world, state)
    seed = bytes(corrida.cartel.seed).hex()
    for way in ("record/", "record/verdict/", "1/record/", "1/record/verdict/"):
        answer = client.get(f"/corridas/{corrida.pk}/{way}")
        assert answer.status_code == 404
        assert seed not in answer.text
    for writer in (of_corrida, lambda one: of_lidia(one, 1)):
        with pytest.raises(
            actas.NotYet,
            match=r"The record will be available when the corrida is over and its seed has been "
            "revealed.",
        ):
            writer(corrida)


def test_record_files_of_a_private_circuit_are_shown_to_its_director_only(world: World) -> None:
    owner = get_user_model().objects.create_user("directora", "d@example.org", "x")
    corrida = over(world)
    circuit = world.circuit
    circuit.slug, circuit.public, circuit.owner = "privado", False, owner
    circuit.save()
    way = f"/circuitos/privado/corridas/{corrida.pk}/record/"
    assert Client().get(way).status_code == 404
    assert Client().get(f"/corridas/{corrida.pk}/record/").status_code == 404
    assert Client().get(f"{way}verdict/").status_code == 404
    director = Client()
    director.force_login(owner)
    answer = director.get(way)
    assert answer.status_code == 200
    assert answer["Cache-Control"].startswith("private")
    assert "Cookie" in answer["Vary"]
    page = director.get(f"{way}verdict/").text
    assert "Everything is correct" in page
    assert f'href="{way}"' in page


def test_the_page_links_to_record_file_and_verdict_once_the_corrida_is_over(
    client: Client, world: World
) -> None:
    corrida = over(world)
    page = client.get(f"/corridas/{corrida.pk}/").text
    assert f'href="/corridas/{corrida.pk}/record/"' in page
    assert f'href="/corridas/{corrida.pk}/record/verdict/"' in page
    lidia = client.get(f"/corridas/{corrida.pk}/2/", follow=True).text
    assert f'href="/corridas/{corrida.pk}/2/record/"' in lidia
    Corrida.objects.filter(pk=corrida.pk).update(state="on_air")
    assert "/record/" not in client.get(f"/corridas/{corrida.pk}/").text


def test_the_verdict_of_a_record_file_is_a_page_or_an_htmx_fragment(
    client: Client, world: World
) -> None:
    way = f"/corridas/{over(world).pk}/record/verdict/"
    page = client.get(way)
    assert "Everything is correct" in page.text
    assert "<html" in page.text
    fragment = client.get(way, headers={"hx-request": "true"})
    assert "Everything is correct" in fragment.text
    assert "<html" not in fragment.text
    assert client.get(way, headers={"if-none-match": page["ETag"]}).status_code == 304
    spanish = client.get(way, headers={"accept-language": "es"})
    assert spanish["ETag"] != page["ETag"]


def test_the_verdict_reports_rows_that_were_tampered_with(client: Client, world: World) -> None:
    corrida = over(world)
    lidia = corrida.lidias.get(turn=2)
    lidia.matador_points += 1
    lidia.save()
    page = client.get(f"/corridas/{corrida.pk}/record/verdict/").text
    assert "Does not match" in page
    assert "lidias/1/result/matador_points should be" in page
    lidia.draws = bytes(lidia.draws[:-1])
    lidia.save()
    document: dict[str, Any] = json.loads(client.get(f"/corridas/{corrida.pk}/record/").content)
    assert document["lidias"][1]["reads"] == []
    assert not actas.check(document).is_confirmed


@pytest.mark.slow
def test_a_corrida_of_a_real_table_has_its_scoresheet_as_record_file(
    client: Client, world: World
) -> None:
    name_the_deck(world)
    corrida = filed(world, by_cards=True)
    answer = client.get(f"/corridas/{corrida.pk}/record/")
    document = answer.json()
    assert document["kind"] == "sheet"
    assert "seed" not in document
    assert document["result"]["evidence"] == "log"
    assert {seat["name"] for seat in document["seats"]} == {""}
    assert len(document["deck"]) == 70
    assert answer["Cache-Control"] == "public, no-cache"
    assert actas.check(document).is_confirmed
    document["sheet"]["lidias"][0]["cards"][0] = document["sheet"]["lidias"][0]["cards"][1]
    assert not actas.check(document | {"digest": actas.digest(document)}).is_confirmed
    assert client.get(f"/corridas/{corrida.pk}/1/record/").status_code == 404
    assert f'href="/corridas/{corrida.pk}/record/"' in client.get(f"/corridas/{corrida.pk}/").text


@pytest.mark.slow
def test_an_imported_table_corrida_says_that_its_record_is_on_the_original_site(
    client: Client, world: World
) -> None:
    name_the_deck(world)
    corrida = filed(world, by_cards=True)
    TableCorrida.objects.filter(corrida=corrida).update(corrida=None)
    with pytest.raises(
        actas.NotYet,
        match=r"This corrida was played at a real table and imported with its season file\. "
        "Its scoresheet, and therefore its record, is still on the original site.",
    ):
        of_corrida(Corrida.objects.get(pk=corrida.pk))
    for way in ("record/", "record/verdict/"):
        answer = client.get(f"/corridas/{corrida.pk}/{way}")
        assert answer.status_code == 404
        assert (
            "This corrida was played at a real table and imported with its season file. Its "
            "scoresheet, and therefore its record, is still on the original site."
        ) in answer.text
    told = client.get(f"/api/v1/corridas/{corrida.pk}/record/")
    assert told.status_code == 404
    assert told.headers["Content-Type"] == "application/problem+json"
    page = client.get(f"/corridas/{corrida.pk}/").text
    assert "/record/" not in page
    assert "Its record is on the site where the result was entered" in page
