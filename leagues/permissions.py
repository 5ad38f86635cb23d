"""Permissions for leagues, by role, and for matches, by the player's relation to the match.

Guests without an account have permissions too. Functions therefore take a `Player` instead of a
user. Superusers have the rights of organisers.
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
# Roles of members who may enter results of matches that they did not play.
SCORING_ROLES = (Member.Role.ORGANISER, Member.Role.SCORER)


def is_site_admin(player: Player | None) -> bool:
    return bool(player and player.user is not None and player.user.is_superuser)


def may_organise(player: Player | None, league: League | None) -> bool:
    if league is None:
        return False
    return role_in(player, league) == Member.Role.ORGANISER or is_site_admin(player)


def may_score(player: Player | None, league: League | None) -> bool:
    """Return whether a player may enter results of matches that the player did not play."""
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
    """Role of a player in a league, and the permissions that follow from it.

    `plays`, `scores` and `organises` equal the results of `may_play`, `may_score` and
    `may_organise`.
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

    Public leagues are visible to everybody, unlisted leagues to members and visitors who have the
    link (`knows_link`), and private leagues to members only.
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
    """Return whether a player may see a match: their own match, or one of a league visible to them.

    Matches among friends are also visible to visitors who have the link with the key of the match.
    """
    if match.league is not None and may_view(player, match.league, knows_link=knows_link):
        return True
    if player is None:
        return match.league is None and knows_link
    seated = MatchSeat.objects.filter(belongs_to(player), match=match).exists()
    return seated or is_site_admin(player) or (match.league is None and knows_link)


def may_view_player(player: Player, by: Player | None, *, in_common: bool) -> bool:
    """Return whether a player's page is visible to the player `by`.

    It is visible to members of a common league (`in_common`). For others, the player must have a
    public page and must also have an account or have played in public.
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

    - `seated`: the player played the match.
    - `entered`: the player entered the present scoresheet or, without one, opened the match.
    - `partner`: somebody on the player's side did so.
    - `first_entry`: the player entered the pending result, which never counted, was never disputed
      and was not changed by others.
    - `organises`: the player has the rights of an organiser.
    - `scores`: the player may enter results of other players' matches.
    - `raised`: the open dispute is the player's, or that of a partner whose account was deleted.
    - `party`: the player played the match, or is an organiser who entered it.
    - `proposes`: the player is a party who may not decide alone, but may make a proposal that
      another side can agree to.
    - `answers`: the open proposal awaits an answer of the player's side.
    - `last`: the player is a party and may void the match after all, because there is no other
      organiser and nobody has agreed in time.
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
        """Whether the player is an organiser who neither played nor entered the match.

        Such an organiser can decide about the match alone.
        """
        return self.organises and not self.party


# States of a match that has a result which a decision could change.
_DECIDABLE: frozenset[str] = frozenset(
    {State.HANDED_IN, State.CONFIRMED, State.FINAL, State.DISPUTED}
)
# Maps each action to the states of a match in which it is possible.
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
    """Return the relation of a player to a match, with at most seven queries.

    `at` is the present time. Without it, time limits are treated as not yet expired.
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
    game = games.find_game(match.game)
    return game is not None and game.book is not None and game.book.runs(match.pk, person)


def _wrote(person: int, match: Match) -> bool:
    """Return whether a person entered the result of the match, or the correction that is disputed.

    A result that was only imported and never disputed does not count as entered. Its organiser can
    therefore replace the result of a wrong file.
    """
    if match.is_only_imported and not match.disputes.exists():
        return False
    if match.state == State.DISPUTED and match.entered_by is not None:
        forfeit = match.sheet is not None and bool(match.sheet.forfeits)
        if match.entered_by.person_id == person and not forfeit:
            return True
    return person in authors_of(match)


def _among_friends(match: Match) -> bool:
    """Return whether nobody organises a match, so that its players decide about it."""
    game = games.find_game(match.game)
    return match.league_id is None and (game is None or game.book is None)


def _raised(player: Player, by: Player, seating: Seating) -> bool:
    if by.person_id == player.person_id:
        return True
    return by.person_id in seating.left and seating.partners(player, by)


def permits(who: MatchRelation, action: Action, state: str) -> bool:
    """Return whether a player with relation `who` to a match may perform an action in this state.

    Players cannot confirm a result that they or their partner entered, but organisers may confirm
    results that others entered. A pending result can be entered again by the player who entered it,
    a disputed result by any player of the match. A player who entered a match may void it as long
    as the result never counted, was never disputed and was not changed by others. An organiser who
    played or entered the match cannot decide about it alone.
    """
    return state in ALLOWED_STATES[action] and _ALLOWED_RELATIONS[action](who, state)


def _may_confirm(who: MatchRelation) -> bool:
    return not who.entered and not who.partner and (who.seated or who.organises)


def _may_void(who: MatchRelation, state: str) -> bool:
    if state == State.DRAFT:
        return who.organises or who.entered
    if who.impartial or (state == State.HANDED_IN and who.first_entry):
        return True
    # A pending result that the player could confirm cannot be voided: the player must confirm or
    # dispute it instead.
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
