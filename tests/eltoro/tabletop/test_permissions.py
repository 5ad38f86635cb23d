"""Permissions to record the board of a real game, by role and by state of the match."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from eltoro.models import Keeping
from eltoro.tabletop import operations
from leagues.exceptions import NotAllowed, OperationError
from leagues.league.operations import LeagueSettings, create_league
from leagues.members.operations.membership import join_league
from leagues.models import Match, Member, Player
from tests.eltoro.tabletop.evening import NOW, account, begin_board, evening, guest

pytestmark = pytest.mark.django_db

# The people are in this order: the player who began the match; a guest in the match; another name
# of this guest; an unrelated user; a member, a scorer and an organiser of the league; a superuser.
WHO = ("ana", "gus", "alias", "stranger", "member", "scorer", "organiser", "office")
SEATED = {"ana", "gus", "alias"}
People = dict[str, Player]


@pytest.fixture
def people() -> People:
    made = {name: account(name) for name in WHO if name not in {"gus", "alias"}}
    made |= {"gus": guest("gus"), "alias": guest("alias")}
    made["alias"].merged_into = made["gus"]
    made["alias"].save()
    user = made["office"].user
    assert user is not None
    user.is_superuser = True
    user.save()
    return made


def into_a_league(match: Match, people: People) -> None:
    settings = LeagueSettings(name="Town", game="eltoro", profile="own", rules=match.rules)
    league = create_league(settings=settings, by=people["organiser"], at=NOW)
    for name in ("member", "scorer"):
        join_league(token=league.invitation, by=people[name], at=NOW)
    Member.objects.filter(player=people["scorer"]).update(role=Member.Role.SCORER)
    match.league = league
    match.save()


def is_refused(deed: Callable[[], object]) -> bool:
    """Return whether an operation is rejected for lack of permission.

    Its changes are rolled back.
    """
    try:
        with transaction.atomic():
            deed()
            transaction.set_rollback(True)
    except NotAllowed:
        return True
    except OperationError:
        return False
    return False


Deed = Callable[[Keeping, Player], object]
DEEDS: dict[str, Deed] = {
    "write": lambda one, by: operations.record_entry(
        keeping=one, version=one.version, text="lay", by=by, at=NOW
    ),
    "take back": lambda one, by: operations.undo_entry(
        keeping=one, version=one.version, by=by, at=NOW
    ),
    "choose dice": lambda one, by: operations.choose_dice(
        keeping=one, version=one.version, mode="all", by=by, at=NOW
    ),
}


@pytest.mark.parametrize("league", [False, True], ids=["friends", "league"])
def test_players_scorers_organisers_and_superusers_can_record_the_board(
    people: People, league: bool
) -> None:
    match = evening(people["ana"], people["gus"])
    if league:
        into_a_league(match, people)
    writing = SEATED | {"office"} | ({"scorer", "organiser"} if league else set())
    beginning = {
        name
        for name in WHO
        if not is_refused(lambda: begin_board(match, people[name]))  # noqa: B023  called immediately
    }
    assert beginning == writing
    keeping = begin_board(match, people["ana"])
    for name, deed in DEEDS.items():
        found = {who for who in WHO if not is_refused(lambda: deed(keeping, people[who]))}  # noqa: B023  called immediately
        assert found == writing, name


@pytest.mark.parametrize("state", [state for state in Match.State if state != Match.State.DRAFT])
def test_board_of_a_submitted_match_cannot_be_changed(people: People, state: str) -> None:
    match = evening(people["ana"], people["gus"])
    keeping = begin_board(match, people["ana"])
    Match.objects.filter(pk=match.pk).update(state=state)
    match.refresh_from_db()
    for deed in DEEDS.values():
        for name in ("ana", "office"):
            with pytest.raises(OperationError) as error, transaction.atomic():
                deed(keeping, people[name])
            assert not isinstance(error.value, NotAllowed)
    with pytest.raises(OperationError):
        begin_board(match, people["ana"])
    keeping.refresh_from_db()
    assert (keeping.version, keeping.lines) == (0, [])


@pytest.mark.parametrize(("game", "mode"), [("dominoes", "all"), ("eltoro", "smoke")])
def test_board_exists_only_for_el_toro_and_known_kinds_of_dice(
    people: People, game: str, mode: str
) -> None:
    match = evening(people["ana"], people["gus"])
    match.game = game
    with pytest.raises(OperationError, match="on this kind of board"):
        begin_board(match, people["ana"], mode)
    assert not Keeping.objects.exists()
