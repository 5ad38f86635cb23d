"""What each viewer of a game table receives during a game of El Toro, and what is recorded."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest
from django.utils import translation

from eltoro.engine import DecisionKind
from eltoro.game import GAME
from eltoro.stage.hand import build_hand
from eltoro.stage.sentences import card_name
from eltoro.table import ElToroPosition
from leagues.models import Match, Player, Sheet, Table
from leagues.tables import actas as table_actas
from leagues.tables import broadcast, visibility
from leagues.tables.log import Moment, TableLog
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import IllegalMove
from tests.leagues import evening
from tests.leagues.evening import NOW, everybody_has_seen, log_of, people, play_out, step

pytestmark = pytest.mark.django_db
# Maximum size of an HTML fragment. A day of a game needs about a hundred fragments.
MOST_BYTES = 110_000


def new_table(players: list[Player], profile: str = "one-day") -> Table:
    return evening.started_table("eltoro", players, profile)


def position_at(log: TableLog, moment: Moment) -> ElToroPosition:
    found = log.position(moment)
    assert isinstance(found, ElToroPosition)
    return found


def cards_of(position: ElToroPosition, *seats: int) -> set[str]:
    hands = position.hands()
    return {card_name(position.rules.cards[card]) for seat in seats for card in hands[seat]}


@pytest.mark.slow
def test_no_viewer_receives_a_card_that_is_hidden_from_them() -> None:
    """Checked after every third move, for every viewer: own cards are named, other cards are not,
    and fragments stay small.
    """
    players = people("Ana", "Beto", "Carla")
    log = play_out(new_table(players), players)
    checked = 0
    for moment in log.moments[::3]:
        position = position_at(log, moment)
        if position.game is None or position.game.is_over:
            continue
        said = {frame.title for frame in GAME.table.scene(position, seat=None)["frames"]}
        for viewer in (None, 0, 1, 2):
            page = broadcast.render_fragment(
                visibility.TableView(log=log, moment=moment, seat=viewer), "en"
            )
            own = cards_of(position, *([] if viewer is None else [viewer]))
            hidden = cards_of(position, 0, 1, 2) - own - said
            assert not [name for name in hidden if f"<b>{name}</b>" in page], (moment, viewer)
            assert all(f"<b>{name}</b>" in page for name in own)
            assert len(page.encode()) < MOST_BYTES
            checked += len(hidden)
    assert checked > 20


def test_spectator_receives_no_form() -> None:
    players = people("Ana", "Beto")
    table = new_table(players)
    log = log_of(table)
    page = broadcast.render_fragment(
        visibility.TableView(log=log, moment=log.moments[-1], seat=None), "en"
    )
    assert "elt-hand" not in page
    assert "move-form" not in page.replace('name="seen"', "").split("elt-play")[1]


def test_finished_game_is_recorded_with_all_moves_and_can_be_verified() -> None:
    """Ruling F-2. The referee accepts the recorded moves."""
    players = people("Ana", "Beto")
    table = new_table(players)
    play_out(table, players)
    everybody_has_seen(table)
    log, match = log_of(table), Match.objects.get()
    assert (match.state, match.origin, log.table.match_id) == ("final", "here", match.pk)
    sheet = Sheet.objects.get()
    assert (sheet.evidence, sheet.points) == ("log", log.table.points)
    assert list(table_actas.verify_round(log, 1)) == []
    assert log.table.round == 1


def test_replay_of_a_game_is_available_and_shows_all_hands_after_it() -> None:
    players = people("Ana", "Beto")
    table = new_table(players)
    assert visibility.view_replay(log_of(table), round_number=1, move=0, at=NOW) is None
    log = play_out(table, players)
    found = visibility.view_replay(log, round_number=1, move=1, at=NOW + dt.timedelta(minutes=1))
    assert found is not None
    page = broadcast.render_fragment(found, "en")
    position = position_at(log, found.moment)
    for name in cards_of(position, 0, 1):
        assert name in page


def test_neither_stake_nor_page_contains_the_seed_of_a_running_game() -> None:
    players = people("Ana", "Beto")
    log = log_of(new_table(players))
    sealed = log.rounds[0]
    assert sealed.seed.hex() not in json.dumps(sealed.stake)
    for seat in (None, 0, 1):
        page = broadcast.render_fragment(
            visibility.TableView(log=log, moment=log.moments[-1], seat=seat), "en"
        )
        assert sealed.seed.hex() not in page


def play_until(
    ask: DecisionKind, table: Table, players: list[Player]
) -> tuple[TableLog, ElToroPosition]:
    """Play until some player must make a decision of this kind."""
    while True:
        log = log_of(table)
        position = position_at(log, log.moments[-1])
        assert position.game is not None
        if position.game.ask is ask:
            return log, position
        step(table, players)


def test_rejected_move_at_an_el_toro_table_cites_its_ruling() -> None:
    players = people("Ana", "Beto")
    table = new_table(players)
    log, position = play_until(DecisionKind.CARD, table, players)
    assert position.turn is not None
    with translation.override("en"), pytest.raises(IllegalMove, match="Play a card") as refused:
        table_moves.make_move(
            table_id=table.pk,
            player=players[position.turn],
            seen=log.table.moves_made,
            fields={"do": "discard"},
            at=NOW,
        )
    assert refused.value.ruling == "E-4"


def test_form_with_too_many_targets_is_shown_again_with_all_choices() -> None:
    """Without a script, a player can select more targets than a card allows."""
    players = people("Ana", "Beto")
    table = new_table(players, "el-toro")
    while True:
        log, position = play_until(DecisionKind.CARD, table, players)
        fields = too_much(position)
        if fields is not None:
            break
        step(table, players)
    assert position.turn is not None
    with pytest.raises(IllegalMove) as refused:
        table_moves.make_move(
            table_id=table.pk,
            player=players[position.turn],
            seen=log.table.moves_made,
            fields=fields,
            at=NOW,
        )
    expect_kept(log, position.turn, fields, refused.value)


def expect_kept(log: TableLog, seat: int, fields: dict[str, str], refused: IllegalMove) -> None:
    """Check that the page shows the error and still has all choices of the rejected form."""
    seen = visibility.TableView(log=log, moment=log.moments[-1], seat=seat)
    told = {"sentence": str(refused), "ruling": refused.ruling}
    page = broadcast.render_fragment(seen, "en", fields, refused=told)
    assert "tab-refused" in page
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = (re.search(rf'\s{word}="([^"]*)"', tag) for word in ("name", "value"))
        if name and (fields.get(name[1]) == (value[1] if value else "on")):
            assert re.search(r"\schecked\b", tag)


def too_much(position: ElToroPosition) -> dict[str, str] | None:
    """Return a form that chooses one target more than a card allows, or `None` if no card in hand
    has enough possible targets.
    """
    assert position.game is not None
    held = build_hand(position.game.view(position.turn), {}, ("Ana", "Beto"))
    for card in held.cards:
        aims = held.pickers[card.picker].targets
        if card.up_to and not aims.groups[0].field and len(aims.choices) > card.up_to:
            ticked = aims.choices[: card.up_to + 1]
            return {"card": card.value} | {f"{card.picker}.{one.target}": "on" for one in ticked}
    return None
