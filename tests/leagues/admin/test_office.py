"""The admin for leagues: it shows results, cannot change them, and hides secrets."""

import datetime as dt
import os
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from leagues.matches.operations.corrections import dispute_match
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import merge_players
from leagues.models import League, Merge, Player, Pool, Recount, Table, TableRound
from tests.databases import rolled_back, written_again
from tests.leagues import game, world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db
MODELS: list[Any] = [model for model in admin.site._registry if model._meta.app_label == "leagues"]


def season(number: int) -> League:
    """Create a league with rows of several kinds. `number` makes the names of these rows unique."""
    organiser = world.account(f"organiser {number}")
    league = world.found_league(organiser, visibility="public")
    other = world.account(f"other {number}")
    world.enter_league(league, other)
    world.played(league, [organiser, other], [10, 2])
    match = world.played(league, [other, organiser], [12, 2])
    dispute_match(match=match, version=match.version, by=organiser, at=NOW, reason="A 9, not a 6.")
    guest = add_guest(league=league, name="Carla", by=organiser, at=NOW).player
    friend = world.account(f"friend {number}")
    world.enter_league(league, friend)
    merge_players(absorbed=guest, kept=friend, by=organiser, at=NOW)
    return league


@written_again
def seasons(count: int) -> League | None:
    """Create a superuser and this number of leagues, and return the first league."""
    User.objects.create_superuser("office")
    leagues = [season(number) for number in range(1, count + 1)]
    return leagues[0] if leagues else None


@pytest.fixture
def league() -> League:
    found = seasons(1)
    assert found is not None
    return found


@pytest.fixture
def office(client: Client, request: pytest.FixtureRequest) -> Client:
    """Return the client of a superuser.

    There is a league only if the test uses the fixture `league`.
    """
    if "league" in request.fixturenames:
        request.getfixturevalue("league")
    else:
        seasons(0)
    client.force_login(User.objects.get(username="office"))
    return client


def laid_table(host: Player) -> Table:
    table = Table.objects.create(
        game=game.KEY, profile="plain", rules={}, rules_hash="", host=host, watch="anybody",
        invitation="i" * 43, created_at=NOW, changed_at=NOW, state=Table.State.PLAYING,
    )  # fmt: skip
    for number, ended in ((1, NOW), (2, None)):
        TableRound.objects.create(
            table=table, number=number, seed=bytes([number]) * 32, stake={"secret": "stake"},
            commitment=os.urandom(32), begun_at=NOW, ended_at=ended,
        )  # fmt: skip
    return table


def address(model: Any, page: str, *keys: object) -> str:
    return reverse(f"admin:leagues_{model._meta.model_name}_{page}", args=keys)


@pytest.mark.slow
def test_admin_lists_take_as_many_queries_for_three_leagues_as_for_one() -> None:
    query_counts(1)  # fills the caches of the process
    assert query_counts(3) == query_counts(1)


def query_counts(leagues: int) -> dict[str, int]:
    """Return the number of queries of every admin list with this number of leagues."""
    found = {}
    with rolled_back():
        seasons(leagues)
        client = Client()
        client.force_login(User.objects.get(username="office"))
        for model in MODELS:
            with CaptureQueriesContext(connection) as caught:
                answer = client.get(address(model, "changelist"))
            assert answer.status_code == 200
            found[model._meta.model_name] = len(caught)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_admin_pages_open_but_cannot_add_or_delete_rows(
    office: Client, league: League, model: Any
) -> None:
    laid_table(league.members.get(player__name="organiser 1").player)
    row = model.objects.first()
    if row is not None:
        assert office.get(address(model, "change", row.pk)).status_code == 200
        assert office.post(address(model, "delete", row.pk)).status_code == 403
    assert office.get(address(model, "add")).status_code == 403


@pytest.mark.slow
@pytest.mark.usefixtures("league")
def test_admin_cannot_change_results_and_ratings(office: Client) -> None:
    for name in ("result", "rating", "match", "sheet", "place", "pool", "dispute"):
        model = next((m for m in MODELS if m._meta.model_name == name), None)
        if model is None:
            continue
        row = model.objects.first()
        answer = office.post(address(model, "change", row.pk), {"mu": 99, "state": "final"})
        assert answer.status_code == 403, name


def test_admin_shows_the_seed_of_a_finished_round_only(office: Client) -> None:
    table = laid_table(world.account("host"))
    page = office.get(address(Table, "change", table.pk)).content.decode()
    assert (b"\x01" * 32).hex() in page
    assert (b"\x02" * 32).hex() not in page
    assert "stake" not in page
    assert table.invitation not in page


def test_admin_lists_cannot_be_filtered_by_a_secret(office: Client, league: League) -> None:
    table = laid_table(world.account("host"))
    for model, lookup in (
        (Table, "rounds__seed"), (Table, "invitation__startswith"), (League, "seed"),
    ):  # fmt: skip
        answer = office.get(address(model, "changelist"), {lookup: "x"})
        assert answer.status_code in (302, 400), lookup
    page = office.get(address(League, "change", league.pk)).content.decode()
    assert league.invitation not in page
    assert table.pk


@pytest.mark.usefixtures("league")
def test_merge_of_players_is_undone_from_the_admin_list(office: Client) -> None:
    merge = Merge.objects.get()
    office.post(address(Merge, "changelist"), {"action": "undo", "_selected_action": [merge.pk]})
    merge.refresh_from_db()
    assert isinstance(merge.undone_at, dt.datetime)
    assert merge.absorbed.merged_into is None


@pytest.mark.usefixtures("valkey", "league")
def test_admin_action_requests_a_recount_of_rating_pools(office: Client) -> None:
    office.post(
        address(Pool, "changelist"),
        {"action": "count_anew", "_selected_action": [pool.pk for pool in Pool.objects.all()]},
    )
    assert Recount.objects.count() == Pool.objects.filter(stale=True).count() == 2


@pytest.mark.usefixtures("league")
def test_staff_with_read_permission_cannot_undo_a_merge(client: Client) -> None:
    from django.contrib.auth.models import Permission

    reader = User.objects.create(username="reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_merge"))
    client.force_login(reader)
    merge = Merge.objects.get()
    client.post(address(Merge, "changelist"), {"action": "undo", "_selected_action": [merge.pk]})
    merge.refresh_from_db()
    assert merge.undone_at is None
