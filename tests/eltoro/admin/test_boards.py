"""Board designs in the Django admin: they are validated, drawn, and locked once used."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from eltoro.engine import BOARDS, Rules, read_board
from eltoro.models import BoardDesign, Keeping
from eltoro.queries import BoardChoices, board_choices, board_text, is_played
from eltoro.stage.design import draw_board
from leagues.games import RulesRefused, games
from leagues.models import League
from leagues.pages.forms import OwnRulesForm
from tests.databases import opened
from tests.eltoro.tabletop.evening import NOW, account, begin_board, evening, guest
from tests.scratch import at_once

pytestmark = pytest.mark.django_db
TOWN = BOARDS["el-toro"].text
OTHER = TOWN.replace("2,0,2,fuente,,", "2,0,2,mercado,,")


@pytest.fixture
def office(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("office"))
    return client


def new_board(key: str = "slope", text: str = OTHER, name: str = "The slope") -> BoardDesign:
    return BoardDesign.objects.create(key=key, name=name, text=text, digest=key, made_at=NOW)


def address(page: str, *keys: object) -> str:
    return reverse(f"admin:eltoro_boarddesign_{page}", args=keys)


def save(office: Client, text: str, key: str = "slope", where: str = "") -> str:
    """Submit the board form and return the error message, or an empty text if it was saved."""
    sent = {"name": "The slope", "key": key, "text": text}
    answer = office.post(where or address("add"), sent)
    if answer.status_code == 302:
        return ""
    found = re.search(r'<ul class="errorlist"[^>]*><li>(.*?)</li>', answer.content.decode())
    return found[1] if found else "refused"


def test_valid_board_is_saved_and_offered_as_a_choice(office: Client) -> None:
    assert save(office, OTHER.replace("\n", "\r\n")) == ""
    row = BoardDesign.objects.get()
    assert (row.text, len(row.digest)) == (OTHER, 64)
    assert read_board(row.text).steps == 4
    assert board_text("slope") == OTHER
    assert board_text("el-toro") is None
    assert board_choices({"el-toro": "El Toro"})[0] == ("el-toro", "El Toro")
    assert board_choices()[-1] == ("slope", "The slope")


def test_board_choices_include_boards_created_later() -> None:
    choices = BoardChoices()
    before = len(choices)
    new_board()
    assert len(choices) == before + 1
    assert list(choices)[-1] == choices[-1] == ("slope", "The slope")
    assert choices


WRONG = {
    "Line 5: A fork must have one even and one odd path; any other space must have a single "
    "path. (Ruling E-2)":
        ("5,0,5,,torre,mirador", "5,0,5,,torre,"),
    "Line 4: The even and odd paths lead to the same space, but a fork must lead to two different "
    "spaces. (Ruling E-2)":
        ("4,0,4,,torre,mercado", "4,0,4,,torre,torre"),
    "Line 2: “molino” is not in the next row down: a path can’t skip a row. (Ruling E-2)":
        ("2,0,2,fuente,,", "2,0,2,molino,,"),
    "Line 12: No path leads to “molino”. (Ruling E-2)":
        (",molino,", ",pozo,"),
    "Line 2: A path leads to the space “plaza”, which does not exist. (Ruling E-2)":
        ("2,0,2,fuente,,", "2,0,2,plaza,,"),
    "Line 1: The first line must contain these column names: space, row, name, way, even, odd. "
    "(Ruling E-2)":
        ("space,row", "place,row"),
    "Line 3: “x” in the column row is not a whole number. (Ruling E-2)":
        ("3,0,3", "3,x,3"),
}  # fmt: skip


@pytest.mark.parametrize("sentence", WRONG)
def test_error_in_a_board_is_shown_with_its_line_and_ruling(office: Client, sentence: str) -> None:
    before, after = WRONG[sentence]
    text = TOWN.replace(before, after)
    assert text != TOWN
    said = save(office, text)
    assert said.replace("&#x27;", "'") == sentence
    assert not BoardDesign.objects.exists()
    drawn = office.post(reverse("admin:eltoro_board_drawing"), {"text": text}).content.decode()
    assert sentence in drawn


def test_board_that_equals_an_existing_board_is_rejected(office: Client) -> None:
    assert save(office, TOWN) == "This board is the same as “one of the site’s own boards”."
    assert save(office, OTHER) == ""
    assert save(office, OTHER, key="other") == "This board is the same as “The slope”."
    assert save(office, TOWN.replace("2,0,2,fuente", "2,0,2,torre"), key="la-cuesta") == (
        "One of the site’s own boards already uses this key."
    )


def test_board_used_by_a_match_can_be_renamed_but_not_changed_or_deleted(office: Client) -> None:
    row = new_board()
    where = address("change", row.pk)
    assert not is_played(row)
    assert save(office, TOWN.replace("2,0,2,fuente", "2,0,2,torre"), where=where) == ""
    row.refresh_from_db()
    assert "2,0,2,torre" in row.text
    ana = account("ana")
    evening(ana, guest("Blas"), rules=Rules(board=row.text))
    assert is_played(row)
    assert save(office, OTHER, key="new-key", where=where) == ""
    row.refresh_from_db()
    assert ("2,0,2,torre" in row.text, row.key) == (True, "slope")
    page = office.get(where).content.decode()
    assert "This board is in use, so it can no longer be changed." in page
    assert "<textarea" not in page
    copied = office.get(address("add") + "?copy=slope").content.decode()
    assert "2,0,2,torre" in copied
    assert office.post(address("delete", row.pk), {"post": "yes"}).status_code == 403


def test_key_with_a_null_character_is_not_looked_up_in_the_database(
    django_assert_num_queries: Any, office: Client
) -> None:
    """PostgreSQL does not accept this character in a text and would raise an error."""
    with django_assert_num_queries(0):
        assert board_text("a\x00b") is None
    assert office.get(address("add"), {"copy": "a\x00b"}).status_code == 400


def test_league_still_has_its_board_after_the_design_was_deleted() -> None:
    row = new_board()
    rules = Rules(board=row.text)
    league = League.objects.create(
        name="Slope", slug="slope", game="eltoro", profile="own", rules=rules.options(),
        rules_hash=rules.digest, invitation="i", seed=bytes(32), seats=2, created_at=NOW,
    )  # fmt: skip
    assert is_played(row)
    row.delete()
    assert Rules.from_options(league.rules).board.text == OTHER


def test_drawing_shows_where_a_single_undisturbed_runner_arrives() -> None:
    drawn = draw_board(BOARDS["el-toro"])
    assert drawn.ends == ("d1", "d2", "d3", "d4", "d5")
    for lone in drawn.alone:
        assert 98 <= sum(lone.shares) <= 102
    assert 98 <= sum(drawn.overall) <= 102
    two = drawn.alone[0]
    assert (two.start, two.even, two.odd, two.shares) == ("2", "d2", "d1", (38, 50, 12, 0, 0))


@pytest.mark.parametrize("key", sorted(BOARDS))
def test_every_shipped_board_can_be_drawn(office: Client, key: str) -> None:
    page = office.post(reverse("admin:eltoro_board_drawing"), {"text": BOARDS[key].text})
    assert page.content.decode().count('<circle class="spot') == len(BOARDS[key].spaces)
    assert f'href="?copy={key}"' in office.get(address("add")).content.decode()


def test_admin_action_checks_selected_boards(office: Client) -> None:
    row = new_board()
    sent = {"action": "check_board", "_selected_action": [row.pk]}
    page = office.post(address("changelist"), sent, follow=True).content.decode()
    assert re.search(
        r"The slope: 4 steps. Destinations of a lone runner: d1 \d+%, d2 \d+%, d3 \d+%, d4 "
        r"\d+%, d5 \d+%",
        page,
    )


def test_only_permitted_administrators_can_request_a_board_drawing(client: Client) -> None:
    answer = client.post(reverse("admin:eltoro_board_drawing"), {"text": TOWN})
    assert answer.status_code == 302
    member = User.objects.create_user("member", is_staff=True)
    client.force_login(member)
    assert client.post(reverse("admin:eltoro_board_drawing"), {"text": TOWN}).status_code == 403
    client.force_login(User.objects.create_superuser("office"))
    assert client.get(reverse("admin:eltoro_board_drawing")).status_code == 405


@pytest.mark.parametrize("model", ["boarddesign", "keeping"])
def test_admin_list_needs_as_many_queries_for_three_rows_as_for_one(
    office: Client, model: str
) -> None:
    where = reverse(f"admin:eltoro_{model}_changelist")
    ana = account("ana")

    def asked() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert office.get(where).status_code == 200
        return len(caught)

    def another(number: int) -> None:
        new_board(f"b{number}", f"{OTHER}{number}")
        begin_board(evening(ana, guest(f"Blas {number}")), ana)

    another(1)
    asked()
    few = asked()
    another(2)
    another(3)
    assert asked() == few


def test_admin_shows_a_recorded_board_without_its_secret_seed(office: Client) -> None:
    ana = account("ana")
    row = begin_board(evening(ana, guest("Blas")), ana)
    page = office.get(reverse("admin:eltoro_keeping_change", args=[row.pk])).content.decode()
    assert row.commitment in page
    assert bytes(row.seed).hex() not in page
    assert "\\x" not in page
    assert office.get(reverse("admin:eltoro_keeping_add")).status_code == 403
    answer = office.get(reverse("admin:eltoro_keeping_changelist") + "?seed__contains=a")
    assert answer.status_code in {302, 400}
    assert Keeping.objects.count() == 1
    assert games.find_game("eltoro") is not None


def test_league_rules_store_the_text_of_a_board_designed_in_the_admin() -> None:
    game = games["eltoro"]
    new_board()
    rules = game.normalise({"board": "slope", "days": 2})
    assert (rules["board"], rules["days"]) == (OTHER, 2)
    assert game.digest(rules) == Rules(board=OTHER, days=2).digest
    assert game.normalise(rules) == rules
    form = OwnRulesForm(game, {"board": "slope", "days": "1"})
    assert form.is_valid()
    assert form.options()["board"] == OTHER
    assert not OwnRulesForm(game, {"board": "nowhere", "days": "1"}).is_valid()
    with pytest.raises(RulesRefused):
        game.normalise({"board": "nowhere"})


@pytest.mark.slow
@pytest.mark.parametrize("key", ["slope", "other"], ids=["key", "text"])
def test_only_one_of_two_boards_submitted_at_once_with_equal_key_or_text_is_saved(
    shared: str, key: str
) -> None:
    with opened(shared):
        user = User.objects.create_superuser("office")

    def draw(key: str) -> int:
        client = Client()
        client.force_login(user)
        sent = {"name": "The slope", "key": key, "text": OTHER}
        return client.post(address("add"), sent).status_code

    came = at_once(
        shared,
        lambda: draw("slope"),
        lambda: draw(key),
        reading='FROM "eltoro_boarddesign"',
    )
    assert sorted(came) == [200, 302], came
