"""Decisions about a match: partners, organisers who played or entered it, and the other side."""

from __future__ import annotations

import datetime as dt

import pytest

from accounts.models import Notice
from leagues import matches_read
from leagues.exceptions import NotAllowed, OperationError
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
from leagues.matches.operations.matches import confirm, hand_in, open_match
from leagues.models import Dispute, League, Match, Member, Player, Proposal, Result
from leagues.permissions import allowed_actions
from leagues.results import finalise_due
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW, score

pytestmark = pytest.mark.django_db

S = Match.State
STANDS, VOID = DisputeVerdict.STANDS, DisputeVerdict.VOID
IN_TIME = NOW + 72 * HOUR - dt.timedelta(microseconds=1)
TOO_LATE = NOW + 72 * HOUR


@pytest.fixture
def people() -> dict[str, Player]:
    return {name: world.account(name) for name in ("ana", "beto", "carla", "dani", "olga")}


@pytest.fixture
def league(people: dict[str, Player]) -> League:
    """Create a league of pairs: ana and carla play beto and dani. Its only organiser is ana."""
    league = world.found_league(people["ana"], profile="pairs", seats=4, visibility="public")
    for name in ("beto", "carla", "dani", "olga"):
        world.enter_league(league, people[name])
    return league


def entered(league: League, people: dict[str, Player], by: str, *points: int) -> Match:
    four = [people[name] for name in ("ana", "beto", "carla", "dani")]
    match = world.draft_match(league, four)
    one, other = points or (12, 4)
    return world.handed_in(match, people[by], score(one, other, one, other))


def confirmed(match: Match, by: Player) -> Match:
    return confirm(match=match, version=match.version, by=by, at=NOW)


def disputed(match: Match, by: Player, at: dt.datetime = NOW) -> Match:
    return dispute_match(match=match, version=match.version, by=by, at=at, reason="It was a 5.")


def settled_match(match: Match, by: Player, verdict: DisputeVerdict = STANDS) -> Match:
    return settle_dispute(
        match=match, version=match.version, by=by, at=NOW, verdict=verdict, settlement="Looked."
    )


def proposed(
    match: Match, by: Player, verdict: DisputeVerdict = STANDS, at: dt.datetime = NOW
) -> Match:
    return propose(
        match=match, version=match.version, by=by, at=at, verdict=verdict, reason="I saw it."
    )


def answered(match: Match, by: Player, accept: bool = True) -> Match:
    return answer_proposal(match=match, version=match.version, by=by, at=NOW, accept=accept)


def voided(match: Match, by: Player, at: dt.datetime = NOW) -> Match:
    return void_match(match=match, version=match.version, by=by, at=at, reason="Nobody knows.")


def may(player: Player, match: Match, at: dt.datetime = NOW) -> set[str]:
    match = Match.objects.get(pk=match.pk)
    return {action.value for action in allowed_actions(player, match, at=at)}


# Partners


@pytest.mark.slow
def test_result_can_only_be_confirmed_by_the_other_side(
    league: League, people: dict[str, Player]
) -> None:
    match = entered(league, people, "carla")
    with pytest.raises(NotAllowed, match="Your partner entered this result"):
        confirmed(match, people["ana"])  # ana is the organiser as well
    assert {name for name in people if "confirm" in may(people[name], match)} == {"beto", "dani"}
    waiting = {name for name in people if matches_read.matches_to_confirm(people[name])}
    assert waiting == {"beto", "dani"}
    told = Notice.objects.filter(kind="match_waits").values_list("user__username", flat=True)
    assert set(told) == {"beto", "dani"}
    assert confirmed(match, people["dani"]).state == S.CONFIRMED


def test_partners_have_one_name_and_one_total_in_results(
    league: League, people: dict[str, Player]
) -> None:
    match = entered(league, people, "carla", 4, 12)
    (line,) = matches_read.result_lines(Match.objects.filter(pk=match.pk))
    assert [side.name for side in line.sides] == ["beto and dani", "ana and carla"]
    assert (line.points, line.is_decided) == ("12 : 4", True)
    assert line.text_with_names == "beto + dani 12, ana + carla 4"


