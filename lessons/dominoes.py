"""Lessons about Matador dominoes: a hand dealt from its seed, shown move by move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from dominoes.engine import (
    BONEYARD_RESERVE,
    Hand,
    IllegalMove,
    Move,
    MoveKind,
    Rules,
    Side,
    bits,
    domino_set,
    replay_hand,
)
from dominoes.stage import draw_tile, draw_train, sentences
from fairness import Seed
from lessons.loading import LessonQuestion, Moment
from lessons.questions import AnswerOption, Figure


class DominoesRecord:
    """The recorded hand of dominoes that a lesson follows.

    A moment (position in the record) is `{"moves": number of moves shown}`.
    """

    def __init__(self, record: Mapping[str, Any], language: str) -> None:
        self._language = language
        self.rules = Rules.from_options(record["rules"])
        self.names: list[str] = record["names"]
        self.seed = Seed(bytes.fromhex(record["seed"]))
        self.leader: int = record["leader"]
        self.moves = [Move.read(text) for text in record["moves"]]
        self.hand_after(len(self.moves))

    def hand_after(self, moves: int) -> Hand:
        """Return the state of the hand of dominoes after this number of moves.

        Raises `IllegalMove`.
        """
        chance = self.seed.chance("hand/1")
        return replay_hand(self.rules, len(self.names), chance, self.leader, self.moves[:moves])

    def figures(self, at: Moment) -> dict[str, Figure]:
        hand, tiles = self.hand_after(at["moves"]), domino_set(self.rules.highest)
        view = hand.view(None)
        figures: dict[str, Figure] = {
            "players": len(self.names),
            "dealt": self.rules.hand_size,
            "set": len(tiles),
            "highest": self.rules.highest,
            "sum": tiles.N,
            "matadors": len(bits(tiles.matadors)),
            "matador_tiles": ", ".join(self._name(tile) for tile in bits(tiles.matadors)),
            "boneyard": view.boneyard,
            "target": self.rules.target,
            "laid": len(view.train),
            "reserve": BONEYARD_RESERVE,
        }
        if hand.turn is not None:
            figures["player"] = self.names[hand.turn]
            figures["held"] = len(bits(hand.held_tiles(hand.turn)))
            held = bits(hand.held_tiles(hand.turn))
            figures["fitting"] = len({move.tile for move in hand.legal()} - {None})
            figures["own_matadors"] = sum(tiles.is_matador(tile) for tile in held)
        if view.log:
            last = view.log[-1]
            figures["last_player"] = self.names[last.seat]
            figures["told"] = sentences.move_sentence(self.rules, last, self.names[last.seat])
            if last.move.tile is not None:
                figures["tile"] = sentences.laid_tile_name(self.rules, last.move)
        if view.ends is not None:
            figures["ends"] = sentences.ends_sentence(view.ends)
            for name, end in zip(("left", "right"), view.ends, strict=True):
                figures[f"{name}_end"] = end.halves[0]
                figures[f"{name}_need"] = tiles.N - end.halves[0]
        if hand.outcome is not None:
            outcome = hand.outcome
            figures["ended"] = sentences.ending_sentence(outcome, self.names)
            figures |= {f"pips_{seat}": pips for seat, pips in enumerate(outcome.pips)}
            figures |= {f"name_{seat}": name for seat, name in enumerate(self.names)}
            figures["pips"] = sum(outcome.pips)
            if outcome.winner is not None:
                figures["winner"] = self.names[outcome.winner]
                figures["points"] = outcome.points[outcome.winner]
                figures["own_pips"] = outcome.pips[outcome.winner]
                figures["points_sum"] = sentences.points_sum(outcome)
        return figures

    def _name(self, tile: int) -> str:
        return sentences.tile_name(self.rules, tile)

    def options(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        """Return the answers to “What can this player do?”: each tile held, and drawing or passing.

        Passing is offered only if no tile can be drawn.
        """
        if ask.kind != "move":
            raise ValueError(f"Matador asks no {ask.kind}.")
        hand = self.hand_after(at["moves"])
        assert hand.turn is not None
        legal = hand.legal()
        playable = {move.tile for move in legal}
        kinds = {move.kind for move in legal}
        options = [
            AnswerOption(
                value=str(tile),
                label=self._name(tile),
                right=tile in playable,
                why="" if tile in playable else self._misfit_sentence(hand, tile),
            )
            for tile in bits(hand.held_tiles(hand.turn))
        ]
        waiting, label = (
            (MoveKind.DRAW, _("draw a tile")) if hand.can_draw else (MoveKind.PASS, _("pass"))
        )
        if hand.ends is not None:
            error = None if waiting in kinds else refusal(hand, Move(waiting))
            why = sentences.refusal_sentence(error) if error else ""
            options.append(
                AnswerOption(value=str(waiting), label=label, right=waiting in kinds, why=why)
            )
        return options

    def _misfit_sentence(self, hand: Hand, tile: int) -> str:
        """Return a sentence that says why a tile fits neither open end of the train."""
        if hand.ends is None:
            return sentences.refusal_sentence(refusal(hand, Move.lead(tile)))
        halves = set(domino_set(self.rules.highest).tiles[tile])
        errors = [refusal(hand, Move.play(tile, side, half)) for side in Side for half in halves]
        sums = [error for error in errors if error.code == "no_sum"]
        texts = [sentences.refusal_sentence(error) for error in errors if error not in sums]
        if sums:
            words = {"tile": self._name(tile), "sum": domino_set(self.rules.highest).N}
            texts.insert(
                0, _("Neither half of the %(tile)s makes %(sum)s with an open end.") % words
            )
        return " ".join(dict.fromkeys(texts))

    def pictures(self, at: Moment, ask: LessonQuestion | None) -> dict[str, object]:
        hand = self.hand_after(at["moves"])
        view = hand.view(None)
        ends = sentences.ends_sentence(view.ends) if view.ends else ""
        held = bits(hand.held_tiles(hand.turn)) if hand.turn is not None else ()
        hands = [
            (name, [draw_tile(self.rules, tile) for tile in bits(hand.held_tiles(seat))])
            for seat, name in enumerate(self.names)
        ]
        return {
            "scene": {"train": draw_train(view), "ends": ends},
            "laid": bool(view.train),
            "held": [draw_tile(self.rules, tile) for tile in held],
            "player": self.names[hand.turn] if hand.turn is not None else "",
            "hands": hands if hand.turn is None else (),
        }


def refusal(hand: Hand, move: Move) -> IllegalMove:
    """Return the error of the rules that says why a move is illegal.

    Raises `ValueError` for a legal move.
    """
    try:
        hand.copy().play(move)
    except IllegalMove as error:
        return error
    raise ValueError(f"{move} is legal.")
