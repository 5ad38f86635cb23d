"""Properties that hold for every lidia, with any deck, matadors, rules and seed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corridas.engine import (
    AvisoRead,
    CorridaRecord,
    CorridaSetup,
    Ended,
    FinalVerdict,
    LidiaRecord,
    Scored,
    Scoresheet,
    Settled,
    Side,
    Stroke,
    by_card,
    fill,
    first_cards,
    play_corrida,
    replay_corrida,
    turns_card,
    write_lidia,
)
from fairness import Seed
from tests.corridas.engine.notation import read_draws
from tests.corridas.oracle.cases import ALL_RULES, cuadrillas, decks, plaza_ratings, rule_sets
from tests.corridas.oracle.translation import engine_setup
from tests.properties import examples

few = settings(deadline=None, max_examples=examples(12), suppress_health_check=list(HealthCheck))
seeds = st.binary(min_size=32, max_size=32).map(Seed)
setups = st.builds(engine_setup, decks(), cuadrillas(), plaza_ratings, rule_sets)


@dataclass(frozen=True)
class Played:
    """A corrida that was played, with its setup and its seed."""

    setup: CorridaSetup
    seed: Seed
    record: CorridaRecord


def play(setup: CorridaSetup, seed: Seed) -> Played:
    return Played(setup, seed, play_corrida(setup, seed))


corridas = st.builds(play, setups, seeds)


@pytest.mark.slow
@few
@given(corridas)
def test_totals_are_the_sums_of_what_was_scored(played: Played) -> None:
    for lidia in played.record.lidias:
        scored = [event for event in lidia.events if isinstance(event, Scored)]
        for side, total in (
            (Side.MATADOR, lidia.result.matador_points),
            (Side.BULL, lidia.result.bull_points),
        ):
            entries = [event for event in scored if event.by is side]
            assert sum(event.points for event in entries) == total


@pytest.mark.slow
@few
@given(corridas)
def test_each_drawn_card_has_exactly_one_event(played: Played) -> None:
    for lidia in played.record.lidias:
        turned = [event for event in lidia.events if turns_card(event)]
        assert bytes(getattr(event, "card") for event in turned) == lidia.draws  # noqa: B009
        assert [n for n, event in by_card(lidia.events) if turns_card(event)] == list(
            range(len(lidia.draws))
        )


@pytest.mark.slow
@few
@given(corridas)
def test_corrida_can_be_replayed_from_its_record_and_from_its_seed(
    played: Played,
) -> None:
    record = played.record
    again = replay_corrida(played.setup, record.sorteo, [lidia.draws for lidia in record.lidias])
    assert again == record
    assert play_corrida(played.setup, played.seed) == record


@pytest.mark.slow
@few
@given(corridas)
def test_written_lidia_can_be_read_back_into_its_cards(played: Played) -> None:
    for lidia in played.record.lidias:
        assert read_draws(write_lidia(lidia.events)) == lidia.draws


def summary(sheet: Scoresheet) -> dict[str, Any]:
    """Return the figures of a score sheet that its result also contains."""
    verdict = sheet.verdict
    return {
        "injured": tuple(sheet.injured),
        "matador_points": sheet.matador_points,
        "bull_points": sheet.bull_points,
        "kill_points": sum(sheet.modifiers),
        "avisos": sheet.avisos,
        "score": sheet.settled.score if sheet.settled else None,
        "number": verdict.number if verdict else None,
        "ending": sheet.ending,
    }


@pytest.mark.slow
@few
@given(corridas)
def test_complete_score_sheet_has_the_figures_of_the_result(played: Played) -> None:
    for lidia in played.record.lidias:
        sheet = fill(lidia.events, lidia.result.starter)
        figures = summary(sheet)
        assert {name: getattr(lidia.result, name) for name in figures} == figures
        assert lidia.result.finisher in (sheet.matador, None)
        if sheet.verdict:
            assert sheet.verdict[1:] == lidia.result[-4:]
        assert lidia.events[-1] == Ended(lidia.result.ending)


def grows(before: Scoresheet, after: Scoresheet) -> bool:
    """Check that a later score sheet keeps everything written on an earlier one."""
    columns = [
        pair
        for old, new in zip(before.tercios, after.tercios, strict=True)
        for pair in (
            (old.matador, new.matador),
            (old.bull, new.bull),
            (old.clavars, new.clavars),
            (list(range(old.marks)), list(range(new.marks))),
        )
    ]
    columns += [(before.modifiers, after.modifiers), (before.injured, after.injured)]
    once = ("indulto", "settled", "verdict", "ending")
    return (
        all(new[: len(old)] == old for old, new in columns)
        and before.avisos <= after.avisos
        and all(getattr(before, n) in (None, getattr(after, n)) for n in once)
    )


@pytest.mark.slow
@few
@given(corridas)
def test_score_sheet_entries_never_change_when_cards_are_added(played: Played) -> None:
    for lidia in played.record.lidias[:3]:
        starter, cards = lidia.result.starter, len(lidia.draws)
        sheets = [fill(first_cards(lidia.events, k), starter) for k in range(cards + 1)]
        assert all(grows(before, after) for before, after in pairwise(sheets))
        assert [sheet.ending for sheet in sheets[:-1]] == [None] * cards
        assert sheets[-1] == fill(lidia.events, starter)


@pytest.mark.slow
@few
@given(corridas)
def test_events_of_the_first_cards_reveal_no_later_card(played: Played) -> None:
    for lidia in played.record.lidias[:3]:
        line = write_lidia(lidia.events)
        assert first_cards(lidia.events, 0) == ()
        for cards in range(1, len(lidia.draws) + 1):
            seen = first_cards(lidia.events, cards)
            assert seen == lidia.events[: len(seen)]
            assert sum(map(turns_card, seen)) == cards
            assert line.startswith(write_lidia(seen))
        assert first_cards(lidia.events, len(lidia.draws)) == lidia.events


@pytest.mark.slow
@few
@given(corridas, st.data())
def test_two_lidias_look_alike_until_their_cards_differ(
    played: Played, data: st.DataObject
) -> None:
    # Both lidias begin with the same cards, so their events must be equal up to the first card that
    # differs.
    other = play_corrida(played.setup, data.draw(seeds)).lidias[0]
    first = played.record.lidias[0]
    alike = next(
        (n for n, (a, b) in enumerate(zip(first.draws, other.draws, strict=False)) if a != b), 0
    )
    assert first_cards(first.events, alike) == first_cards(other.events, alike)


def laws(lidia: LidiaRecord, setup: CorridaSetup) -> list[bool]:
    """Return whether each count set by the rulings is correct in a lidia that was not broken
    off.
    """
    sheet = fill(lidia.events, lidia.result.starter)
    settled = [event for event in lidia.events if isinstance(event, Settled)]
    verdicts = [event for event in lidia.events if isinstance(event, FinalVerdict)]
    read = [event for event in lidia.events if isinstance(event, AvisoRead)]
    strokes = sum(isinstance(event, Stroke) for event in lidia.events)
    return [
        [tercio.marks for tercio in sheet.tercios][::2] == [10, 10],
        len(sheet.tercios[1].clavars) == 2,
        sheet.tercios[1].clavars[-1] == sheet.tercios[1].marks,
        (sheet.indulto is not None) == (lidia.result.bull_points > 0),
        len(read) == strokes,
        strokes == (0 if lidia.result.ending.value == "spared" else 5) or sheet.avisos == 3,
        all(abs(e.final) // setup.plaza_rating == abs(e.score) for e in settled),
        all(e.score * e.final >= 0 for e in settled),
        all(v.number == min(100, max(1, v.drawn + settled[0].score)) for v in verdicts),
        all((v.crowd is None) == (v.trophy > 0) for v in verdicts),
    ]


@pytest.mark.slow
@few
@given(corridas)
def test_i_4_to_i_13_card_counts_follow_the_rulings(played: Played) -> None:
    for lidia in played.record.lidias:
        if lidia.result.finisher is not None:
            assert all(laws(lidia, played.setup))


@pytest.mark.slow
@few
@given(corridas)
def test_i_16_injured_matadors_never_appear_again(played: Played) -> None:
    out: list[int] = []
    for lidia in played.record.lidias:
        announced = lidia.turn % 3
        able = [man for man in range(3) if man not in out]
        assert lidia.result.starter == (announced if announced in able else able[0])
        assert not set(lidia.result.injured) & set(out)
        out += lidia.result.injured
        assert lidia.result.finisher not in out
    assert played.record.suspended == (len(out) == 3)


@pytest.mark.slow
@settings(few, max_examples=examples(5))
@given(decks(), cuadrillas(), plaza_ratings, seeds)
def test_i_11_option_for_bull_points_does_not_change_the_cards_drawn(
    pack: Any, matadors: Any, plaza: int, seed: Seed
) -> None:
    drawn: dict[tuple[str, str], set[bytes]] = {}
    for options in ALL_RULES:
        record = play_corrida(engine_setup(pack, matadors, plaza, options), seed)
        key = (options["shuffle"], options["bull_reading"])
        drawn.setdefault(key, set()).add(b"".join(lidia.draws for lidia in record.lidias))
    assert [len(draws) for draws in drawn.values()] == [1] * 4
