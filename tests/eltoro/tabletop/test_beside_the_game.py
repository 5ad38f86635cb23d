"""A game played by the engine is also recorded on a tracked board, as if it were a real game.

Both boards must stay equal.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from eltoro.engine import (
    BOARDS,
    BullAdded,
    BullLed,
    BullRolled,
    Charged,
    DayOver,
    DestinationsLaid,
    Die,
    DieRolled,
    DieTurned,
    DueEntryKind,
    EffectPaid,
    Event,
    Gained,
    Game,
    GameState,
    Placed,
    RealBoard,
    Rules,
    RunnersMoved,
    RunnersRolled,
    TokenPassed,
    TokenPlaced,
    TokenRemoved,
    Town,
    random_move,
)
from eltoro.tabletop.operations import arrivals
from eltoro.tabletop.sheets import referee
from fairness import Seed
from tests.eltoro.oracle.stacked import stacked_setting
from tests.eltoro.oracle.translation import engine_rules

GAMES = int(os.environ.get("KEPT_GAMES", "20"))
SEATS = "abcdef"
COMPARED = (
    "first", "runners", "bulls", "tokens", "tokens_left", "destinations", "totals", "day_points",
)  # fmt: skip


class Scribe:
    """Records on a board what it sees happen in a game, as people with real dice would."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.kept = RealBoard(rules, players, Seed(bytes(32)), rolls=False)
        self.board, self.players = rules.board, players
        self.dice: dict[str, str] = {}
        self.faces = ""
        self.rolled: list[str] = []
        self.charged: list[str] = []
        self.compared = 0

    def __call__(self, event: Event, game: GameState) -> None:
        write = getattr(self, f"on_{type(event).__name__}", None)
        if write is not None:
            write(event, game)

    def write(self, verb: str, *words: str) -> None:
        self.kept = self.kept.record(" ".join([verb, *words]))

    def key(self, space: int) -> str:
        return self.board.spaces[space].key

    def name(self, event: Any) -> str:
        if event.runner is None:
            return f"T{event.bull + 1}"
        return f"{SEATS[event.runner[0]]}{event.runner[1] + 1}"

    def on_EffectPaid(self, event: EffectPaid, _game: GameState) -> None:
        if event.die is not None:
            letter = SEATS[event.seat]
            self.dice[letter] = f"{self.dice.get(letter, '')}{event.die}"

    def on_DestinationsLaid(self, event: DestinationsLaid, _game: GameState) -> None:
        if self.kept.due is DueEntryKind.EVENING:
            self.write("evening")
        if self.dice:
            self.write("dice", *(f"{letter}={faces}" for letter, faces in self.dice.items()))
            self.dice = {}
        kinds = self.kept.rules.destinations
        self.write("lay", *(kinds[index].key for index in event.destinations))

    def on_BullRolled(self, event: BullRolled, _game: GameState) -> None:
        self.faces += str(event.die.face)
        state = self.kept.state
        wanted = len(self.board.rows[0])
        if self.kept.due is DueEntryKind.HERD:
            wanted = state.herd - len(state.bulls)
        if len(self.faces) == wanted:
            self.write("bulls", self.faces)
            self.faces = ""

    def on_RunnersRolled(self, event: RunnersRolled, game: GameState) -> None:
        dice = game.town().runners[event.seat]
        faces = "".join(str(die.face) for die in dice if isinstance(die, Die))
        self.rolled.append(f"{SEATS[event.seat]}={faces}")
        if len(self.rolled) == self.players:
            self.write("runners", *self.rolled)
            self.rolled = []

    def on_Placed(self, event: Placed, _game: GameState) -> None:
        letter = SEATS[event.seat]
        self.write("start", *(f"{letter}{n + 1}>{self.key(to)}" for n, to in event.placed))

    def on_DieRolled(self, event: DieRolled | DieTurned, _game: GameState) -> None:
        self.write("face", f"{self.name(event)}={event.after.face}")

    on_DieTurned = on_DieRolled

    def on_BullLed(self, event: BullLed, _game: GameState) -> None:
        self.write("move", f"T{event.bull + 1}>{self.key(event.after.space)}")

    def on_BullAdded(self, event: BullAdded, _game: GameState) -> None:
        self.write("addbull", f"{self.key(event.die.space)}={event.die.face}")

    def on_TokenPlaced(self, event: TokenPlaced, _game: GameState) -> None:
        sign = self.board.write_sign(event.sign)
        if event.moved is not None:
            sign = f"{self.board.write_sign(event.moved)}>{sign}"
        self.write("token", SEATS[event.seat], sign)

    def on_TokenRemoved(self, event: TokenRemoved, _game: GameState) -> None:
        self.write("untoken", self.board.write_sign(event.sign))

    def on_Gained(self, event: Gained, _game: GameState) -> None:
        if event.points:
            self.write("points", SEATS[event.seat], str(event.points))

    def on_RunnersMoved(self, _event: RunnersMoved, _game: GameState) -> None:
        self.write("advance")

    def on_Charged(self, event: Charged, _game: GameState) -> None:
        letter, number = SEATS[event.runner[0]], event.runner[1] + 1
        self.charged.append(f"{letter}{number}={event.after.face}")

    def on_TokenPassed(self, _event: TokenPassed, game: GameState) -> None:
        assert self.kept.charging == tuple(word.partition("=")[0] for word in self.charged)
        if self.charged:
            self.write("charge", *self.charged)
            self.charged = []
        if self.kept.state.arrived is None:
            self.compare(game.town())

    def on_DayOver(self, _event: DayOver, game: GameState) -> None:
        self.compare(game.town())

    def compare(self, town: Town) -> None:
        ours = self.kept.town()
        for field in COMPARED:
            assert getattr(ours, field) == getattr(town, field), field
        assert (ours.day, ours.step) == (town.day, town.step)
        self.compared += 1


@pytest.mark.parametrize("number", range(GAMES))
def test_board_recorded_from_events_stays_equal_to_the_game(number: int) -> None:
    """The games use the shipped board and cards or modified ones."""
    seed = Seed(number.to_bytes(32, "big"))
    rules, players = Rules(board=sorted(BOARDS)[number % len(BOARDS)]), 2 + number % 5
    if number % 2:
        setting = stacked_setting(seed.chance("setting"))
        rules, players = engine_rules(setting), setting.players
    scribe = Scribe(rules, players)
    game, chance = Game.new(rules, players, seed, scribe), seed.chance("players")
    while not game.is_over:
        move = random_move(game.view(game.turn), chance)
        game.play(move, seat=game.turn, witness=scribe)
    assert scribe.compared == rules.days * (rules.board.steps - 1) + rules.days
    assert scribe.kept.due is DueEntryKind.OVER
    assert scribe.kept.totals == game.points
    judged = referee.judge(rules=rules.options(), seats=players, sheet=arrivals(scribe.kept))
    assert judged.over
    assert not judged.objections
