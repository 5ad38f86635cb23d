"""Statistics of a player's results: form, opponents, partners, records and head to head.

These functions do not access the database. The caller passes the places of the results to include.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from leagues.standings.scoring import DRAW, LOSS, WIN, Placing, ScoredMeeting, meetings

FORM_LENGTH = 10


@dataclass(slots=True)
class Duel:
    """A player's results against one opponent, in matches in which they were on different sides.

    In matches with more than two sides, the places of these two players are compared. `margin` is
    the sum of the player's points minus those of the opponent.
    """

    player: int
    rival: int
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    margin: int = 0

    def add_meeting(self, placing: Placing, rival: Placing) -> None:
        self.played += 1
        self.won += placing.place < rival.place
        self.drawn += placing.place == rival.place
        self.lost += placing.place > rival.place
        self.margin += placing.points - rival.points


@dataclass(slots=True)
class Partnership:
    player: int
    partner: int
    played: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BestResult:
    value: int
    match: Hashable
    when: datetime
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WinStreak:
    """Consecutive wins. `since` and `until` are the times of the first and last one."""

    length: int
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """Statistics of a player's results.

    `last` are the last ten results, oldest first: `W` (won), `D` (drawn), `L` (lost). `opponents`
    and `partners` are sorted by number of matches. `nemesis` is the opponent with the most wins
    against the player, `favourite` the opponent with the most losses. Each is None if there is no
    such opponent. `games` counts matches by game. Records are None before the first match, and
    `longest_run` before the first win.
    """

    player: int
    played: int
    won: int
    drawn: int
    lost: int
    last: tuple[str, ...]
    opponents: tuple[Duel, ...]
    partners: tuple[Partnership, ...]
    nemesis: Duel | None
    favourite: Duel | None
    longest_run: WinStreak | None
    current_run: int
    highest_points: BestResult | None
    biggest_margin: BestResult | None
    games: dict[str, int]


OwnResult = tuple[ScoredMeeting, Placing]


def player_statistics(player: int, placings: Iterable[Placing]) -> PlayerStatistics:
    own = _own_results(player, placings)
    results = [meeting.outcome(placing) for meeting, placing in own]
    opponents = _opponents(player, own)
    return PlayerStatistics(
        player=player,
        played=len(own),
        won=results.count(WIN),
        drawn=results.count(DRAW),
        lost=results.count(LOSS),
        last=tuple(results[-FORM_LENGTH:]),
        opponents=opponents,
        partners=_partners(player, own),
        nemesis=_duel_with_most(opponents, lambda duel: duel.lost),
        favourite=_duel_with_most(opponents, lambda duel: duel.won),
        longest_run=_longest_run(own, results),
        current_run=_current_run(results),
        highest_points=_record(own, lambda _, placing: placing.points),
        biggest_margin=_record(
            own, lambda meet, placing: placing.points - meet.points_against(placing)
        ),
        games=_games(own),
    )


def head_to_head(
    players: Collection[int], placings: Iterable[Placing]
) -> dict[tuple[int, int], Duel]:
    """Return the results of each two of these players who have met.

    The key (a, b) has the results of player a against player b. The key (b, a) has the same from
    the other side.
    """
    cells: dict[tuple[int, int], Duel] = {}
    wanted = frozenset(players)
    for meeting in meetings(placings):
        for placing in meeting.placings:
            if placing.player in wanted:
                for rival in meeting.rivals(placing):
                    if rival.player in wanted:
                        key = (placing.player, rival.player)
                        cells.setdefault(key, Duel(*key)).add_meeting(placing, rival)
    return cells


def _own_results(player: int, placings: Iterable[Placing]) -> list[OwnResult]:
    return [
        (meeting, placing)
        for meeting in meetings(placings)
        for placing in meeting.placings
        if placing.player == player
    ]


def _opponents(player: int, own: Sequence[OwnResult]) -> tuple[Duel, ...]:
    duels: dict[int, Duel] = {}
    for meeting, placing in own:
        for rival in meeting.rivals(placing):
            duels.setdefault(rival.player, Duel(player, rival.player)).add_meeting(placing, rival)
    return tuple(sorted(duels.values(), key=lambda duel: (-duel.played, duel.rival)))


def _partners(player: int, own: Sequence[OwnResult]) -> tuple[Partnership, ...]:
    partnerships: dict[int, Partnership] = {}
    for meeting, placing in own:
        won = meeting.outcome(placing) == WIN
        for other in meeting.partners(placing):
            partnership = partnerships.setdefault(other.player, Partnership(player, other.player))
            partnership.played += 1
            partnership.won += won
    return tuple(sorted(partnerships.values(), key=lambda both: (-both.played, both.partner)))


def _duel_with_most(duels: Sequence[Duel], count: Callable[[Duel], int]) -> Duel | None:
    some = [duel for duel in duels if count(duel)]
    return min(some, key=lambda duel: (-count(duel), duel.played, duel.rival), default=None)


def _longest_run(own: Sequence[OwnResult], results: Sequence[str]) -> WinStreak | None:
    best: WinStreak | None = None
    for won, matches in groupby(zip(own, results, strict=True), lambda pair: pair[1] == WIN):
        dates = [placing.when for (_, placing), _ in matches]
        if won and (best is None or len(dates) > best.length):
            best = WinStreak(length=len(dates), since=dates[0], until=dates[-1])
    return best


def _current_run(results: Sequence[str]) -> int:
    return next(
        (length for length, result in enumerate(reversed(results)) if result != WIN), len(results)
    )


def _record(
    own: Sequence[OwnResult], figure: Callable[[ScoredMeeting, Placing], int]
) -> BestResult | None:
    if not own:
        return None
    value, placing = max(
        ((figure(meeting, placing), placing) for meeting, placing in own), key=lambda both: both[0]
    )
    return BestResult(value=value, match=placing.match, when=placing.when, game=placing.game)


def _games(own: Sequence[OwnResult]) -> dict[str, int]:
    games: dict[str, int] = {}
    for _, placing in own:
        games[placing.game] = games.get(placing.game, 0) + 1
    return games
