"""Cursor pagination with equal values, null values and malformed cursors."""

import json
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from django.db import connection
from django.db.models import Max
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from api.models import Token
from api.pagination import MAX_CURSOR_LENGTH, Cursor, KeysetPagination, format_cursor, parse_cursor
from tests.api.acts import Names

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.acts")]
NAMES = "/api/v1/names/"


def cursor(*told: Any) -> str:
    return urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")


def make_tokens(names: str | list[str], **more: Any) -> None:
    user = User.objects.get_or_create(username="ana")[0]
    now = timezone.now()
    before = Token.objects.aggregate(last=Max("pk"))["last"] or 0
    Token.objects.bulk_create(
        Token(user=user, name=name, prefix="", digest=b"%d" % (before + at), created_at=now, **more)
        for at, name in enumerate(names)
    )


def walk(client: Client, at: str | None, way: str = "next") -> list[list[str]]:
    """Return the names on each page. Fails if the pages do not end."""
    pages: list[list[str]] = []
    for _page in range(50):
        if at is None:
            return pages
        told = client.get(at).json()
        pages.append([row["name"] for row in told["results"]])
        at = told[way]
    raise AssertionError("It goes round in circles.")


def last_page(client: Client) -> str:
    told = client.get(f"{NAMES}?limit=2").json()
    while told["next"]:
        at = told["next"]
        told = client.get(at).json()
    return str(at)


def test_pagination_passes_1250_rows_of_the_same_name(client: Client) -> None:
    make_tokens(["a"] * 1250 + ["b"])
    told = [name for page in walk(client, f"{NAMES}?limit=200") for name in page]
    assert told == ["a"] * 1250 + ["b"]


def test_previous_links_return_the_same_pages_in_reverse(client: Client) -> None:
    make_tokens("aabbbcd")
    there = walk(client, f"{NAMES}?limit=2")
    assert there == [["a", "a"], ["b", "b"], ["b", "c"], ["d"]]
    assert walk(client, last_page(client), "previous") == [
        ["d"],
        ["b", "c"],
        ["b", "b"],
        ["a", "a"],
    ]


def test_rows_added_or_deleted_meanwhile_do_not_shift_pages(client: Client) -> None:
    make_tokens("bbbb")
    first = client.get(f"{NAMES}?limit=2").json()
    make_tokens("ab")
    Token.objects.order_by("pk")[0].delete()
    assert walk(client, first["next"]) == [["b", "b"], ["b"]]


@pytest.mark.parametrize("ordering", [("used_on", "pk"), ("-used_on", "-pk")])
def test_pagination_includes_rows_with_null_values(
    client: Client, ordering: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Names, "ordering", ordering)
    make_tokens("ab", used_on=timezone.now().date())
    make_tokens("cde")
    there = walk(client, f"{NAMES}?limit=2")
    falling = ordering[0].startswith("-")
    assert [len(page) for page in there] == [2, 2, 1]
    assert [n for page in there for n in page] == list("edcba" if falling else "abcde")
    back = walk(client, last_page(client), "previous")
    assert back == there[::-1]


def test_page_beyond_the_last_row_links_to_the_previous_page(client: Client) -> None:
    make_tokens("ab")
    told = client.get(f"{NAMES}?limit=1&cursor={cursor(False, 'z', '9')}").json()
    assert (told["results"], told["next"]) == ([], None)
    assert walk(client, told["previous"], "previous") == [["b"], ["a"]]


def test_cursor_holds_sixty_characters_of_four_bytes(client: Client) -> None:
    make_tokens(["𝔞" * 60, "𝔟" * 60])
    assert [len(page) for page in walk(client, f"{NAMES}?limit=1")] == [1, 1]


@pytest.mark.parametrize(
    ("limit", "rows"),
    [
        (None, 50),
        ("1", 1),
        ("001", 1),
        ("49", 49),
        ("200", 200),
        ("201", None),
        ("0", None),
        ("-1", None),
        ("+1", None),
        ("1.0", None),
        ("00001", None),
        ("", None),
        ("x", None),
        ("٣", None),
    ],
)
def test_page_limit_is_from_1_to_200_rows(
    client: Client, limit: str | None, rows: int | None
) -> None:
    make_tokens(["a"] * 201)
    told = client.get(NAMES, {} if limit is None else {"limit": limit})
    if rows is None:
        assert (told.status_code, told.json()["errors"][0]["pointer"]) == (400, "/limit")
        return
    assert len(told.json()["results"]) == rows
    assert told.json()["next"] is not None