def test_partner_can_withdraw_a_dispute_only_if_its_author_has_left(
    league: League, people: dict[str, Player]
) -> None:
    match = disputed(entered(league, people, "carla"), people["beto"])
    assert "settle" not in may(people["dani"], match)
    Player.objects.filter(name="beto").update(user=None, left_at=NOW)
    assert "settle" in may(people["dani"], match)
    assert "settle" not in may(people["carla"], match)


# Disputes


@pytest.mark.slow
def test_organiser_who_played_cannot_settle_a_dispute_alone(
    league: League, people: dict[str, Player]
) -> None:
    ana, beto = people["ana"], people["beto"]
    match = disputed(confirmed(entered(league, people, "carla"), beto), beto)
    for verdict in (STANDS, VOID):
        with pytest.raises(NotAllowed, match="You played in this match"):
            settled_match(match, ana, verdict)
    with pytest.raises(NotAllowed, match="You played in this match"):
        voided(match, ana)
    world.give_role(league, people["olga"], Member.Role.ORGANISER)
    assert settled_match(match, people["olga"]).state == S.CONFIRMED
    assert Dispute.objects.get().settled_by == people["olga"]


def test_organiser_who_entered_a_match_cannot_settle_its_dispute_alone(
    people: dict[str, Player],
) -> None:
    olga, beto, dani = people["olga"], people["beto"], people["dani"]
    league = world.found_league(olga, plays=False)
    for player in (beto, dani):
        world.enter_league(league, player)
    match = world.handed_in(world.draft_match(league, [beto, dani]), olga, score(12, 4))
    match = disputed(confirmed(match, beto), dani)
    with pytest.raises(NotAllowed, match="You entered the result of this match"):
        settled_match(match, olga)
    match = proposed(match, olga)
    assert "answer" not in may(beto, match), "who won does not agree for who disputes it"
    assert answered(match, dani).state == S.CONFIRMED


def test_result_counts_after_the_other_side_accepts_a_proposal(
    league: League, people: dict[str, Player]
) -> None:
    ana, dani = people["ana"], people["dani"]
    match = proposed(disputed(entered(league, people, "carla"), people["beto"]), ana)
    assert {name for name in people if "answer" in may(people[name], match)} == {"beto", "dani"}
    assert matches_read.matches_to_answer(dani)
    assert not matches_read.matches_to_answer(people["carla"])
    for name in ("ana", "carla", "olga"):
        with pytest.raises(NotAllowed):
            answered(match, people[name])
    match = answered(match, dani)
    assert (match.state, match.confirmed_by) == (S.CONFIRMED, dani)
    assert Result.objects.filter(match=match).exists()
    proposal = Proposal.objects.get()
    assert (proposal.accepted, proposal.answered_by) == (True, dani)


def test_accepted_result_of_the_other_side_is_confirmed_by_its_proposer(
    league: League, people: dict[str, Player]
) -> None:
    """Otherwise a player would confirm the result of their own side."""
    match = disputed(entered(league, people, "beto", 4, 12), people["carla"])
    match = answered(proposed(match, people["ana"]), people["dani"])
    assert (match.state, match.confirmed_by) == (S.CONFIRMED, people["ana"])


def test_rejected_proposal_changes_nothing(league: League, people: dict[str, Player]) -> None:
    ana, beto = people["ana"], people["beto"]
    match = disputed(entered(league, people, "carla"), beto)
    match = answered(proposed(match, ana, VOID), beto, accept=False)
    assert match.state == S.DISPUTED
    assert "answer" not in may(beto, match)
    assert Notice.objects.filter(kind="match_proposal", user=ana.user).count() == 1
    assert answered(proposed(match, ana, VOID), beto).state == S.VOID
    match.refresh_from_db()
    assert match.voided_by == ana


def test_another_decision_ends_a_proposal(league: League, people: dict[str, Player]) -> None:
    ana, beto = people["ana"], people["beto"]
    match = proposed(disputed(entered(league, people, "carla"), beto), ana)
    match = settled_match(match, beto)
    proposal = Proposal.objects.get()
    assert (proposal.answered_at, proposal.answered_by, proposal.accepted) == (NOW, None, None)
    assert match.state == S.HANDED_IN


