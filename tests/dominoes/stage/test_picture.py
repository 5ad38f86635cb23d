"""The drawing of a train: its labels, the free places at its ends, and its frame."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from dominoes.engine import PROFILES, Hand, Match, Move, Rules, View
from dominoes.stage import build_scene, draw_train
from fairness import Seed


def played(rules: Rules, moves: int, players: int = 2, seed: int = 1) -> Hand:
    """Return a hand after this many moves, always the first legal one."""
    hand = Hand.deal(rules, players, Seed(seed.to_bytes(32, "big")).chance("hand/1"), 0)
    for _ in range(moves):
        if hand.turn is not None:
            hand.play(hand.legal()[0])
    return hand


def train_html(view: View, **told: object) -> str:
    words = build_scene(view, names=("Ana", "Blas"), **told)  # type: ignore[arg-type]
    return render_to_string("dominoes/_train.html", {"scene": words})


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("highest", [6, 9, 12, 18])
def test_every_tile_is_drawn_and_svg_numbers_use_decimal_points_in_every_language(
    highest: int, language: str
) -> None:
    hand = played(Rules(highest=highest), 9)
    with translation.override(language):
        svg = train_html(hand.view(None))
    assert svg.count('class="dom-tile') == len(hand.view(None).train)
    assert not re.findall(r'(?:x|y|cx|cy|width|height|transform)="[^"]*\d,\d', svg)
    assert svg.count('class="dom-last"') == 1
    assert ("dom-figure" in svg) == any(
        max(tile.left, tile.right) > 9 for tile in hand.view(None).train
    )


def test_frame_of_the_drawing_contains_all_tiles_and_labels() -> None:
    for seed in range(20):
        hand = played(PROFILES["crosswise_stub"], 18, seed=seed)
        found = draw_train(hand.view(None))
        x, y, width, height = map(float, found.box.split())
        for tile in found.tiles:
            assert x < tile.x < x + width
            assert y < tile.y < y + height
        for free in found.open:
            flag = free.flag
            assert x <= flag.x - flag.width * flag.scale / 2
            assert flag.x + flag.width * flag.scale / 2 <= x + width


def test_labels_at_the_ends_name_the_numbers_that_fit() -> None:
    for seed in range(12):
        view = played(PROFILES["crosswise_open"], 8, seed=seed).view(None)
        assert view.ends is not None
        for free, end in zip(draw_train(view).open, view.ends, strict=True):
            assert free.matador == (not end.needs)
            for half in end.needs:
                assert str(half) in free.flag.text


def test_drawing_of_a_short_train_always_has_the_same_width() -> None:
    widths = {
        draw_train(played(Rules(), moves).view(None)).box.split()[2] for moves in (0, 1, 3, 5)
    }
    assert len(widths) == 1


def test_drawing_of_a_finished_hand_has_no_free_places() -> None:
    hand = played(Rules(), 200)
    assert hand.turn is None
    assert draw_train(hand.view(None)).open == ()


def test_tiles_of_the_train_are_listed_as_text_from_left_to_right() -> None:
    hand = Hand.deal(Rules(), 2, Seed(bytes(32)).chance("hand/1"), 0)
    first = hand.legal()[0]
    hand.play(first)
    listed = draw_train(hand.view(None)).listed
    assert listed == (f"{first!s}".replace("|", "-") + ", the first tile",)


def test_scores_of_partners_are_shown_on_one_line() -> None:
    """Partners have a common score (Ruling D-2), so it must be shown only once."""
    rules = PROFILES["partners"]
    match = Match(rules, 4)
    hand = match.deal(Seed(bytes(32)).chance("hand/1"))
    told = build_scene(hand.view(1, match.totals), names=("a", "b", "c", "d"))
    assert [[name for _seat, name in one.seats] for one in told["scores"]] == [
        ["a", "c"],
        ["b", "d"],
    ]


def test_form_of_a_player_offers_exactly_the_legal_moves_in_notation() -> None:
    hand = played(Rules(), 4)
    view = hand.view(hand.turn)
    rack = build_scene(view)["rack"]
    assert rack is not None
    offered = {way.move for held in rack.tiles for place in held.places for way in place.ways} | {
        str(Move.read(act.do)) for act in rack.acts if act.allowed
    }
    assert offered == {str(move) for move in view.legal}