@pytest.mark.parametrize(
    ("many", "pages"), [(0, [0]), (1, [1]), (2, [2]), (3, [2, 1]), (4, [2, 2]), (5, [2, 2, 1])]
)
def test_full_last_page_has_no_next_link(client: Client, many: int, pages: list[int]) -> None:
    make_tokens("a" * many)
    assert [len(page) for page in walk(client, f"{NAMES}?limit=2")] == pages
    assert client.get(f"{NAMES}?limit=2").json()["previous"] is None


def test_previous_link_leads_to_the_page_before(client: Client) -> None:
    make_tokens("abcde")
    first = client.get(f"{NAMES}?limit=2").json()
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    assert third["next"] is None
    back = client.get(third["previous"]).json()
    assert [row["name"] for row in back["results"]] == ["c", "d"]
    again = client.get(back["next"]).json()
    assert [row["name"] for row in again["results"]] == ["e"]
    front = client.get(back["previous"]).json()
    assert [row["name"] for row in front["results"]] == ["a", "b"]
    assert front["previous"] is None
    assert client.get(front["next"]).json()["results"] == second["results"]


def test_pagination_links_contain_the_other_query_parameters(client: Client) -> None:
    make_tokens("abc")
    told = client.get(f"{NAMES}?limit=2&x.y=1").json()
    assert "x.y=1" in told["next"]
    assert "limit=2" in told["next"]


@pytest.mark.parametrize(
    "known", [Cursor(), Cursor((), True), Cursor(("a", None, "ñ𝔞")), Cursor(("1",), True)]
)
def test_cursor_is_parsed_as_it_was_written(known: Cursor) -> None:
    assert parse_cursor(format_cursor(known)) == known
    assert "=" not in format_cursor(known)


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (cursor(False, "a", "1"), 200),
        (cursor(True, "a", "1"), 200),
        (cursor(True), 200),
        (cursor(False), 200),
        (cursor(), 404),
        (cursor(0, "a", "1"), 404),
        (cursor("false", "a", "1"), 404),
        (cursor(None, "a", "1"), 404),
        (cursor(False, "a"), 404),
        (cursor(False, "a", "1", "2"), 404),
        (cursor(False, "a", "x"), 404),
        (cursor(False, "a", 1), 404),
        (cursor(False, "a", True), 404),
        (cursor(False, ["a"], "1"), 404),
        (cursor(False, "a\x00", "1"), 404),
        ("A" * MAX_CURSOR_LENGTH, 404),
        ("A" * (MAX_CURSOR_LENGTH + 1), 400),
    ],
)
def test_invalid_cursor_is_rejected(client: Client, told: str, status: int) -> None:
    make_tokens("ab")
    page = client.get(f"{NAMES}?cursor={told}")
    assert page.status_code == status
    if status != 200:
        assert page.json()["errors"][0]["pointer"] == "/cursor"


@pytest.mark.parametrize(
    "told",
    [
        "cD0lMDA=",
        "0",
        "é",
        cursor(),
        cursor(False),
        cursor(1, "a", "1"),
        cursor(False, "a"),
        cursor(False, "a", "1", "2"),
        cursor(False, "a", "x"),
        cursor(False, "a", "9" * 40),
        cursor(False, "a", "9" * 800),
        cursor(False, "a", None),
        cursor(False, None, "1"),
        cursor(False, "a", 1),
        cursor(False, ["a"], "1"),
        cursor(False, "a\x00", "1"),
        cursor(False, "\ud800", "1"),
        cursor({}),
        urlsafe_b64encode(b"[" * 800).decode(),
        urlsafe_b64encode(b"\xff").decode(),
    ],
)
def test_manipulated_cursor_causes_no_server_error(client: Client, told: str) -> None:
    make_tokens("ab")
    assert client.get(f"{NAMES}?cursor={told}").status_code in {200, 400, 404}


def test_page_of_results_takes_a_single_query(client: Client) -> None:
    make_tokens("abc")
    at = client.get(f"{NAMES}?limit=1").json()["next"]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get(at)
    assert sum("api_token" in one["sql"] for one in asked) == 1
    assert KeysetPagination.page_size == 50
