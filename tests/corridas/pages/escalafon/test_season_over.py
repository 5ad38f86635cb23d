"""The end of a season: what it says, to whom, when it is not over yet, and after its winter."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.season_over import lead_of, moment_of, season_over
from corridas.models import Award, Corrida, Lidia, Matador, Season, Winter
from corridas.simulation.packed_year import pack
from corridas.simulation.record_book import write_anew
from corridas.simulation.schedule import promise_winter
from corridas.simulation.winter import closing_careers
from corridas.world.winter import Year
from fairness import Seed
from tests.corridas.pages.conftest import Counted
from tests.databases import written_again
from tests.factories import OREJA, SILENCIO, World, live_through, small_circuit

ADDRESS = "/temporada/2027/final/"
SEED = Seed(sha256(b"final").digest())


@written_again
def ended_circuit(slug: str = "leyendas", **more: Any) -> World:
    world = live_through(small_circuit(slug, **more))
    write_anew(world.circuit.pk)
    promise_winter(world.season, SEED)
    return world


@pytest.fixture
def ended(db: None) -> World:
    """A season that is over; its winter is still to come."""
    return ended_circuit()


def director(world: World, client: Client) -> None:
    world.circuit.owner = get_user_model().objects.create_user("presidente")
    world.circuit.save()
    client.force_login(world.circuit.owner)


def turn(world: World, *retired: int) -> None:
    """The winter is over, and these matadors have retired."""
    careers = [career for _man, career in closing_careers(world.season, SEED)]
    news = [
        {
            "kind": "retired",
            "slug": world.matadors[number].slug,
            "name": world.matadors[number].name,
            "why": "age",
        }
        for number in retired
    ]
    known = pack(Year(year=2027, careers=careers, herds=()))
    Winter.objects.filter(season=world.season).update(
        done_at=timezone.now(), news=news, known=known
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_it_names_the_champion_and_what_the_season_brought(
    ended: World, client: Client, language: str
) -> None:
    page = client.get(ADDRESS, headers={"accept-language": language})
    champion = ranking.standings(ended.season)[0]
    assert page.status_code == 200
    assert f"<h1>{champion.name}</h1>" in page.text
    assert not re.search(r'\sstyle="|<style|\son\w+="', page.text)
    for heading in ("race-h", "ferias-h", "moment-h", "awards-h", "compared-h"):
        assert f'id="{heading}"' in page.text
    assert 'href="/temporada/2027/goyesca/"' in page.text
    assert "/direccion/invierno/" not in page.text


@pytest.mark.parametrize(
    ("alternativa", "words"),
    [
        ("2027-03-01", "in the year of his alternativa"),
        ("2026-03-01", "in the year after his alternativa"),
        ("1917-03-01", "No matador was in his first two seasons"),
    ],
)
def test_it_says_why_somebody_is_the_revelation(
    ended: World, client: Client, alternativa: str, words: str
) -> None:
    Matador.objects.filter(circuit=ended.circuit).update(alternativa=alternativa)
    Award.objects.filter(key="revelation").update(version=1)
    write_anew(ended.circuit.pk)
    assert words in client.get(ADDRESS).text


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("announced", "1 corrida is still to be played."),
        ("queued", "A corrida is on air."),
        ("on_air", "A corrida is on air."),
        ("at_table", "1 corrida is being played at a real table."),
    ],
)
def test_before_the_end_it_says_what_is_left(
    ended: World, client: Client, state: str, sentence: str
) -> None:
    client.get(ADDRESS)
    corrida = ended.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    text = client.get(ADDRESS).text
    assert "The 2027 season is not over yet." in text
    assert sentence in text
    assert ended.matadors[0].name not in text


def test_a_season_without_a_corrida_says_so(client: Client, db: None) -> None:
    small_circuit()
    assert "none of its corridas was fought" in client.get(ADDRESS).text


@pytest.mark.parametrize("year", ["1999", "99999"])
def test_no_season_no_end(ended: World, client: Client, year: str) -> None:
    assert client.get(f"/temporada/{year}/final/").status_code == 404


def test_a_private_circuit_shows_it_to_nobody_else(client: Client, db: None) -> None:
    world = ended_circuit("cerrado", public=False)
    address = f"/circuitos/cerrado{ADDRESS}"
    assert client.get(address).status_code == 404
    director(world, client)
    assert client.get(address).status_code == 200


def test_only_the_director_gets_the_buttons(ended: World, client: Client) -> None:
    buttons = 'name="then" value="season"'
    assert buttons not in client.get(ADDRESS).text
    client.force_login(get_user_model().objects.create_user("vera"))
    assert buttons not in client.get(ADDRESS).text
    director(ended, client)
    assert buttons in client.get(ADDRESS).text
    assert buttons not in Client().get(ADDRESS).text


def test_the_director_of_a_frozen_circuit_gets_none(ended: World, client: Client) -> None:
    director(ended, client)
    ended.circuit.frozen_at = timezone.now()
    ended.circuit.save()
    assert 'name="then"' not in client.get(ADDRESS).text


def test_a_failed_corrida_can_be_left_out(ended: World, client: Client) -> None:
    director(ended, client)
    corrida = ended.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=corrida.pk).update(state="failed")
    assert 'name="leave" value="yes"' in client.get(ADDRESS).text


@pytest.mark.parametrize(
    ("then", "goal"),
    [("winter", ADDRESS.replace("final", "invierno")), ("season", "/temporada/2028/"), ("", None)],
)
def test_the_buttons_lead_on(ended: World, client: Client, then: str, goal: str | None) -> None:
    director(ended, client)
    ended.circuit.calendar = [["Goyesca", "ronda", "03-01", 2, "daily"]]
    ended.circuit.save()
    answer = client.post("/direccion/invierno/", {"then": then})
    assert answer["Location"] == (goal or ADDRESS.replace("final", "invierno"))
    assert Season.objects.filter(year=2028).exists()
    text = Client().get(ADDRESS).text
    assert 'href="/temporada/2028/"' in text
    assert "The winter has changed the matadors’ ratings" in text


def test_who_may_retire_is_named_with_age_and_figures(ended: World, client: Client) -> None:
    Matador.objects.update(counted_from=2027 - 44, promise=70)
    text = client.get(ADDRESS).text
    assert "Matadors who might retire" in text
    said = re.findall(r"[^>]*\b44\b[^<]*", text[text.index("Matadors who might retire") :])
    assert len(said) == len(set(said)) == 4


def test_nobody_is_named_whom_the_rules_let_go_on(ended: World, client: Client) -> None:
    Matador.objects.update(counted_from=2027 - 24, promise=70)
    assert "Matadors who might retire" not in client.get(ADDRESS).text


def test_after_the_winter_it_says_what_was_decided(ended: World, client: Client) -> None:
    Matador.objects.update(counted_from=2027 - 44, promise=70)
    client.get(ADDRESS)
    turn(ended, 1, 2)
    text = client.get(ADDRESS).text
    gone, staying = (
        text.index("Saying goodbye"),
        text.index("Matadors who could have retired but are carrying on"),
    )
    for number, man in enumerate(ended.matadors):
        place = text.index(f'href="/matadores/{man.slug}/"', gone)
        assert (place < staying) == (number in (1, 2))
    assert "Matadors who might retire" not in text


def test_a_winter_without_the_careers_still_names_who_retired(ended: World, client: Client) -> None:
    news = [{"kind": "retired", "slug": "nobody", "name": "Nadie", "why": "age"}]
    Winter.objects.update(done_at=timezone.now(), news=news)
    assert "Nadie" in client.get(ADDRESS).text


def test_as_many_queries_for_many_as_for_few(world: World, counted: Counted) -> None:
    promise_winter(world.season, SEED)
    world.post(world.announce(dt.date(2027, 3, 2)))
    write_anew(world.circuit.pk)
    one = counted(ADDRESS)
    for day in (3, 4, 5):
        world.post(world.announce(dt.date(2027, 3, day), plaza=day % 2, first=day % 2))
    for year in (2024, 2025, 2026):
        world.another_season(year)
    write_anew(world.circuit.pk)
    assert counted(ADDRESS) == one <= 20
    turn(world, 1)
    one = counted(ADDRESS)
    turn(world, 1, 2, 3)
    assert counted(ADDRESS) == one <= 18


def test_a_kept_page_asks_for_its_mark_alone(
    ended: World, client: Client, django_assert_num_queries: Any
) -> None:
    turn(ended, 1)
    client.get(ADDRESS)
    with django_assert_num_queries(1):
        client.get(ADDRESS)


def test_who_has_not_watched_all_is_told_nothing(ended: World, client: Client) -> None:
    since = timezone.now() - dt.timedelta(days=2)
    user = get_user_model().objects.create_user("vera", shielded_since=since)
    client.force_login(user)
    assert client.get(ADDRESS).status_code == 200
    Corrida.objects.filter(date=dt.date(2027, 3, 2)).update(
        on_air_at=timezone.now() - dt.timedelta(days=1)
    )
    page = client.get(ADDRESS)
    assert page.status_code == 403
    assert "so-champ" not in page.text


@pytest.mark.parametrize(
    "address", ["/temporada/2027/", "/escalafon/2027/", "/temporada/2027/invierno/"]
)
def test_the_pages_of_the_season_lead_there(ended: World, client: Client, address: str) -> None:
    assert f'href="{ADDRESS}"' in client.get(address).text


def test_the_desk_leads_there(ended: World, client: Client) -> None:
    director(ended, client)
    assert f'href="{ADDRESS}"' in client.get("/direccion/").text


def test_the_lead_counts_its_changes(world: World) -> None:
    """Three fight on the second, another three on the fourth, and one of these alone again."""
    world.post(world.announce(dt.date(2027, 3, 2), 0, 0), (OREJA, *[SILENCIO] * 5))
    world.post(world.announce(dt.date(2027, 3, 4), 1, 1), (OREJA, *[SILENCIO] * 5))
    course = ranking.course_of(world.season)
    people = ranking.people_by_id(matador.pk for matador in world.matadors)
    lead = lead_of(course, people)
    assert lead is not None
    assert (lead.changes, lead.longest, lead.days) == (1, world.matadors[0].pk, 2)
    assert lead.since == dt.date(2027, 3, 4)
    assert lead_of(ranking.Course((), ()), people) is None


def test_seasons_are_compared_with_those_before(ended: World) -> None:
    ended.another_season(2026)
    ended.another_season(2028)
    over = season_over(ended.season)
    assert [line.year for line in over.seasons] == [2027, 2026]
    this, before = over.seasons
    assert this.triumphs == 3
    assert this.rate == pytest.approx(0.5)
    assert before.triumphs == 0
    assert over.mean == replace(before, year=0)


def test_a_spared_bull_is_the_moment_with_the_cards_of_its_indulto(ended: World) -> None:
    tail = moment_of(ended.season)
    assert tail is not None
    assert not tail.spared
    assert tail.places == (28, 29)
    Lidia.objects.filter(turn=1, corrida__date=dt.date(2027, 3, 4)).update(ending="spared")
    spared = moment_of(ended.season)
    assert spared is not None
    assert spared.spared
    assert (spared.lidia.turn, spared.places) == (1, (26, 27))
    Lidia.objects.update(draws=b"")
    unread = moment_of(ended.season)
    assert unread is not None
    assert unread.places == ()
