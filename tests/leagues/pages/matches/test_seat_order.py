"""Sentences name the winner first, while data of a scoresheet is in the order of seats."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from leagues.matches.operations.matches import hand_in
from leagues.matches_read import result_lines, review_matches
from leagues.models import Match, Player, Sheet
from leagues.pages.matches.matches import match_url
from tests.factories import account, browser
from tests.leagues.pages.matches.games import ELTORO

pytestmark = pytest.mark.django_db


def entered(names: str, *days: list[int]) -> tuple[Match, list[Player]]:
    """Create an evening that its first player has submitted and the others can confirm."""
    players = [account(name) for name in names.split()]
    match = ELTORO.open(ELTORO.league(players[0], *players), players)
    content = {"kind": "points", "days": [list(day) for day in days]}
    hand_in(match=match, version=match.version, content=content, by=players[0], at=timezone.now())
    match.refresh_from_db()
    return match, players


LAST_DAY = [
    # Each case: the players by seat, the points by day, and the final sentence.
    ("ana blas", ([14, 9], [12, 8], [8, 17]),
     "ana and blas are tied on 34 points; blas wins, having scored 17 on the last day."),
    ("ana blas", ([9, 14], [8, 12], [17, 8]),
     "ana and blas are tied on 34 points; ana wins, having scored 17 on the last day."),
    ("ana blas carla", ([3, 9, 14], [3, 8, 12], [3, 17, 8]),
     "blas and carla are tied on 34 points; blas wins, having scored 17 on the last day."),
    ("ana blas carla", ([3, 14, 9], [3, 12, 8], [3, 8, 17]),
     "blas and carla are tied on 34 points; carla wins, having scored 17 on the last day."),
    ("ana blas carla", ([3, 14, 12], [3, 12, 14], [3, 8, 8]),
     ("blas and carla share the victory with 34 points each, having scored 8 each on the last "
      "day.")),
    ("ana blas carla dani", ([3, 9, 4, 9], [3, 8, 4, 8], [3, 17, 4, 17]),
     ("blas and dani share the victory with 34 points each, having scored 17 each on the last "
      "day.")),
]  # fmt: skip


@pytest.mark.parametrize(("names", "days", "ending"), LAST_DAY)
def test_confirmation_box_names_the_winner(
    names: str, days: tuple[list[int], ...], ending: str
) -> None:
    match, players = entered(names, *days)
    page = browser(players[1]).get(match_url(match), follow=True).content.decode()
    (box,) = re.findall(r'<div class="in-result stack">(.*?)</div>', page, re.DOTALL)
    assert ending in box
    assert match.sheet is not None
    assert [seat.place for seat in result_lines(Match.objects.all())[0].by_number] == (
        match.sheet.places
    )


def test_points_of_versions_are_in_the_order_of_the_names() -> None:
    match, (ana, blas) = entered("ana blas", [4, 9], [3, 8], [2, 7])
    Sheet.objects.create(
        match=match, number=2, content={}, points=[5, 24], places=[2, 1], by=blas, at=timezone.now()
    )
    page = browser(ana).get(match_url(match), follow=True).content.decode()
    assert "blas · ana" in " ".join(page.split())
    assert '<b class="lg-num">24 : 9</b>' in page
    assert '<b class="lg-num">24 : 5</b>' in page
    assert "9 : 24" not in page


def test_points_of_a_result_checked_again_are_named() -> None:
    match, _players = entered("ana blas", [4, 9], [3, 8], [2, 7])
    Sheet.objects.filter(match=match).update(points=[9, 25])
    ((_match, reasons),) = review_matches(Match.objects.all())
    assert reasons == (("Checked again today, the scoresheet gives these points: blas 24, ana 9."),)
