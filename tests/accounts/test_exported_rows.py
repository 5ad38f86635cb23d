"""Data exports: the rows they contain, who can download them, and how long they are stored."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from accounts.data_export import operations as data_export
from accounts.data_export import registry as export_registry
from accounts.data_export.registry import ExportTable
from accounts.models import Choice, Export, Notice, User
from accounts.tasks import make_export
from api.models import Token
from corridas.models import Change, Circuit, Deck
from leagues.models import League, Match, MatchSeat, Member, Player
from leagues.notifications import MATCH_WAITING
from tests.accounts.people import NOW, signed_in
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


def copy_of(user: User) -> dict[str, list[dict[str, Any]]]:
    file = io.BytesIO()
    data_export.write_export(user, file)
    with zipfile.ZipFile(file) as copy:
        return {
            name.removesuffix(".json"): json.loads(copy.read(name))
            for name in copy.namelist()
            if name.endswith(".json")
        }


def lived(user: User, other: User) -> Player:
    """Create a row of every kind for a user, some of them under a merged guest's name."""
    deck, _made = Deck.objects.get_or_create(name="d", digest="d", cards="")
    player = Player.objects.create(
        name=user.username, slug=user.username, user=user, created_at=NOW
    )
    alias = world.guest(f"alias of {user.username}")
    alias.merged_into = player
    alias.save()
    league = League.objects.filter(slug="thursday").first() or world.found_league(
        player, visibility="public"
    )
    Member.objects.get_or_create(league=league, player=alias, joined_at=NOW)
    Token.objects.create(
        user=user, name="m", prefix="x", digest=user.username.encode(), created_at=NOW
    )
    Notice.objects.create(user=user, kind=MATCH_WAITING.key, at=NOW)
    Choice.objects.create(user=user, kind=MATCH_WAITING.key, ways=[])
    Circuit.objects.create(slug=f"of-{user.username}", name="x", offered_to=user, deck=deck)
    Change.objects.create(kind="bull", row=1, title="x", by=user, at=NOW)
    LogEntry.objects.create(
        user=user, content_type=ContentType.objects.get_for_model(User), object_id=str(other.pk),
        object_repr="x", action_flag=2,
    )  # fmt: skip
    match = Match.objects.create(
        game=game.KEY, rules={}, rules_hash="", played_at=NOW, created_at=NOW,
        key=user.username, entered_by=player,
    )  # fmt: skip
    MatchSeat.objects.create(match=match, number=0, player=alias, side=0)
    return player


@pytest.mark.slow
def test_data_export_contains_only_own_rows_of_every_table(ana: User, eva: User) -> None:
    game.register()
    mine, theirs = lived(ana, eva), lived(eva, ana)
    copy = copy_of(ana)
    assert {row["username"] for row in copy["profile"]} == {"ana"}
    assert {row["name"] for row in copy["leagues/players"]} == {"ana", "alias of ana"}
    for name in (
        "programs/keys", "notices", "notice-choices", "history/office", "history/rosters",
        "circuits/circuits", "leagues/memberships", "leagues/seats", "leagues/matches",
    ):  # fmt: skip
        rows = copy[name]
        whole = copy_of(eva)[name]
        assert rows, name
        assert {row["id"] for row in rows}.isdisjoint(row["id"] for row in whole), name
    secrets = ("password", "secrets_version", "digest", "key", "invitation")
    assert not [name for rows in copy.values() for row in rows for name in row if name in secrets]
    assert mine.pk != theirs.pk


@pytest.mark.parametrize(
    ("seat", "entered", "confirmed", "held"),
    [
        (None, None, None, False),
        ("ana", None, None, True),
        ("alias", None, None, True),
        ("eva", "eva", "eva", False),
        ("eva", "ana", None, True),
        ("eva", "alias", None, True),
        ("eva", None, "ana", True),
    ],
)
def test_data_export_contains_matches_played_entered_or_confirmed_by_the_user(
    ana: User, seat: str | None, entered: str | None, confirmed: str | None, held: bool
) -> None:
    people = {"ana": Player.objects.create(name="ana", slug="a", user=ana, created_at=NOW)}
    people |= {"alias": world.guest("alias"), "eva": world.guest("eva")}
    people["alias"].merged_into = people["ana"]
    people["alias"].save()
    match = Match.objects.create(
        game=game.KEY, rules={}, rules_hash="", played_at=NOW, created_at=NOW, key="k",
        entered_by=people[entered] if entered else None,
        confirmed_by=people[confirmed] if confirmed else None,
    )  # fmt: skip
    if seat:
        MatchSeat.objects.create(match=match, number=0, player=people[seat], side=0)
    (part,) = [
        part
        for part in export_registry.export_parts
        if isinstance(part, ExportTable) and part.name == "leagues/matches"
    ]
    assert (match in part.rows(ana)) == held


def test_only_the_owner_can_download_a_finished_data_export(ana: User, eva: User) -> None:
    made, broken = (
        Export.objects.create(user=ana, asked_at=NOW, ended_at=NOW, error=error)
        for error in ("", "x")
    )
    going = Export.objects.create(user=ana, asked_at=NOW)
    visitors = {"ana": signed_in(ana), "eva": signed_in(eva), "nobody": Client()}
    found = {
        (who, export.pk): client.get(reverse("account_export_file", args=[export.pk])).status_code
        for who, client in visitors.items()
        for export in (made, broken, going)
    }
    assert found == {
        (who, export.pk): 302 if who == "nobody" else 200 if (who, export) == ("ana", made) else 404
        for who in visitors
        for export in (made, broken, going)
    }


@pytest.mark.parametrize(("seconds", "kept"), [(0, 1), (1, 0)])
def test_data_export_is_deleted_after_three_days(ana: User, seconds: int, kept: int) -> None:
    Export.objects.create(user=ana, asked_at=NOW, ended_at=NOW)
    Export.objects.create(user=ana, asked_at=NOW)  # still running, so not deleted
    data_export.delete_old_exports(at=NOW + dt.timedelta(days=3, seconds=seconds))
    assert Export.objects.count() == kept + 1


def test_failed_data_export_stores_the_error(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_asked: object, **_more: object) -> None:
        raise OSError("x" * 400)

    monkeypatch.setattr(data_export, "write_export", broken)
    export = data_export.request_export(ana, total=1, at=NOW)
    make_export(export.pk)
    export.refresh_from_db()
    assert export.error.startswith("OSError: xxx")
    assert len(export.error) == 300
    assert export.ended_at is not None
    assert data_export.request_export(ana, total=1, at=NOW).pk != export.pk
