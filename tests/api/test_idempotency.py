"""The header `Idempotency-Key`: repeated requests, stored responses and their lifetime."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError
from django.urls import get_resolver
from django.utils import timezone
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from accounts.models import User
from api import idempotency
from api.idempotency import MAX_STORED_LENGTH, delete_old_responses, run_once
from api.models import DoneOnce, Token
from api.problems import Problem
from api.tasks import forget
from api.views import ResourceView
from tests.security.endpoints import walk

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 3, 5, 20, tzinfo=dt.UTC)


class Act:
    """A callable that counts its calls and returns the given response."""

    def __init__(
        self, data: Any = None, status: int = 201, headers: dict[str, str] | None = None
    ) -> None:
        self.data, self.status, self.headers, self.times = data, status, headers, 0

    def __call__(self) -> Response:
        self.times += 1
        data = {"times": self.times} if self.data is None else self.data
        return Response(data, status=self.status, headers=self.headers)


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


def request_with_key(
    user: User, key: str | None = "k", *, method: str = "POST", at: str = "/x/", body: Any = None
) -> Request:
    headers = {} if key is None else {"idempotency-key": key}
    made = APIRequestFactory().generic(
        method, at, json.dumps(body), content_type="application/json", headers=headers
    )
    request = Request(made, parsers=[JSONParser()])
    request.user = user
    return request


def refusal(request: Request, act: Act) -> Problem:
    with pytest.raises(Problem) as refused:
        run_once(request, act, at=NOW)
    return refused.value


SAME: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"body": {"a": 1, "b": [2]}}, {"body": {"a": 1, "b": [2]}}),
    ({"at": "/x/?a=1"}, {"at": "/x/?a=1"}),
]
ANOTHER: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"method": "PUT"}),
    ({"method": "DELETE"}, {"method": "PATCH"}),
    ({"at": "/x/1/"}, {"at": "/x/2/"}),
    ({"at": "/x/?a=1"}, {"at": "/x/?a=2"}),
    ({"at": "/x/"}, {"at": "/x/?a=1"}),
    ({"body": {"a": 1}}, {"body": {"a": 2}}),
    ({"body": {"a": 1}}, {"body": {"a": "1"}}),
    ({"body": {"a": 1}}, {"body": {"b": 1}}),
    ({"body": [1, 2]}, {"body": [2, 1]}),
    ({"body": {}}, {"body": None}),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_repeated_request_gets_the_stored_response(
    ana: User, first: dict[str, Any], second: dict[str, Any]
) -> None:
    act = Act(headers={"ETag": '"t"', "Location": "/there/", "X-Other": "x"})
    done = run_once(request_with_key(ana, **first), act, at=NOW)
    again = run_once(request_with_key(ana, **second), act, at=NOW)
    assert act.times == 1
    assert (again.status_code, again.data) == (done.status_code, done.data) == (201, {"times": 1})
    assert not done.has_header("Idempotency-Replayed")
    assert dict(again.headers.items()) == {
        "ETag": '"t"', "Location": "/there/", "Idempotency-Replayed": "true",
    } | {name: again.headers[name] for name in again.headers if name == "Content-Type"}  # fmt: skip


@pytest.mark.parametrize(("first", "second"), ANOTHER)
def test_different_request_with_the_same_idempotency_key_is_rejected(
    ana: User, first: dict[str, Any], second: dict[str, Any]
) -> None:
    act = Act()
    run_once(request_with_key(ana, **first), act, at=NOW)
    problem = refusal(request_with_key(ana, **second), act)
    assert (problem.status_code, problem.field) == (422, "Idempotency-Key")
    assert act.times == 1
    assert run_once(request_with_key(ana, **first), act, at=NOW).data == {"times": 1}


def test_idempotency_keys_of_users_are_independent(ana: User) -> None:
    act, eva = Act(), User.objects.create_user("eva")
    assert run_once(request_with_key(ana), act, at=NOW).data == {"times": 1}
    assert run_once(request_with_key(eva), act, at=NOW).data == {"times": 2}
    assert run_once(request_with_key(ana, "K"), act, at=NOW).data == {"times": 3}
    assert run_once(request_with_key(ana), act, at=NOW).data == {"times": 1}
    assert run_once(request_with_key(eva), act, at=NOW).data == {"times": 2}


@pytest.mark.parametrize(
    ("key", "fits"),
    [
        ("k", True),
        ("!~", True),
        ("k" * 64, True),
        ("k" * 65, False),
        ("", False),
        ("a b", False),
        ("a\x7f", False),
        ("ñ", False),
    ],
)
def test_idempotency_key_has_1_to_64_printable_ascii_characters(
    ana: User, key: str, fits: bool
) -> None:
    act = Act()
    if fits:
        run_once(request_with_key(ana, key), act, at=NOW)
        assert DoneOnce.objects.get().key == key
        return
    problem = refusal(request_with_key(ana, key), act)
    assert (problem.status_code, problem.field, act.times) == (400, "Idempotency-Key", 0)


def test_request_without_idempotency_key_stores_no_response(ana: User) -> None:
    act = Act()
    assert [
        run_once(request_with_key(ana, None), act, at=NOW).data["times"] for _time in range(2)
    ] == [1, 2]
    assert not DoneOnce.objects.exists()


@pytest.mark.parametrize("key", ["k", None])
def test_failed_request_rolls_back_its_rows_and_its_idempotency_key(
    ana: User, key: str | None
) -> None:
    def failing() -> Response:
        User.objects.create_user("made")
        raise Problem(409, "Not now.")

    with pytest.raises(Problem, match="Not now"):
        run_once(request_with_key(ana, key), failing, at=NOW)
    assert not User.objects.filter(username="made").exists()
    assert not DoneOnce.objects.exists()
    assert run_once(request_with_key(ana, key), Act(), at=NOW).data == {"times": 1}


def test_integrity_error_of_a_view_is_not_mistaken_for_a_repeated_key(ana: User) -> None:
    def clashing() -> Response:
        User.objects.create_user("ana")
        raise AssertionError("there are two now")

    with pytest.raises(IntegrityError):
        run_once(request_with_key(ana), clashing, at=NOW)
    assert not DoneOnce.objects.exists()


@pytest.mark.parametrize("status", [200, 201, 202])
def test_stored_response_contains_no_secret(ana: User, status: int) -> None:
    act = Act({"name": "m", "key": "temporada_x", "other": "y"}, status)
    told = [
        run_once(request_with_key(ana), act, at=NOW, without=("key", "more")).data
        for _time in range(2)
    ]
    assert told[0] == {"name": "m", "key": "temporada_x", "other": "y"}
    assert told[1] == {"name": "m", "key": None, "other": "y", "more": None}
    assert "temporada_x" not in json.dumps(DoneOnce.objects.get().answer)


def test_stored_response_keeps_status_and_serialised_data(ana: User) -> None:
    act = Act({"at": NOW, "of": (1, 2)}, 202)
    run_once(request_with_key(ana), act, at=NOW)
    again = run_once(request_with_key(ana), act, at=NOW)
    assert (again.status_code, again.data) == (202, {"at": "2026-03-05T20:00:00Z", "of": [1, 2]})


def test_response_over_128_kib_is_not_stored(ana: User) -> None:
    assert MAX_STORED_LENGTH == 128 * 1024
    for key, more in (("fits", 0), ("over", 1)):
        act = Act("x" * (MAX_STORED_LENGTH - 2 + more), headers={"Location": "/there/"})
        assert run_once(request_with_key(ana, key), act, at=NOW).status_code == 201
        if not more:
            assert run_once(request_with_key(ana, key), act, at=NOW).data == act.data
            continue
        problem = refusal(request_with_key(ana, key), act)
        assert (problem.status_code, act.times) == (409, 1)
        assert problem.headers == {"Location": "/there/", "Idempotency-Replayed": "true"}
        assert refusal(request_with_key(ana, key, at="/y/"), act).status_code == 422


@pytest.mark.parametrize(("seconds", "kept"), [(-1, True), (0, True), (1, False)])
def test_idempotency_key_is_valid_for_a_day(ana: User, seconds: int, kept: bool) -> None:
    act = Act()
    run_once(request_with_key(ana), act, at=NOW)
    later = NOW + dt.timedelta(days=1, seconds=seconds)
    assert delete_old_responses(at=later) == (not kept)
    assert (
        run_once(request_with_key(ana, body=None if kept else 7), act, at=later).data["times"]
        == 2 - kept
    )


def test_cleanup_task_deletes_old_responses(ana: User) -> None:
    now = timezone.now()
    run_once(request_with_key(ana, "old"), Act(), at=now - dt.timedelta(hours=25))
    run_once(request_with_key(ana, "new"), Act(), at=now - dt.timedelta(hours=23))
    forget()
    assert [row.key for row in DoneOnce.objects.all()] == ["new"]


def test_idempotency_and_api_keys_are_deleted_with_their_user(ana: User) -> None:
    run_once(request_with_key(ana), Act(), at=NOW)
    Token.objects.create(user=ana, name="m", prefix="x", digest=b"x", created_at=NOW)
    ana.delete()
    assert not DoneOnce.objects.exists()
    assert not Token.objects.exists()


def test_stored_request_is_only_a_digest(ana: User) -> None:
    run_once(request_with_key(ana, body={"secret": "word"}), Act(), at=NOW)
    row = DoneOnce.objects.get()
    assert len(bytes(row.asked)) == 32
    assert (row.at, row.status, row.user) == (NOW, 201, ana)
    assert idempotency.NOT_STORED == 0


def test_every_changing_api_method_supports_idempotency_keys() -> None:
    without = [
        f"{method} {route}"
        for _name, route, pattern in walk(get_resolver())
        if issubclass(view := getattr(pattern.callback, "cls", object), ResourceView)
        for method, handler in handlers(pattern.callback, view).items()
        if not hasattr(handler, "body")
    ]
    assert without == []


def handlers(callback: Any, view: type) -> dict[str, Any]:
    """Return the methods of a view that change data, by HTTP method."""
    changing = ("post", "put", "patch", "delete")
    actions = getattr(callback, "actions", None) or dict(zip(changing, changing, strict=True))
    return {
        method: getattr(view, name)
        for method, name in actions.items()
        if method in changing and hasattr(view, name)
    }
