"""A season that is played, exported, verified and imported into another circuit is unchanged."""

import io
import zipfile

import pytest

from corridas import archive, notifications
from corridas.archive import Home, NotTaken, bundle
from corridas.circuits.operations import plan_season
from corridas.models import Bull, Cartel, Circuit, Corrida, Lidia, Matador, Puesto, Season
from corridas.simulation import verify
from corridas.simulation.draw import ceremonies
from corridas.simulation.post import rebuild
from corridas.simulation.schedule import plan
from corridas.simulation.winter import winter_over
from fairness import Seed
from tests.corridas.archive.conftest import DAYS, Elsewhere, end, file_of, found_origin
from tests.corridas.archive.golden import VERSION_1
from tests.corridas.archive.stored_rows import told_rows
from tests.corridas.simulation import world

pytestmark = pytest.mark.django_db


def take_in(data: bytes, slug: str = "taken", circuit: Circuit | None = None) -> Season:
    report = archive.verify(io.BytesIO(data))
    home = Home(slug=slug, name=report.name or "?", circuit=circuit)
    season = archive.take_in(report, home, at=world.NOW)
    return Season.objects.select_related("circuit", "winter").get(pk=season.pk)


def used(rows: dict[str, object]) -> dict[str, object]:
    """Return the rows that a season file contains.

    Plazas and cards without a corrida in the season are not exported.
    """
    return {
        name: held for name, held in rows.items() if name not in {"plazas", "cards", "corridas"}
    }


def test_an_exported_season_verifies_and_contains_corridas_that_ended_early(
    elsewhere: Elsewhere,
) -> None:
    report = archive.verify(io.BytesIO(elsewhere.whole[2026]))
    assert (report.refused, report.findings) == ("", [])
    assert report.stands
    assert not report.sealed
    told = report.data
    assert told
    assert len(told.days) == 5
    assert any(played.suspended for played in told.fought), "the fierce deck breaks corridas off"
    assert told.claimed["records"]
    assert told.claimed["escalafon"]


def test_an_imported_season_has_the_rows_of_the_original(elsewhere: Elsewhere) -> None:
    season = take_in(elsewhere.whole[2026])
    there, here = elsewhere.rows[2026], told_rows(season.circuit)
    for name in used(there):
        if name == "bulls":
            continue
        assert here[name] == there[name], name
    played = {row for row in there["corridas"] if row[3] in {"posted", "suspended"}}
    assert played <= set(here["corridas"])
    assert set(here["cards"]) <= set(there["cards"])
    assert season.circuit.roster == Circuit.Roster.IMPORTED
    assert not season.circuit.public


def test_exporting_an_imported_season_gives_the_same_hash_chain(elsewhere: Elsewhere) -> None:
    season = take_in(elsewhere.whole[2026])
    again = archive.verify(io.BytesIO(file_of(season)))
    assert again.stands
    assert again.head == elsewhere.heads[2026]


def test_a_season_file_without_potential_ratings_has_the_same_hash_chain(
    elsewhere: Elsewhere,
) -> None:
    report = archive.verify(io.BytesIO(elsewhere.public[2026]))
    assert report.stands
    assert report.sealed
    assert report.head == elsewhere.heads[2026]
    season = take_in(elsewhere.public[2026])
    assert not Matador.objects.filter(circuit=season.circuit, promise__isnull=False).exists()
    assert archive.verify(io.BytesIO(file_of(season))).head == elsewhere.heads[2026]
    assert verify.check_winter(season.winter) == ()


@pytest.mark.slow
def test_consecutive_seasons_can_be_imported_into_one_circuit(elsewhere: Elsewhere) -> None:
    circuit = take_in(elsewhere.whole[2026]).circuit
    second = take_in(elsewhere.whole[2027], circuit=circuit)
    assert second.circuit == circuit
    there, here = elsewhere.rows[2027], told_rows(circuit)
    for name in (
        "escalafon",
        "records",
        "palmares",
        "awards",
        "lidias",
        "injuries",
        "men",
        "herds",
    ):
        assert here[name] == there[name], name
    for season in Season.objects.filter(circuit=circuit).select_related("circuit", "winter"):
        assert archive.verify(io.BytesIO(file_of(season))).head == elsewhere.heads[season.year]


@pytest.mark.slow
def test_an_imported_season_verifies_against_its_commitments(elsewhere: Elsewhere) -> None:
    season = take_in(elsewhere.whole[2026])
    assert verify.check_winter(season.winter) == ()
    corridas = Corrida.objects.over().filter(season=season)
    for corrida in corridas.select_related("season", "plaza", "cartel__deck"):
        assert verify.check(corrida) == ()
    assert rebuild(season, write_rows=False) == []


def test_an_imported_circuit_can_be_continued(elsewhere: Elsewhere) -> None:
    season = take_in(elsewhere.whole[2026])
    Circuit.objects.filter(pk=season.circuit_id).update(
        calendar=[
            {"feria": "F", "plaza": "las-ventas", "starts": "03-01", "corridas": 1, "days": "daily"}
        ]
    )
    following = winter_over(season, at=world.NOW, fresh=zeroes, on_winter=notifications.winter_over)
    assert following.year == 2027
    end(Season.objects.select_related("circuit").get(pk=following.pk))
    assert archive.is_over(following)


