"""How often each score occurs with a deck and a rule set, before a matador's card is applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

from corridas.engine import (
    BULLS,
    Deck,
    LidiaResult,
    Rules,
    corridas_without_matador,
    final_score,
)
from fairness import Seed

# Number of fights for figures on pages.
SAMPLE = 250_000


@dataclass(frozen=True, slots=True)
class Histogram:
    """Number of fights with each score: `counts[0]` for the score `lowest`, then one by one."""

    lowest: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, fights: Mapping[int, int]) -> Histogram:
        """Create a histogram from the number of fights by score."""
        if not fights:
            return cls(0, ())
        lowest = min(fights)
        return cls(lowest, tuple(fights.get(at, 0) for at in range(lowest, max(fights) + 1)))

    @property
    def total(self) -> int:
        """Number of fights."""
        return sum(self.counts)

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield each score and its number of fights, in ascending order."""
        return enumerate(self.counts, self.lowest)


@dataclass(frozen=True, slots=True)
class ScoreCounts:
    """Scores of fights without a matador, by deck and rule set.

    `killed` has the final score of every fight before division, if its bull is killed without an
    aviso (time warning). `spared` has the final score without the kill, of the fights whose bull
    has points above 0: only these can be spared (Ruling I-9). The bull's points are included
    according to Ruling I-11. The fights of a deck that is used up are those of all six turns.
    """

    killed: Histogram
    spared: Histogram

    def __post_init__(self) -> None:
        if not 0 < self.killed.total >= self.spared.total:
            raise ValueError("There are no fights, or more bulls can be spared than fought.")

    @property
    def sparable(self) -> float:
        """Share of fights whose bull can be spared."""
        return self.spared.total / self.killed.total

    @classmethod
    def count(cls, results: Iterable[LidiaResult], rules: Rules) -> ScoreCounts:
        """Count the scores of fights without a matador.

        Raises `ValueError` if there are no fights.
        """
        reading = rules.bull_points
        killed: dict[int, int] = {}
        spared: dict[int, int] = {}
        for result in results:
            points, bull = result.matador_points, result.bull_points
            score = final_score(points, bull, result.kill_points, reading)
            killed[score] = killed.get(score, 0) + 1
            if bull > 0:
                score = final_score(points, bull, 0, reading)
                spared[score] = spared.get(score, 0) + 1
        return cls(Histogram.of(killed), Histogram.of(spared))


def sample_scores(deck: Deck, rules: Rules, fights: int, seed: Seed) -> ScoreCounts:
    """Play at least this many fights and count their scores.

    Only whole corridas are played, because the turns of a corrida differ if the deck is used up
    (Ruling I-3). The same arguments always give the same counts. 250,000 fights take about eight
    seconds. Raises `ValueError` if `fights` is below 1.
    """
    corridas = islice(corridas_without_matador(rules, deck, seed), -(-fights // BULLS))
    return ScoreCounts.count((lidia.result for lidia in chain.from_iterable(corridas)), rules)
