"""The `calibrate` command: its figures, its verdict and its errors."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corridas.engine import Crowd, Ending, LidiaResult, Rules, Trophy
from corridas.management.commands.calibrate import ORDINALS, OVER_ALL, ears_bound, judge
from corridas.world import roster
from corridas.world.calibration import LidiaStatistics, MatadorSeason, Mix, Season, play_season
from corridas.world.chances import sample_scores
from corridas.world.choosers import CHOOSERS, compare_choosers
from fairness import Seed

TABLES = roster.load()
SEED = Seed(hashlib.sha256(b"test").digest())


def result(**fields: object) -> LidiaResult:
    base: dict[str, object] = {
        "ending": Ending.KILLED,
        "starter": 0,
        "finisher": 0,
        "injured": (),
        "matador_points": 0,
        "bull_points": 0,
        "trophy": Trophy.NONE,
        "crowd": Crowd.PITOS,
    }
    return LidiaResult(**(base | fields))  # type: ignore[arg-type]


def test_figures_count_trophies_avisos_and_crowd_reactions() -> None:
    tally = LidiaStatistics()
    tally.add(result())
    tally.add(result(trophy=Trophy.OREJA, crowd=None, avisos=1))
    tally.add(result(trophy=Trophy.DOS_OREJAS, crowd=None))
    tally.add(result(trophy=Trophy.RABO, crowd=None, ending=Ending.SPARED))
    tally.add(result(ending=Ending.THREE_AVISOS, avisos=3, crowd=Crowd.BRONCA, injured=(1,)))
    tally.add(result(ending=Ending.BROKEN_OFF, trophy=None, crowd=None, finisher=None))
    assert (tally.lidias, tally.ears, tally.tails) == (6, 5, 1)
    assert (tally.warned, tally.stopped, tally.spared, tally.unable) == (2, 1, 1, 1)
    assert (tally.awards, tally.big_awards) == (3, 2)
    assert tally.crowd == {Crowd.PITOS: 1, Crowd.BRONCA: 1}


def test_figures_of_two_samples_add_up() -> None:
    first, second = LidiaStatistics(lidias=2, ears=1), LidiaStatistics(lidias=3, tails=1)
    second.crowd[Crowd.OVACION] = 2
    assert first + second == LidiaStatistics(
        lidias=5, ears=1, tails=1, crowd=Counter({Crowd.OVACION: 2})
    )


def test_figures_are_given_in_their_units() -> None:
    tally = LidiaStatistics(lidias=200, ears=60, tails=3, awards=50, big_awards=10)
    assert ears_bound(1).figure(tally) == pytest.approx(0.3)
    figures = {bound.name: bound.figure(tally) for bound in OVER_ALL}
    assert figures["tails per 100 bulls"] == pytest.approx(1.5)
    assert figures["two ears or more of awards"] == pytest.approx(20)
    assert ears_bound(1).figure(LidiaStatistics()) == 0


@pytest.mark.slow
@pytest.mark.parametrize("mix", list(Mix))
def test_the_same_arguments_give_the_same_season(mix: Mix) -> None:
    first = play_season(TABLES, Rules(), 2026, SEED, mix)
    again = play_season(TABLES, Rules(), 2026, SEED, mix)
    assert first == again
    lidias = sum(tally.lidias for tally in first.tallies.values())
    assert 6 * 440 <= lidias <= 6 * 460
    assert first.left_open == 0
    assert sum(first.corridas.values()) * 2 == lidias


@pytest.mark.slow
def test_matadors_with_high_ratings_are_contracted_most() -> None:
    season = play_season(TABLES, Rules(), 2026, SEED, Mix.CONTRACTED)
    (leader, most), *_ = season.corridas.most_common()
    assert TABLES.cards[leader].rating >= 85
    assert 45 <= most <= 110
    assert min(season.corridas.values()) >= 1


def test_figures_outside_their_bounds_are_marked() -> None:
    empty = Season(
        {category: LidiaStatistics() for category in (1, 2, 3)}, Counter({"joselito": 120})
    )
    lines = {line.what: line for line in judge([empty], Mix.CONTRACTED)}
    assert not lines["ears per bull, 1st category"].inside
    assert not lines["BRONCA seen"].inside
    assert not lines["corridas of a season's leader"].inside
    assert not lines["rank correlation rating, ears"].inside


def test_rank_correlation_of_a_season_leaves_out_matadors_with_few_bulls() -> None:
    men = (MatadorSeason(60, 20, 2), MatadorSeason(70, 30, 9), MatadorSeason(90, 19, 0))
    season = Season({category: LidiaStatistics() for category in (1, 2, 3)}, Counter(), 0, men)
    assert season.rank_correlation() == pytest.approx(1)


@pytest.mark.slow
def test_all_figures_of_the_shipped_data_are_within_their_bounds() -> None:
    out = StringIO()
    call_command("calibrate", seasons=6, fights=60_000, stdout=out, no_color=True)
    text = out.getvalue()
    assert "All 49 figures lie inside." in text
    assert not [line for line in text.splitlines() if line.endswith("off")]


@pytest.mark.slow
def test_figures_under_other_rules_are_shown_but_not_judged() -> None:
    out = StringIO()
    call_command(
        *("calibrate", "--seasons", "1", "--mix", "uniform", "--no-color"),
        *("--rule", "bull_reading=next_card"),
        stdout=out,
    )
    assert "bull_reading next_card" in out.getvalue()
    assert "the bounds do not bind" in out.getvalue()


@pytest.mark.slow
def test_figures_outside_their_bounds_end_the_command_with_status_1(tmp_path: Path) -> None:
    folder = shutil.copytree(roster.DATA, tmp_path / "data")
    header, *lines = (folder / "cards.csv").read_text(encoding="utf-8").splitlines()
    warned = [",".join([*line.split(",")[:-2], "1-30", "-"]) for line in lines]
    (folder / "cards.csv").write_text("\n".join([header, *warned]), encoding="utf-8")
    out = StringIO()
    with pytest.raises(CommandError, match="figures lie outside") as caught:
        call_command("calibrate", seasons=1, mix="uniform", data=folder, stdout=out, no_color=True)
    assert caught.value.returncode == 1
    off = [line.split("  ")[1] for line in out.getvalue().splitlines() if line.endswith("off")]
    assert "at least one aviso, 1st category" in off
    assert "three avisos" in off
    assert "bulls spared" in off


@pytest.mark.slow
def test_matadors_alone_are_one_table(tmp_path: Path) -> None:
    out = StringIO()
    call_command("calibrate", "matadors", fights=30_000, stdout=out, no_color=True)
    text = out.getvalue()
    assert "50 matadors by their cards: 30000 fights" in text
    assert "seasons cast" not in text
    assert "All 13 figures lie inside." in text


@pytest.mark.slow
def test_choosers_are_compared_in_every_category() -> None:
    """A chooser who takes the best chances wins more ears than the market."""
    out = StringIO()
    call_command("calibrate", "choosers", fights=30_000, stdout=out, no_color=True)
    head, *lines = out.getvalue().splitlines()
    assert head == "Ears per bull of 200 corridas of each category"
    found = {line[:38].strip(): float(line[38:].split()[0]) for line in lines}
    assert len(found) == 9
    for ordinal in ORDINALS.values():
        market, ratings, chances = (found[f"{name}, {ordinal}"] for name in CHOOSERS)
        assert market < ratings
        assert market < chances


def test_choosers_choose_among_the_same_free_matadors() -> None:
    """The same arguments give the same figures. Two corridas of each category are enough here."""
    counts = sample_scores(TABLES.deck, Rules(), 600, SEED)

    def seed_of(label: object) -> Seed:
        return Seed(hashlib.sha256(f"{label}".encode()).digest())

    first, again = (
        compare_choosers(TABLES, Rules(), counts, seed_of, first_year=2026, corridas=2)
        for _round in range(2)
    )
    assert first == again
    assert {(line.chooser, line.category) for line in first} == {
        (chooser, category) for chooser in CHOOSERS for category in ORDINALS
    }
    assert all(0 <= line.ears <= 2 for line in first)


def test_unusable_data_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"deck.csv, line 1: the file is missing"):
        call_command("calibrate", data=tmp_path, stdout=StringIO())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seasons", "0"], "At least one season"),
        (["--fights", "0"], "At least one fight"),
        (["--rule", "shuffle=never"], "The option shuffle is one of each_bull, when_exhausted"),
        (["--rule", "colour=red"], "There is no option “colour”"),
    ],
)
def test_arguments_that_cannot_be_simulated_are_rejected(
    arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("calibrate", *arguments, stdout=StringIO())
