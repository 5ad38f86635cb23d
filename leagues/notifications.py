"""Notifications about leagues and tables, and fixtures in users' personal calendars."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.notifications import kinds
from accounts.notifications.kinds import Channel, NotificationKind
from accounts.notifications.operations import notify
from leagues import matches_read as match_queries
from leagues.byes import leagues_with_rest_days, players_with_byes, rounds_sat_out
from leagues.calendar import CalendarEntry, calendar_event
from leagues.calendar_changes import CANCELLED_FOR
from leagues.calendar_entries import bye_entry, cancelled_entries, fixture_entry
from leagues.games import games
from leagues.members_read.queries import belongs_to
from leagues.models import (
    CancelledEntry,
    Fixture,
    FixtureSeat,
    League,
    Match,
    MatchSeat,
    Member,
    Player,
    Proposal,
    Round,
    Table,
)
from leagues.parties import seating_of
from leagues.standings.queries import scoring_of
from leagues.text import FRACTIONS, join_with_and, score

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from icalendar import Event

# Maximum number of fixtures in a personal calendar. The latest are included.
MAX_CALENDAR_FIXTURES: Final = 200
# Maximum number of opponents named in a notification.
MAX_NAMES: Final = 6
SITE_AND_MAIL: Final = frozenset({Channel.SITE, Channel.MAIL})


class _GameNames(Mapping[str, str]):
    """Mapping from the keys of games to their names.

    Names are looked up when needed, because games are registered after the kinds of notifications.
    """

    def __getitem__(self, key: str) -> str:
        return games[key].name

    def __iter__(self) -> Iterator[str]:
        return (game.key for game in games.all_games())

    def __len__(self) -> int:
        return len(games.all_games())


GAME_NAMES: Final = _GameNames()

MATCH_WAITING = NotificationKind(
    key="match_waits",
    label=gettext_lazy("A result is awaiting my confirmation"),
    text=gettext_lazy(
        "%(by)s has submitted the result %(result)s (%(game)s, %(where)s). Is it correct?"
    ),
    earlier=gettext_lazy("%(by)s has entered a result (%(where)s). Please confirm or dispute it."),
    usual=SITE_AND_MAIL,
    terms={"game": GAME_NAMES},
)
MATCH_DISPUTED = NotificationKind(
    key="match_disputed",
    label=gettext_lazy("One of my results is disputed"),
    text=gettext_lazy(
        "%(by)s disputes the result %(result)s (%(game)s, %(where)s). Reason: %(reason)s"
    ),
    earlier=gettext_lazy("%(by)s disputes a result (%(where)s). Reason: %(reason)s"),
    usual=SITE_AND_MAIL,
    terms={"game": GAME_NAMES},
)
MATCH_SETTLED = NotificationKind(
    key="match_settled",
    label=gettext_lazy("One of my results is confirmed or voided"),
    text=gettext_lazy(
        "The state of the result %(result)s (%(game)s, %(where)s) has changed to “%(how)s”."
    ),
    earlier=gettext_lazy(
        "The dispute about a result has been settled (%(where)s). State of the match: %(how)s."
    ),
    terms={"game": GAME_NAMES, "how": dict(Match.State.choices)},
)
PROPOSAL = NotificationKind(
    key="match_proposal",
    label=gettext_lazy(
        "Someone proposes a settlement for one of my matches, or answers my proposal"
    ),
    text=gettext_lazy(
        "%(by)s has made a proposal about the result %(result)s (%(game)s, %(where)s): "
        "%(outcome)s. Do you agree?"
    ),
    earlier=gettext_lazy("%(by)s has made a proposal about a match (%(where)s): %(outcome)s."),
    variants={
        "rejected": gettext_lazy(
            "%(by)s rejects your proposal about the result %(result)s (%(game)s, %(where)s)."
        )
    },
    usual=SITE_AND_MAIL,
    terms={"game": GAME_NAMES, "outcome": dict(Proposal.Outcome.choices)},
)
FIXTURE_POSTPONED = NotificationKind(
    key="fixture_postponed",
    label=gettext_lazy("One of my fixtures is postponed"),
    text=gettext_lazy(
        "%(league)s (%(game)s): you have until %(until)s to play your fixture (players: %(names)s)."
    ),
    earlier=gettext_lazy(
        "%(league)s: one of your fixtures was postponed. You can play it until %(until)s."
    ),
    usual=SITE_AND_MAIL,
    times=("until",),
    terms={"game": GAME_NAMES},
)
TABLE_TURN = NotificationKind(
    key="table_turn",
    label=gettext_lazy("It is my turn in a match played by turns"),
    text=gettext_lazy("%(game)s, table %(table)s (%(names)s): it is your turn."),
    earlier=gettext_lazy("It is your turn at table %(table)s."),
    terms={"game": GAME_NAMES},
)
TABLE_REMATCH = NotificationKind(
    key="table_rematch",
    label=gettext_lazy("Someone I played against asks for a rematch"),
    text=gettext_lazy("%(by)s asks you for a rematch (%(game)s, table %(table)s)."),
    terms={"game": GAME_NAMES},
)
ROLE_GIVEN = NotificationKind(
    key="league_role",
    label=gettext_lazy("I am invited to a league or given a role in one"),
    text=gettext_lazy("%(league)s (%(game)s): you are now %(role)s."),
    earlier=gettext_lazy("%(league)s: your role is now %(role)s."),
    terms={"game": GAME_NAMES, "role": dict(Member.Role.choices)},
)
GUEST_CLAIMED = NotificationKind(
    key="guest_claimed",
    label=gettext_lazy("Someone claims to be a guest in my league"),
    text=gettext_lazy("%(by)s claims to be the guest %(guest)s."),
)


def register_notifications() -> None:
    kinds.register_kinds(
        MATCH_WAITING,
        MATCH_DISPUTED,
        MATCH_SETTLED,
        PROPOSAL,
        ROUND_DRAWN,
        FIXTURE_POSTPONED,
        TABLE_TURN,
        TABLE_REMATCH,
        ROLE_GIVEN,
        GUEST_CLAIMED,
    )


def notify_match_waiting(match: Match, *, by: Player, at: dt.datetime) -> None:
    """Notify the players who can confirm a result. Partners of the player who entered it cannot."""
    data = {"by": by.name, **_match_data(match)}
    seating = seating_of(match)
    own = seating.side(by)
    asked = {person for person, side in seating.sides.items() if side != own}
    people = _accounts(Player.objects.filter(pk__in=asked), but=by)
    notify(people, MATCH_WAITING, at=at, data=data, link=_match_url(match))


def notify_match_disputed(match: Match, *, by: Player, reason: str, at: dt.datetime) -> None:
    people = {*_other_accounts(match, by), *_organisers(match.league_id, by)}
    data = {"by": by.name, "reason": reason, **_match_data(match)}
    notify(people, MATCH_DISPUTED, at=at, data=data, link=_match_url(match))


def notify_match_settled(match: Match, *, by: Player, at: dt.datetime) -> None:
    data = {"how": match.state, **_match_data(match)}
    notify(_other_accounts(match, by), MATCH_SETTLED, at=at, data=data, link=_match_url(match))


def notify_proposal(
    match: Match, proposal: Proposal, *, to: Collection[int], at: dt.datetime
) -> None:
    people = _accounts(Player.objects.filter(pk__in=to), but=proposal.by)
    data = {"by": proposal.by.name, "outcome": proposal.outcome, **_match_data(match)}
    notify(people, PROPOSAL, at=at, data=data, link=_match_url(match))


def notify_proposal_rejected(match: Match, proposal: Proposal, *, at: dt.datetime) -> None:
    people = _accounts(Player.objects.filter(pk=proposal.by_id))
    name = proposal.answered_by.name if proposal.answered_by else ""
    data = {"variant": "rejected", "by": name, **_match_data(match)}
    notify(people, PROPOSAL, at=at, data=data, link=_match_url(match))


def notify_rounds_drawn(rounds: Iterable[Round], *, by: Player, at: dt.datetime) -> None:
    drawn = list(rounds)
    if not drawn:
        return
    seats = FixtureSeat.objects.filter(fixture__round__in=drawn)
    _notify_byes(drawn, by=by, at=at)
    _notify_drawn(drawn[0], seats, by=by, at=at)


def notify_pairings_changed(
    round_: Round,
    fixtures: Collection[Fixture],
    byes: Collection[int],
    *,
    by: Player,
    at: dt.datetime,
) -> None:
    """Notify the players of fixtures whose players changed, and the players who have a bye now."""
    if byes:
        _notify_byes([round_], by=by, at=at, among=byes)
    seats = FixtureSeat.objects.filter(fixture__in=fixtures)
    _notify_drawn(round_, seats, by=by, at=at)


def _notify_drawn(
    round_: Round, seats: QuerySet[FixtureSeat], *, by: Player, at: dt.datetime
) -> None:
    league = round_.league
    fixtures: dict[int, list[Player]] = {}
    for seat in seats.order_by("fixture", "number").select_related("player__merged_into"):
        fixtures.setdefault(seat.fixture_id, []).append(seat.player.merged_into or seat.player)
    # For each user, the unique names of opponents and of partners, in the order of the fixtures.
    meets: dict[int, tuple[dict[str, None], dict[str, None]]] = {}
    for people in fixtures.values():
        for side in match_queries.seated_by_side(league, people):
            for player in side:
                if player.user_id is not None and player.pk != by.person_id:
                    others, partners = meets.setdefault(player.user_id, ({}, {}))
                    others |= dict.fromkeys(one.name for one in people if one not in side)
                    partners |= dict.fromkeys(one.name for one in side if one != player)
    data: dict[str, str | int] = {
        "league": league.name,
        "game": league.game,
        "round": round_.number,
    }
    own = {
        user: {"names": _shortened(others), "partners": _shortened(partners)}
        if partners
        else {"names": _shortened(others)}
        for user, (others, partners) in meets.items()
    }
    if any("partners" in words for words in own.values()):
        data["variant"] = "partners"
    link = reverse("league_fixtures", args=[league.slug])
    notify(own, ROUND_DRAWN, at=at, data=data, own=own, link=link)


def _notify_byes(
    drawn: Sequence[Round], *, by: Player, at: dt.datetime, among: Collection[int] | None = None
) -> None:
    """Notify the players who have a bye in these rounds, and include the number of points for the
    bye.

    If `among` is given, only the players with these primary keys are notified.
    """
    league = drawn[0].league
    people = {
        key: player
        for key, player in players_with_byes(drawn).items()
        if among is None or player.pk in among
    }
    if not people or leagues_with_rest_days([league]):
        return
    rounds: dict[int, list[int]] = {}
    for round_ in drawn:
        for bye in round_.byes:
            player = people.get(bye["player"])
            if player is not None and player.user_id is not None and player.pk != by.person_id:
                rounds.setdefault(player.user_id, []).append(round_.number)
    worth = scoring_of(league).bye_worth
    # Readers may have different languages, so this text must not contain a decimal point or comma.
    points = score(worth) if worth % 1 in (0, *FRACTIONS) else str(worth)
    data: dict[str, str | int] = {
        "variant": "bye",
        "league": league.name,
        "game": league.game,
        "points": points,
    }
    own = {user: {"rounds": ", ".join(map(str, numbers))} for user, numbers in rounds.items()}
    link = reverse("league_fixtures", args=[league.slug])
    notify(own, ROUND_DRAWN, at=at, data=data, own=own, link=link)


def notify_fixture_postponed(fixture: Fixture, *, by: Player, at: dt.datetime) -> None:
    league = fixture.round.league
    players = Player.objects.filter(fixture_seats__fixture=fixture)
    data = {
        "league": league.name,
        "game": league.game,
        "names": _names(players.order_by("fixture_seats__number")),
        "until": fixture.deadline.astimezone(dt.UTC).isoformat(timespec="minutes"),
    }
    link = reverse("fixture", args=[league.slug, fixture.pk])
    people = _accounts(players, but=by)
    notify(people, FIXTURE_POSTPONED, at=at, data=data, link=link)


def notify_turn(table: Table, player: int, *, at: dt.datetime) -> None:
    """Notify the player whose turn it is at a table played by turns, where a move may take days.

    Players at live tables need no notification, because they are present.
    """
    if table.pace == Table.Pace.DAYS:
        people = _accounts(Player.objects.filter(pk=player))
        sitting = Player.objects.filter(table_seats__table=table).order_by("table_seats__number")
        data: dict[str, str | int] = {
            "table": table.pk,
            "game": table.game,
            "names": _names(sitting),
        }
        notify(
            people, TABLE_TURN, at=at, data=data, link=reverse("table", args=[table.pk]), once=True
        )


def notify_rematch(table: Table, *, by: Player, at: dt.datetime) -> None:
    """Invite the other players of a finished match to a rematch.

    The notification links to the page of the match, which has a button to accept.
    """
    people = _accounts(Player.objects.filter(table_seats__table=table), but=by)
    data: dict[str, str | int] = {"by": by.name, "game": table.game, "table": table.pk}
    link = reverse("table", args=[table.pk])
    notify(people, TABLE_REMATCH, at=at, data=data, link=link, once=True)


def notify_role_given(member: Member, *, by: Player, at: dt.datetime) -> None:
    people = _accounts(Player.objects.filter(pk=member.player_id), but=by)
    data = {"league": member.league.name, "game": member.league.game, "role": member.role}
    notify(people, ROLE_GIVEN, at=at, data=data, link=reverse("league", args=[member.league.slug]))


def notify_guest_claimed(guest: Player, *, by: Player, at: dt.datetime) -> None:
    # Other players may have been merged into this guest, and they may be members of other leagues.
    leagues = League.objects.filter(belongs_to(guest, "members__player"))
    organisers = Player.objects.filter(
        memberships__league__in=leagues, memberships__role=Member.Role.ORGANISER
    )
    first = leagues.order_by("pk").first()
    link = reverse("league_members", args=[first.slug]) if first else ""
    data = {"by": by.name, "guest": guest.name}
    notify(_accounts(organisers, but=by), GUEST_CLAIMED, at=at, data=data, link=link)


def _accounts(players: QuerySet[Player], but: Player | None = None) -> set[int]:
    """Return the primary keys of these players' users, with one query.

    A player who was merged into another one counts as that player. `but` is left out.
    """
    rows = players.order_by().values_list("user", "merged_into__user")
    users: set[int | None] = {user for pair in rows for user in pair}
    users -= {but.user_id, but.merged_into.user_id if but.merged_into else None} if but else set()
    return {user for user in users if user is not None}


def _other_accounts(match: Match, by: Player) -> set[int]:
    seats = MatchSeat.objects.filter(match=match).order_by().values("player")
    return _accounts(Player.objects.filter(pk__in=seats), but=by)


def _organisers(league: int | None, by: Player) -> set[int]:
    rows = Member.objects.filter(league=league, role=Member.Role.ORGANISER).values("player")
    return _accounts(Player.objects.filter(pk__in=rows), but=by) if league else set()


def _match_data(match: Match) -> dict[str, str]:
    """Return data about a match that does not depend on the language, with two queries.

    `where` is the name of the league or, for a match among friends, the number of the match.
    """
    (line,) = match_queries.result_lines(Match.objects.filter(pk=match.pk))
    where = match.league.name if match.league else f"№ {match.pk}"
    return {"where": where, "game": match.game, "result": line.text_with_names}


def _names(players: QuerySet[Player]) -> str:
    rows = players.select_related("merged_into")
    return _shortened((row.merged_into or row).name for row in rows)


def _shortened(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:MAX_NAMES]) + (" …" if len(listed) > MAX_NAMES else "")


def _match_url(match: Match) -> str:
    return reverse("match", args=[match.pk])


def calendar_events_of(user: User, site: str, now: dt.datetime) -> Iterator[Event]:
    player = Player.objects.filter(user=user).first()
    if player is None:
        return
    # Calendar apps remove the fixtures that closing a league voided only if the file contains them
    # as cancelled, so these fixtures are included for some time.
    ended = Q(round__league__closed_at__gte=now - CANCELLED_FOR) & ~Q(before_close="")
    rows = (
        Fixture.objects.filter(
            Q(round__league__closed_at=None) | ended,
            Q(seats__player=player) | Q(seats__player__merged_into=player),
        )
        .select_related("round__league")
        .prefetch_related("seats__player__merged_into")
        .distinct()
        .order_by("-deadline", "-pk")
    )
    entries = [
        fixture_entry(fixture, _names_of_sides(fixture), site=site)
        for fixture in rows[:MAX_CALENDAR_FIXTURES]
    ]
    entries += _bye_entries(player, site, now)
    gone = CancelledEntry.objects.filter(belongs_to(player))
    entries += cancelled_entries(gone, entries, site=site, now=now)
    domain = site.partition("://")[2].partition(":")[0]
    for entry in entries:
        yield calendar_event(entry, domain=domain, now=now)


def _names_of_sides(fixture: Fixture) -> list[str]:
    players = [(seat.player.merged_into or seat.player).name for seat in fixture.seats.all()]
    sides = match_queries.seated_by_side(fixture.round.league, players)
    return [join_with_and(side) for side in sides]


def _bye_entries(player: Player, site: str, now: dt.datetime) -> list[CalendarEntry]:
    ended = Q(league__closed_at__gte=now - CANCELLED_FOR, deadline__gt=F("league__closed_at"))
    rounds = Round.objects.filter(Q(league__closed_at=None) | ended).order_by("-deadline", "-pk")
    byes = rounds_sat_out(player, rounds)[:MAX_CALENDAR_FIXTURES]
    resting = leagues_with_rest_days({round_.league for round_ in byes})
    return [
        bye_entry(round_, player, rest_day=round_.league_id in resting, site=site)
        for round_ in byes
    ]


ROUND_DRAWN = NotificationKind(
    key="fixture_drawn",
    label=gettext_lazy("A new round of one of my leagues has been drawn"),
    text=gettext_lazy(
        "%(league)s (%(game)s): round %(round)s has been drawn. You will play against %(names)s."
    ),
    earlier=gettext_lazy("%(league)s: round %(round)s has been drawn. See whom you will play."),
    variants={
        "partners": gettext_lazy(
            "%(league)s (%(game)s): round %(round)s has been drawn. You will play with "
            "%(partners)s against %(names)s."
        ),
        "bye": gettext_lazy(
            "%(league)s (%(game)s): you have a bye (round: %(rounds)s; points for the bye: "
            "%(points)s)."
        ),
    },
    usual=frozenset(Channel),
    occasions=calendar_events_of,
    terms={"game": GAME_NAMES},
)
