"""The page of a game in progress: moves and rejections, spectators, replay, rematch."""

from __future__ import annotations

import datetime as dt
import re
from itertools import repeat

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dominoes.engine import Move, MoveKind
from fairness import Seed
from leagues.games import games
from leagues.models import Player, Table
from leagues.tables import automation
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from tests.leagues.pages.tables.seats import (
    ACT,
    HX,
    act,
    begun_table,
    form_of,
    legal,
    page,
    play_hand,
    view_of,
)

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_hand_is_played_without_scripts_and_its_seed_is_revealed(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    """Ruling F-2 says that the seed of a hand is revealed after the hand."""
    table = begun_table(ana[1], blas[1], delay=0)
    before = ana[0].get(page(table)).content.decode()
    sealed = re.search(r"hand 1 · sha-256 ([0-9a-f]{64})", before)
    assert sealed is not None
    first = table.rounds.get(number=1)
    assert bytes(first.seed).hex() not in before
    play_hand(table, (ana[0], blas[0]))
    after = ana[0].get(page(table)).content.decode()
    assert sealed[1] == bytes(first.commitment).hex()
    assert bytes(first.seed).hex() in after
    assert "as promised" in after
    assert 'class="dom-outcome stack"' in after
    assert "Next hand" in after


@pytest.mark.slow
def test_next_hand_is_dealt_when_both_players_are_ready(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    play_hand(table, (ana[0], blas[0]))
    assert "You are ready" in act(ana[0], table, "ready")
    assert 'class="dom-rack' in act(blas[0], table, "ready")
    table.refresh_from_db()
    assert table.round == 2


def test_rejected_move_shows_reason_ruling_and_chosen_tile(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    """Under Ruling D-5, a player who holds a playable tile must not draw."""
    table = begun_table(ana[1], blas[1])
    clients = (ana[0], blas[0])
    table.refresh_from_db()
    assert table.turn is not None
    client = clients[table.turn]
    chosen = legal(table)[-1]
    fields = form_of(chosen, table.moves_made) | {"do": "draw"}
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    told = answer.content.decode()
    assert answer.status_code == 422
    assert "The player who leads must lay the first tile." in told
    assert "Ruling D-3" in told
    assert re.search(rf'id="tile-{chosen.tile}"[^>]*checked', told)
    table.refresh_from_db()
    assert table.moves_made == 0


def must_draw(host: Player, other: Player) -> Table:
    """Create a table at which the next player can only draw, perhaps several times."""
    while True:
        table = begun_table(host, other)
        while table.turn is not None:
            moves = legal(table)
            if moves == (Move(MoveKind.DRAW),) and view_of(table, table.turn).boneyard > 3:  # type: ignore[attr-defined]
                return table
            play_one(table, moves[-1])


def play_one(table: Table, move: Move) -> None:
    assert table.turn is not None
    seat = table.seats.get(number=table.turn)
    fields, at = form_of(move, table.moves_made), timezone.now()
    seen = table.moves_made
    table_moves.make_move(table_id=table.pk, player=seat.player, seen=seen, fields=fields, at=at)
    table.refresh_from_db()


def test_drawing_until_a_tile_fits_is_one_request_and_repeatable(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    """Ruling D-5 says when a player must draw until a tile fits."""
    table = must_draw(ana[1], blas[1])
    assert table.turn is not None
    turn, before = table.turn, table.moves_made
    client = (ana[0], blas[0])[turn]
    assert "Draw until a tile fits" in client.get(page(table)).content.decode()
    address = reverse("table_move", args=(table.pk,))
    fields = {"do": "draw-on", "seen": str(before)}
    for _ in range(2):
        assert client.post(address, fields).status_code == 302
        table.refresh_from_db()
        made = table.moves.filter(number__gt=before)
        assert {(move.seat, move.text) for move in made} == {(turn, "draw")}
        assert (table.turn, table.moves_made) == (turn, before + len(made))
        assert legal(table) != (Move(MoveKind.DRAW),)


def test_clicked_end_of_the_train_receives_the_chosen_tile(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    play_one(table, legal(table)[0])
    while not any(move.tile is not None for move in legal(table)):
        play_one(table, legal(table)[0])
    assert table.turn is not None
    client, move = (ana[0], blas[0])[table.turn], legal(table)[0]
    assert move.side is not None
    told = client.get(page(table)).content.decode()
    assert re.search(rf'<button[^>]*value="{move.side}"[^>]*aria-label="Play the chosen tile', told)
    assert len(re.findall(r"<input[^>]*name=\"tile\"[^>]*autofocus", told)) == 1
    fields = form_of(move, table.moves_made) | {"do": str(move.side)}
    address = reverse("table_move", args=(table.pk,))
    nothing = client.post(address, fields | {"tile": "99"})
    assert (nothing.status_code, "Choose a tile first" in nothing.content.decode()) == (422, True)
    assert client.post(address, fields).status_code == 302
    assert table.moves.latest("number").text == str(move)
    assert "dom-tap" not in client.get(page(table)).content.decode(), "not one's turn"


def test_outdated_table_page_shows_the_current_position(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    clients = (ana[0], blas[0])
    assert table.turn is not None
    first = table.turn
    move = form_of(legal(table)[0], 0)
    address = reverse("table_move", args=(table.pk,))
    assert clients[first].post(address, move).status_code == 302
    again = clients[first].post(address, move)
    assert again.status_code == 302, "a double click is one move"
    other = form_of(legal(table)[-1], 0)
    stale = clients[first].post(address, other, headers=HX)
    assert stale.status_code == 409
    assert (
        "The table has changed since you opened the page. You now see its current state."
        in stale.content.decode()
    )
    table.refresh_from_db()
    assert table.moves_made == 1


def test_visitor_without_a_seat_cannot_move(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    fields = form_of(legal(table)[0], 0)
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    assert answer.status_code == 403
    assert "You don’t have a seat at this table." in answer.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "lay"},
        {"do": "lay", "tile": "3", "move-3": "nonsense"},
        {"do": "lay", "tile": "9999999999", "seen": "0"},
        {"do": "lay", "move": ">18|18", "seen": "0"},
        {"do": "fly", "seen": "0"},
        {"do": "pass", "seen": "-1"},
        {"do": "pass", "seen": "99999999999999999999"},
        {"do": "lay", "tile": "1" * 5000, "seen": "0"},
    ],
)
def test_invalid_move_fields_are_rejected_and_nothing_is_stored(
    ana: tuple[Client, Player], blas: tuple[Client, Player], fields: dict[str, str]
) -> None:
    table = begun_table(ana[1], blas[1])
    assert table.turn is not None
    client = (ana[0], blas[0])[table.turn]
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    assert answer.status_code in {409, 422}
    assert 'role="alert"' in answer.content.decode()
    table.refresh_from_db()
    assert table.moves_made == 0


def test_spectators_see_no_hands_and_the_delay(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1], delay=20)
    told = client.get(page(table)).content.decode()
    assert "with a delay of 20 seconds" in told
    assert "dom-rack" not in told
    move = form_of(legal(table)[0], 0)
    assert table.turn is not None
    (ana[0], blas[0])[table.turn].post(reverse("table_move", args=(table.pk,)), move)
    later = client.get(page(table), headers=HX).content.decode()
    assert 'data-moves="0"' in later
    assert "dom-train" not in later


def test_player_who_leaves_is_replaced_by_a_bot_and_can_return(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1])
    assert "I’m back" in act(ana[0], table, "leave")
    assert "I’m back" not in act(ana[0], table, "back")


CONTROL = re.compile(r'<(?:button|select|input(?! type="hidden"))[^>]*\sform="(?:move|act)-form"')


@pytest.mark.parametrize("game", ["dominoes", "eltoro"])
def test_closed_table_has_no_controls(ana: tuple[Client, Player], game: str) -> None:
    client, _player = ana
    bot = games[game].bots[0][0]
    client.post(reverse("play_now"), {"game": game, "bot": bot})
    table = Table.objects.get()
    play_bots(table, until=0)
    assert CONTROL.findall(client.get(page(table)).text)
    assert (
        "Do you have to go? A bot will play for you until you return or the round ends. The "
        "rest of the match will wait for you for seven days after your last move."
        in client.get(page(table)).text
    )
    closed = act(client, table, "close")
    table.refresh_from_db()
    assert table.state == Table.State.CLOSED
    for text in (closed, client.get(page(table)).text, client.get(page(table), headers=HX).text):
        assert "This table was closed before the match ended" in text
        assert not CONTROL.findall(text)
        assert "tab-clock" not in text
        assert 'id="turn-h"' not in text


def play_bots(table: Table, until: int | None) -> None:
    """Let the bots move until the turn of this seat, or (None) to the end of the round."""
    while (found := Table.objects.get(pk=table.pk)).turn != until:
        due = found.deadline or timezone.now()
        clock = repeat(due).__next__
        automation.play_bot_move(table.pk, found.moves_made, clock=clock, fresh=Seed.fresh)


@pytest.mark.slow
def test_waiting_table_shows_how_long_it_waits(ana: tuple[Client, Player]) -> None:
    client, _player = ana
    client.post(reverse("play_now"), {"game": "dominoes", "bot": "keeper"})
    table = Table.objects.get()
    assert "The table will wait for you for another" not in act(client, table, "leave")
    play_bots(table, until=None)
    assert "The table will wait for you for another" in client.get(page(table)).text
    assert page(table) in client.get(reverse("tables")).text, "one of one's own"
    assert page(table) not in Client().get(reverse("tables")).text


@pytest.mark.slow
def test_each_step_of_a_finished_hand_has_a_permanent_url(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1], delay=0)
    step = reverse("table_replay", args=(table.pk, 1, 2))
    assert client.get(step)["Location"] == page(table), "nothing is said of what is to come"
    play_hand(table, (ana[0], blas[0]))
    told = client.get(step)
    text = told.content.decode()
    assert text.count('class="dom-rest"') == 2, "every hand lies open"
    assert reverse("table_replay", args=(table.pk, 1, 3)) in text
    assert told["Cache-Control"] == "no-store"
    fragment = client.get(step, headers=HX)
    assert "max-age=86400" in fragment["Cache-Control"]
    tag = {"If-None-Match": fragment["ETag"]}
    assert client.get(step, headers=HX | tag).status_code == 304
    for beyond in (999, 10**6):
        assert client.get(reverse("table_replay", args=(table.pk, 1, beyond))).status_code == 404


@pytest.mark.slow
def test_replay_is_available_after_delayed_spectators_have_seen_the_end(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun_table(ana[1], blas[1], delay=600)
    play_hand(table, (ana[0], blas[0]))
    for move in (1, 10**6):
        step = reverse("table_replay", args=(table.pk, 1, move))
        assert client.get(step)["Location"] == page(table), "not even how long it was"
    told = client.get(page(table)).content.decode()
    assert "data-feed" in told
    assert bytes(table.rounds.get(number=1).seed).hex() not in told


@pytest.mark.slow
def test_both_players_reach_the_rematch_with_one_click_each(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = lobby.create_table(
        host=ana[1],
        at=timezone.now() - dt.timedelta(minutes=5),
        game="dominoes",
        profile="own",
        options={"target": 1},
        seats=2,
    )
    lobby.sit_down(table_id=table.pk, player=blas[1], at=timezone.now())
    lobby.begin_table(table_id=table.pk, player=ana[1], at=timezone.now())
    for _ in range(20):
        play_hand(table, (ana[0], blas[0]))
        if table.state == Table.State.OVER:
            break
        act(ana[0], table, "ready")
        act(blas[0], table, "ready")
    told = ana[0].get(page(table)).content.decode()
    assert "The match is over" in told
    assert "Play a rematch" in told
    ana[0].post(reverse(ACT, args=(table.pk, "rematch")))
    answer = blas[0].post(reverse(ACT, args=(table.pk, "rematch")), headers=HX)
    again = Table.objects.exclude(pk=table.pk).get()
    assert answer["HX-Redirect"] == page(again)
    assert again.state == Table.State.PLAYING
    assert again.rules == table.rules
