"""Tables as CSV files: rows are read while they are sent, and anonymous downloads are limited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.models import User
from core.downloads import (
    FIRST_ROWS,
    NEXT_ROWS,
    STREAMED,
    batches,
    csv_response,
    refuse_download,
)


def download_request(method: str = "GET", user: Any = None) -> Any:
    request = RequestFactory().generic(method, "/table.csv")
    request.user = user or AnonymousUser()
    return request


class Rows:
    """A heading and rows, which counts how many rows were read."""

    def __init__(self, many: int) -> None:
        self.many, self.read = many, 0

    def __iter__(self) -> Iterator[list[object]]:
        yield ["name", "number"]
        for number in range(self.many):
            self.read += 1
            yield ["José, el Chico", number]


def test_csv_rows_are_read_while_the_response_is_sent() -> None:
    rows, request = Rows(1500), download_request()
    response = csv_response(request, "table.csv", rows)
    pieces = iter(response)
    assert rows.read == FIRST_ROWS - 1, "the heading is a row of the first piece"
    assert next(pieces).startswith(b'\xef\xbb\xbfname,number\r\n"Jos\xc3\xa9, el Chico",0\r\n')
    next(pieces)
    assert rows.read == FIRST_ROWS - 1 + NEXT_ROWS
    assert b"".join(pieces).count(b"\r\n") == 1501 - FIRST_ROWS - NEXT_ROWS
    assert rows.read == 1500
    assert response["Content-Disposition"] == 'attachment; filename="table.csv"'
    assert request.META[STREAMED]


@pytest.mark.parametrize("many", [0, 1, FIRST_ROWS + 2 * NEXT_ROWS])
def test_csv_file_begins_with_a_single_byte_order_mark(many: int) -> None:
    body = csv_response(download_request(), "table.csv", Rows(many)).getvalue()
    assert body.startswith(b"\xef\xbb\xbfname,number\r\n")
    assert body.count(b"\xef\xbb\xbf") == 1


def test_head_request_for_a_csv_file_reads_no_rows() -> None:
    rows = Rows(3)
    response = csv_response(download_request("HEAD"), "table.csv", rows)
    assert (response.getvalue(), rows.read) == (b"", 0)


def test_error_in_the_first_csv_rows_is_raised_before_the_response_starts() -> None:
    def broken() -> Iterator[list[object]]:
        yield ["name"]
        raise ValueError("unread")

    with pytest.raises(ValueError, match="unread"):
        csv_response(download_request(), "table.csv", broken())


@pytest.mark.parametrize("many", [0, 1, FIRST_ROWS, FIRST_ROWS + 1, FIRST_ROWS + 2 * NEXT_ROWS + 1])
def test_batches_contain_all_items_in_order(many: int) -> None:
    parts = list(batches(range(many)))
    assert [item for part in parts for item in part] == list(range(many))
    assert max(map(len, parts)) <= NEXT_ROWS


@pytest.mark.django_db
def test_anonymous_downloads_are_limited_to_a_number_a_minute(settings: Settings) -> None:
    settings.DOWNLOADS_A_MINUTE = 2
    assert [refuse_download(download_request()) for _ in range(2)] == [None, None]
    refused = refuse_download(download_request())
    assert refused is not None
    assert refused.status_code == 429
    assert "Wait a minute" in refused.text
    assert 0 < int(refused["Retry-After"]) <= 60
    user = User.objects.create_user("ana")
    assert [refuse_download(download_request(user=user)) for _ in range(3)] == [None] * 3


@pytest.mark.django_db
@pytest.mark.parametrize("first", ["downloads", "uploads"])
def test_downloads_and_uploads_of_a_visitor_have_separate_limits(
    settings: Settings, first: str
) -> None:
    """A visitor who has reached one limit can still use the other."""
    settings.DOWNLOADS_A_MINUTE = settings.FILES_A_MINUTE = 1

    def downloads() -> list[int]:
        return [200 if refuse_download(download_request()) is None else 429 for _ in range(2)]

    def uploads() -> list[int]:
        return [Client().post("/actas/", {"text": "{}"}).status_code for _ in range(2)]

    steps = [downloads, uploads] if first == "downloads" else [uploads, downloads]
    assert [step() for step in steps] == [[200, 429]] * 2
