"""Lessons about El Toro: a game rolled from its seed, shown event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from eltoro.engine import (
    HAND_SIZE,
    LETTERS,
    TOKENS,
    CardPlayed,
    Event,
    Game,
    GameState,
    IllegalMove,
    Matched,
    Move,
    Rules,
    Town,
    replay,
    write_runner,
)
from eltoro.stage import sentences
from eltoro.stage.map_context import MapMarks
from eltoro.stage.picture import draw_town
from eltoro.stage.sentences import EventNames, event_sentence, space_name
from fairness import Seed
from lessons.loading import LessonQuestion, Moment
from lessons.questions import AnswerOption, Figure


class ElToroRecord:
    """The recorded game of El Toro that a lesson follows.

    A moment (position in the record) is `{"events": number of events shown}`.
    """

    def __init__(self, record: Mapping[str, Any], language: str) -> None:
        self._language = language
        self.rules = Rules.from_options(record["rules"])
        self.names: list[str] = record["names"]
        self.seed = Seed(bytes.fromhex(record["seed"]))
        self.moves = [Move.read(text) for text in record["moves"]]
        # For each event of the game: the event, the state of the board with all runners and bulls
        # after it, and the number of moves made before the move that caused it.
        self.frames: list[tuple[Event, Town, int]] = []
        replay(self.rules, len(self.names), self.seed, self.moves, witness=self._record_event)

    def _record_event(self, event: Event, game: GameState) -> None:
        assert isinstance(game, Game)
        self.frames.append((event, game.town(), len(game.log)))

    def town(self, at: Moment) -> Town:
        return self.frames[at["events"] - 1][1]

    def figures(self, at: Moment) -> dict[str, Figure]:
        event, town, _moves = self.frames[at["events"] - 1]
        names = EventNames(self.names, self.rules, town.destinations)
        board = self.rules.board
        figures: dict[str, Figure] = {
            "players": len(self.names),
            "each": len(town.runners[0]),
            "lowest_face": 1,
            "rows": board.steps,
            "tokens": TOKENS,
            "deck": sum(card.count for card in self.rules.cards),
            "step": town.step + 1,
            "day": town.day,
            "bulls": len(town.bulls),
            "told": event_sentence(event, names),
            "laid": len(town.destinations),
            "trampled": sum(die is None for runners in town.runners for die in runners),
            "to_roll": len(event.runners) if isinstance(event, Matched) else 0,
            "hand": town.hand_sizes[0],
            "hand_full": HAND_SIZE,
        }
        if isinstance(event, CardPlayed):
            card = self.rules.cards[event.card]
            figures["card"] = sentences.card_name(card)
            figures["card_text"] = sentences.card_sentence(card)
        for seat, runners in enumerate(town.runners):
            figures[f"name_{seat}"] = self.names[seat]
            figures[f"points_{seat}"] = town.totals[seat]
            figures[f"running_{seat}"] = sum(die is not None for die in runners)
            figures[f"tokens_{seat}"] = town.tokens_left[seat]
            figures[f"arrivals_{seat}"] = self._arrivals(town, seat)
            for number, die in enumerate(runners, start=1):
                if die is not None and die.space >= 0:
                    runner = write_runner(seat, number)
                    figures[f"{runner}_face"] = die.face
                    figures[f"{runner}_space"] = self._space(town, die.space)
        for number, bull in enumerate(town.bulls, start=1):
            figures[f"bull_{number}_face"] = bull.face
            figures[f"bull_{number}_space"] = self._space(town, bull.space)
        return figures

    def _space(self, town: Town, space: int) -> str:
        return space_name(self.rules, space, town.destinations)

    def _arrivals(self, town: Town, seat: int) -> str:
        """Return a player's destinations as text: `3 × Restaurant (3)`.

        The number in brackets is the points per runner.
        """
        ends = self.rules.board.rows[-1]
        places = [die.space for die in town.runners[seat] if die is not None]
        reached = Counter(town.destinations[ends.index(place)] for place in places if place in ends)
        return ", ".join(
            f"{count} × {sentences.destination_name(destination)} ({destination.points})"
            for index, count in sorted(reached.items())
            for destination in [self.rules.destinations[index]]
        )

    def options(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        after = ask.after or at
        match ask.kind:
            case "way":
                return self._ways(ask.figure, at, after)
            case "rolls":
                return self._rolls(ask.figure, at, after)
            case "sign":
                return self._signs(ask, at)
            case _:
                raise ValueError(f"El Toro asks no {ask.kind}.")

    def _ways(self, runner: str, at: Moment, after: Moment) -> list[AnswerOption]:
        """Return the spaces to which a runner can move, as answers of a question."""
        town = self.town(at)
        seat, number = LETTERS.index(runner[0]), int(runner[1:]) - 1
        before, then = town.runners[seat][number], self.town(after).runners[seat][number]
        assert before is not None
        assert then is not None
        return [
            AnswerOption(
                value=self.rules.board.spaces[space].key,
                label=self._space(town, space),
                right=space == then.space,
            )
            for space in sorted(self.rules.board.spaces[before.space].ways)
        ]

    def _rolls(self, key: str, at: Moment, after: Moment) -> list[AnswerOption]:
        """Return the dice of players at a space of the board, as answers of a question.

        The dice that must roll in the charge of a bull are right answers.
        """
        event, town = self.frames[after["events"] - 1][0], self.town(at)
        assert isinstance(event, Matched)
        names = EventNames(self.names, self.rules, town.destinations)
        space = self.rules.board.find_space(key)
        dice = {
            (seat, die.face): names.die((seat, number), die)
            for seat, runners in enumerate(town.runners)
            for number, die in enumerate(runners)
            if die is not None and die.space == space
        }
        matched = {
            (seat, die.face)
            for seat, number in event.runners
            if (die := town.runners[seat][number]) is not None and die.space == space
        }
        return [
            AnswerOption(
                value=f"{LETTERS[seat]}-{face}", label=label, right=(seat, face) in matched
            )
            for (seat, face), label in sorted(dice.items())
        ]

    def _signs(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        """Return the road signs of some forks of the board, as answers of a question.

        The signs on which the card can be played are right answers.
        """
        _event, town, moves = self.frames[at["events"] - 1]
        names = EventNames(self.names, self.rules, town.destinations)
        return [
            AnswerOption(
                value=self.rules.board.write_sign(sign),
                label=names.sign(sign),
                right=not why,
                why=why,
            )
            for sign in self.rules.board.signs
            if self.rules.board.spaces[sign[0]].key in ask.others
            for target in [self.rules.board.write_sign(sign)]
            for why in [self._refusal(moves, Move.play(ask.figure, target))]
        ]

    def _refusal(self, moves: int, move: Move) -> str:
        """Return why a move is illegal after this number of moves of the recorded game, or ""
        if it is legal.
        """
        game = replay(self.rules, len(self.names), self.seed, self.moves[:moves])
        try:
            game.play(move)
        except IllegalMove as error:
            return sentences.refusal_sentence(error)
        return ""

    def pictures(self, at: Moment, ask: LessonQuestion | None) -> dict[str, object]:
        runner = ask.figure if ask and ask.kind == "way" else ""
        marks = MapMarks(highlighted=runner)
        return {"map": draw_town(self.town(at), self.rules, names=self.names, marks=marks)}
