"""A user with spoiler protection, in a circuit where a corrida has just been broadcast."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.models import Corrida
from corridas.simulation.post import post_due
from tests.factories import World, small_circuit

# How long the user has had spoiler protection.
AGES = dt.timedelta(days=2)


@dataclass
class Afternoons:
    """A broadcast corrida that is over, a corrida on air after some bulls, and one played
    without broadcast.
    """

    world: World
    over: Corrida
    on_air: Corrida
    run_on: Corrida


def broadcast(world: World) -> Afternoons:
    """Create the three corridas."""
    run_on = world.post(world.announce(dt.date(2027, 3, 2)))
    over = world.air_in_earnest(world.announce(dt.date(2027, 3, 20)), seconds=100_000)
    assert post_due(at=timezone.now())
    on_air = world.air_in_earnest(world.announce(dt.date(2027, 4, 1), 1), seconds=90)
    over.refresh_from_db()
    return Afternoons(world, over, on_air, run_on)


@pytest.fixture
def afternoons(db: None) -> Afternoons:
    """The three corridas, in the site's own circuit."""
    return broadcast(small_circuit())


@pytest.fixture
def person(db: None) -> User:
    """A user who must not see results of corridas that they have not watched."""
    user = User.objects.create_user("vera", "vera@example.org")
    User.objects.filter(pk=user.pk).update(shielded_since=timezone.now() - AGES)
    user.refresh_from_db()
    return user


@pytest.fixture
def shielded(person: User) -> Client:
    """A test client in which this user is signed in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    return client
