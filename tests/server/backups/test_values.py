"""Values of every column type are written to a backup and read back unchanged."""

from __future__ import annotations

import datetime as dt
import json
import uuid
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, models

from core.sequences import last_key
from corridas.models import Cartel, Change, Lidia, Plaza
from server.backups.archive import Archive, BackupError, TableEntry, member
from server.backups.rows import (
    PLAIN_FIELDS,
    canonical,
    columns_of,
    decoder_of,
    encoder_of,
    fields_of,
    format_row,
    tables,
)
from server.backups.sql import set_last_key

THERE = dt.timezone(dt.timedelta(hours=-5))

VALUES: list[tuple[models.Field[Any, Any], Any, Any]] = [
    (models.BinaryField(), b"", ""),
    (models.BinaryField(), bytes(range(256)), None),
    (models.BinaryField(), b"\x00\xff", "AP8="),
    (
        models.DateTimeField(),
        dt.datetime(2026, 3, 5, 21, 0, 0, 7, THERE),
        "2026-03-06T02:00:00.000007+00:00",
    ),
    (models.DateTimeField(), dt.datetime(1, 1, 1, tzinfo=dt.UTC), "0001-01-01T00:00:00+00:00"),
    (models.DateField(), dt.date(2024, 2, 29), "2024-02-29"),
    (models.TimeField(), dt.time(23, 59, 59, 999_999), "23:59:59.999999"),
    (models.DecimalField(max_digits=9, decimal_places=4), Decimal("-0.1000"), "-0.1000"),
    (models.UUIDField(), uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    (models.GenericIPAddressField(), "2001:db8::1", "2001:db8::1"),
    (models.DurationField(), dt.timedelta(days=-1, microseconds=1), None),
    (models.BooleanField(), True, True),
    (models.IntegerField(), -(2**31), -(2**31)),
    (models.BigIntegerField(), 2**63 - 1, 2**63 - 1),
    (models.FloatField(), 0.1, 0.1),
    (models.CharField(max_length=9), "", ""),
    (models.TextField(), 'ñ🐂"\\\n\t\x7f=1', 'ñ🐂"\\\n\t\x7f=1'),
]


@pytest.mark.parametrize(
    ("field", "value", "written"), VALUES, ids=[type(case[0]).__name__ for case in VALUES]
)
def test_value_is_read_back_as_the_database_driver_needs_it(
    field: models.Field[Any, Any], value: Any, written: Any
) -> None:
    field.set_attributes_from_name("value")
    encoded = encoder_of(field)(value)
    assert written is None or (encoded, type(encoded)) == (written, type(written))
    (read,) = json.loads(format_row([encoded]))
    found = decoder_of(field, "default")(read)
    expected = field.get_db_prep_save(value, connection=connection)
    assert found == (value if isinstance(value, bytes) else expected)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (models.BinaryField(), "AP8"),
        (models.BinaryField(), "AP8=\n"),
        (models.DateTimeField(), "yesterday"),
        (models.DateField(), "2026-02-30"),
        (models.TimeField(), "25:00"),
        (models.UUIDField(), "7"),
        (models.DecimalField(max_digits=9, decimal_places=4), "x"),
    ],
)
def test_invalid_value_of_a_column_is_rejected(field: models.Field[Any, Any], text: str) -> None:
    field.set_attributes_from_name("value")
    with pytest.raises((ValueError, ValidationError)):
        decoder_of(field, "default")(text)


def test_backups_support_every_column_type_of_the_site() -> None:
    """A column of an unknown type would be written in whatever form JSON gives it."""
    known = PLAIN_FIELDS | {"JSONField"} | {field.get_internal_type() for field, *_ in VALUES}
    kinds = set()
    for model in tables():
        for field in fields_of(model):
            target = field
            while isinstance(target, models.ForeignKey):
                target = target.target_field
            kinds.add(target.get_internal_type())
    assert kinds <= known


