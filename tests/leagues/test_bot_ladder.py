"""`manage.py bots` lets the bots of a game play each other and prints their ratings."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("bots", *arguments, "--budget", "1", "--processes", "1", stdout=out)
    return out.getvalue()


@pytest.mark.nightly
@pytest.mark.slow
def test_bot_ladder_prints_a_table_for_each_profile() -> None:
    """Each row has a bot's rating, its interval and its share of points against every other bot."""
    text = run("dominoes", "--deals", "2", "--profile", "rulebook", "--profile", "partners")
    assert "rulebook, 2 deals, 1 ms a move" in text
    assert "partners, 2 deals, 1 ms a move" in text
    for bot in ("random", "greedy", "keeper", "maestro"):
        assert text.count(f"\n| {bot} |") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "No bots for the game 'chess'"),
        (
            ("dominoes", "--profile", "poker"),
            "There is no profile 'poker'. Choose one of: rulebook",
        ),
        (("dominoes", "--deals", "0"), "--deals must be 1 or more"),
    ],
)
def test_bot_ladder_rejects_invalid_arguments(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)
