"""Arbitrary requests to El Toro pages never crash, and never change data without permission."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from eltoro.models import Keeping
from eltoro.queries import real_board_of
from fairness import Seed
from leagues.models import Match
from leagues.tables import actas as table_actas
from tests.eltoro.pages import anything
from tests.eltoro.table.test_streams import new_table
from tests.factories import account, browser
from tests.leagues.evening import log_of, step
from tests.properties import FULL

pytestmark = pytest.mark.django_db
# Pages that are public.
OPEN = {"/eltoro/", "/eltoro/rules/", "/eltoro/scoresheet/", "/eltoro/boards/"}


@pytest.mark.slow
@pytest.mark.parametrize("who", ["nobody", "nico"])
def test_outsiders_cannot_see_or_change_matches_of_others(who: str) -> None:
    """Match ids are easy to guess because they are consecutive."""
    people = anything.create_people()
    before = anything.rows()
    client = anything.somebody(people.get(who))
    for address, answer in anything.send_requests(client, Seed(bytes(32)).chance(who)):
        shut = (200, 405) if address in OPEN else (404, 405)
        assert answer.status_code in shut, address
        assert "mara" not in answer.content.decode(), address
    assert anything.rows() == before


@pytest.mark.slow
@pytest.mark.parametrize("who", ["olga", pytest.param("mara", marks=pytest.mark.nightly)])
def test_players_get_an_answer_to_every_request_and_boards_stay_valid(who: str) -> None:
    """All recorded boards must be replayable afterwards, and the secret seed may only be shown
    after the match.
    """
    people = anything.create_people()
    client = anything.somebody(people[who])
    for address, answer in anything.send_requests(
        client, Seed(bytes(32)).chance(who), again=4 if FULL else 1
    ):
        assert answer.status_code < 500, address
    for row in Keeping.objects.select_related("match"):
        assert real_board_of(row).entries == tuple(row.lines)
        page = client.get(reverse("eltoro_keeper", args=[row.match.pk])).content.decode()
        assert (bytes(row.seed).hex() in page) is (row.match.state != Match.State.DRAFT)


@pytest.mark.slow
@pytest.mark.parametrize("who", [pytest.param("ana", marks=pytest.mark.nightly), "stranger"])
def test_game_table_makes_a_move_or_rejects_it_with_a_status_code(who: str) -> None:
    """All moves made must be replayable. A user who does not sit at the table cannot make any."""
    ana, bea, stranger = (account(name) for name in ("ana", "bea", "stranger"))
    table = new_table([ana, bea])
    client = browser(ana if who == "ana" else stranger)
    chance = Seed(bytes(32)).chance(who)
    taken = 0
    for number in range(36):
        before = log_of(table).table
        sent = anything.move(chance, before.moves_made)
        answer = client.post(reverse("table_move", args=[table.pk]), sent)
        moved = log_of(table).table.moves_made - before.moves_made
        assert answer.status_code in ((200, 302) if moved else (403, 409, 422)), sent
        taken += moved
        if number % 6 == 0 and log_of(table).table.turn is not None:
            step(table, [ana, bea])
    assert not list(table_actas.verify_round(log_of(table), 1))
    assert who == "ana" or not taken


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eltoro_hand", "eltoro_keeper"])
def test_form_without_a_csrf_token_is_rejected(name: str) -> None:
    people = anything.create_people()
    match = Match.objects.filter(game="eltoro", state="draft").first()
    assert match is not None
    client = Client(enforce_csrf_checks=True)
    assert people["olga"].user is not None
    client.force_login(people["olga"].user)
    before = anything.rows()
    assert client.post(reverse(name, args=[match.pk]), {"do": "begin"}).status_code == 403
    assert anything.rows() == before


@pytest.mark.parametrize("name", ["eltoro", "eltoro_rules", "eltoro_keepers", "eltoro_scoresheet"])
def test_read_only_page_rejects_post_requests(name: str) -> None:
    assert Client().post(reverse(name), {"do": "begin"}).status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eltoro_hand", "eltoro_keeper"])
def test_form_with_bytes_that_are_not_valid_text_gets_a_normal_answer(name: str) -> None:
    client = anything.somebody(anything.create_people()["olga"])
    matches = Match.objects.filter(game="eltoro")
    for address in [reverse(name, args=[match.pk]) for match in matches]:
        for sent in (b"do=%ED%A0%BD&pick=%FF", b"do=roll&pick=%00", b"&=&do", b"\xff"):
            answer = client.post(address, sent, content_type="application/x-www-form-urlencoded")
            assert answer.status_code in (200, 302)
