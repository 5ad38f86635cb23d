"""Merging of guests into other players: claims, links, consequences, and undoing a merge."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from leagues import notifications
from leagues.exceptions import NotAllowed, OperationError
from leagues.matches.consequences import (
    Consequences,
    RatingChange,
    StandingChange,
    rating_changes,
    standing_changes,
)
from leagues.members_read.queries import belongs_to, player_rows_of
from leagues.models import (
    Claim,
    FixtureSeat,
    League,
    Match,
    MatchSeat,
    Member,
    Merge,
    Place,
    Player,
    Pool,
    Result,
    Table,
    TableSeat,
)
from leagues.permissions import is_site_admin
from leagues.players import guest_of, remember_guest
from leagues.ratings import pools
from leagues.ratings.calculation import RatedOutcome
from leagues.ratings.recounts import send_recounts
from leagues.results import touch_league
from leagues.search_index import index_players
from leagues.standings.queries import standings_basis
from leagues.text import join_with_and

if TYPE_CHECKING:
    from django.http import HttpRequest


def repoint(players: Sequence[int], *, at: dt.datetime) -> None:
    """Update `merged_into` of these players from the merges that have not been undone.

    The places of their results are updated too, and rating pools are recalculated from the first
    result concerned. Merging and undoing a merge consist of this function only. Call it in a
    transaction.
    """
    kept = dict(Merge.objects.filter(undone_at=None).values_list("absorbed", "kept"))
    for key in players:
        root = key
        while root in kept:
            root = kept[root]
        Player.objects.filter(pk=key).update(merged_into=None if root == key else root)
    index_players(players)
    seats = MatchSeat.objects.filter(player__in=players)
    results = list(
        Result.objects.filter(match__seats__in=seats).distinct().select_related("league")
    )
    affected = _pools(results)
    placed = _placed_players(results)
    _update_places(results)
    also = placed | _placed_players(results)
    for league in leagues_of(players):
        touch_league(league)  # leagues are always locked before pools
    for pool, point in affected:
        pools.count_from(pool, point, at=at, also=also)


def lock_players(keys: Sequence[int]) -> dict[int, Player]:
    """Lock players until the transaction ends, with everything calculated from their results.

    Leagues are locked first, then matches, then players, in the same order as for a confirmation.
    """
    names = Q(player__in=keys) | Q(player__merged_into__in=keys)
    leagues = [league.pk for league in leagues_of(keys)]
    list(League.objects.select_for_update(no_key=True).filter(pk__in=leagues).order_by("pk"))
    seated = MatchSeat.objects.filter(names).values("match")
    list(Match.objects.select_for_update(no_key=True).filter(pk__in=seated).order_by("pk"))
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
    return {row.pk: row for row in rows}


def leagues_of(players: Sequence[int]) -> list[League]:
    """Return leagues in which one of these players is a member or has results."""
    member = Member.objects.filter(player__in=players).values("league")
    seated = MatchSeat.objects.filter(player__in=players).values("match__league")
    return list(League.objects.filter(Q(pk__in=member) | Q(pk__in=seated)).order_by("pk"))


def _pools(results: Iterable[Result]) -> list[tuple[Pool, pools.HistoryPoint]]:
    """Return the rating pools that count one of these match results, each with the first such
    result.

    Pools of leagues come first.
    """
    pools_touched: dict[int, tuple[Pool, pools.HistoryPoint]] = {}
    for result in sorted(results, key=pools.point_of):
        for pool in pools.pools_of_result(result):
            pools_touched.setdefault(pool.pk, (pool, pools.point_of(result)))
    return sorted(
        pools_touched.values(),
        key=lambda pool_and_point: (pool_and_point[0].league_id is None, pool_and_point[0].pk),
    )


def _placed_players(results: Iterable[Result]) -> set[int]:
    return set(Place.objects.filter(result__in=results).values_list("player", flat=True))


def _update_places(results: Sequence[Result]) -> None:
    places = list(Place.objects.filter(result__in=results).select_related("result"))
    seats = MatchSeat.objects.filter(match__result__in=results).select_related("player")
    person = {(seat.match_id, seat.number): seat.player.person_id for seat in seats}
    for place in places:
        place.player_id = person[place.result.match_id, place.seat]
    Place.objects.bulk_update(places, ["player"], batch_size=500)


def merge_consequences(
    absorbed: Player, kept: Player, among: Collection[int] | None = None
) -> Consequences:
    """Return what changes if one player is merged into another. Nothing is saved.

    `among` are the primary keys of the leagues to include, None for all.
    """
    old, new = absorbed.person_id, kept.person_id
    standings: list[StandingChange] = []
    for league in leagues_of([old]):
        if among is not None and league.pk not in among:
            continue
        before = standings_basis(league)
        standings += standing_changes(before, before.renamed(old, new))
    return Consequences(standings=tuple(standings), ratings=_ratings(old, new, among))


def _ratings(old: int, new: int, among: Collection[int] | None) -> tuple[RatingChange, ...]:
    results = Result.objects.filter(placings__player=old).distinct().select_related("league")
    return tuple(
        change
        for pool, point in _pools(results)
        if among is None or pool.league_id is None or pool.league_id in among
        for change in rating_changes(pool, point, _renaming(old, new))
    )


def _renaming(old: int, new: int) -> Callable[[RatedOutcome], RatedOutcome | None]:
    def change(outcome: RatedOutcome) -> RatedOutcome:
        sides = tuple(
            tuple(new if player == old else player for player in side) for side in outcome.sides
        )
        return RatedOutcome(match=outcome.match, sides=sides, places=outcome.places)

    return change


SALT = "leagues.guest"
# Number of days for which a link to a guest is valid.
LINK_DAYS = 30


def answers_for(player: Player | None, guest: Player) -> bool:
    """Return whether a player may manage a guest. Organisers may manage the guests of their
    leagues.

    Administrators may manage all guests. A guest without a league may be managed by the player who
    added the guest.
    """
    return guest.pk in _vouched_guests(player, [guest])


def _vouched_guests(player: Player | None, guests: Collection[Player]) -> set[int]:
    if player is None or not guests:
        return set()
    if is_site_admin(player):
        return {guest.pk for guest in guests}
    names = _merged_below(guests)
    leagues: dict[int, set[int]] = {}
    rows = Member.objects.filter(player__in={name for some in names.values() for name in some})
    for name, league in rows.values_list("player", "league"):
        leagues.setdefault(name, set()).add(league)
    organises = Member.objects.filter(belongs_to(player), role=Member.Role.ORGANISER)
    organised = set(organises.values_list("league", flat=True))
    vouched = set()
    for guest in guests:
        theirs = {league for name in names[guest.pk] for league in leagues.get(name, ())}
        adder = guest.added_by
        if theirs & organised or (
            not theirs and adder is not None and adder.person_id == player.person_id
        ):
            vouched.add(guest.pk)
    return vouched


def guest_link(*, guest: Player, by: Player) -> str:
    """Return a token that opens the guest on any device, for 30 days or until the guest is
    claimed.
    """
    if not guest.is_guest or guest.merged_into_id:
        raise OperationError(_("%s is no longer a guest.") % guest)
    if not answers_for(by, guest):
        raise NotAllowed(_("Only an organiser of one of the guest’s leagues can do this."))
    return signing.dumps(guest.pk, salt=SALT)


def guest_of_link(token: str) -> Player:
    """Return the guest (player without an account) to whom a link gives access.

    Raises `OperationError` if the link is invalid or expired.
    """
    try:
        key = signing.loads(token, salt=SALT, max_age=dt.timedelta(days=LINK_DAYS))
    except signing.BadSignature as error:
        raise OperationError(_("This link is no longer valid. Ask for a new link.")) from error
    guest = Player.objects.guests().filter(pk=key).first()
    if guest is None:
        raise OperationError(_("Someone has already claimed to be this guest."))
    return guest


def play_as_guest(request: HttpRequest, *, token: str) -> Player:
    """Let this browser play as the guest of a link, without signing in to an account."""
    guest = guest_of_link(token)
    remember_guest(request, guest)
    return guest


def claim_by_link(*, token: str, by: Player, at: dt.datetime) -> Merge:
    """Merge the guest of a link into the user's player."""
    return _merge(guest_of_link(token), by, by=by, at=at)


