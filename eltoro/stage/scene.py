"""Everything that the page of a game table shows of a game, as seen by a seat or a spectator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from eltoro.engine import DecisionKind, Odds, Phase, Rules, Town, View, odds
from eltoro.stage import sentences
from eltoro.stage.frames import MoveFrame, MoveResult, build_frames
from eltoro.stage.hand import Hand, build_hand, card_names_by_seat
from eltoro.stage.map_context import FallenRunner, MapMarks, runner_id
from eltoro.stage.picture import TownPicture, draw_town
from eltoro.stage.sentences import EventNames, space_name
from leagues.members.marks import mark_of_seat


def unique_names(names: Sequence[str]) -> list[str]:
    """Return names by seat. Duplicate names get a number, and missing names become “Seat 1” etc."""
    given = [name or _("Seat %(number)s") % {"number": n + 1} for n, name in enumerate(names)]
    return [
        f"{name} {given[: seat + 1].count(name)}" if given.count(name) > 1 else name
        for seat, name in enumerate(given)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A runner's chances in per cent for display.

    `points`: expected points to one decimal place.
    """

    runner: str
    shape: str
    name: str
    face: int
    space: str
    arrives: tuple[str, ...]
    trampled: str
    points: str


def odds_by_runner(town: Town, rules: Rules) -> dict[tuple[int, int], Odds]:
    return {
        (seat, number): odds(town, rules, seat, number)
        for seat, own in enumerate(town.runners)
        for number, die in enumerate(own)
        if die is not None and die.space >= 0
    }


def chance_rows(
    town: Town, rules: Rules, odds_by_runner: dict[tuple[int, int], Odds], names: Sequence[str]
) -> list[Chance]:
    return [
        _chance_row(town, rules, runner, runner_odds, names)
        for runner, runner_odds in odds_by_runner.items()
    ]


def _chance_row(
    town: Town, rules: Rules, runner: tuple[int, int], odds: Odds, names: Sequence[str]
) -> Chance:
    seat, number = runner
    die = town.runners[seat][number]
    assert die is not None
    return Chance(
        runner=runner_id(seat, number),
        shape=str(mark_of_seat(seat) + 1),
        name=names[seat],
        face=die.face,
        space=space_name(rules, die.space, town.destinations),
        arrives=tuple(map(_percent, odds.arrives)),
        trampled=_percent(odds.trampled),
        points=floatformat(odds.points, 1),
    )


def _percent(share: float) -> str:
    """Return a chance as a whole percentage.

    It is empty for impossible results. 100 is only used for certain results.
    """
    if not share:
        return ""
    return str(min(99, max(1, round(100 * share)))) if share < 1 else "100"


