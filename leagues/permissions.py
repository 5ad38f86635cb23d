"""Permissions: who may do what in a league, by role, and with a match, by their relation to it.

A person acts as a `Player`, guests too, so the predicates take a player and not an account. The
site's superusers may do what an organiser may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from leagues.games import games
from leagues.members.queries import (
    belongs_to,
    has_played_publicly,
    highest_role,
    membership,
    role_in,
)
from leagues.models import Dispute, League, Match, MatchSeat, Member, Player

State = Match.State
SCORING_ROLES = (Member.Role.ORGANISER, Member.Role.SCORER)
"""Roles that hand in matches of others."""


def is_site_admin(player: Player | None) -> bool:
    """Whether the site's own office acts."""
    return bool(player and player.user is not None and player.user.is_superuser)


def may_organise(player: Player | None, league: League | None) -> bool:
    """Whether somebody runs the league."""
    if league is None:
        return False
    return role_in(player, league) == Member.Role.ORGANISER or is_site_admin(player)


def may_score(player: Player | None, league: League | None) -> bool:
    """Whether somebody may hand in matches that they did not play."""
    if league is None:
        return False
    return role_in(player, league) in SCORING_ROLES or is_site_admin(player)


def may_play(player: Player | None, league: League | None) -> bool:
    """Whether somebody plays in the league, which is still open."""
    if player is None or league is None or league.closed_at is not None:
        return False
    playing = Member.objects.filter(belongs_to(player), league=league, plays=True)
    return playing.filter(withdrawn_at=None).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRole:
    """What somebody is in a league: the role, and what it lets them do there.

    `plays`: as `may_play`; `scores` as `may_score`; `organises` as `may_organise`.
    """

    role: Member.Role | None
    organises: bool
    scores: bool
    plays: bool


def league_role_of(player: Player | None, league: League) -> LeagueRole:
    """What somebody is in a league; one query."""
    members, office = membership(player, league), is_site_admin(player)
    role = highest_role(members)
    playing = any(member.plays and member.withdrawn_at is None for member in members)
    return LeagueRole(
        role=role,
        organises=office or role == Member.Role.ORGANISER,
        scores=office or role in SCORING_ROLES,
        plays=playing and league.closed_at is None,
    )


def may_view(player: Player | None, league: League | None, *, knows_link: bool = False) -> bool:
    """Whether somebody may see the league.

    A public one anybody; one by link, who has its address (`knows_link`) or is in it; a private
    one, who is in it.
    """
    if league is None:
        return False
    if league.visibility == League.Visibility.PUBLIC:
        return True
    if knows_link and league.visibility == League.Visibility.LINK:
        return True
    return role_in(player, league) is not None or is_site_admin(player)


def viewable_league(player: Player | None, slug: str) -> League | None:
    """The league at this address, where somebody who has the address may see it."""
    # An address read from a query may hold signs that a database refuses.
    league = League.objects.filter(slug=slug).first() if slug.isprintable() else None
    return league if may_view(player, league, knows_link=True) else None


def may_view_match(player: Player | None, match: Match, *, knows_link: bool = False) -> bool:
    """Whether somebody may see the match: its league's public, or who sat there.

    A match among friends is seen by them alone, and by who has the key of its form.
    """
    if match.league is not None and may_view(player, match.league, knows_link=knows_link):
        return True
    if player is None:
        return match.league is None and knows_link
    seated = MatchSeat.objects.filter(belongs_to(player), match=match).exists()
    return seated or is_site_admin(player) or (match.league is None and knows_link)


def may_view_player(found: Player, by: Player | None, *, in_common: bool) -> bool:
    """Whether somebody may see a player's page.

    Who has a league `in_common` may; else everybody, where the player is public and has played
    where anybody may look or has an account.
    """
    own = by is not None and by.person_id == found.pk
    known = found.public and (not found.is_guest or has_played_publicly(found))
    return own or is_site_admin(by) or in_common or known


