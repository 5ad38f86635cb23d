"""Seasons and rosters of earlier rules for winters stay as they were: later rules change no byte.

`data/README.md` says how the files were made. If a test fails, do not make the files again: other
sites have published such files, and the commitments in them must be verifiable for ever.
"""

import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command

from corridas import archive
from corridas.archive import Home, bundle
from corridas.models import Corrida, Lidia, Season
from corridas.simulation import verify
from corridas.simulation.new_circuit import invented_company
from corridas.world.winter import load_lore
from fairness import Seed, canonical
from tests.corridas.archive.conftest import file_of
from tests.corridas.archive.damage import entries, packed, sealed, unpacked
from tests.corridas.archive.golden import NEXT, VERSION_1, VERSION_2, play, season_of
from tests.corridas.simulation import world

GOLDEN = [
    pytest.param(VERSION_1, id="version-1"),
    pytest.param(VERSION_2, id="version-2"),
    pytest.param(NEXT, id="version-2-next"),
]


def exports(season: Season, file: Path) -> bool:
    """Return whether the season is exported as this file, byte for byte.

    The first line of a file names the release that wrote it, so the same release is named again.
    """
    lines = unpacked(file.read_bytes())
    site = json.loads(lines[0])["site"]
    versions = {"SITE_VERSION": site["version"], "ENGINE_VERSION": site["engine"]}
    with mock.patch.multiple(bundle, **versions):
        return unpacked(file_of(season)) == lines


def take_in(data: bytes) -> Season:
    report = archive.verify(io.BytesIO(data))
    season = archive.take_in(report, Home(slug="taken", name=report.name), at=world.NOW)
    return Season.objects.select_related("circuit", "winter").get(pk=season.pk)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("file", GOLDEN)
def test_golden_season_verifies_and_is_the_same_when_exported_again(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify", str(file))
    assert "season file: Everything was calculated again" in capsys.readouterr().out
    data = file.read_bytes()
    report = archive.verify(io.BytesIO(data))
    assert (report.stands, report.findings, report.sealed) == (True, [], False)
    season = take_in(data)
    assert season.winter.version == (1 if file == VERSION_1 else 2)
    assert verify.check_winter(season.winter) == ()
    assert exports(season, file)


@pytest.mark.parametrize("file", GOLDEN[:2])
def test_golden_winter_has_debuts_an_alternativa_and_somebody_retired(file: Path) -> None:
    news = next(entry for entry in entries(file.read_bytes()) if entry["kind"] == "news")
    kinds = Counter(item["kind"] for item in news["news"])
    assert kinds["debut"] >= 2
    assert kinds["retired"]
    assert kinds["alternativa"]


def change_bull_points(told: list[dict[str, Any]]) -> None:
    corridas = [entry for entry in told if entry["kind"] == "corrida"]
    corridas[-1]["acta"]["lidias"][0]["result"]["bull_points"] ^= 1


def change_age_of_debut(told: list[dict[str, Any]]) -> None:
    news = next(entry for entry in told if entry["kind"] == "news")["news"]
    next(item for item in news if item["kind"] == "debut")["age"] ^= 1


def change_card_of_debut(told: list[dict[str, Any]]) -> None:
    news = next(entry for entry in told if entry["kind"] == "news")["news"]
    slug = next(item for item in news if item["kind"] == "debut")["slug"]
    cards = next(entry for entry in told if entry["kind"] == "cards")["cards"]
    next(card for card in cards if card["slug"] == slug)["rating"] ^= 1


@pytest.mark.slow
@pytest.mark.parametrize("file", GOLDEN)
@pytest.mark.parametrize("change", [change_bull_points, change_age_of_debut, change_card_of_debut])
def test_golden_season_with_one_changed_byte_fails_verification(
    file: Path, change: Callable[[list[dict[str, Any]]], None]
) -> None:
    """The hash chain is calculated again, so only playing the season again shows the change."""
    told = entries(file.read_bytes())
    before = packed(sealed(told))
    assert archive.verify(io.BytesIO(before)).stands
    change(told)
    after = packed(sealed(told))
    report = archive.verify(io.BytesIO(after))
    assert not report.stands
    assert report.findings


@pytest.mark.slow
def test_golden_circuit_goes_on_by_the_rules_of_its_version(played_on: None) -> None:
    """The fourth season and its winter are those that the code before version 3 played."""
    assert exports(season_of(2028), VERSION_2)
    following = play(season_of(2029))
    assert exports(season_of(2029), NEXT)
    assert following.winter.version == 2


@pytest.mark.slow
def test_golden_circuit_passes_revalidation_until_a_row_changes(played_on: None) -> None:
    seasons = [season_of(year) for year in (2026, 2027, 2028)]
    corridas = Corrida.objects.over().filter(season__in=seasons)
    corridas = corridas.select_related("season", "plaza", "cartel__deck")
    assert len(corridas) == 33
    assert {verify.check(corrida) for corrida in corridas} == {()}
    assert {verify.check_winter(season.winter) for season in seasons} == {()}
    lidia = Lidia.objects.filter(corrida=corridas[0]).exclude(score=None)[0]
    lidia.score = (lidia.score or 0) ^ 1
    lidia.save(update_fields=["score"])
    assert verify.check(corridas[0]) != ()
    winter = seasons[0].winter
    debut = next(item for item in winter.news if item["kind"] == "debut")
    debut["age"] ^= 1
    assert verify.check_winter(winter) != ()


def digest(document: object) -> str:
    return sha256(canonical(document)).hexdigest()


def test_winters_of_version_2_use_the_same_masters_in_every_release() -> None:
    """Masters are the cards from which the cards of new matadors are made."""
    lore = load_lore()
    styles = sorted(set(lore.styles))
    masters = {style: [card.to_json() for card in lore.masters(style)] for style in styles}
    assert sum(map(len, masters.values())) == 50
    assert digest(masters) == "d788159301f6797122bec8e4ea48d2d72ace722e2a4d00ec531e94e47cda8ce4"


def test_winters_of_version_2_use_the_same_names_and_towns_in_every_release() -> None:
    lore = load_lore()
    tables = {
        "styles": lore.styles,
        "never": sorted(lore.never),
        "names": [asdict(name) for name in lore.names],
        "places": [asdict(place) for place in lore.places],
    }
    assert digest(tables) == "437ce5a4f8855e30bd23065674234d388ee3120543cabc9735e7d967e435f7d2"


def test_rosters_of_version_2_are_invented_alike_in_every_release() -> None:
    words = "A las cinco de la tarde"
    invention = invented_company(words, Seed(sha256(words.encode()).digest()), 2026).invention
    assert invention is not None
    roster = invention.roster
    invented = {
        "matadors": [asdict(man) for man in roster.matadors],
        "cards": {slug: card.to_json() for slug, card in roster.cards.items()},
        "herds": [asdict(herd) for herd in roster.herds],
        "beginnings": {slug: begins._asdict() for slug, begins in invention.beginnings.items()},
    }
    assert len(roster.matadors) == 50
    assert digest(invented) == "f9b45b4c99b92f8f923e92418b4967825f8cb324f7a426fae46756fcc787db7e"
