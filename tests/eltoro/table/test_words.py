"""Every card, destination, event and rejected move of El Toro has its own sentence."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from eltoro import engine
from eltoro.engine import DECK, DESTINATIONS, Effect, Event, IllegalMove
from eltoro.stage.sentences import (
    card_kind,
    card_name,
    card_sentence,
    destination_effect,
    destination_sentence,
    refusal_sentence,
)
from eltoro.stage.sentences.cards import CARD_SENTENCES as CARDS
from eltoro.stage.sentences.events import EVENT_SENTENCES as EVENTS

# Events without a sentence, because the title of their animation frame describes them.
SILENT = {"RunnersMoved", "BullsMoved", "DestinationsLaid", "RunnersRolled", "DayOver", "GameOver"}


def test_every_effect_of_a_card_has_a_sentence() -> None:
    assert set(CARDS) == set(Effect)
    for card in DECK:
        assert card_name(card) == card.name
        assert "%(" not in card_sentence(card)


def test_cards_with_different_effects_have_different_sentences() -> None:
    said = {card_sentence(card) for card in DECK}
    kinds = {(card.effect, card.amount, card.whose, card.goes_round) for card in DECK}
    assert len(said) == len(kinds)


def test_deck_contains_every_kind_of_card_of_the_rulebook() -> None:
    found = {card_kind(card) for card in DECK}
    assert found == {"roll", "face", "bull", "sign", "unsign", "draw", "points"}


def test_every_destination_has_a_sentence_about_its_effect() -> None:
    for one in DESTINATIONS:
        assert "%(" not in destination_sentence(one) + destination_effect(one)
    nightclub = next(one for one in DESTINATIONS if one.key == "nightclub")
    assert destination_effect(nightclub) == "\N{MINUS SIGN}1 runner"
    assert destination_sentence(nightclub) == "One fewer runner tomorrow."


def test_every_event_of_the_engine_has_a_sentence_or_a_frame_title() -> None:
    events = {
        one.__name__
        for one in vars(engine).values()
        if inspect.isclass(one) and issubclass(one, Event) and one is not Event
    }
    assert {one.__name__ for one in EVENTS} | SILENT == events


def raised() -> set[str]:
    """Return the codes of all illegal moves in the source code of the engine."""
    found = set()
    for path in Path(inspect.getfile(engine)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalMove":
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
    return {code for code in found if isinstance(code, str)}


def test_every_illegal_move_has_a_message() -> None:
    assert raised() <= set(engine.REASONS)


@pytest.mark.parametrize("code", sorted(raised()))
def test_messages_use_only_parameters_that_the_engine_provides(code: str) -> None:
    names = ("card", "most", "target", "runner", "bull", "space", "sign", "face")
    params: dict[str, str | int] = dict.fromkeys(names, "x")
    told = refusal_sentence(IllegalMove(code, **params))
    assert "%(" not in told


def test_message_about_an_illegal_move_shows_the_name_of_the_card() -> None:
    told = refusal_sentence(IllegalMove("too_many", card="second-wind", most=2))
    assert told == "“Second wind” can have at most 2 targets. Choose fewer."
