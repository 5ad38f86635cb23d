"""Features that all parts of the API share.

These are API keys, problem documents, pagination, conditional requests and idempotency.
"""

import datetime as dt
import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from api.idempotency import delete_old_responses
from api.keys.operations import make_token
from api.models import DoneOnce, Token
from api.parsing import parse_json

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.acts")]

NAMES = "/api/v1/names/"


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", "ana@example.org", "a-long-word-7")


@pytest.fixture
def bearer(ana: User) -> dict[str, str]:
    _row, text = make_token(user=ana, name="m", scope=Token.Scope.WRITE, at=timezone.now())
    return {"authorization": f"Bearer {text}"}


def post(client: Client, at: str, data: object, **headers: str) -> Any:
    body = data if isinstance(data, bytes) else json.dumps(data)
    return client.post(at, body, content_type="application/json", headers=headers)


def test_read_only_api_key_can_read_but_not_write(client: Client, ana: User) -> None:
    row, text = make_token(user=ana, name="m", scope=Token.Scope.READ, at=timezone.now())
    header = {"authorization": f"Bearer {text}"}
    assert client.get("/api/v1/me/", headers=header).json()["scope"] == "read"
    refused = post(client, NAMES, {"name": "a"}, **header)
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    row.refresh_from_db()
    assert row.used_on == timezone.now().date()


def test_expired_or_unknown_api_key_is_answered_with_401(client: Client, ana: User) -> None:
    before = timezone.now() - dt.timedelta(days=31)
    _row, text = make_token(user=ana, name="m", scope="read", at=before, days=30)
    for key in (text, "temporada_nonsense", ""):
        refused = client.get("/api/v1/me/", headers={"authorization": f"Bearer {key}"})
        assert refused.status_code == 401
        assert refused["WWW-Authenticate"].startswith("Bearer")


def test_api_key_of_an_inactive_user_is_rejected(
    client: Client, ana: User, bearer: dict[str, str]
) -> None:
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert client.get("/api/v1/me/", headers=bearer).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"\xff", 400),
        (b'{"name": "a", "name": "b"}', 400),
        (b'{"name": NaN}', 400),
        (b'{"name": "\\u0000"}', 422),
        (b'{"name": "\\\\\\u0000"}', 422),
        (b'{"name": "\\ud800"}', 422),
        (b"[" * 40, 400),
        (b'{"name": ' + b"9" * 5000 + b"}", 400),
        (b'{"name": {"a": 1}}', 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"' + b"a" * 300_000 + b'"', 413),
    ],
)
def test_malformed_request_body_is_answered_with_a_problem_document(
    client: Client, bearer: dict[str, str], body: bytes, status: int
) -> None:
    refused = post(client, NAMES, body, **bearer)
    told = refused.json()
    assert (refused.status_code, told["status"]) == (status, status)
    assert told["detail"]
    assert Token.objects.count() == 1


@pytest.mark.parametrize("name", ["\\u0000", "a\\\\u0000", "\\ud800"])
def test_text_that_resembles_a_json_escape_is_accepted(name: str) -> None:
    assert parse_json(json.dumps({"name": name}).encode()) == {"name": name}


def test_brackets_within_a_json_string_do_not_count_as_nesting(
    client: Client, bearer: dict[str, str]
) -> None:
    refused = post(client, NAMES, {"name": '\\"' + "[" * 60}, **bearer)
    assert refused.json()["errors"][0]["pointer"] == "/name"  # its length is the only error


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("cursor=x", 404),
        ("cursor=cD1hJnI9MQ==%00", 422),
        (f"cursor={'x' * 2000}", 400),
        ("limit=0", 400),
        ("limit=²", 400),
        ("limit=1&limit=2", 400),
        ("nothing=1", 422),
        ("page[size]=1", 422),
        ("class.module.classLoader[1]=1", 200),  # parameters with a dot are ignored
    ],
)
def test_invalid_pagination_parameters_are_rejected(
    client: Client, question: str, status: int
) -> None:
    assert client.get(f"{NAMES}?{question}").status_code == status


def test_cursor_pagination_returns_each_row_once(client: Client, ana: User) -> None:
    for name in "cabed":
        make_token(user=ana, name=name, scope="read", at=timezone.now())
    told, at = [], f"{NAMES}?limit=2"
    while at:
        page = client.get(at).json()
        told += [row["name"] for row in page["results"]]
        at = page["next"]
    assert told == list("abcde")


