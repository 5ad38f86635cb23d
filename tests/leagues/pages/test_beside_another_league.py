"""Pages and API answers of a league do not depend on another league of the same players.

Every query must be limited to the league.
"""

from __future__ import annotations

import re
from unittest import mock

import pytest
from django.core.cache import cache
from django.utils import timezone

from leagues.models import Absence, Fixture, League, Member, Player
from tests.databases import rolled_back, seeded, written_again
from tests.factories import browser
from tests.leagues.world import (
    HOUR,
    NOW,
    account,
    found_league,
    give_role,
    play,
    played,
    round_robin,
)

NAMES = ("Ana", "Beto", "Carla", "Dora")


def robin() -> League:
    """Return a round robin with two results, whose draw and invitation are always the same."""
    with seeded("robin"):
        league = round_robin(account("Office"), NAMES)
    League.objects.update(invitation="robin")
    first, second, *_ = Fixture.objects.filter(round__league=league).order_by("pk")
    play(first, 10, 4)
    play(second, 3, 11, at=NOW + HOUR)
    return league


@written_again
def alone() -> League:
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        return robin()


@written_again
def beside() -> League:
    """Return the league. The same players have a ladder and another round robin besides."""
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        league = robin()
        office, *players = (Player.objects.get(name=name) for name in ("Office", *NAMES))
        ladder = found_league(players[0], name="Ladder", visibility="public")
        for player in (*players[1:], office, account("Eva")):
            Member.objects.create(league=ladder, player=player, joined_at=NOW)
        give_role(ladder, players[1], Member.Role.SCORER)
        for hours, (one, other) in enumerate(((0, 1), (1, 2), (2, 3), (3, 0)), start=1):
            played(ladder, [players[one], players[other]], [12, hours], at=NOW + hours * HOUR)
        other_robin = found_league(
            office, format="round_robin", plays=False, visibility="public", name="Second"
        )
        for player in players:
            Member.objects.create(league=other_robin, player=player, joined_at=NOW)
        Absence.objects.create(league=other_robin, player=players[2], round=1, announced_at=NOW)
    return league


PAGES = (
    "",
    "results/",
    "fixtures/",
    "fixtures/{fixture}/",
    "matrix/",
    "history/?day=2026-03-06",
    "standings/{player}/",
    "rules/",
    "settings/",
    "settings/close/",
    "webhooks/",
    "review/",
    "draw/back/",
    "calendar.ics",
    "export/",
    "import/",
    "players/",
)
ANSWERS = (
    "",
    "standings/",
    "matrix/",
    "rounds/",
    "absences/",
    "fixtures/",
    "fixtures/{fixture}/",
    "members/",
    "claims/",
    "matches/",
    "webhooks/",
)


def read(league: League, address: str) -> str:
    """Return the answer to the organiser, without the tokens of forms."""
    office, player = (Player.objects.get(name=name) for name in ("Office", "Ana"))
    fixture = Fixture.objects.filter(round__league=league).earliest("pk")
    cache.clear()
    answer = browser(office).get(address.format(fixture=fixture.pk, player=player.slug))
    assert answer.status_code == 200, answer
    text: str = answer.getvalue().decode("utf-8-sig")
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        *(f"/leagues/robin/{end}" for end in PAGES),
        *(f"/api/v1/leagues/robin/{end}" for end in ANSWERS),
    ],
)
def test_answer_does_not_depend_on_another_league_of_the_same_players(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW + 5 * HOUR)
    with rolled_back():
        expected = read(alone(), address)
    league = beside()
    assert League.objects.count() == 3
    assert read(league, address) == expected
