"""Read-only queries of matches for lists, and the review of stored results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from api.types import JSON
from leagues.games import games
from leagues.members_read.queries import belongs_to
from leagues.models import Dispute, League, Match, MatchSeat, Member, Player, Proposal, Sheet
from leagues.parties import Seating, sides_to_answer
from leagues.text import join_with_and

Seated = TypeVar("Seated")

State = Match.State
# States of matches that lists of a league show: results that count or await a decision.
LISTED_STATES = (*Match.COUNTED, *Match.UNSETTLED)


@dataclass(frozen=True, kw_only=True)
class SeatResult:
    """A player's result in a match.

    `number` is the seat, which is the index of points on a scoresheet.
    """

    player: Player
    number: int
    side: int
    place: int | None
    points: int | None

    @property
    def name(self) -> str:
        return self.player.name


@dataclass(frozen=True, kw_only=True)
class SideResult:
    """A single player, or partners, with the place and points that they share."""

    seats: tuple[SeatResult, ...]

    @property
    def name(self) -> str:
        return join_with_and([seat.name for seat in self.seats])

    @property
    def place(self) -> int | None:
        return self.seats[0].place

    @property
    def points(self) -> int | None:
        return self.seats[0].points


def by_side(seats: Iterable[SeatResult]) -> tuple[SideResult, ...]:
    """Group players by side, in the order of each side's first seat."""
    sides: dict[int, list[SeatResult]] = {}
    for seat in seats:
        sides.setdefault(seat.side, []).append(seat)
    return tuple(SideResult(seats=tuple(side)) for side in sides.values())


def sides_of_rules(game_key: str, rules: JSON, seats: int) -> tuple[int, ...]:
    """Return the side of each seat under these rules.

    In games without partners, each seat is a side of its own.
    """
    game = games.find_game(game_key)
    sides = game.sides(rules, seats) if game is not None and seats > 1 else ()
    return sides if len(sides) == seats else tuple(range(seats))


def seated_by_side(league: League, seated: Sequence[Seated]) -> list[list[Seated]]:
    """Group the items of a fixture's seats, such as players, by side under the rules of the
    league.
    """
    sides: dict[int, list[Seated]] = {}
    numbers = sides_of_rules(league.game, league.rules, len(seated))
    for number, item in zip(numbers, seated, strict=True):
        sides.setdefault(number, []).append(item)
    return list(sides.values())


@dataclass(frozen=True, kw_only=True)
class ResultLine:
    """A match with its players for a list. Winners come first."""

    match: Match
    seats: tuple[SeatResult, ...]

    @property
    def sides(self) -> tuple[SideResult, ...]:
        return by_side(self.seats)

    @property
    def by_number(self) -> list[SeatResult]:
        """Return the players in the order of their seats, as in all data of a scoresheet."""
        return sorted(self.seats, key=lambda seat: seat.number)

    @property
    def seating(self) -> Seating:
        return Seating(sides={seat.player.person_id: seat.side for seat in self.seats})

    @property
    def is_decided(self) -> bool:
        places = [side.place for side in self.sides]
        return len(places) == 2 and None not in places and len(set(places)) == 2

    @property
    def undecided(self) -> bool:
        return self.match.sheet is not None and self.match.sheet.evidence == Sheet.Evidence.OPEN

    @property
    def sided(self) -> bool:
        return len(self.sides) < len(self.seats)

    @property
    def crowded(self) -> bool:
        """Return whether more than two sides played the match.

        If so, lists show each name next to its points.
        """
        return len(self.sides) > 2

    @property
    def text_with_names(self) -> str:
        """Return the result as text without words of any language, partners together: “ana
        10, beto + carla 4”.
        """
        return ", ".join(
            " + ".join(seat.name for seat in side.seats)
            + ("" if side.points is None else f" {side.points}")
            for side in self.sides
        )

    @property
    def forfeited(self) -> bool:
        return self.match.sheet is not None and bool(self.match.sheet.forfeits)

    @property
    def points(self) -> str:
        return " : ".join("–" if side.points is None else str(side.points) for side in self.sides)


def latest_results(league: League, limit: int, *, after: int = 0) -> list[ResultLine]:
    chosen = Match.objects.filter(league=league, state__in=LISTED_STATES)
    return result_lines(chosen.order_by("-played_at", "-pk")[after : after + limit])


def count_by_evidence(league: League) -> dict[str, int]:
    listed = Match.objects.filter(league=league, state__in=LISTED_STATES).exclude(sheet=None)
    counted = listed.values("sheet__evidence").annotate(matches=Count("pk")).order_by()
    return {row["sheet__evidence"]: row["matches"] for row in counted}


def results_of_player(
    player: Player, limit: int, leagues: Iterable[int] | None = None
) -> list[ResultLine]:
    """Return the latest results of a player.

    If `leagues` is given, only matches of these leagues and matches played on the site outside
    leagues are included.
    """
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    chosen = Match.objects.filter(pk__in=seated, state__in=Match.COUNTED)
    if leagues is not None:
        chosen = chosen.filter(Q(league__in=list(leagues)) | Q(league=None, origin="here"))
    return result_lines(chosen.order_by("-played_at", "-pk")[:limit])


def matches_to_confirm(player: Player) -> list[ResultLine]:
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    chosen = Match.objects.filter(pk__in=seated, state=State.HANDED_IN)
    chosen = chosen.exclude(belongs_to(player, "entered_by"))
    lines = result_lines(chosen.select_related("entered_by").order_by("handed_in_at", "pk"))
    return [line for line in lines if not _entered_by_partner(line, player)]


