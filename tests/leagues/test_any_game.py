"""Every game that registers fulfils the whole protocol, on the same test; none is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from dominoes.engine import bits
from dominoes.stage.sentences import tile_name
from dominoes.table import DominoPosition
from eltoro.stage.sentences import card_name
from eltoro.table import ElToroPosition
from fairness import canonical
from leagues.games import Game, MoveRefused, Position, RoundLog, RulesRefused, games
from leagues.tables import broadcast
from leagues.tables.visibility import TableView
from tests.leagues.evening import begun, log_of, people, step

ROOT = Path(__file__).resolve().parents[2]
MOST_ROUNDS = 40
CONTROL = re.compile(r"<(?:input|select|textarea)[^>]*>")

OFFERED = [game for game in games.all() if game.front_page]
"""The games of the site; tests bring others of their own, without a front page."""

every_game = pytest.mark.parametrize("game", OFFERED, ids=lambda game: game.key)


def seed(number: int) -> bytes:
    return bytes([number % 256]) * 32


def rules_of(game: Game, profile: int = 0) -> Any:
    return game.normalise(game.profiles[profile].options)


@lru_cache(maxsize=16)
def played_out(key: str, bot: str, seats: int, profile: int = 0) -> tuple[RoundLog, ...]:
    """A whole match of one bot, each round sealed before it begins."""
    game = games[key]
    rules = rules_of(game, profile)
    rounds: tuple[RoundLog, ...] = ()
    while not game.table.restore(rules=rules, seats=seats, rounds=rounds).match_over:
        assert len(rounds) < MOST_ROUNDS
        stake = game.table.stake(rules=rules, seats=seats, rounds=rounds)
        fresh = RoundLog(number=len(rounds) + 1, seed=seed(len(rounds)), stake=stake, moves=())
        rounds = (*rounds, _round(game, rules, seats, (*rounds, fresh), bot))
    return rounds


def _round(game: Game, rules: Any, seats: int, rounds: tuple[RoundLog, ...], bot: str) -> RoundLog:
    *before, last = rounds
    while True:
        given = {"rules": rules, "seats": seats, "rounds": (*before, last)}
        position = game.table.restore(**given)
        if position.turn is None:
            return last
        move = game.table.bot_move(**given, bot=bot, seed=seed(position.made))
        after = game.table.play(**given, seat=position.turn, move=move)
        assert after.made == position.made + 1
        assert len(move) <= 200, "a move has to fit its row"
        last = RoundLog(
            number=last.number, seed=last.seed, stake=last.stake, moves=(*last.moves, move)
        )


def test_leagues_ask_nowhere_which_game_it_is() -> None:
    """No name of a game, no import of one; what differs comes through the registry."""
    keys = {game.key for game in OFFERED}
    style = ROOT / "static/css/league.css"
    scripts = [ROOT / "static/js/table.js"]
    pages = (ROOT / "templates/leagues").glob("*.html")
    for path in [*(ROOT / "leagues").rglob("*.py"), *pages, style, *scripts]:
        told = path.read_text("utf-8").lower()
        assert not [key for key in keys if key in told], path


@every_game
def test_what_a_game_says_of_itself_is_whole(game: Game) -> None:
    assert str(game.name)
    assert str(game.round_name)
    assert game.stand_in in dict(game.bots)
    assert len({profile.key for profile in game.profiles}) == len(game.profiles) > 0
    for profile in game.profiles:
        rules = game.normalise(profile.options)
        assert game.normalise(rules) == rules
        assert json.loads(json.dumps(rules)) == rules
        assert len(game.digest(rules)) == 64
        assert all(str(line) for line in game.describe(rules))
        for seats in game.seat_counts(rules):
            assert len(game.sides(rules, seats)) == seats
    with pytest.raises(RulesRefused):
        game.normalise({"a rule that there is in no game": 1})


@every_game
def test_different_rules_have_different_digests(game: Game) -> None:
    found = [game.digest(game.normalise(profile.options)) for profile in game.profiles]
    assert len(set(found)) == len(found)


MATCHES = [
    (game, bot) for game in OFFERED for bot in dict.fromkeys((game.bots[0][0], game.stand_in))
]
"""The quickest bot, and the one that stands in for who is away; ladders play the others."""


@pytest.mark.parametrize(("game", "bot"), MATCHES, ids=lambda one: getattr(one, "key", one))
def test_a_match_is_played_to_its_end_by_bots(game: Game, bot: str) -> None:
    """Restored, judged, verified: all from rounds, seeds and moves alone."""
    rules, seats = rules_of(game), game.seat_counts(rules_of(game))[0]
    rounds = played_out(game.key, bot, seats)
    given = {"rules": rules, "seats": seats, "rounds": rounds}
    position = game.table.restore(**given)
    assert (position.turn, position.round_over, position.match_over) == (None, True, True)
    assert len(position.points) == len(position.places) == seats
    assert min(position.places) == 1
    sheet = json.loads(json.dumps(game.table.sheet(**given)))
    judged = game.referee.judge(rules=rules, seats=seats, sheet=sheet)
    assert judged.objections == ()
    assert (judged.over, judged.evidence) == (True, "log")
    assert (judged.points, judged.places) == (position.points, position.places)
    assert list(game.table.verify(**given)) == []


@every_game
def test_a_seed_that_is_not_the_rounds_is_found_out(game: Game) -> None:
    """Ruling F-2."""
    rules, seats = rules_of(game), game.seat_counts(rules_of(game))[0]
    first = played_out(game.key, game.stand_in, seats)[0]
    other = RoundLog(number=1, seed=seed(200), stake=first.stake, moves=first.moves)
    assert game.table.verify(rules=rules, seats=seats, rounds=(other,))


@every_game
def test_what_is_at_stake_follows_from_what_went_before(game: Game) -> None:
    """Ruling F-2: it is said before, and says nothing of a seed to come."""
    rules = rules_of(game)
    seats = game.seat_counts(rules)[0]
    rounds = played_out(game.key, game.stand_in, seats)
    for number, kept in enumerate(rounds):
        stake = game.table.stake(rules=rules, seats=seats, rounds=rounds[:number])
        assert stake == kept.stake
        assert kept.seed.hex() not in canonical(stake).decode()


@every_game
def test_wrong_moves_and_wrong_seats_are_refused_politely(game: Game) -> None:
    rules = rules_of(game)
    seats = game.seat_counts(rules)[0]
    begun = RoundLog(number=1, seed=seed(3), stake={}, moves=())
    given = {"rules": rules, "seats": seats, "rounds": (begun,)}
    position = game.table.restore(**given)
    turn = position.turn
    assert turn is not None
    move = game.table.bot_move(**given, bot=game.stand_in, seed=seed(1))
    for seat, text in ((1 - turn, move), (turn, "?"), (turn, "")):
        with pytest.raises(MoveRefused) as refused:
            game.table.play(**given, seat=seat, move=text)
        assert str(refused.value)
    for fields in ({}, {"do": "?"}, {"move": "?"}, {"move": "x" * 80}):
        with pytest.raises(MoveRefused):
            game.table.read_moves(fields, position=position, seat=turn)
    for seat in (turn, 1 - turn):
        assert [*game.table.read_moves({"move": move}, position=position, seat=seat)] == [move]
    empty = game.table.restore(rules=rules, seats=seats, rounds=())
    assert (empty.turn, empty.made, empty.match_over) == (None, 0, False)
    assert empty.points == (0,) * seats
    game.table.scene(empty, seat=None)


def tiles_hidden(position: Position, seat: int | None) -> Iterator[str]:
    """Tiles that lie in other hands or in the boneyard, as a page would name them."""
    assert isinstance(position, DominoPosition)
    if position.hand is None or position.hand.turn is None:
        return
    view = position.view(seat)
    held = position.held() or ()
    assert view is not None
    for other, tiles in enumerate(held):
        if other != seat:
            for tile in bits(tiles):
                yield f'class="hidden-text">{tile_name(position.rules, tile)}'


def cards_hidden(position: Position, seat: int | None) -> Iterator[str]:
    """Names and keys of cards in other hands, unless the seat has one or one was just played."""
    assert isinstance(position, ElToroPosition)
    if position.game is None or position.game.over:
        return
    hands = position.hands()
    own = set() if seat is None else set(hands[seat])
    last = position.moves[-1].split()[1:2] if position.moves else []
    for card in {card for hand in hands for card in hand} - own:
        kind = position.rules.cards[card]
        if kind.key not in last:
            yield from (f">{card_name(kind)}<", f"“{card_name(kind)}”", f'value="{kind.key}')


HIDDEN: Mapping[str, Callable[[Position, int | None], Iterator[str]]] = {
    "dominoes": tiles_hidden,
    "eltoro": cards_hidden,
}
"""What must not stand in a fragment; a game that is added says so here."""


def test_every_game_says_what_it_hides() -> None:
    assert set(HIDDEN) == {game.key for game in OFFERED}


@pytest.mark.slow
@every_game
@pytest.mark.django_db
def test_its_fragment_shows_each_what_they_may_see(game: Game) -> None:
    """Every seat and who watches, in both languages, along a round; the feed sends the same."""
    seats = game.seat_counts(rules_of(game))[1]
    players = people(*("Ana", "Beto", "Carla", "Dora")[:seats])
    table = begun(game.key, players, game.profiles[0].key)
    checked = 0
    for number in range(21):
        step(table, players, bot=game.stand_in)
        log = log_of(table)
        if number % 4:
            continue
        for seat in (None, *range(seats)):
            seen = TableView(log=log, moment=log.moments[-1], seat=seat)
            pages = {
                language: broadcast.render_fragment(seen, language) for language in ("en", "es")
            }
            for secret in HIDDEN[game.key](seen.position, seat):
                assert secret not in pages["en"], (number, seat)
                checked += 1
            assert all('id="stage"' in page for page in pages.values())
            assert "csrfmiddlewaretoken" not in pages["en"]
            controls = CONTROL.findall(pages["en"])
            assert seat is not None or all('name="seen"' in one for one in controls)
    assert checked > 20