def zeroes() -> Seed:
    return Seed(bytes(32))


def test_a_season_can_be_added_only_to_its_own_circuit_in_the_right_year(
    elsewhere: Elsewhere,
) -> None:
    second = take_in(elsewhere.whole[2027])
    with pytest.raises(NotTaken, match="must be 2028"):
        take_in(elsewhere.whole[2026], circuit=second.circuit)
    other = Circuit.objects.get(pk=second.circuit_id)
    other.promised_as = "somewhere-else"
    other.save()
    with pytest.raises(NotTaken, match="This season does not belong to the circuit from which"):
        take_in(elsewhere.whole[2026], circuit=other)
    assert Season.objects.count() == 1


def test_an_import_that_contradicts_the_circuit_stores_nothing(elsewhere: Elsewhere) -> None:
    circuit = take_in(elsewhere.whole[2026]).circuit
    man = circuit.matadors.filter(state="active").order_by("pk")[0]
    man.cards.filter(printing=1).update(rabo="1-2")
    man.cards.update(rating=1)
    before = Lidia.objects.count()
    with pytest.raises(NotTaken, match="differs from the one on this site"):
        take_in(elsewhere.whole[2027], circuit=circuit)
    assert Lidia.objects.count() == before
    assert circuit.seasons.count() == 1


def test_a_season_that_is_not_over_cannot_be_exported() -> None:
    season = found_origin().seasons.get()
    with pytest.raises(archive.NotOver):
        file_of(season)


def test_corridas_of_real_tables_and_sires_are_exported_and_imported() -> None:
    """The season has one corrida of a real table with every card and one with its result only.

    Some of its bulls were fathered by sires, which are bulls spared in an earlier season.
    """
    season = found_origin().seasons.get()
    for herd in season.circuit.herds.all():
        Bull.objects.create(
            ganaderia=herd, year=2020, number=1, name="Padre", coat="negro", weight=500,
            state=Bull.State.SEMENTAL,
        )  # fmt: skip
    end(season)
    first, second = Corrida.objects.over().filter(season=season)[:2]
    for corrida in (first, second):
        Corrida.objects.filter(pk=corrida.pk).update(origin=Corrida.Origin.TABLE)
        Cartel.objects.filter(pk=corrida.pk).update(seed=b"", commitment=b"")
    Lidia.objects.filter(corrida=second).update(draws=b"")
    data = file_of(Season.objects.select_related("circuit", "winter").get(pk=season.pk))
    report = archive.verify(io.BytesIO(data))
    assert (report.refused, report.findings) == ("", [])
    assert report.data
    assert report.data.sires
    taken = take_in(data)
    assert archive.verify(io.BytesIO(file_of(taken))).head == report.head
    there, here = told_rows(season.circuit), told_rows(taken.circuit)
    assert here["lidias"] == there["lidias"]
    assert [row for row in here["bulls"] if row[-2] != "None"] == [
        row for row in there["bulls"] if row[-2] != "None"
    ]


def test_a_season_file_from_before_winters_had_versions_still_verifies() -> None:
    data = VERSION_1.read_bytes()
    report = archive.verify(io.BytesIO(data))
    assert (report.refused, report.findings, report.sealed) == ("", [], False)
    season = take_in(data)
    assert season.winter.version == 1
    assert {one["date"] for one in season.winter.news if one["kind"] == "alternativa"} <= {
        *("2028-01-01", "2028-01-02", "2028-01-03"),
    }  # fmt: skip
    assert verify.check_winter(season.winter) == ()
    assert archive.verify(io.BytesIO(file_of(season))).head == report.head
    following = plan(season.circuit, 2028, (), seed=zeroes())
    assert ceremonies(following) == []
    assert following.winter.version == 2


def test_alternativas_agreed_in_an_imported_winter_take_place_in_the_next_season(
    elsewhere: Elsewhere,
) -> None:
    season = take_in(elsewhere.whole[2027])
    assert season.winter.version == 3
    agreed = [one for one in season.winter.news if one["kind"] == "alternativa"]
    assert agreed
    assert verify.check_winter(season.winter) == ()
    calendar = [entry._asdict() for entry in DAYS]
    Circuit.objects.filter(pk=season.circuit_id).update(calendar=calendar)
    circuit = Circuit.objects.get(pk=season.circuit_id)
    following = plan_season(circuit=circuit, year=2028)
    for one in agreed:
        here = Puesto.objects.filter(
            cartel__corrida__season=following, date=one["date"], matador__slug=one["slug"]
        )
        assert here.exists()


def test_a_winter_of_a_later_version_is_rejected(elsewhere: Elsewhere) -> None:
    inside = zipfile.ZipFile(io.BytesIO(elsewhere.whole[2026])).read(bundle.MEMBER)
    assert b'"version":3}' in inside
    later = inside.replace(b'"version":3}', b'"version":4}')
    assert not archive.verify(io.BytesIO(later)).stands