class Action(StrEnum):
    """What can be done with a match."""

    WRITE = "write"
    HAND_IN = "hand_in"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    SETTLE = "settle"
    CORRECT = "correct"
    VOID = "void"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRelation:
    """What somebody has to do with a match.

    `entered`: the sheet that counts is theirs, or, where there is none yet, they began the match.
    `scores`: they may hand in matches of others. `raised`: the open dispute is theirs.
    """

    seated: bool = False
    entered: bool = False
    organises: bool = False
    scores: bool = False
    raised: bool = False


ALLOWED_STATES: Mapping[Action, frozenset[str]] = {
    Action.WRITE: frozenset({State.DRAFT}),
    Action.HAND_IN: frozenset({State.DRAFT, State.HANDED_IN, State.DISPUTED}),
    Action.CONFIRM: frozenset({State.HANDED_IN}),
    Action.DISPUTE: frozenset({State.HANDED_IN, State.CONFIRMED}),
    Action.SETTLE: frozenset({State.DISPUTED}),
    Action.CORRECT: frozenset({State.CONFIRMED, State.FINAL, State.DISPUTED}),
    Action.VOID: frozenset(
        {State.DRAFT, State.HANDED_IN, State.CONFIRMED, State.FINAL, State.DISPUTED}
    ),
    Action.RESTORE: frozenset({State.CONFIRMED, State.FINAL, State.DISPUTED, State.VOID}),
}
"""The states of a match in which each action has a sense."""


def match_relation(player: Player | None, match: Match) -> MatchRelation:
    """What a person has to do with a match; three queries at most."""
    if player is None:
        return MatchRelation()
    person = player.person_id
    role = role_in(player, match.league) if match.league is not None else None
    organises = role == Member.Role.ORGANISER or is_site_admin(player) or _runs(person, match)
    return MatchRelation(
        seated=MatchSeat.objects.filter(belongs_to(player), match=match).exists(),
        entered=match.entered_by is not None and match.entered_by.person_id == person,
        organises=organises,
        scores=organises or role == Member.Role.SCORER,
        raised=Dispute.objects.filter(
            belongs_to(player, "by"), match=match, settled_at=None
        ).exists(),
    )


def _runs(person: int, match: Match) -> bool:
    """Whether somebody runs what the match is for, by the game's own book."""
    game = games.find(match.game)
    return game is not None and game.book is not None and game.book.runs(match.pk, person)


def permits(who: MatchRelation, action: Action, state: str) -> bool:
    """Whether one with this bearing may do this with a match in this state.

    Nobody confirms what they entered themselves, organisers included; an organiser confirms what
    others entered. A match that waits is entered anew by who entered it; a disputed one by
    anybody who sat there. Void before it counts is what who entered it may declare.
    """
    return state in ALLOWED_STATES[action] and _ALLOWED_RELATIONS[action](who, state)


_ALLOWED_RELATIONS: Mapping[Action, Callable[[MatchRelation, str], bool]] = {
    Action.WRITE: lambda who, state: who.seated or who.scores,
    Action.HAND_IN: lambda who, state: (
        who.entered if state == State.HANDED_IN else who.seated or who.scores
    ),
    Action.CONFIRM: lambda who, state: not who.entered and (who.seated or who.organises),
    Action.DISPUTE: lambda who, state: who.seated or who.organises,
    Action.SETTLE: lambda who, state: who.raised or who.organises,
    Action.CORRECT: lambda who, state: who.organises,
    Action.VOID: lambda who, state: (
        who.organises or (state in {State.DRAFT, State.HANDED_IN} and who.entered)
    ),
    Action.RESTORE: lambda who, state: who.organises,
}


def allowed_actions(player: Player | None, match: Match) -> frozenset[Action]:
    """All that a person may do with a match as it stands, for the buttons of its page."""
    who = match_relation(player, match)
    return frozenset(action for action in Action if permits(who, action, match.state))
