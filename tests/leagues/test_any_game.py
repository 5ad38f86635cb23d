"""Every registered game fulfils the whole protocol of games.

No test depends on a particular game.
"""

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
from tests.leagues.evening import log_of, people, started_table, step

ROOT = Path(__file__).resolve().parents[2]
MOST_ROUNDS = 40
CONTROL = re.compile(r"<(?:input|select|textarea)[^>]*>")

# The games of the site. Tests register further games, which have no front page.
OFFERED = [game for game in games.all_games() if game.front_page]

every_game = pytest.mark.parametrize("game", OFFERED, ids=lambda game: game.key)


def seed(number: int) -> bytes:
    return bytes([number % 256]) * 32


def profile_rules(game: Game, profile: int = 0) -> Any:
    return game.normalise(game.profiles[profile].options)


@lru_cache(maxsize=16)
def played_out(key: str, bot: str, seats: int, profile: int = 0) -> tuple[RoundLog, ...]:
    """Play a whole match of one bot, and return its rounds.

    Each stake is fixed before its round.
    """
    game = games[key]
    rules = profile_rules(game, profile)
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


def test_code_of_leagues_mentions_no_game() -> None:
    """Neither names nor imports of games occur. Differences come from the registry of games."""
    keys = {game.key for game in OFFERED}
    style = ROOT / "static/css/league.css"
    scripts = [ROOT / "static/js/table.js"]
    pages = (ROOT / "templates/leagues").glob("*.html")
    for path in [*(ROOT / "leagues").rglob("*.py"), *pages, style, *scripts]:
        told = path.read_text("utf-8").lower()
        assert not [key for key in keys if key in told], path


@every_game
def test_game_description_is_complete(game: Game) -> None:
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
def test_different_rules_of_a_game_have_different_digests(game: Game) -> None:
    found = [game.digest(game.normalise(profile.options)) for profile in game.profiles]
    assert len(set(found)) == len(found)


# The fastest bot and the substitute bot. The tests of bot ladders cover the others.
MATCHES = [
    (game, bot) for game in OFFERED for bot in dict.fromkeys((game.bots[0][0], game.stand_in))
]


@pytest.mark.parametrize(("game", "bot"), MATCHES, ids=lambda one: getattr(one, "key", one))
def test_bots_play_a_match_of_every_game_to_its_end(game: Game, bot: str) -> None:
    """The match is restored, judged and verified from its rounds, seeds and moves alone."""
    rules, seats = profile_rules(game), game.seat_counts(profile_rules(game))[0]
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
def test_verification_detects_a_wrong_seed(game: Game) -> None:
    """The seed of a round is checked against its published digest (Ruling F-2)."""
    rules, seats = profile_rules(game), game.seat_counts(profile_rules(game))[0]
    first = played_out(game.key, game.stand_in, seats)[0]
    other = RoundLog(number=1, seed=seed(200), stake=first.stake, moves=first.moves)
    assert game.table.verify(rules=rules, seats=seats, rounds=(other,))


@every_game
def test_stake_of_a_round_follows_from_earlier_rounds(game: Game) -> None:
    """Ruling F-2: the stake is published before the round, and does not reveal a future seed."""
    rules = profile_rules(game)
    seats = game.seat_counts(rules)[0]
    rounds = played_out(game.key, game.stand_in, seats)
    for number, kept in enumerate(rounds):
        stake = game.table.stake(rules=rules, seats=seats, rounds=rounds[:number])
        assert stake == kept.stake
        assert kept.seed.hex() not in canonical(stake).decode()


@every_game
def test_invalid_moves_and_wrong_seats_are_rejected_with_a_message(game: Game) -> None:
    rules = profile_rules(game)
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
    """Yield the notation of tiles in other hands or in the boneyard."""
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
    """Yield names and keys of cards in other hands.

    A card is left out if the seat holds one too, or if one was just played.
    """
    assert isinstance(position, ElToroPosition)
    if position.game is None or position.game.is_over:
        return
    hands = position.hands()
    own = set() if seat is None else set(hands[seat])
    last = position.moves[-1].split()[1:2] if position.moves else []
    for card in {card for hand in hands for card in hand} - own:
        kind = position.rules.cards[card]
        if kind.key not in last:
            yield from (f">{card_name(kind)}<", f"“{card_name(kind)}”", f'value="{kind.key}')


# Functions that return what the page fragment of each game must not contain. Every game must be
# listed.
HIDDEN: Mapping[str, Callable[[Position, int | None], Iterator[str]]] = {
    "dominoes": tiles_hidden,
    "eltoro": cards_hidden,
}


def test_every_game_declares_what_its_fragment_must_hide() -> None:
    assert set(HIDDEN) == {game.key for game in OFFERED}


@pytest.mark.slow
@every_game
@pytest.mark.django_db
def test_game_fragment_hides_the_hands_of_others(game: Game) -> None:
    """Checks the fragments of every seat and of spectators, in both languages, during a round.

    The live feed sends the same fragments.
    """
    seats = game.seat_counts(profile_rules(game))[1]
    players = people(*("Ana", "Beto", "Carla", "Dora")[:seats])
    table = started_table(game.key, players, game.profiles[0].key)
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
            assert pages["en"] != pages["es"]
            for secret in HIDDEN[game.key](seen.position, seat):
                assert secret not in pages["en"], (number, seat)
                checked += 1
            assert all('id="stage"' in page for page in pages.values())
            assert "csrfmiddlewaretoken" not in pages["en"]
            controls = CONTROL.findall(pages["en"])
            assert seat is not None or all('name="seen"' in one for one in controls)
    assert checked > 20
