"""Every state of a match, every action and every role: what is allowed, and the resulting state."""

from collections.abc import Callable
from itertools import product

import pytest

from leagues.exceptions import NotAllowed, OperationError, StaleMatch
from leagues.matches.operations.corrections import (
    DisputeVerdict,
    answer_proposal,
    correct_match,
    dispute_match,
    propose,
    restore_version,
    settle_dispute,
    void_match,
)
from leagues.matches.operations.matches import confirm, hand_in, save_draft
from leagues.models import League, Match, Member, Place, Player, Result
from leagues.permissions import Action, allowed_actions
from tests.databases import rolled_back, written_again
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

S = Match.State
ROLES = ("enterer", "other", "scorer", "organiser", "playing organiser", "member", "stranger")
STATES = (S.DRAFT, S.HANDED_IN, S.CONFIRMED, S.FINAL, S.DISPUTED, S.VOID)

# For each state of a match and each action: the roles that may perform the action. The roles
# `enterer` and `other` are the two players of the match. The `enterer` submitted the result, and
# the `other` raised the dispute. All combinations that are not listed must be rejected.
SEATED = {"enterer", "other", "playing organiser"}
ORGANISING = {"organiser", "playing organiser"}
ALLOWED: dict[tuple[str, Action], set[str]] = {
    (S.DRAFT, Action.WRITE): SEATED | {"scorer", "organiser"},
    (S.DRAFT, Action.HAND_IN): SEATED | {"scorer", "organiser"},
    (S.DRAFT, Action.VOID): ORGANISING | {"enterer"},
    (S.HANDED_IN, Action.HAND_IN): {"enterer"},
    (S.HANDED_IN, Action.CONFIRM): {"other"} | ORGANISING,
    (S.HANDED_IN, Action.DISPUTE): SEATED | {"organiser"},
    (S.HANDED_IN, Action.PROPOSE): {"playing organiser"},
    (S.HANDED_IN, Action.ANSWER): {"enterer", "other"},
    (S.HANDED_IN, Action.VOID): {"organiser", "enterer"},
    (S.CONFIRMED, Action.DISPUTE): SEATED | {"organiser"},
    (S.CONFIRMED, Action.CORRECT): ORGANISING,
    (S.CONFIRMED, Action.PROPOSE): {"playing organiser"},
    (S.CONFIRMED, Action.ANSWER): {"enterer", "other"},
    (S.CONFIRMED, Action.VOID): {"organiser"},
    (S.CONFIRMED, Action.RESTORE): ORGANISING,
    (S.FINAL, Action.CORRECT): ORGANISING,
    (S.FINAL, Action.PROPOSE): {"playing organiser"},
    (S.FINAL, Action.ANSWER): {"enterer", "other"},
    (S.FINAL, Action.VOID): {"organiser"},
    (S.FINAL, Action.RESTORE): ORGANISING,
    (S.DISPUTED, Action.HAND_IN): SEATED | {"scorer", "organiser"},
    (S.DISPUTED, Action.SETTLE): {"other", "organiser"},
    (S.DISPUTED, Action.PROPOSE): {"playing organiser"},
    (S.DISPUTED, Action.ANSWER): {"other"},
    (S.DISPUTED, Action.CORRECT): ORGANISING,
    (S.DISPUTED, Action.VOID): {"organiser"},
    (S.DISPUTED, Action.RESTORE): ORGANISING,
    (S.VOID, Action.RESTORE): ORGANISING,
}

# For each action: the state of the match after it. If a player of the match corrects the result,
# another player must confirm the correction first.
LEADS: dict[Action, str] = {
    Action.WRITE: S.DRAFT,
    Action.HAND_IN: S.HANDED_IN,
    Action.CONFIRM: S.CONFIRMED,
    Action.DISPUTE: S.DISPUTED,
    Action.SETTLE: S.CONFIRMED,
    Action.ANSWER: S.VOID,
    Action.CORRECT: S.CONFIRMED,
    Action.VOID: S.VOID,
    Action.RESTORE: S.CONFIRMED,
}

