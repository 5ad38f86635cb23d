"""Old names of commands work until 0.3.0: they name the new command, and do the same."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands

from config.management import commands
from leagues.models import Pool
from tests.factories import account, league, small_circuit

pytestmark = pytest.mark.django_db

# Old command, and the new command that does the same.
SAME = [
    (["verify_corridas", "--year=2026"], ["verify", "corridas", "--year=2026"]),
    (["verify_winters", "--circuit=x"], ["verify", "winters", "--circuit=x"]),
    (["revalidate", "--since=2026-03-01"], ["verify", "site", "--since=2026-03-01"]),
    (["rebuild_escalafon", "--check"], ["rebuild", "escalafon", "--check"]),
    (["rebuild_escalafon", "--circuit=x"], ["rebuild", "escalafon", "--circuit=x"]),
    (["rebuild_ratings", "--check"], ["rebuild", "ratings", "--check"]),
    (["rebuild_ratings", "--league=old"], ["rebuild", "ratings", "--league=old"]),
    (["rebuild_search"], ["rebuild", "search"]),
    (["play_season", "--circuit=x", "--instant"], ["play", "--circuit=x", "--instant"]),
    (["play_seasons", "--circuit=x"], ["play", "--circuit=x", "--count=1"]),
    (["play_seasons", "--circuit=x", "--to=2030"], ["play", "--circuit=x", "--to=2030"]),
    (["bot_ladder", "chess"], ["bots", "chess"]),
    (["bot_ladder", "dominoes", "--deals=0"], ["bots", "dominoes", "--deals=0"]),
]


def run(*command: str) -> tuple[str, str, list[str]]:
    """Return what a command prints, its error, and the lines it prints to standard error."""
    out, err, error = io.StringIO(), io.StringIO(), ""
    try:
        call_command(*command, stdout=out, stderr=err)
    except CommandError as raised:
        error = str(raised)
    return out.getvalue(), error, err.getvalue().splitlines()


@pytest.mark.parametrize(("old", "new"), SAME, ids=[" ".join(old) for old, _new in SAME])
def test_old_name_names_the_new_command_and_does_the_same(old: list[str], new: list[str]) -> None:
    small_circuit()
    at = league("eltoro", account("ana"), rules={})
    Pool.objects.get_or_create(game="eltoro", league=at)
    old, new = ([word.replace("=old", f"={at.slug}") for word in words] for words in (old, new))
    out, error, (line,) = run(*old)
    assert out or error
    assert (out, error, []) == run(*new)
    named = " ".join(word for word in new[:2] if not word.startswith("-") and word not in old)
    assert line.startswith(f"{old[0]} is now called {named}")
    assert line.endswith("The old name works until 0.3.0.")


def test_every_old_name_is_tested() -> None:
    folder = Path(commands.__path__[0])
    old = {file.stem for file in folder.glob("*.py") if "OldName" in file.read_text()}
    assert old == {"verify_season", *(command[0] for command, _new in SAME)}
    assert old <= set(get_commands())


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["verify", "corridas", "--circuit=x"], "--circuit is an option of `verify winters`"),
        (["verify", "a.json", "--year=2026"], "--year is an option of `verify corridas`"),
        (
            ["rebuild", "everything"],
            "'everything' is not one of escalafon, houses, chances, ratings, search",
        ),
        (["rebuild", "--league=x"], "--league is an option of `rebuild ratings`"),
        (["rebuild", "search", "--circuit=x"], "--circuit is an option of `rebuild escalafon`"),
        (["play", "--count=1", "--year=2026"], "are options of a single season"),
    ],
)
def test_options_of_another_kind_are_rejected(command: list[str], sentence: str) -> None:
    assert sentence in run(*command)[1]


def test_rebuild_without_a_name_rebuilds_everything() -> None:
    assert run("rebuild") == ("0 entries.\n", "", [])
    assert run("rebuild", "--check") == ("search index: agrees\n", "", [])
