"""The pages of tables: lobby, moves with their refusals, watching, replay, rematch."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dominoes.engine import Kind, Move
from leagues import playing
from leagues.models import Player, Table
from leagues.operations import tables
from leagues.operations.players import GUEST, new_player
from leagues.operations.tables import House

pytestmark = pytest.mark.django_db

HX = {"HX-Request": "true"}
ACT = "table_act"


def person(name: str) -> tuple[Client, Player]:
    """A browser that plays as a guest of that name."""
    player = new_player(name=name, at=timezone.now())
    client = Client()
    session = client.session
    session[GUEST] = player.pk
    session.save()
    return client, player


@pytest.fixture
def ana() -> tuple[Client, Player]:
    return person("Ana")


@pytest.fixture
def blas() -> tuple[Client, Player]:
    return person("Blas")


def laid(host: Player, **house: object) -> Table:
    return tables.lay_table(
        host=host,
        at=timezone.now(),
        game="dominoes",
        profile="rulebook",
        seats=2,
        house=House(**house),  # type: ignore[arg-type]
    )


def begun(host: Player, other: Player, **house: object) -> Table:
    table = laid(host, **house)
    tables.sit_down(table_id=table.pk, player=other, at=timezone.now())
    tables.begin(table_id=table.pk, player=host, at=timezone.now())
    table.refresh_from_db()
    return table


def page(table: Table) -> str:
    return reverse("table", args=(table.pk,))


def act(client: Client, table: Table, what: str, **fields: str) -> str:
    answer = client.post(reverse(ACT, args=(table.pk, what)), fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def view_of(table: Table, seat: int) -> object:
    log = playing.find(table.pk)
    assert log is not None
    return log.position(log.moments[-1]).view(seat)  # type: ignore[attr-defined]


def form_of(move: Move, seen: int) -> dict[str, str]:
    """The fields that the page's form sends for a move."""
    if move.kind is Kind.DRAW or move.kind is Kind.PASS:
        return {"do": move.kind.value, "seen": str(seen)}
    return {
        "do": "lay",
        "tile": str(move.tile),
        f"move-{move.tile}": str(move),
        "seen": str(seen),
    }


def legal(table: Table) -> tuple[Move, ...]:
    table.refresh_from_db()
    assert table.turn is not None
    moves: tuple[Move, ...] = view_of(table, table.turn).legal  # type: ignore[attr-defined]
    return moves


def play_hand(table: Table, clients: tuple[Client, Client]) -> None:
    """Play the first legal move by the form of the page until the hand is over."""
    table.refresh_from_db()
    while table.turn is not None:
        move = legal(table)[0]
        fields = form_of(move, table.moves_made)
        answer = clients[table.turn].post(reverse("table_move", args=(table.pk,)), fields)
        assert answer.status_code == 302, answer.content.decode()
        table.refresh_from_db()


def test_a_visitor_plays_a_bot_by_one_press(client: Client) -> None:
    answer = client.post(reverse("play_now"), {"game": "dominoes", "bot": "greedy", "name": "Eva"})
    table = Table.objects.get()
    assert answer["Location"] == page(table)
    told = client.get(page(table)).content.decode()
    assert "Eva" in told
    assert 'class="dom-rack' in told


def test_a_table_is_laid_by_the_form(ana: tuple[Client, Player]) -> None:
    client, _player = ana
    fields = {
        "profile": "crosswise_open",
        "seats": "4",
        "bots": "2",
        "bot": "keeper",
        "pace": "live",
        "seconds": "30",
        "days": "1",
        "seating": "anybody",
        "watch": "anybody",
        "delay": "0",
        "rated": "on",
    }
    assert client.get(reverse("new_table")).status_code == 200
    answer = client.post(reverse("new_table"), fields)
    table = Table.objects.get()
    assert answer["Location"] == page(table)
    assert (table.profile, table.allowance, table.seats.count()) == ("crosswise_open", 30, 4)
    assert [seat.bot for seat in table.seats.order_by("number")] == ["", "", "keeper", "keeper"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", "99"),
        ("bots", "2"),
        ("seconds", "-5"),
        ("profile", "nonsense"),
        ("bot", "deep"),
        ("delay", "1e9"),
    ],
)
def test_a_table_that_cannot_be_is_refused_beside_its_field(
    ana: tuple[Client, Player], field: str, value: str
) -> None:
    fields = {
        "profile": "rulebook",
        "seats": "2",
        "bots": "1",
        "bot": "keeper",
        "pace": "live",
        "seconds": "30",
        "days": "1",
        "seating": "link",
        "watch": "anybody",
        "delay": "0",
        field: value,
    }
    answer = ana[0].post(reverse("new_table"), fields)
    assert answer.status_code == 422
    assert 'class="tab-error"' in answer.content.decode()
    assert not Table.objects.exists()


