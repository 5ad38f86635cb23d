"""Matches of an Indulto league (a club): each match first asks for its cartel."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.engine import BULLS
from corridas.models import TableCorrida
from leagues.exchange.formats import read_csv
from leagues.exchange.operations import import_results
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations.matches import confirm
from leagues.models import League, Match, Member, Player
from leagues.players import new_player, player_of_user
from tests.factories import World, browser
from tests.leagues.pages.matches.games import score


@pytest.fixture
def nora(db: None) -> Player:
    return player_of_user(User.objects.create_user("nora"), at=timezone.now())


@pytest.fixture
def club(nora: Player, world: World) -> League:
    settings = LeagueSettings(name="Peña", game="indulto", format="ladder", profile="rulebook")
    league = create_league(settings=settings, by=nora, at=timezone.now())
    pepe = new_player(name="Pepe", at=timezone.now(), added_by=nora)
    Member.objects.create(league=league, player=pepe, joined_at=timezone.now())
    return league


def seated(club: League) -> dict[str, str]:
    """Return the form data that seats both members."""
    members = club.members.order_by("pk")
    return {f"seat-{seat}": str(one.player_id) for seat, one in enumerate(members)}


@pytest.fixture
def browser_of_nora(nora: Player) -> Client:
    return browser(nora)


def cartel(world: World) -> dict[str, str]:
    """Return the form data of a cartel."""
    fields = {"plaza": str(world.plazas[0].pk), "date": "2027-05-01", "herd": str(world.herd.pk)}
    fields |= {"lead-0": "0", "lead-1": "1", "lead-2": "0"}
    return fields | {
        f"matador-{place}": str(one.pk) for place, one in enumerate(world.matadors[:3])
    }


def test_a_match_of_a_club_asks_for_its_cartel(
    browser_of_nora: Client, club: League, world: World
) -> None:
    answer = browser_of_nora.post(f"/leagues/{club.slug}/match/", seated(club))
    match = Match.objects.get()
    assert answer["Location"] == f"/tienta/{match.pk}/"
    page = browser_of_nora.get(f"/tienta/{match.pk}/").text
    assert "Three matadors" in page
    sent = cartel(world) | {"version": str(match.version), "circuit": "leyendas"}
    answer = browser_of_nora.post(f"/tienta/{match.pk}/", sent)
    assert answer.status_code == 302
    assert 'id="pad"' in browser_of_nora.get(f"/tienta/{match.pk}/").text
    row = TableCorrida.objects.get(match=match)
    assert (row.circuit, row.plaza) == (None, world.plazas[0])


def test_a_missing_value_of_a_club_s_cartel_gets_an_error(
    browser_of_nora: Client, club: League, world: World
) -> None:
    browser_of_nora.post(f"/leagues/{club.slug}/match/", seated(club))
    match = Match.objects.get()
    sent = cartel(world) | {"version": str(match.version), "plaza": ""}
    answer = browser_of_nora.post(f"/tienta/{match.pk}/", sent)
    assert answer.status_code == 422
    assert "Choose a plaza." in answer.text


def test_a_member_can_start_a_corrida_from_the_club_s_page(
    browser_of_nora: Client, club: League, world: World
) -> None:
    way = f"/tienta/nueva/?league={club.slug}"
    assert "Peña" in browser_of_nora.get(way).text
    sent = cartel(world) | {"league": club.slug, "circuit": "leyendas"} | seated(club)
    # The page offers the members by name and names the matador whose leader is missing.
    first, second = (one.player for one in club.members.order_by("pk"))
    chosen = {"lead-0": f"p{second.pk}", "lead-1": f"p{first.pk}", "lead-2": ""}
    answer = browser_of_nora.post("/tienta/nueva/", sent | chosen)
    assert answer.status_code == 422
    third = world.matadors[2].billing
    asked = f"Choose who leads {third}: {first.name} or {second.name}."
    assert answer.context["matadors"][2] == (str(world.matadors[2].pk), "", asked)
    assert asked in answer.text
    assert f'<option value="p{second.pk}" selected>{second.name}</option>' in answer.text
    assert not Match.objects.exists()
    chosen["lead-2"] = f"p{second.pk}"
    assert browser_of_nora.post("/tienta/nueva/", sent | chosen).status_code == 302
    match = Match.objects.get()
    assert match.league == club
    assert match.draft is not None
    led = dict(
        zip([row["name"] for row in match.draft["cartel"]], match.draft["leads"], strict=True)
    )
    names = [one.name for one in world.matadors[:3]]
    assert [led[name] for name in names] == [1, 0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("confirmed", [False, True])
def test_an_imported_result_asks_for_its_cartel_when_it_is_corrected(
    browser_of_nora: Client, nora: Player, club: League, world: World, *, confirmed: bool
) -> None:
    rows = ["match,key,played_at,player,place,points"]
    rows += ["1,a,2026-03-01 20:00,nora,1,5", "1,a,2026-03-01 20:00,Pepe,2,2"]
    reading = read_csv("\n".join(rows))
    (match,) = import_results(league=club, reading=reading, by=nora, at=timezone.now()).matches
    way = f"/tienta/{match.pk}/"
    if confirmed:
        pepe = match.seats.get(number=1).player
        match = confirm(match=match, version=match.version, by=pepe, at=timezone.now())

    def press(do: str, **fields: object) -> str:
        sent = {"do": do, "version": str(match.version), **fields}
        return str(browser_of_nora.post(way, sent, headers={"Accept-Language": "en"})["Location"])

    press("rewrite")
    assert "Three matadors" in browser_of_nora.get(way).text
    # The correction can be cancelled. Otherwise nothing else could be done with the result.
    press("leave")
    assert 'id="ticket"' in browser_of_nora.get(way).text
    press("rewrite")
    assert "Discard changes" in browser_of_nora.get(way).text
    answer = browser_of_nora.post(way, cartel(world) | {"circuit": "leyendas", "plaza": ""})
    assert answer.status_code == 422
    assert "Choose a plaza." in answer.text
    browser_of_nora.post(way, cartel(world) | {"circuit": "leyendas"})
    assert 'id="pad"' in browser_of_nora.get(way).text
    # Nothing is stored yet.
    assert not TableCorrida.objects.exists()
    for bull in range(1, BULLS + 1):
        press("put", **score(bull, 50 + bull))
    sent = press("send")
    if confirmed:
        assert sent == f"/matches/{match.pk}/correct/"
        fields = {"version": str(match.version), "reason": "miscounted", "short": "1"}
        assert browser_of_nora.post(sent, fields).status_code == 302
    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet.points == [4, 2]
    row = TableCorrida.objects.get(match=match)
    assert (row.plaza, row.date.isoformat()) == (world.plazas[0], "2027-05-01")
