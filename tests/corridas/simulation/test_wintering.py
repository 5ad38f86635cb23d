"""The winter's rules at their limits, the data that it collects of a season, and the rows that
it writes.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from corridas import notifications
from corridas.engine import MatadorCard as EngineCard
from corridas.models import Bull, Circuit, Escalafon, Ganaderia, Injury, Matador, Plaza, Winter
from corridas.models.escalafon import COUNTERS
from corridas.simulation.schedule import calendar_of, plan
from corridas.simulation.winter import Gathered, NotOverError, gather_year, spared, winter_over
from corridas.world.calendar import CalendarEntry
from corridas.world.winter import (
    Alternativa,
    Debut,
    HerdMove,
    HerdYear,
    Outcome,
    PrintedCard,
    Retired,
    Returned,
    Why,
)
from corridas.world.winter.ages import draw_beginning, due, share
from corridas.world.winter.form import _hurt, stepped
from corridas.world.winter.leaving import comes_back, leaves, reasons, usual_corridas
from corridas.world.winter.turning import _push, by_seniority, deeds, is_ready, moves
from fairness import Seed
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year, post
from tests.corridas.world.test_winter import career
from tests.scratch import seeds

SEEDS = [Seed(bytes([number]) * 32) for number in range(60)]


def rated(rating: int, **changes: Any) -> Any:
    return career(card=replace(career().card, rating=rating), **changes)


# Ages and ratings


@pytest.mark.parametrize(
    ("age", "percent"),
    [
        (10, 62), (16, 62), (17, 67), (26, 97), (27, 99), (28, 100), (33, 100), (34, 99), (35, 98),
        (45, 73), (46, 70), (55, 43), (56, 40), (57, 40), (90, 40),
    ],
)  # fmt: skip
def test_rating_due_at_an_age_is_a_share_of_the_potential(age: int, percent: int) -> None:
    assert share(age) == percent
    assert due(80, age) == 80 * percent


def test_initial_ages_and_potentials_are_within_their_limits() -> None:
    for rating in (1, 60, 99, 100):
        for seed in SEEDS[:20]:
            begins = draw_beginning("joselito", rating, seed)
            assert 20 <= begins.age <= 40
            assert rating <= begins.promise <= 100
    assert {draw_beginning("joselito", 100, seed).age for seed in SEEDS} <= set(range(28, 34))


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        (60, 68, 68), (60, 69, 68), (60, 52, 52), (60, 51, 52), (60, 60, 60),
        (95, 99, 99), (95, 100, 99), (25, 20, 20), (25, 19, 20),
    ],
)  # fmt: skip
def test_winter_changes_a_rating_by_eight_at_most_within_20_to_99(
    before: int, wanted: int, after: int
) -> None:
    assert stepped(before, wanted) == after


@pytest.mark.parametrize(
    ("days", "cost"), [(0, 0), (30, 0), (31, 2), (179, 298), (180, 300), (181, 300)]
)
def test_injury_of_more_than_a_month_lowers_the_rating(days: int, cost: int) -> None:
    assert _hurt(career(hurt_days=days)) == cost


def test_value_of_a_matadors_season_counts_ears_tails_indultos_and_vueltas() -> None:
    worth = {name: deeds(career(counts={name: 1})) for name in COUNTERS}
    assert {name: one for name, one in worth.items() if one} == {
        "ears": 2, "tails": 2, "indultos": 2, "vueltas": 1,
    }  # fmt: skip


# Retirements and comebacks


@pytest.mark.parametrize(
    ("why", "edges"),
    [
        (Why.AGE, [({"age": 29}, 0), ({"age": 30}, 3), ({"age": 39}, 300), ({"age": 46}, 867),
                   ({"age": 47}, 900), ({"age": 53}, 900), ({"age": 54}, 1000)]),
        (Why.INJURIES, [({"hurt_days": 40}, 0), ({"hurt_days": 50}, 1), ({"hurt_days": 100}, 6),
                        ({"age": 24, "hurt_days": 150}, 0), ({"age": 25, "hurt_days": 100}, 1)]),
        (Why.CONTRACTS, [({"seasons": 2}, 0), ({"seasons": 3}, 240),
                         ({"counts": {"corridas": 10}}, 80), ({"counts": {"corridas": 15}}, 0)]),
        (Why.DECLINE, [({"age": 28, "promise": 99}, 0), ({"age": 29, "promise": 66}, 0),
                       ({"age": 29, "promise": 67}, 6),
                       ({"age": 30, "seasons": 2, "promise": 99}, 0),
                       ({"age": 30, "seasons": 3, "promise": 99}, 198)]),
    ],
)  # fmt: skip
def test_reasons_to_retire_have_their_probabilities(
    why: Why, edges: list[tuple[dict[str, Any], int]]
) -> None:
    for changes, odds in edges:
        plain: dict[str, Any] = {"age": 30, "promise": 60, "seasons": 5, "counts": {}}
        assert reasons(rated(60, **plain | changes), 20)[why] == odds, changes


@pytest.mark.parametrize(("usual", "odds"), [(5, 0), (6, 240)])
def test_few_contracts_are_no_reason_to_retire_if_usual(usual: int, odds: int) -> None:
    assert reasons(rated(60, age=25, seasons=5, counts={}), usual)[Why.CONTRACTS] == odds


@pytest.mark.parametrize(
    ("rating", "age", "height"),
    [(87, 40, None), (88, 40, 8), (88, 30, 0), (88, 31, 8), (88, 54, None)],
)  # fmt: skip
def test_top_matador_may_retire_at_his_height(rating: int, age: int, height: int | None) -> None:
    found = reasons(rated(rating, age=age, promise=rating, seasons=5, counts={"corridas": 20}), 20)
    assert found.get(Why.HEIGHT) == height
    whole = 1000 if age == 54 else 3 * (age - 29) ** 2
    assert found[Why.AGE] == (whole if height is None else whole // 3)


def test_matador_of_54_always_retires() -> None:
    assert all(leaves(rated(60, age=54, seasons=1), 20, seed) for seed in SEEDS)
    assert not all(leaves(rated(60, age=53, seasons=1), 20, seed) for seed in SEEDS)


@pytest.mark.parametrize(
    ("retired_for", "age", "may"),
    [(0, 30, False), (1, 30, True), (3, 44, True), (4, 30, False), (3, 45, False)],
)
def test_comeback_is_possible_within_limits_of_years_and_age(
    retired_for: int, age: int, may: bool
) -> None:
    man = rated(99, state="retired", retired_for=retired_for, age=age)
    seeds_of = [Seed(bytes([one, two]) * 16) for one in range(12) for two in range(12)]
    assert any(comes_back(man, seed) for seed in seeds_of) is may


@pytest.mark.parametrize(
    ("corridas", "usual"), [([], 0), ([7], 7), ([1, 9], 9), ([9, 1, 5], 5), ([1, 2, 3, 4], 3)]
)
def test_usual_number_of_corridas_is_the_median(corridas: list[int], usual: int) -> None:
    assert usual_corridas({str(place): count for place, count in enumerate(corridas)}) == usual


# Alternativas


@pytest.mark.parametrize(
    ("age", "seasons", "rating", "every", "some"),
    [
        (16, 3, 99, False, False),
        (17, 3, 40, True, True),
        (17, 4, 40, True, True),
        (20, 2, 61, False, True),
        (20, 1, 61, False, True),
        (20, 1, 62, True, True),
        (20, 0, 61, False, True),
    ],
)
def test_novillero_is_ready_by_rating_age_and_seasons(
    age: int, seasons: int, rating: int, every: bool, some: bool
) -> None:
    man = rated(rating, state="novillero", age=age, seasons=seasons)
    told = [is_ready(man, seed) for seed in SEEDS]
    assert (all(told), any(told)) == (every, some)


def test_seniority_is_by_seasons_then_alternativa_then_slug() -> None:
    def man(slug: str, seasons: int, day: dt.date | None) -> Any:
        return career(slug, seasons=seasons, card=replace(career().card, alternativa=day))

    first, second = dt.date(2000, 1, 1), dt.date(2001, 1, 1)
    order = [
        man("z", 3, None), man("y", 2, first), man("a", 2, second), man("b", 2, second),
        man("c", 2, None), man("d", 1, first),
    ]  # fmt: skip
    assert by_seniority(order[::-1]) == order


# Herds of bulls


def herd(slug: str, renown: int, bulls: int = 12, **brought: int) -> HerdYear:
    return HerdYear(slug=slug, country="ES", continent="EU", renown=renown, bulls=bulls, **brought)


def test_best_and_worst_of_eight_herds_change_their_renown() -> None:
    assert [_push(eighth) for eighth in range(8)] == [-2, -1, 0, 0, 0, 0, 1, 2]
    herds = [herd(f"h{place}", place, ears=place) for place in range(8)]
    after = {one.slug: one.after for one in moves(herds)}
    assert after == {"h0": 2, "h2": 0, "h5": 6, "h6": 5} | after


@pytest.mark.parametrize(("bulls", "moved"), [(11, False), (12, True)])
def test_herd_with_few_bulls_keeps_its_renown(bulls: int, moved: bool) -> None:
    herds = [herd("c", 0, bulls, three_avisos=5), herd("a", 1, ears=9), herd("b", 2, ears=9)]
    assert ("c" in {one.slug for one in moves(herds)}) is moved


@pytest.mark.parametrize(
    ("best", "next_best"),
    [
        ({"ears": 2}, {"ears": 1}),
        ({"vueltas": 2}, {"ears": 1}),
        ({"indultos": 1}, {"ears": 3}),
        ({"ears": 4, "three_avisos": 1}, {"ears": 1}),
        ({"ears": 2}, {"ears": 4, "three_avisos": 2}),
    ],
)
def test_herd_with_the_worse_bulls_loses_renown(
    best: dict[str, int], next_best: dict[str, int]
) -> None:
    herds = [herd("next", 0, **next_best), herd("best", 1, **best)]
    after = {one.slug: one.after for one in moves(herds)}
    assert after["best"] == 0


# Data collected of a season


def gathered(world: World) -> Gathered:
    return gather_year(world.season, Seed(bytes(32)))


def test_counters_of_all_categories_of_a_season_are_added_up(mine: World, other: World) -> None:
    one = mine.matadors[0]
    for category, factor in ((1, 1), (3, 10)):
        Escalafon.objects.create(
            season=mine.season, matador=one, category=category,
            **{name: factor * place for place, name in enumerate(COUNTERS, start=1)},
        )  # fmt: skip
    wild = dict.fromkeys(COUNTERS, 99)
    Escalafon.objects.create(season=in_year(mine, 2026).season, matador=one, category=1, **wild)
    Escalafon.objects.create(season=other.season, matador=other.matadors[0], category=1, **wild)
    men = {man.slug: man for man in gathered(mine).year.careers}
    assert men["matador-0"].counts == {
        name: 11 * place for place, name in enumerate(COUNTERS, start=1)
    }
    assert men["matador-1"].counts == {}


def test_injury_days_are_counted_with_their_first_and_last_day(mine: World, other: World) -> None:
    late = in_year(mine, 2026)
    for world, day, state, since, until in (
        (mine, 2, "posted", 2, 4),
        (mine, 10, "suspended", 10, 10),
        (mine, 20, "on_air", 20, 28),
        (late, 2, "posted", 2, 28),
        (other, 2, "posted", 2, 28),
    ):
        corrida = fight(world, world.announce(day_of(world, day)), state=state)
        Injury.objects.create(
            matador=world.matadors[0], corrida=corrida, turn=1, grade="leve",
            since=day_of(world, since), until=day_of(world, until),
        )  # fmt: skip
    men = {man.slug: man for man in gathered(mine).year.careers}
    assert (men["matador-0"].hurt_days, men["matador-1"].hurt_days) == (3 + 1, 0)


def test_career_of_a_matador_is_read_from_his_row(mine: World) -> None:
    one, two, three, _ = mine.matadors
    rows = Matador.objects
    rows.filter(pk=one.pk).update(counted_from=2000, promise=91, seasons=4, form="1R", country="MX")
    rows.filter(pk=two.pk).update(counted_from=2010, promise=70, seasons=4, state="novillero")
    rows.filter(pk=three.pk).update(
        counted_from=1990, promise=70, seasons=9, state="retired", retired_in=2025
    )
    Escalafon.objects.create(season=mine.season, matador=one, category=1, corridas=1)
    one.cards.create(printing=2, rating=77, since=2027, ovacion="1-100")
    told = gathered(mine)
    men = {man.slug: man for man in told.year.careers}
    first = men["matador-0"]
    assert (first.age, first.promise, first.seasons, first.form) == (27, 91, 5, "1R")
    assert (first.country, first.card.rating, told.printing("matador-0")) == ("MX", 77, 2)
    assert (men["matador-1"].age, men["matador-1"].seasons) == (17, 5)
    third = men["matador-2"]
    assert (third.seasons, third.retired_for, third.state) == (9, 2, "retired")
    settled = draw_beginning("matador-3", 87, Seed(bytes(32)))
    assert (men["matador-3"].age, men["matador-3"].promise) == settled
    assert (men["matador-3"].seasons, men["matador-3"].retired_for) == (0, 0)


@pytest.mark.parametrize(
    ("state", "retired_in", "in_reach"),
    [
        ("retired", 2027, True),
        ("retired", 2024, True),
        ("retired", 2023, False),
        ("retired", None, False),
        ("active", None, True),
        ("novillero", None, True),
    ],
)
def test_matador_retired_for_more_than_three_years_cannot_come_back(
    mine: World, state: str, retired_in: int | None, in_reach: bool
) -> None:
    own = Matador.objects.filter(pk=mine.matadors[0].pk)
    own.update(state=state, retired_in=retired_in, apodo="Apodo")
    year = gathered(mine).year
    assert ("matador-0" in {man.slug for man in year.careers}) is in_reach
    gone = {"matador-0", "Pedro Romero"}
    assert set(year.taken) == {"Apodo"} | (set() if in_reach else gone)


def test_herd_has_the_results_of_its_bulls_in_the_year(mine: World, other: World) -> None:
    post(
        mine, day_of(mine, 2), {"trophy": 1}, {"trophy": 2}, {"trophy": 3, "ending": "spared"},
        {"vuelta": True}, {"ending": "three_avisos", "avisos": 3},
    )  # fmt: skip
    post(in_year(mine, 2026), dt.date(2026, 3, 2), *[{"trophy": 3}] * 6)
    post(other, day_of(other, 2), *[{"trophy": 3}] * 6)
    fight(mine, mine.announce(day_of(mine, 5)), *[{"trophy": 3}] * 6)
    for slug, gone in (("idle", None), ("gone", NOW)):
        Ganaderia.objects.create(
            circuit=mine.circuit, slug=slug, name=slug, country="MX", continent="AM", renown=5,
            archived_at=gone,
        )  # fmt: skip
    brought = {"bulls": 6, "ears": 5, "indultos": 1, "vueltas": 1, "three_avisos": 1}
    assert gathered(mine).year.herds == (
        HerdYear(slug="mayalde", country="ES", continent="EU", renown=0, **brought),
        HerdYear(slug="idle", country="MX", continent="AM", renown=5),
    )


def test_alternativas_take_place_in_plazas_of_the_first_category(mine: World) -> None:
    mine.plazas[0].pk, mine.plazas[0].slug = None, "cerrada"
    mine.plazas[0].archived_at = NOW
    mine.plazas[0].save()
    assert gathered(mine).year.plazas == ("ronda",)


# Rows that the winter writes


@pytest.fixture
def ended(mine: World, other: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return a season that is over, and a winter whose outcome is fixed by the test."""
    _, two, three, four = mine.matadors
    Matador.objects.filter(pk=two.pk).update(state="retired", retired_in=2026, seasons=8)
    Matador.objects.filter(pk=three.pk).update(state="novillero", seasons=2)
    Matador.objects.filter(pk=four.pk).update(seasons=6)
    extra = Matador.objects.create(circuit=mine.circuit, slug="older", name="Viejo", seasons=3,
                                   state="retired", retired_in=2025)  # fmt: skip
    extra.cards.create(rating=50, ovacion="1-100")
    Escalafon.objects.create(season=mine.season, matador=four, category=1, corridas=3)
    for world in (mine, other):
        Winter.objects.create(season=world.season, seed=b"s" * 32, commitment=b"c" * 32)
    monkeypatch.setattr("corridas.simulation.winter.winter", lambda year, seed: outcome(year))
    return mine