def test_own_rules_that_make_no_game_are_refused(ana: tuple[Client, Player]) -> None:
    """Ruling D-2: the set must fill the hands."""
    fields = {
        "profile": "own",
        "seats": "2",
        "bots": "0",
        "bot": "keeper",
        "pace": "days",
        "seconds": "60",
        "days": "2",
        "seating": "link",
        "watch": "nobody",
        "delay": "0",
        "own-highest": "2",
        "own-hand_size": "7",
        "own-lead": "draw",
        "own-boneyard": "draw",
        "own-target": "100",
        "own-matadors": "inline",
    }
    assert ana[0].post(reverse("new_table"), fields).status_code == 422
    fields["own-hand_size"] = "2"
    assert ana[0].post(reverse("new_table"), fields).status_code == 302
    assert Table.objects.get().rules["highest"] == 2


def test_people_sit_down_by_the_link_and_the_host_begins(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = laid(ana[1], seating=Table.Seating.LINK, watch=Table.Watch.NOBODY)
    assert blas[0].get(page(table)).status_code == 404
    assert blas[0].get(reverse("table_join", args=(table.pk, "wrong"))).status_code == 404
    told = ana[0].get(page(table)).content.decode()
    link = reverse("table_join", args=(table.pk, table.invitation))
    assert link in told
    assert "Sit here" in blas[0].get(link, follow=True).content.decode()
    act(blas[0], table, "sit", seat="1")
    assert "Blas" in ana[0].get(page(table)).content.decode()
    assert "Only who laid" in act(blas[0], table, "begin")
    assert 'class="dom-rack' in act(ana[0], table, "begin")


def test_a_stranger_becomes_a_guest_by_sitting_down(
    client: Client, ana: tuple[Client, Player]
) -> None:
    table = laid(ana[1])
    assert "needs a name" in act(client, table, "sit", seat="1", **{"name-1": "  "})
    assert "Zoe" in act(client, table, "sit", seat="1", **{"name-1": "Zoe"})
    assert Player.objects.filter(name="Zoe", user=None).exists()


def test_the_host_seats_bots_and_sends_them_away(ana: tuple[Client, Player]) -> None:
    table = laid(ana[1])
    assert "Send away" in act(ana[0], table, "bot", bot="1/greedy")
    assert "Send away" not in act(ana[0], table, "free", seat="1")
    assert "no such bot" in act(ana[0], table, "bot", bot="1/deep")
    assert "That seat is taken" in act(ana[0], table, "bot", bot="0/greedy")


def test_a_hand_is_played_by_forms_alone_and_its_seal_opens(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    """Ruling F-2."""
    table = begun(ana[1], blas[1], delay=0)
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
    assert 'class="dom-outcome"' in after
    assert "Next hand" in after


def test_the_next_hand_is_dealt_when_both_are_ready(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
    play_hand(table, (ana[0], blas[0]))
    assert "You are ready" in act(ana[0], table, "ready")
    assert 'class="dom-rack' in act(blas[0], table, "ready")
    table.refresh_from_db()
    assert table.round == 2


def test_a_refused_move_comes_back_with_reason_ruling_and_choice(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    """Ruling D-5: who holds a playable tile does not draw."""
    table = begun(ana[1], blas[1])
    clients = (ana[0], blas[0])
    table.refresh_from_db()
    assert table.turn is not None
    client = clients[table.turn]
    chosen = legal(table)[-1]
    fields = form_of(chosen, table.moves_made) | {"do": "draw"}
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    told = answer.content.decode()
    assert answer.status_code == 422
    assert "The leader sets a tile first." in told
    assert "Ruling D-3" in told
    assert re.search(rf'id="tile-{chosen.tile}"[^>]*checked', told)
    table.refresh_from_db()
    assert table.moves_made == 0


def test_a_stale_page_is_shown_the_present(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
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
    assert "has moved on" in stale.content.decode()
    table.refresh_from_db()
    assert table.moves_made == 1


def test_who_does_not_sit_there_cannot_move(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
    fields = form_of(legal(table)[0], 0)
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    assert answer.status_code == 403
    assert "You do not sit at this table." in answer.content.decode()


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
def test_nonsense_is_refused_in_a_sentence_and_nothing_stored(
    ana: tuple[Client, Player], blas: tuple[Client, Player], fields: dict[str, str]
) -> None:
    table = begun(ana[1], blas[1])
    assert table.turn is not None
    client = (ana[0], blas[0])[table.turn]
    answer = client.post(reverse("table_move", args=(table.pk,)), fields)
    assert answer.status_code in {409, 422}
    assert 'role="alert"' in answer.content.decode()
    table.refresh_from_db()
    assert table.moves_made == 0


def test_watchers_see_no_hand_and_are_told_of_the_delay(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1], delay=20)
    told = client.get(page(table)).content.decode()
    assert "20 seconds behind" in told
    assert "dom-rack" not in told
    move = form_of(legal(table)[0], 0)
    assert table.turn is not None
    (ana[0], blas[0])[table.turn].post(reverse("table_move", args=(table.pk,)), move)
    later = client.get(page(table), headers=HX).content.decode()
    assert 'data-moves="0"' in later
    assert "dom-train" not in later


def test_who_leaves_is_stood_in_for_and_takes_the_seat_back(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
    assert "I am back" in act(ana[0], table, "leave")
    assert "I am back" not in act(ana[0], table, "back")


def test_every_step_of_a_hand_that_is_over_has_an_address_that_may_be_kept(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1], delay=0)
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


def test_a_replay_waits_until_watchers_have_seen_the_end(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1], delay=600)
    play_hand(table, (ana[0], blas[0]))
    for move in (1, 10**6):
        step = reverse("table_replay", args=(table.pk, 1, move))
        assert client.get(step)["Location"] == page(table), "not even how long it was"
    told = client.get(page(table)).content.decode()
    assert "data-feed" in told
    assert bytes(table.rounds.get(number=1).seed).hex() not in told


def test_both_meet_at_the_rematch_by_one_press_each(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = tables.lay_table(
        host=ana[1],
        at=timezone.now() - dt.timedelta(minutes=5),
        game="dominoes",
        profile="own",
        options={"target": 1},
        seats=2,
    )
    tables.sit_down(table_id=table.pk, player=blas[1], at=timezone.now())
    tables.begin(table_id=table.pk, player=ana[1], at=timezone.now())
    for _ in range(20):
        play_hand(table, (ana[0], blas[0]))
        if table.state == Table.State.OVER:
            break
        act(ana[0], table, "ready")
        act(blas[0], table, "ready")
    told = ana[0].get(page(table)).content.decode()
    assert "The match is over" in told
    assert "Rematch" in told
    ana[0].post(reverse(ACT, args=(table.pk, "rematch")))
    answer = blas[0].post(reverse(ACT, args=(table.pk, "rematch")), headers=HX)
    again = Table.objects.exclude(pk=table.pk).get()
    assert answer["HX-Redirect"] == page(again)
    assert again.state == Table.State.PLAYING
    assert again.rules == table.rules


def test_the_hall_lists_what_is_mine_open_and_to_watch(
    client: Client, ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    playing_on = begun(ana[1], blas[1])
    free = laid(blas[1])
    hidden = laid(blas[1], seating=Table.Seating.LINK, watch=Table.Watch.NOBODY)
    told = client.get(reverse("tables")).content.decode()
    assert page(playing_on) in told
    assert page(free) in told
    assert page(hidden) not in told
    mine = ana[0].get(reverse("tables")).content.decode()
    assert "Go on" in mine


def test_the_page_speaks_spanish_with_points_in_drawings(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
    headers = {"Accept-Language": "es"}
    told = ana[0].get(page(table), headers=headers).content.decode()
    assert '<html lang="es"' in told
    assert f"/live/seat-es/{table.pk}-0/" in told
    assert not re.findall(r'(?:viewBox|transform|x|y|stroke-dasharray)="[^"]*\d,\d', told)


def test_no_page_of_a_table_needs_a_script_or_style_of_its_own(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = begun(ana[1], blas[1])
    told = ana[0].get(page(table)).content.decode()
    assert " style=" not in told
    assert not re.search(r"<script(?![^>]*src=)", told)
    assert not re.search(r"\son\w+=", told)


def test_nobody_learns_of_a_table_that_is_not_there(client: Client) -> None:
    assert client.get("/tables/987654/").status_code == 404
    assert client.post("/tables/987654/move/", {"do": "pass"}).status_code == 404
    assert client.post("/tables/987654/fly/").status_code == 404
