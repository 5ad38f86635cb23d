"""What each viewer of a game table receives during a match of dominoes, and what is recorded."""

import datetime as dt
import re
from itertools import pairwise

import pytest

from dominoes.engine import Hand, bits, domino_set
from leagues.models import Match, Player, Result, Sheet, Table
from leagues.tables import actas as table_actas
from leagues.tables import broadcast, visibility
from leagues.tables import log as table_log
from leagues.tables.log import TableLog
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import IllegalMove
from tests.leagues import evening
from tests.leagues.evening import NOW, everybody_has_seen, log_of, people, play_out, step

pytestmark = pytest.mark.django_db
NAMED = re.compile(r">[^<]*?\b([0-6])-([0-6])\b")
SET = domino_set(6)


def new_table(players: list[Player], **options: object) -> Table:
    return evening.started_table("dominoes", players, "own", **options)


def tiles_named(page: str) -> set[int]:
    """Return the tiles that an HTML fragment names in text or labels."""
    return {SET.index(int(a), int(b)) for a, b in NAMED.findall(page)}


def hand_at(log: TableLog, moment: table_log.Moment) -> Hand | None:
    hand: Hand | None = log.position(moment).hand  # type: ignore[attr-defined]
    return hand


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"matadors": "crosswise_open"}, {"boneyard": "pass"}])
def test_no_viewer_receives_a_tile_that_is_hidden_from_them(options: dict[str, str]) -> None:
    """Checked after every move of a match, for every viewer and in both languages."""
    players = people("Ana", "Beto", "Carla")
    log = play_out(new_table(players, target=10, **options), players)
    checked = 0
    for moment in log.moments:
        hand = hand_at(log, moment)
        if hand is None or hand.turn is None:
            continue
        played = hand.view(None).played
        for viewer in (None, 0, 1, 2):
            own = 0 if viewer is None else hand.held_tiles(viewer)
            for language in ("en", "es"):
                page = broadcast.render_fragment(
                    visibility.TableView(log=log, moment=moment, seat=viewer), language
                )
                assert tiles_named(page) <= set(bits(played | own)), (moment.number, viewer)
                assert tiles_named(page) >= set(bits(own)), "the own ones are named"
                assert page.count('name="tile"') <= own.bit_count()
                assert viewer is not None or "dom-held" not in page
                checked += 1
    assert checked > 100


def test_spectators_receive_the_train_but_no_held_tiles() -> None:
    players = people("Ana", "Beto")
    table = new_table(players, target=500)
    for _ in range(8):
        step(table, players)
    log = log_of(table)
    hand = hand_at(log, log.moments[-1])
    assert hand is not None
    page = broadcast.render_fragment(
        visibility.TableView(log=log, moment=log.moments[-1], seat=None), "en"
    )
    assert page.count('class="dom-tile') == hand.view(None).played.bit_count()
    assert "move-form" not in page.replace('name="seen"', "").split("dom-play")[1]
    held = [log.position(log.moments[-1]).hand.held_tiles(seat) for seat in (0, 1)]  # type: ignore[attr-defined]
    assert not tiles_named(page) & set(bits(held[0] | held[1]))


@pytest.mark.slow
def test_finished_match_is_recorded_with_all_moves_and_as_a_rated_result() -> None:
    players = people("Ana", "Beto")
    table = new_table(players, target=20)
    play_out(table, players)
    everybody_has_seen(table)
    log, match = log_of(table), Match.objects.get()
    assert (match.state, match.origin, log.table.match_id) == ("final", "here", match.pk)
    sheet = Sheet.objects.get()
    assert sheet.evidence == "log"
    assert max(sheet.points) >= 20
    assert sheet.points == log.table.points
    assert Result.objects.filter(match=match).exists()
    assert log.table.error == ""


@pytest.mark.slow
def test_every_round_of_a_match_can_be_verified_from_its_seed() -> None:
    """Ruling F-2 says that each seed can be checked after its hand.

    Each hand has its own seed, with the labels `hand/1`, `hand/2` (Ruling F-1).
    """
    players = people("Ana", "Beto")
    log = play_out(new_table(players, target=40, lead="winner"), players)
    assert log.table.round >= 2
    for number in range(1, log.table.round + 1):
        assert list(table_actas.verify_round(log, number)) == []
    seeds = [kept.seed for kept in log.rounds]
    assert all(one != other for one, other in pairwise(seeds))


@pytest.mark.slow
def test_replay_is_available_and_shows_all_tiles_after_the_hand() -> None:
    players = people("Ana", "Beto")
    table = new_table(players, target=20)
    assert visibility.view_replay(log_of(table), round_number=1, move=0, at=NOW) is None
    log = play_out(table, players)
    late = NOW + dt.timedelta(minutes=1)
    step_0 = visibility.view_replay(log, round_number=1, move=0, at=late)
    assert step_0 is not None
    shown = step_0.scene()["revealed"]
    assert [len(rest.tiles) for rest in shown] == [7, 7]


def test_rejected_move_has_a_message_in_the_language_of_the_player() -> None:
    from django.utils import translation

    players = people("Ana", "Beto")
    table = new_table(players, target=20)
    log = log_of(table)
    assert log.table.turn is not None
    with (
        translation.override("en"),
        pytest.raises(IllegalMove, match="The player who leads must lay the first tile") as refused,
    ):
        table_moves.make_move(
            table_id=table.pk,
            player=players[log.table.turn],
            seen=0,
            fields={"do": "pass"},
            at=NOW,
        )
    assert refused.value.ruling == "D-3"
