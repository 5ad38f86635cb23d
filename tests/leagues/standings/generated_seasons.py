"""Generated seasons of leagues, played day by day with the site's operations."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from django.utils.text import slugify

from accounts.models import User
from leagues.exceptions import OperationError
from leagues.fixtures.operations import (
    draw_next_swiss,
    draw_round_robin,
    forfeit_fixture,
    restore_fixture,
    undraw,
    void_fixture,
)
from leagues.league.operations import (
    LeagueSettings,
    change_settings,
    close_league,
    create_league,
    reopen_league,
    settings_of,
)
from leagues.matches.operations.corrections import (
    DisputeVerdict,
    correct_match,
    dispute_match,
    restore_version,
    settle_dispute,
    void_match,
)
from leagues.matches.operations.matches import confirm, hand_in, open_match
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    join_league,
    return_to_league,
    withdraw,
)
from leagues.members.operations.merging import (
    claim_by_link,
    guest_link,
    merge_players,
    undo_merge,
)
from leagues.models import Fixture, League, Match, Member, Merge, Player
from leagues.players import new_player
from leagues.results import record_played_match
from leagues.standings.tallies import RulesVersion
from tests.leagues import game
from tests.leagues.exchange.generated_leagues import Dice

Item = TypeVar("Item")

BEGINS: Final = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
DAY: Final = dt.timedelta(days=1)
ZONES: Final = ("UTC", "Europe/Madrid", "Pacific/Auckland", "America/New_York", "Asia/Kolkata")
FORMATS: Final = ("swiss", "round_robin", "swiss", "ladder")
TIE_BREAKS: Final = (
    *("head_to_head", "wins", "wins_played", "margin", "points", "fewest_played", "buchholz"),
    *("buchholz_cut", "median_buchholz", "sonneborn_berger", "best_single", "cumulative", "lots"),
)
BY_PLACE: Final = (
    *(["1"], ["3"], ["2"], ["4", "3", "2", "1"], ["5", "3", "1"], ["3", "1"], ["7/2", "1/2"]),
    *(["10", "5", "1", "0"], ["6", "4", "3", "2", "1", "0"], ["2", "1", "1", "1"]),
    *(["12", "7", "4", "2", "1", "1"], ["2", "0", "-1"]),
)

# Actions of a day, each with its chance in percent. Those of `NOT_PLAYED` come right after a draw.
NOT_PLAYED: Final = ((40, "forfeit"), (20, "forfeit"), (20, "void"))
DRAWN: Final = ((10, "restore"), (20, "correct_a_forfeit"), (4, "undraw"))
ALWAYS: Final = (
    *((25, "somebody_comes"), (25, "somebody_leaves"), (10, "somebody_returns"), (20, "merge")),
    *((5, "undo_a_merge"), (25, "correct"), (10, "void_a_match"), (10, "dispute")),
    *((10, "restore_a_version"), (8, "change_settings"), (6, "close"), (30, "reopen")),
)


class NothingToDo(Exception):
    """Raised by an action that cannot be performed, because the season has no suitable player or
    fixture yet.
    """


class Season:
    """A season being played.

    `left_after_end` are members who left when everything had been played.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.dice = Dice(f"season {number}")
        self.done: Counter[str] = Counter()
        self.left_after_end: set[int] = set()
        self.at = BEGINS
        self.accounts = 0
        # In four of forty seasons the league was founded before the current rules.
        self.first_rules = number // len(FORMATS) % 10 == 9
        self.office = self._account("office")
        self.league = self._found()
        self._first_players()

    def pick(self, items: Sequence[Item]) -> Item:
        if not items:
            raise NothingToDo
        return self.dice.pick(items)

    def now(self) -> dt.datetime:
        """Return a time later than all earlier times."""
        self.at += dt.timedelta(seconds=self.dice.between(1, 900))
        return self.at

    # Creation

    def _found(self) -> League:
        kind = FORMATS[self.number % len(FORMATS)]
        partners = self.dice.percent(12)
        seats = 4 if partners else self.pick((2, 2, 2, 3, 4, 5, 6))
        planned: dict[str, Any] = {}
        if kind == "swiss":
            # Some leagues plan more rounds than the season has days, and therefore do not end.
            planned = {"rounds_planned": self.dice.between(2, 5) if self.dice.percent(80) else 9}
        elif kind == "round_robin" and seats == 2 and self.dice.percent(15):
            planned = {"rounds_planned": 2}
        self.days = self.dice.between(3, 6)
        settings = LeagueSettings(
            name=f"Season {self.number}",
            game=game.KEY,
            profile="pairs" if partners else "plain",
            format=kind,
            seats=seats,
            scoring=self._scoring(),
            tie_breaks=self._tie_breaks(),
            cut=self.dice.between(1, 6) if self.dice.percent(50) else None,
            cut_matches=self.number % 3,
            zone=self.pick(ZONES),
            **planned,
        )
        league = create_league(settings=settings, by=self.office, at=self.now(), plays=False)
        if self.first_rules:
            league.standings_rules = RulesVersion.FIRST
            league.scoring = {"bye": "0", **league.scoring}
            league.save(update_fields=["standings_rules", "scoring"])
        return league

    def _scoring(self) -> dict[str, Any]:
        kind = self.pick(("places", "places", "places", "beaten", "points"))
        options: dict[str, Any] = {"kind": kind}
        if kind == "places":
            options["by_place"] = self.pick(BY_PLACE)
            if self.dice.percent(50):
                options["draw"] = self.pick(("1", "1/2", "2", "0"))
        if kind == "points":
            options["bye"] = self.pick(("10", "7", "1", "5/2", "0"))
        elif self.dice.percent(40):
            options["bye"] = self.pick(("0", "1/2", "1", "2", "3"))
        return options

    def _tie_breaks(self) -> list[str]:
        return self.dice.some(TIE_BREAKS, self.dice.between(0, len(TIE_BREAKS)))

    def _first_players(self) -> None:
        """Save the first players directly as rows, which is faster than the operations."""
        seats = self.league.seats
        many = seats + 2 if seats > 2 and self.league.format == "round_robin" else max(7, seats + 2)
        names = [f"player {place}" for place in range(self.dice.between(max(3, seats), many))]
        users = User.objects.bulk_create(User(username=name) for name in names)
        players = Player.objects.bulk_create(
            Player(
                name=user.username,
                slug=slugify(user.username),
                user=user if self.dice.percent(50) else None,
                added_by=self.office,
                created_at=self.at,
            )
            for user in users
        )
        Member.objects.bulk_create(
            Member(league=self.league, player=player, joined_at=self.now()) for player in players
        )

    def _account(self, name: str) -> Player:
        self.accounts += 1
        user = User.objects.create(
            username=f"user {self.accounts}", email=f"{self.accounts}@ex.org"
        )
        return new_player(name=name, at=BEGINS, user=user)

    # Players and fixtures

    def people(self) -> list[Player]:
        """Return all players, including those who have withdrawn."""
        members = Member.objects.filter(league=self.league, plays=True).order_by("pk")
        return [member.player for member in members.select_related("player__merged_into")]

    def playing(self) -> list[Player]:
        """Return the players who can have a seat, each once."""
        members = Member.objects.filter(league=self.league, plays=True, withdrawn_at=None)
        players = [m.player for m in members.order_by("pk").select_related("player__merged_into")]
        return list({p.person_id: p.merged_into or p for p in players}.values())

    def fixtures(self, *states: str) -> list[Fixture]:
        rows = Fixture.objects.filter(round__league=self.league, state__in=states)
        return list(rows.select_related("round__league").order_by("round__number", "number"))

    def matches(self, *states: str) -> list[Match]:
        return list(Match.objects.filter(league=self.league, state__in=states).order_by("pk"))

    def is_final(self) -> bool:
        league = League.objects.get(pk=self.league.pk)
        if league.closed_at is not None:
            return True
        rounds = league.rounds.count()
        if league.format == "ladder" or not rounds or self.fixtures(*Fixture.TO_PLAY):
            return False
        planned = league.rounds_planned if league.format == "swiss" else rounds
        return planned is not None and rounds >= planned

    # Days

    def play(self) -> Iterator[dt.date]:
        """Play the season, and yield the date at the end of each day."""
        for number in range(self.days):
            self.at = max(self.at, BEGINS + number * DAY + dt.timedelta(hours=6))
            for action in self._plan():
                self.attempt(action)
            yield self.at.date()

    def _plan(self) -> list[Callable[[], None]]:
        """Return the actions of a day: a draw, unplayed fixtures, matches, and others."""
        drawn = self.league.format != "ladder"
        plan = [self.draw, *self._some(NOT_PLAYED)] if drawn else []
        plan += [self.play_some, self.play_some]
        for action in self._some((*ALWAYS, *(DRAWN if drawn else ()))):
            plan.insert(self.dice.between(0, len(plan)), action)
        return plan

    def _some(self, chances: Sequence[tuple[int, str]]) -> list[Callable[[], None]]:
        return [getattr(self, name) for share, name in chances if self.dice.percent(share)]

    def attempt(self, action: Callable[[], None]) -> None:
        """Do an action that the league may reject."""
        name = action.__name__
        try:
            action()
        except OperationError:
            name = f"refused {name}"
        except NothingToDo:
            name = f"nothing to {name}"
        self.done[name] += 1
        self.league.refresh_from_db()
        self._notice_reopening()

    def _notice_reopening(self) -> None:
        """Forget who left after the end if the standings are no longer final."""
        if self.left_after_end and not self.is_final():
            self.left_after_end.clear()

    # Actions

    def draw(self) -> None:
        if self.league.format == "swiss":
            draw_next_swiss(league=self.league, by=self.office, at=self.now())
        elif not self.league.rounds.exists():
            draw_round_robin(league=self.league, by=self.office, at=self.now())

    def play_some(self) -> None:
        if self.league.format == "ladder":
            self._play_ladder()
            return
        fixtures = self.fixtures(*Fixture.TO_PLAY)
        if self.league.format == "round_robin":
            fixtures = fixtures[: max(2, len(fixtures) // 3)]
        for fixture in fixtures:
            if self.dice.percent(70):
                players = [seat.player for seat in fixture.seats.select_related("player")]
                self._played(players, fixture)

    def _play_ladder(self) -> None:
        for _match in range(self.dice.below(3)):
            people = self.playing()
            partners = self.league.profile == "pairs"
            seats = 4 if partners else self.dice.between(2, self.league.seats)
            if len(people) >= seats:
                self._played(self.dice.some(people, seats), None)

    def _played(self, players: list[Player], fixture: Fixture | None) -> None:
        """Enter a result, with the fastest operation or as at a real table."""
        at = self.now()
        score = {"score": self._points(len(players))}
        if self.dice.percent(85):
            record_played_match(
                game=game.KEY,
                rules=self.league.rules,
                rules_hash=self.league.rules_hash,
                players=players,
                content=score,
                began_at=at,
                at=at,
                league=self.league,
                fixture=fixture,
            )
            return
        match = open_match(
            by=self.office,
            at=at,
            players=[] if fixture else players,
            league=None if fixture else self.league,
            fixture=fixture,
        )
        match = hand_in(
            match=match,
            version=match.version,
            by=self.office,
            at=self.now(),
            content=score,
            played_at=at - DAY if fixture is None and self.dice.percent(50) else None,
        )
        if self.dice.percent(80):
            confirm(match=match, version=match.version, by=players[0], at=self.now())

    def _points(self, seats: int) -> list[int]:
        """Return points with many ties. Partners have the same points."""
        points = [self.dice.between(4, 11) for _seat in range(seats)]
        if self.league.profile == "pairs":
            points = points[:2] * 2
        if max(points) < 10 or self.dice.percent(25):
            best = self.dice.between(10, 12)
            points = [best if own == max(points) else own for own in points]
        return points

    def somebody_comes(self) -> None:
        name = f"late {self.number} {len(self.people())}"
        if self.dice.percent(50):
            add_guest(league=self.league, name=name, by=self.office, at=self.now())
        else:
            join_league(token=self.league.invitation, by=self._account(name), at=self.now())

    def somebody_leaves(self) -> None:
        final = self.is_final()
        player = self.pick(self.playing())
        before = set(Member.objects.filter(league=self.league).exclude(withdrawn_at=None))
        withdraw(
            league=self.league,
            player=player,
            by=self.office,
            at=self.now(),
            handling=self.pick((FixtureHandling.FORFEIT, FixtureHandling.VOID)),
        )
        if final:
            after = Member.objects.filter(league=self.league).exclude(withdrawn_at=None)
            self.left_after_end |= {member.pk for member in after if member not in before}

    def somebody_returns(self) -> None:
        gone = Member.objects.filter(league=self.league).exclude(withdrawn_at=None)
        member = self.pick(list(gone.select_related("player").order_by("pk")))
        return_to_league(league=self.league, player=member.player, by=self.office)
        self.left_after_end.discard(member.pk)

    def merge(self) -> None:
        guests = [player for player in self.people() if player.is_guest]
        guest = self.pick([player for player in guests if player.merged_into_id is None])
        if self.dice.percent(50):
            others = [player for player in self.people() if player.user_id is not None]
            account = self.pick([*others, self._account(f"claims {self.accounts}")])
            token = guest_link(guest=guest, by=self.office)
            claim_by_link(token=token, by=account, at=self.now())
        else:
            kept = self.pick([player for player in guests if player != guest])
            merge_players(absorbed=guest, kept=kept, by=self.office, at=self.now())

    def undo_a_merge(self) -> None:
        merge = self.pick(list(Merge.objects.filter(undone_at=None).order_by("pk")))
        undo_merge(merge=merge, by=self.office, at=self.now())

    def forfeit(self) -> None:
        fixture = self.pick(self.fixtures(*Fixture.TO_PLAY))
        seats = range(fixture.seats.count())
        absent = self.dice.some(seats, self.dice.between(1, len(seats) - 1))
        forfeit_fixture(fixture=fixture, seats=absent, by=self.office, at=self.now())

    def void(self) -> None:
        fixture = self.pick(self.fixtures(*Fixture.TO_PLAY))
        void_fixture(fixture=fixture, by=self.office, at=self.now(), reason="no hall")

    def restore(self) -> None:
        fixture = self.pick(self.fixtures(Fixture.State.VOID))
        restore_fixture(fixture=fixture, by=self.office, at=self.now())

    def correct(self) -> None:
        self._correct(self.pick(self.matches(*Match.COUNTED)))

    def correct_a_forfeit(self) -> None:
        forfeits = [m for m in self.matches(*Match.COUNTED) if m.origin == Match.Origin.FORFEIT]
        self._correct(self.pick(forfeits))

    def _correct(self, match: Match) -> None:
        correct_match(
            match=match,
            version=match.version,
            content={"score": self._points(match.seats.count())},
            by=self.office,
            at=self.now(),
            reason="a slip",
        )

    def restore_a_version(self) -> None:
        match = self.pick(self.matches(*Match.COUNTED, Match.State.VOID))
        restore_version(
            match=match,
            version=match.version,
            number=self.dice.between(1, match.sheets.count()),
            by=self.office,
            at=self.now(),
            reason="as it was",
        )

    def void_a_match(self) -> None:
        match = self.pick(self.matches(*Match.COUNTED))
        void_match(
            match=match, version=match.version, by=self.office, at=self.now(), reason="wrong"
        )

    def dispute(self) -> None:
        match = self.pick(self.matches(Match.State.CONFIRMED))
        match = dispute_match(
            match=match, version=match.version, by=self.office, at=self.now(), reason="not so"
        )
        self._notice_reopening()
        if self.dice.percent(70):
            settle_dispute(
                match=match,
                version=match.version,
                by=self.office,
                at=self.now(),
                verdict=self.pick(list(DisputeVerdict)),
                settlement="settled",
            )

    def change_settings(self) -> None:
        changes: dict[str, Any] = {"tie_breaks": self._tie_breaks()}
        if self.dice.percent(50):
            changes["cut"] = self.dice.between(1, 6)
        settings = settings_of(self.league)
        wanted = {name: getattr(settings, name) for name in settings.__dataclass_fields__}
        change_settings(
            league=self.league,
            settings=LeagueSettings(**(wanted | changes)),
            by=self.office,
            at=self.now(),
        )

    def undraw(self) -> None:
        undraw(league=self.league, by=self.office, at=self.now())

    def close(self) -> None:
        for match in self.matches(*Match.UNSETTLED):
            void_match(
                match=match, version=match.version, by=self.office, at=self.now(), reason="late"
            )
        close_league(league=self.league, by=self.office, at=self.now())

    def reopen(self) -> None:
        reopen_league(league=self.league, by=self.office, at=self.now())