def test_sole_organiser_can_void_their_own_match_only_after_the_hours_to_object(
    league: League, people: dict[str, Player]
) -> None:
    ana = people["ana"]
    match = disputed(entered(league, people, "carla"), people["beto"])
    assert "void" not in may(ana, match, IN_TIME)
    assert "void" in may(ana, match, TOO_LATE)
    assert "settle" not in may(ana, match, TOO_LATE)
    with pytest.raises(NotAllowed):
        voided(match, ana, IN_TIME)
    assert "void" not in may(people["carla"], match, TOO_LATE)
    assert voided(match, ana, TOO_LATE).state == S.VOID


def test_proposal_starts_the_hours_to_object_again(
    league: League, people: dict[str, Player]
) -> None:
    ana = people["ana"]
    match = disputed(entered(league, people, "carla"), people["beto"])
    match = proposed(match, ana, VOID, at=NOW + HOUR)
    assert "void" not in may(ana, match, TOO_LATE)
    assert "void" in may(ana, match, TOO_LATE + HOUR)


def test_organiser_who_played_cannot_void_if_there_is_another_organiser(
    league: League, people: dict[str, Player]
) -> None:
    ana = people["ana"]
    match = disputed(entered(league, people, "carla"), people["beto"])
    world.give_role(league, people["olga"], Member.Role.ORGANISER)
    assert "void" not in may(ana, match, TOO_LATE)
    assert "void" in may(people["olga"], match, NOW)
    world.give_role(league, people["olga"], Member.Role.PLAYER)
    world.give_role(league, people["dani"], Member.Role.ORGANISER)
    assert "void" in may(ana, match, TOO_LATE), "all organisers played"
    Player.objects.filter(name="olga").update(user=None, left_at=NOW)
    world.give_role(league, people["olga"], Member.Role.ORGANISER)
    assert "void" in may(ana, match, TOO_LATE), "the other one has left"


def test_superuser_can_decide_but_does_not_count_as_another_organiser(
    league: League, people: dict[str, Player]
) -> None:
    office = world.account("office", is_superuser=True)
    match = disputed(entered(league, people, "carla"), people["beto"])
    assert "void" in may(people["ana"], match, TOO_LATE)
    assert settled_match(match, office, VOID).state == S.VOID


def test_disputed_match_without_league_can_be_voided_after_a_time(
    people: dict[str, Player],
) -> None:
    """There is no organiser.

    Both players can propose an end, and after the hours to object each can void the match.
    """
    beto, dani = people["beto"], people["dani"]
    match = open_match(by=beto, at=NOW, players=[beto, dani], game=game.KEY, profile="plain")
    match = disputed(world.handed_in(match, beto, score(12, 4)), dani)
    assert "void" not in may(beto, match, IN_TIME)
    assert "void" in may(beto, match, TOO_LATE)
    assert answered(proposed(match, beto), dani).state == S.CONFIRMED


def test_proposal_is_not_offered_if_nobody_can_accept_it(
    league: League, people: dict[str, Player]
) -> None:
    ana = people["ana"]
    match = disputed(entered(league, people, "carla"), people["beto"])
    assert "propose" in may(ana, match)
    Player.objects.filter(name="beto").update(user=None, left_at=NOW)
    assert "propose" in may(ana, match)
    Player.objects.filter(name="dani").update(user=None, left_at=NOW)
    assert may(ana, match) == {"hand_in", "correct", "restore"}
    assert "void" in may(ana, match, TOO_LATE)


# The following tests are about results without a dispute.


def test_counting_result_cannot_be_voided_alone(league: League, people: dict[str, Player]) -> None:
    ana, beto = people["ana"], people["beto"]
    match = confirmed(entered(league, people, "carla"), beto)
    finalise_due(at=TOO_LATE)
    match.refresh_from_db()
    assert match.state == S.FINAL
    assert "void" not in may(ana, match, TOO_LATE)
    with pytest.raises(OperationError, match="not disputed"):
        proposed(match, ana, STANDS)
    match = proposed(match, ana, VOID)
    assert "void" in may(ana, match, TOO_LATE), "it was proposed, and nobody answered"
    match = answered(match, beto, accept=False)
    assert "void" not in may(ana, match, TOO_LATE), "it was rejected"
    assert Result.objects.filter(match=match).exists()


