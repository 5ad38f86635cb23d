"""Sentences about events and errors of the El Toro engine, in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from eltoro.engine import (
    DECK,
    REASONS,
    BullAdded,
    BullLed,
    BullRolled,
    CardPlayed,
    Charged,
    DataError,
    Dealt,
    Die,
    DieRolled,
    DieTurned,
    Discarded,
    Drew,
    EffectPaid,
    Event,
    FirstTaken,
    Gained,
    IllegalMove,
    Matched,
    Placed,
    Rules,
    Scored,
    Shuffled,
    TokenPassed,
    TokenPlaced,
    TokenRemoved,
)
from eltoro.stage.sentences.cards import card_name, destination_name, space_name


def refusal_sentence(error: IllegalMove) -> str:
    params = dict(error.params)
    named = {card.key: card_name(card) for card in DECK}
    if "card" in params:
        params["card"] = named.get(str(params["card"]), params["card"])
    return _(REASONS[error.code][1]) % params


def data_error_sentence(error: DataError) -> str:
    sentence = _(REASONS[error.code][1]) % error.params
    words = {"line": error.line, "sentence": sentence, "ruling": error.ruling}
    if error.line:
        return _("Line %(line)s: %(sentence)s (Ruling %(ruling)s)") % words
    return _("%(sentence)s (Ruling %(ruling)s)") % words


FIRST_BULLS: Final = 5


@dataclass(frozen=True)
class EventNames:
    """Names of players and spaces for sentences. `laid`: the destinations of the day."""

    players: Sequence[str]
    rules: Rules
    laid: tuple[int, ...] = ()

    def space(self, space: int) -> str:
        return space_name(self.rules, space, self.laid)

    def sign(self, sign: tuple[int, int]) -> str:
        fork, parity = sign
        sentence = _("%(space)s, odd") if parity else _("%(space)s, even")
        return sentence % {"space": self.space(fork)}

    def die(self, runner: tuple[int, int] | None, before: Die) -> str:
        """Return a die with its owner and face: `Ana’s 3`, `the bull showing 5`."""
        if runner is None:
            return _("the bull showing %(face)s") % {"face": before.face}
        return _("%(who)s’s %(face)s") % {"who": self.players[runner[0]], "face": before.face}


def event_sentence(event: Event, names: EventNames) -> str:
    """Return the sentence about an event. Empty for events without a sentence."""
    tell = EVENT_SENTENCES.get(type(event))
    return tell(event, names) if tell else ""


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _card(event: CardPlayed, names: EventNames) -> str:
    return _("%(who)s plays “%(card)s”.") % {
        "who": names.players[event.seat],
        "card": card_name(names.rules.cards[event.card]),
    }


def _rolled(event: DieRolled, names: EventNames) -> str:
    params = {
        "die": names.die(event.runner, event.before),
        "space": names.space(event.before.space),
        "face": event.after.face,
    }
    if event.before.face == event.after.face:
        return _capitalized(_("%(die)s at %(space)s rolls again: %(face)s once more.") % params)
    return _capitalized(_("%(die)s at %(space)s rolls again: now %(face)s.") % params)


def _die_turned(event: DieTurned, names: EventNames) -> str:
    params = {
        "die": names.die(event.runner, event.before),
        "space": names.space(event.before.space),
        "face": event.after.face,
    }
    return _capitalized(_("%(die)s at %(space)s is turned to %(face)s.") % params)


def _bull(event: BullRolled, names: EventNames) -> str:
    """Return a sentence about a bull rolled in the morning.

    It is empty for the first five bulls, because each of them begins on a fixed space.
    """
    if event.bull < FIRST_BULLS:
        return ""
    params = {"face": event.die.face, "space": names.space(event.die.space)}
    return _("Another bull, showing %(face)s, arrives at %(space)s.") % params


def _led(event: BullLed, names: EventNames) -> str:
    return _capitalized(
        _("%(die)s goes from %(space)s to %(to)s.")
        % {
            "die": names.die(None, event.before),
            "space": names.space(event.before.space),
            "to": names.space(event.after.space),
        }
    )


def _added(event: BullAdded, names: EventNames) -> str:
    params = {"face": event.die.face, "space": names.space(event.die.space)}
    return _("Another bull, showing %(face)s, arrives at %(space)s.") % params


def _token(event: TokenPlaced, names: EventNames) -> str:
    params = {"who": names.players[event.seat], "sign": names.sign(event.sign)}
    if event.replaced is None:
        return _("%(who)s’s token points the way: %(sign)s.") % params
    params["other"] = names.players[event.replaced]
    return _("%(who)s’s token replaces %(other)s’s token: %(sign)s.") % params


def _token_off(event: TokenRemoved, names: EventNames) -> str:
    params = {"who": names.players[event.seat], "sign": names.sign(event.sign)}
    return _("%(who)s’s token is removed from the board: %(sign)s.") % params


def _drew(event: Drew, names: EventNames) -> str:
    sentence = ngettext("%(who)s draws a card.", "%(who)s draws %(n)s cards.", event.count)
    return sentence % {"who": names.players[event.seat], "n": event.count}


def _cards_dealt(event: Dealt, names: EventNames) -> str:
    sentence = ngettext("%(who)s is dealt a card.", "%(who)s is dealt %(n)s cards.", event.count)
    return sentence % {"who": names.players[event.seat], "n": event.count} if event.count else ""


def _points(event: Gained | Scored, names: EventNames) -> str:
    sentence = ngettext("%(who)s gains %(n)s point.", "%(who)s gains %(n)s points.", event.points)
    return sentence % {"who": names.players[event.seat], "n": event.points}


def _paid(event: EffectPaid, names: EventNames) -> str:
    params: dict[str, str | int | None] = {
        "who": names.players[event.seat],
        "place": destination_name(names.rules.destinations[event.destination]),
        "n": event.points,
        "die": event.die,
    }
    if event.die is None:
        sentence = ngettext(
            "%(place)s: %(n)s point for %(who)s.",
            "%(place)s: %(n)s points for %(who)s.",
            event.points,
        )
        return sentence % params
    if event.points < 0:
        return _("%(place)s: %(who)s rolls a %(die)s and loses a point.") % params
    return _("%(place)s: %(who)s rolls a %(die)s and gains that many points.") % params


def _matched(event: Matched, names: EventNames) -> str:
    if not event.runners:
        return _("No runner shows the same face as a bull beside it.")
    sentence = ngettext(
        "%(n)s runner shows the same face as a bull beside it and must be rolled again.",
        "%(n)s runners show the same face as a bull beside them and must be rolled again.",
        len(event.runners),
    )
    return sentence % {"n": len(event.runners)}


def _charged(event: Charged, names: EventNames) -> str:
    params = {
        "die": names.die(event.runner, event.before),
        "space": names.space(event.before.space),
        "face": event.after.face,
    }
    if event.trampled:
        return _capitalized(_("%(die)s at %(space)s rolls %(face)s: trampled!") % params)
    return _capitalized(_("%(die)s at %(space)s rolls %(face)s and is safe.") % params)


def _runners_placed(event: Placed, names: EventNames) -> str:
    where = ", ".join(names.space(space) for _number, space in event.placed)
    return _("%(who)s places runners that show a 1 at %(where)s.") % {
        "who": names.players[event.seat],
        "where": where,
    }


def _discarded(event: Discarded, names: EventNames) -> str:
    if not event.count:
        return _("%(who)s keeps all their cards.") % {"who": names.players[event.seat]}
    sentence = ngettext("%(who)s discards a card.", "%(who)s discards %(n)s cards.", event.count)
    return sentence % {"who": names.players[event.seat], "n": event.count}


def _passed(event: TokenPassed, names: EventNames) -> str:
    return _("The first-player token goes to %(who)s.") % {"who": names.players[event.to]}


def _token_taken(event: FirstTaken, names: EventNames) -> str:
    return _("%(who)s takes the first-player token.") % {"who": names.players[event.seat]}


def _shuffled(event: Shuffled, names: EventNames) -> str:
    return _("The discards are shuffled into a new deck.") if event.again else ""


# Events of types that are missing from this table are not described by a sentence.
EVENT_SENTENCES: Final[Mapping[type[Event], Callable[[Any, EventNames], str]]] = {
    CardPlayed: _card,
    DieRolled: _rolled,
    DieTurned: _die_turned,
    BullRolled: _bull,
    BullLed: _led,
    BullAdded: _added,
    TokenPlaced: _token,
    TokenRemoved: _token_off,
    Drew: _drew,
    Dealt: _cards_dealt,
    Gained: _points,
    Scored: _points,
    EffectPaid: _paid,
    Matched: _matched,
    Charged: _charged,
    Placed: _runners_placed,
    Discarded: _discarded,
    TokenPassed: _passed,
    FirstTaken: _token_taken,
    Shuffled: _shuffled,
}
