"""The fixtures of a league to which results of a file can be assigned."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from leagues.models import Fixture, FixtureSeat, League, Match, Player

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

NONE_LEFT = gettext_lazy("These players have no fixture left to play.")
NONE_DRAWN = gettext_lazy("No round has been drawn yet.")
NONE_IN_ROUND = gettext_lazy("These players have no fixture left to play in round %d.")
NO_ROUND = gettext_lazy("This league has no round %d.")
_BEGUN = gettext_lazy("%s has begun to enter the result for this fixture.")
_HANDED_IN = gettext_lazy(
    "A result for this fixture has already been entered. Confirm or void it first."
)


@dataclass(frozen=True, kw_only=True)
class FixtureRefusal:
    """Reason why a result can be assigned to no fixture.

    `missing` means that the league has no open fixture of these players.
    """

    reason: _StrPromise
    params: object = None
    missing: bool = False


class OpenFixtures:
    """Open fixtures by their players. Each fixture is assigned to one result, earlier rounds first.

    A fixture is open even if it has a void match or one whose form was opened and left empty.
    """

    def __init__(self, league: League) -> None:
        self.zone = ZoneInfo(league.zone)
        self.by_players: dict[frozenset[int], list[Fixture]] = {}
        self.kept: dict[frozenset[int], dict[int, FixtureRefusal]] = {}
        rows = Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY)
        rows = rows.select_related("round").order_by("round__number", "number")
        seats: dict[int, set[int]] = {}
        for seat in FixtureSeat.objects.filter(fixture__in=rows).select_related("player"):
            seats.setdefault(seat.fixture_id, set()).add(seat.player.person_id)
        kept = _kept_fixtures(league)
        self.drawn = set(league.rounds.values_list("number", flat=True))
        for fixture in rows:
            players = frozenset(seats.get(fixture.pk, ()))
            if fixture.pk in kept:
                self.kept.setdefault(players, {})[fixture.round.number] = kept[fixture.pk]
            else:
                self.by_players.setdefault(players, []).append(fixture)

    def assign_fixture(
        self,
        players: Collection[Player | None],
        day: dt.date | None,
        number: int | None = None,
    ) -> Fixture | FixtureRefusal | None:
        """Assign the first open fixture of exactly these players, and return it.

        With a `number`, the fixture must be of this round. With a `day`, return None and leave the
        fixture open if its round was drawn after this day. Returns a `FixtureRefusal` if there is
        no fixture.
        """
        persons = frozenset(player.person_id for player in players if player is not None)
        whole = len(persons) == len(players)
        waiting = self.by_players.get(persons, []) if whole else []
        found = next((each for each in waiting if number in {None, each.round.number}), None)
        if found is None:
            return self._refusal(persons, number)
        if day is not None and day < self.day_of(found.round.drawn_at):
            return None
        waiting.remove(found)
        return found

    def _refusal(self, persons: frozenset[int], number: int | None) -> FixtureRefusal:
        kept = self.kept.get(persons, {})
        if number is None:
            none = NONE_LEFT if self.drawn else NONE_DRAWN
            return next(iter(kept.values()), FixtureRefusal(reason=none, missing=True))
        if number in kept:
            return kept[number]
        if not self.drawn:
            return FixtureRefusal(reason=NONE_DRAWN, missing=True)
        reason = NONE_IN_ROUND if number in self.drawn else NO_ROUND
        return FixtureRefusal(reason=reason, params=number, missing=True)

    def day_of(self, moment: dt.datetime) -> dt.date:
        return moment.astimezone(self.zone).date()


def _kept_fixtures(league: League) -> dict[int, FixtureRefusal]:
    matches = Match.objects.filter(league=league, fixture__state__in=Fixture.TO_PLAY)
    matches = matches.exclude(state=Match.State.VOID).select_related("entered_by")
    matches = matches.exclude(state=Match.State.DRAFT, draft__isnull=True)
    return {match.fixture_id: _refusal(match) for match in matches if match.fixture_id is not None}


def _refusal(match: Match) -> FixtureRefusal:
    if match.state == Match.State.DRAFT and match.entered_by is not None:
        return FixtureRefusal(reason=_BEGUN, params=match.entered_by.name)
    return FixtureRefusal(reason=_HANDED_IN)


def free_fixtures(fixtures: Collection[Fixture]) -> bool:
    """Detach void and empty matches from fixtures.

    Return whether no fixture has a match any more.
    """
    matches = Match.objects.filter(fixture__in=fixtures)
    unplayed = Q(state=Match.State.VOID) | Q(state=Match.State.DRAFT, draft__isnull=True)
    matches.filter(unplayed).update(
        fixture=None, state=Match.State.VOID, closed_away=False, version=F("version") + 1
    )
    return not matches.exists()
