"""Benchmark of the lidia engine, compared with a loop that only shuffles and draws cards."""

from collections.abc import Sequence
from itertools import islice
from statistics import median

from corridas.engine import (
    DECK_SIZE,
    CorridaRecord,
    CorridaSetup,
    Rules,
    play_corrida,
)
from corridas.world.roster import DATA, load
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, in_turns, ratio, timed

BAR = 3.0
CORRIDAS = 50  # a repetition
ROUNDS = 40
PLAZA_RATING = 2


def measure(_: ScratchSite) -> list[Figure]:
    """Measure the engine on one core, with the bundled deck and the first three bundled cards."""
    setup, seeds = shipped_setup(), [Seed(bytes([n]) * 32) for n in range(CORRIDAS)]
    counts = [cards(play_corrida(setup, seed)) for seed in seeds]

    def play() -> Spent:
        with timed() as spent:
            for seed in seeds:
                play_corrida(setup, seed)
        return spent

    def draw() -> Spent:
        with timed() as spent:
            for seed, lidias in zip(seeds, counts, strict=True):
                bare(seed, lidias)
        return spent

    pairs = in_turns(ROUNDS, play, draw)
    lidias = sum(map(len, counts))
    a_second = median(lidias / played.cpu for played, _ in pairs)
    bare_loop = median(lidias / drawn.cpu for _, drawn in pairs)
    drawn = sum(map(sum, counts)) / lidias
    note = f"{a_second:,.0f} lidias a second of {drawn:.1f} cards; bare loop {bare_loop:,.0f}"
    return [
        Figure(name="lidia", value=ratio(pairs), bar=BAR, unit="x", note=note),
        Figure(name="lidias_a_second", value=round(a_second), unit="/s"),
    ]


def shipped_setup() -> CorridaSetup:
    roster = load(DATA)
    matadors = tuple(roster.cards[matador.slug] for matador in roster.matadors[:3])
    return CorridaSetup(
        rules=Rules(), deck=roster.deck, plaza_rating=PLAZA_RATING, matadors=matadors
    )


def cards(record: CorridaRecord) -> list[int]:
    return [len(lidia.draws) for lidia in record.lidias]


def bare(seed: Seed, lidias: Sequence[int]) -> list[int]:
    """Shuffle for every lidia and draw as many cards as it had, one by one, without any rules.

    Rules must see a card before they know whether another is drawn, so a slice would not do.
    """
    drawn: list[int] = []
    for turn, count in enumerate(lidias, start=1):
        chance = seed.chance(f"lidia/{turn}")
        pile = chance.shuffled(range(DECK_SIZE))
        while len(pile) < count:
            pile += chance.shuffled(range(DECK_SIZE))
        drawn = []
        for card in islice(pile, count):
            drawn.append(card)
    return drawn