def outcome(year: Any) -> Outcome:
    cards: dict[str, EngineCard] = {man.slug: man.card for man in year.careers}
    card = replace(cards["matador-3"], rating=80)
    return Outcome(
        printed=(PrintedCard(slug="matador-3", card=card, before=87),),
        retired=(Retired(slug="matador-0", why=Why.AGE),),
        returned=(Returned(slug="matador-1"),),
        alternativas=(
            Alternativa(slug="matador-2", padrino="matador-3", testigo="matador-1", plaza="ronda",
                        date=dt.date(2028, 1, 2)),
        ),
        debuts=(
            Debut(slug="nuevo", name="Nuevo", apodo="El Niño", country="MX", birthplace="Puebla",
                  born=dt.date(2009, 5, 6), age=18, promise=77, style="clásico", card=card),
        ),
        herds=(HerdMove(slug="mayalde", before=0, after=4),),
    )  # fmt: skip


def test_winter_writes_its_outcome_for_matadors_and_herds(ended: World, other: World) -> None:
    following = winter_over(
        ended.season, at=NOW, fresh=seeds("ended"), on_winter=notifications.winter_over
    )
    assert (following.year, following.circuit) == (2028, ended.circuit)
    names = ("state", "retired_in", "seasons", "alternativa", "alternativa_place")
    rows = {row[0]: row[1:] for row in ended.circuit.matadors.values_list("slug", *names)}
    assert rows == {
        "matador-0": ("retired", 2027, 0, None, ""),
        "matador-1": ("active", None, 8, None, ""),
        "matador-2": ("active", None, 0, dt.date(2028, 1, 2), "Ronda"),
        "matador-3": ("active", None, 7, None, ""),
        "older": ("retired", 2025, 3, None, ""),
        "nuevo": ("novillero", None, 0, None, ""),
    }
    by_slug = {matador.slug: matador for matador in ended.circuit.matadors.all()}
    made = by_slug["matador-2"]
    assert (made.padrino, made.testigo) == (by_slug["matador-3"], by_slug["matador-1"])
    new = by_slug["nuevo"]
    assert (new.counted_from, new.promise, new.fictional, new.born) == (
        2009,
        77,
        True,
        "2009-05-06",
    )
    assert (new.name, new.apodo, new.country, new.birthplace) == (
        *("Nuevo", "El Niño", "MX", "Puebla"),
    )  # fmt: skip
    assert list(new.cards.values_list("printing", "rating", "since")) == [(1, 80, 2028)]
    cards = by_slug["matador-3"].cards.order_by("printing")
    assert list(cards.values_list("printing", "rating", "since")) == [(1, 87, None), (2, 80, 2028)]
    assert by_slug["matador-0"].cards.count() == 1
    assert Ganaderia.objects.get(pk=ended.herd.pk).renown == 4
    done = dict(Winter.objects.values_list("season", "done_at"))
    assert done == {ended.season.pk: NOW, other.season.pk: None, following.pk: None}
    ended.season.refresh_from_db()
    other.season.refresh_from_db()
    assert (ended.season.posted_version, other.season.posted_version) == (1, 0)
    assert Ganaderia.objects.get(pk=other.herd.pk).renown == 0
    assert set(other.circuit.matadors.values_list("state", "seasons")) == {("active", 0)}