def claim_held_guest(request: HttpRequest, *, by: Player, at: dt.datetime) -> Merge | None:
    """Merge the guest of this browser into the user's player, after the user has signed in."""
    guest = guest_of(request)
    if guest is None or guest.pk == by.pk:
        return None
    return _merge(guest, by, by=by, at=at)


def propose_claim(*, guest: Player, by: Player, at: dt.datetime) -> Claim:
    """Claim to be a guest.

    An organiser of one of the guest's leagues accepts or rejects the claim.
    """
    check_may_claim(guest, by)
    try:
        with transaction.atomic():
            claim = Claim.objects.create(guest=guest, by=by, at=at)
            notifications.notify_guest_claimed(guest, by=by, at=at)
    except IntegrityError as error:
        raise _claimed_already() from error
    return claim


def check_may_claim(guest: Player, by: Player) -> None:
    """Raise `OperationError` if a player cannot claim to be this guest now."""
    check_mergeable(guest, by)
    if not Member.objects.filter(player__in=player_rows_of(guest)).exists():
        raise OperationError(
            _("%s is not in any league, so there is no organiser who could decide on this claim.")
            % guest
        )
    if Claim.objects.filter(guest=guest, by=by, answered_at=None).exists():
        raise _claimed_already()


def _claimed_already() -> OperationError:
    return OperationError(_("You have already claimed to be this guest. An organiser will decide."))


