"""Export of a user's own data: complete, without secrets, sent directly or built by a worker."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.data_export import operations as data_export
from accounts.data_export import registry as export_registry
from accounts.data_export.registry import ExportTable
from accounts.models import Export, ExportPart, User
from core.jobs import parts
from leagues.models import Player
from tests.accounts.people import signed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.django_db


def naming_people() -> Iterator[str]:
    """Yield every model that has a relation to a user or player, or is one of them."""
    people = {get_user_model(), Player}
    for model in apps.get_models():
        columns = (*model._meta.fields, *model._meta.many_to_many)
        if model in people or any(column.related_model in people for column in columns):
            yield model._meta.label


def test_every_table_with_users_or_players_is_exported_or_excluded() -> None:
    copied = {
        part.model._meta.label
        for part in export_registry.export_parts
        if isinstance(part, ExportTable)
    }
    missing = sorted(set(naming_people()) - copied - set(export_registry.excluded_models))
    assert missing == [], "pass every table with names to register_tables or exclude_models"


def test_data_export_contains_no_secrets() -> None:
    words = {"password", "key", "token", "secret", "invitation", "session_key", "digest"}
    told = {
        (part.name, field.name)
        for part in export_registry.export_parts
        if isinstance(part, ExportTable)
        for field in part.model._meta.concrete_fields
        if field.name in words and field.name not in part.without
    }
    assert told == set()


def exported_files(user: User) -> dict[str, object]:
    file = io.BytesIO()
    data_export.write_export(user, file)
    with zipfile.ZipFile(file) as copy:
        names = [name for name in copy.namelist() if name.endswith(".json")]
        return {name: json.loads(copy.read(name)) for name in names}


def test_data_export_contains_own_data_and_no_data_of_others(ana: User) -> None:
    other = User.objects.create_user("berta", "berta@example.org")
    for user in (ana, other):
        Player.objects.create(name=user.username, slug=user.username, user=user, created_at=NOW)
    copy = exported_files(ana)
    told = json.dumps(copy)
    assert "ana@example.org" in told
    assert "berta" not in told
    assert ana.password not in told
    players = copy["leagues/players.json"]
    assert isinstance(players, list)
    assert [row["name"] for row in players] == ["ana"]


NOW = timezone.now()


@pytest.mark.slow
def test_small_data_export_is_sent_directly_after_password_confirmation(ana: User) -> None:
    client = Client()
    client.force_login(ana)
    assert client.post(reverse("account_export")).status_code == 302
    answer = signed_in(ana).post(reverse("account_export"))
    assert "no-store" in answer["Cache-Control"]
    assert answer["Content-Type"] == "application/zip"
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # a FileResponse
    assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None


@pytest.mark.slow
def test_large_data_export_is_built_by_a_worker_in_parts(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_SIZE", 300)
    monkeypatch.setattr("accounts.pages.data_export.send", lambda task, key: True)
    monkeypatch.setattr(data_export, "MAX_IMMEDIATE_ROWS", -1)
    client = signed_in(ana)
    client.post(reverse("account_export"))
    client.post(reverse("account_export"))
    export = Export.objects.get(user=ana)  # requested twice, created once
    assert "hx-trigger" in client.get(reverse("account_export")).content.decode()
    assert data_export.build_export(export.pk, clock=timezone.now)
    assert not data_export.build_export(export.pk, clock=timezone.now)
    assert ExportPart.objects.filter(export=export).count() > 1
    address = reverse("account_export_file", args=[export.pk])
    body = b"".join(client.get(address).streaming_content)  # type: ignore[attr-defined]  # streamed
    assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None
    other = signed_in(User.objects.create_user("berta", password="otra tarde de abril"))
    assert other.get(address).status_code == 404


def test_data_export_is_rebuilt_after_its_worker_died(ana: User) -> None:
    export = data_export.request_export(ana, total=1, at=NOW)
    Export.objects.update(begun_at=NOW - Export.LOST_AFTER * 2)
    ExportPart.objects.create(export=export, number=0, content=b"half")
    assert Export.objects.sweep(at=NOW) == [export.pk]
    assert data_export.build_export(export.pk, clock=timezone.now)
    assert zipfile.ZipFile(io.BytesIO(b"".join(data_export.file_parts(export)))).testzip() is None
    data_export.delete_old_exports(at=NOW + data_export.RETENTION * 2)
    assert not Export.objects.exists()


def test_worker_stops_if_another_worker_has_taken_over_the_export(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = data_export.request_export(ana, total=1, at=NOW)

    def slow(_user: User, to: io.RawIOBase, progress: Callable[[int], None]) -> int:
        to.write(b"half")
        assert Export.objects.claim(export.pk, at=NOW + Export.LOST_AFTER)
        progress(1000)
        raise AssertionError("it goes on")

    monkeypatch.setattr(data_export, "write_export", slow)
    assert not data_export.build_export(export.pk, clock=lambda: NOW)
    export.refresh_from_db()
    assert (export.done, export.ended_at, export.error) == (0, None, "")
    assert not export.parts.exists()