def test_second_call_returns_the_season_after_the_played_winter(ended: World) -> None:
    following = winter_over(
        ended.season, at=NOW, fresh=seeds("once"), on_winter=notifications.winter_over
    )
    again = winter_over(
        ended.season,
        at=NOW + dt.timedelta(1),
        fresh=seeds("once"),
        on_winter=notifications.winter_over,
    )
    assert again == following
    assert ended.circuit.matadors.filter(slug="nuevo").count() == 1
    assert Winter.objects.get(season=ended.season).done_at == NOW


@pytest.mark.parametrize("what", ["waiting", "failed", "frozen", "archived"])
def test_season_with_unfinished_corridas_has_no_winter(ended: World, what: str) -> None:
    corrida = ended.announce(day_of(ended, 2))
    if what == "failed":
        corrida.state = "failed"
        corrida.save()
    elif what != "waiting":
        corrida.delete()
        Circuit.objects.filter(pk=ended.circuit.pk).update(**{f"{what}_at": NOW})
    with pytest.raises(NotOverError):
        winter_over(
            ended.season, at=NOW, fresh=seeds("not over"), on_winter=notifications.winter_over
        )
    assert Winter.objects.get(season=ended.season).done_at is None
    if what == "failed":
        assert (
            winter_over(
                ended.season,
                at=NOW,
                fresh=seeds("x"),
                leave_failed=True,
                on_winter=notifications.winter_over,
            ).year
            == 2028
        )


