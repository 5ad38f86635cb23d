"""A match of every game, and who sits at it."""

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
    """Every game in turn."""
    found: Form = request.param
    return found


@pytest.fixture
def boss(db: None) -> Player:
    """Who organises the league and does not play."""
    return account("boss")


@pytest.fixture
def people(db: None, form: Form) -> list[Player]:
    """Who sits there."""
    return [account(name) for name in form.names]


@pytest.fixture
def match(form: Form, boss: Player, people: list[Player]) -> Match:
    """Their match in a private league, about to be written down."""
    return form.open(form.league(boss, *people), people)


@pytest.fixture
def sent(form: Form, match: Match, people: list[Player]) -> Match:
    """The same handed in by the first of them."""
    content = form.sheet(match)
    return matches.hand_in(
        match=match, version=match.version, by=people[0], at=timezone.now(), content=content
    )


@pytest.fixture
def confirmed(sent: Match, people: list[Player]) -> Match:
    """The same confirmed by another of them."""
    return matches.confirm(match=sent, version=sent.version, by=people[1], at=timezone.now())


@pytest.fixture
def writer(people: list[Player]) -> Client:
    """The browser of who writes it down."""
    return browser(people[0])


@pytest.fixture
def other(people: list[Player]) -> Client:
    """The browser of somebody else who sits there."""
    return browser(people[1])