Deed = Callable[[Match, Player], Match]
DEEDS: dict[Action, Deed] = {
    Action.WRITE: lambda m, by: save_draft(
        match=m, version=m.version, by=by, content=world.score(10, 0)
    ),
    Action.HAND_IN: lambda m, by: hand_in(
        match=m, version=m.version, by=by, at=NOW, content=world.score(12, 1, 2)
    ),
    Action.CONFIRM: lambda m, by: confirm(match=m, version=m.version, by=by, at=NOW),
    Action.DISPUTE: lambda m, by: dispute_match(
        match=m, version=m.version, by=by, at=NOW, reason="That was a 4."
    ),
    Action.SETTLE: lambda m, by: settle_dispute(
        match=m,
        version=m.version,
        by=by,
        at=NOW,
        verdict=DisputeVerdict.STANDS,
        settlement="Looked.",
    ),
    Action.PROPOSE: lambda m, by: propose(
        match=m, version=m.version, by=by, at=NOW, verdict=DisputeVerdict.VOID, reason="Never."
    ),
    Action.ANSWER: lambda m, by: answer_proposal(
        match=m, version=m.version, by=by, at=NOW, accept=True
    ),
    Action.CORRECT: lambda m, by: correct_match(
        match=m, version=m.version, by=by, at=NOW, content=world.score(4, 11, 0), reason="Swapped."
    ),
    Action.VOID: lambda m, by: void_match(
        match=m, version=m.version, by=by, at=NOW, reason="Never played."
    ),
    Action.RESTORE: lambda m, by: restore_version(
        match=m, version=m.version, by=by, at=NOW, number=1, reason="As it was."
    ),
}


@written_again
def club() -> tuple[dict[str, Player], League]:
    people = {role: world.account(role) for role in ROLES}
    made = world.found_league(people["organiser"], seats=3)
    for role in ROLES[:-1]:
        world.enter_league(made, people[role])
    world.give_role(made, people["scorer"], Member.Role.SCORER)
    world.give_role(made, people["playing organiser"], Member.Role.ORGANISER)
    return people, made


@pytest.fixture
def league() -> League:
    _people, league = club()
    return league


@pytest.fixture
def people(league: League) -> dict[str, Player]:
    return {player.name: player for player in Player.objects.filter(name__in=ROLES)}


def in_state(league: League, people: dict[str, Player], state: str) -> Match:
    """Create a match in this state, with a proposal of the playing organiser if possible."""
    match = _in_state(league, people, state)
    if state in (S.DRAFT, S.VOID):
        return match
    return DEEDS[Action.PROPOSE](match, people["playing organiser"])


def _in_state(league: League, people: dict[str, Player], state: str) -> Match:
    """Create a match in this state, using the operations of the site.

    Its people are the two players `enterer` and `other`, and an organiser.
    """
    enterer, other = people["enterer"], people["other"]
    match = world.draft_match(league, [enterer, other, people["playing organiser"]])
    if state == S.DRAFT:
        return match
    for last in (2, 1):  # the second version corrects the first
        match = world.handed_in(match, enterer, world.score(10, 3, last))
    if state == S.VOID:
        return DEEDS[Action.VOID](match, enterer)
    if state in (S.CONFIRMED, S.FINAL, S.DISPUTED):
        match = confirm(match=match, version=match.version, by=other, at=NOW)
    if state == S.DISPUTED:
        return DEEDS[Action.DISPUTE](match, other)
    if state == S.FINAL:
        return world.finalised(match)
    return match


@written_again
def begun_in(state: str) -> tuple[dict[str, Player], Match]:
    """Create a league with its people and a match in this state."""
    people, league = club()
    return people, in_state(league, people, state)


def counts(match: Match) -> bool:
    return Result.objects.filter(match=match).exists()


