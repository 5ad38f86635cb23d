"""What a page shows of a game: no hidden cards, and a form with all legal choices."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from eltoro.engine import PROFILES, DecisionKind, Effect, Game, Move, Rules, random_move
from eltoro.stage.frames import build_frames, dice_by_id
from eltoro.stage.hand import TargetChoice, build_hand, read_form
from eltoro.stage.scene import chance_rows
from eltoro.stage.sentences import EventNames, card_name
from eltoro.table import ElToroPosition
from fairness import Seed
from tests.eltoro.table.games import NAMES, TABLE, positions, seed


def scene_of(position: ElToroPosition, seat: int | None, **more: Any) -> dict[str, Any]:
    return dict(TABLE.scene(position, seat=seat, names=NAMES[: position.seats], **more))


@pytest.mark.slow
def test_spectator_sees_no_hand_and_player_only_its_own() -> None:
    for position in list(positions(3))[::5]:
        assert position.game is not None
        assert scene_of(position, None)["hand"] is None
        for seat in range(3):
            held = scene_of(position, seat)["hand"]
            names = {card_name(position.rules.cards[card]) for card in position.hands()[seat]}
            assert {card.name for card in held.cards} == names
            assert held.count == len(position.hands()[seat])
            assert bool(held.ask) == (position.turn == seat)


def test_replay_shows_all_hands_without_a_form() -> None:
    position = list(positions(3))[5]
    drawn = scene_of(position, 1, revealed=True)
    assert drawn["hand"] is None
    assert [len(cards) for _seat, _name, cards in drawn["revealed"]] == [
        len(held) for held in position.hands()
    ]


def test_animation_frames_include_every_die_that_changed() -> None:
    """The last frame must show the present position. Each frame names the dice that it changes."""
    for position in positions(4):
        happened = position.happened()
        found = build_frames(happened, EventNames(NAMES[:4], position.rules))
        assert position.game is not None
        assert not found or dice_by_id(found[-1].town) == dice_by_id(position.game.town())
        for frame in found:
            assert frame.title
            turned = {one.split()[0] for one in frame.faces}
            assert turned <= frame.moved
        if position.made:
            assert found


def test_animation_shows_the_phases_of_a_step_in_order() -> None:
    kinds = set()
    for position in positions(4):
        told = build_frames(position.happened(), EventNames(NAMES[:4], position.rules))
        names = [frame.kind for frame in told]
        kinds |= set(names)
        if "runners" in names:
            at = names.index("runners")
            assert names[at : at + 2] == ["runners", "bulls"]
            assert "token" in names[at:]
            assert ("match" in names) == ("charge" in names)
    phases = {"card", "runners", "bulls", "match", "charge", "token", "score", "discard", "deal"}
    assert kinds >= phases | {"morning", "placed"}


@pytest.mark.slow
def test_trampled_runners_are_shown_where_they_fell() -> None:
    seen = 0
    for position in positions(6, number=3):
        found = scene_of(position, None)["frames"]
        fallen = [one for frame in found for one in frame.fallen]
        seen += len(fallen)
        assert position.game is not None
        down = position.game.town().runners
        for one in fallen:
            assert down["abcdef".index(one.runner[0])][int(one.runner[1:]) - 1] is None or any(
                frame.kind == "morning" for frame in found
            )
    assert seen


def chosen_fields(position: ElToroPosition, card: int) -> dict[str, str]:
    """Return a form for a card with the first offered targets, as many as allowed."""
    assert position.game is not None
    held = build_hand(position.game.view(position.turn), {}, NAMES[: position.seats])
    kind = position.rules.cards[card]
    shown = next(one for one in held.cards if one.key == kind.key)
    aims = held.pickers[shown.picker].targets
    fields = {"do": "play", "card": shown.value}
    if aims.groups and aims.groups[0].field:
        return fields | {
            f"{shown.picker}.{group.field}": group.choices[0].target for group in aims.groups
        }
    distinct: dict[str, TargetChoice] = {}
    for one in aims.choices:
        distinct.setdefault(one.on, one)
    ticked = [one.target for one in distinct.values()][: shown.up_to]
    if aims.own_signs:
        fields[f"{shown.picker}.from"] = aims.own_signs[0].target
    if aims.faces:
        fields[f"{shown.picker}.face"] = "3"
    return fields | {f"{shown.picker}.{target}": "on" for target in ticked}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_choice_offered_by_the_form_is_a_legal_move(number: int) -> None:
    """A card without targets must be legal too (Ruling E-4)."""
    tried = set()
    game, bot = Game.new(Rules(), 4, Seed(seed(number))), Seed(seed(9)).chance("bot")
    while not game.is_over:
        view = game.view(game.turn)
        if view.ask is DecisionKind.CARD:
            position = ElToroPosition(rules=game.rules, seats=4, game=game)
            for card in set(view.hand):
                for fields in (chosen_fields(position, card), {"card": f"{key(game, card)}/0"}):
                    game.copy().play(Move.read(read_form(fields)))
                tried.add(game.rules.cards[card].effect)
        game.play(random_move(view, bot))
    assert len(tried) >= len(Effect) - 4


def key(game: Game, card: int) -> str:
    return game.rules.cards[card].key


def test_runners_that_show_1_in_the_morning_can_be_placed_with_the_form() -> None:
    for position in positions(6, number=2):
        if position.game is None or position.game.ask is not DecisionKind.START:
            continue
        held = build_hand(position.game.view(position.turn), {}, NAMES)
        fields = {"do": "start"} | {one.field: one.places[1][0] for one in held.unplaced}
        game = position.game.copy()
        game.play(Move.read(read_form(fields)))
        return
    raise AssertionError("nobody had a 1")


def test_form_keeps_the_choices_of_a_rejected_move() -> None:
    for position in positions(4):
        if position.game is None or position.game.ask is not DecisionKind.CARD:
            continue
        view = position.game.view(position.turn)
        fields = chosen_fields(position, view.hand[0])
        held = build_hand(view, fields, NAMES[:4])
        assert [card.key for card in held.cards if card.checked] == [
            key(position.game, view.hand[0])
        ]
        ticked = {name.partition(".")[2] for name, value in fields.items() if value == "on"}
        picker = next(card.picker for card in held.cards if card.checked)
        assert ticked <= held.pickers[picker].chosen
        return


def test_cards_with_equal_targets_share_one_list_of_targets() -> None:
    for position in positions(6, number=4):
        if position.game is None or position.game.ask is not DecisionKind.CARD:
            continue
        held = build_hand(position.game.view(position.turn), {}, NAMES)
        lists = [picker.targets for picker in held.pickers]
        assert len(set(lists)) == len(lists)
        assert {card.picker for card in held.cards} == set(range(len(lists)))


def test_players_with_equal_names_are_numbered() -> None:
    position = next(iter(positions(3)))
    drawn = TABLE.scene(position, seat=None, names=("Ana", "Ana", ""))
    assert [row.name for row in drawn["rows"]] == ["Ana 1", "Ana 2", "Seat 3"]


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_page_shows_the_day_and_the_steps_of_every_board(profile: str) -> None:
    steps = PROFILES[profile].board.steps
    seen = set()
    for position in list(positions(2, profile))[::2]:
        drawn = scene_of(position, 0)
        seen.add(drawn["when"])
        assert [step.number for step in drawn["bar"]] == [1, 2, 3, 4]
        assert sum(step.state == "now" for step in drawn["bar"]) <= 1
    assert {f"step {n} of {steps}" for n in range(1, steps + 1)} <= seen


def test_chances_of_every_runner_on_the_board_add_up_to_one() -> None:
    for position in positions(2):
        assert position.game is not None
        for seat, own in enumerate(position.game.town().runners):
            for number, die in enumerate(own):
                odds = position.odds().get((seat, number))
                if odds is not None:
                    assert die is not None
                    assert abs(sum(odds.arrives) + odds.trampled - 1) < 1e-9


def test_expected_points_use_the_decimal_separator_of_the_language() -> None:
    shown = []
    for language in ("en", "es"):
        with translation.override(language):
            shown += [
                one.points
                for position in positions(2)
                if position.game is not None
                for one in chance_rows(position.game.town(), position.rules, position.odds(), NAMES)
            ]
    half = len(shown) // 2
    assert half
    assert [one.replace(".", ",") for one in shown[:half]] == shown[half:]
    assert all(re.fullmatch(r"\d+\.\d", one) for one in shown[:half])
