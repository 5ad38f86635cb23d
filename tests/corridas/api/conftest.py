"""Fixtures for tests of the API: the small circuit and clients with and without an API key."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from api.models import Token
from corridas.api.urls import urlpatterns
from leagues.models import Player
from leagues.players import player_of_user
from tests.factories import World

ROOT = "/api/v1/"


@dataclass(frozen=True)
class Program:
    """A client of the API. It sends a user's API key; an empty key sends none."""

    key: str = ""

    def ask(self, method: str, way: str, body: object = None, **headers: str) -> Any:
        """Send a request to a path below `/api/v1/` and return the response."""
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        sent = "" if body is None else json.dumps(body)
        kind = "application/json"
        return Client().generic(method, ROOT + way, sent, kind, headers=headers)

    def get(self, way: str, **headers: str) -> Any:
        """Return the response to a GET request."""
        return self.ask("GET", way, **headers)

    def get_json(self, way: str) -> Any:
        """Return the JSON of a GET request, which must succeed."""
        answer = self.get(way)
        assert answer.status_code == 200, answer.content
        return answer.json()


def program_of(user: User) -> Program:
    _row, text = make_token(user=user, name="p", scope=Token.Scope.WRITE, at=timezone.now())
    return Program(text)


@pytest.fixture
def nora(world: World) -> Player:
    """Return a player who has an API key and belongs to no league."""
    return player_of_user(User.objects.create_user("nora"), at=timezone.now())


@pytest.fixture
def program(nora: Player) -> Program:
    assert nora.user is not None
    return program_of(nora.user)


@pytest.fixture
def nobody() -> Program:
    return Program()


@pytest.fixture
def director(world: World) -> Program:
    """Return an API client of the circuit's director."""
    ana = User.objects.create_user("ana", "ana@example.org", "a-long-word-7")
    world.circuit.owner = ana
    world.circuit.save()
    return program_of(ana)


@pytest.fixture
def stranger(db: None) -> Program:
    """Return an API client of a user who directs no circuit here."""
    return program_of(User.objects.create_user("eva", "eva@example.org", "a-long-word-7"))


def addresses(world: World, **parts: object) -> dict[str, str]:
    """Return the path of every API view by its URL name.

    The names come from the URL configuration, so no view is left out. `parts` replace path
    arguments of the small circuit.
    """
    return {str(one.name): _filled(one, world, parts) for one in urlpatterns}


SLUGS = {"api_plaza": "ronda", "api_herd": "mayalde", "api_feria": "goyesca"}


def _filled(one: URLPattern, world: World, parts: dict[str, object]) -> str:
    matador = world.matadors[0].slug
    known = {
        "circuit": world.circuit.slug,
        "year": world.season.year,
        "slug": SLUGS.get(str(one.name), matador),
        "left": matador,
        "right": world.matadors[1].slug,
        "pk": 1,
        "run": 1,
        "turn": 1,
        "card": 1,
    }
    names = one.pattern.converters
    filled = {name: (known | parts)[name] for name in names}
    return reverse(str(one.name), kwargs=filled).removeprefix(ROOT)


def answers_to(one: URLPattern, method: str) -> bool:
    """Return whether a view supports an HTTP method."""
    actions = getattr(one.callback, "actions", None)
    if actions is not None:
        return method.lower() in actions
    return hasattr(one.callback.cls, method.lower())  # type: ignore[attr-defined]
