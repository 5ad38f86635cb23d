"""The form for results of real domino games, as far as it differs from that of other games."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dominoes.engine import Rules
from leagues.matches.operations import matches
from leagues.matches.operations.matches import confirm, hand_in
from leagues.models import Match, Player
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Press
from tests.leagues.pages.matches.games import DOMINOES, HAND, HELD, fields

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> list[Player]:
    return [account(name) for name in ("north", "ana", "iker", "south")]


@pytest.fixture
def evening(four: list[Player]) -> Match:
    return DOMINOES.open(DOMINOES.league(four[0], *four), four)


def press_button(client: Client, of: Match, do: str, **sent: str) -> str:
    return DOMINOES.press(client, of, Press(do, fields(**sent)))


def test_form_shows_the_points_of_a_hand_before_it_is_submitted(
    evening: Match, four: list[Player]
) -> None:
    page = DOMINOES.press(browser(four[3]), evening, Press("read", HAND))
    assert "ana: 2-1, 5-3, 6-0, with 17 pips in total." in page
    assert "+41 points" in page
    assert "Submit the hand and win the match" in page


@pytest.mark.slow
def test_form_asks_which_player_held_a_tile_entered_twice(
    evening: Match, four: list[Player]
) -> None:
    """A tile exists only once in the set (Ruling D-1)."""
    south = browser(four[3])
    twice = {"out": "0", **HELD, "held_2": "6|2 5|5 5|3"}
    page = press_button(south, evening, "read", **twice)
    assert "5-3 is also in ana’s hand" in page
    assert "Result if the tile belonged to ana" in page
    refused = press_button(south, evening, "send", **twice)
    assert "Ruling D-1" in refused
    evening.refresh_from_db()
    assert evening.draft in (None, {})
    page = press_button(south, evening, "assign_tile:5|3:1", **twice)
    assert "is in ana" not in page
    assert "Submit the hand and win the match" in page


@pytest.mark.slow
def test_entered_hands_are_added_up_and_can_be_undone_and_edited(
    evening: Match, four: list[Player]
) -> None:
    south = browser(four[3])
    page = press_button(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    assert "The hand has been saved." in page
    assert "End the match here and submit the result" in page
    page = press_button(south, evening, "undo")
    assert 'value="6"' in page
    press_button(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    page = press_button(south, evening, "edit:0")
    assert "Save hand" in page
    press_button(south, evening, "send", out="1", pips_0="7", pips_2="3", pips_3="5")
    evening.refresh_from_db()
    assert evening.draft is not None
    assert evening.draft["hands"][0]["held"][0] == {"pips": 7}
    press_button(south, evening, "finish:stopped")
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.state, evening.sheet.points) == ("handed_in", [0, 15, 0, 0])


SHORT = "The match ended before anyone reached the target: 15 of 40 points."


@pytest.mark.slow
def test_correction_that_ends_a_match_below_its_target_must_be_confirmed(
    four: list[Player],
) -> None:
    """A match may end before a side reaches the target (Ruling D-8).

    Because this may also be a mistake, the organiser must tick a box.
    """
    boss = account("boss")
    match = DOMINOES.open(DOMINOES.league(boss, *four), four)
    sheet, now = DOMINOES.sheet(match), timezone.now()
    match = hand_in(match=match, version=match.version, by=four[0], at=now, content=sheet)
    match = confirm(match=match, version=match.version, by=four[1], at=now)
    organiser = browser(boss)
    for do, sent in (
        ("rewrite", {}),
        ("edit:0", {}),
        ("send", {"out": "1", "pips_0": "7", "pips_2": "3", "pips_3": "5"}),
    ):
        page = press_button(organiser, match, do, **sent)
    assert "Preview changes" in page
    page = press_button(organiser, match, "finish:stopped")
    assert SHORT in page
    assert ">Ratings</h3>" in page

    def decided(what: str, **sent: str) -> tuple[str, list[int]]:
        match.refresh_from_db()
        there, version = f"/matches/{match.pk}/{what}/", str(match.version)
        page = organiser.post(there, {"version": version, **sent}, follow=True).content.decode()
        match.refresh_from_db()
        assert match.sheet is not None
        return page, match.sheet.points

    untold = "Tick the box to confirm that the match really ended with this score."
    page, points = decided("correct", reason="Miscounted")
    assert (untold in page, SHORT in page, 'value="Miscounted"' in page) == (True, True, True)
    assert points == DOMINOES.points
    page, points = decided("correct", reason="Miscounted", short="1")
    assert ("The result has been corrected." in page, points) == (True, [0, 15, 0, 0])
    assert decided("versions/1", reason="It was right")[1] == DOMINOES.points
    assert SHORT in organiser.get(f"/matches/{match.pk}/versions/2/").content.decode()
    page, points = decided("versions/2", reason="Or not")
    assert (untold in page, points) == (True, DOMINOES.points)
    assert decided("versions/2", reason="Or not", short="1")[1] == [0, 15, 0, 0]


@pytest.mark.slow
def test_match_can_be_submitted_with_its_totals_only(evening: Match, four: list[Player]) -> None:
    south = browser(four[3])
    page = press_button(south, evening, "input_mode:score")
    assert "Final totals" in page
    totals = {"total_0": "44", "total_1": "x", "total_2": "3", "total_3": "39"}
    assert "” is not a valid number of points." in press_button(south, evening, "score", **totals)
    totals["total_1"] = "41"
    assert "Only one side can reach 40 points" in press_button(south, evening, "score", **totals)
    totals["total_1"] = "12"
    press_button(south, evening, "score", **totals)
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.sheet.evidence, evening.sheet.places) == ("score", [1, 3, 4, 2])


@pytest.mark.slow
def test_submitted_totals_replace_the_hands_entered_before(
    evening: Match, four: list[Player]
) -> None:
    """The hand stays in the draft until the totals are submitted, and the page says that they
    replace it.
    """
    south = browser(four[3])
    press_button(south, evening, "send", out="1", pips_0="6", pips_2="3", pips_3="5")
    page = press_button(south, evening, "input_mode:score")
    assert "but only these totals will be submitted, not the hand." in page
    assert "You have entered 1 hand, but" in page
    page = press_button(south, evening, "input_mode:left")
    assert "Final totals" not in page
    evening.refresh_from_db()
    assert evening.draft is not None
    assert len(evening.draft["hands"]) == 1
    press_button(south, evening, "input_mode:score")
    press_button(south, evening, "score", total_0="44", total_1="14", total_2="3", total_3="39")
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.sheet.evidence, evening.sheet.points) == ("score", [44, 14, 3, 39])
    assert "hands" not in evening.sheet.content


@pytest.mark.slow
def test_pips_that_the_referee_cannot_decide_are_labelled_and_count_in_a_league() -> None:
    """The referee found no error in these pips, but could not decide whether they are possible
    (Rulings D-10 and I-18). The page says exactly that.
    """
    six = [account(f"player{number}") for number in range(6)]
    rules = Rules(highest=12, hand_size=9, boneyard="pass")
    league = DOMINOES.league(six[0], *six, rules=rules.options())
    here = browser(six[0])
    for pips in ([104, 128, 131, 112, 92, 112], [17, 40, 12, 28, 30, 51]):
        match = DOMINOES.open(league, six)
        hand = {"leader": 0, "blocked": True, "held": [{"pips": held} for held in pips]}
        content = {"hands": [hand], "stopped": True}
        match = matches.hand_in(
            match=match, version=match.version, by=six[0], at=timezone.now(), content=content
        )
        page = here.get(DOMINOES.url(match)).content.decode()
        assert ("scoresheet without contradictions" in page) == (pips[0] == 104)
        assert (
            "found no errors, but could not decide whether the figures are possible" in page
        ) == (pips[0] == 104)
    page = here.get(reverse("league", args=[league.slug])).content.decode()
    assert (
        page.count("scoresheet without contradictions") == 2
    )  # in the list of results and in the key to its labels
    page = here.get(reverse("league_results", args=[league.slug])).content.decode()
    key = page.partition('class="st-key flow"')[2].partition("</ul>")[0]
    counts = [line.partition("</b>")[0].rpartition(">")[2] for line in key.split("<li>")[1:5]]
    assert counts == ["0", "1", "1", "0"]  # totals only, undecided, scoresheet, moves


@pytest.mark.slow
def test_moves_of_a_hand_can_be_entered_tile_by_tile(four: list[Player]) -> None:
    """The form offers only tiles that can have been played, and rejects an illegal move with its
    ruling.
    """
    two = four[:2]
    rules = Rules(hand_size=2, boneyard="pass", target=10)
    evening = DOMINOES.open(DOMINOES.league(two[0], *two, rules=rules.options()), two)
    north = browser(two[0])
    press_button(north, evening, "input_mode:moves")
    press_button(north, evening, "read", leader="0")
    page = press_button(north, evening, "tile:6|3")
    assert "Which tile did ana play?" in page
    assert 'value="tile:4-4"' in page
    assert 'value="tile:5-5"' not in page
    page = press_button(north, evening, "move:>5|5")
    assert "do not add up to 7" in page
    page = press_button(north, evening, "tile:4-3")
    assert "outward" in page
    page = press_button(north, evening, "move:>4|3")
    page = press_button(north, evening, "tile:4-4")
    page = press_button(north, evening, "tile:5-3") if "What did north" in page else page
    assert "Tiles left in each hand" in page
    page = press_button(north, evening, "send", held_1="6|6")
    assert "Awaiting confirmation by a second player" in page
    evening.refresh_from_db()
    assert evening.sheet is not None
    assert (evening.sheet.evidence, evening.sheet.points) == ("log", [12, 0])


@pytest.fixture
def pair(four: list[Player]) -> tuple[Match, Client]:
    """Create a match of two players who are dealt two tiles each.

    Return it with the browser of the first player.
    """
    two = four[:2]
    rules = Rules(hand_size=2, boneyard="pass", target=10_000)
    match = DOMINOES.open(DOMINOES.league(two[0], *two, rules=rules.options()), two)
    return match, browser(two[0])


@pytest.mark.parametrize(
    ("totals", "says"),
    [
        (("1234567", "100"), "not 1234567"),
        (("0010000", "9999"), "north wins the match."),
        (("0000104", "60"), "No side has reached 10,000 points."),
        (("9" * 60, "100"), f"not {'9' * 60}"),
        (("9" * 101, "100"), f"“{'9' * 100}…” is not a valid number of points."),
        (("0" * 100 + "10000", "9999"), f"“{'0' * 100}…” is not a valid number of points."),
    ],
)
def test_total_is_never_cut_off_before_it_is_checked(
    pair: tuple[Match, Client], totals: tuple[str, str], says: str
) -> None:
    match, north = pair
    press_button(north, match, "input_mode:score")
    page = press_button(north, match, "read", total_0=totals[0], total_1=totals[1])
    assert says in page
    assert f'value="{totals[0][:100]}' in page


@pytest.mark.slow
def test_result_names_both_partners_of_the_winning_side(four: list[Player]) -> None:
    rules = Rules(target=40, partners=True)
    match = DOMINOES.open(DOMINOES.league(four[0], *four, rules=rules.options()), four)
    north = browser(four[0])
    page = DOMINOES.press(north, match, Press("read", HAND))
    assert "north and iker win the hand" in page
    press_button(north, match, "input_mode:score")
    page = press_button(north, match, "read", total_0="41", total_1="7", total_2="41", total_3="7")
    assert "north and iker win the match." in page
    assert "wins the" not in page


def test_leading_zeros_of_a_total_are_ignored(pair: tuple[Match, Client]) -> None:
    match, north = pair
    press_button(north, match, "input_mode:score")
    press_button(north, match, "score", total_0="0010000", total_1="0000104")
    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet.points == [10_000, 104]


def play_out(north: Client, match: Match) -> str:
    """Enter the three moves with which the player in the seat north goes out.

    The player ana is left with one tile.
    """
    press_button(north, match, "read", leader="0")
    press_button(north, match, "tile:6|3")
    press_button(north, match, "move:>4|3")
    return press_button(north, match, "tile:4-4")


@pytest.mark.slow
@pytest.mark.parametrize("pips", ["99", "lots", "-4", "9" * 60])
def test_pips_entered_in_the_other_form_do_not_block_entering_moves(
    pair: tuple[Match, Client], pips: str
) -> None:
    match, north = pair
    page = press_button(north, match, "read", out="0", pips_1=pips)
    assert f'value="{pips}"' in page
    press_button(north, match, "input_mode:moves")
    page = play_out(north, match)
    assert "Tiles left in each hand" in page
    assert f'value="{pips}"' not in page
    page = press_button(north, match, "send", held_1="6|6")
    assert "The hand has been saved." in page
    match.refresh_from_db()
    assert match.draft is not None
    assert match.draft["hands"][0]["held"][1] == {"tiles": ["6|6"]}


def test_tiles_entered_as_remaining_can_still_be_played_when_entering_moves(
    pair: tuple[Match, Client],
) -> None:
    match, north = pair
    press_button(north, match, "read", out="0", held_1="6|3 4|3")
    press_button(north, match, "input_mode:moves")
    page = press_button(north, match, "read", leader="0")
    assert 'value="tile:6-3"' in page


@pytest.mark.slow
def test_values_entered_by_pips_and_by_moves_are_stored_separately(
    pair: tuple[Match, Client],
) -> None:
    match, north = pair
    press_button(north, match, "read", out="0", pips_1="11")
    press_button(north, match, "input_mode:moves")
    play_out(north, match)
    press_button(north, match, "read", held_1="6|6")
    page = press_button(north, match, "input_mode:left")
    assert "11 points" in page
    page = press_button(north, match, "input_mode:moves")
    assert "12 points" in page


@pytest.mark.slow
def test_tile_entered_as_remaining_can_be_played_after_an_undo(pair: tuple[Match, Client]) -> None:
    match, north = pair
    press_button(north, match, "input_mode:moves")
    play_out(north, match)
    page = press_button(north, match, "read", held_1="4|0")
    assert "4 points" in page
    page = press_button(north, match, "back")
    assert "Tiles left in each hand" not in page
    assert 'value="tile:4-0"' in page
    press_button(north, match, "tile:4-0")
    page = press_button(north, match, "read", held_1="6|6")
    assert "12 points" in page
