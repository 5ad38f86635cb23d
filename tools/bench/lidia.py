"""Benchmark of the lidia engine, compared with a loop that only shuffles and draws cards."""

from collections.abc import Iterator, Sequence
from itertools import islice

from corridas.engine import DECK_SIZE, CorridaRecord, CorridaSetup, Rules, play_corrida
from corridas.world.roster import DATA, load
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import in_turns, least, ratio, spent

CORRIDAS = 50  # a repetition
ROUNDS = 40
PLAZA_RATING = 2


def measure(_: ScratchSite) -> Iterator[Figure]:
    """Measure the engine on one core, with the bundled deck and the first three bundled cards."""
    setup, seeds = shipped_setup(), [Seed(bytes([n]) * 32) for n in range(CORRIDAS)]
    counts = [cards(play_corrida(setup, seed)) for seed in seeds]
    pairs = in_turns(
        ROUNDS,
        lambda: spent(lambda: [play_corrida(setup, seed) for seed in seeds]),
        lambda: spent(lambda: [bare(*one) for one in zip(seeds, counts, strict=True)]),
    )
    lidias = sum(map(len, counts))
    a_second, bare_loop = (lidias / seconds for seconds in least(pairs))
    drawn = sum(map(sum, counts)) / lidias
    note = f"{a_second:,.0f} lidias a second of {drawn:.1f} cards; bare loop {bare_loop:,.0f}"
    yield Figure("lidia", ratio(pairs), bar=3.0, unit="x", note=note)
    yield Figure("lidias_a_second", a_second, unit="/s")


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
