"""Operations on boards of real games: each is one transaction that changes nothing if rejected."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from eltoro.engine import DueEntryKind, Rules
from eltoro.models import BoardDesign, Keeping
from eltoro.queries import begun_matches, real_board_of
from eltoro.tabletop import operations
from eltoro.tabletop.operations import CODES_WITH_SENTENCE, EntryRefused, StaleBoard
from fairness import commitment
from leagues.exceptions import NotAllowed, OperationError, StaleMatch
from leagues.games import games
from leagues.matches.operations.matches import confirm, save_draft
from leagues.models import Match, Player
from tests.eltoro.tabletop.evening import NOW, account, begin_board, evening, guest, play_out, write
from tests.factories import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Player:
    return account("ana")


@pytest.fixture
def match(ana: Player) -> Match:
    return evening(ana, guest("Blas"))


def rows(keeping: Keeping) -> dict[str, Any]:
    return dict(Keeping.objects.filter(pk=keeping.pk).values().get())


def error_message(keeping: Keeping, error: type[OperationError], **asked: Any) -> str:
    """Return the error message after checking that the row was not changed."""
    before = rows(keeping)
    given = {"version": keeping.version, "at": NOW, **asked}
    verb = given.pop("verb", operations.record_entry)
    with pytest.raises(error) as why:
        verb(keeping=keeping, **given)
    assert rows(keeping) == before
    return str(why.value)


def test_board_is_created_once_with_a_published_digest_of_its_seed(
    match: Match, ana: Player
) -> None:
    keeping = begin_board(match, ana)
    sealed = commitment(bytes(keeping.seed), operations.stake_of(match)).hex()
    assert (len(keeping.seed), keeping.commitment) == (32, sealed)
    again = begin_board(match, ana, mode="board")
    assert (again.pk, again.mode, bytes(again.seed)) == (keeping.pk, "all", bytes(keeping.seed))


def test_entries_can_be_recorded_and_undone(match: Match, ana: Player) -> None:
    keeping = begin_board(match, ana)
    keeping = write(keeping, ana, ["lay", "points b 2"])
    assert (keeping.lines, keeping.version) == (["lay", "points b 2"], 2)
    assert real_board_of(keeping).totals == (0, 2)
    keeping = operations.undo_entry(keeping=keeping, version=2, by=ana, at=NOW)
    assert (keeping.lines, keeping.version) == (["lay"], 3)
    assert real_board_of(keeping).totals == (0, 0)


def test_entry_from_a_second_device_with_an_old_version_is_rejected(
    match: Match, ana: Player
) -> None:
    keeping = write(begin_board(match, ana), ana, ["lay"])
    write(keeping, ana, ["points a 1"])
    said = error_message(keeping, StaleBoard, text="points a 1", by=ana)
    assert said == "Somebody else has made an entry on this board. You now see the latest version."
    assert error_message(keeping, StaleBoard, verb=operations.undo_entry, by=ana) == said
    assert Keeping.objects.get().log == "lay\npoints a 1"


def test_entry_with_an_old_version_is_rejected_even_after_an_undo(
    match: Match, ana: Player
) -> None:
    first = write(begin_board(match, ana), ana, ["lay", "points a 1"])
    back = operations.undo_entry(keeping=first, version=first.version, by=ana, at=NOW)
    write(back, ana, ["points b 1"])
    error_message(first, StaleBoard, text="points a 1", by=ana)


@pytest.mark.parametrize("text", ["advance", "lay x", "roll", "face a1=4", "evening", ""])
def test_impossible_entry_changes_nothing(match: Match, ana: Player, text: str) -> None:
    assert error_message(begin_board(match, ana), EntryRefused, text=text, by=ana)


def test_only_users_who_may_enter_the_result_can_record_the_board(
    match: Match, ana: Player
) -> None:
    keeping = begin_board(match, ana)
    error_message(keeping, NotAllowed, text="lay", by=account("stranger"))
    write(keeping, Player.objects.get(name="Blas"), ["lay"])  # Blas is a guest in this match
    with pytest.raises(NotAllowed):
        begin_board(evening(account("eva"), guest("Fito")), ana)


def test_choice_between_real_and_simulated_dice_is_fixed_after_the_first_entry(
    match: Match, ana: Player
) -> None:
    keeping = begin_board(match, ana)
    hands = operations.choose_dice(keeping=keeping, version=0, mode="board", by=ana, at=NOW)
    assert (hands.mode, bytes(hands.seed)) == ("board", bytes(keeping.seed))
    assert real_board_of(write(hands, ana, ["lay"])).due is DueEntryKind.BULLS
    hands = write(hands, ana, [])
    hands.refresh_from_db()
    error_message(hands, OperationError, verb=operations.choose_dice, mode="all", by=ana)
    with pytest.raises(OperationError):
        begin_board(match, ana, mode="books")


def test_undo_without_entries_is_rejected(match: Match, ana: Player) -> None:
    keeping = begin_board(match, ana)
    said = error_message(keeping, OperationError, verb=operations.undo_entry, by=ana)
    assert said == "There is nothing to undo."


def test_board_rejects_entries_above_its_maximum_number(
    match: Match, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping = write(begin_board(match, ana), ana, ["lay"])
    monkeypatch.setattr(operations, "MAX_ENTRIES", 1)
    error_message(keeping, OperationError, text="points a 1", by=ana)


@pytest.mark.slow
def test_finished_board_is_submitted_as_arrivals_and_counts_when_confirmed(
    match: Match, ana: Player
) -> None:
    keeping = begin_board(match, ana)
    error_message(keeping, OperationError, verb=operations.hand_in_board, by=ana)
    keeping = play_out(write(keeping, ana, ["lay", "points a 2"]), ana)
    kept = real_board_of(keeping)
    handed = operations.hand_in_board(keeping=keeping, version=keeping.version, by=ana, at=NOW)
    assert handed.state == Match.State.HANDED_IN
    assert handed.sheet is not None
    assert handed.sheet.evidence == "sheet"
    assert tuple(handed.sheet.points) == kept.totals
    counted = confirm(
        match=handed, version=handed.version, by=Player.objects.get(name="Blas"), at=NOW
    )
    assert counted.state == Match.State.CONFIRMED
    error_message(Keeping.objects.get(), OperationError, text="points a 1", by=ana)


def test_points_that_the_referee_would_reject_are_rejected_immediately(
    match: Match, ana: Player
) -> None:
    keeping = write(begin_board(match, ana), ana, ["lay", "points a 9"])
    said = error_message(keeping, OperationError, text="points a 9", by=ana)
    assert said.startswith("Cards can earn a player at most")
    error_message(keeping, EntryRefused, text="points b -1", by=ana)


def test_ruling_e_8_day_cannot_end_with_points_that_no_deck_has(match: Match, ana: Player) -> None:
    keeping = write(begin_board(match, ana), ana, ["lay"])
    keeping = write(keeping, ana, [_start(keeping)] if real_board_of(keeping).ones else [])
    keeping = write(keeping, ana, ["points a 5", "points b 5"])  # the deck has only five
    keeping = write(keeping, ana, ["advance"] * 3)
    said = error_message(keeping, OperationError, text="advance", by=ana)
    assert said == "The cards in one deck can’t score this many points on the first day."
    assert (
        real_board_of(write(keeping, ana, ["points a -5", "advance"])).due is DueEntryKind.EVENING
    )


def _start(keeping: Keeping) -> str:
    return "start " + " ".join(f"{name}>5" for name in real_board_of(keeping).ones)


@pytest.mark.slow
def test_ruling_e_2_runners_moved_sideways_are_listed_on_the_scoresheet(ana: Player) -> None:
    match = evening(ana, guest("Blas"), rules=Rules(days=1))
    keeping = write(begin_board(match, ana), ana, ["lay"])
    keeping = write(keeping, ana, [_start(keeping)] if real_board_of(keeping).ones else [])
    error_message(keeping, EntryRefused, text="move a1>5", by=ana)
    keeping = write(keeping, ana, ["lead a1>5 T1>4 b2>6", "lead a1>4"])
    keeping = play_out(keeping, ana)
    handed = operations.hand_in_board(keeping=keeping, version=keeping.version, by=ana, at=NOW)
    assert handed.sheet is not None
    assert handed.sheet.content["days"][0]["aside"] == ["a1>5", "b2>6", "a1>4"]
    judged = games["eltoro"].referee.judge(rules=match.rules, seats=2, sheet=handed.sheet.content)
    told = "On day 1, a card moved these runners sideways: %s’s runner 1, %s’s runner 2."
    assert judged.lines[1] == told % ("seat 1", "seat 2")
    page = browser(ana).get(reverse("eltoro_hand", args=[match.pk])).content.decode()
    assert told % ("ana", "Blas") in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {"board": "la-cuesta"}), (4, {"days": 1}), (5, {"days": 2}), (6, {})],
)
def test_referee_accepts_the_scoresheet_of_every_finished_board(
    seats: int, options: dict[str, Any]
) -> None:
    rules = Rules.from_options(options)
    players = [account(f"p{seat}") for seat in range(seats)]
    keeping = play_out(begin_board(evening(*players, rules=rules), players[0]), players[0])
    kept = real_board_of(keeping)
    judged = games["eltoro"].referee.judge(
        rules=rules.options(), seats=seats, sheet=operations.arrivals(kept)
    )
    assert not judged.objections
    assert judged.over
    assert judged.points == kept.totals


@pytest.mark.slow
def test_board_of_a_match_changed_in_the_meantime_is_not_submitted(
    match: Match, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping = play_out(begin_board(match, ana), ana)

    def meanwhile(kept: object) -> dict[str, Any]:
        found = Match.objects.get()
        save_draft(match=found, version=found.version, content={"by": "hand"}, by=ana)
        return {}

    monkeypatch.setattr(operations, "arrivals", meanwhile)
    error_message(keeping, StaleMatch, verb=operations.hand_in_board, by=ana)
    assert Match.objects.get().draft is None  # the whole transaction was rolled back


@pytest.mark.parametrize(
    ("changes"), [{"mode": "books"}, {"commitment": ""}], ids=lambda found: next(iter(found))
)
def test_database_constraints_reject_invalid_boards(
    match: Match, ana: Player, changes: dict[str, str]
) -> None:
    keeping = begin_board(match, ana)
    with pytest.raises(IntegrityError), transaction.atomic():
        Keeping.objects.filter(pk=keeping.pk).update(**changes)


def test_match_has_one_board_and_board_designs_are_unique(match: Match, ana: Player) -> None:
    keeping = begin_board(match, ana)
    with pytest.raises(IntegrityError), transaction.atomic():
        Keeping.objects.create(
            match=match, mode="all", seed=bytes(32), commitment="x", begun_at=NOW, changed_at=NOW
        )
    fields = {"key": "a", "name": "A", "text": "t", "digest": "d", "made_at": NOW}
    BoardDesign.objects.create(**fields)
    for changed in ({"digest": "e"}, {"key": "b"}, {"key": "", "digest": "e"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            BoardDesign.objects.create(**{**fields, **changed})
    assert keeping.begun_at == NOW


def test_list_of_own_boards_needs_as_many_queries_for_three_as_for_one(
    match: Match, ana: Player, django_assert_num_queries: Any
) -> None:
    begin_board(match, ana)
    with django_assert_num_queries(3):
        assert [one.keeping is not None for one in begun_matches(ana)] == [True]
    for name in ("Caro", "Dora"):
        begin_board(evening(ana, guest(name)), ana)
    with django_assert_num_queries(3):
        assert len(begun_matches(ana)) == 3


def test_every_rejected_entry_has_a_message() -> None:
    import re
    from pathlib import Path

    engine = Path(__file__).parents[3] / "eltoro/engine/real_board"
    codes = {
        code
        for path in engine.glob("*.py")
        for code in re.findall(r'EntryError\(\s*"(\w+)"', path.read_text("utf-8"))
    }
    assert codes | {"site_rolls", "hands_roll"} == CODES_WITH_SENTENCE


def test_operations_store_the_time_that_they_are_given(match: Match, ana: Player) -> None:
    later = NOW + dt.timedelta(hours=2)
    keeping = begin_board(match, ana)
    keeping = operations.record_entry(keeping=keeping, version=0, text="lay", by=ana, at=later)
    assert (keeping.begun_at, keeping.changed_at) == (NOW, later)
