"""Merges of players on pages and in the API: previews, current merges, and outdated pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import merge_players, undo_merge
from leagues.models import League, Member, Merge, Player
from tests.factories import browser
from tests.leagues import world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def ladder(office: Player) -> League:
    """Create a public league of two guests, who have both beaten berta."""
    league = world.found_league(office, plays=False, visibility="public", name="Open")
    berta = world.account("berta")
    world.enter_league(league, berta)
    for name in ("Dora", "Dorita"):
        guest = add_guest(league=league, name=name, by=office, at=NOW).player
        world.played(league, [berta, guest], [3, 10])
    return league


@pytest.fixture
def secret(ladder: League) -> League:
    """Create a private league of another organiser, in which Dorita has played as well."""
    host = world.account("host")
    league = world.found_league(host, visibility="private", name="Secret")
    world.enter_league(league, world.called("Dorita"))
    world.played(league, [host, world.called("Dorita")], [3, 10])
    return league


def merge_address(league: League, name: str, view: str = "member_merge") -> str:
    row = Member.objects.get(league=league, player__name=name)
    return reverse(view, args=[league.slug, row.pk])


@pytest.mark.slow
def test_merge_preview_names_only_leagues_that_the_user_can_see(
    ladder: League, secret: League
) -> None:
    carla, office = world.account("carla"), world.called("office")
    world.enter_league(ladder, carla)
    previews = [
        (office, f"{merge_address(ladder, 'Dorita')}?into=dora"),
        (office, f"{merge_address(ladder, 'Dorita', 'api_member_merge')}?into=dora"),
        (carla, reverse("player_claim", args=["dorita"])),
        (carla, reverse("api_claim", args=["dorita"])),
    ]

    def leagues() -> list[list[str]]:
        """Return the leagues whose ratings would change, for each preview."""
        answers = [browser(who).get(address) for who, address in previews]
        assert [answer.status_code for answer in answers] == [200] * 4
        told = [answer.text.partition("<caption>Ratings</caption>")[2] for answer in answers[::2]]
        told += [str(answer.json()["ratings"]).title() for answer in answers[1::2]]
        return [sorted(set(re.findall(r"\b(?:Open|Secret)\b", text))) for text in told]

    assert leagues() == [["Open"]] * 4
    for player in (office, carla):
        world.enter_league(secret, player)
    assert leagues() == [["Open", "Secret"]] * 4


@pytest.mark.slow
def test_guest_can_be_merged_into_other_guests_and_their_own_account(
    ladder: League, office: Player
) -> None:
    """The page does not offer the guest itself, accounts of other people, merged guests, and
    players outside the league.
    """
    world.enter_league(ladder, office)
    world.guest("Elsa")
    gus = add_guest(league=ladder, name="Gus", by=office, at=NOW).player
    merge_players(absorbed=gus, kept=world.called("Dora"), by=office, at=NOW)
    page = browser(office).get(merge_address(ladder, "Dorita")).text
    people = ("dora", "dorita", "office", "berta", "gus", "elsa")
    assert [slug for slug in people if f'value="{slug}"' in page] == ["dora", "office"]
    address = merge_address(ladder, "Dorita", "api_member_merge")
    answers = {slug: browser(office).get(f"{address}?into={slug}").status_code for slug in people}
    assert [slug for slug, status in answers.items() if status == 200] == ["dora", "office"]


@pytest.mark.slow
def test_current_merges_are_listed_with_the_latest_first(ladder: League, office: Player) -> None:
    """Merges of the same time are sorted by creation, the latest first."""
    dora, dorita = world.called("Dora"), world.called("Dorita")
    for minute, names in enumerate((("Gus",), ("Ada", "Zoe"), ("Eva",))):
        for name in names:
            guest = add_guest(league=ladder, name=name, by=office, at=NOW).player
            kept = dorita if name == "Gus" else dora
            merge_players(absorbed=guest, kept=kept, by=office, at=NOW + minute * HOUR)
    merge_players(absorbed=dorita, kept=dora, by=office, at=NOW + 9 * HOUR)
    undo_merge(merge=Merge.objects.get(absorbed__name="Eva"), by=office, at=NOW + 9 * HOUR)

    page = browser(office).get(reverse("player", args=[dora.slug])).text
    lines = re.findall(r"<span>(.+ → .+), (\d+ Mar) 2026</span>", page)
    assert lines == [
        ("Dorita → Dora", "6 Mar"),
        ("Zoe → Dora", "5 Mar"),
        ("Ada → Dora", "5 Mar"),
        ("Gus → Dorita", "5 Mar"),
    ]
    told = browser(office).get(reverse("api_player", args=[dora.slug])).json()["merges"]
    assert [row["absorbed"] for row in told] == ["Dorita", "Zoe", "Ada", "Gus"]
    assert "Merged guests" not in Client().get(reverse("player", args=[dora.slug])).text


@pytest.mark.slow
def test_outdated_merge_page_reports_that_players_were_merged_or_separated(
    ladder: League, office: Player
) -> None:
    """Another organiser has meanwhile made or undone the merge that the page offers."""
    dora, dorita = world.called("Dora"), world.called("Dorita")
    gus = add_guest(league=ladder, name="Gus", by=office, at=NOW).player
    late = browser(office)
    assert f'value="{dora.slug}"' in late.get(merge_address(ladder, "Gus")).text
    merge = merge_players(absorbed=dora, kept=dorita, by=office, at=NOW)
    answer = late.post(merge_address(ladder, "Gus"), {"into": dora.slug})
    assert answer.status_code == 422
    assert "is not one of the available choices" in answer.text
    answer = late.post(merge_address(ladder, "Dora"), {"into": gus.slug})
    assert answer.status_code == 422
    assert "Dora has already been merged with another player." in answer.text
    undo = reverse("merge_undo", args=[merge.pk])
    for said in ("The merge has been undone.", "This merge has already been undone."):
        assert said in late.post(undo, follow=True).text
    dora.refresh_from_db()
    assert dora.merged_into is None
    assert Merge.objects.count() == 1