def test_new_sires_are_the_bulls_spared_in_the_season(mine: World, other: World) -> None:
    for world, year, number, state in (
        (mine, 2027, 2, "semental"), (mine, 2027, 1, "semental"), (mine, 2026, 3, "semental"),
        (mine, 2027, 4, "muerto"), (other, 2027, 5, "semental"),
    ):  # fmt: skip
        Bull.objects.create(
            ganaderia=world.herd, year=year, number=number, name="X", coat="negro", weight=500,
            state=state,
        )  # fmt: skip
    assert [one["number"] for one in spared(mine.season)] == [1, 2]


# Planning a season


def test_season_is_planned_with_plazas_of_its_circuit(mine: World, other: World) -> None:
    entries = [
        CalendarEntry("Feria Grande", "ronda", "05-01", 2, "daily"),
        CalendarEntry("Corrida suelta", "arles", "06-01", 1, "daily"),
    ]
    season = plan(mine.circuit, 2030, entries, seed=Seed(bytes(32)))
    rows = season.corridas.values_list("plaza", "date", "feria__slug", "state", "attempts")
    ronda, arles = (plaza.pk for plaza in mine.plazas)
    assert list(rows) == [
        (ronda, dt.date(2030, 5, 1), "feria-grande-ronda", "announced", 0),
        (ronda, dt.date(2030, 5, 2), "feria-grande-ronda", "announced", 0),
        (arles, dt.date(2030, 6, 1), None, "announced", 0),
    ]
    (feria,) = season.ferias.all()
    assert (feria.starts, feria.ends) == (dt.date(2030, 5, 1), dt.date(2030, 5, 2))
    assert season.winter.done_at is None
    assert season.rules == mine.circuit.engine_rules().options()


def test_calendar_leaves_out_archived_and_unknown_plazas(mine: World, other: World) -> None:
    calendar = [["A", "ronda", "05-01", 2, "daily"], {
        "feria": "B", "plaza": "arles", "starts": "06-01", "corridas": "1", "days": "daily",
    }, ["C", "nada", "05-01", 1, "daily"]]  # fmt: skip
    mine.circuit.calendar = calendar
    assert [entry.feria for entry in calendar_of(mine.circuit)] == ["A", "B"]
    assert calendar_of(mine.circuit)[1] == CalendarEntry("B", "arles", "06-01", 1, "daily")
    Plaza.objects.filter(circuit=mine.circuit, slug="arles").update(archived_at=NOW)
    Plaza.objects.filter(circuit=other.circuit, slug="ronda").update(slug="nada")
    assert [entry.feria for entry in calendar_of(mine.circuit)] == ["A"]
