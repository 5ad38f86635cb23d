"""Operations on matches: opening, drafts, entering a scoresheet, confirmation and rematches."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from functools import partial
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from api.types import JSON
from core.names.text import comparison_key
from leagues import notifications
from leagues.exceptions import NotAllowed, OperationError, is_accepted
from leagues.games import Game, RulesRefused, games
from leagues.matches.operations.locking import (
    add_sheet,
    check_changed,
    close_disputes,
    drop_proposals,
    find_fixture,
    judge_sheet,
    lock_league,
    lock_match,
    write_to_book,
)
from leagues.members_read.queries import belongs_to
from leagues.models import Fixture, League, Match, MatchSeat, Member, Player, Round
from leagues.permissions import Action, may_score
from leagues.players import clean_name, new_player
from leagues.ratings.recounts import send_recounts
from leagues.results import publish_result, seat_players, touch_league

# Name of the profile for rules that belong to a single league, table or match.
OWN_RULES = "own"


# If a scoresheet is entered later than this after its match was opened, the match is assumed to
# have been played when the scoresheet was entered.
MAX_ENTRY_TIME = dt.timedelta(hours=12)


def open_match(
    *,
    by: Player,
    at: dt.datetime,
    players: Sequence[Player] = (),
    league: League | None = None,
    fixture: Fixture | None = None,
    game: str = "",
    profile: str = "",
    rules: JSON = None,
    played_at: dt.datetime | None = None,
    rated: bool = True,
) -> Match:
    """Open a match of a fixture, in a ladder, or among friends. Raises `OperationError`.

    A fixture determines the league and the players. A league determines the rules. For a match
    among friends, `game` and `profile` are given, and `rules` if the profile is "own". If the
    fixture already has a draft, the draft is returned.
    """
    if fixture is not None:
        return _of_fixture(fixture, by=by, at=at, played_at=played_at)
    if league is not None:
        pinned = _rules_of_league(league, by, players)
    else:
        pinned = _rules_of_friends(game, profile, rules, by, players)
    with transaction.atomic():
        match = create_match(pinned, by=by, at=at, played_at=played_at, league=league, rated=rated)
        _seat(match, players)
    return match


def open_round(round_: Round, *, by: Player, at: dt.datetime) -> list[Match]:
    """Open all matches of a round without an entered result, to print their scoresheets.

    Raises `OperationError` if there are none.
    """
    if not may_score(by, round_.league):
        raise NotAllowed(_("Only a scorer of the league can print the scoresheets for a round."))
    with transaction.atomic():
        waiting = round_.fixtures.filter(state__in=Fixture.TO_PLAY).order_by("number")
        opened = [_of_fixture(fixture, by=by, at=at, played_at=None) for fixture in waiting]
        drafts = [match for match in opened if match.state == Match.State.DRAFT]
        if not drafts:
            raise OperationError(_("All matches in this round have already been entered."))
    return drafts


def _of_fixture(
    fixture: Fixture, *, by: Player, at: dt.datetime, played_at: dt.datetime | None
) -> Match:
    fixture = find_fixture(fixture)
    league = fixture.round.league
    _players_of(fixture, by=by)
    unless_void = Match.objects.filter(fixture=fixture).exclude(state=Match.State.VOID)
    existing = unless_void.first()
    if existing is not None:
        return existing
    with transaction.atomic():
        # Ending a live table and voiding a fixture take the same lock.
        lock_league(league.pk)
        fixture = find_fixture(fixture)
        existing = unless_void.first()
        if existing is not None:
            return existing
        league = fixture.round.league
        # An organiser may have given the fixture other players before it was locked.
        players = check_may_enter(fixture, by=by)
        pinned = (league.game, league.rules, league.rules_hash)
        Match.objects.filter(fixture=fixture, state=Match.State.VOID).update(fixture=None)
        match = create_match(
            pinned, by=by, at=at, played_at=played_at, league=league, fixture=fixture
        )
        _seat(match, players)
        return match


def check_may_enter(fixture: Fixture, *, by: Player) -> list[Player]:
    """Return the players of a fixture by seat.

    Raises `OperationError` unless `by` may enter the fixture's result now.
    """
    players = _players_of(fixture, by=by)
    check_to_play(fixture)
    check_open(fixture.round.league)
    return players


def _players_of(fixture: Fixture, *, by: Player) -> list[Player]:
    """Return the players of a fixture by seat.

    Raises `NotAllowed` unless `by` may enter its result.
    """
    seats = fixture.seats.select_related("player").order_by("number")
    players = [seat.player for seat in seats]
    seated = by.person_id in {player.person_id for player in players}
    if not seated and not may_score(by, fixture.round.league):
        raise NotAllowed(
            _("Only a player in this match or a scorer of the league can enter the result.")
        )
    return players


def check_to_play(fixture: Fixture) -> None:
    """Raise `OperationError` if the fixture has been played, forfeited or voided."""
    if fixture.state not in Fixture.TO_PLAY:
        raise OperationError(
            _("This fixture can’t be played. Its state is “%s”.") % fixture.get_state_display()
        )


def _rules_of_league(
    league: League, by: Player, players: Sequence[Player]
) -> tuple[str, JSON, str]:
    check_open(league)
    if league.format != League.Format.LADDER:
        raise OperationError(
            _(
                "In this league, a draw decides who plays whom. Enter the result of one "
                "of the fixtures."
            )
        )
    if len(players) > league.seats:
        raise OperationError(
            _(
                "A match in this league can have at most %(seats)s players, but you entered "
                "%(given)s."
            )
            % {"seats": league.seats, "given": len(players)},
            "players",
        )
    for player in players:
        check_plays(player, league)
    seated = by.person_id in {player.person_id for player in players}
    if not seated and not may_score(by, league):
        raise NotAllowed(
            _("Only a player in this match or a scorer of the league can enter the result.")
        )
    return league.game, league.rules, league.rules_hash


def check_open(league: League) -> None:
    """Raise `OperationError` if the league is closed."""
    if league.closed_at is not None:
        raise OperationError(_("The league is closed."))


def check_plays(player: Player, league: League) -> None:
    """Raise `OperationError` if the player is not an active player of the league."""
    playing = Member.objects.filter(belongs_to(player), league=league, plays=True)
    if not playing.filter(withdrawn_at=None).exists():
        raise OperationError(_("%s does not play in this league.") % player, "players")


def _rules_of_friends(
    key: str, profile: str, rules: JSON, by: Player, players: Sequence[Player]
) -> tuple[str, JSON, str]:
    if by.person_id not in {player.person_id for player in players}:
        raise NotAllowed(_("You can open a match among friends only if you play in it yourself."))
    game = game_of(key)
    options = pinned_rules(game, profile, rules)
    return key, options, game.digest(options)


def game_of(key: str) -> Game:
    """Return the game with this key. Raises `OperationError` for an unknown key."""
    game = games.find_game(key)
    if game is None:
        raise OperationError(_("This game does not exist."), "game")
    return game


def pinned_rules(game: Game, profile: str, rules: JSON) -> JSON:
    """Return the normalised options of a rule profile or of own rules. Raises `OperationError`."""
    known_profile = game.profile(profile)
    if known_profile is None and profile != OWN_RULES:
        raise OperationError(_("No set of rules has this name. Choose another one."), "profile")
    try:
        return game.normalise(known_profile.options if known_profile else rules or {})
    except RulesRefused as error:
        raise OperationError(str(error), error.field or "rules") from error


def create_match(
    pinned: tuple[str, JSON, str],
    *,
    by: Player | None,
    at: dt.datetime,
    played_at: dt.datetime | None = None,
    league: League | None = None,
    fixture: Fixture | None = None,
    rated: bool = True,
    origin: str = Match.Origin.TABLE,
) -> Match:
    """Create a match without players. `pinned` are the game, its rules and their digest."""
    game, rules, digest = pinned
    _check_past(played_at, at)
    return Match.objects.create(
        league=league,
        fixture=fixture,
        game=game,
        rules=rules,
        rules_hash=digest,
        origin=origin,
        rated=rated,
        played_at=played_at or at,
        created_at=at,
        entered_by=by,
        key=secrets.token_urlsafe(32),
    )


def _check_past(played_at: dt.datetime | None, at: dt.datetime) -> None:
    if played_at is not None and played_at > at:
        raise OperationError(_("The date of the match can’t be in the future."), "played_at")


def _seat(match: Match, players: Sequence[Player]) -> None:
    persons = [player.person_id for player in players]
    for player in players:
        if persons.count(player.person_id) > 1:
            raise OperationError(_("%s has two seats in this match.") % player, "players")
    seats = games[match.game].seat_counts(match.rules)
    if len(players) not in seats:
        raise OperationError(
            _(
                "These rules do not allow this number of players: %(given)s. Allowed numbers: "
                "%(seats)s."
            )
            % {"given": len(players), "seats": ", ".join(map(str, seats))},
            "players",
        )
    seat_players(match, players)


def save_draft(*, match: Match, version: int, content: JSON, by: Player) -> Match:
    """Save a draft of the scoresheet. The referee checks it only when it is entered."""
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.WRITE)
        row.draft = content
        row.save(update_fields=["draft"])
        write_to_book(row, content, by)
    return row


def hand_in(
    *,
    match: Match,
    version: int,
    by: Player,
    at: dt.datetime,
    content: JSON = None,
    played_at: dt.datetime | None = None,
    before_draw: bool = False,
) -> Match:
    """Enter a scoresheet (`content`, or else the draft), which then awaits confirmation.

    A match `played_at` a day before the draw of its round is rejected, unless `before_draw`
    confirms that the date is right. The player who entered the scoresheet may enter it again until
    it is confirmed. While it is disputed, all players of the match may enter it again. Raises
    `SheetRefused` with the referee's judgement.
    """
    _check_past(played_at, at)
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.HAND_IN, at=at)
        if played_at is not None and not before_draw:
            _check_drawn(row, played_at)
        sheet = row.draft if content is None else content
        check_changed(row, sheet, played_at=played_at)
        judgement = judge_sheet(row, sheet)
        add_sheet(row, content=sheet, judgement=judgement, by=by, at=at)
        close_disputes(row, by=by, at=at, settlement=_("A corrected result was submitted."))
        row.played_at = played_at or _played_at(row, at)
        row.state, row.draft, row.entered_by = Match.State.HANDED_IN, None, by
        row.handed_in_at, row.confirmed_at, row.confirmed_by = at, None, None
        row.save()
        write_to_book(row, sheet, by)
        touch_league(row.league)
        notifications.notify_match_waiting(row, by=by, at=at)
    return row


def _check_drawn(match: Match, played_at: dt.datetime) -> None:
    """Raise `OperationError` if the match was played before the day on which its round was
    drawn.
    """
    if match.fixture is None or match.league is None:
        return
    zone = ZoneInfo(match.league.zone)
    drawn = match.fixture.round.drawn_at.astimezone(zone).date()
    if played_at.astimezone(zone).date() < drawn:
        raise OperationError(
            _(
                "This match is dated before %(day)s, when its round was drawn. Confirm that the "
                "date is right."
            )
            % {"day": date_format(drawn, "DATE_FORMAT")},
            "before_draw",
        )


def _played_at(match: Match, at: dt.datetime) -> dt.datetime:
    """Return when the match was played if the user did not enter a time.

    If the match was opened long before (its scoresheet may have been printed days ago), it is the
    time when the scoresheet is first entered.
    """
    unsaid = match.state == Match.State.DRAFT and match.played_at == match.created_at
    return at if unsaid and at - match.created_at > MAX_ENTRY_TIME else match.played_at


def confirm(*, match: Match, version: int, by: Player, at: dt.datetime) -> Match:
    """Confirm a result as a second player. The result counts from now on.

    A player who entered a result cannot confirm it, not even as an organiser. Organisers may
    confirm results that others entered.
    """
    with transaction.atomic():
        row = lock_match(match, version=version, by=by, action=Action.CONFIRM, at=at)
        drop_proposals(row, at=at)
        row.state, row.confirmed_at, row.confirmed_by = Match.State.CONFIRMED, at, by
        row.save(update_fields=["state", "confirmed_at", "confirmed_by"])
        publish_result(row, at=at)
        notifications.notify_match_settled(row, by=by, at=at)
        transaction.on_commit(send_recounts)
    return row


def may_rematch(match: Match, player: Player | None) -> bool:
    """Return whether the player may open a rematch."""
    if player is None or match.state == Match.State.DRAFT:
        return False
    league = match.league
    drawn = league is not None and league.format != League.Format.LADDER
    closed = league is not None and league.closed_at is not None
    players = [seat.player for seat in match.seats.select_related("player__merged_into")]
    if drawn or closed or player.person_id not in {each.person_id for each in players}:
        return False
    # A player of the match may have left the league since.
    return league is None or all(
        is_accepted(partial(check_plays, each.merged_into or each, league)) for each in players
    )


def open_rematch(*, match: Match, by: Player, at: dt.datetime) -> Match:
    """Open a new match with the same players in the same order. Raises `OperationError`.

    If two players request a rematch, both get the same match until its result is entered.
    """
    with transaction.atomic():
        lock_league(match.league_id)
        rows = Match.objects.select_for_update(no_key=True, of=("self",))
        match = rows.select_related("league").get(pk=match.pk)
        if not may_rematch(match, by):
            raise NotAllowed(
                _(
                    "You can’t open a new match, because this league is closed or its fixtures are "
                    "drawn by lot."
                )
            )
        players = _persons_of(match)
        drafts = Match.objects.filter(
            league=match.league, game=match.game, state=Match.State.DRAFT, pk__gt=match.pk
        )
        if match.league is None:
            drafts = drafts.filter(rules_hash=match.rules_hash, rated=match.rated)
        for draft in drafts.filter(belongs_to(by, "seats__player")).order_by("pk"):
            if _persons_of(draft) == players:
                return draft
        if match.league is not None:
            return open_match(by=by, at=at, players=players, league=match.league)
        return open_match(
            by=by,
            at=at,
            players=players,
            game=match.game,
            profile=OWN_RULES,
            rules=match.rules,
            rated=match.rated,
        )


def _persons_of(match: Match) -> list[Player]:
    seats = MatchSeat.objects.filter(match=match).select_related("player__merged_into")
    return [seat.player.merged_into or seat.player for seat in seats.order_by("number")]


MAX_FRIENDS = 30


def friends_of(player: Player) -> list[Player]:
    """Return players who shared a match with the player or were added as guests by the player.

    The latest come first.
    """
    together = MatchSeat.objects.filter(belongs_to(player)).values("match")
    seats = MatchSeat.objects.filter(match__in=together).select_related("player__merged_into")
    sat = [seat.player.merged_into or seat.player for seat in seats.order_by("-match", "number")]
    added = Player.objects.guests().filter(added_by=player).order_by("-pk")[:MAX_FRIENDS]
    friends = {friend.pk: friend for friend in [*sat, *added] if friend.pk != player.person_id}
    return list(friends.values())[:MAX_FRIENDS]


def open_among_friends(
    *, by: Player, at: dt.datetime, names: Sequence[str], game: str, profile: str
) -> Match:
    """Open a match among players with these names in seating order. Raises `OperationError`.

    An empty name stands for the player `by`. Names of friends of `by` stand for these friends.
    """
    with transaction.atomic():
        players = players_by_name(by=by, at=at, names=names)
        return open_match(by=by, at=at, players=players, game=game, profile=profile)


def players_by_name(*, by: Player, at: dt.datetime, names: Sequence[str]) -> list[Player]:
    """Return players for these names by seat. Raises `OperationError`.

    An empty name stands for the player `by`, and names of friends of `by` stand for these friends.
    For any other name a guest is created.
    """
    known = {comparison_key(friend.name): friend for friend in friends_of(by)}
    known[comparison_key(by.name)] = by
    keys = [comparison_key(name) for name in names]
    if keys.count("") > 1:
        raise OperationError(_("Choose a player for each seat."), "players")
    people = []
    for key, name in zip(keys, names, strict=True):
        person = known.get(key) if key else by
        if person is None:
            person = new_player(name=clean_name(name), at=at, added_by=by)
            # A name that occurs twice means the same player, and a player cannot have two seats.
            known[key] = person
        people.append(person)
    return people