# The phases of a step that the page shows as a bar.
PHASES: Final = (Phase.CARDS, Phase.RUNNERS, Phase.BULLS, Phase.CHARGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseStep:
    """A phase of a step in the bar that shows the progress of the step.

    The phase is done, current, or still to come.
    """

    number: int
    name: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A row of the table of players: the runners and tokens that a player still has, and the points
    by day.
    """

    seat: int
    name: str
    note: str
    you: bool
    turn: bool
    first: bool
    running: int
    runners: int
    tokens: int
    cards: int
    days: tuple[int | None, ...]
    total: int
    leads: bool

    @property
    def left(self) -> str:
        parts = (
            ngettext("%(left)s of %(all)s runner", "%(left)s of %(all)s runners", self.runners)
            % {"left": self.running, "all": self.runners},
            ngettext("%(n)s token", "%(n)s tokens", self.tokens) % {"n": self.tokens},
            ngettext("%(n)s card", "%(n)s cards", self.cards) % {"n": self.cards},
        )
        return " · ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayDestination:
    """A destination of the current day: points per runner, and its effect on the next day."""

    name: str
    points: int
    effect: str


class SceneContext(TypedDict):
    """Template context of `eltoro/_table.html`.

    `when`: the step or time of day in words. `turn`: whose turn it is, in words. `word`: the last
    of `frames` (the phases of the last move), None if there are none. `hand`: None for spectators
    and in replays. `revealed`: seat, name and cards, only in replays. `working`: seat, name and the
    effects of destinations reached.
    """

    view: View
    you: int | None
    day: int
    days: int
    when: str
    bar: list[PhaseStep]
    turn: str
    frames: list[MoveFrame]
    word: MoveFrame | None
    rows: list[PlayerRow]
    places: list[DayDestination]
    day_names: range
    working: list[tuple[int, str, str]]
    working_title: str
    map: TownPicture
    hand: Hand | None
    revealed: list[tuple[int, str, list[str]]]
    chances: list[Chance]


def build_scene(
    view: View,
    *,
    names: Sequence[str] = (),
    notes: Sequence[str] = (),
    happened: MoveResult,
    odds: dict[tuple[int, int], Odds] | None = None,
    chosen: Mapping[str, str] | None = None,
    revealed: Sequence[Sequence[int]] | None = None,
) -> SceneContext:
    """Return the context of `eltoro/_table.html`.

    `names`: the players by seat. `notes`: a remark for each player. `happened`: the events of the
    last move. `odds`: chances of every runner on the board. `chosen`: the fields of a rejected
    move, which the form shows again. `revealed`: every seat's cards, only in replays of finished
    games.
    """
    scene = _Scene(view, names, notes, happened)
    town, rules = view.town, view.rules
    own = view.seat is not None and revealed is None
    hand = build_hand(view, chosen or {}, scene.names) if own else None
    marks = scene.marks(hand.taps if hand else frozenset())
    return {
        "view": view,
        "you": view.seat,
        "day": town.day,
        "days": rules.days,
        "when": scene.time_of_day(),
        "bar": scene.bar(),
        "turn": scene.turn_sentence(),
        "frames": scene.frames,
        "word": scene.frames[-1] if scene.frames else None,
        "rows": scene.rows(),
        "places": scene.places(),
        "day_names": range(1, rules.days + 1),
        "working": scene.working(),
        "working_title": scene.working_title(),
        "map": draw_town(town, rules, names=scene.names, seat=view.seat, marks=marks),
        "hand": hand,
        "revealed": [
            (seat, scene.names[seat], cards)
            for seat, cards in card_names_by_seat(view, revealed or ())
        ],
        "chances": chance_rows(town, rules, odds or {}, scene.names),
    }


class _Scene:
    """A view of a game with the players' names and the frames of the last move."""

    def __init__(
        self, view: View, names: Sequence[str], notes: Sequence[str], happened: MoveResult
    ) -> None:
        self.view, self.town, self.rules = view, view.town, view.rules
        blank = [""] * view.players
        self.names = unique_names([*names, *blank][: view.players])
        self.notes = [*notes, *blank][: view.players]
        self.frames = build_frames(happened, EventNames(self.names, view.rules))

    def time_of_day(self) -> str:
        """Return the current step in words, or the time of day in the morning and in the
        evening.
        """
        if self.town.phase is Phase.MORNING:
            return _("morning")
        if self.town.phase is Phase.EVENING:
            return _("evening")
        if self.town.phase is Phase.OVER:
            return _("the last evening")
        return _("step %(step)s of %(steps)s") % {
            "step": self.town.step + 1,
            "steps": self.rules.board.steps,
        }

    def bar(self) -> list[PhaseStep]:
        labels = (_("play cards"), _("runners move"), _("bulls move"), _("charge!"))
        now = PHASES.index(self.town.phase) if self.town.phase in PHASES else -1
        return [
            PhaseStep(number=n + 1, name=label, state="now" if n == now else "done" * (n < now))
            for n, label in enumerate(labels)
        ]

    def turn_sentence(self) -> str:
        turn, ask = self.view.turn, self.view.ask
        if turn is None:
            return ""
        if turn == self.view.seat:
            return {
                DecisionKind.START: _("Place your 1s"),
                DecisionKind.CARD: _("Your turn: play a card"),
                DecisionKind.DISCARD: _("Your evening: discard cards"),
            }[ask or DecisionKind.CARD]
        others = {
            DecisionKind.START: _("%(who)s is placing the runners that show a 1"),
            DecisionKind.CARD: _("%(who)s’s turn"),
            DecisionKind.DISCARD: _("%(who)s is discarding cards"),
        }[ask or DecisionKind.CARD]
        return others % {"who": self.names[turn]}

    def marks(self, taps: frozenset[str]) -> MapMarks:
        moved: set[str] = set()
        fallen: list[FallenRunner] = []
        for frame in self.frames:
            moved |= frame.moved
            fallen += frame.fallen
        down = {
            runner_id(seat, number)
            for seat, dice in enumerate(self.town.runners)
            for number, die in enumerate(dice)
            if die is None
        }
        return MapMarks(
            taps=taps,
            moved=frozenset(moved - down),
            fallen=tuple(runner for runner in fallen if runner.runner in down),
        )

    def rows(self) -> list[PlayerRow]:
        best = max(self.town.totals)
        return [self._row(seat, best) for seat in range(self.view.players)]

    def _row(self, seat: int, best: int) -> PlayerRow:
        town = self.town
        dice = town.runners[seat]
        return PlayerRow(
            seat=seat,
            name=self.names[seat],
            note=self.notes[seat],
            you=seat == self.view.seat,
            turn=seat == self.view.turn,
            first=seat == town.first,
            running=sum(die is not None for die in dice),
            runners=len(dice),
            tokens=town.tokens_left[seat],
            cards=town.hand_sizes[seat],
            days=tuple(
                town.day_points[day][seat] if day < town.day else None
                for day in range(self.rules.days)
            ),
            total=town.totals[seat],
            leads=town.totals[seat] == best > 0,
        )

    def places(self) -> list[DayDestination]:
        """Return the destinations of the current day from left to right."""
        last = self.town.day == self.rules.days
        laid = [self.rules.destinations[index] for index in self.town.destinations]
        return [
            DayDestination(
                name=sentences.destination_name(destination),
                points=destination.points,
                effect="" if last else sentences.destination_sentence(destination),
            )
            for destination in laid
        ]

    def working_title(self) -> str:
        """Return the title for the list of destinations' effects.

        Until a day is scored, the list contains the effects that apply today, and after the scoring
        those that apply on the next day.
        """
        evening = self.town.phase is Phase.EVENING
        return _("Tomorrow") if evening else _("Effects today")

    def working(self) -> list[tuple[int, str, str]]:
        return [
            (seat, self.names[seat], self._effects(effects))
            for seat, effects in enumerate(self.town.effects)
            if effects
        ]

    def _effects(self, effects: Sequence[int]) -> str:
        destinations = [self.rules.destinations[index] for index in effects]
        return ", ".join(
            f"{sentences.destination_name(card)} ({sentences.destination_effect(card)})"
            for card in destinations
            if card.effect
        )
