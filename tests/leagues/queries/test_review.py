"""Stored results that today's referee would reject: who sees them, with which reason, and that
nothing changes.
"""

from __future__ import annotations

import datetime as dt
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from leagues import matches_read as match_queries
from leagues.models import League, Match, Place, Sheet
from leagues.pages.matches.matches import REVIEW_PAGE_SIZE
from tests.factories import browser
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db
TAKEN: dict[str, Any] = {"score": [10, 3]}

STORED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("taken today too", {}, ()),
    ("refused", {"content": {"hands": [[9, 9]]}}, ("Two seats show the same card.",)),
    (
        "not over any more",
        {"content": {"score": [9, 3]}},
        ("According to this scoresheet, the match is not over yet.",),
    ),
    (
        "counted otherwise",
        {"points": [11, 3]},
        ("Checked again today, the scoresheet gives these points: ana 10, beto 3.",),
    ),
    (
        "placed otherwise",
        {"places": [1, 1]},
        ("Checked again today, the scoresheet gives these points: ana 10, beto 3.",),
    ),
    ("nothing written", {"content": {}}, ("There are no hands.",)),
]


@pytest.fixture
def league() -> League:
    game.register()
    league = world.found_league(world.account("olga"), plays=False, visibility="public")
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    return league


def stored_match(league: League, at: dt.datetime = NOW, **changed: Any) -> Match:
    """Create a result that an earlier version of the referee accepted."""
    match = world.played(league, [world.called("ana"), world.called("beto")], [10, 3], at=at)
    if changed:
        Sheet.objects.filter(match=match).update(**changed)
    return match


def review_reasons(chosen: QuerySet[Match]) -> dict[int, tuple[str, ...]]:
    return {
        match.pk: reasons
        for match, reasons in match_queries.review_matches(
            match_queries.handwritten_matches(chosen)
        )
    }


@pytest.mark.parametrize(("what", "changed", "reasons"), STORED)
def test_stored_scoresheet_is_checked_by_the_present_referee(
    league: League, what: str, changed: dict[str, Any], reasons: tuple[str, ...]
) -> None:
    match = stored_match(league, **changed)
    assert review_reasons(Match.objects.all()) == {match.pk: reasons}, what


@pytest.mark.parametrize(
    "changed",
    [{"origin": "here"}, {"origin": "forfeit"}, {"state": "void"}, {"state": "draft"}],
)
def test_review_omits_forfeits_matches_played_on_the_site_and_void_matches(
    league: League, changed: dict[str, str]
) -> None:
    Match.objects.filter(pk=stored_match(league, content={"hands": [[9, 9]]}).pk).update(**changed)
    assert review_reasons(Match.objects.all()) == {}


@pytest.mark.slow
def test_organiser_sees_rejected_results_with_reason_and_link(league: League) -> None:
    good, bad = stored_match(league), stored_match(league, NOW + HOUR, content={"hands": [[9, 9]]})
    counted = list(Place.objects.values_list("result", "player", "place").order_by("pk"))
    address = reverse("league_review", args=[league.slug])
    for name in ("ana", None):
        who = browser(world.called(name) if name else None)
        assert who.get(address).status_code == 404, name
    page = browser(world.called("olga")).get(address).content.decode()
    assert "Two seats show the same card." in page
    assert reverse("match", args=[bad.pk]) in page
    assert reverse("match", args=[good.pk]) not in page
    assert (
        "In version 0.1.0, pressing Tab in the last field of a form could save its contents, "
        "as if you had pressed the button. The site records what each scoresheet says, who "
        "submitted it and when, but not which key saved it or what was shown before, so it "
        "cannot tell which results were saved in this way. None of them counted until "
        "another player had confirmed the result or an organiser had seen what it would "
        "change. If you find a wrong result, correct it on the page of its match." in page
    )
    assert list(Place.objects.values_list("result", "player", "place").order_by("pk")) == counted
    settings = browser(world.called("olga")).get(reverse("league_settings", args=[league.slug]))
    assert address in settings.content.decode()


@pytest.mark.slow
def test_superuser_sees_rejected_results_of_all_leagues_and_without_league(league: League) -> None:
    friends = stored_match(league, content={"hands": [[9, 9]]})
    Match.objects.filter(pk=friends.pk).update(league=None)
    bad = stored_match(league, NOW + HOUR, content={"hands": [[8, 8]]})
    address = reverse("matches_review")
    assert browser(world.called("olga")).get(address).status_code == 404
    assert Client().get(address).status_code == 404
    office = browser(world.account("office", is_superuser=True, is_staff=True))
    page = office.get(address).content.decode()
    for match in (friends, bad):
        assert reverse("match", args=[match.pk]) in page
    assert reverse("league_review", args=[league.slug]) in page
    assert address in office.get(reverse("admin:leagues_match_changelist")).content.decode()


@pytest.mark.slow
def test_review_page_checks_a_limited_number_of_results(
    league: League, django_assert_max_num_queries: Any
) -> None:
    for number in range(3):
        stored_match(league, NOW + number * HOUR, content={"hands": [[9, 9]]})
    first = Match.objects.earliest("played_at")
    many = [
        Match(
            league=league, game=game.KEY, rules=first.rules, rules_hash="", state="final",
            played_at=NOW + number * HOUR, created_at=NOW, key=f"k{number}", sheet=first.sheet,
        )
        for number in range(10, 10 + REVIEW_PAGE_SIZE)
    ]  # fmt: skip
    Match.objects.bulk_create(many)
    olga = browser(world.called("olga"))
    address = reverse("league_review", args=[league.slug])
    with django_assert_max_num_queries(12):
        later = olga.get(address).content.decode()
    assert f"checks results 1 to {REVIEW_PAGE_SIZE}" in later
    earlier = olga.get(f"{address}?page=2").content.decode()
    assert f"checks results {REVIEW_PAGE_SIZE + 1} to {REVIEW_PAGE_SIZE + 3}" in earlier
    assert reverse("match", args=[first.pk]) in earlier
    assert "This page checks results" not in olga.get(f"{address}?page=9").content.decode()


@pytest.mark.slow
def test_review_command_lists_results_of_the_site_or_of_one_league(league: League) -> None:
    other = world.found_league(world.called("ana"), name="Other")
    world.enter_league(other, world.called("beto"))
    here = stored_match(league, content={"hands": [[9, 9]]})
    there = stored_match(other, NOW + HOUR, points=[11, 3])
    stored_match(other, NOW + 2 * HOUR)

    def said(**options: Any) -> str:
        out = StringIO()
        call_command("review_results", stdout=out, **options)
        return out.getvalue()

    assert said() == (
        f"/matches/{there.pk}/ {NOW:%Y-%m-%d}, Other\n"
        "    Checked again today, the scoresheet gives these points: ana 10, beto 3.\n"
        f"/matches/{here.pk}/ {NOW:%Y-%m-%d}, Thursday\n"
        "    Two seats show the same card.\n"
        "2 of 3 results would not be taken as they stand today.\n"
    )
    assert said(league=league.slug).endswith(
        "1 of 1 results would not be taken as they stand today.\n"
    )
    with pytest.raises(CommandError, match="no league nobodys"):
        said(league="nobodys")
