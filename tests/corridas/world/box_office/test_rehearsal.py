"""Pars of a season, from a rehearsal of its calendar by the market alone."""

import datetime as dt
from math import sqrt
from statistics import fmean

import pytest

from corridas.engine import RANGES, MatadorCard, Rules
from corridas.world.box_office import (
    DatedBill,
    Pars,
    expected,
    fee_share,
    rehearsal_seed,
    rehearse,
    standings_of,
)
from corridas.world.calendar import dates
from corridas.world.chances import ScoreCounts, outcomes, result_shares, sample_scores
from corridas.world.chances.outcomes import RESULTS
from corridas.world.contracts import OpenCorrida
from corridas.world.market import CurrentCard, Market
from corridas.world.roster import DATA, load
from fairness import Seed

ROSTER = load(DATA)
YEAR = 2031
CARDS = [ROSTER.cards[matador.slug] for matador in ROSTER.matadors]


@pytest.fixture(scope="module")
def counts() -> ScoreCounts:
    return sample_scores(ROSTER.deck, Rules(), 20_000, Seed(bytes(32)))


def market(cards: list[MatadorCard], form: str = "") -> Market:
    return Market({key: CurrentCard(key, key, form, card) for key, card in enumerate(cards)})


def calendar() -> list[DatedBill]:
    plazas = {plaza.slug: plaza for plaza in ROSTER.plazas}
    rows = {(entry.feria, entry.plaza): key for key, entry in enumerate(ROSTER.ferias)}
    return [
        DatedBill(
            held.date,
            OpenCorrida(
                place,
                plazas[held.plaza].category,
                plazas[held.plaza].continent,
                rows[held.feria, held.plaza],
            ),
        )
        for place, held in enumerate(dates(ROSTER.ferias, YEAR))
    ]


def test_shipped_circuit_has_the_documented_pars(counts: ScoreCounts) -> None:
    pars = rehearse(market(CARDS), calendar(), counts, rehearsal_seed(YEAR, "shipped"))
    documented = {
        1: Pars(draw=6_570, fee=418, seen=118, sd=106, unit=79),
        2: Pars(draw=5_980, fee=396, seen=177, sd=110, unit=83),
        3: Pars(draw=3_730, fee=371, seen=170, sd=113, unit=85),
    }
    assert pars.keys() == documented.keys()
    for category, usual in documented.items():
        found = pars[category]
        assert found.draw == pytest.approx(usual.draw, rel=0.08)
        assert found.fee == pytest.approx(usual.fee, rel=0.08)
        assert found.seen == pytest.approx(usual.seen, abs=12)
        assert found.sd == pytest.approx(usual.sd, abs=6)
        assert abs(4 * found.unit - 3 * found.sd) <= 4


def test_rehearsal_depends_on_its_seed_alone(counts: ScoreCounts) -> None:
    first, again, other = (
        rehearse(market(CARDS), calendar()[:60], counts, rehearsal_seed(YEAR, digest))
        for digest in ("a", "a", "b")
    )
    assert first == again != other
    assert rehearsal_seed(2031, "a").value != rehearsal_seed(2032, "a").value


def test_three_men_give_exact_pars(counts: ScoreCounts) -> None:
    """One cartel is possible, so every par can be computed by hand."""
    bills = [DatedBill(dt.date(YEAR, 6, 1), OpenCorrida(0, 2, "EU", 1))]
    men = CARDS[:3]
    standing = standings_of(market(men).candidates(bills[0].day))
    shows = [expected(card, 2, counts) for card in men]
    pars = rehearse(market(men), bills, counts, Seed(bytes(32)))[2]
    assert pars.fee == round(sum(fee_share(2, each) for each in standing.values()) / 10)
    assert pars.seen == round(fmean(each.mean for each in shows))
    assert pars.sd == round(sqrt(sum(each.variance for each in shows) / 18))


def test_second_day_of_a_feria_draws_less(counts: ScoreCounts) -> None:
    days = [dt.date(YEAR, 6, day) for day in (1, 11)]
    men = CARDS[:3]
    same = [DatedBill(day, OpenCorrida(n, 1, "EU", 7)) for n, day in enumerate(days)]
    apart = [DatedBill(day, OpenCorrida(n, 1, "EU", n)) for n, day in enumerate(days)]
    single = [DatedBill(day, OpenCorrida(n, 1, "EU", None)) for n, day in enumerate(days)]
    draws = [
        rehearse(market(men), bills, counts, Seed(bytes(32)))[1].draw
        for bills in (same, apart, single)
    ]
    assert draws[0] == pytest.approx(0.86 * draws[1], abs=2)
    assert draws[1] == draws[2]


def test_category_without_carteles_has_no_pars(counts: ScoreCounts) -> None:
    bills = [DatedBill(dt.date(YEAR, 6, 1), OpenCorrida(0, 2, "EU", 1))]
    assert rehearse(market(CARDS[:2]), bills, counts, Seed(bytes(32))) == {}
    assert rehearse(market(CARDS), [], counts, Seed(bytes(32))) == {}


def test_form_counts_for_the_standing() -> None:
    day = dt.date(YEAR, 6, 1)
    plain, hot = (standings_of(market(CARDS, form).candidates(day)) for form in ("", "R" * 10))
    assert {hot[key] - plain[key] for key in plain} == {16}
    assert (min(plain.values()), max(plain.values())) == (0, 100)


@pytest.mark.parametrize("category", [1, 2, 3])
def test_shares_of_verdicts_add_up_to_the_outcomes(counts: ScoreCounts, category: int) -> None:
    for card in CARDS:
        shares = outcomes(card, category, counts)
        verdicts = result_shares(card, category, counts)
        total = sum(each.share for each in verdicts) + shares.three_avisos
        assert total == pytest.approx(1)
        assert total == pytest.approx(sum(getattr(shares, name) for name in RESULTS))
        spared = sum(each.share for each in verdicts if each.spared)
        assert spared == pytest.approx(shares.indulto)
        laps = sum(each.share for each in verdicts if each.vuelta and not each.trophy)
        assert laps == pytest.approx(shares.vuelta_without_ear)


def test_card_with_one_verdict_shows_exactly_that(counts: ScoreCounts) -> None:
    ranges = {**dict.fromkeys(RANGES, "-"), "oreja": "1-100"}
    card = MatadorCard.parse("Uno", 50, None, ranges)
    shown = expected(card, 1, counts)
    assert shown.mean == pytest.approx(300)
    assert shown.seen == 300
    assert shown.variance == pytest.approx(0, abs=1e-6)


def test_lower_division_is_expected_to_show_more(counts: ScoreCounts) -> None:
    means = [fmean(expected(card, n, counts).mean for card in CARDS) for n in (1, 2, 3)]
    assert means[0] < means[1]
    assert means[0] < means[2]
