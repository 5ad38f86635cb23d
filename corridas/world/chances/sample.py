"""Samples the score counts of a deck and a rule set, and loads those of the bundled deck.

The seed of a sample is made from the deck and the rules, so the same deck always gives the same
counts. `data/scores.json` contains those of the bundled deck with the default rules. Write it again
after a change of the deck or of the engine: `python -m corridas.world.chances.sample`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from corridas.engine import Deck, Rules
from corridas.world.chances.scores import SAMPLE, ScoreCounts, sample_scores
from corridas.world.chances.storage import decode, encode
from corridas.world.roster import DATA, load_deck
from fairness import Seed

FILE: Final = DATA / "scores.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class BundledScores:
    """The counts of the bundled deck, given by its digest, and the text of the default rules."""

    deck: str
    rules: str
    counts: ScoreCounts


def digest_of(deck: Deck) -> str:
    return sha256(str(deck).encode()).hexdigest()


def rules_text(rules: Rules) -> str:
    """Return the options that differ from the defaults, as JSON text with sorted keys.

    Rule sets with the same text give the same counts.
    """
    defaults = Rules().options()
    own = {name: value for name, value in rules.options().items() if defaults[name] != value}
    return json.dumps(own, sort_keys=True)


def rules_from(text: str) -> Rules:
    """Return the rule set of a text written by `rules_text`."""
    return Rules.from_options(json.loads(text))


def sample(deck: Deck, rules: Rules, fights: int = SAMPLE) -> ScoreCounts:
    """Sample the counts with a seed made from the deck and the rules. Takes about eight seconds."""
    seed = Seed(sha256(f"{deck}\n{rules_text(rules)}".encode()).digest())
    return sample_scores(deck, rules, fights, seed)


@lru_cache(maxsize=1)
def bundled_scores() -> BundledScores:
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    deck, rules = stored.pop("deck"), stored.pop("rules")
    return BundledScores(deck=deck, rules=rules, counts=decode(stored))


def write_bundled_scores() -> None:
    """Sample the counts of the bundled deck and write the data file."""
    deck, rules = load_deck(), Rules()
    own = {"deck": digest_of(deck), "rules": rules_text(rules)}
    text = json.dumps({**own, **encode(sample(deck, rules))}, separators=(",", ":"))
    FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_bundled_scores()
