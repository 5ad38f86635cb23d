"""The operations of a match: who may use them, what they store, and what they reject."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from leagues.exceptions import NotAllowed, OperationError, SheetRefused
from leagues.fixtures.operations import (
    forfeit_fixture,
    postpone_fixture,
    restore_fixture,
    void_fixture,
)
from leagues.matches.operations.corrections import (
    DisputeVerdict,
    correct_match,
    dispute_match,
    preview_correction,
    preview_restore,
    restore_version,
    settle_dispute,
    void_match,
)
from leagues.matches.operations.matches import confirm, hand_in, open_match, save_draft
from leagues.models import Dispute, Fixture, League, Match, Member, Place, Player, Result
from leagues.results import finalise_due
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW, draft_match, first_fixture, handed_in, score, seated

pytestmark = pytest.mark.django_db

S = Match.State
TICK = dt.timedelta(microseconds=1)
LATER = NOW + 5 * HOUR


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def ladder(office: Player) -> League:
    """Create a ladder with at most three players a match.

    ana, beto, carla and dora play, and office is the organiser.
    """
    league = world.found_league(office, plays=False, seats=3)
    for name in ("ana", "beto", "carla", "dora"):
        world.enter_league(league, world.account(name))
    return league


def people(*names: str) -> list[Player]:
    return [Player.objects.get(name=name) for name in names]


def refused_field(act: Callable[[], object], kind: type[OperationError] = OperationError) -> str:
    """Return the field that an error names.

    The error must be exactly of class `kind`, and no match may be created.
    """
    count = Match.objects.count()
    with pytest.raises(OperationError) as why:
        act()
    assert type(why.value) is kind
    assert Match.objects.count() == count
    return why.value.field


def among_friends(players: list[Player], **asked: Any) -> Match:
    given = {"by": players[0], "at": NOW, "players": players, "game": game.KEY, "profile": "plain"}
    return open_match(**{**given, **asked})


def test_match_without_league_is_opened_by_one_of_its_players(ladder: League) -> None:
    ana, beto, carla = people("ana", "beto", "carla")
    match = among_friends([ana, beto])
    assert (match.state, match.league, match.entered_by, match.played_at) == (
        S.DRAFT,
        None,
        ana,
        NOW,
    )
    assert match.rules == game.normalise({})
    assert [seat.player for seat in match.seats.order_by("number")] == [ana, beto]
    assert refused_field(lambda: among_friends([ana, beto], by=carla), NotAllowed) == ""
    alias = world.guest("also carla")
    alias.merged_into = carla
    alias.save()
    assert among_friends([alias, beto], by=carla).seats.count() == 2
    assert refused_field(lambda: among_friends([carla, alias])) == "players"


FRIENDS: list[Any] = [
    # Each case: the arguments of the match, and the field that the error names (None if the match
    # is opened).
    ({"game": "chess"}, "game"),
    ({"game": ""}, "game"),
    ({"profile": "blitz"}, "profile"),
    ({"profile": ""}, "profile"),
    ({"profile": "long"}, None),
    ({"profile": "own"}, None),
    ({"profile": "own", "rules": {"target": 1}}, None),
    ({"profile": "own", "rules": {"target": 0}}, "target"),
    ({"profile": "own", "rules": {"colour": 1}}, "colour"),
    ({"profile": "pairs"}, "players"),
    ({"played_at": NOW + TICK}, "played_at"),
    ({"played_at": NOW}, None),
    ({"played_at": NOW - HOUR}, None),
]


@pytest.mark.parametrize(("asked", "field"), FRIENDS)
def test_match_without_league_validates_its_arguments(
    asked: dict[str, Any], field: str | None, ladder: League
) -> None:
    two = people("ana", "beto")
    if field is not None:
        assert refused_field(lambda: among_friends(two, **asked)) == field
        return
    match = among_friends(two, **asked)
    assert match.played_at == asked.get("played_at", NOW)
    assert match.rules["target"] == {"long": 50}.get(
        asked.get("profile", ""), asked.get("rules", {}).get("target", 10)
    )


@pytest.mark.parametrize(("count", "stands"), [(1, False), (2, True), (6, True), (7, False)])
def test_number_of_players_of_a_match_must_suit_the_game(
    count: int, stands: bool, office: Player
) -> None:
    players = [office, *(world.guest(f"g{number}") for number in range(count - 1))]
    if stands:
        assert among_friends(players).seats.count() == count
    else:
        assert refused_field(lambda: among_friends(players)) == "players"


def test_match_of_a_ladder_is_opened_by_its_players_and_scorers(
    ladder: League, office: Player
) -> None:
    ana, beto, carla, dora = people("ana", "beto", "carla", "dora")

    def opened(*players: Player, by: Player) -> Match:
        return open_match(by=by, at=NOW, players=players, league=ladder)

    assert opened(ana, beto, carla, by=ana).rules == ladder.rules
    assert refused_field(lambda: opened(ana, beto, carla, dora, by=ana)) == "players"
    assert refused_field(lambda: opened(ana, world.account("eva"), by=ana)) == "players"
    assert (
        refused_field(lambda: opened(ana, office, by=ana)) == "players"
    )  # a member who does not play
    assert refused_field(lambda: opened(ana, beto, by=carla), NotAllowed) == ""
    assert opened(ana, beto, by=office).entered_by == office
    world.give_role(ladder, carla, Member.Role.SCORER)
    assert opened(ana, beto, by=carla).entered_by == carla
    Member.objects.filter(league=ladder, player=beto).update(withdrawn_at=NOW)
    assert refused_field(lambda: opened(ana, beto, by=ana)) == "players"
    League.objects.filter(pk=ladder.pk).update(closed_at=NOW)
    ladder.refresh_from_db()
    assert refused_field(lambda: opened(ana, carla, by=ana)) == ""


@pytest.mark.slow
def test_match_of_a_fixture_is_opened_by_its_players(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto", "carla"])
    fixture = first_fixture(league)
    one, two = seated(fixture)
    absent = next(p for p in people("ana", "beto", "carla") if p not in (one, two))
    assert refused_field(lambda: open_match(fixture=fixture, by=absent, at=NOW), NotAllowed) == ""
    assert (
        refused_field(lambda: open_match(by=one, at=NOW, players=[one, two], league=league)) == ""
    )
    match = open_match(fixture=fixture, by=two, at=NOW)
    assert [seat.player for seat in match.seats.order_by("number")] == [one, two]
    assert (match.league, match.fixture, match.entered_by) == (league, fixture, two)
    assert open_match(fixture=fixture, by=one, at=NOW) == match
    assert open_match(fixture=fixture, by=office, at=NOW) == match
    void_match(match=match, version=match.version, by=office, at=NOW, reason="Not yet.")
    again = open_match(fixture=fixture, by=one, at=NOW)
    match.refresh_from_db()
    assert (match.fixture, again.fixture) == (None, fixture)


def test_draft_is_saved_and_submitted(ladder: League) -> None:
    ana, beto = people("ana", "beto")
    match = draft_match(ladder, [ana, beto])
    drafted = save_draft(match=match, version=0, content=score(10, 3), by=beto)
    assert (drafted.draft, drafted.version, drafted.state) == (score(10, 3), 1, S.DRAFT)
    assert drafted.entered_by == ana, "who began it"
    handed = hand_in(match=drafted, version=1, by=beto, at=LATER)
    assert handed.sheet is not None
    assert (handed.sheet.content, handed.sheet.number, handed.sheet.by) == (score(10, 3), 1, beto)
    assert (handed.sheet.points, handed.sheet.places) == ([10, 3], [1, 2])
    assert (handed.state, handed.draft, handed.version) == (S.HANDED_IN, None, 2)
    assert (handed.entered_by, handed.handed_in_at) == (beto, LATER)
    assert (handed.confirmed_at, handed.confirmed_by, handed.played_at) == (None, None, NOW)
    assert not Result.objects.exists()
    resubmitted = hand_in(
        match=handed, version=2, by=beto, at=LATER, content=score(4, 11), played_at=NOW - HOUR
    )
    assert resubmitted.sheet is not None
    assert (resubmitted.sheet.number, resubmitted.sheet.places, resubmitted.played_at) == (
        2,
        [2, 1],
        NOW - HOUR,
    )
    assert refused_field(lambda: handed_in(resubmitted, ana, score(10, 3)), NotAllowed) == ""
    done = confirm(match=resubmitted, version=3, by=ana, at=LATER + HOUR)
    assert (done.state, done.confirmed_by, done.confirmed_at) == (S.CONFIRMED, ana, LATER + HOUR)
    assert list(Place.objects.order_by("place").values_list("player", flat=True)) == [
        beto.pk, ana.pk,
    ]  # fmt: skip


def test_match_cannot_have_been_played_in_the_future_or_too_long_ago(ladder: League) -> None:
    ana, beto = people("ana", "beto")
    match = draft_match(ladder, [ana, beto])

    def handed(played_at: dt.datetime) -> Match:
        return hand_in(
            match=match, version=0, by=ana, at=NOW, content=score(10, 3), played_at=played_at
        )

    assert refused_field(lambda: handed(NOW + TICK)) == "played_at"
    assert handed(NOW).played_at == NOW


@pytest.mark.parametrize(
    ("points", "stands"), [((9, 3), False), ((10, 3), True), ((10, 3, 1), False), ((10,), False)]
)
def test_only_a_scoresheet_that_ends_the_match_can_be_submitted(
    points: tuple[int, ...], stands: bool, ladder: League
) -> None:
    ana, beto = people("ana", "beto")
    match = draft_match(ladder, [ana, beto])
    if stands:
        assert handed_in(match, ana, score(*points)).state == S.HANDED_IN
        return
    assert refused_field(lambda: handed_in(match, ana, score(*points)), SheetRefused) == "content"
    match.refresh_from_db()
    assert (match.state, match.version, match.sheet) == (S.DRAFT, 0, None)


def counted_match(ladder: League) -> Match:
    """Create a match that ana submitted and beto confirmed."""
    ana, beto = people("ana", "beto")
    return world.played(ladder, [ana, beto], [10, 3])


def disputed(ladder: League, by: str = "beto") -> Match:
    match = counted_match(ladder)
    (player,) = people(by)
    return dispute_match(
        match=match, version=match.version, by=player, at=NOW, reason="That was a 4."
    )


@pytest.mark.slow
def test_dispute_removes_the_result(ladder: League) -> None:
    match = counted_match(ladder)
    beto, carla = people("beto", "carla")
    asked: dict[str, Any] = {"match": match, "version": match.version, "at": LATER}
    for words in ("", "  ", "\0"):
        assert refused_field(partial(dispute_match, **asked, by=beto, reason=words)) == "reason"
    assert refused_field(lambda: dispute_match(**asked, by=beto, reason="x" * 301)) == "reason"
    assert refused_field(lambda: dispute_match(**asked, by=carla, reason="No."), NotAllowed) == ""
    assert Result.objects.count() == 1
    found = dispute_match(**asked, by=beto, reason=" " + "x" * 300)
    assert found.state == S.DISPUTED
    row = Dispute.objects.get()
    assert (row.by, row.at, row.reason, row.settled_at) == (beto, LATER, "x" * 300, None)
    assert not Result.objects.exists()


@pytest.mark.slow
def test_author_of_a_dispute_can_withdraw_it(ladder: League, office: Player) -> None:
    match = disputed(ladder)
    ana, beto = people("ana", "beto")
    asked: dict[str, Any] = {"match": match, "version": match.version, "at": LATER}
    stands = DisputeVerdict.STANDS
    assert refused_field(lambda: settle_dispute(**asked, by=ana, verdict=stands), NotAllowed) == ""
    assert (
        refused_field(
            lambda: settle_dispute(**asked, by=beto, verdict=DisputeVerdict.VOID), NotAllowed
        )
        == ""
    )
    assert refused_field(lambda: settle_dispute(**asked, by=office, verdict=stands)) == "settlement"
    assert Dispute.objects.filter(settled_at=None).count() == 1
    done = settle_dispute(**asked, by=beto, verdict=stands)
    assert (done.state, done.confirmed_by) == (S.CONFIRMED, beto)
    assert done.confirmed_at == LATER, "the period for disputes begins again"
    row = Dispute.objects.get()
    assert (row.settled_at, row.settled_by, row.settlement) == (
        LATER,
        beto,
        "The dispute was withdrawn.",
    )
    assert Result.objects.count() == 1
    assert finalise_due(at=NOW + 72 * HOUR) == 0
    assert finalise_due(at=LATER + 72 * HOUR) == 1
    final = Match.objects.get(pk=match.pk)
    late: dict[str, Any] = {"match": final, "version": final.version, "at": LATER + 72 * HOUR}
    assert refused_field(lambda: dispute_match(**late, by=beto, reason="Too late.")) == ""


def test_organiser_settles_a_dispute_with_a_note(ladder: League, office: Player) -> None:
    match = disputed(ladder)
    done = settle_dispute(
        match=match,
        version=match.version,
        by=office,
        at=LATER,
        verdict=DisputeVerdict.VOID,
        settlement=" Nobody  knows. ",
    )
    assert (done.state, done.note) == (S.VOID, "Nobody knows.")
    assert Dispute.objects.get().settlement == "Nobody knows."
    assert not Result.objects.exists()


@pytest.mark.slow
def test_submitting_a_disputed_result_again_ends_the_dispute(ladder: League) -> None:
    match = disputed(ladder)
    ana, beto = people("ana", "beto")
    resubmitted = handed_in(match, beto, score(10, 4), LATER)
    assert (resubmitted.state, resubmitted.entered_by) == (S.HANDED_IN, beto)
    assert (resubmitted.confirmed_at, resubmitted.confirmed_by) == (None, None)
    row = Dispute.objects.get()
    assert (row.settled_at, row.settled_by) == (LATER, beto)
    assert (
        refused_field(
            lambda: confirm(match=resubmitted, version=resubmitted.version, by=beto, at=LATER),
            NotAllowed,
        )
        == ""
    )
    assert (
        confirm(match=resubmitted, version=resubmitted.version, by=ana, at=LATER).state
        == S.CONFIRMED
    )


def test_match_is_voided_by_its_author_until_it_is_confirmed(
    ladder: League, office: Player
) -> None:
    ana, beto = people("ana", "beto")
    match = draft_match(ladder, [ana, beto])

    def voided(by: Player, reason: str = "Never played.") -> Match:
        return void_match(match=match, version=match.version, by=by, at=NOW, reason=reason)

    assert refused_field(lambda: voided(beto), NotAllowed) == ""
    assert refused_field(lambda: voided(ana, " ")) == "reason"
    assert refused_field(lambda: voided(ana, "x" * 301)) == "reason"
    done = voided(ana)
    assert (done.state, done.note) == (S.VOID, "Never played.")
    asked: dict[str, Any] = {"match": done, "version": done.version, "at": NOW}
    assert refused_field(partial(void_match, **asked, by=office, reason="Again.")) == ""


@pytest.mark.slow
def test_correction_creates_a_new_version(ladder: League, office: Player) -> None:
    match = disputed(ladder)
    ana, beto = people("ana", "beto")

    def corrected(by: Player, reason: str, *points: int) -> Match:
        return correct_match(
            match=match,
            version=match.version,
            content=score(*points),
            by=by,
            at=LATER,
            reason=reason,
        )

    assert refused_field(lambda: corrected(ana, "Swapped.", 3, 10), NotAllowed) == ""
    assert refused_field(lambda: corrected(office, "", 3, 10)) == "reason"
    assert refused_field(lambda: corrected(office, "x" * 201, 3, 10)) == "reason"
    assert refused_field(lambda: corrected(office, "Swapped.", 3, 9), SheetRefused) == "content"
    shown = preview_correction(match=match, content=score(3, 10), by=office)
    assert not shown.waits
    done = corrected(office, "x" * 200, 3, 10)
    assert (done.state, done.confirmed_by, done.confirmed_at) == (S.CONFIRMED, office, LATER)
    assert (done.entered_by, done.handed_in_at) == (office, LATER)
    assert done.sheet is not None
    assert (done.sheet.number, done.sheet.reason, done.sheet.by) == (2, "x" * 200, office)
    assert Dispute.objects.get().settlement == "x" * 200
    assert Result.objects.get().sheet == done.sheet
    assert Place.objects.get(place=1).player == beto
    assert [sheet.number for sheet in match.sheets.order_by("number")] == [1, 2]


def test_correction_of_ones_own_match_waits_for_another_player(ladder: League) -> None:
    ana, beto = people("ana", "beto")
    match = counted_match(ladder)
    world.give_role(ladder, ana, Member.Role.ORGANISER)
    assert preview_correction(match=match, content=score(3, 10), by=ana).waits
    assert not preview_correction(match=match, content=score(3, 10), by=people("carla")[0]).waits
    done = correct_match(
        match=match, version=match.version, content=score(3, 10), by=ana, at=LATER, reason="Oops."
    )
    assert (done.state, done.confirmed_at, done.confirmed_by) == (S.HANDED_IN, None, None)
    assert not Result.objects.exists()
    assert (
        refused_field(
            lambda: confirm(match=done, version=done.version, by=ana, at=LATER), NotAllowed
        )
        == ""
    )
    assert confirm(match=done, version=done.version, by=beto, at=LATER).state == S.CONFIRMED


@pytest.mark.slow
def test_restored_version_becomes_a_new_version(ladder: League, office: Player) -> None:
    match = counted_match(ladder)
    match = correct_match(
        match=match, version=match.version, content=score(3, 10), by=office, at=NOW, reason="Oops."
    )

    def restored(number: int, by: Player = office, reason: str = "It was right.") -> Match:
        return restore_version(
            match=match, version=match.version, number=number, by=by, at=LATER, reason=reason
        )

    for number in (0, 3):
        assert refused_field(partial(restored, number)) == "number"
        with pytest.raises(OperationError) as why:
            preview_restore(match=match, number=number, by=office)
        assert why.value.field == "number"
    assert refused_field(lambda: restored(1, reason=" ")) == "reason"
    assert refused_field(lambda: restored(1, reason="x" * 201)) == "reason"
    assert refused_field(lambda: restored(1, by=people("ana")[0]), NotAllowed) == ""
    assert preview_restore(match=match, number=1, by=people("ana")[0]).waits
    assert not preview_restore(match=match, number=1, by=office).waits
    done = restored(1)
    assert done.sheet is not None
    assert (done.sheet.number, done.sheet.content) == (3, score(10, 3))
    assert (done.sheet.points, done.sheet.places, done.sheet.evidence) == ([10, 3], [1, 2], "score")
    assert Place.objects.get(place=1).player == people("ana")[0]


@pytest.mark.slow
def test_void_match_cannot_be_restored_if_its_fixture_was_played_again(office: Player) -> None:
    """Otherwise its players would have two results for one fixture."""
    league = world.round_robin(office, ["ana", "beto"])
    match = world.play(world.first_fixture(league), 10, 3)

    def voided() -> Match:
        return void_match(
            match=match, version=match.version, by=office, at=NOW, reason="The wrong day."
        )

    def restored(void: Match) -> Match:
        return restore_version(
            match=void, version=void.version, number=1, by=office, at=LATER, reason="It was right."
        )

    match = restored(voided())
    assert match.state == S.CONFIRMED
    void = voided()
    world.play(world.first_fixture(league), 4, 10)
    void.refresh_from_db()
    assert refused_field(lambda: restored(void)) == ""
    with pytest.raises(OperationError, match="has since been played again or voided"):
        preview_restore(match=void, number=1, by=office)
    void.refresh_from_db()
    assert void.state == S.VOID
    assert Result.objects.count() == 1


FORFEITS: list[Any] = [
    # Each case: the seats of the absent players, and the places by seat.
    ([0], [2, 1]),
    ([1], [1, 2]),
]


@pytest.mark.parametrize(("seats", "places"), FORFEITS)
def test_absent_player_loses_a_forfeited_fixture(
    seats: list[int], places: list[int], office: Player
) -> None:
    league = world.round_robin(office, ["ana", "beto"])
    fixture = first_fixture(league)
    open_match(fixture=fixture, by=seated(fixture)[0], at=NOW)
    match = forfeit_fixture(
        fixture=fixture, seats=seats, by=office, at=LATER, note=" did  not come "
    )
    assert (match.state, match.origin, match.note) == (S.CONFIRMED, "forfeit", "did not come")
    assert (match.confirmed_at, match.handed_in_at, match.fixture) == (LATER, LATER, fixture)
    assert match.sheet is not None
    assert (match.sheet.points, match.sheet.places) == ([0, 0], places)
    assert match.sheet.content == {"forfeit": seats}
    assert [seat.forfeits for seat in fixture.seats.order_by("number")] == [
        number in seats for number in (0, 1)
    ]
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.FORFEITED
    assert Match.objects.exclude(pk=match.pk).get().state == S.VOID, "the draft is put away"
    asked: dict[str, Any] = {"fixture": fixture, "by": office}
    assert refused_field(lambda: forfeit_fixture(**asked, seats=seats, at=NOW)) == ""
    assert refused_field(lambda: void_fixture(**asked, at=NOW, reason="No.")) == ""
    assert refused_field(lambda: postpone_fixture(**asked, at=NOW, deadline=LATER)) == ""


def test_fixture_with_a_result_cannot_be_forfeited_or_voided(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto"])
    fixture = first_fixture(league)
    one, two = seated(fixture)
    match = handed_in(open_match(fixture=fixture, by=one, at=NOW), one, score(10, 3))
    asked: dict[str, Any] = {"fixture": fixture, "by": office}
    assert refused_field(lambda: forfeit_fixture(**asked, seats=[1], at=NOW)) == ""
    assert refused_field(lambda: void_fixture(**asked, at=NOW, reason="No.")) == ""
    dispute_match(match=match, version=match.version, by=two, at=NOW, reason="No.")
    assert refused_field(lambda: forfeit_fixture(**asked, seats=[1], at=NOW)) == ""
    assert refused_field(lambda: void_fixture(**asked, at=NOW, reason="No.")) == ""
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.OPEN


def test_only_an_organiser_can_forfeit_or_void_a_fixture(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto"])
    fixture = first_fixture(league)
    one, two = seated(fixture)
    world.give_role(league, two, Member.Role.SCORER)
    for by in (one, two):
        asked: dict[str, Any] = {"fixture": fixture, "by": by}
        for act in (
            partial(forfeit_fixture, **asked, seats=[0], at=NOW),
            partial(void_fixture, **asked, at=NOW, reason="No."),
            partial(postpone_fixture, **asked, at=NOW, deadline=LATER),
            partial(restore_fixture, **asked, at=NOW),
        ):
            assert refused_field(act, NotAllowed) == ""


def test_new_deadline_of_a_fixture_must_be_in_the_future(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto"])
    fixture = first_fixture(league)
    asked: dict[str, Any] = {"fixture": fixture, "by": office}
    for deadline in (NOW - TICK, NOW):
        assert (
            refused_field(partial(postpone_fixture, **asked, at=NOW, deadline=deadline))
            == "deadline"
        )
    later = postpone_fixture(**asked, at=NOW, deadline=NOW + TICK)
    assert (later.state, later.deadline) == (Fixture.State.POSTPONED, NOW + TICK)
    assert refused_field(lambda: restore_fixture(**asked, at=NOW)) == ""  # the fixture is not void
    for reason in (" ", "x" * 201):
        assert refused_field(partial(void_fixture, **asked, at=NOW, reason=reason)) == "reason"
    assert void_fixture(**asked, at=NOW, reason="x" * 200).note == "x" * 200
    kept = restore_fixture(**asked, at=NOW)
    assert (kept.state, kept.deadline, kept.note) == (Fixture.State.OPEN, NOW + TICK, "")
    void_fixture(**asked, at=NOW, reason="Again.")
    moved = restore_fixture(**asked, at=NOW + TICK)
    assert moved.deadline == NOW + TICK + dt.timedelta(days=league.days_a_round)
    void_fixture(**asked, at=NOW, reason="Again.")
    League.objects.filter(pk=league.pk).update(closed_at=NOW)
    assert refused_field(lambda: restore_fixture(**asked, at=NOW)) == ""


def test_result_is_final_after_the_hours_to_object_of_its_league(
    ladder: League, office: Player
) -> None:
    League.objects.filter(pk=ladder.pk).update(hours_to_object=5)
    match = counted_match(ladder)
    free = world.played(None, people("ana", "beto"), [10, 3])
    assert finalise_due(at=LATER - TICK) == 0
    assert finalise_due(at=LATER) == 1
    assert finalise_due(at=LATER) == 0
    for row, state in ((match, S.FINAL), (free, S.CONFIRMED)):
        version = row.version
        row.refresh_from_db()
        assert (row.state, row.version - version) == (state, int(state == S.FINAL))
    assert finalise_due(at=NOW + 72 * HOUR - TICK) == 0
    assert finalise_due(at=NOW + 72 * HOUR) == 1


@pytest.mark.parametrize(
    ("zone", "day", "early"),
    [
        ("UTC", "2015-05-02T12:00Z", True),
        ("UTC", "2026-03-04T23:59Z", True),
        ("UTC", "2026-03-05T00:00Z", False),
        ("Pacific/Auckland", "2026-03-05T10:59Z", True),  # there it is the day before the draw
        ("Pacific/Auckland", "2026-03-05T11:00Z", False),
    ],
)
def test_match_from_before_the_draw_requires_a_confirmation(
    zone: str, day: str, early: bool
) -> None:
    robin = world.round_robin(world.account("office"), ["ana", "beto"], zone=zone)
    fixture = first_fixture(robin)
    ana = seated(fixture)[0]
    match = open_match(fixture=fixture, by=ana, at=NOW)
    played_at = dt.datetime.fromisoformat(day)
    enter = partial(
        hand_in, match=match, version=match.version, by=ana, at=NOW, content=score(10, 3),
        played_at=played_at,
    )  # fmt: skip
    if early:
        with pytest.raises(OperationError, match="when its round was drawn") as caught:
            enter()
        assert caught.value.field == "before_draw"
        enter = partial(enter, before_draw=True)
    assert enter().played_at == played_at
