"""The referee accepts every sheet of a played lidia, even if figures are left out.

Decks and rules vary, so that matadors are injured in every tercio, bulls score in the second, and
the deck is reshuffled within a lidia. The numbers of sheets come from `tests/volume.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from corridas.engine import CorridaSetup, Deck, LidiaRecord, Rules, fill, play_corrida
from corridas.tabletop.sheets import judge
from fairness import Chance, Seed
from tests.corridas.oracle.afternoons import some_deck
from tests.corridas.oracle.paper import RULE_VALUES, CardText
from tests.corridas.oracle.test_shipped_cards import shipped_deck
from tests.corridas.oracle.translation import engine_deck
from tests.corridas.tabletop.sheets.afternoon import PRINTED, figures, heading
from tests.corridas.test_fuzzed_forms import goring
from tests.volume import Tally, volumes

Record = Callable[[str, object], None]
PACK = shipped_deck()


def second_with(chance: Chance, readings: list[str], clavars: int) -> list[CardText]:
    """Return the shipped deck with `many` CLAVARs and these texts in the rest of the second
    tercio.
    """
    ending = set(chance.shuffled(list(range(len(PACK))))[:clavars])
    return [
        {**card, "second": "CLAVAR" if place in ending else chance.pick(readings)}
        for place, card in enumerate(PACK)
    ]


DECKS: dict[str, Callable[[Chance], list[CardText]]] = {
    "shipped": lambda _chance: PACK,
    "of any make": some_deck,
    "goring": lambda chance: goring(PACK, chance),
    "bulls in the second tercio": lambda chance: second_with(chance, ["BULL", "CITE"], 6),
    "long second tercio": lambda chance: second_with(chance, ["PAR+", "BULL", "PAR-", "CITE"], 2),
    "goring in a long one": lambda chance: goring(second_with(chance, ["BULL", "CITE"], 3), chance),
}
SHARES = dict.fromkeys(DECKS, (0.05, 0.01)) | {"shipped": (0.25, 0.05)}


def played(deck: Deck, chance: Chance) -> tuple[CorridaSetup, list[LidiaRecord]]:
    rules = Rules.from_options({name: chance.pick(values) for name, values in RULE_VALUES.items()})
    cards = tuple(chance.shuffled(list(PRINTED))[:3])
    setup = CorridaSetup(rules=rules, deck=deck, plaza_rating=1 + chance.below(3), matadors=cards)
    seed = Seed(bytes(chance.below(256) for _ in range(32)))
    return setup, list(play_corrida(setup, seed).lidias)


def random_sheet(lidia: LidiaRecord, chance: Chance) -> dict[str, Any]:
    """Return the sheet of a lidia with entries or sums, with or without marks, some figures
    left out.
    """
    sheet = figures(lidia)
    for pair in sheet["tercios"]:
        for side, entries in enumerate(pair):
            both = {"entries": entries, "sum": sum(entries)}
            pair[side] = chance.pick([entries, entries, sum(entries), both])
    if chance.below(2):
        filled = fill(lidia.events, lidia.result.starter)
        sheet["marks"] = [tercio.marks for tercio in filled.tercios]
    for name in ("began", "finished"):
        if not chance.below(3):
            del sheet[name]
    return sheet


def kind_of(lidia: LidiaRecord) -> str:
    matadors = len(lidia.result.injured) + (lidia.result.finisher is not None)
    bull = any(fill(lidia.events, lidia.result.starter).tercios[1].bull)
    shuffled = len(lidia.draws) > len(PACK)
    return ", ".join(
        [
            f"{matadors} matadors" if matadors > 1 else "1 matador",
            "broken off" if lidia.result.finisher is None else "finished",
            *["bull scored in the second"] * bull,
            *["shuffled"] * shuffled,
        ]
    )


@volumes(SHARES)
def test_referee_accepts_sheets_of_played_lidias(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"played/{form}/{part}")
    tally = Tally(f"indulto, {form}", record_property, wanted)
    while tally.more:
        deck = engine_deck(DECKS[form](chance))
        setup, lidias = played(deck, chance)
        sheets = [{"sheet": random_sheet(lidia, chance)} for lidia in lidias]
        reading = judge(setup.rules, deck, {**heading(setup), "lidias": sheets})
        assert len(reading.lidias) == len(lidias)
        for lidia, sheet, found in zip(lidias, sheets, reading.lidias, strict=True):
            refusing = [(line.path, line.sentence) for line in found.lines if line.refuses]
            shown: Callable[[], object] = partial(
                dict, rules=setup.rules.options(), refusing=refusing, **sheet
            )
            tally.add(kind_of(lidia), shown, right=found.result == lidia.result)
    tally.check(at_least=wanted)
