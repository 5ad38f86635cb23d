"""The adapter that makes Running with the Bulls playable at game tables of the site.

A position is calculated from the stored moves by the engine alone.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from eltoro.engine import PROFILES, Move, Rules, replay
from eltoro.game import GAME, OPTIONS, describe, digest, normalise, seat_counts
from eltoro.stage.hand import read_form
from fairness import Seed, canonical
from leagues.games import MoveRefused, RoundLog, RulesRefused
from tests.eltoro.table.games import TABLE, adapter_arguments, played_out, positions, seed

PLAYED = [(profile, seats) for profile in PROFILES for seats in (2, 6)]


def read(fields: dict[str, str]) -> tuple[str, ...]:
    return TABLE.read_moves(
        fields, position=TABLE.restore(**adapter_arguments((), seats=2, profile="el-toro")), seat=0
    )


@pytest.mark.parametrize(("profile", "seats"), PLAYED)
def test_stored_game_is_replayed_with_the_result_of_the_engine(profile: str, seats: int) -> None:
    moves = played_out(seats, profile)
    given = adapter_arguments(moves, seats=seats, profile=profile)
    found = TABLE.restore(**given)
    game = replay(PROFILES[profile], seats, Seed(seed(1)), [Move.read(move) for move in moves])
    assert found.match_over
    assert found.round_over
    assert (found.points, found.places) == (game.points, game.places)
    assert found.made == len(moves)
    assert TABLE.verify(**given) == []


@pytest.mark.parametrize(("profile", "seats"), PLAYED)
def test_referee_accepts_the_scoresheet_of_a_game_played_on_the_site(
    profile: str, seats: int
) -> None:
    given = adapter_arguments(played_out(seats, profile), seats=seats, profile=profile)
    sheet = json.loads(json.dumps(TABLE.sheet(**given)))
    judged = GAME.referee.judge(rules=given["rules"], seats=seats, sheet=sheet)
    found = TABLE.restore(**given)
    assert judged.objections == ()
    assert (judged.over, judged.evidence) == (True, "log")
    assert (judged.points, judged.places) == (found.points, found.places)


def test_stake_of_a_game_contains_rules_and_players_but_no_secret() -> None:
    """The published digest covers the seed and the stake: rules with their digest, engine and
    players (Ruling F-2). The stake is the same for every seed.
    """
    rules = Rules(days=2).options()
    stake = TABLE.stake(rules=rules, seats=3, rounds=())
    assert stake["digest"] == Rules(days=2).digest
    assert (stake["players"], stake["rules"]) == (3, rules)
    assert canonical(stake)
    assert stake != TABLE.stake(rules=rules, seats=4, rounds=())


def test_illegal_move_is_rejected_with_a_message_and_its_ruling() -> None:
    given = adapter_arguments((), seats=2, profile="el-toro")
    before = TABLE.restore(**given)
    turn = before.turn
    assert turn is not None
    with pytest.raises(MoveRefused, match="place your 1s first") as refused:
        TABLE.play(**given, seat=turn, move="discard")
    assert refused.value.ruling == "E-3"
    with pytest.raises(MoveRefused, match="not your turn"):
        TABLE.play(**given, seat=1 - turn, move="discard")
    with pytest.raises(MoveRefused, match="This move is not valid"):
        TABLE.play(**given, seat=turn, move="dance a1")
    with pytest.raises(MoveRefused, match="has not begun"):
        TABLE.play(**{**given, "rounds": ()}, seat=0, move="discard")
    assert TABLE.restore(**given).made == 0


def test_verification_finds_el_toro_moves_that_do_not_fit_the_seed() -> None:
    """The seed determines the deal (Ruling F-2), so moves made with another seed are illegal."""
    given = adapter_arguments(played_out(2), seats=2, profile="el-toro", number=9)
    assert len(TABLE.verify(**given)) == 1


@pytest.mark.parametrize(
    ("fields", "move"),
    [
        ({"card": "second-wind/0", "0.a1": "on", "0.a3": "on"}, "play second-wind a1 a3"),
        ({"card": "second-wind/0", "1.a1": "on"}, "play second-wind"),
        ({"do": "play", "card": "sidestep/2", "2.a1+": "on"}, "play sidestep a1+"),
        ({"card": "good-eye/1", "1.a2": "on", "1.face": "5"}, "play good-eye a2=5"),
        ({"card": "good-eye/1", "1.face": "5"}, "play good-eye"),
        ({"card": "swapped-hats/1", "1.own": "a1", "1.other": "c4"}, "play swapped-hats a1~c4"),
        ({"card": "crush/3", "3.@molino": "on"}, "play crush @molino"),
        ({"card": "cowbell/0", "0.T1>iglesia": "on"}, "play cowbell T1>iglesia"),
        ({"card": "street-sign/0", "0.fuente/odd": "on"}, "play street-sign fuente/odd"),
        (
            {"card": "street-sign/0", "0.fuente/odd": "on", "0.from": "mercado/even"},
            "play street-sign mercado/even>fuente/odd",
        ),
        ({"card": "street-sign/0", "0.from": "mercado/even"}, "play street-sign"),
        ({"do": "start", "start-a2": "4", "start-a5": "6"}, "start a2>4 a5>6"),
        ({"do": "discard"}, "discard"),
        ({"do": "discard", "drop-0": "elbow", "drop-3": "elbow"}, "discard elbow elbow"),
        ({"move": "play churros"}, "play churros"),
    ],
)
def test_move_is_read_from_the_fields_of_the_card_form(fields: dict[str, str], move: str) -> None:
    assert read(fields) == (move,)


@pytest.mark.parametrize("fields", [{}, {"do": "start"}, {"move": "dance"}, {"card": "/0"}])
def test_card_form_without_a_valid_move_is_rejected(fields: dict[str, str]) -> None:
    with pytest.raises(MoveRefused):
        read(fields)


def test_incomplete_exchange_of_runners_is_read_as_an_illegal_target() -> None:
    """The engine then rejects the move.

    A card without any choice is read as played without targets.
    """
    assert read_form({"card": "swapped-hats/1", "1.own": "a1"}) == "play swapped-hats a1~"
    assert read_form({"card": "swapped-hats/1"}) == "play swapped-hats"


def test_replaying_moves_never_changes_earlier_positions() -> None:
    found = list(positions(2))
    towns = [position.game.town() for position in found if position.game is not None]
    assert towns == [one.game.town() for one in positions(2) if one.game is not None]
    assert [one.made for one in found] == list(range(len(found)))


def test_game_with_two_rounds_is_rejected() -> None:
    given = adapter_arguments((), seats=2, profile="el-toro")
    kept = given["rounds"][0]
    given["rounds"] = (kept, RoundLog(number=2, seed=kept.seed, stake={}, moves=()))
    with pytest.raises(MoveRefused):
        TABLE.restore(**given)


def test_every_profile_and_option_of_el_toro_has_a_name_and_description() -> None:
    assert {profile.key for profile in GAME.profiles} == set(PROFILES)
    assert {option.key for option in OPTIONS} == set(Rules().options())
    for profile in GAME.profiles:
        rules = normalise(profile.options)
        assert rules == PROFILES[profile.key].options()
        assert digest(rules) == PROFILES[profile.key].digest
        assert str(profile.name)
        assert len(describe(rules)) >= 3
        assert list(seat_counts(rules)) == [2, 3, 4, 5, 6]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"days": 4}, "days"),
        ({"days": "many"}, "days"),
        ({"board": "atlantis"}, "board"),
        ({"board": "space,row\n1,2"}, "board"),
        ({"bulls": 7}, "bulls"),
    ],
)
def test_invalid_el_toro_options_are_rejected_with_the_name_of_the_option(
    options: Any, field: str
) -> None:
    with pytest.raises(RulesRefused) as refused:
        normalise(options)
    assert refused.value.field == field
    assert str(refused.value)
