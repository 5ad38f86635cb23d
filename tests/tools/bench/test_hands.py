"""The benchmark that compares our dominoes engine with other packages, and works without them."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from random import Random  # noqa: TID251  the generator that is measured with (Ruling F-3)

import pytest

from fairness import Seed
from tools.bench import hands, rivals
from tools.bench.figures import Figure
from tools.bench.hands import play
from tools.bench.rivals import against
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent

SEEDS = [Seed(bytes([number]) * 32) for number in range(5)]


def test_limits_of_the_comparison_are_these(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "against", lambda name, *_, bar, **__: Figure(name, bar))
    found = {figure.name: figure.value for figure in hands.measure(ScratchSite(Path()))}
    assert found == {"hands": 3.0, "hands_open_spiel": 20.0}


@pytest.mark.slow
def test_benchmark_player_finishes_its_hands() -> None:
    assert play(SEEDS, Random(1).random).wall > 0


def test_package_that_cannot_be_installed_fails_its_figure_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path for its environment is inside a file, so it cannot be created."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(rivals, "HOME", tmp_path / "file" / "environment")
    figure = against("hands", Spent, 1, bar=3.0, package="dominoes", games=1)
    assert math.isnan(figure.value)
    assert not figure.ok
    assert figure.note.startswith("dominoes cannot be installed here: ")


def test_process_that_runs_another_package_cannot_import_ours(tmp_path: Path) -> None:
    """No package of this name exists for this Python version, and our own app must not be found
    instead.
    """
    command = [sys.executable, "-I", "-S", str(rivals.PLAYER), "dominoes"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "No module named 'dominoes'" in ended.stderr


def test_both_packages_play_the_same_game() -> None:
    assert (hands.PLAYERS, hands.RULES.highest, hands.RULES.hand_size) == (4, 6, 7)
