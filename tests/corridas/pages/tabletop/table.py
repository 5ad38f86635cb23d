"""A corrida at a real table for tests: its players, the fights, and the forms that enter them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.test import Client

from corridas.engine import CorridaRecord, CorridaSetup, LidiaRecord, fill, play_corrida
from corridas.tabletop.sheets import judge
from fairness import Seed
from leagues.models import Match
from tests.factories import World

SEED = Seed(bytes(range(32)))


def begin(client: Client, world: World, **more: str) -> Match:
    """Start a corrida of Ana and Berta with three matadors of the circuit."""
    fields = {
        "circuit": "leyendas",
        "plaza": str(world.plazas[1].pk),
        "date": "2027-05-01",
        "own": "Ana",
        "name-1": "Berta",
        "lead-0": "0",
        "lead-1": "1",
        "lead-2": "0",
        "herd": str(world.herd.pk),
    }
    fields |= {f"matador-{place}": str(one.pk) for place, one in enumerate(world.matadors[:3])}
    answer = client.post("/tienta/nueva/", fields | more)
    assert answer.status_code == 302, answer.content.decode()
    found = re.fullmatch(r"/tienta/(\d+)/", answer["Location"])
    assert found is not None
    return Match.objects.get(pk=int(found[1]))


@dataclass
class Afternoon:
    """The corrida that was really played at the table, computed by the engine."""

    match: Match
    record: CorridaRecord

    @classmethod
    def played(cls, match: Match, world: World, seed: Seed = SEED) -> Afternoon:
        """Return the corrida of the draft's cartel, played with a deck shuffled by the seed."""
        setup = judge(world.circuit.engine_rules(), world.deck.engine_deck(), match.draft).setup
        assert isinstance(setup, CorridaSetup)
        return cls(match, play_corrida(setup, seed))

    def lidia(self, turn: int) -> LidiaRecord:
        """Return the lidia of a turn; turns count from 0."""
        return self.record.lidias[turn]


def press(client: Client, match: Match, do: str, **fields: Any) -> Any:
    """Press a button of the form, with the present version of the match."""
    version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
    sent = {
        "version": version,
        "do": do,
        **{name.replace("_", "-"): v for name, v in fields.items()},
    }
    return client.post(f"/tienta/{match.pk}/", sent)


def lay(client: Client, match: Match, turn: int, draws: bytes) -> None:
    """Enter the cards of a lidia: the last card by its button, the others directly in the draft.

    Pressing the button for every card would be slow, because each request reads the whole
    sheet.
    """
    *before, last = draws
    draft = Match.objects.get(pk=match.pk).draft
    assert draft is not None
    draft["lidias"][turn]["cards"] = before
    Match.objects.filter(pk=match.pk).update(draft=draft)
    answer = press(client, match, f"card:{last}", bull=turn + 1, way="cards")
    assert answer.status_code == 302


def figures(lidia: LidiaRecord) -> dict[str, str]:
    """Return the form data of a scoresheet with the figures of this lidia."""
    sheet = fill(lidia.events, lidia.result.starter)
    found = {"way": "sheet", "form": "sheet", "bull": str(lidia.turn + 1)}
    for tercio, column in enumerate(sheet.tercios):
        found[f"p-{tercio}-0"] = " ".join(f"{each:+}" for each in column.matador) or "0"
        found[f"p-{tercio}-1"] = " ".join(f"B{each}" for each in column.bull) or "0"
    found |= {f"k-{stroke}": str(each) for stroke, each in enumerate(sheet.modifiers)}
    if sheet.modifiers:
        found["avisos"] = str(sheet.avisos)
    if sheet.indulto:
        found["indulto"] = str(sheet.indulto.number)
    if sheet.verdict:
        found["number"] = str(sheet.verdict.drawn)
    return found | {f"hurt-{place}": "on" for place in lidia.result.injured}
