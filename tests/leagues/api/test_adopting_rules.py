"""Adopting the current rules of standings over the API."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from leagues.fixtures.operations import draw_next_swiss
from leagues.models import League, Player
from leagues.standings.queries import standings_basis
from leagues.standings.tallies import RulesVersion
from tests.leagues import game, world
from tests.leagues.api.programs import STRANGER, Program, program
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Program:
    return program("ana")


@pytest.fixture
def league(ana: Program) -> League:
    """Create a Swiss league under the first rules: one match is played, and a guest has a bye."""
    settings: dict[str, Any] = {"name": "Thursday", "game": game.KEY, "profile": "plain"}
    settings |= {"visibility": "public", "format": "swiss", "rounds_planned": 3}
    ana.post("leagues/", settings)
    League.objects.update(
        standings_rules=RulesVersion.FIRST, scoring={"by_place": ["1"], "bye": "0"}
    )
    league = League.objects.get()
    for name in ("berta", "carla"):
        world.enter_league(league, world.account(name))
    by = Player.objects.get(user=User.objects.get(username="ana"))
    for fixture in draw_next_swiss(league=league, by=by, at=NOW).fixtures.all():
        world.play(fixture, 10, 4)
    league.refresh_from_db()
    return league


def scores(league: League) -> list[int]:
    league.refresh_from_db()
    return sorted(int(row.score) for row in standings_basis(league).rows())


def test_current_rules_are_previewed_and_adopted_over_the_api(ana: Program, league: League) -> None:
    at = f"leagues/{league.slug}/standings-rules/"
    assert STRANGER.get(f"leagues/{league.slug}/")["current_rules"] is False
    out = Player.objects.get(pk=league.rounds.get().byes[0]["player"])
    draft = ana.get(at)
    # After the league has adopted the current rules, the player with the bye has as many points as
    # the winner. The winner stays first because of the point difference.
    assert draft == {
        "standings": [
            {
                "player": {"name": out.name, "slug": out.slug},
                "before": {"place": 2, "score": "0"},
                "after": {"place": 2, "score": "1"},
            }
        ],
        "edition": league.edition,
    }
    assert scores(league) == [0, 0, 1]
    stale = ana.refused("POST", at, {"edition": draft["edition"] + 1})
    assert (stale["status"], scores(league)) == (409, [0, 0, 1])
    done = ana.post(at, {"edition": draft["edition"]})
    assert (done["slug"], done["current_rules"]) == (league.slug, True)
    assert scores(league) == [0, 1, 1]
    for method in ("GET", "POST"):
        refused = ana.refused(method, at)
        assert refused["status"] == 409
        assert refused["detail"] == "The league already follows the current rules."


def test_current_rules_can_be_adopted_without_a_preview(ana: Program, league: League) -> None:
    assert ana.post(f"leagues/{league.slug}/standings-rules/")["current_rules"]
    assert scores(league) == [0, 1, 1]


def test_final_standings_reject_the_adoption_of_rules(ana: Program, league: League) -> None:
    ana.post(f"leagues/{league.slug}/close/")
    for method in ("GET", "POST"):
        refused = ana.refused(method, f"leagues/{league.slug}/standings-rules/")
        assert refused["status"] == 409
        assert refused["detail"] == "The standings are final and will not change."
    assert scores(league) == [0, 0, 1]


def test_only_organisers_can_preview_and_adopt_rules(ana: Program, league: League) -> None:
    at = f"leagues/{league.slug}/standings-rules/"
    other = program("other")
    assert [other.refused(method, at)["status"] for method in ("GET", "POST")] == [403, 403]
    assert STRANGER.refused("GET", at)["status"] == 403
    assert STRANGER.refused("POST", at)["status"] == 401
    League.objects.update(visibility=League.Visibility.PRIVATE)
    assert other.refused("GET", at)["status"] == 404
    assert ana.get(at)["standings"]
    assert scores(league) == [0, 0, 1]


def test_edition_that_is_no_valid_number_is_rejected(ana: Program, league: League) -> None:
    for edition in ("x", -1, 2**40):
        refused = ana.refused(
            "POST", f"leagues/{league.slug}/standings-rules/", {"edition": edition}
        )
        assert refused["status"] == 400
    assert scores(league) == [0, 0, 1]