def matches_to_answer(player: Player) -> list[ResultLine]:
    """Return matches with a proposal (such as to void the match) that the player can accept or
    reject.

    This takes three queries.
    """
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    waiting = Proposal.objects.filter(match__in=seated, answered_at=None).select_related("by")
    proposals = {proposal.match_id: proposal for proposal in waiting}
    if not proposals:
        return []
    disputes = Dispute.objects.filter(match__in=proposals, settled_at=None).select_related("by")
    raised = {dispute.match_id: dispute.by for dispute in disputes}
    lines = result_lines(Match.objects.filter(pk__in=proposals).order_by("handed_in_at", "pk"))
    return [
        line
        for line in lines
        if line.seating.side(player)
        in sides_to_answer(
            line.seating,
            by=proposals[line.match.pk].by,
            raised_by=raised.get(line.match.pk),
        )
    ]


def _entered_by_partner(line: ResultLine, player: Player) -> bool:
    return line.seating.partners(player, line.match.entered_by)


def drafts_of_player(player: Player) -> list[ResultLine]:
    """Return matches whose scoresheet the player has begun to enter, with two queries.

    Matches whose scoresheet was only printed are not included.
    """
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    begun = Q(fixture=None) | Q(draft__isnull=False)
    mine = Q(pk__in=seated) | belongs_to(player, "entered_by")
    chosen = Match.objects.filter(mine, begun, state=State.DRAFT)
    return result_lines(chosen.order_by("-created_at", "-pk"))


def result_lines(chosen: QuerySet[Match]) -> list[ResultLine]:
    return [result_line(match) for match in with_seats(chosen)]


def with_seats(chosen: QuerySet[Match]) -> QuerySet[Match]:
    """Add scoresheet, league and players to a queryset of matches, loaded with two queries."""
    seats = MatchSeat.objects.select_related("player__merged_into").order_by("number")
    return chosen.select_related("sheet", "league").prefetch_related(Prefetch("seats", seats))


def names_by_seat(match: Match) -> list[str]:
    """Return the names of a match's players by seat, without a query if it is from `with_seats`."""
    seats = match.seats.all()
    if "seats" not in getattr(match, "_prefetched_objects_cache", {}):
        seats = seats.select_related("player__merged_into").order_by("number")
    return [(seat.player.merged_into or seat.player).name for seat in seats]


def result_line(match: Match) -> ResultLine:
    """Return a match for a list, without a query if it is from `with_seats`."""
    points: Sequence[int] = match.sheet.points if match.sheet else ()
    places: Sequence[int] = match.sheet.places if match.sheet else ()
    seats = [
        SeatResult(
            player=seat.player.merged_into or seat.player,
            number=seat.number,
            side=seat.side,
            place=places[seat.number] if seat.number < len(places) else None,
            points=points[seat.number] if seat.number < len(points) else None,
        )
        for seat in match.seats.all()
    ]
    seats.sort(key=lambda seat: (seat.place or 0, seat.side))
    return ResultLine(match=match, seats=tuple(seats))


def matches_visible_to(player: Player | None) -> QuerySet[Match]:
    """Return the matches that a player may see in lists.

    These are listed matches of public leagues and of the player's own leagues, and all matches that
    the player has played.
    """
    public = Q(league__visibility=League.Visibility.PUBLIC, state__in=LISTED_STATES)
    if player is None:
        return Match.objects.filter(public)
    own = Member.objects.filter(belongs_to(player)).values("league")
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    theirs = Q(league__in=own, state__in=LISTED_STATES) | Q(pk__in=seated)
    return Match.objects.filter(public | theirs)


# Origins of matches whose scoresheet was entered by people. Matches played on the site need no
# review, because they can be verified by their seeds.
HANDWRITTEN_ORIGINS = (Match.Origin.TABLE, Match.Origin.IMPORTED)
# Number of matches that the review of results loads at a time.
REVIEW_BATCH_SIZE = 100


def handwritten_matches(chosen: QuerySet[Match]) -> QuerySet[Match]:
    matches = chosen.filter(state__in=LISTED_STATES, origin__in=HANDWRITTEN_ORIGINS)
    # An imported match has no scoresheet of the game until somebody corrects its result.
    matches = matches.exclude(sheet=None).exclude(sheet__content__has_key="imported")
    return matches.order_by("-played_at", "-pk")


def ended_early(sheet: Sheet) -> bool:
    """Return whether an imported match ended before the goal of the game was reached."""
    content = sheet.content
    return isinstance(content, dict) and "imported" in content and bool(content.get("stopped"))


def review_matches(chosen: QuerySet[Match]) -> Iterator[tuple[Match, tuple[str, ...]]]:
    for match in with_seats(chosen).iterator(chunk_size=REVIEW_BATCH_SIZE):
        yield match, _reasons(match)


def _reasons(match: Match) -> tuple[str, ...]:
    game, sheet = games.find_game(match.game), match.sheet
    if game is None or sheet is None:
        return ()
    names = names_by_seat(match)
    judged = game.referee.judge(
        rules=match.rules, seats=len(names), sheet=sheet.content, names=names
    )
    if judged.objections:
        return tuple(dict.fromkeys(str(objection.sentence) for objection in judged.objections))
    if not judged.over:
        return (_("According to this scoresheet, the match is not over yet."),)
    if list(judged.points) != sheet.points or list(judged.places) != sheet.places:
        sides = result_line(match).sides
        counted = ", ".join(f"{side.name} {judged.points[side.seats[0].number]}" for side in sides)
        return (
            _("Checked again today, the scoresheet gives these points: %(points)s.")
            % {"points": counted},
        )
    return ()
