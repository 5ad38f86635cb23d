"""The results of the last move as a sequence of frames, each with text and changed dice.

A frame contains only dice that differ from the frame before. A script animates the frames on the
map. Without the script, visitors read the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from eltoro.engine import (
    BullRolled,
    BullsMoved,
    CardPlayed,
    Charged,
    Dealt,
    DestinationsLaid,
    Die,
    Discarded,
    EffectPaid,
    Event,
    FirstTaken,
    Matched,
    Placed,
    RunnersMoved,
    RunnersRolled,
    Scored,
    TokenPassed,
    Town,
)
from eltoro.stage import sentences
from eltoro.stage.map_context import FallenRunner, bull_id, runner_id
from eltoro.stage.sentences import EventNames

# Number of sentences of a frame that are shown at first.
GLANCE: Final = 3


class TownEvent(NamedTuple):
    """An event of a game, and the state of the town after it."""

    event: Event
    town: Town


class MoveResult(NamedTuple):
    """The events of a move. `before` is the town before the move, None for the first morning."""

    before: Town | None
    events: Sequence[TownEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFrame:
    """One phase of a move.

    `kind`: for the CSS style. `lines`: sentences. `moved`: ids of dice that differ from the frame
    before. `again`: runners that must be rolled. `faces`: dice with a new face, with the old and
    the new face: `a1 4 5`.
    """

    kind: str
    title: str
    lines: tuple[str, ...]
    town: Town
    moved: frozenset[str] = frozenset()
    again: tuple[str, ...] = ()
    fallen: tuple[FallenRunner, ...] = ()
    faces: tuple[str, ...] = ()

    @property
    def moved_ids(self) -> str:
        return " ".join(sorted(self.moved))

    @property
    def text(self) -> str:
        more = " …" if len(self.lines) > GLANCE else ""
        return " ".join(self.lines[:GLANCE]) + more


# For each type of event that begins a new frame: the kind of the frame. Events of other types
# belong to the current frame.
FRAME_KINDS: Final[Mapping[type[Event], str]] = {
    CardPlayed: "card",
    RunnersMoved: "runners",
    BullsMoved: "bulls",
    Matched: "match",
    Charged: "charge",
    TokenPassed: "token",
    Scored: "score",
    Discarded: "discard",
    FirstTaken: "deal",
    Dealt: "deal",
    EffectPaid: "morning",
    DestinationsLaid: "morning",
    BullRolled: "more",
    RunnersRolled: "morning",
    Placed: "placed",
}


def build_frames(happened: MoveResult, names: EventNames) -> list[MoveFrame]:
    at = dice_by_id(happened.before)
    done = []
    for group in _group_events(happened.events):
        frame = _frame(group, names)
        now = dice_by_id(frame.town)
        changed = [key for key in {**at, **now} if at.get(key) != now.get(key)]
        faces = tuple(
            f"{key} {at[key].face} {now[key].face}"
            for key in changed
            if key in at and key in now and at[key].face != now[key].face
        )
        done.append(replace(frame, moved=frozenset(changed), faces=faces))
        at = now
    return done


def dice_by_id(town: Town | None) -> dict[str, Die]:
    if town is None:
        return {}
    dice = {
        runner_id(seat, number): die
        for seat, own in enumerate(town.runners)
        for number, die in enumerate(own)
        if die is not None
    }
    return dice | {bull_id(number): die for number, die in enumerate(town.bulls)}


def _group_events(town_events: Sequence[TownEvent]) -> list[tuple[str, list[TownEvent]]]:
    """Group events by the kind of their frame. The first event always begins a group."""
    groups: list[tuple[str, list[TownEvent]]] = []
    for town_event in town_events:
        kind = FRAME_KINDS.get(type(town_event.event), "")
        current = groups[-1][0] if groups else ""
        # In the morning, bulls and runners are rolled alternately. All these events belong to one
        # frame.
        same_morning = current == "morning" and kind == "more"
        if not groups or (kind and kind != current and not same_morning):
            groups.append((kind or "deal", []))
        groups[-1][1].append(town_event)
    return groups


def _frame(group: tuple[str, list[TownEvent]], names: EventNames) -> MoveFrame:
    kind, town_events = group
    town = town_events[-1].town
    names = replace(names, laid=town.destinations)
    events = [town_event.event for town_event in town_events]
    lines = [sentences.event_sentence(event, names) for event in events]
    if kind == "card" and len(events) == 1:
        lines.append(_("Nothing happens."))
    return MoveFrame(
        kind=kind,
        title=_title(kind, events[0], names),
        lines=tuple(line for line in lines if line),
        town=town,
        again=tuple(
            runner_id(*runner)
            for event in events
            if isinstance(event, Matched)
            for runner in event.runners
        ),
        fallen=tuple(_fallen_runners(events, names)),
    )


def _title(kind: str, event: Event, names: EventNames) -> str:
    if isinstance(event, CardPlayed):
        return sentences.card_name(names.rules.cards[event.card])
    return {
        "runners": _("The runners move"),
        "bulls": _("The bulls move"),
        "match": _("Same face as a bull"),
        "charge": _("The charge"),
        "token": _("First player"),
        "score": _("The day is over"),
        "discard": _("Evening"),
        "deal": _("New cards"),
        "morning": _("A new morning"),
        "more": _("The other bulls"),
        "placed": _("1s placed"),
    }[kind]


def _fallen_runners(events: Iterable[Event], names: EventNames) -> Iterable[FallenRunner]:
    spaces = names.rules.board.spaces
    for event in events:
        if isinstance(event, Charged) and event.trampled:
            key = spaces[event.after.space].key
            yield FallenRunner(runner=runner_id(*event.runner), space=key, face=event.after.face)
