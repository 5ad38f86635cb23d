"""What the last move brought, phase by phase: each a frame, in words and as dice that changed.

A frame names only the dice that lie or show otherwise than in the frame before. The script steps
through them over the map it has and the map it gets; who has none reads the words.
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

GLANCE: Final = 3
"""Sentences of a frame that are read at a glance."""


class TownEvent(NamedTuple):
    """An event, and the town after it."""

    event: Event
    town: Town


class MoveResult(NamedTuple):
    """What a move brought; `before` is the town it was made in, None for the first morning."""

    before: Town | None
    told: Sequence[TownEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One phase of what happened. `kind` is for the style; `lines` are its sentences.

    `moved`: dice that lie or show otherwise than before, by id. `again`: runners that must roll.
    `faces`: dice that show another face, with that before and that after: `a1 4 5`.
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
        """Those of them, in order."""
        return " ".join(sorted(self.moved))

    @property
    def text(self) -> str:
        """Its first sentences; the list beside has them all."""
        more = " …" if len(self.lines) > GLANCE else ""
        return " ".join(self.lines[:GLANCE]) + more


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
"""Which frame an event begins, unless it is in it already; the others go with the frame there."""


def build_frames(happened: MoveResult, names: EventNames) -> list[Frame]:
    """The frames of what happened, in order."""
    at = dice_by_id(happened.before)
    done = []
    for group in _group_events(happened.told):
        frame = _frame(group, names)
        now = dice_by_id(frame.town)
        changed = [key for key in {**at, **now} if at.get(key) != now.get(key)]
        faces = tuple(_turned_die(key, at, now) for key in changed if key in at and key in now)
        done.append(replace(frame, moved=frozenset(changed), faces=tuple(filter(None, faces))))
        at = now
    return done


def dice_by_id(town: Town | None) -> dict[str, Die]:
    """Every die in town by its id; none where there is no town."""
    if town is None:
        return {}
    found = {
        runner_id(seat, number): die
        for seat, own in enumerate(town.runners)
        for number, die in enumerate(own)
        if die is not None
    }
    return found | {bull_id(number): die for number, die in enumerate(town.bulls)}


def _turned_die(key: str, at: Mapping[str, Die], now: Mapping[str, Die]) -> str:
    """A die with its faces before and after, where they differ."""
    before, after = at[key].face, now[key].face
    return f"{key} {before} {after}" if before != after else ""


def _group_events(told: Sequence[TownEvent]) -> list[tuple[str, list[TownEvent]]]:
    """Events that belong together, each group with its kind; a move begins with its first event."""
    groups: list[tuple[str, list[TownEvent]]] = []
    for one in told:
        kind = FRAME_KINDS.get(type(one.event), "")
        if not groups or (kind and kind != groups[-1][0] and not _is_morning(kind, groups[-1][0])):
            groups.append((kind or "deal", []))
        groups[-1][1].append(one)
    return groups


def _is_morning(kind: str, before: str) -> bool:
    """Whether it belongs to the morning that has begun: bulls and runners come in turn."""
    return before == "morning" and kind == "more"


def _frame(group: tuple[str, list[TownEvent]], names: EventNames) -> Frame:
    kind, told = group
    town = told[-1].town
    names = replace(names, laid=town.destinations)
    lines = [sentences.event_sentence(one.event, names) for one in told]
    if kind == "card" and len(told) == 1:
        lines.append(_("Nothing happens."))
    return Frame(
        kind=kind,
        title=_title(kind, told[0].event, names),
        lines=tuple(line for line in lines if line),
        town=town,
        again=tuple(_charging_ids(told)),
        fallen=tuple(_fallen_runners(told, names)),
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


def _charging_ids(told: Iterable[TownEvent]) -> Iterable[str]:
    for one in told:
        if isinstance(one.event, Matched):
            yield from (runner_id(*runner) for runner in one.event.runners)


def _fallen_runners(told: Iterable[TownEvent], names: EventNames) -> Iterable[FallenRunner]:
    spaces = names.rules.board.spaces
    for event in (one.event for one in told):
        if isinstance(event, Charged) and event.trampled:
            key = spaces[event.after.space].key
            yield FallenRunner(runner=runner_id(*event.runner), space=key, face=event.after.face)
