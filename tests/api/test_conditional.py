"""ETags and the headers `If-None-Match` and `If-Match` in all their forms."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from api.conditional import check_if_match, check_if_match_used, etag, matches_if_none_match
from api.problems import Problem

DATA = {"name": "a", "at": dt.datetime(2026, 3, 5, tzinfo=dt.UTC)}
TAG = etag(DATA)
OTHER = etag({"name": "b"})


def request_with(**headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(APIRequestFactory().get("/", headers=named))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], (1, 2), True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": None}, {}, False),
        ({"a": "é"}, {"a": "e"}, False),
    ],
)
def test_etag_is_a_digest_of_the_data(one: Any, other: Any, same: bool) -> None:
    assert (etag(one) == etag(other)) == same
    assert etag(one)[0] == etag(one)[-1] == '"'
    assert len(etag(one)) == 34


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("", False),
        (TAG, True),
        (f"W/{TAG}", True),
        (f"{OTHER}, {TAG}", True),
        (f"{OTHER}, W/{TAG}", True),
        (OTHER, False),
        (f"W/{OTHER}", False),
        ("*", True),
        (TAG.strip('"'), False),
    ],
)
def test_if_none_match_accepts_strong_weak_and_listed_etags(told: str, known: bool) -> None:
    assert matches_if_none_match(request_with(if_none_match=told), TAG) == known
    assert not matches_if_none_match(request_with(if_match=told), TAG)


def status(told: str | None, *, required: bool) -> int | None:
    """Return the status of a failed `If-Match` check, or None if the condition holds."""
    try:
        check_if_match(
            request_with() if told is None else request_with(if_match=told), DATA, required=required
        )
    except Problem as problem:
        return problem.status_code
    return None


@pytest.mark.parametrize(
    ("told", "free", "required"),
    [
        (None, None, 428),
        ("", None, 428),
        (TAG, None, None),
        ("*", None, None),
        (f"{OTHER}, {TAG}", None, None),
        (f"{TAG},{OTHER}", None, None),
        (OTHER, 412, 412),
        (f"W/{TAG}", 412, 412),  # a weak tag never matches strongly
        (TAG.strip('"'), 412, 412),
        (TAG.upper(), 412, 412),
        ("nonsense", 412, 412),
        ('""', 412, 412),
    ],
)
def test_if_match_requires_a_strong_etag(
    told: str | None, free: int | None, required: int | None
) -> None:
    assert (status(told, required=False), status(told, required=True)) == (free, required)


@pytest.mark.parametrize(
    ("told", "looked", "refused"),
    [
        (None, False, False),
        ("", False, False),
        ("*", False, False),
        (TAG, False, True),
        (f"W/{TAG}", False, True),
        ("nonsense", False, True),
        (TAG, True, False),
        ("*", True, False),
        (None, True, False),
    ],
)
def test_if_match_is_rejected_if_the_view_has_not_checked_it(
    told: str | None, looked: bool, refused: bool
) -> None:
    request = request_with() if told is None else request_with(if_match=told)
    if looked:
        check_if_match(request, DATA)
    if not refused:
        check_if_match_used(request)
        return
    with pytest.raises(Problem) as problem:
        check_if_match_used(request)
    assert problem.value.status_code == 412