def test_digests_of_rows_ignore_the_order_of_keys_in_json() -> None:
    place = columns_of(Change).index("after")
    row: list[Any] = [None] * len(fields_of(Change))
    digested = canonical(Change)
    assert digested(row) == format_row(row)
    told = [[*row[:place], text, *row[place + 1 :]] for text in ('{"b":1,"a":2}', '{"a":2,"b":1}')]
    assert digested(told[0]) == digested(told[1]) != digested(row)
    null = [*row[:place], "null", *row[place + 1 :]]
    assert digested(null) != digested(row)
    assert told[0][place] == '{"b":1,"a":2}'  # the row itself is unchanged


def test_backup_contains_each_table_once_including_many_to_many() -> None:
    names = [model._meta.db_table for model in tables()]
    assert names == sorted(set(names))
    assert {"accounts_user", "accounts_user_groups", "django_session", "corridas_lidia"} <= set(
        names
    )
    assert columns_of(Lidia)[:3] == ["id", "corrida_id", "turn"]


@pytest.mark.django_db
def test_new_primary_keys_continue_after_a_restore() -> None:
    set_last_key(Plaza, 41, "default")
    assert last_key(Plaza, "default") == 41
    set_last_key(Plaza, None, "default")
    assert last_key(Plaza, "default") is None
    set_last_key(Cartel, 7, "default")  # its key is a foreign key
    assert last_key(Cartel, "default") is None


def manifest_of(**changes: Any) -> dict[str, Any]:
    table = {"name": "t", "columns": ["id"], "rows": 0, "sha256": "", "last": None}
    plain = {
        "format": "temporada/backup",
        "version": 1,
        "site": "1",
        "engine": "sqlite",
        "taken_at": "now",
        "migrations": [],
        "tables": [table],
    }
    return {name: value for name, value in (plain | changes).items() if value is not ...}


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "temporada/season"}, "no backup of this site"),
        ({"version": 0}, "form 0"),
        ({"version": 2}, "form 2"),
        ({"version": None}, "form None"),
        ({"site": ...}, "incomplete or invalid"),
        ({"engine": ...}, "incomplete or invalid"),
        ({"taken_at": ...}, "incomplete or invalid"),
        ({"migrations": ...}, "incomplete or invalid"),
        ({"tables": 7}, "incomplete or invalid"),
        ({"tables": [{"name": "t"}]}, "incomplete or invalid"),
        ({"tables": [manifest_of()["tables"][0] | {"more": 1}]}, "incomplete or invalid"),
    ],
)
def test_manifest_with_missing_or_wrong_data_is_rejected(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    file = zipped(tmp_path / "a.zip", manifest_json=json.dumps(manifest_of(**changes)).encode())
    with pytest.raises(BackupError, match=said):
        Archive.read(file)


@pytest.mark.parametrize("data", [b"[]", b"7", b"{", b"\xff"])
def test_file_without_a_manifest_is_rejected(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(BackupError, match="no backup"):
        Archive.read(zipped(tmp_path / "a.zip", manifest_json=data))
    with pytest.raises(BackupError, match="no backup"):
        Archive.read(zipped(tmp_path / "b.zip", other_json=data))


def test_manifest_is_written_as_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.dumps(manifest_of()).encode()
    archive = Archive.read(zipped(tmp_path / "a.zip", manifest_json=data))
    assert json.loads(archive.manifest()) == manifest_of()
    assert archive.tables == [TableEntry(name="t", columns=["id"], rows=0, sha256="", last=None)]
    assert member("t") == "tables/t.jsonl"
    with pytest.raises(BackupError, match="damaged in the table t"):
        list(archive.lines(archive.tables[0]))
    monkeypatch.setattr("server.backups.archive.MAX_MANIFEST_BYTES", len(data))
    assert Archive.read(archive.path) == archive
    monkeypatch.setattr("server.backups.archive.MAX_MANIFEST_BYTES", len(data) - 1)
    with pytest.raises(BackupError, match="too large"):
        Archive.read(archive.path)
