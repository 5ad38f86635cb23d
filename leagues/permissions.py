"""Permissions for leagues, by role, and for matches, by the player's relation to them.

Guests have permissions too, so predicates take a `Player` and not a user. Superusers have the
rights of organisers.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from leagues.games import games
from leagues.members_read.queries import (
    belongs_to,
    has_played_publicly,
    highest_role,
    membership,
    role_in,
)
from leagues.models import League, Match, MatchSeat, Member, Player
from leagues.parties import (
    Seating,
    agreement_ends,
    authors_of,
    impartial_organisers,
    is_first_entry,
    open_dispute,
    open_proposal,
    seating_of,
    sides_to_answer,
)

State = Match.State
# Roles that may enter matches of others.
SCORING_ROLES = (Member.Role.ORGANISER, Member.Role.SCORER)


def is_site_admin(player: Player | None) -> bool:
    return bool(player and player.user is not None and player.user.is_superuser)


def may_organise(player: Player | None, league: League | None) -> bool:
    if league is None:
        return False
    return role_in(player, league) == Member.Role.ORGANISER or is_site_admin(player)


def may_score(player: Player | None, league: League | None) -> bool:
    """Return whether a player may enter matches that they did not play."""
    if league is None:
        return False
    return role_in(player, league) in SCORING_ROLES or is_site_admin(player)


def may_play(player: Player | None, league: League | None) -> bool:
    if player is None or league is None or league.closed_at is not None:
        return False
    playing = Member.objects.filter(belongs_to(player), league=league, plays=True)
    return playing.filter(withdrawn_at=None).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRole:
    """Role of a player in a league, and the resulting permissions.

    `plays`, `scores` and `organises` are those of `may_play`, `may_score` and `may_organise`.
    """

    role: Member.Role | None
    organises: bool
    scores: bool
    plays: bool


def league_role_of(player: Player | None, league: League) -> LeagueRole:
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
    """Return whether a player may see a league.

    Public leagues are visible to everybody, unlisted ones to members and those who have the address
    (`knows_link`), private ones to members only.
    """
    if league is None:
        return False
    if league.visibility == League.Visibility.PUBLIC:
        return True
    if knows_link and league.visibility == League.Visibility.LINK:
        return True
    return role_in(player, league) is not None or is_site_admin(player)


def viewable_league(player: Player | None, slug: str) -> League | None:
    # A query parameter may contain characters that the database rejects.
    league = League.objects.filter(slug=slug).first() if slug.isprintable() else None
    return league if may_view(player, league, knows_link=True) else None


def may_view_match(player: Player | None, match: Match, *, knows_link: bool = False) -> bool:
    """Return whether a player may see a match: in a visible league, or their own.

    Matches among friends are visible to their players and to those who have the key of the form.
    """
    if match.league is not None and may_view(player, match.league, knows_link=knows_link):
        return True
    if player is None:
        return match.league is None and knows_link
    seated = MatchSeat.objects.filter(belongs_to(player), match=match).exists()
    return seated or is_site_admin(player) or (match.league is None and knows_link)


def may_view_player(player: Player, by: Player | None, *, in_common: bool) -> bool:
    """Return whether a player's page is visible.

    It is to those with a league `in_common`. For others, the player must be public and either have
    played publicly or have an account.
    """
    own = by is not None and by.person_id == player.pk
    known = player.public and (not player.is_guest or has_played_publicly(player))
    return own or is_site_admin(by) or in_common or known


class Action(StrEnum):
    WRITE = "write"
    HAND_IN = "hand_in"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    SETTLE = "settle"
    PROPOSE = "propose"
    ANSWER = "answer"
    CORRECT = "correct"
    VOID = "void"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRelation:
    """Relation of a player to a match.

    `entered`: the present sheet is theirs or, without a sheet, they opened the match. `partner`:
    it is that of a player on their side. `first_entry`: their pending result is only their own
    claim so far. `scores`: they may enter matches of others. `raised`: the open dispute is theirs,
    or their partner's, whose account was deleted. `party`: they played the match, or they are an
    organiser and entered it.
    `proposes`: they are a party, would decide if they were not, and there is a side that can agree.
    `answers`: the open proposal waits for their side. `last`: they are a party, would decide if
    they were not, there is no other organiser, and nobody has agreed in time.
    """

    seated: bool = False
    entered: bool = False
    partner: bool = False
    first_entry: bool = False
    organises: bool = False
    scores: bool = False
    raised: bool = False
    party: bool = False
    proposes: bool = False
    answers: bool = False
    last: bool = False

    @property
    def impartial(self) -> bool:
        """Whether they decide alone: an organiser who neither played nor entered the match."""
        return self.organises and not self.party


# States in which there is a result that a decision could change.
_DECIDABLE: frozenset[str] = frozenset(
    {State.HANDED_IN, State.CONFIRMED, State.FINAL, State.DISPUTED}
)
# States of a match in which each action is possible.
ALLOWED_STATES: Mapping[Action, frozenset[str]] = {
    Action.WRITE: frozenset({State.DRAFT}),
    Action.HAND_IN: frozenset({State.DRAFT, State.HANDED_IN, State.DISPUTED}),
    Action.CONFIRM: frozenset({State.HANDED_IN}),
    Action.DISPUTE: frozenset({State.HANDED_IN, State.CONFIRMED}),
    Action.SETTLE: frozenset({State.DISPUTED}),
    Action.PROPOSE: _DECIDABLE,
    Action.ANSWER: _DECIDABLE,
    Action.CORRECT: frozenset({State.CONFIRMED, State.FINAL, State.DISPUTED}),
    Action.VOID: _DECIDABLE | {State.DRAFT},
    Action.RESTORE: frozenset({State.CONFIRMED, State.FINAL, State.DISPUTED, State.VOID}),
}


def match_relation(
    player: Player | None, match: Match, *, at: dt.datetime | None = None
) -> MatchRelation:
    """Return the relation of a player to a match, with seven queries at most.

    Without a time, nothing is overdue.
    """
    if player is None:
        return MatchRelation()
    person = player.person_id
    role = role_in(player, match.league) if match.league is not None else None
    organises = role == Member.Role.ORGANISER or is_site_admin(player) or _runs(person, match)
    seating, dispute = seating_of(match), open_dispute(match)
    seated = seating.side(player) is not None
    entered = match.entered_by is not None and match.entered_by.person_id == person
    decides = organises or (seated and _among_friends(match))
    party = seated or (organises and match.state != State.DRAFT and _wrote(person, match))
    proposes = answers = last = False
    if match.state in _DECIDABLE and (seated or organises):
        proposal = open_proposal(match)
        raised_by = dispute.by if dispute else None
        if proposal is not None and seated:
            waiting = sides_to_answer(seating, by=proposal.by, raised_by=raised_by)
            answers = seating.side(player) in waiting
        if party and decides:
            asked = sides_to_answer(seating, by=player, raised_by=raised_by)
            proposes = seating.can_answer(asked)
            ends = agreement_ends(match, dispute=dispute, proposal=proposal)
            last = at is not None and ends is not None and ends <= at
            last = last and not impartial_organisers(match, seating)
    return MatchRelation(
        seated=seated,
        entered=entered,
        partner=not entered and seating.partners(player, match.entered_by),
        first_entry=(entered and match.state == State.HANDED_IN and is_first_entry(match, player)),
        organises=organises,
        scores=organises or role == Member.Role.SCORER,
        raised=dispute is not None and _raised(player, dispute.by, seating),
        party=party,
        proposes=proposes,
        answers=answers,
        last=last,
    )


def _runs(person: int, match: Match) -> bool:
    game = games.find(match.game)
    return game is not None and game.book is not None and game.book.runs(match.pk, person)


def _wrote(person: int, match: Match) -> bool:
    """Return whether a person entered the match, or the correction that is disputed.

    A result that was only imported and never disputed does not count as entered, so its organiser
    can replace a wrong file.
    """
    if match.is_only_imported and not match.disputes.exists():
        return False
    if match.state == State.DISPUTED and match.entered_by is not None:
        forfeit = match.sheet is not None and bool(match.sheet.forfeits)
        if match.entered_by.person_id == person and not forfeit:
            return True
    return person in authors_of(match)


def _among_friends(match: Match) -> bool:
    """Return whether a match has no organiser, so that its players decide."""
    game = games.find(match.game)
    return match.league_id is None and (game is None or game.book is None)


def _raised(player: Player, by: Player, seating: Seating) -> bool:
    if by.person_id == player.person_id:
        return True
    return by.person_id in seating.left and seating.partners(player, by)


def permits(who: MatchRelation, action: Action, state: str) -> bool:
    """Return whether this relation permits the action in this state.

    Nobody confirms a result that they or their partner entered, but organisers confirm those of
    others. A pending match can be entered again by the player who entered it, a disputed one by all
    its players. The player who entered a match may void it while it is only their own claim. An
    organiser who played or entered the match decides nothing about it alone.
    """
    return state in ALLOWED_STATES[action] and _ALLOWED_RELATIONS[action](who, state)


def _may_confirm(who: MatchRelation) -> bool:
    return not who.entered and not who.partner and (who.seated or who.organises)


def _may_void(who: MatchRelation, state: str) -> bool:
    if state == State.DRAFT:
        return who.organises or who.entered
    if who.impartial or (state == State.HANDED_IN and who.first_entry):
        return True
    # A result that somebody else entered is confirmed or disputed.
    return who.last and not (state == State.HANDED_IN and _may_confirm(who))


_ALLOWED_RELATIONS: Mapping[Action, Callable[[MatchRelation, str], bool]] = {
    Action.WRITE: lambda who, state: who.seated or who.scores,
    Action.HAND_IN: lambda who, state: (
        who.entered if state == State.HANDED_IN else who.seated or who.scores
    ),
    Action.CONFIRM: lambda who, state: _may_confirm(who),
    Action.DISPUTE: lambda who, state: who.seated or who.organises,
    Action.SETTLE: lambda who, state: who.raised or who.impartial,
    Action.PROPOSE: lambda who, state: (
        who.proposes and not (state == State.HANDED_IN and who.first_entry)
    ),
    Action.ANSWER: lambda who, state: who.answers,
    Action.CORRECT: lambda who, state: who.organises,
    Action.VOID: _may_void,
    Action.RESTORE: lambda who, state: who.organises,
}


def allowed_actions(
    player: Player | None, match: Match, *, at: dt.datetime | None = None
) -> frozenset[Action]:
    who = match_relation(player, match, at=at)
    return frozenset(action for action in Action if permits(who, action, match.state))
