"""The immutable rule set of dominoes, its options and its profiles (Rulings D-1 to D-9)."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from dominoes.engine import CHOICES, PROFILES, RANGES, RULINGS, SWITCHES, Rules, RulesError


def test_default_options_are_those_of_the_rulings() -> None:
    assert Rules().options() == {
        "highest": 6, "hand_size": 7, "partners": False, "lead": "draw",
        "set_highest_double": False, "boneyard": "draw", "free_pass": False, "out_wins": False,
        "target": 100, "matadors": "inline",
    }  # fmt: skip
    assert PROFILES["rulebook"] == Rules()


def test_every_option_is_documented_and_has_a_ruling() -> None:
    names = [field.name for field in fields(Rules)]
    assert names == list(RULINGS)
    assert sorted([*CHOICES, *RANGES, *SWITCHES]) == sorted(names)
    for name in names:
        assert f"`{name}`" in (Rules.__doc__ or "")


@pytest.mark.parametrize(
    ("field", "value", "ruling"),
    [
        ("highest", 1, "D-1"), ("highest", 19, "D-1"), ("highest", 6.0, "D-1"),
        ("highest", True, "D-1"), ("highest", "six", "D-1"), ("highest", "9" * 9999, "D-1"),
        ("hand_size", 0, "D-2"), ("hand_size", 15, "D-2"), ("hand_size", None, "D-2"),
        ("partners", 1, "D-2"), ("partners", "yes", "D-2"),
        ("lead", "loser", "D-3"), ("lead", ["draw"], "D-3"), ("set_highest_double", "", "D-3"),
        ("boneyard", "keep", "D-5"), ("free_pass", None, "D-5"),
        ("out_wins", 0, "D-7"), ("target", 0, "D-8"), ("target", 10_001, "D-8"),
        ("matadors", "crosswise", "D-9"),
    ],
)  # fmt: skip
def test_invalid_value_of_an_option_is_rejected_with_its_ruling(
    field: str, value: Any, ruling: str
) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.from_options({field: value})
    assert (refused.value.field, refused.value.ruling) == (field, ruling)
    assert str(refused.value).endswith(f"(Ruling {ruling})")


def test_unknown_option_is_rejected() -> None:
    with pytest.raises(RulesError, match="No option “jokers”"):
        Rules.from_options({"jokers": 2})


def test_options_of_a_rule_set_can_be_written_and_read_back() -> None:
    written = {"highest": "9", "partners": "true", "free_pass": "false", "lead": "winner"}
    rules = Rules(highest=9, partners=True, lead="winner")
    assert Rules.from_options(written) == rules
    assert Rules.from_options(json.loads(json.dumps(rules.options()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_different_rule_sets_have_different_digests() -> None:
    assert Rules().digest == Rules.from_options(Rules().options()).digest
    assert len(Rules().digest) == 64
    assert len({rules.digest for rules in PROFILES.values()}) == len(PROFILES)
    assert Rules().digest != replace(Rules(), target=101).digest


def test_rule_set_is_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules().target = 50  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, (2, 3, 4)), ({"hand_size": 5}, (2, 3, 4, 5)), ({"hand_size": 14}, (2,)),
        ({"highest": 2, "hand_size": 3}, (2,)), ({"partners": True}, (4,)),
        ({"highest": 9}, (2, 3, 4, 5, 6, 7)), ({"highest": 9, "partners": True}, (4,)),
    ],
)  # fmt: skip
def test_ruling_d_2_number_of_players_is_limited_by_the_tiles_of_the_set(
    options: dict[str, Any], seats: tuple[int, ...]
) -> None:
    assert Rules(**options).seats == seats


def test_ruling_d_2_hand_size_is_rejected_if_the_set_has_too_few_tiles() -> None:
    with pytest.raises(RulesError, match="no 4 hands of 8 tiles"):
        Rules(partners=True, hand_size=8)


def test_ruling_d_2_partners_sit_opposite_each_other() -> None:
    assert Rules(partners=True).sides(4) == ((0, 2), (1, 3))
    assert Rules().sides(3) == ((0,), (1,), (2,))


def test_profiles_include_those_of_the_rulebook_and_its_variants() -> None:
    assert {"rulebook", "draw", "block", "partners"} < set(PROFILES)
    assert {name for name, rules in PROFILES.items() if rules.matadors != "inline"} == {
        "crosswise_open", "crosswise_on_blank", "crosswise_stub",
    }  # fmt: skip
    assert all(PROFILES[name].matadors == name for name in PROFILES if name.startswith("cross"))
    assert PROFILES["partners"].partners
    assert PROFILES["block"].boneyard == "pass"
