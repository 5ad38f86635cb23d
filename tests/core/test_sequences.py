"""Checks for PostgreSQL sequences behind their tables, and for keys that JavaScript cannot
represent.
"""

from __future__ import annotations

from io import StringIO

from django.core.checks import CheckMessage
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from config.checks import check_keys
from tests.databases import opened


def warnings(code: str) -> list[CheckMessage]:
    return [message for message in check_keys(databases=["default"]) if message.id == code]


def advance() -> str:
    out = StringIO()
    call_command("advance_sequences", stdout=out)
    return out.getvalue()


def test_sequence_behind_its_table_is_reported_and_advanced(shared: str) -> None:
    with opened(shared):
        assert advance() == "No sequence is behind its table.\n"
        assert warnings("site.W002") == []
        ana = User.objects.create(pk=50, username="ana")
        # SQLite always assigns a key above the highest, so it has no such warning.
        if connection.vendor == "postgresql":
            (warning,) = warnings("site.W002")
            assert warning.msg.startswith("The sequence of accounts_user is at 0")
            assert "keys up to 50" in warning.msg
            assert advance() == "accounts_user: from 0 to 50\n"
        assert warnings("site.W002") == []
        ana.delete()
        # Deleting the row does not lower the sequence.
        assert advance() == "No sequence is behind its table.\n"
        assert User.objects.create(username="beto").pk == 51


def test_keys_above_the_javascript_limit_are_reported(shared: str) -> None:
    with opened(shared):
        User.objects.create(pk=2**53, username="ana")
        assert warnings("site.W003") == []
        User.objects.create(pk=2**53 + 1, username="beto")
        (warning,) = warnings("site.W003")
        assert warning.msg == "Keys in accounts_user are greater than 2^53 (9,007,199,254,740,992)."


def test_check_of_keys_does_nothing_without_a_database() -> None:
    assert check_keys(databases=None) == []
