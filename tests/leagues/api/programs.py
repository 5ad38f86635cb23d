"""Programs that use the API: a user's key, and the requests made with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from api.models import Token

ROOT = "/api/v1/"


@dataclass(frozen=True)
class Program:
    """A program with an API key. Without a key it is anonymous."""

    key: str = ""

    def ask(self, method: str, at: str, body: object = None, **headers: str) -> Any:
        """Send a request and return the response; `at` is the path below `/api/v1/`."""
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        data = "" if body is None else json.dumps(body)
        return Client().generic(method, ROOT + at, data, "application/json", headers=headers)

    def get(self, at: str, **headers: str) -> Any:
        """Return the JSON of a GET request, which must succeed."""
        answer = self.ask("GET", at, **headers)
        assert answer.status_code == 200, (at, answer.status_code, answer.content)
        return answer.json()

    def post(self, at: str, body: object = None, **headers: str) -> Any:
        """Return the JSON of a POST request, which must succeed."""
        answer = self.ask("POST", at, body, **headers)
        assert answer.status_code in {200, 201}, (at, answer.status_code, answer.content)
        return answer.json()

    def refused(self, method: str, at: str, body: object = None, **headers: str) -> Any:
        """Return the problem document of a request, which must fail."""
        answer = self.ask(method, at, body, **headers)
        assert answer.status_code >= 400, (at, answer.content)
        assert answer["Content-Type"] == "application/problem+json"
        return answer.json()


STRANGER = Program()


def program(name: str, **fields: object) -> Program:
    """Create a user of this name with a key for reading and writing."""
    user = User.objects.create(username=name, **fields)
    _row, text = make_token(user=user, name="test", scope=Token.Scope.WRITE, at=timezone.now())
    return Program(text)
