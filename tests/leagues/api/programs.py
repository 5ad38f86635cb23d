"""People who come by program: an account with a key, and what it asks."""

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
    """A program with a key; without one, a stranger."""

    key: str = ""

    def ask(self, method: str, at: str, body: object = None, **headers: str) -> Any:
        """The answer to a request; `at` is below the interface's address."""
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        data = "" if body is None else json.dumps(body)
        return Client().generic(method, ROOT + at, data, "application/json", headers=headers)

    def get(self, at: str, **headers: str) -> Any:
        """What is told there."""
        answer = self.ask("GET", at, **headers)
        assert answer.status_code == 200, (at, answer.status_code, answer.content)
        return answer.json()

    def post(self, at: str, body: object = None, **headers: str) -> Any:
        """What an act that is done answers."""
        answer = self.ask("POST", at, body, **headers)
        assert answer.status_code in {200, 201}, (at, answer.status_code, answer.content)
        return answer.json()

    def refused(self, method: str, at: str, body: object = None, **headers: str) -> Any:
        """The problem document of a refusal."""
        answer = self.ask(method, at, body, **headers)
        assert answer.status_code >= 400, (at, answer.content)
        assert answer["Content-Type"] == "application/problem+json"
        return answer.json()


STRANGER = Program()


def program(name: str, **fields: object) -> Program:
    """An account of that name, and a key of it that may act."""
    user = User.objects.create(username=name, **fields)
    _row, text = make_token(user=user, name="test", scope=Token.Scope.WRITE, at=timezone.now())
    return Program(text)