def answer_claim(*, claim: Claim, granted: bool, by: Player, at: dt.datetime) -> Merge | None:
    """Accept or reject a player's claim to be a guest."""
    with transaction.atomic():
        row = (
            Claim.objects.select_for_update(of=("self",), no_key=True)
            .select_related("guest", "by")
            .get(pk=claim.pk)
        )
        check_may_answer(row, by)
        row.answered_at, row.answered_by, row.granted = at, by, granted
        row.save(update_fields=["answered_at", "answered_by", "granted"])
        return _merge(row.guest, row.by, by=by, at=at) if granted else None


def check_may_answer(claim: Claim, by: Player) -> None:
    """Raise `OperationError` if the player may not accept or reject a claim."""
    if claim.answered_at is not None:
        raise OperationError(_("The claim to this guest has already been decided."))
    if not answers_for(by, claim.guest):
        raise NotAllowed(_("Only an organiser of one of the guest’s leagues can do this."))
    if claim.by.person_id == by.person_id and not is_site_admin(by):
        raise NotAllowed(_("You can’t decide your own claim. Another organiser must decide it."))


def preview_merge(
    *, absorbed: Player, kept: Player, among: Collection[int] | None = None
) -> Consequences:
    """Preview the effects of a merge on standings and ratings. Nothing is saved.

    `among` are the primary keys of the leagues that the user may know of, None for all.
    """
    check_mergeable(absorbed, kept)
    return merge_consequences(absorbed, kept, among)


def merge_players(*, absorbed: Player, kept: Player, by: Player, at: dt.datetime) -> Merge:
    """Merge a guest into another player.

    For organisers who manage both, and for users who merge a guest into their own player.
    Scoresheets keep the old name. Places, standings and ratings are transferred to `kept`.
    """
    if not answers_for(by, absorbed):
        raise NotAllowed(_("Only an organiser of one of the guest’s leagues can do this."))
    if not (answers_for(by, kept) or by.person_id == kept.person_id):
        raise NotAllowed(_("Only an organiser of one of the guest’s leagues can do this."))
    return _merge(absorbed, kept, by=by, at=at)


