"""Conditions for starting, assigning, extending, withdrawing and filing a corrida at a real
table.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import actas
from accounts.models import User
from corridas.archive.acta.writer import of_corrida
from corridas.engine import RANGES
from corridas.models import (
    Cartel,
    Circuit,
    Corrida,
    Ganaderia,
    Injury,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Run,
    Season,
    TableCorrida,
    Winter,
)
from corridas.simulation import breakdowns
from corridas.tabletop import operations
from corridas.tabletop.lending import overdue
from corridas.tabletop.operations import BOOK, deck_of, refusal
from leagues.exceptions import OperationError
from leagues.matches.operations.corrections import dispute_match
from leagues.matches.operations.matches import save_draft
from leagues.models import Match, Player
from leagues.players import player_of_user
from tests.corridas.tabletop.test_tables import (
    DAY,
    NOW,
    Afternoon,
    confirmed,
    counts,
    handed_in,
    random_content,
    table_of,
)
from tests.scratch import seeds

pytestmark = pytest.mark.usefixtures("rows")

TICK = dt.timedelta(microseconds=1)
JUNE = dt.date(2026, 6, 1)
ONE = dt.timedelta(days=1)


def refused(act: Callable[[], object]) -> str:
    """Return the message of a rejected operation, after checking that it wrote nothing."""
    before = counts(), Match.objects.count(), list(TableCorrida.objects.values_list())
    with pytest.raises(OperationError) as why:
        act()
    assert before == (counts(), Match.objects.count(), list(TableCorrida.objects.values_list()))
    return why.value.field or str(why.value)


def user_of(player: Player) -> User:
    """Return the account of a player who has one."""
    assert player.user is not None
    return player.user


@pytest.fixture
def afternoon() -> Afternoon:
    return Afternoon()


def asked(afternoon: Afternoon, **changed: Any) -> dict[str, Any]:
    """Return the arguments for starting a corrida outside the calendar."""
    circuit = afternoon.season.circuit
    cards = MatadorCard.objects.filter(matador__circuit=circuit).order_by("matador", "pk")
    given: dict[str, Any] = {
        "players": (afternoon.ana, afternoon.beto),
        "by": afternoon.ana,
        "plaza": Plaza.objects.filter(circuit=circuit, category=1)[0],
        "date": JUNE,
        "matadors": list(cards[:3]),
        "bulls": [{"name": f"Toro {turn}", "number": turn} for turn in range(6)],
        "at": NOW,
        "circuit": circuit,
        "leads": (0, 1, 0),
    }
    return given | changed


def test_table_corrida_needs_three_matadors_and_six_bulls(afternoon: Afternoon) -> None:
    given = asked(afternoon)
    one, two, three = given["matadors"]
    elsewhere = MatadorCard.objects.exclude(matador__circuit=afternoon.season.circuit)[0]
    begin = partial(operations.begin_table_corrida, **given)
    for cards in ([one, two], [one, two, two], [one, two, elsewhere], []):
        assert refused(partial(begin, matadors=cards)) == "matadors"
    for bulls in (given["bulls"][:5], [*given["bulls"], {"name": "Séptimo", "number": 7}]):
        assert refused(partial(begin, bulls=bulls)) == "bulls"
    assert refused(partial(begin, players=())) != ""
    match = begin()
    assert match.draft is not None
    assert (match.draft["date"], match.draft["plaza"]["rating"]) == ("2026-06-01", 1)
    assert match.draft["lidias"] == [{}] * 6
    assert [bull["number"] for bull in match.draft["bulls"]] == list(range(6))
    assert [row["rating"] for row in match.draft["cartel"]] == sorted(
        (card.engine_card().rating for card in (one, two, three)), reverse=True
    )
    table = table_of(match)
    assert (table.given, table.corrida, table.circuit) == (False, None, afternoon.season.circuit)


def test_players_lead_their_matadors_in_whatever_order_these_are_given(
    afternoon: Afternoon,
) -> None:
    given = asked(afternoon)
    names = [card.engine_card().name for card in given["matadors"]]
    # With two players, somebody must lead a second matador, but nobody was chosen.
    with pytest.raises(OperationError) as error:
        operations.begin_table_corrida(**{**given, "leads": None})
    assert (error.value.field, str(error.value)) == (
        "leads",
        "Choose who leads each matador: Ana or Beto.",
    )
    for cards, leads, expected in (
        (given["matadors"], (0, 1, 0), dict(zip(names, (0, 1, 0), strict=True))),
        (given["matadors"], (1, 0, 0), dict(zip(names, (1, 0, 0), strict=True))),
        (given["matadors"][::-1], (1, 0, 0), dict(zip(names, (0, 0, 1), strict=True))),
    ):
        match = operations.begin_table_corrida(**{**given, "matadors": cards, "leads": leads})
        assert match.draft is not None
        found = [row["name"] for row in match.draft["cartel"]]
        assert dict(zip(found, match.draft["leads"], strict=True)) == expected


def test_conditions_for_assigning_a_fixture_to_a_table(afternoon: Afternoon) -> None:
    match = afternoon.give()
    corrida, later = table_of(match).corrida, Corrida.objects.of_season(afternoon.season)[1]
    director, ana = user_of(afternoon.director), user_of(afternoon.ana)
    give = partial(
        operations.give_fixture, corrida=later, director=director, players=(afternoon.ana,), at=NOW
    )
    tomorrow = NOW + DAY
    assert refused(partial(give, deadline=NOW)) == "deadline"
    assert refused(partial(give, deadline=NOW - TICK)) == "deadline"
    assert refused(partial(give, deadline=tomorrow, players=())) == "players"
    assert "director" in refused(partial(give, deadline=tomorrow, director=ana))
    assert "announced" in refused(partial(give, deadline=tomorrow, corrida=corrida))
    for field in ("frozen_at", "archived_at"):
        Circuit.objects.update(**{field: NOW})
        assert "is paused" in refused(partial(give, deadline=tomorrow))
        Circuit.objects.update(**{field: None})
    later.refresh_from_db()
    assert later.state == Corrida.State.ANNOUNCED
    given = give(deadline=NOW + TICK)
    assert table_of(given).deadline == NOW + TICK
    assert "announced" in refused(partial(give, deadline=tomorrow))


def test_deadline_can_be_extended_only_before_it_has_passed(afternoon: Afternoon) -> None:
    match = afternoon.give()
    table, due = table_of(match), NOW + DAY
    director = user_of(afternoon.director)
    extend = partial(operations.extend_deadline, table=table, director=director, at=NOW)
    assert "later" in refused(partial(extend, deadline=due))
    assert "later" in refused(partial(extend, deadline=due - TICK))
    assert "director" in refused(
        partial(extend, deadline=due + DAY, director=user_of(afternoon.ana))
    )
    assert (
        "The deadline for this corrida has passed, so the corrida returns to its season."
        in refused(partial(extend, deadline=due + DAY, at=due))
    )
    extend(deadline=due + TICK, at=due - TICK)
    assert table_of(match).deadline == due + TICK
    handed_in(match, afternoon.ana, random_content(match))
    assert "already" in refused(partial(extend, deadline=due + DAY))
    operations.take_fixture_back(table=table_of(match), director=director)
    assert "has already been returned to its season" in refused(partial(extend, deadline=due + DAY))
    beside = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    for act in (
        partial(extend, table=table_of(beside), deadline=due + DAY),
        partial(operations.take_fixture_back, table=table_of(beside), director=director),
    ):
        assert "not assigned" in refused(act)


def test_fixture_is_overdue_a_week_later_if_its_sheet_was_submitted(
    afternoon: Afternoon,
) -> None:
    match, due = afternoon.give(), NOW + DAY
    key = table_of(match).corrida_id
    assert overdue(at=due - TICK, fresh=seeds("late")) == []
    handed_in(match, afternoon.ana, random_content(match), due)
    assert overdue(at=due + 7 * DAY - TICK, fresh=seeds("late")) == []
    assert overdue(at=due + 7 * DAY, fresh=seeds("late")) == [key]


@pytest.mark.slow
def test_sheet_submitted_after_the_deadline_does_not_extend_it(afternoon: Afternoon) -> None:
    match, due = afternoon.give(), NOW + DAY
    key = table_of(match).corrida_id
    handed_in(match, afternoon.ana, random_content(match), due + TICK)
    assert overdue(at=due + TICK, fresh=seeds("late")) == [key]


@pytest.mark.slow
def test_matadors_of_a_table_must_be_healthy_and_free_on_the_day(afternoon: Afternoon) -> None:
    """A matador is injured up to and on his last day of rest.

    Another corrida on the same day also counts.
    """
    match = afternoon.begin()
    handed_in(match, afternoon.ana, random_content(match))
    assert refusal(match.pk) == ""
    other = afternoon.give()
    corrida = table_of(other).corrida
    assert corrida is not None
    sheet = Match.objects.select_related("sheet").get(pk=match.pk).sheet
    assert sheet is not None
    name = sheet.content["cartel"][1]["name"]
    row = MatadorCard.objects.filter(matador__circuit=afternoon.season.circuit, matador__name=name)[
        0
    ]
    injury = Injury.objects.create(
        matador=row.matador, corrida=corrida, turn=1, grade="leve", since=JUNE, until=JUNE
    )
    one = dt.timedelta(days=1)
    for since, until, hurt in (
        (JUNE, JUNE, True),
        (JUNE - 9 * one, JUNE, True),
        (JUNE - 9 * one, JUNE - one, False),
        (JUNE + one, JUNE + 9 * one, False),
        (JUNE, JUNE + 9 * one, True),
    ):
        Injury.objects.filter(pk=injury.pk).update(since=since, until=until)
        assert ("is injured" in refusal(match.pk)) == hurt, (since, until)
    injury.delete()
    place = Puesto.objects.exclude(matador__name__in=[c["name"] for c in sheet.content["cartel"]])
    elsewhere = place[0]
    for date, billed in ((JUNE, True), (JUNE - one, False), (JUNE + one, False)):
        Puesto.objects.filter(pk=elsewhere.pk).update(date=date, matador=row.matador)
        assert ("is announced at another plaza on that day." in refusal(match.pk)) == billed, date


def with_namesakes(afternoon: Afternoon) -> tuple[Match, list[MatadorCard]]:
    """Create a corrida with two identical matadors, while a third identical one is not in it.

    The three share name, alternativa and card.
    """
    circuit = afternoon.season.circuit
    cards = MatadorCard.objects.filter(matador__circuit=circuit).order_by("matador", "pk")
    one, two, other, elsewhere = cards[:4]
    face = {name: getattr(one, name) for name in ("rating", *RANGES)}
    same = [two.pk, elsewhere.pk]
    MatadorCard.objects.filter(pk__in=same).update(**face)
    Matador.objects.filter(cards__in=same).update(
        name=one.matador.name, alternativa=one.matador.alternativa
    )
    met = list(MatadorCard.objects.filter(pk__in=[one.pk, two.pk, other.pk]))
    match = operations.begin_table_corrida(**asked(afternoon, matadors=met))
    handed_in(match, afternoon.ana, random_content(match))
    return match, [one, two, elsewhere]


@pytest.mark.slow
def test_result_with_identical_matadors_is_stored_for_those_on_the_cartel(
    afternoon: Afternoon,
) -> None:
    match, (one, two, elsewhere) = with_namesakes(afternoon)
    confirmed(match, afternoon.beto)
    corrida = table_of(match).corrida
    assert corrida is not None
    men = set(Puesto.objects.filter(cartel=corrida.pk).values_list("matador", flat=True))
    assert {one.matador_id, two.matador_id} < men
    assert elsewhere.matador_id not in men
    verdict = actas.check(of_corrida(corrida))
    assert (verdict.refused, verdict.differences) == ("", ())


@pytest.mark.slow
def test_injury_of_an_identical_matador_does_not_count_for_another(afternoon: Afternoon) -> None:
    match, (one, _two, elsewhere) = with_namesakes(afternoon)
    corrida = table_of(afternoon.give()).corrida
    assert corrida is not None
    injury = Injury.objects.create(
        matador=elsewhere.matador, corrida=corrida, turn=1, grade="leve", since=JUNE, until=JUNE
    )
    assert refusal(match.pk) == ""
    Injury.objects.filter(pk=injury.pk).update(matador=one.matador)
    assert "is injured" in refusal(match.pk)


def test_overdue_fixture_that_cannot_be_queued_fails(afternoon: Afternoon) -> None:
    match, due = afternoon.give(), NOW + DAY
    key = table_of(match).corrida_id
    MatadorCard.objects.filter(matador__circuit=afternoon.season.circuit).update(rabo="-")
    assert overdue(at=due, fresh=seeds("late")) == []
    assert key is not None
    corrida = Corrida.objects.get(pk=key)
    assert (corrida.state, corrida.error) == ("failed", breakdowns.INVALID)
    assert table_of(match).corrida is None


@pytest.mark.slow
def test_plaza_and_day_of_a_table_corrida_cannot_change(afternoon: Afternoon) -> None:
    match = afternoon.begin()
    sheet = random_content(match)
    other = Plaza.objects.filter(circuit=afternoon.season.circuit).exclude(category=1)[0]
    for changed in (
        {"date": "2026-06-02"},
        {"plaza": {"name": other.name, "rating": 1}},
        {"plaza": {**sheet["plaza"], "rating": 2}},
    ):
        handed_in(match, afternoon.ana, {**sheet, **changed})
        assert "The plaza and date are not those with which this corrida was started." in refusal(
            match.pk
        )
        assert "The plaza and date are not those with which this corrida was started." in refused(
            partial(confirmed, match, afternoon.beto)
        )
        assert (table_of(match).date, table_of(match).circuit) == (JUNE, afternoon.season.circuit)
    handed_in(match, afternoon.ana, sheet)
    assert refusal(match.pk) == ""
    confirmed(match, afternoon.beto)
    assert refusal(match.pk) == "", "it counts"
    again = afternoon.begin()
    handed_in(again, afternoon.ana, random_content(again))
    assert refusal(again.pk).startswith("There is already a corrida in ")
    assert refusal(again.pk).endswith("The director can assign it to your table.")


@pytest.mark.slow
def test_no_table_result_is_stored_or_removed_in_a_frozen_circuit(afternoon: Afternoon) -> None:
    match = afternoon.begin()
    handed_in(match, afternoon.ana, random_content(match))
    Circuit.objects.update(frozen_at=NOW)
    assert "is paused" in refused(partial(confirmed, match, afternoon.beto))
    Circuit.objects.update(frozen_at=None)
    run = Run.objects.create(
        season=afternoon.season,
        until=dt.date(2026, 12, 31),
        state=Run.State.RUNNING,
        asked_at=NOW,
    )
    assert "Corridas in this season are being played" in refused(
        partial(confirmed, match, afternoon.beto)
    )
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE)
    confirmed(match, afternoon.beto)
    match.refresh_from_db()
    Circuit.objects.update(archived_at=NOW)
    act = partial(
        dispute_match, match=match, version=match.version, by=afternoon.beto, at=NOW, reason="No"
    )
    assert "is paused" in refused(act)
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED


def test_plaza_of_a_table_corrida_is_read_from_its_sheet(afternoon: Afternoon) -> None:
    """A corrida for no circuit takes the plaza named by its sheet.

    A corrida for a circuit keeps the plaza with which it was started.
    """
    match = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    plaza = table_of(match).plaza
    assert plaza is not None

    def saved(**changed: Any) -> TableCorrida:
        match.refresh_from_db()
        assert match.draft is not None
        content = {**match.draft, **changed}
        save_draft(match=match, version=match.version, content=content, by=afternoon.ana)
        return table_of(match)

    assert saved(date="2026-06-09").date == dt.date(2026, 6, 9)
    other = Plaza.objects.filter(circuit=plaza.circuit).exclude(category=plaza.category)[0]
    there = {"name": other.name, "rating": other.category}
    assert saved(plaza=there).plaza == other
    for broken in (
        {"plaza": None},
        {"plaza": {**there, "rating": 4}},
        {"plaza": {**there, "name": 7}},
        {"date": "2026-13-01"},
        {"date": None},
    ):
        table = saved(**{"date": "2026-06-10", "plaza": there, **broken})
        assert (table.plaza, table.date) == (other, dt.date(2026, 6, 9))
    assert saved(date="2026-06-10", plaza={"name": "Nowhere", "rating": 1}).plaza is None


def test_director_of_the_circuit_manages_its_table_corridas(afternoon: Afternoon) -> None:
    match = afternoon.begin()
    assert BOOK.runs(match.pk, afternoon.director.person_id)
    assert not BOOK.runs(match.pk, afternoon.ana.person_id)
    free = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    assert not BOOK.runs(free.pk, afternoon.director.person_id)


def test_deck_of_a_sheet_is_found_by_its_digest(afternoon: Afternoon) -> None:
    deck = afternoon.season.circuit.deck
    found = deck_of({"deck": deck.digest})
    assert str(found) == deck.cards
    assert deck_of({}) is not None
    for digest in ("0" * 64, 7, ["x"]):
        assert deck_of({"deck": digest}) is None


def test_name_of_an_account_means_its_player(afternoon: Afternoon) -> None:
    names = ["ANA", " ", "", "Nobody yet"]
    found = operations.people_called(names=names, by=afternoon.beto, at=NOW)
    assert [player.name for player in found] == ["Ana", "Nobody yet"]
    assert found[0] == afternoon.ana
    assert found[1].is_guest


def test_spellings_of_a_name_mean_the_same_player(afternoon: Afternoon) -> None:
    user = User.objects.create(username="Ólga")
    olga = player_of_user(user, at=NOW)
    names = ["o\u0301lga", "\u202eANA\u202c", "Peña", "pen\u0303a\u200b"]
    found = operations.people_called(names=names, by=afternoon.beto, at=NOW)
    assert found[:2] == [olga, afternoon.ana]
    assert found[2] == found[3], "one guest, whom no corrida seats twice"
    assert found[2].name == "Peña"


def waiting(afternoon: Afternoon) -> Match:
    """Create a corrida outside the calendar, submitted and not yet confirmed."""
    match = afternoon.begin()
    return handed_in(match, afternoon.ana, random_content(match))


def test_table_result_is_stored_in_the_open_season_of_its_circuit_and_year(
    afternoon: Afternoon,
) -> None:
    """Another circuit has an open season of the same year throughout."""
    match, season = waiting(afternoon), Season.objects.filter(pk=afternoon.season.pk)
    assert Season.objects.exclude(pk=afternoon.season.pk).filter(year=JUNE.year).exists()
    assert refusal(match.pk) == ""
    for year, open_ in ((2025, False), (2027, False), (2026, True)):
        season.update(year=year)
        assert (refusal(match.pk) == "") == open_, year
    winter = {"seed": b"w", "commitment": b"w"}
    for done_at, open_ in ((None, True), (NOW, False)):
        Winter.objects.update_or_create(
            season=afternoon.season, defaults={**winter, "done_at": done_at}
        )
        assert (refusal(match.pk) == "") == open_, done_at
    assert "no open season in 2026" in refusal(match.pk)


@pytest.mark.slow
def test_sheet_conflicts_with_its_own_plaza_and_matadors_only(
    afternoon: Afternoon,
) -> None:
    """Corridas of that day in other plazas, with other matadors or in another circuit do not
    matter.
    """
    match, circuit = waiting(afternoon), afternoon.season.circuit
    plaza = table_of(match).plaza
    elsewhere = Plaza.objects.filter(circuit=circuit).exclude(pk=plaza.pk if plaza else 0)[0]
    corrida = Corrida.objects.create(season=afternoon.season, plaza=elsewhere, date=JUNE)
    assert refusal(match.pk) == "", "another plaza"
    for day, stands in ((JUNE - ONE, True), (JUNE, False), (JUNE + ONE, True)):
        Corrida.objects.filter(pk=corrida.pk).update(plaza=plaza, date=day)
        assert (refusal(match.pk) == "") == stands, day
    sheet = Match.objects.select_related("sheet").get(pk=match.pk).sheet
    assert sheet is not None
    names = [row["name"] for row in sheet.content["cartel"]]
    namesake = Matador.objects.exclude(circuit=circuit).filter(name__in=names)[0]
    other = Matador.objects.filter(circuit=circuit).exclude(name__in=names)[0]
    own = Matador.objects.filter(circuit=circuit, name__in=names)[0]
    herd = Ganaderia.objects.filter(circuit=circuit)[0]
    cartel = Cartel.objects.create(
        corrida=corrida, ganaderia=herd, deck=circuit.deck, seed=b"", commitment=b""
    )
    place = Puesto.objects.create(
        cartel=cartel, order=0, matador=own, card=own.cards.all()[0], date=JUNE
    )
    injury = Injury.objects.create(
        matador=other, corrida=corrida, turn=1, grade="leve", since=JUNE, until=JUNE
    )
    for matador, stands in ((own, False), (namesake, True), (other, True)):
        Puesto.objects.filter(pk=place.pk).update(matador=matador)
        assert ("is announced at another plaza on that day." not in refusal(match.pk)) == stands, (
            matador
        )
    for matador, stands in ((own, False), (namesake, True), (other, True)):
        Injury.objects.filter(pk=injury.pk).update(matador=matador)
        assert ("is injured" not in refusal(match.pk)) == stands, matador


def test_sheet_needs_the_rules_of_the_season_and_a_known_plaza(
    afternoon: Afternoon,
) -> None:
    match = waiting(afternoon)
    rules = afternoon.season.rules
    Circuit.objects.update(rules={"bull_reading": "next_card"})
    assert refusal(match.pk) == "", "the season is played as it was planned"
    Season.objects.update(rules={**rules, "bull_reading": "next_card"})
    assert "not valid under the rules of this circuit" in refusal(match.pk)
    assert "not valid under the rules of this circuit" in refused(
        partial(confirmed, match, afternoon.beto)
    )
    Season.objects.update(rules=rules)
    assert refusal(match.pk) == ""
    TableCorrida.objects.filter(match=match).update(plaza=None)
    assert "The plaza and date are not those with which this corrida was started." in refusal(
        match.pk
    )


def test_match_that_counts_in_no_circuit_can_always_be_confirmed(afternoon: Afternoon) -> None:
    """Such matches are one without a corrida, one of a club, and one in a circuit that does not
    count tables.
    """
    match = waiting(afternoon)
    Circuit.objects.update(frozen_at=NOW, tables_count=False)
    Season.objects.update(year=2031)
    assert refusal(match.pk) == ""
    TableCorrida.objects.update(circuit=None)
    assert refusal(match.pk) == ""
    confirmed(match, afternoon.beto)
    assert table_of(match).filed_at is None
    TableCorrida.objects.all().delete()
    assert refusal(match.pk) == ""


@pytest.mark.slow
def test_assigned_fixture_counts_even_if_the_circuit_counts_no_tables(afternoon: Afternoon) -> None:
    """The corrida belongs to its season, plaza and day until it is returned to the season."""
    match = afternoon.give()
    Circuit.objects.update(tables_count=False)
    Season.objects.update(year=2031)
    handed_in(match, afternoon.ana, random_content(match))
    corrida = table_of(match).corrida
    assert corrida is not None
    other = Plaza.objects.filter(circuit=afternoon.season.circuit).exclude(pk=corrida.plaza_id)[0]
    for moved in ({"date": corrida.date - 30 * ONE}, {"plaza": other}):
        Corrida.objects.filter(pk=corrida.pk).update(**moved)
        assert "The plaza and date are not those with which this corrida was started." in refusal(
            match.pk
        ), moved
        Corrida.objects.filter(pk=corrida.pk).update(date=corrida.date, plaza=corrida.plaza_id)
    assert refusal(match.pk) == ""
    confirmed(match, afternoon.beto)
    assert (table_of(match).filed_at, table_of(match).corrida) == (NOW, corrida)


def test_result_of_a_corrida_returned_to_the_season_cannot_be_stored(afternoon: Afternoon) -> None:
    match = afternoon.give()
    handed_in(match, afternoon.ana, random_content(match))
    table = table_of(match)
    operations.take_fixture_back(table=table, director=user_of(afternoon.director))
    assert "returned to its season" in refusal(match.pk)
    Season.objects.update(year=2031)
    assert "returned to its season" in refused(partial(confirmed, match, afternoon.beto))


def test_active_run_of_the_season_prevents_storing_a_table_result(afternoon: Afternoon) -> None:
    season = afternoon.season
    other = Season.objects.exclude(pk=season.pk)[0]
    run = Run.objects.create(season=other, until=JUNE, state=Run.State.RUNNING, asked_at=NOW)
    for at, state, held in (
        (other, Run.State.RUNNING, False),
        (season, Run.State.QUEUED, True),
        (season, Run.State.RUNNING, True),
        (season, Run.State.DONE, False),
        (season, Run.State.STOPPED, False),
        (season, Run.State.FAILED, False),
    ):
        Run.objects.filter(pk=run.pk).update(season=at, state=state)
        if held:
            assert "Corridas in this season are being played" in refused(
                partial(operations.check_circuit, season)
            )
        else:
            operations.check_circuit(season)
    circuits = Circuit.objects.exclude(pk=season.circuit_id)
    circuits.update(frozen_at=NOW, archived_at=NOW)
    operations.check_circuit(season)
    for field in ("frozen_at", "archived_at"):
        Circuit.objects.filter(pk=season.circuit_id).update(**{field: NOW})
        assert "is paused" in refused(partial(operations.check_circuit, season)), field
        Circuit.objects.filter(pk=season.circuit_id).update(**{field: None})


def test_plaza_of_a_table_corrida_stays_unless_its_scoresheet_names_another(
    afternoon: Afternoon,
) -> None:
    """Many circuits have plazas of the same name.

    A plaza that still fits is not searched for again.
    """
    match = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    plaza = table_of(match).plaza
    assert plaza is not None
    twin = Plaza.objects.filter(name=plaza.name).exclude(pk=plaza.pk)[0]
    second = Plaza.objects.create(
        circuit=plaza.circuit, slug="second", name=plaza.name, city="x", country="ES",
        continent="EU", category=2,
    )  # fmt: skip

    def saved(table: TableCorrida, rating: int) -> TableCorrida:
        table.save()
        match.refresh_from_db()
        assert match.draft is not None
        content = {**match.draft, "plaza": {"name": plaza.name, "rating": rating}}
        save_draft(match=match, version=match.version, content=content, by=afternoon.ana)
        return table_of(match)

    table = table_of(match)
    table.plaza = twin
    assert saved(table, 1).plaza == twin
    assert saved(table, 2).plaza == second
    table.plaza = None
    assert saved(table, 1).plaza is not None
    bystander = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    saved(table_of(match), 2)
    assert table_of(bystander).plaza == plaza


def test_result_of_a_table_corrida_is_stored_once_and_removed_once(afternoon: Afternoon) -> None:
    """The finished winter of another season does not prevent this."""
    match = waiting(afternoon)
    before = counts()
    for key in (match.pk, 0):
        BOOK.match_struck(key, at=NOW)
    BOOK.enter(0, at=NOW)
    assert counts() == before
    confirmed(match, afternoon.beto)
    filed, there = table_of(match), counts()
    assert there != before
    BOOK.enter(match.pk, at=NOW + DAY)
    assert (counts(), table_of(match).filed_at, table_of(match).corrida) == (
        there,
        NOW,
        filed.corrida,
    )
    other = Season.objects.exclude(pk=afternoon.season.pk)[0]
    winter = {"seed": b"w", "commitment": b"w", "done_at": NOW}
    Winter.objects.update_or_create(season=other, defaults=winter)
    BOOK.match_struck(match.pk, at=NOW)
    assert (counts(), table_of(match).filed_at) == (before, None)


@pytest.mark.parametrize("content", [[], "plaza", 7, {"plaza": ["Las Ventas", 1]}, {"plaza": "x"}])
def test_malformed_sheet_does_not_change_the_table_corrida(
    afternoon: Afternoon, content: Any
) -> None:
    match = operations.begin_table_corrida(**asked(afternoon, circuit=None))
    before = list(TableCorrida.objects.values_list())
    BOOK.sheet_saved(match.pk, content, person=afternoon.ana.pk)
    assert list(TableCorrida.objects.values_list()) == before
    assert deck_of(content) is not None, "the shipped one"