def test_result_entered_by_the_opponent_can_be_disputed_but_not_voided(
    league: League, people: dict[str, Player]
) -> None:
    match = entered(league, people, "beto", 4, 12)
    assert "void" not in may(people["ana"], match, TOO_LATE)
    assert {"confirm", "dispute"} <= may(people["ana"], match)


def test_own_result_can_be_voided_only_before_others_have_reacted(
    league: League, people: dict[str, Player]
) -> None:
    carla, beto = people["carla"], people["beto"]
    match = entered(league, people, "carla")
    assert "void" in may(carla, match)
    match = disputed(confirmed(match, beto), carla)
    match = world.handed_in(match, carla, score(12, 5, 12, 5))
    assert match.state == S.HANDED_IN
    assert "void" not in may(carla, match), "it has counted"


def test_correction_by_an_organiser_who_entered_the_match_waits(
    people: dict[str, Player],
) -> None:
    olga, beto, dani = people["olga"], people["beto"], people["dani"]
    league = world.found_league(olga, plays=False)
    for player in (beto, dani):
        world.enter_league(league, player)
    match = world.handed_in(world.draft_match(league, [beto, dani]), olga, score(12, 4))
    match = confirmed(match, beto)
    match = correct_match(
        match=match, version=match.version, content=score(4, 12), by=olga, at=NOW, reason="Swapped."
    )
    assert (match.state, match.confirmed_by) == (S.HANDED_IN, None)
    assert set(
        Notice.objects.filter(kind="match_waits").values_list("user__username", flat=True)
    ) == {"beto", "dani"}
    with pytest.raises(NotAllowed, match="another player"):
        confirmed(match, olga)
    assert confirmed(match, dani).state == S.CONFIRMED


def test_organiser_who_corrected_a_result_cannot_settle_its_dispute(
    people: dict[str, Player],
) -> None:
    olga, beto, dani = people["olga"], people["beto"], people["dani"]
    league = world.found_league(olga, plays=False)
    for player in (beto, dani):
        world.enter_league(league, player)
    match = confirmed(
        world.handed_in(world.draft_match(league, [beto, dani]), beto, score(12, 4)), dani
    )
    match = correct_match(
        match=match, version=match.version, content=score(4, 12), by=olga, at=NOW, reason="Swapped."
    )
    assert match.state == S.CONFIRMED, "olga neither played nor entered it"
    match = disputed(match, beto)
    assert "settle" not in may(olga, match)
    assert "propose" in may(olga, match)


# Unchanged results


def test_disputed_result_cannot_be_entered_again_unchanged(
    league: League, people: dict[str, Player]
) -> None:
    ana, carla, beto = people["ana"], people["carla"], people["beto"]
    match = disputed(entered(league, people, "carla"), beto)
    same = score(12, 4, 12, 4)
    with pytest.raises(OperationError, match="has already been entered") as why:
        world.handed_in(match, carla, same)
    assert why.value.field == "content"
    with pytest.raises(OperationError, match="has already been entered"):
        correct_match(
            match=match, version=match.version, content=same, by=ana, at=NOW, reason="Right."
        )
    with pytest.raises(OperationError, match="has already been entered"):
        restore_version(
            match=match, version=match.version, number=1, by=ana, at=NOW, reason="Right."
        )
    assert Dispute.objects.get().settled_at is None
    earlier = hand_in(
        match=match, version=match.version, by=carla, at=NOW, content=same, played_at=NOW - HOUR
    )
    assert earlier.state == S.HANDED_IN, "the day was wrong"


def test_organiser_can_void_imported_matches_until_they_are_disputed() -> None:
    office = world.account("office")
    league = world.found_league(office, plays=False)
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    match = confirmed(
        world.handed_in(world.draft_match(league, [ana, beto]), office, score(12, 4)), ana
    )
    assert "void" not in allowed_actions(office, match)
    # The match is changed to the state that an import creates.
    match.origin, match.confirmed_by = Match.Origin.IMPORTED, office
    match.save()
    assert "void" in allowed_actions(office, match)
    match = disputed(match, beto)
    assert "void" not in allowed_actions(office, match)
    match = settled_match(match, beto)
    assert match.state == S.CONFIRMED
    assert "void" not in allowed_actions(office, match)
