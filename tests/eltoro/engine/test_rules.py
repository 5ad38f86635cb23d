"""The rule set of Running with the Bulls: board, number of days and cards."""

from __future__ import annotations

import pickle

import pytest

from eltoro.engine import BOARDS, DECK, PROFILES, RUNNERS, Board, Rules, RulesError
from tests.eltoro.engine.test_board import BOARD, CARDS, PLACES


def test_profiles_are_the_shipped_boards_and_a_game_of_one_day() -> None:
    assert {rules.board.name for rules in PROFILES.values()} == set(BOARDS)
    assert PROFILES["el-toro"] == Rules()
    assert PROFILES["one-day"].days == 1
    assert len({rules.digest for rules in PROFILES.values()}) == len(PROFILES)


@pytest.mark.parametrize("rules", [*PROFILES.values(), Rules(board=BOARD, cards=CARDS, days=2)])
def test_rule_set_can_be_stored_as_its_options(rules: Rules) -> None:
    again = Rules.from_options(rules.options())
    assert (again, again.digest, hash(again)) == (rules, rules.digest, hash(rules))
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_digest_of_a_rule_set_depends_on_its_cards_and_board() -> None:
    assert Rules(board=BOARD, cards=CARDS, destinations=PLACES).digest == Rules().digest
    assert Rules(cards=CARDS.replace("second-wind", "third-wind")).digest != Rules().digest


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"days": 0}, "days"), ({"days": 4}, "days"), ({"days": True}, "days"),
        ({"days": "many"}, "days"), ({"board": "madrid"}, "board"), ({"bulls": 7}, "bulls"),
        ({"board": 3}, "board"),
    ],
)  # fmt: skip
def test_invalid_option_is_rejected_with_its_name(
    options: dict[str, int | str], field: str
) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.from_options(options)
    assert refused.value.field == field
    assert refused.value.ruling in str(refused.value)


def test_number_of_days_may_be_given_as_text() -> None:
    assert Rules.from_options({"days": "2"}).days == 2


def test_rule_set_is_immutable() -> None:
    with pytest.raises(AttributeError):
        Rules().days = 2
    assert isinstance(Rules().board, Board)
    assert Rules().cards is DECK


def test_ruling_e_1_number_of_runners_depends_on_the_number_of_players() -> None:
    assert [Rules().runners(players) for players in RUNNERS] == [9, 8, 6, 6, 6]
    with pytest.raises(ValueError, match="E-1"):
        Rules().runners(7)
