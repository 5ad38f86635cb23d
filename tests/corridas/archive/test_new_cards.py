"""A circuit of version 2 is upgraded, all its cards are printed again, and it is played on."""

from __future__ import annotations

import io
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from corridas import archive
from corridas.archive import Home
from corridas.engine import RANGES
from corridas.models import Circuit, MatadorCard, Season
from corridas.roster.new_cards import print_new_cards
from corridas.simulation import verify
from corridas.simulation.rows import printed_card
from corridas.world.winter.new_cards import converted
from tests.corridas.archive.conftest import file_of
from tests.corridas.archive.damage import entries, packed, sealed
from tests.corridas.archive.golden import NEXT, SLUG, VERSION_1, VERSION_2, play, season_of
from tests.corridas.simulation import world

Entries = list[dict[str, Any]]


def rows(told: Entries, kind: str) -> list[dict[str, Any]]:
    return [row for entry in told if entry["kind"] == kind for row in entry[kind]]


def only(told: Entries, kind: str) -> dict[str, Any]:
    return next(entry for entry in told if entry["kind"] == kind)


def unlinked(told: Entries) -> Entries:
    """Return entries without the hash chain, the header and what depends on the new cards."""
    own = {"header", "cards", "winter", "seal"}
    kept = [entry for entry in told if entry["kind"] not in own]
    return [
        {name: value for name, value in entry.items() if name not in ("n", "before")}
        for entry in kept
    ]


def converted_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a card in a season file, converted."""
    ranges = tuple(row["ranges"][name] for name in RANGES)
    card = printed_card("x", "X", row["rating"], None, ranges)
    return {**row, "ranges": converted(card).ranges()}


def take_in(data: bytes, home: Home) -> Season:
    season = archive.take_in(archive.verify(io.BytesIO(data)), home, at=world.NOW)
    return Season.objects.select_related("circuit", "winter").get(pk=season.pk)


def differences(name: str) -> str:
    out = StringIO()
    call_command(*name.split(), stdout=out)
    return out.getvalue()


@pytest.mark.slow
def test_golden_circuit_gets_new_cards_after_a_winter_of_version_2(played_on: None) -> None:
    """The winter is the one that version 2 promised; only the cards after it are others."""
    circuit = Circuit.objects.get(slug=SLUG)
    assert circuit.cards_version == 2  # a row from before the column existed
    keeper = User.objects.create_superuser("keeper")
    assert print_new_cards(circuit=circuit, by=keeper, at=world.NOW).year == 2029

    following = play(season_of(2029))
    season = season_of(2029)
    assert season.winter.version == 2
    assert following.winter.version == 3
    assert Circuit.objects.get(slug=SLUG).cards_version == 3

    usual = entries(NEXT.read_bytes())
    file = file_of(season)
    told = entries(file)
    assert unlinked(told) == unlinked(usual)
    assert only(told, "winter")["new_cards_at"] == world.NOW.isoformat()
    assert only(told, "winter").keys() == only(usual, "winter").keys() | {"new_cards_at"}
    cards = {row["slug"]: row for row in rows(told, "cards")}
    before = {row["slug"]: row["cards"][-1] for row in rows(told, "matadors")}
    printed = {row["slug"]: row for row in rows(usual, "cards")}
    assert cards.keys() == {row["slug"] for row in (*rows(told, "careers"), *rows(told, "debuts"))}
    for slug, row in cards.items():
        old = before.get(slug, {"printing": 0})
        expected = converted_row(printed.get(slug, {**old, "slug": slug}))
        assert row == {**expected, "printing": old["printing"] + 1, "since": 2030}

    played = season_of(2030)
    last = play(played)
    assert last.winter.version == 3
    for year in (2026, 2027, 2028, 2029, 2030):
        assert verify.check_winter(season_of(year).winter) == ()
    assert "differ" not in differences("rebuild escalafon --check")
    assert season_of(2030).winter.new_cards_at is None

    taken = take_in(file, Home(slug="taken", name="Taken"))
    assert (taken.circuit.cards_version, taken.winter.new_cards_at) == (3, world.NOW)
    assert verify.check_winter(taken.winter) == ()
    assert unlinked(entries(file_of(taken))) == unlinked(told)
    assert archive.verify(io.BytesIO(file_of(taken))).head == archive.verify(io.BytesIO(file)).head
    after = file_of(season_of(2030))
    assert archive.verify(io.BytesIO(after)).stands
    continued = take_in(after, Home(name="Taken", circuit=taken.circuit))
    assert continued.winter.version == 3
    assert verify.check_winter(continued.winter) == ()
    assert file_of(season_of(2029)) == file
    assert "differ" not in differences("rebuild escalafon --check")

    a_changed_card_or_decision_is_found(told, season)


def a_changed_card_or_decision_is_found(told: Entries, season: Season) -> None:
    def drop_decision(told: Entries) -> None:
        del only(told, "winter")["new_cards_at"]

    def change_card(told: Entries) -> None:
        card = rows(told, "cards")[0]
        card["ranges"]["aviso"] = "2-3"

    def drop_card(told: Entries) -> None:
        only(told, "cards")["cards"].pop()

    def call_it_version_3(told: Entries) -> None:
        only(told, "winter")["version"] = 3

    def spoil_time(told: Entries) -> None:
        only(told, "winter")["new_cards_at"] = "yesterday"

    changes: list[Callable[[Entries], None]] = [
        *(drop_decision, change_card, drop_card, call_it_version_3, spoil_time),
    ]  # fmt: skip
    for change in changes:
        changed = entries(packed(sealed(told)))
        assert archive.verify(io.BytesIO(packed(sealed(changed)))).stands
        change(changed)
        assert not archive.verify(io.BytesIO(packed(sealed(changed)))).stands, change.__name__
    card = MatadorCard.objects.filter(matador__circuit=season.circuit, since=2030).first()
    assert card is not None
    card.aviso = "2-3"
    card.save(update_fields=["aviso"])
    assert verify.check_winter(season.winter) != ()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("file", [VERSION_1, VERSION_2], ids=["version-1", "version-2"])
def test_circuit_imported_from_an_earlier_file_has_version_2(file: Any) -> None:
    taken = take_in(file.read_bytes(), Home(slug="taken", name="Taken"))
    assert taken.circuit.cards_version == 2
