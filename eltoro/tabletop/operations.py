"""Operations on the tracked board of a game with real cards.

They begin a board, record entries, undo them, and submit the result.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from api.types import JSONObject
from eltoro.engine import DueEntryKind, EntryError, RealBoard, Rules
from eltoro.models import Keeping
from eltoro.queries import GAME, real_board_of
from eltoro.tabletop.sheets import (
    RecordedDay,
    SheetRules,
    against_arrivals,
    judge_arrivals,
    objection_sentence,
    write_day,
)
from fairness import Seed, commitment
from leagues.exceptions import OperationError
from leagues.matches.operations import matches
from leagues.matches.operations.locking import check_permitted
from leagues.models import Match, Player
from leagues.permissions import Action, match_relation

SEAT_LETTERS: Final = "abcdef"

_SENTENCES: Final[Mapping[str, str]] = {
    "unreadable": gettext_noop("Your entry could not be read. Please choose again."),
    "twice": gettext_noop("%(what)s has been chosen twice."),
    "no_seat": gettext_noop("Seat “%(what)s” is empty."),
    "no_die": gettext_noop("Die %(what)s is not on the board today."),
    "trampled": gettext_noop("%(what)s has been trampled and is out for the day (Ruling E-6)."),
    "no_space": gettext_noop(
        "The space “%(what)s” is not in the row where the dice are now (Ruling E-2)."
    ),
    "no_sign": gettext_noop("This board has no sign “%(what)s” (Ruling E-2)."),
    "no_destination": gettext_noop("The game has no destination “%(what)s”."),
    "too_often": gettext_noop(
        "You have chosen one destination more often than there are cards for it."
    ),
    "no_die_due": gettext_noop("%(what)s has no dice to roll this morning (Ruling E-7)."),
    "count": gettext_noop("The number of dice must be %(wanted)s, not %(given)s."),
    "count_of": gettext_noop("The number of dice of %(what)s must be %(wanted)s, not %(given)s."),
    "bull_one": gettext_noop(
        "A bull that shows a 1 must be rolled again until it shows another number (Ruling E-3)."
    ),
    "no_one": gettext_noop(
        "%(what)s can’t be placed: only runners that show a 1 can be placed (Ruling E-3)."
    ),
    "no_bull_left": gettext_noop("All %(count)s bulls are already on the board (Ruling E-6)."),
    "own_token": gettext_noop(
        "There is already a token of the same colour on the chosen sign (Ruling E-5)."
    ),
    "not_own_token": gettext_noop(
        "There is no token of this colour on the chosen sign, so it can’t be moved (Ruling E-5)."
    ),
    "no_token_left": gettext_noop(
        "All three tokens are on the board. Say which one moves (Ruling E-5)."
    ),
    "tokens_left": gettext_noop(
        "%(what)s still has tokens in hand and must lay one of them instead of moving "
        "one (Ruling E-5)."
    ),
    "aside": gettext_noop(
        "%(what)s must move down, not sideways (Ruling E-2). If a card allows sideways "
        "moves, choose that option."
    ),
    "no_token": gettext_noop("There is no token on this sign."),
    "points_below": gettext_noop(
        "%(what)s has gained no points from cards today, so none can be taken away."
    ),
    "charge": gettext_noop("Roll each die in the charge once, and no other dice (Ruling E-6)."),
    "hands_roll": gettext_noop(
        "On this board, you roll your own dice: tap the face that each die shows."
    ),
    "site_rolls": gettext_noop("The site rolls the dice on this board."),
}

_NOT_NOW: Final[Mapping[str, str]] = {
    "dice": gettext_noop("First roll the dice gained from yesterday’s destinations (Ruling E-7)."),
    "lay": gettext_noop("First lay out the destinations."),
    "bulls": gettext_noop("First roll the five bulls at the start (Ruling E-3)."),
    "runners": gettext_noop("First roll the runners (Ruling E-3)."),
    "start": gettext_noop("First place the 1s (Ruling E-3)."),
    "herd": gettext_noop("First roll the remaining bulls (Ruling E-3)."),
    "cards": gettext_noop("You can’t do this while cards are being played."),
    "charge": gettext_noop("First roll the runners that the bulls are charging (Ruling E-6)."),
    "evening": gettext_noop(
        "The points for this day have already been counted. Start the next day."
    ),
    "over": gettext_noop("The game is over."),
}

# All error codes that have a message.
CODES_WITH_SENTENCE: Final = frozenset({*_SENTENCES, "not_now"})


class EntryRefused(OperationError):
    """Error: an entry is not possible now. `code` is the reason, as named by the engine."""

    def __init__(self, error: EntryError, names: Sequence[str]) -> None:
        self.code = error.code
        super().__init__(entry_error_sentence(error, names), "entry")


def entry_error_sentence(error: EntryError, names: Sequence[str]) -> str:
    """Return the message of an entry error in the active language.

    `names` are the players by seat.
    """
    if error.code == "not_now":
        return _(_NOT_NOW[str(error.params["due"])])
    words = {**error.params, "what": piece_name(str(error.params.get("what", "")), names)}
    return _(_SENTENCES[error.code]) % words


def piece_name(what: str, names: Sequence[str]) -> str:
    """Return the name of a seat, a runner or a bull: Ana, Ana’s runner 3, Bull 2.

    `what` is its notation.
    """
    if what in SEAT_LETTERS[: len(names)]:
        return names[SEAT_LETTERS.index(what)] if what else ""
    letter, number = what[:1], what[1:]
    if not (number.isascii() and number.isdecimal()):
        return what
    if letter == "T":
        return _("Bull %(number)s") % {"number": number}
    if letter not in SEAT_LETTERS[: len(names)]:
        return what
    words = {"name": names[SEAT_LETTERS.index(letter)], "number": number}
    return _("%(name)s’s runner %(number)s") % words


# Maximum number of entries on a board. A game of three days needs far fewer.
MAX_ENTRIES: Final = 1000


class StaleBoard(OperationError):
    """Error: another device has changed the board since it was read. Nothing was saved."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy(
                "Somebody else has made an entry on this board. You now see the latest version."
            )
        )