def mergeable_with(guest: Player, members: Iterable[Member], by: Player) -> list[Player]:
    """Return players into whom an organiser may merge a guest: other guests and the organiser.

    Other members with an account must claim the guest themselves.
    """
    people = (member.player for member in members if member.player.merged_into_id is None)
    return [
        player
        for player in people
        if player.pk != guest.person_id and (player.is_guest or player.pk == by.person_id)
    ]


@dataclass(frozen=True, kw_only=True)
class SameName:
    """A guest with the same name as another player of the league, into whom the guest can be
    merged.
    """

    member: Member
    kept: Player


def same_names(members: Iterable[Member], by: Player) -> list[SameName]:
    """Return merges of players with the same name to suggest to the organiser `by`.

    Guests with the same name were created before names were compared like this, or come from
    another league. Players who have met each other are different people and are not suggested. The
    others are merged into the organiser, if that name is the organiser's own, or else into the
    first guest. Takes one query if there are any.
    """
    groups: dict[str, list[Member]] = {}
    for member in sorted(members, key=lambda member: member.player_id):
        player = member.player
        if player.merged_into_id is None and (player.is_guest or player.pk == by.person_id):
            groups.setdefault(player.name_key, []).append(member)
    groups = {key: group for key, group in groups.items() if key and len(group) > 1}
    met = _pairs_who_met([member.player_id for group in groups.values() for member in group])
    offers = []
    for group in groups.values():
        kept = next((each.player for each in group if not each.player.is_guest), group[0].player)
        offers += [
            SameName(member=member, kept=kept)
            for member in group
            if member.player_id != kept.pk and {member.player_id, kept.pk} not in met
        ]
    return offers


def _pairs_who_met(players: Sequence[int]) -> list[set[int]]:
    """Return pairs of these players who have met in a match, fixture or live table.

    `check_mergeable` applies the same rule.
    """
    if not players:
        return []
    named = Q(player__in=players) | Q(player__merged_into__in=players)
    person = Coalesce("player__merged_into", "player")
    seats = [
        queryset.filter(named)
        .order_by()
        .annotate(kind=Value(kind), person=person)
        .values_list("kind", kind, "person")
        for kind, queryset in (
            ("match", MatchSeat.objects.all()),
            ("fixture", FixtureSeat.objects.all()),
            ("table", TableSeat.objects.filter(table__state__in=Table.ACTIVE)),
        )
    ]
    together: dict[tuple[str, int], set[int]] = {}
    for kind, key, player in seats[0].union(*seats[1:], all=True):
        together.setdefault((kind, key), set()).add(player)
    return [{*pair} for people in together.values() for pair in combinations(people, 2)]


def _merge(absorbed: Player, kept: Player, *, by: Player, at: dt.datetime) -> Merge:
    with transaction.atomic():
        rows = lock_players([absorbed.pk, kept.pk])
        check_mergeable(rows[absorbed.pk], rows[kept.pk])
        merge = Merge.objects.create(absorbed=rows[absorbed.pk], kept=rows[kept.pk], by=by, at=at)
        repoint([player.pk for player in player_rows_of(rows[absorbed.pk])], at=at)
        Claim.objects.filter(guest=absorbed, answered_at=None).update(
            answered_at=at, answered_by=by
        )
        transaction.on_commit(send_recounts)
    return merge