@pytest.mark.slow
@pytest.mark.parametrize(("state", "action"), list(product(STATES, Action)), ids=str)
def test_roles_may_do_exactly_the_listed_actions_in_each_state(state: str, action: Action) -> None:
    people, made = begun_in(state)
    for role in ROLES:
        match, by = Match.objects.get(pk=made.pk), people[role]
        may = role in ALLOWED.get((state, action), set())
        assert (action in allowed_actions(by, match)) == may, role
        if not may:
            with pytest.raises(OperationError) as refused:
                DEEDS[action](match, by)
            wrong_state = not ALLOWED.get((state, action))
            assert isinstance(refused.value, NotAllowed) != wrong_state, role
            match.refresh_from_db()
            assert (match.state, match.version) == (state, made.version)
            continue
        with rolled_back():
            done = DEEDS[action](match, by)
            expected = LEADS.get(action, state)
            if action in (Action.CORRECT, Action.RESTORE) and role == "playing organiser":
                expected = S.HANDED_IN
            assert done.state == expected, role
            assert counts(done) == (expected in (S.CONFIRMED, S.FINAL)), role
            assert done.version == made.version + 1


@pytest.mark.slow
@pytest.mark.parametrize("action", list(Action))
def test_action_with_an_outdated_version_changes_nothing(
    action: Action, league: League, people: dict[str, Player]
) -> None:
    state = next(state for state in STATES if ALLOWED.get((state, action)))
    match = in_state(league, people, state)
    by = next(people[role] for role in ROLES if role in ALLOWED[state, action])
    Match.objects.filter(pk=match.pk).update(version=match.version + 1)
    before = (list(Place.objects.values_list()), match.sheets.count(), match.disputes.count())
    with pytest.raises(StaleMatch):
        DEEDS[action](match, by)
    assert before == (
        list(Place.objects.values_list()),
        match.sheets.count(),
        match.disputes.count(),
    )


def test_organiser_cannot_confirm_a_result_they_submitted(
    league: League, people: dict[str, Player]
) -> None:
    organiser, other = people["organiser"], people["other"]
    match = world.draft_match(league, [people["enterer"], other])
    match = world.handed_in(match, organiser, world.score(10, 2))
    with pytest.raises(NotAllowed, match="another player"):
        confirm(match=match, version=match.version, by=organiser, at=NOW)
    assert confirm(match=match, version=match.version, by=other, at=NOW).state == S.CONFIRMED


def test_player_cannot_confirm_their_own_result_under_a_merged_name(
    league: League, people: dict[str, Player]
) -> None:
    enterer = people["enterer"]
    match = world.handed_in(
        world.draft_match(league, [enterer, people["other"]]), enterer, world.score(10, 2)
    )
    alias = world.guest("alias of the enterer")
    alias.merged_into = enterer
    alias.save()
    with pytest.raises(NotAllowed):
        confirm(match=match, version=match.version, by=alias, at=NOW)


def test_settled_dispute_restores_the_former_state(
    league: League, people: dict[str, Player]
) -> None:
    match = in_state(league, people, S.HANDED_IN)
    match = DEEDS[Action.DISPUTE](match, people["other"])
    match = settle_dispute(
        match=match,
        version=match.version,
        by=people["other"],
        at=NOW,
        verdict=DisputeVerdict.STANDS,
    )
    assert match.state == S.HANDED_IN, "it was not confirmed before, and is not by settling"
    assert not counts(match)
    assert match.disputes.get().settlement


def test_only_an_organiser_can_settle_a_dispute_by_voiding(
    league: League, people: dict[str, Player]
) -> None:
    match = in_state(league, people, S.DISPUTED)
    with pytest.raises(NotAllowed):
        settle_dispute(
            match=match,
            version=match.version,
            by=people["other"],
            at=NOW,
            verdict=DisputeVerdict.VOID,
        )
    match = settle_dispute(
        match=match,
        version=match.version,
        by=people["organiser"],
        at=NOW,
        verdict=DisputeVerdict.VOID,
        settlement="Nobody remembers.",
    )
    assert match.state == S.VOID


def test_scoresheet_that_the_referee_rejects_cannot_be_submitted(
    league: League, people: dict[str, Player]
) -> None:
    match = in_state(league, people, S.DRAFT)
    for wrong in ({"hands": [[1, 1, 2]]}, {"score": [1, 2, 3]}, {"score": [-1, 20, 3]}, None, 7):
        with pytest.raises(OperationError) as refused:
            hand_in(match=match, version=match.version, by=people["enterer"], at=NOW, content=wrong)
        assert refused.value.field == "content"
    match.refresh_from_db()
    assert (match.state, match.sheets.count(), match.version) == (S.DRAFT, 0, 0)
