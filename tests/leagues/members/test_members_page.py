"""The page of the players of a league: what it says and offers to every kind of reader."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.members.operations.merging import merge_players, propose_claim
from leagues.models import League, Member, Player
from tests.factories import browser
from tests.leagues import world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db

Role = Member.Role
PARTS = {
    "edit": "<details",
    "role": "Set role",
    "rejoin": "Rejoin",
    "withdraw": "> Withdraw <",
    "withdraw player": "> Withdraw player <",
    "link": "Link for the guest",
    "merge": "Merge this guest",
    "gone": 'class="is-gone"',
}


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    """Return a public ladder of two accounts, a guest, a merged guest and a player who left."""
    league = world.found_league(office, plays=False, visibility="public", name="Open")
    for name in ("ana", "sara", "zoe"):
        world.enter_league(league, world.account(name))
    world.give_role(league, world.called("sara"), Role.SCORER)
    for name in ("Gus", "Lost"):
        add_guest(league=league, name=name, by=office, at=NOW)
    merge_players(absorbed=world.called("Lost"), kept=world.called("Gus"), by=office, at=NOW)
    withdraw(
        league=league,
        player=world.called("zoe"),
        by=office,
        at=NOW,
        handling=FixtureHandling.FORFEIT,
    )
    return league


def page(league: League, reader: Player | None) -> str:
    text = browser(reader).get(reverse("league_members", args=[league.slug])).text
    return " ".join(text.split())


def lines(league: League, reader: Player | None) -> dict[str, str]:
    """Return the HTML of each member in the list, by name."""
    listed = page(league, reader).partition('id="members-h"')[2].partition("</section>")[0]
    rows = re.split(r"<li(?= class=\"is-gone\"|>)", listed)[1:]
    names = ("office", "ana", "sara", "zoe", "Gus", "Lost")
    return {name: row for row in rows for name in names if re.search(rf"> ?{name} ?</span>", row)}


def offered(league: League, reader: Player | None) -> dict[str, set[str]]:
    return {
        name: {part for part, html in PARTS.items() if html in row}
        for name, row in lines(league, reader).items()
    }


def test_organiser_can_edit_every_member(league: League, office: Player) -> None:
    """The only organiser keeps the role. Merged guests get no link and are not merged again."""
    assert offered(league, office) == {
        "office": {"edit", "withdraw"},
        "ana": {"edit", "role", "withdraw player"},
        "sara": {"edit", "role", "withdraw player"},
        "zoe": {"edit", "role", "rejoin", "gone"},
        "Gus": {"edit", "role", "withdraw player", "link", "merge"},
        "Lost": {"edit", "role", "withdraw player"},
    }
    rows = lines(league, office)
    options = {
        name: re.findall(r'<option value="(\w+)"( selected)?>', row) for name, row in rows.items()
    }
    assert [value for value, _chosen in options["ana"]] == ["organiser", "scorer", "player"]
    assert [value for value, _chosen in options["Gus"]] == ["scorer", "player"]
    assert [value for value, chosen in options["sara"] if chosen] == ["scorer"]
    assert [value for value, chosen in options["ana"] if chosen] == ["player"]
    world.give_role(league, world.called("ana"), Role.ORGANISER)
    again = offered(league, office)
    assert again["office"] == {"edit", "role", "withdraw"}
    League.objects.update(closed_at=NOW)
    assert offered(league, office)["zoe"] == {"edit", "role", "gone"}


def test_other_members_can_edit_only_themselves(league: League) -> None:
    for name in ("ana", "sara"):
        found = offered(league, world.called(name))
        assert found.pop(name) == {"edit", "withdraw"}
        assert {part for parts in found.values() for part in parts} == {"gone"}
    assert offered(league, world.called("zoe"))["zoe"] == {"edit", "gone"}
    assert {part for parts in offered(league, None).values() for part in parts} == {"gone"}


def test_each_line_describes_its_member(league: League) -> None:
    rows = {
        name: " ".join(re.sub("<[^>]+>", " ", row).split()).lstrip("> ")
        for name, row in lines(league, None).items()
    }
    assert "organiser, not playing" in rows["office"].lower()
    assert "withdrew on 5 Mar 2026" in rows["zoe"]
    assert "now Gus" in rows["Lost"]
    assert "guest" in rows["Gus"].lower()
    for name in ("ana", "sara", "Gus"):
        for words in ("not playing", "withdrew", "now "):
            assert words not in rows[name]
    assert "guest" not in rows["ana"].lower()


def test_invitation_and_new_guests_are_for_those_who_may_add_players(
    league: League, office: Player
) -> None:
    parts = {"link": 'id="invitation"', "renew": "Make a new link", "guest": 'name="name"'}

    def found(reader: Player | None) -> set[str]:
        text = page(league, reader)
        return {name for name, html in parts.items() if html in text}

    assert found(office) == {"link", "renew", "guest"}
    assert found(world.called("sara")) == {"link", "guest"}
    assert found(world.called("ana")) == {"link"}
    assert found(world.account("stranger")) == found(None) == set()
    League.objects.update(closed_at=NOW)
    assert found(office) == found(world.called("sara")) == set()


def test_claims_are_shown_to_organisers_who_may_answer_them(league: League, office: Player) -> None:
    """Nobody answers their own claim. Claims of players who have met can only be rejected."""
    gus, ana = world.called("Gus"), world.called("ana")
    world.give_role(league, ana, Role.ORGANISER)
    propose_claim(guest=gus, by=ana, at=NOW)
    parts = {"yes": "Yes, merge", "no": 'value="no"', "wait": "Another organiser must make"}

    def found(reader: Player | None) -> set[str]:
        text = page(league, reader)
        return {name for name, html in parts.items() if html in text}

    assert found(office) == {"yes", "no"}
    assert found(ana) == {"wait"}
    assert found(world.called("sara")) == found(None) == set()
    assert "<b>ana</b> claims to be the guest <b>Gus</b>." in page(league, office)
    assert "claims to be" not in page(league, world.called("sara"))
    world.played(league, [ana, gus], [10, 3], at=NOW + HOUR)
    assert found(office) == {"no"}


def test_guest_of_the_same_name_is_merged_into_the_other(league: League, office: Player) -> None:
    twin = world.guest("gus")
    Member.objects.create(league=league, player=twin, joined_at=NOW)
    world.played(league, [world.called("ana"), twin], [10, 3])
    text = page(league, office)
    first, row = world.called("Gus"), Member.objects.get(player=twin)
    way = reverse("member_merge", args=[league.slug, row.pk])
    assert f'href="{way}?into={first.slug}"' in text
    preview = browser(office).get(f"{way}?into={first.slug}").text
    assert "Merge guest into Gus" in preview
    assert "<caption>Ratings</caption>" in preview
    assert "Preview merge" not in page(league, world.called("sara"))


def test_only_guest_of_a_league_can_be_merged_into_its_organiser(office: Player) -> None:
    """An administrator who is no member has no choice."""
    league = world.found_league(office, plays=False, name="Small")
    row = add_guest(league=league, name="Gus", by=office, at=NOW)
    way = reverse("member_merge", args=[league.slug, row.pk])
    none = "There are no other guests in this league."
    mine = browser(office).get(way).text
    assert ('name="into"' in mine, none in mine) == (True, False)
    theirs = browser(world.account("boss", is_superuser=True)).get(way).text
    assert ('name="into"' in theirs, none in theirs) == (False, True)
    assert browser(None).get(way).status_code == 404