def check_mergeable(absorbed: Player, kept: Player) -> None:
    """Raise `OperationError` if the two players cannot be the same person."""
    if absorbed.person_id == kept.person_id:
        raise OperationError(_("These two players are already the same person."))
    for player in (absorbed, kept):
        if player.merged_into_id:
            raise OperationError(_("%s has already been merged with another player.") % player)
    if not absorbed.is_guest:
        raise OperationError(
            _("%s has an account. Only guests can be merged with another player.") % absorbed
        )
    together = MatchSeat.objects.filter(
        player__in=player_rows_of(absorbed), match__seats__player__in=player_rows_of(kept)
    )
    to_meet = FixtureSeat.objects.filter(
        player__in=player_rows_of(absorbed), fixture__seats__player__in=player_rows_of(kept)
    )
    at_a_table = TableSeat.objects.filter(
        player__in=player_rows_of(absorbed),
        table__seats__player__in=player_rows_of(kept),
        table__state__in=Table.ACTIVE,
    )
    if together.exists() or to_meet.exists() or at_a_table.exists():
        raise OperationError(
            _("%(both)s have played in the same match, so they must be two different people.")
            % {"both": join_with_and([absorbed, kept])}
        )


def may_undo(player: Player, merge: Merge) -> bool:
    """Return whether a player may undo a merge, as owner of the account or manager of the guest."""
    return merge.kept.person_id == player.person_id or answers_for(player, merge.absorbed)


def undo_merge(*, merge: Merge, by: Player, at: dt.datetime) -> None:
    """Undo a merge, as if it had never happened.

    For players who manage the guest, and for the owner of the account. Matches opened and rounds
    drawn since the merge keep the player under whose name they were opened or drawn, who becomes a
    member of the league if necessary.
    """
    with transaction.atomic():
        row = (
            Merge.objects.select_for_update(of=("self",), no_key=True)
            .select_related("absorbed", "kept")
            .get(pk=merge.pk)
        )
        if row.undone_at is not None:
            raise OperationError(_("This merge has already been undone."))
        if not may_undo(by, row):
            raise NotAllowed(_("Only an organiser of one of the guest’s leagues can do this."))
        below = _merged_below([row.absorbed])[row.absorbed_id]
        lock_players([*below, row.kept_id])
        row.undone_at = at
        row.save(update_fields=["undone_at"])
        repoint(below, at=at)
        _enrol_seated(row.kept, at=row.at)
        transaction.on_commit(send_recounts)


def _enrol_seated(player: Player, *, at: dt.datetime) -> None:
    """Make a player a member of all leagues in which the player has a seat but no membership.

    Otherwise the results of the opponents would count, but the player would be missing from the
    standings.
    """
    seats = MatchSeat.objects.filter(player=player, match__league__isnull=False)
    fixtures = FixtureSeat.objects.filter(player=player)
    leagues = {
        *seats.values_list("match__league", flat=True),
        *fixtures.values_list("fixture__round__league", flat=True),
    }
    member = Member.objects.filter(belongs_to(player), league__in=leagues)
    missing = leagues - set(member.values_list("league", flat=True))
    Member.objects.bulk_create(
        Member(league_id=league, player_id=player.person_id, joined_at=at)
        for league in sorted(missing)
    )


def _merged_below(players: Collection[Player]) -> dict[int, list[int]]:
    """Return these players with all players merged into them, directly or not, with one query."""
    absorbed: dict[int, list[int]] = {}
    for merged, kept in Merge.objects.filter(undone_at=None).values_list("absorbed", "kept"):
        absorbed.setdefault(kept, []).append(merged)
    below = {player.pk: [player.pk] for player in players}
    for names in below.values():
        for key in names:
            names.extend(absorbed.get(key, ()))
    return below


def merges_of(player: Player, *, to: Player | None) -> list[Merge]:
    """Return merges into this player that the other player may undo, latest first, with four
    queries.
    """
    if to is None:
        return []
    rows = Merge.objects.filter(undone_at=None).filter(Q(kept=player) | Q(kept__merged_into=player))
    merges = list(rows.select_related("absorbed__added_by", "kept", "by").order_by("-at", "-pk"))
    answered = _vouched_guests(to, [merge.absorbed for merge in merges])
    own = to.person_id == player.person_id
    return [merge for merge in merges if own or merge.absorbed_id in answered]
