"""Pages of game tables: the list of tables, creating a table, and taking a seat."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.models import Player, Table
from tests.leagues.pages.tables.seats import act, begun_table, open_table, page

pytestmark = pytest.mark.django_db


def test_visitor_starts_a_game_against_a_bot_with_one_click(client: Client) -> None:
    answer = client.post(reverse("play_now"), {"game": "dominoes", "bot": "greedy", "name": "Eva"})
    table = Table.objects.get()
    assert answer["Location"] == page(table)
    told = client.get(page(table)).content.decode()
    assert "Eva" in told
    assert 'class="dom-rack' in told


def test_table_is_created_with_the_form(ana: tuple[Client, Player]) -> None:
    client, _player = ana
    fields = {
        "profile": "crosswise_open",
        "seats": "4",
        "bots": "2",
        "bot": "keeper",
        "pace": "live",
        "seconds": "30",
        "days": "1",
        "seating": "anybody",
        "watch": "anybody",
        "delay": "0",
        "rated": "on",
    }
    assert client.get(reverse("new_table")).status_code == 200
    answer = client.post(reverse("new_table"), fields)
    table = Table.objects.get()
    assert answer["Location"] == page(table)
    assert (table.profile, table.allowance, table.seats.count()) == ("crosswise_open", 30, 4)
    assert [seat.bot for seat in table.seats.order_by("number")] == ["", "", "keeper", "keeper"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", "99"),
        ("bots", "2"),
        ("seconds", "-5"),
        ("profile", "nonsense"),
        ("bot", "deep"),
        ("delay", "1e9"),
    ],
)
def test_invalid_table_setting_is_rejected_at_its_field(
    ana: tuple[Client, Player], field: str, value: str
) -> None:
    fields = {
        "profile": "rulebook",
        "seats": "2",
        "bots": "1",
        "bot": "keeper",
        "pace": "live",
        "seconds": "30",
        "days": "1",
        "seating": "link",
        "watch": "anybody",
        "delay": "0",
        field: value,
    }
    answer = ana[0].post(reverse("new_table"), fields)
    assert answer.status_code == 422
    assert 'class="tab-error"' in answer.content.decode()
    assert not Table.objects.exists()


def test_own_rules_with_too_few_tiles_are_rejected(ana: tuple[Client, Player]) -> None:
    """Ruling D-2 requires that the set has enough tiles for the hands of all players."""
    fields = {
        "profile": "own",
        "seats": "2",
        "bots": "0",
        "bot": "keeper",
        "pace": "days",
        "seconds": "60",
        "days": "2",
        "seating": "link",
        "watch": "nobody",
        "delay": "0",
        "own-highest": "2",
        "own-hand_size": "7",
        "own-lead": "draw",
        "own-boneyard": "draw",
        "own-target": "100",
        "own-matadors": "inline",
    }
    assert ana[0].post(reverse("new_table"), fields).status_code == 422
    fields["own-hand_size"] = "2"
    assert ana[0].post(reverse("new_table"), fields).status_code == 302
    assert Table.objects.get().rules["highest"] == 2


def test_players_take_seats_by_the_link_and_the_host_starts(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = open_table(ana[1], seating=Table.Seating.LINK, watch=Table.Watch.NOBODY)
    assert blas[0].get(page(table)).status_code == 404
    assert blas[0].get(reverse("table_join", args=(table.pk, "wrong"))).status_code == 404
    told = ana[0].get(page(table)).content.decode()
    link = reverse("table_join", args=(table.pk, table.invitation))
    assert link in told
    assert "Take this seat" in blas[0].get(link, follow=True).content.decode()
    act(blas[0], table, "sit", seat="1")
    assert "Blas" in ana[0].get(page(table)).content.decode()
    assert "Only the player who opened the table can do this." in act(blas[0], table, "begin")
    assert 'class="dom-rack' in act(ana[0], table, "begin")


def test_visitor_becomes_a_guest_by_taking_a_seat(
    client: Client, ana: tuple[Client, Player]
) -> None:
    table = open_table(ana[1])
    assert "Zoe" in act(client, table, "sit", seat="1", **{"name-1": "Zoe"})
    assert Player.objects.filter(name="Zoe", user=None).exists()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (" ", "Enter a name for the player"),
        ("Zoe" * 3000, "A name can have at most 60 characters."),
    ],
)
def test_rejected_name_stays_in_the_seat_form(
    client: Client, ana: tuple[Client, Player], name: str, sentence: str, headers: dict[str, str]
) -> None:
    table = open_table(ana[1])
    address = reverse("table_act", args=(table.pk, "sit"))
    answer = client.post(address, {"seat": "1", "name-1": name}, headers=headers)
    assert answer.status_code == 422
    page = " ".join(answer.content.decode().split())
    assert f'value="{name}" aria-invalid="true" aria-describedby="name-error"' in page
    assert f'id="name-error" role="alert">{sentence}' in page
    assert not Player.objects.exclude(pk=ana[1].pk).exists()


def test_host_adds_and_removes_bots_on_the_page(ana: tuple[Client, Player]) -> None:
    table = open_table(ana[1])
    assert "Remove from seat" in act(ana[0], table, "bot", bot="1/greedy")
    assert "Remove from seat" not in act(ana[0], table, "free", seat="1")
    assert "This bot does not exist." in act(ana[0], table, "bot", bot="1/deep")
    assert "This seat is already taken." in act(ana[0], table, "bot", bot="0/greedy")


def test_list_of_tables_shows_own_open_and_watchable_tables(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    playing_on = begun_table(ana[1], blas[1])
    free = open_table(blas[1])
    hidden = open_table(blas[1], seating=Table.Seating.LINK, watch=Table.Watch.NOBODY)
    told = client.get(reverse("tables")).content.decode()
    assert page(playing_on) in told
    assert page(free) in told
    assert page(hidden) not in told
    mine = ana[0].get(reverse("tables")).content.decode()
    assert "Continue" in mine


def test_spanish_table_page_has_decimal_points_in_drawings(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    headers = {"Accept-Language": "es"}
    told = ana[0].get(page(table), headers=headers).content.decode()
    assert '<html lang="es"' in told
    assert f"/live/seat-es/{table.pk}-0/" in told
    assert not re.findall(r'(?:viewBox|transform|x|y|stroke-dasharray)="[^"]*\d,\d', told)


def test_table_page_contains_no_inline_script_or_style(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    told = ana[0].get(page(table)).content.decode()
    assert " style=" not in told
    assert not re.search(r"<script(?![^>]*src=)", told)
    assert not re.search(r"\son\w+=", told)


def test_unknown_table_is_not_found(client: Client) -> None:
    assert client.get("/tables/987654/").status_code == 404
    assert client.post("/tables/987654/move/", {"do": "pass"}).status_code == 404
    assert client.post("/tables/987654/fly/").status_code == 404
