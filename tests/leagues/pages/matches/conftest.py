"""Fixtures: a match of every game, and its players."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from leagues.matches.operations import matches
from leagues.models import Match, Player
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Form
from tests.leagues.pages.matches.games import FORMS


@pytest.fixture(params=FORMS, ids=lambda form: form.game)
def form(request: pytest.FixtureRequest) -> Form:
    """Return the form of each game in turn."""
    found: Form = request.param
    return found


@pytest.fixture
def boss(db: None) -> Player:
    """Create the organiser of the league, who does not play."""
    return account("boss")


@pytest.fixture
def people(db: None, form: Form) -> list[Player]:
    """Create the players of the match."""
    return [account(name) for name in form.names]


@pytest.fixture
def match(form: Form, boss: Player, people: list[Player]) -> Match:
    """Open a match of the players in a private league, without a result."""
    return form.open(form.league(boss, *people), people)


@pytest.fixture
def sent(form: Form, match: Match, people: list[Player]) -> Match:
    """Submit the match as its first player."""
    content = form.sheet(match)
    return matches.hand_in(
        match=match, version=match.version, by=people[0], at=timezone.now(), content=content
    )


@pytest.fixture
def confirmed(sent: Match, people: list[Player]) -> Match:
    """Confirm the submitted match as its second player."""
    return matches.confirm(match=sent, version=sent.version, by=people[1], at=timezone.now())


@pytest.fixture
def writer(people: list[Player]) -> Client:
    """Return the test client of the first player, who enters the result."""
    return browser(people[0])


@pytest.fixture
def other(people: list[Player]) -> Client:
    """Return the test client of the second player."""
    return browser(people[1])
