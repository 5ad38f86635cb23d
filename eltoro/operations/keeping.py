"""The board of a real table: begun, written on entry by entry, handed in."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from eltoro.engine import Due, Kept, KeptDay, KeptError, Rules
from eltoro.models import Keeping
from eltoro.operations.refusals import EntryRefused
from eltoro.queries import GAME, kept_board
from eltoro.sheets import Day, Law, against_gains, say, write_day
from fairness import Seed, commitment
from leagues.exceptions import OperationError
from leagues.matches.operations import matches
from leagues.matches.operations.locking import check_permitted
from leagues.models import Match, Player
from leagues.permissions import Action, match_relation

MOST_ENTRIES: Final = 1000
"""Far more than three days have; a board with more is none."""


class StaleBoard(OperationError):  # noqa: N818  a refusal, told politely
    """Another device has written since the page was drawn; nothing was done."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy(
                "Somebody else has made an entry on this board. You now see the latest version."
            )
        )


def begin_keeping(*, match: Match, mode: str, by: Player, at: dt.datetime) -> Keeping:
    """Begin to keep the board of a match that is being written; its seed is fixed from now on.

    The board there is already is given back instead of a second one. Raises `OperationError`.
    """
    if match.game != GAME or mode not in Keeping.Mode.values:
        raise OperationError(_("This match can’t be recorded on a board like this."))
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
    except IntegrityError:  # it is kept already, or two began at once
        return Keeping.objects.get(match=match)


def stake_of(match: Match) -> dict[str, Any]:
    """What the commitment of a kept board binds beside the seed (Ruling F-2)."""
    rules = Rules.from_options(match.rules)
    return {"match": match.pk, "rules": rules.digest, "seats": match.seats.count()}


def choose_dice(
    *, keeping: Keeping, version: int, mode: str, by: Player, at: dt.datetime
) -> Keeping:
    """Let the site roll, or the people, as long as nothing has been entered; the seed stays."""
    with transaction.atomic():
        row = _take(keeping, version=version, by=by, at=at)
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
    """Write one entry; `version` is the one the page showed.

    Raises `StaleBoard` where another device was first, `EntryRefused` for what cannot be now,
    and `OperationError` for who may not write. Refused, nothing is changed.
    """
    with transaction.atomic():
        row = _take(keeping, version=version, by=by, at=at)
        if len(row.lines) >= MOST_ENTRIES:
            raise OperationError(_("This board is full. You can’t add any more entries."))
        _keep(row, _recorded(row, text).entries)
    return row


def _recorded(row: Keeping, text: str) -> Kept:
    try:
        kept = kept_board(row).record(text)
    except KeptError as error:
        raise EntryRefused(error, _names(row)) from error
    _check_points(kept, _names(row))
    return kept


def _check_points(kept: Kept, names: list[str]) -> None:
    """Refuse at once what the referee would refuse at the end: more points than cards bring."""
    law = Law.of(kept.rules, kept.players)
    most = law.most_by_cards
    if max(kept.state.gained) > most:
        raise OperationError(
            _("Cards can earn a player at most %(most)s points in a day (E-4).") % {"most": most}
        )
    by_seat = zip(*(day.gained for day in kept.days), strict=True)
    for objection in against_gains(law, [{gains} for gains in by_seat]):
        raise OperationError(say(kept.rules, objection, names))


def _names(row: Keeping) -> list[str]:
    seats = row.match.seats.select_related("player").order_by("number")
    return [seat.player.name for seat in seats]


def undo_entry(*, keeping: Keeping, version: int, by: Player, at: dt.datetime) -> Keeping:
    """Take the last entry back; entered again, the site's dice fall as they did."""
    with transaction.atomic():
        row = _take(keeping, version=version, by=by, at=at)
        if not row.lines:
            raise OperationError(_("There is nothing to undo."))
        _keep(row, row.lines[:-1])
    return row


def _keep(row: Keeping, entries: tuple[str, ...] | list[str]) -> None:
    row.log = "\n".join(entries)
    row.save(update_fields=["log"])


def hand_in_kept(*, keeping: Keeping, version: int, by: Player, at: dt.datetime) -> Match:
    """Hand the game in as the sheet of its arrivals: a second player confirms it.

    Raises `OperationError` before the last day is scored, and what `matches.hand_in` raises.
    """
    with transaction.atomic():
        row = _take(keeping, version=version, by=by, at=at)
        kept = kept_board(row)
        if kept.due is not Due.OVER:
            raise OperationError(_("The last day has not been scored yet."))
        match = row.match
        return matches.hand_in(
            match=match, version=match.version, by=by, at=at, content=arrivals(kept)
        )


def arrivals(kept: Kept) -> dict[str, Any]:
    """The days scored so far as the referee reads them."""
    return {"kind": "arrivals", "days": [_day(kept, day) for day in kept.days]}


def _day(kept: Kept, day: KeptDay) -> dict[str, Any]:
    laid = tuple(kept.rules.destinations[index].key for index in day.destinations)
    return write_day(
        Day(
            destinations=laid,
            arrived=day.arrived,
            gained=day.gained,
            dice=day.dice,
            aside=day.aside,
        )
    )


def _take(keeping: Keeping, *, version: int, by: Player, at: dt.datetime) -> Keeping:
    """The board one version on, held until the transaction ends: two at once, one of them."""
    found = Keeping.objects.filter(pk=keeping.pk, version=version)
    if not found.update(version=F("version") + 1, changed_at=at):
        raise StaleBoard
    row = Keeping.objects.select_related("match__league", "match__entered_by").get(pk=keeping.pk)
    check_permitted(match_relation(by, row.match), Action.WRITE, row.match)
    return row
