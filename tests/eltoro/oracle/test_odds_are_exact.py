"""The chances calculated by the oracle are compared with cases worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from tests.eltoro.oracle.laying import laid_out
from tests.eltoro.oracle.odds import odds


def test_runner_without_bulls_follows_its_parity_to_one_destination() -> None:
    town = laid_out("a1@fuente:2").town
    town.step, town.laid = 2, [0, 1, 2, 3, 4]
    prospect = odds(town, "a1")
    assert prospect.arrives["d2"] == 1
    assert prospect.trampled == [0, 0, 0]
    assert prospect.points == 4


def test_runner_that_matches_one_bull_is_trampled_with_probability_one_sixth() -> None:
    town = laid_out("a1@faro:2 a2@faro:4", "T1@faro:2").town
    town.step = 4
    assert odds(town, "a1").trampled == [Fraction(1, 36) * 6]
    assert odds(town, "a2").arrives["d3"] == 1


def test_runner_among_bulls_with_all_six_faces_is_certainly_trampled() -> None:
    bulls = " ".join(f"T{face}@naranjo:{face}" for face in range(1, 7))
    town = laid_out("a1@naranjo:2", bulls).town
    town.step = 3
    prospect = odds(town, "a1")
    assert prospect.trampled == [1, 0]
    assert [*prospect.arrives.values(), prospect.points] == [0] * 6


def test_chances_of_a_runner_with_two_bulls_on_its_way() -> None:
    town = laid_out("a1@naranjo:2", "T1@naranjo:2 T2@naranjo:5").town
    town.step, town.laid = 3, [0, 1, 2, 3, 4]
    prospect = odds(town, "a1")
    # The runner is rolled once on the space lonja. With a 2 or 5 it is trampled, with a 4 or 6 it
    # goes on to d2, and with a 1 or 3 to d1. The bulls there have other faces and do no harm.
    assert prospect.trampled == [Fraction(1, 3), 0]
    assert [prospect.arrives[place] for place in ("d1", "d2")] == [Fraction(1, 3)] * 2
    assert prospect.points == Fraction(3 + 4, 3)