def begin_keeping(*, match: Match, mode: str, by: Player, at: dt.datetime) -> Keeping:
    """Begin the tracked board of a match that is being entered, and fix its seed.

    Returns the board if the match already has one. Raises `OperationError` for another game, an
    unknown mode, or without permission.
    """
    if match.game != GAME or mode not in Keeping.Mode.values:
        raise OperationError(_("This match can’t be recorded on this kind of board."))
    check_permitted(match_relation(by, match), Action.WRITE, match)
    seed = Seed.fresh()
    try:
        with transaction.atomic():
            return Keeping.objects.create(
                match=match,
                mode=mode,
                seed=seed.value,
                commitment=commitment(seed.value, stake_of(match)).hex(),
                begun_at=at,
                changed_at=at,
            )
    except IntegrityError:  # the match already has a board
        return Keeping.objects.get(match=match)


def stake_of(match: Match) -> dict[str, str | int]:
    """Return the data that the board's commitment covers besides the seed (Ruling F-2)."""
    rules = Rules.from_options(match.rules)
    return {"match": match.pk, "rules": rules.digest, "seats": match.seats.count()}


def choose_dice(
    *, keeping: Keeping, version: int, mode: str, by: Player, at: dt.datetime
) -> Keeping:
    """Choose whether the site or the players roll the dice, before the first entry.

    The seed does not change. Raises `OperationError` if there are entries.
    """
    with transaction.atomic():
        row = _lock_version(keeping, version=version, by=by, at=at)
        if row.lines or mode not in Keeping.Mode.values:
            raise OperationError(
                _(
                    "First undo all entries on this board: the kind of dice can only be "
                    "chosen before the first entry."
                )
            )
        row.mode = mode
        row.save(update_fields=["mode"])
    return row


