"""Files stored in database rows: split into parts of a fixed size, and joined again."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from contextlib import suppress

import pytest
from django.utils import timezone

from accounts.models import Export, User
from core.jobs import parts
from core.jobs.models import TakenOverError
from core.jobs.parts import PartWriter, read_parts

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2027, 3, 1, 3, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_SIZE", 10)


@pytest.fixture
def export() -> Export:
    return Export.objects.create(user=User.objects.create_user("ana"), asked_at=timezone.now())


def lengths(export: Export) -> list[int]:
    return [len(part) for part in read_parts(export.parts, "content")]


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ([], []),
        ([b""], []),
        ([b"x" * 10], [10]),
        ([b"x" * 25], [10, 10, 5]),
        ([b"x" * 4, memoryview(b"y" * 9), bytearray(b"z")], [10, 4]),
    ],
)
def test_file_is_split_into_parts_and_joined_again(
    export: Export, written: list[bytes], stored: list[int]
) -> None:
    with PartWriter(export.parts, "content") as out:
        assert [out.write(piece) for piece in written] == [len(piece) for piece in written]
    assert lengths(export) == stored
    assert out.size == sum(stored)
    assert b"".join(read_parts(export.parts, "content")) == b"".join(map(bytes, written))


def test_zip_file_can_be_written_in_parts_without_seeking(export: Export) -> None:
    with PartWriter(export.parts, "content") as out, zipfile.ZipFile(out, "w") as archive:
        for name in ("one", "other"):
            archive.writestr(name, name * 10)
    assert set(lengths(export)[:-1]) == {10}, "only the last part may be short"
    with zipfile.ZipFile(io.BytesIO(b"".join(read_parts(export.parts, "content")))) as archive:
        assert archive.read("other") == b"other" * 10


def test_incomplete_part_is_not_stored_after_an_error(export: Export) -> None:
    out = PartWriter(export.parts, "content")
    with suppress(OSError), out:
        out.write(b"x" * 14)
        raise OSError("gone")
    assert lengths(export) == [10]
    assert out.closed


def test_worker_that_was_replaced_stores_no_more_parts(export: Export) -> None:
    slow = claimed(export, NOW)
    out = PartWriter(slow.parts, "content")
    out.write(b"a" * 20)
    with PartWriter(claimed(export, NOW + Export.LOST_AFTER).parts, "content") as other:
        other.write(b"b" * 15)
        with pytest.raises(TakenOverError):
            out.write(b"a" * 10)
        with pytest.raises(TakenOverError):
            PartWriter(slow.parts, "content")
    assert b"".join(read_parts(export.parts, "content")) == b"b" * 15


def claimed(export: Export, at: dt.datetime) -> Export:
    mine = Export.objects.claim(export.pk, at=at)
    assert mine is not None
    return mine
