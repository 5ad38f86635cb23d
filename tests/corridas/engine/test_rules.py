"""Tests of the three rule options, their defaults and invalid values (rulings I-3, I-6, I-11)."""

from __future__ import annotations

from itertools import product

import pytest

from corridas.engine import CHOICES, Rules, RulesError

EVERY = [dict(zip(CHOICES, values, strict=True)) for values in product(*CHOICES.values())]


def test_i_3_i_6_i_11_rule_options_have_these_values_and_defaults() -> None:
    assert CHOICES == {
        "shuffle": ("each_bull", "when_exhausted"),
        "bull_reading": ("same_card", "next_card"),
        "bull_points": ("separate", "against", "for"),
    }
    assert Rules().options() == {name: choices[0] for name, choices in CHOICES.items()}
    assert Rules.from_options({}) == Rules()


@pytest.mark.parametrize("options", EVERY, ids=["-".join(one.values()) for one in EVERY])
def test_rule_options_are_written_as_they_were_read(options: dict[str, str]) -> None:
    assert Rules.from_options(options).options() == options
    assert hash(Rules.from_options(options)) == hash(Rules.from_options(dict(options)))


@pytest.mark.parametrize("name", ["shufle", "Shuffle", "", "cards"])
def test_unknown_rule_option_is_rejected(name: str) -> None:
    with pytest.raises(RulesError, match=f"no option “{name}”; there are shuffle, bull_reading,"):
        Rules.from_options({name: "each_bull"})


@pytest.mark.parametrize(
    ("name", "value"),
    [("shuffle", "never"), ("bull_reading", ""), ("bull_points", "For"), ("shuffle", "against")],
)
def test_unknown_value_of_a_rule_option_is_rejected_with_the_choices(name: str, value: str) -> None:
    with pytest.raises(RulesError) as refusal:
        Rules.from_options({name: value})
    choices = ", ".join(CHOICES[name])
    assert str(refusal.value) == f"The option {name} is one of {choices}, not “{value}”."
