"""Every golden file of a match of Matador follows from its head (Rulings D-1 to D-9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dominoes.engine import CHOICES, PROFILES, SWITCHES, Match, replay_hand
from tests.playthroughs.match_script import (
    MATCHES,
    derive_match,
    moves_written,
    read_match_head,
    setup_told,
)

FILES = sorted(MATCHES.glob("*.txt"))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_golden_match_follows_from_its_head(path: Path) -> None:
    assert derive_match(text_of(path)) == text_of(path)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_golden_match_can_be_replayed_from_its_moves(path: Path) -> None:
    text = text_of(path)
    setup = setup_told(read_match_head(text))
    match = Match(setup.rules, setup.players)
    for number, moves in enumerate(moves_written(text), start=1):
        chance = setup.seed.chance(f"hand/{number}")
        hand = replay_hand(setup.rules, setup.players, chance, match.leaders, moves)
        assert hand.outcome is not None
        match.add(hand.outcome)
    totals = [line for line in text.splitlines() if line.startswith("  totals")]
    assert totals[-1].split()[1:] == [str(total) for total in match.totals]
    assert ("match won" in text) == (match.winner is not None)


def test_golden_matches_cover_every_profile_and_option() -> None:
    rules = [setup_told(read_match_head(text_of(path))).rules for path in FILES]
    assert set(PROFILES.values()) <= set(rules)
    for name, values in CHOICES.items():
        assert {getattr(one, name) for one in rules} == set(values)
    for name in SWITCHES:
        assert {getattr(one, name) for one in rules} == {True, False}
    assert {2, 6, 9, 12, 18} <= {one.highest for one in rules}


@pytest.mark.parametrize(
    "seen",
    [" draw ", " pass ", " out ", "blocked", "· tie ·", "match won", "0+0", ">0|0", "stubs: ",
     "(*)", "(0)", "lead among 0 1 2", "lead among 1\n", "of 1 "],
)  # fmt: skip
def test_golden_matches_contain_every_kind_of_move_and_ending(seen: str) -> None:
    assert any(seen in text_of(path) for path in FILES)
