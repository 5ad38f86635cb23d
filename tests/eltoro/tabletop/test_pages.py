"""The pages on which players record the board of a real game, used without JavaScript."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from eltoro.engine import DueEntryKind, Rules
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from eltoro.tabletop import operations
from fairness import commitment
from leagues.models import Match, Player
from tests.eltoro.tabletop.evening import account, begin_board, evening, guest, play_out, write
from tests.eltoro.tabletop.kept import two_casinos
from tests.factories import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Player:
    return account("ana")


@pytest.fixture
def match(ana: Player) -> Match:
    return evening(ana, guest("Blas"))


@pytest.fixture
def phone(ana: Player) -> Client:
    return browser(ana)


def address(match: Match) -> str:
    return reverse("eltoro_keeper", args=[match.pk])


def press_button(client: Client, match: Match, do: str, **fields: Any) -> str:
    """Press a button of the board page with the board's current version.

    Return the page that follows.
    """
    row = Keeping.objects.filter(match=match).first()
    sent = {"do": do, "version": row.version if row else 0}
    sent |= {name.replace("_", "-"): value for name, value in fields.items()}
    answer = client.post(address(match), sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def refusal(page: str) -> str:
    found = re.search(r'role="alert" id="refused">\s*<p><b>(.*?)</b>', page)
    return found[1] if found else ""


def stored_board(match: Match) -> Any:
    return real_board_of(Keeping.objects.get(match=match))


def test_page_offers_two_kinds_of_dice_and_the_result_form(phone: Client, match: Match) -> None:
    page = phone.get(address(match)).content.decode()
    assert 'value="all"' in page
    assert 'value="board"' in page
    assert reverse("eltoro_hand", args=[match.pk]) in page


@pytest.mark.slow
def test_morning_and_one_step_can_be_entered_with_real_dice(phone: Client, match: Match) -> None:
    press_button(phone, match, "begin", mode="board")
    assert "Let the site draw the destinations" in press_button(
        phone, match, "lay"
    )  # rejected because nothing was chosen
    laid = ["bank", "pier", "casino", "festival", "bank"]
    places = {f"d{number}": key for number, key in enumerate(laid, start=1)}
    page = press_button(phone, match, "lay", **places)
    assert refusal(page) == (
        "You have chosen one destination more often than there are cards for it."
    )
    assert page.count('<option value="festival" selected>') == 1  # the form keeps the choices
    press_button(phone, match, "lay", **{**places, "d5": "restaurant"})
    assert refusal(press_button(phone, match, "bulls", bulls="3 5 1 6")) == (
        "The number of dice must be 5, not 4."
    )
    press_button(phone, match, "bulls", bulls="3,5 1-6 2")
    page = press_button(phone, match, "runners", runners_a="123456123", runners_b="2222")
    assert refusal(page) == "The number of dice of Blas must be 9, not 4."
    page = press_button(phone, match, "runners", runners_a="123456123", runners_b="22222222x")
    assert refusal(page) == "A die shows a number from 1 to 6, so “22222222x” is not possible."
    assert 'value="123456123"' in page
    press_button(phone, match, "runners", runners_a="123456123", runners_b="222222222")
    press_button(phone, match, "start", at_a1="4", at_a7="5")
    press_button(phone, match, "bulls", bulls="4")
    assert stored_board(match).due is DueEntryKind.CARDS
    assert refusal(press_button(phone, match, "face:4")) == "First tap a die on the board."
    press_button(phone, match, "face:4", pick=["a1", "T2"])
    press_button(phone, match, "flip", pick=["a2"])
    press_button(phone, match, "swap", pick=["a1", "b1"])
    page = press_button(phone, match, "move:6", pick=["a3"])
    assert refusal(page) == (
        "ana’s runner 3 must move down, not sideways (Ruling E-2). If a card allows sideways "
        "moves, choose that option."
    )
    assert re.search(r'id="pick-a3"[^>]*\schecked', page)  # the die stays selected
    page = press_button(phone, match, "move:6", pick=["a3"], by_card="yes")
    assert "A card moved these dice sideways: ana’s runner 3: 6." in page
    press_button(phone, match, "move:5", pick=["T3"])
    press_button(phone, match, "points:b:2")
    press_button(phone, match, "token", token_seat="b", sign="3/odd")
    press_button(phone, match, "addbull:2", bull_face="6")
    assert stored_board(match).entries[-9:] == (
        "bulls 4", "face a1=4 T2=4", "face a2=5", "face a1=2 b1=4", "lead a3>6", "move T3>5",
        "points b 2", "token b 3/odd", "addbull 2=6",
    )  # fmt: skip
    press_button(phone, match, "untoken:3/odd")
    press_button(phone, match, "first:b")
    press_button(phone, match, "advance")
    charging = stored_board(match).charging
    if charging:
        press_button(phone, match, "charge", **{f"die-{name}": "3" for name in charging})
    assert stored_board(match).town().step == 1


@pytest.mark.slow
def test_ruling_e_7_page_requires_both_dice_of_two_casinos(phone: Client, ana: Player) -> None:
    entries = two_casinos().entries
    match = evening(ana, guest("Blas"), rules=two_casinos().rules)
    write(begin_board(match, ana, "board"), ana, entries)
    page = phone.get(address(match)).content.decode()
    assert "Blas, die 1" in page
    assert "Blas, die 2" in page
    page = press_button(phone, match, "dice", die_b="4")
    assert refusal(page) == "An entry for one of the dice is still missing."
    assert re.search(r'name="die-b" value="4" checked', page)
    page = press_button(phone, match, "dice", die_b="4", die_b_2="3")
    assert "Dice rolled in the morning: Blas 4 3." in page
    assert (stored_board(match).entries[-1], stored_board(match).due) == (
        "dice b=43",
        DueEntryKind.LAY,
    )


@pytest.mark.slow
def test_ruling_e_5_page_offers_to_move_a_token_only_if_none_is_left(
    phone: Client, match: Match, ana: Player
) -> None:
    row = write(begin_board(match, ana), ana, ["lay"])
    row = write(row, ana, [_start(row)] if real_board_of(row).ones else [])
    row = write(row, ana, ["token a 3/even", "token b 4/even"])
    assert 'name="from"' not in phone.get(address(match)).content.decode()
    page = press_button(phone, match, "token", token_seat="a", sign="4/odd", **{"from": "3/even"})
    assert refusal(page) == (
        "ana still has tokens in hand and must lay one of them instead of moving one (Ruling E-5)."
    )
    for sign in ("3/odd", "5/even"):
        press_button(phone, match, "token", token_seat="a", sign=sign)
    page = phone.get(address(match)).content.decode()
    offered = re.search(r'name="from">(.*?)</select>', page, re.DOTALL)
    assert offered is not None
    assert re.findall(r'value="([^"]+)"', offered[1]) == ["3/even", "3/odd", "5/even"]
    press_button(phone, match, "token", token_seat="a", sign="4/odd", **{"from": "3/even"})
    assert stored_board(match).entries[-1] == "token a 3/even>4/odd"


@pytest.mark.slow
def test_whole_game_with_dice_rolled_by_the_site_can_be_played_and_submitted(
    phone: Client, ana: Player
) -> None:
    match = evening(ana, guest("Blas"), rules=Rules(days=1, board="la-cuesta"))
    press_button(phone, match, "begin", mode="all")
    while (board := stored_board(match)).due is not DueEntryKind.OVER:
        if board.due is DueEntryKind.START:
            press_button(phone, match, "start", **{f"at-{name}": "3" for name in board.ones})
        elif board.due is DueEntryKind.CARDS:
            press_button(phone, match, "roll", pick=next(iter(board.faces)))
            press_button(phone, match, "advance")
        else:
            press_button(
                phone, match, {DueEntryKind.LAY: "draw", DueEntryKind.EVENING: "evening"}[board.due]
            )
    row = Keeping.objects.get()
    assert bytes(row.seed).hex() not in phone.get(address(match)).content.decode()
    assert "Awaiting confirmation by a second player" in press_button(phone, match, "hand-in")
    page = phone.get(address(match)).content.decode()
    assert bytes(row.seed).hex() in page  # so that anybody can verify the dice
    assert commitment(bytes(row.seed), operations.stake_of(match)).hex() in page
    assert "The seal matches the seed." in page


def test_second_of_two_equal_requests_is_rejected_with_a_message(
    phone: Client, match: Match, ana: Player
) -> None:
    row = write(begin_board(match, ana), ana, ["lay"])
    sent = {"do": "points:a:1", "version": row.version}
    phone.post(address(match), sent)
    page = browser(ana).post(address(match), sent).content.decode()
    assert refusal(page) == (
        "Somebody else has made an entry on this board. You now see the latest version."
    )
    assert stored_board(match).totals == (1, 0)
    assert f'name="version" value="{row.version + 1}"' in page


@pytest.mark.slow
@pytest.mark.parametrize("do", ["", "roll", "face:9", "x" * 400, "points:z:1", "undo", "choose"])
def test_nonsense_requests_are_rejected_with_a_message(
    phone: Client, match: Match, do: str
) -> None:
    press_button(phone, match, "begin", mode="all")
    assert refusal(press_button(phone, match, do, pick="a1", mode="moon"))
    assert refusal(press_button(phone, match, do, pick="zzz", mode="moon"))
    assert Keeping.objects.get().log == ""


def test_spectator_sees_the_board_without_buttons(match: Match, ana: Player) -> None:
    write(begin_board(match, ana), ana, ["lay"])
    looker = Client()
    assert looker.get(address(match)).status_code == 404
    looker.get(reverse("match_key", args=[match.key]))
    page = looker.get(address(match)).content.decode()
    assert "You are a spectator. Only the players in this match can use the board." in page
    assert 'name="do"' not in page


def test_guest_with_the_link_of_the_match_can_record_entries(match: Match, ana: Player) -> None:
    begin_board(match, ana)
    blas = Client()
    guest_key = Player.objects.get(name="Blas").pk
    blas.post(reverse("match_key", args=[match.key]), {"guest": guest_key})
    assert refusal(press_button(blas, match, "draw")) == ""
    assert stored_board(match).entries == ("lay",)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["all", "board"])
def test_board_page_can_be_shown_after_every_entry(
    phone: Client, match: Match, ana: Player, mode: str
) -> None:
    row = begin_board(match, ana, mode)
    moments = {
        "all": ["lay", "START", "roll a1", "advance", "advance", "advance", "advance", "evening"],
        "board": ["lay", "bulls 12345", "runners a=123456122 b=111222333"],
    }[mode]
    for text in moments:
        row = write(row, ana, [_start(row) if text == "START" else text])
        page = phone.get(address(match))
        assert page.status_code == 200
        assert page.content.decode().count('id="asked-h"') == 1


def _start(row: Keeping) -> str:
    return "start " + " ".join(f"{name}>3" for name in real_board_of(row).ones)


@pytest.mark.slow
def test_board_page_needs_as_many_queries_for_many_entries_as_for_none(
    phone: Client, match: Match, ana: Player, django_assert_max_num_queries: Any
) -> None:
    row = begin_board(match, ana)
    phone.get(address(match))
    with django_assert_max_num_queries(12):
        phone.get(address(match))
    play_out(row, ana)
    with django_assert_max_num_queries(12):
        phone.get(address(match))


@pytest.mark.slow
def test_list_of_boards_needs_as_many_queries_for_three_matches_as_for_one(
    phone: Client, match: Match, ana: Player, django_assert_num_queries: Any
) -> None:
    begin_board(match, ana)
    phone.get(reverse("eltoro_keepers"))
    with django_assert_num_queries(6):
        phone.get(reverse("eltoro_keepers"))
    evening(ana, guest("Caro"))
    evening(ana, guest("Dora"))
    with django_assert_num_queries(6):
        page = phone.get(reverse("eltoro_keepers")).content.decode()
    assert len(re.findall(r"Use the site’s board\s*</a>", page)) == 2
    assert len(re.findall(r"Continue\s*</a>", page)) == 1
    assert Client().get(reverse("eltoro_keepers")).status_code == 200
