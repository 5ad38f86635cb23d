"""Rare corridas, rendered at every moment: suspended, with spared bulls, or with three avisos."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.broadcast import source
from corridas.engine import (
    CorridaRecord,
    CorridaSetup,
    Deck,
    Ending,
    MatadorCard,
    Range,
    Rules,
    play_corrida,
)
from corridas.stage.scene import Scene
from corridas.stage.showing import Showing, ShownMatador, Toro
from corridas.world.broadcast import Timeline
from fairness import Seed

FULL = {
    "bronca": "1-10",
    "pitos": "11-20",
    "silencio": "21-30",
    "division": "31-40",
    "aplausos": "41-50",
    "ovacion": "51-60",
    "oreja": "61-80",
    "dos_orejas": "81-95",
    "rabo": "96-100",
    "vuelta": "50-100",
    "aviso": "-",
    "indulto": "-",
}
WILD = "\n".join(f"{place % 10} | BULL | CLAVAR | BULL | HERIDA | MEDIA -5" for place in range(70))
BRAVE = "\n".join(
    f"{place % 10} | BULL | CLAVAR+ | BULL | EMBISTE+ | ESTOCADA 0" for place in range(70)
)


def card(name: str, rating: int, **ranges: str) -> MatadorCard:
    """Return a matador card with these ranges in place of the usual ones."""
    parsed: dict[str, Any] = {key: Range.parse(text) for key, text in (FULL | ranges).items()}
    return MatadorCard(name=name, rating=rating, alternativa=None, **parsed)


def showing(deck: str, seed: int, rules: Rules | None = None, **ranges: str) -> Showing:
    """Return a corrida of three matadors with equal ranges, played from a seed."""
    setup = CorridaSetup(
        rules=rules or Rules(),
        deck=Deck.parse(deck),
        plaza_rating=2,
        matadors=tuple(card(name, 90 - place, **ranges) for place, name in enumerate("ABC")),
    )
    record = play_corrida(setup, Seed(bytes([seed]) * 32))
    return Showing(
        circuit="leyendas",
        corrida=7,
        plaza="Vieja",
        date=dt.date(2026, 4, 5),
        category=2,
        matadors=tuple(
            ShownMatador(pk=n, slug=each.name.lower(), name=each.name, short=each.name, card=each)
            for n, each in enumerate(setup.order)
        ),
        bulls=tuple(
            Toro(pk=n, name=f"Toro {n}", number=n, coat="negro", weight=500) for n in range(6)
        ),
        deck=setup.deck,
        rules=setup.rules,
        record=record,
        timeline=_timeline(record),
    )


def _timeline(record: CorridaRecord) -> Timeline:
    cards = tuple(len(lidia.draws) for lidia in record.lidias)
    return Timeline(cards_per_lidia=cards, pace_ms=1000, interval_ms=1000, paseillo_ms=1000)


def drawn(shown: Showing) -> list[str]:
    """Return every sixth moment and the last three, rendered in English.

    Every third of them is also rendered in Spanish, which must not fail.
    """
    count = len(shown.timeline)
    moments = [*range(0, count - 3, 6), *range(count - 3, count)]
    assert all(source.draw(shown, moment, "es") for moment in moments[::3])
    return [source.draw(shown, moment, "en") for moment in moments]


def last(shown: Showing) -> Scene:
    """Return the last moment of the corrida."""
    return Scene(showing=shown, moment=len(shown.timeline) - 1, language="en")


def test_a_suspended_corrida_ends_when_no_matador_is_left() -> None:
    shown = next(s for s in (showing(WILD, seed) for seed in range(99)) if s.record.suspended)
    *before, end = drawn(shown)
    assert "Suspended" in end
    assert not any("uspended" in moment for moment in before)
    assert last(shown).address.turn == shown.timeline.lidias + 1
    assert sum(tally.hurt for tally in last(shown).ahead) == 3
    states = [turn.state for turn in last(shown).turns]
    assert states == ["over"] * shown.timeline.lidias + ["to_come"] * (6 - shown.timeline.lidias)
    told = Scene(showing=shown, moment=len(shown.timeline) - 2, language="en").whole_story
    assert "broken off" in told[0].plain


@pytest.mark.slow
def test_a_matador_who_replaces_an_injured_one_is_named_from_the_next_card() -> None:
    shown = next(
        s for s in (showing(WILD, seed) for seed in range(99)) if s.lidia(1).result.injured
    )
    scenes = [
        Scene(showing=shown, moment=moment, language="en")
        for moment in range(1, shown.timeline.cards_per_lidia[0] + 2)
    ]
    names = [scene.matador.name for scene in scenes]
    assert names == sorted(names)
    assert names[0] == "A"
    if shown.lidia(1).result.finisher is not None:
        assert names[-1] != "A"
        assert any("comes out to finish" in scene.whole_story[0].plain for scene in scenes)


@pytest.mark.slow
def test_a_spared_bull_has_no_kill() -> None:
    shown = showing(BRAVE, 3, indulto="1-100")
    assert all(lidia.result.ending is Ending.SPARED for lidia in shown.record.lidias)
    moments = drawn(shown)
    assert "indulto" in moments[-1].lower()
    assert last(shown).sheet.modifiers == []
    assert sum(tally.indultos for tally in last(shown).ahead) == 6


@pytest.mark.slow
def test_three_avisos_end_a_lidia_without_a_score() -> None:
    shown = showing(BRAVE, 3, aviso="1-100")
    assert all(lidia.result.ending is Ending.THREE_AVISOS for lidia in shown.record.lidias)
    moments = drawn(shown)
    end = last(shown)
    assert end.paper.avisos == (True, True, True)
    assert (end.paper.score, end.paper.number) == ("", "")
    assert "3</b>" in moments[-1]


@pytest.mark.parametrize("shuffle", ["each_bull", "when_exhausted"])
@pytest.mark.parametrize("bull_points", ["separate", "against", "for"])
@pytest.mark.parametrize("deck", [WILD, BRAVE])
def test_a_corrida_can_be_rendered_under_every_set_of_rules(
    shuffle: str, bull_points: str, deck: str
) -> None:
    options = {"shuffle": shuffle, "bull_reading": "next_card", "bull_points": bull_points}
    shown = showing(deck, 5, Rules.from_options(options), indulto="90-100", aviso="1-40")
    for moment in range(0, len(shown.timeline), 29):
        assert source.draw(shown, moment, "en")
    turned = Scene(showing=shown, moment=3, language="en").faces
    assert len(turned) in {1, 2, 3}
