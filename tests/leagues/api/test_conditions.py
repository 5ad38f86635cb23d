"""`If-Match` is checked against the current row, even if another request changes it just before."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.api.league import LeagueOne
from leagues.api.members.players import PlayerOne
from leagues.models import League, Player
from tests.leagues.api.programs import program

pytestmark = pytest.mark.django_db
NEW = {"name": "Pena", "game": "dominoes", "profile": "rulebook", "format": "ladder"}


def faster(monkeypatch: pytest.MonkeyPatch, view: Any, rows: Any, **columns: object) -> None:
    """Change these rows while the view reads the request body, as a concurrent request would."""
    read = view.read

    def reads(self: Any, request: Any) -> Any:
        rows.update(**columns)
        return read(self, request)

    monkeypatch.setattr(view, "read", reads)


def test_league_changed_by_a_concurrent_request_is_not_overwritten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = program("ana")
    slug = ana.post("leagues/", NEW | {"visibility": "private"})["slug"]
    tag = ana.ask("GET", f"leagues/{slug}/")["ETag"]
    faster(monkeypatch, LeagueOne, League.objects.filter(slug=slug), about="theirs")
    told = ana.refused("PATCH", f"leagues/{slug}/", {"name": "Mine"}, **{"if-match": tag})
    assert told["status"] == 412
    assert League.objects.get(slug=slug).name == NEW["name"]


def test_fields_missing_in_a_request_keep_the_value_of_a_concurrent_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = program("ana")
    slug = ana.post("leagues/", NEW | {"visibility": "private"})["slug"]
    faster(monkeypatch, LeagueOne, League.objects.filter(slug=slug), about="theirs")
    assert ana.ask("PATCH", f"leagues/{slug}/", {"name": "Mine"}).status_code == 200
    row = League.objects.get(slug=slug)
    assert (row.name, row.about) == ("Mine", "theirs")


def test_player_renamed_by_a_concurrent_request_is_not_renamed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = program("ana")
    ana.post("leagues/", NEW | {"visibility": "private"})
    at = f"players/{Player.objects.get().slug}/"
    tag = ana.ask("GET", at)["ETag"]
    faster(monkeypatch, PlayerOne, Player.objects.all(), name="theirs")
    assert ana.refused("PATCH", at, {"name": "Mine"}, **{"if-match": tag})["status"] == 412
    assert Player.objects.get().name != "Mine"