def test_request_with_current_etag_is_answered_with_304(client: Client, ana: User) -> None:
    first = client.get(NAMES)
    again = client.get(NAMES, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    make_token(user=ana, name="m", scope="read", at=timezone.now())
    assert client.get(NAMES, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_change_requires_if_match_with_the_current_etag(
    client: Client, bearer: dict[str, str]
) -> None:
    pk = Token.objects.get().pk
    tag = client.get(f"{NAMES}{pk}/")["ETag"]

    def put(name: str, **headers: str) -> int:
        answer = client.put(
            f"{NAMES}{pk}/", {"name": name}, "application/json", headers=bearer | headers
        )
        return answer.status_code

    assert put("b") == 428
    assert put("b", **{"if-match": tag}) == 200
    assert put("c", **{"if-match": tag}) == 412
    assert Token.objects.get().name == "b"


def test_repeated_request_with_one_idempotency_key_is_executed_once(
    client: Client, bearer: dict[str, str]
) -> None:
    key = bearer | {"idempotency-key": "k"}
    first, again = (post(client, NAMES, {"name": "a"}, **key) for _time in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert again["Location"] == "/api/v1/a/"
    assert Token.objects.filter(name="a").count() == 1
    assert post(client, NAMES, {"name": "b"}, **key).status_code == 422


def test_response_of_a_failed_request_is_not_stored_for_its_idempotency_key(
    client: Client, bearer: dict[str, str]
) -> None:
    key = bearer | {"idempotency-key": "k"}
    assert post(client, NAMES, {"name": "x" * 30}, **key).status_code == 400
    broke = post(client, NAMES, {"name": "break"}, **key)
    assert broke.status_code == 500
    assert "secret" not in broke.content.decode()
    assert not Token.objects.filter(name="break").exists()
    assert post(client, NAMES, {"name": "a"}, **key).status_code == 201


def test_stored_responses_are_deleted_after_a_day(client: Client, bearer: dict[str, str]) -> None:
    post(client, NAMES, {"name": "a"}, **bearer | {"idempotency-key": "k"})
    assert delete_old_responses(at=timezone.now() + dt.timedelta(hours=23)) == 0
    assert delete_old_responses(at=timezone.now() + dt.timedelta(hours=25)) == 1
    assert not DoneOnce.objects.exists()


def test_api_request_of_a_browser_session_requires_a_csrf_token(ana: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    assert post(client, NAMES, {"name": "a"}).status_code == 403


def test_too_many_write_requests_are_answered_with_429_and_retry_after(
    client: Client, ana: User, bearer: dict[str, str], settings: Settings
) -> None:
    settings.API_WRITES_A_MINUTE = 1
    assert post(client, NAMES, {"name": "a"}, **bearer).status_code == 201
    refused = post(client, NAMES, {"name": "b"}, **bearer)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert client.get(NAMES).status_code == 200


def test_requests_with_unknown_api_keys_are_throttled_as_anonymous(
    client: Client, bearer: dict[str, str], settings: Settings
) -> None:
    settings.API_READS_A_MINUTE = 2
    tried = [
        client.get(NAMES, headers={"authorization": f"Bearer temporada_{key}"}) for key in range(3)
    ]
    assert [one.status_code for one in tried] == [401, 401, 429]
    assert 0 < int(tried[2]["Retry-After"]) <= 60
    assert client.get(NAMES, headers=bearer).status_code == 200


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_unknown_api_path_is_answered_with_a_404_problem_document(
    client: Client, method: str
) -> None:
    told = getattr(client, method)("/api/v1/nowhere/")
    assert (told.status_code, told["Content-Type"]) == (404, "application/problem+json")


def test_unsupported_method_is_rejected(client: Client) -> None:
    assert client.delete(NAMES).status_code in {401, 405}


@pytest.mark.slow
def test_schema_is_openapi_3_1_and_lists_every_error_status(client: Client) -> None:
    schema = client.get("/api/v1/schema/", headers={"accept": "application/json"}).json()
    assert schema["openapi"].startswith("3.1")
    listed = schema["paths"]["/api/v1/names/"]
    assert {"200", "304", "400", "429"} <= set(listed["get"]["responses"])
    assert {"409", "412", "422"} <= set(listed["post"]["responses"])
    headers = {one["name"] for one in listed["post"]["parameters"]}
    assert {"Idempotency-Key", "If-Match"} <= headers


def test_if_match_on_a_view_without_conditions_is_rejected_and_changes_nothing(
    client: Client, bearer: dict[str, str]
) -> None:
    before = Token.objects.count()
    for tag in ('"stale"', 'W/"x"', "nonsense"):
        held = bearer | {"if-match": tag, "idempotency-key": "k"}
        told = post(client, NAMES, {"name": "a"}, **held)
        assert (told.status_code, told["Content-Type"]) == (412, "application/problem+json")
        assert "If-Match" in told.json()["detail"]
    assert (Token.objects.count(), DoneOnce.objects.count()) == (before, 0)
    assert post(client, NAMES, {"name": "a"}, **bearer, **{"if-match": "*"}).status_code == 201


def test_locked_database_is_answered_with_503_and_retry_after(
    client: Client, bearer: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_arguments: object, **_named: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(DoneOnce.objects, "create", locked)
    told = post(client, NAMES, {"name": "a"}, **bearer, **{"idempotency-key": "k"})
    assert (told.status_code, told["Content-Type"]) == (503, "application/problem+json")
    assert told["Retry-After"] == "5"
    assert not Token.objects.filter(name="a").exists()


def test_too_long_response_is_not_stored_but_its_request_not_repeated(
    client: Client, bearer: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.idempotency.MAX_STORED_LENGTH", 5)
    held = bearer | {"idempotency-key": "k"}
    assert post(client, NAMES, {"name": "a"}, **held).status_code == 201
    again = post(client, NAMES, {"name": "a"}, **held)
    assert (again.status_code, again["Content-Type"]) == (409, "application/problem+json")
    assert (again["Location"], again["Idempotency-Replayed"]) == ("/api/v1/a/", "true")
    assert "too long" in again.json()["detail"]
    assert Token.objects.filter(name="a").count() == 1
    assert DoneOnce.objects.get().answer is None
