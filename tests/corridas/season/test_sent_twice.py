"""The form that continues a season is sent twice, as by a double click without JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from corridas.addresses import address
from corridas.models import Corrida, Run
from tests.corridas.simulation import world
from tests.databases import opened
from tests.scratch import at_once

pytestmark = pytest.mark.usefixtures("valkey")

DESK = address("calm", "desk")


def director() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("empresario"))
    return client


def copy(client: Client) -> Client:
    """Return another client with the same session cookie."""
    other = Client()
    other.cookies = client.cookies
    return other


def form(client: Client, far: str = "next") -> dict[str, str]:
    found = re.search(r'name="latest" value="(\d+)"', client.get(address("calm", "play")).text)
    assert found
    return {"far": far, "latest": found[1]}


def send(client: Client, fields: dict[str, str], **headers: str) -> Any:
    return client.post(address("calm", "desk_run"), fields, headers=headers)


def posted() -> int:
    return Corrida.objects.filter(season=world.calm(), state=Corrida.State.POSTED).count()


@pytest.mark.slow
@pytest.mark.parametrize("far", ["next", "week", "feria"])
def test_sending_the_form_again_plays_no_more_corridas(shared: str, far: str) -> None:
    with opened(shared):
        client = director()
        fields = form(client, far)
        assert send(client, fields)["Location"] == DESK
        assert send(client, fields)["Location"] == DESK  # while it is played
        world.run_on(Run.objects.get())
        played = posted()
        assert send(client, fields)["Location"] == DESK
        assert "so no more were played this time." in client.get(DESK).text
        assert "so no more were played this time." in send(client, fields, hx_request="true").text
        assert (Run.objects.count(), posted()) == (1, played)
        assert send(client, form(client))["Location"] == DESK
        assert Run.objects.count() == 2


@pytest.mark.slow
def test_sending_the_form_several_times_at_once_starts_one_run(shared: str) -> None:
    with opened(shared):
        client = director()
        fields = form(client)
    came = at_once(shared, *[lambda: send(copy(client), fields)] * 4)
    assert {answer["Location"] for answer in came} == {DESK}
    with opened(shared):
        world.run_on(Run.objects.get())
        assert posted() == 1
