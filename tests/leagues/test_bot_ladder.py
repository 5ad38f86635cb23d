"""`manage.py bot_ladder`: a ladder of any game that has one."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("bot_ladder", *arguments, "--budget", "1", "--processes", "1", stdout=out)
    return out.getvalue()


@pytest.mark.slow
def test_prints_a_table_a_profile() -> None:
    """Every bot has a rating, its interval and a share against each other one."""
    text = run("dominoes", "--deals", "2", "--profile", "rulebook", "--profile", "partners")
    assert "rulebook, 2 deals, 1 ms a move" in text
    assert "partners, 2 deals, 1 ms a move" in text
    for bot in ("random", "greedy", "keeper", "maestro"):
        assert text.count(f"\n| {bot} |") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "No game 'chess' with a ladder"),
        (("dominoes", "--profile", "poker"), "There is no profile 'poker'; there are rulebook"),
        (("dominoes", "--deals", "0"), "--deals is 1 or more"),
    ],
)
def test_says_what_is_wrong(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)
