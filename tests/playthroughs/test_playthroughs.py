"""Every golden file of a corrida follows from its head."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corridas.engine import CHOICES, Ending, play_corrida, replay_corrida
from fairness import Seed
from tests.corridas.engine.notation import read_draws
from tests.playthroughs.playthrough import CORRIDAS, derive, read_head, setup_of

FILES = sorted(CORRIDAS.glob("*.txt"))
LINE = re.compile(r"^  (I .*)$", re.MULTILINE)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_golden_corrida_follows_from_its_head(path: Path) -> None:
    assert derive(text_of(path)) == text_of(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_golden_corrida_can_be_replayed_from_its_cards(path: Path) -> None:
    head = read_head(text_of(path))
    setup = setup_of(head)
    lot = next(line for line in text_of(path).splitlines() if line.startswith("sorteo:"))
    sorteo = [int(bull) - 1 for bull in lot.split()[1:]]
    draws = [read_draws(line) for line in LINE.findall(text_of(path))]
    again = replay_corrida(setup, sorteo, draws)
    assert again == play_corrida(setup, Seed(bytes.fromhex(head["seed"])))


def test_golden_corridas_cover_every_rule_set() -> None:
    written = {read_head(text_of(path))["rules"] for path in FILES}
    assert written == {
        f"shuffle={shuffle} bull_reading={reading} bull_points={points}"
        for shuffle in CHOICES["shuffle"]
        for reading in CHOICES["bull_reading"]
        for points in CHOICES["bull_points"]
    }


@pytest.mark.parametrize(
    "seen",
    [
        *(ending.value.replace("_", " ") for ending in Ending),
        "hurt:", "suspended in lidia", "· vuelta", "· OREJA", "· DOS OREJAS", "· RABO",
        "BRONCA", "PITOS", "SILENCIO", "DIVISION", "APLAUSOS", "OVACION",
    ],
)  # fmt: skip
def test_golden_corridas_contain_every_kind_of_event(seen: str) -> None:
    assert any(seen in text_of(path) for path in FILES)
