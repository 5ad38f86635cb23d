"""A corrida at a real table is started, submitted, confirmed, filed once, and removed without a
trace.
"""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from corridas.engine import play_corrida
from corridas.models import (
    Award,
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Escalafon,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Plaza,
    Puesto,
    Record,
    Season,
    TableCorrida,
)
from corridas.simulation.draw import announce
from corridas.simulation.play import play_on_air
from corridas.simulation.post import rebuild
from corridas.tabletop import operations
from corridas.tabletop.lending import overdue
from corridas.tabletop.queries import years_at_tables
from corridas.tabletop.sheets.frame import read_frame
from leagues.exceptions import OperationError, SheetRefused
from leagues.matches.operations.corrections import correct_match, dispute_match, void_match
from leagues.matches.operations.matches import confirm, hand_in
from leagues.models import Match, Player
from leagues.players import new_player
from tests.corridas.simulation import world
from tests.corridas.simulation.test_posting_by_hand import by_hand, kept
from tests.corridas.tabletop.sheets.afternoon import figures
from tests.scratch import seeds

NOW = dt.datetime(2026, 6, 5, 20, 0, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
ROWS = (Award, Bull, Cartel, Corrida, Escalafon, Injury, Lidia, Palmares, Puesto, Record)


def person(name: str) -> Player:
    """Return a player with an account."""
    return new_player(name=name, at=NOW, user=User.objects.create(username=name))


class Afternoon:
    """A circuit that counts tables, its director, and two players at a table."""

    def __init__(self, circuit: str = "calm") -> None:
        self.season = Season.objects.select_related("circuit").get(circuit__slug=circuit)
        self.director = person("Directora")
        self.ana, self.beto = person("Ana"), person("Beto")
        Circuit.objects.filter(pk=self.season.circuit_id).update(
            owner=self.director.user, tables_count=True
        )
        self.season.circuit.refresh_from_db()

    def begin(self, *players: Player, date: dt.date = dt.date(2026, 6, 1)) -> Match:
        """Start a corrida outside the calendar."""
        circuit = self.season.circuit
        cards = MatadorCard.objects.filter(matador__circuit=circuit).order_by("matador", "pk")
        return operations.begin_table_corrida(
            players=players or (self.ana, self.beto),
            by=self.ana,
            plaza=Plaza.objects.filter(circuit=circuit, category=1)[0],
            date=date,
            matadors=list(cards[:3]),
            bulls=[{"name": f"Toro {turn}", "number": 20 + turn} for turn in range(6)],
            at=NOW,
            circuit=circuit,
            leads=[place % len(players or (0, 1)) for place in range(3)],
        )

    def give(self) -> Match:
        """Assign the first fixture of the season to the two players."""
        announce(self.season, until=dt.date(2026, 12, 31), fresh=seeds("give"))
        corrida = Corrida.objects.of_season(self.season)[0]
        assert self.director.user is not None
        return operations.give_fixture(
            corrida=corrida,
            director=self.director.user,
            players=(self.ana, self.beto),
            deadline=NOW + DAY,
            at=NOW,
            leads=(0, 1, 0),
        )


def random_content(match: Match, *, cards: bool = True, seed: str = "table") -> dict[str, Any]:
    """Return the sheet of a match, with random lidias for its six bulls."""
    circuit = TableCorrida.objects.get(match=match).circuit
    assert circuit is not None
    match.refresh_from_db()
    content = match.draft or (match.sheet.content if match.sheet else {})
    setup = read_frame(circuit.engine_rules(), circuit.deck.engine_deck(), content).setup
    assert setup is not None
    record = play_corrida(setup, seeds(seed)())
    lidias = [
        {"cards": list(one.draws)} if cards else {"sheet": figures(one)} for one in record.lidias
    ]
    return {**copy.deepcopy(content), "lidias": lidias}


def handed_in(match: Match, by: Player, content: Any, at: dt.datetime = NOW) -> Match:
    match.refresh_from_db()
    return hand_in(match=match, version=match.version, by=by, at=at, content=content)


def confirmed(match: Match, by: Player, at: dt.datetime = NOW) -> Match:
    match.refresh_from_db()
    return confirm(match=match, version=match.version, by=by, at=at)


def counts() -> dict[str, int]:
    """Return the number of rows in each table that filing a corrida writes."""
    return {model.__name__: model._default_manager.count() for model in ROWS}


def table_of(match: Match) -> TableCorrida:
    return TableCorrida.objects.select_related("corrida").get(match=match)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("cards", [True, False])
def test_confirmed_table_corrida_counts_once_and_is_marked(cards: bool) -> None:
    afternoon = Afternoon()
    match = afternoon.begin()
    sheet = random_content(match, cards=cards)
    handed_in(match, afternoon.ana, sheet)
    assert not Corrida.objects.filter(origin="table").exists()
    confirmed(match, afternoon.beto)
    table = table_of(match)
    assert table.corrida is not None
    assert (table.corrida.state, table.corrida.origin) == ("posted", "table")
    assert table.evidence == ("cards" if cards else "sheet")
    lidias = Lidia.objects.filter(corrida=table.corrida)
    assert [bool(bytes(one.draws)) for one in lidias] == [cards] * 6
    assert kept(afternoon.season) == by_hand(afternoon.season)
    assert kept(afternoon.season).total() > 0
    assert rebuild(afternoon.season, write_rows=False) == []
    men = Matador.objects.filter(puestos__cartel=table.corrida.pk)
    assert [years_at_tables(man) for man in men] == [{afternoon.season.year: 1}] * 3


@pytest.mark.usefixtures("rows")
def test_circuit_that_counts_no_tables_keeps_its_records() -> None:
    afternoon = Afternoon()
    Circuit.objects.update(tables_count=False)
    match = afternoon.begin()
    handed_in(match, afternoon.ana, random_content(match))
    before = counts()
    assert confirmed(match, afternoon.beto).state == "confirmed"
    assert counts() == before


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_disputed_table_corrida_is_removed_until_it_is_settled() -> None:
    afternoon = Afternoon()
    match = afternoon.begin()
    before = counts()
    forms = dict(Matador.objects.values_list("pk", "form"))
    handed_in(match, afternoon.ana, random_content(match))
    confirmed(match, afternoon.beto)
    match.refresh_from_db()
    dispute_match(match=match, version=match.version, by=afternoon.beto, at=NOW, reason="No")
    assert counts() == before
    assert dict(Matador.objects.values_list("pk", "form")) == forms
    assert table_of(match).corrida is None
    handed_in(match, afternoon.ana, random_content(match, seed="again"))
    confirmed(match, afternoon.beto)
    assert table_of(match).filed_at == NOW
    assert kept(afternoon.season) == by_hand(afternoon.season)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_director_corrects_and_voids_a_filed_table_corrida() -> None:
    afternoon = Afternoon()
    match = afternoon.begin()
    before = counts()
    handed_in(match, afternoon.ana, random_content(match))
    confirmed(match, afternoon.beto)
    first = [bytes(one.draws) for one in Lidia.objects.filter(corrida=table_of(match).corrida)]
    match.refresh_from_db()
    content = random_content(match, seed="corrected")
    correct_match(
        match=match, version=match.version, content=content, by=afternoon.director, at=NOW,
        reason="Misread",
    )  # fmt: skip
    rows = Lidia.objects.filter(corrida=table_of(match).corrida)
    assert [bytes(one.draws) for one in rows] != first
    assert kept(afternoon.season) == by_hand(afternoon.season)
    match.refresh_from_db()
    void_match(
        match=match, version=match.version, by=afternoon.director, at=NOW, reason="Not played"
    )
    assert counts() == before


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_corrida_of_a_single_player_is_confirmed_by_the_director() -> None:
    afternoon = Afternoon()
    match = afternoon.begin(afternoon.ana)
    handed_in(match, afternoon.ana, random_content(match))
    with pytest.raises(OperationError):
        confirmed(match, afternoon.ana)
    with pytest.raises(OperationError):
        confirmed(match, afternoon.beto)
    confirmed(match, afternoon.director)
    assert table_of(match).corrida is not None


@pytest.mark.usefixtures("rows")
def test_contradictory_sheet_cannot_be_submitted() -> None:
    afternoon = Afternoon()
    match = afternoon.begin()
    sheet = random_content(match)
    sheet["lidias"][2]["cards"].append(1)
    with pytest.raises(SheetRefused) as refused:
        handed_in(match, afternoon.ana, sheet)
    assert refused.value.judgement.objections[0].path.startswith("lidias/2/cards")


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_sheet_that_does_not_fit_the_circuit_cannot_be_confirmed() -> None:
    afternoon = Afternoon()
    match = afternoon.begin(date=dt.date(2031, 6, 1))
    handed_in(match, afternoon.ana, random_content(match))
    before = counts()
    with pytest.raises(OperationError, match="2031"):
        confirmed(match, afternoon.beto)
    match.refresh_from_db()
    assert match.state == "handed_in"
    assert counts() == before
    second = afternoon.begin()
    sheet = random_content(second)
    sheet["cartel"][0]["rating"] += 1
    handed_in(second, afternoon.ana, sheet)
    with pytest.raises(OperationError, match=sheet["cartel"][0]["name"]):
        confirmed(second, afternoon.beto)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_matador_cannot_fight_at_two_tables_on_one_day() -> None:
    afternoon = Afternoon()
    for match in (afternoon.begin(), afternoon.begin()):
        handed_in(match, afternoon.ana, random_content(match, seed=str(match.pk)))
        if TableCorrida.objects.exclude(filed_at=None).exists():
            with pytest.raises(OperationError, match="on that day"):
                confirmed(match, afternoon.beto)
        else:
            confirmed(match, afternoon.beto)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_assigned_fixture_is_fought_with_its_own_cartel() -> None:
    afternoon = Afternoon()
    match = afternoon.give()
    corrida = table_of(match).corrida
    assert corrida is not None
    assert corrida.state == "at_table"
    bound = bytes(corrida.cartel.seed), bytes(corrida.cartel.commitment)
    sheet = random_content(match)
    sheet["bulls"].reverse()  # the table draws its own lot
    handed_in(match, afternoon.ana, sheet)
    confirmed(match, afternoon.beto)
    corrida.refresh_from_db()
    assert (corrida.state, corrida.origin) == ("posted", "table")
    assert (bytes(corrida.cartel.seed), bytes(corrida.cartel.commitment)) == bound
    names = [lidia.bull.name for lidia in corrida.lidias.order_by("turn")]
    assert names == [bull["name"] for bull in sheet["bulls"]]
    assert kept(afternoon.season) == by_hand(afternoon.season)


@pytest.mark.usefixtures("rows")
def test_fixture_with_a_missed_deadline_is_played_from_its_seed() -> None:
    afternoon = Afternoon()
    match = afternoon.give()
    corrida = table_of(match).corrida
    assert corrida is not None
    bound = bytes(corrida.cartel.commitment)
    assert overdue(at=NOW, fresh=seeds("late")) == []
    assert overdue(at=NOW + DAY, fresh=seeds("late")) == [corrida.pk]
    corrida.refresh_from_db()
    assert corrida.state == "queued"
    assert bytes(corrida.cartel.commitment) == bound
    assert play_on_air(corrida.pk, at=NOW + DAY)
    handed_in(match, afternoon.ana, random_content(match), NOW + 2 * DAY)
    with pytest.raises(OperationError, match="returned to its season"):
        confirmed(match, afternoon.beto, NOW + 2 * DAY)


@pytest.mark.usefixtures("rows")
def test_sheet_submitted_in_time_may_wait_for_confirmation() -> None:
    afternoon = Afternoon()
    match = afternoon.give()
    handed_in(match, afternoon.ana, random_content(match))
    assert overdue(at=NOW + 2 * DAY, fresh=seeds("late")) == []
    assert len(overdue(at=NOW + 9 * DAY, fresh=seeds("late"))) == 1


@pytest.mark.usefixtures("rows")
def test_only_the_director_assigns_and_withdraws_fixtures() -> None:
    afternoon = Afternoon()
    match = afternoon.give()
    table = table_of(match)
    assert afternoon.ana.user is not None
    assert afternoon.director.user is not None
    with pytest.raises(OperationError):
        operations.take_fixture_back(table=table, director=afternoon.ana.user)
    operations.take_fixture_back(table=table, director=afternoon.director.user)
    assert Corrida.objects.filter(state="at_table").count() == 0
    with pytest.raises(OperationError):
        operations.take_fixture_back(table=table_of(match), director=afternoon.director.user)


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_corrida_whose_result_was_removed_is_assigned_to_its_table_again() -> None:
    afternoon = Afternoon("wild")
    match = afternoon.give()
    handed_in(match, afternoon.ana, random_content(match))
    before = counts()
    confirmed(match, afternoon.beto)
    match.refresh_from_db()
    dispute_match(match=match, version=match.version, by=afternoon.ana, at=NOW, reason="No")
    corrida = table_of(match).corrida
    assert corrida is not None
    assert (corrida.state, corrida.origin) == ("at_table", "here")
    assert counts() == before
    assert not Puesto.objects.exclude(injured_in=None).exists()
    assert not Bull.objects.exclude(state="campo").exists()
    assert world.wild().posted_version > 0
