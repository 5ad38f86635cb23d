"""What is told beside the figures: lengths, destinations and cards, as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from eltoro.calibration.lineups import FOUR_GREEDY, FOUR_RANDOM, WEIGHED, Lineup
from eltoro.calibration.tally import Tally
from eltoro.engine import DECK, DESTINATIONS

GAMES: Final = (
    "| bots | games | decisions a game | runners trampled | bulls | winner | last |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
)
PLACES: Final = (
    "| destination | points | runners a day, random | greedy | players a day, random | greedy |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)
CARDS: Final = (
    "| card | of 52 | played a game, random | greedy | gained a use | taken from others |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)


def report(tallies: Mapping[Lineup, Tally]) -> str:
    """Three tables: games by line-up, destinations and cards with four players."""
    random, greedy, weighed = (tallies[key] for key in (FOUR_RANDOM, FOUR_GREEDY, WEIGHED))
    tables = (
        [*GAMES, *(_row(_games(lineup, tally)) for lineup, tally in tallies.items())],
        [*PLACES, *map(_row, _places(random, greedy))],
        [*CARDS, *map(_row, _cards(random, greedy, weighed))],
    )
    return "\n\n".join("\n".join(table) for table in tables) + "\n"


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _games(lineup: Lineup, tally: Tally) -> Sequence[object]:
    """One line-up: what its games came to, totals being means."""
    return (
        f"{lineup}, cards weighed" if lineup.weighs else lineup,
        tally.games,
        f"{tally.moves / tally.games:.1f}",
        f"{100 * tally.trampled / tally.began:.1f} %",
        f"{tally.bulls / tally.days:.2f}",
        f"{tally.highest / tally.games:.1f}",
        f"{tally.lowest / tally.games:.1f}",
    )


def _places(random: Tally, greedy: Tally) -> Iterable[Sequence[object]]:
    """Each destination, for one card of it that lies on the map."""
    for kind in DESTINATIONS:
        counted = [
            f"{part[kind.key] / max(1, tally.laid[kind.key]):.2f}"
            for part, tally in (
                (random.arrived, random),
                (greedy.arrived, greedy),
                (random.reached, random),
                (greedy.reached, greedy),
            )
        ]
        yield kind.key, kind.points, *counted


def _cards(random: Tally, greedy: Tally, weighed: Tally) -> Iterable[Sequence[object]]:
    for card in DECK:
        uses = max(1, weighed.weighed[card.key])
        yield (
            card.key,
            card.count,
            *(f"{tally.played[card.key] / tally.games:.2f}" for tally in (random, greedy)),
            f"{weighed.gained[card.key] / uses:+.2f}",
            f"{weighed.taken[card.key] / uses:+.2f}",
        )
