"""Hands measured beside other packages: what is compared, and what happens without them."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from random import Random  # noqa: TID251  the generator that is measured with (Ruling F-3)

import pytest

from fairness import Seed
from tools.bench import hands, rivals
from tools.bench.hands import BARS, against, play, play_out

SEEDS = [Seed(bytes([number]) * 32) for number in range(5)]


def test_the_bars_are_those_that_were_set() -> None:
    assert {bar.package: bar.bar for bar in BARS} == {"dominoes": 3.0, "open_spiel": 20.0}


@pytest.mark.slow
def test_hands_are_played_to_their_end_either_way() -> None:
    random = Random(1).random
    assert play(SEEDS, random).wall > 0
    assert play_out(SEEDS, random).wall > 0


def test_a_package_that_cannot_be_had_fails_its_figure_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No environment can be made below a file."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(rivals, "HOME", tmp_path / "file" / "environment")
    figure = against(BARS[0], SEEDS, Random(1).random)
    assert math.isnan(figure.value)
    assert not figure.ok
    assert figure.note.startswith("dominoes cannot be installed here: ")


def test_whoever_plays_for_another_package_imports_nothing_of_ours(tmp_path: Path) -> None:
    """There is no such package for this Python: it is not our own app that is found instead."""
    command = [sys.executable, "-I", "-S", str(rivals.PLAYER), "dominoes"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "No module named 'dominoes'" in ended.stderr


def test_both_are_measured_on_the_same_game() -> None:
    assert (hands.PLAYERS, hands.RULES.highest, hands.RULES.hand_size) == (4, 6, 7)