def record_entry(
    *, keeping: Keeping, version: int, text: str, by: Player, at: dt.datetime
) -> Keeping:
    """Record one entry. `version` is the version of the board that the page showed.

    Raises `StaleBoard` if another device has changed the board, `EntryRefused` for an impossible
    entry, and `OperationError` without permission. After an error nothing is changed.
    """
    with transaction.atomic():
        row = _lock_version(keeping, version=version, by=by, at=at)
        if len(row.lines) >= MAX_ENTRIES:
            raise OperationError(_("This board is full. You can’t add any more entries."))
        try:
            kept = real_board_of(row).record(text)
        except EntryError as error:
            raise EntryRefused(error, _names(row)) from error
        _check_points(kept, _names(row))
        _save_entries(row, kept.entries)
    return row


def _check_points(kept: RealBoard, names: list[str]) -> None:
    """Raise `OperationError` for more points than cards can bring.

    Otherwise the referee would reject the result at the end of the game.
    """
    law = SheetRules.of(kept.rules, kept.players)
    most = law.most_by_cards
    if max(kept.state.gained) > most:
        raise OperationError(
            _("Cards can earn a player at most %(most)s points in a day (Ruling E-4).")
            % {"most": most}
        )
    days = judge_arrivals(law, _recorded_days(kept))
    for objection in against_arrivals(law, days) if days else ():
        raise OperationError(objection_sentence(kept.rules, objection, names))


def _names(row: Keeping) -> list[str]:
    seats = row.match.seats.select_related("player").order_by("number")
    return [seat.player.name for seat in seats]


def undo_entry(*, keeping: Keeping, version: int, by: Player, at: dt.datetime) -> Keeping:
    """Undo the last entry.

    If the same entry is made again, the site rolls the same dice.
    """
    with transaction.atomic():
        row = _lock_version(keeping, version=version, by=by, at=at)
        if not row.lines:
            raise OperationError(_("There is nothing to undo."))
        _save_entries(row, row.lines[:-1])
    return row


def _save_entries(row: Keeping, entries: tuple[str, ...] | list[str]) -> None:
    row.log = "\n".join(entries)
    row.save(update_fields=["log"])


def hand_in_board(*, keeping: Keeping, version: int, by: Player, at: dt.datetime) -> Match:
    """Submit the game as a scoresheet of arrivals, which a second player must confirm.

    Raises `OperationError` until the last day is scored, and the errors of `matches.hand_in`.
    """
    with transaction.atomic():
        row = _lock_version(keeping, version=version, by=by, at=at)
        kept = real_board_of(row)
        if kept.due is not DueEntryKind.OVER:
            raise OperationError(_("The last day has not been scored yet."))
        match = row.match
        return matches.hand_in(
            match=match, version=match.version, by=by, at=at, content=arrivals(kept)
        )


def arrivals(kept: RealBoard) -> JSONObject:
    """Return a scoresheet of the days scored so far, in the format of the referee."""
    return {"kind": "arrivals", "days": [write_day(day) for day in _recorded_days(kept)]}


def _recorded_days(kept: RealBoard) -> list[RecordedDay]:
    return [
        RecordedDay(
            destinations=tuple(kept.rules.destinations[index].key for index in day.destinations),
            arrived=day.arrived,
            gained=day.gained,
            dice=day.dice,
            aside=day.aside,
        )
        for day in kept.days
    ]


def _lock_version(keeping: Keeping, *, version: int, by: Player, at: dt.datetime) -> Keeping:
    """Check and increase the version of the board, which locks it until the transaction ends.

    Raises `StaleBoard` for an old version, and `OperationError` without permission.
    """
    rows = Keeping.objects.filter(pk=keeping.pk, version=version)
    if not rows.update(version=F("version") + 1, changed_at=at):
        raise StaleBoard
    row = Keeping.objects.select_related("match__league", "match__entered_by").get(pk=keeping.pk)
    check_permitted(match_relation(by, row.match), Action.WRITE, row.match)
    return row
