"""Hundreds of generated names are found by search, sorted alike, and deleted with their
accounts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client

from accounts.account_deletion import operations as account_deletion
from accounts.models import User
from core.names.fields import spanish_order
from core.names.text import clean, comparison_key, sort_key, words_of
from corridas.models import Bull, Circuit, Ganaderia, Matador
from corridas.search_index import index_matadors
from leagues.models import Dispute, Fixture, Match, Member, Player
from leagues.players import new_player
from search.text import without_small_words
from tests.accounts.people import signed_in
from tests.accounts.test_every_column import dump
from tests.factories import World, account, browser, small_circuit
from tests.generated_names import as_sent
from tests.leagues import world

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
NOW = world.NOW


def accepted_names(names: Sequence[str], most: int = 60) -> list[str]:
    """Return the cleaned names that fields accept."""
    cleaned = [clean(as_sent(name)) for name in names]
    return [name for name in cleaned if 0 < len(name) <= most]


# Search


def search_titles(client: Client, kind: str, word: str) -> Iterator[str]:
    """Yield the titles of all search results, page by page."""
    page = 0
    more = True
    while more:
        page += 1
        answer = client.get("/buscar/", {"q": word, "kind": kind, "page": str(page)})
        assert answer.status_code == 200
        yield from (hit.title for group in answer.context["groups"] for hit in group.hits)
        more = answer.context["more"]


def word_to_type(name: str) -> str:
    """Return the first searchable word of the name, folded, or an empty text."""
    words = without_small_words(words_of(name))
    return words[0][:60] if words else ""


def test_search_finds_guests_by_every_generated_name(names: list[str], db: None) -> None:
    office = account("office", is_superuser=True, is_staff=True)
    client = browser(office)
    for name in accepted_names(names):
        new_player(name=name, at=NOW, added_by=office)
    for player in Player.objects.filter(user=None):
        word = word_to_type(player.name)
        if not word:
            continue
        assert player.name in [*search_titles(client, "player", word)], ascii(player.name)
        assert Player.objects.filter(pk=player.pk, search_text__folded=word).exists()
        for typed in (word, player.name):
            answer = client.get("/admin/leagues/player/", {"q": typed, "all": ""})
            assert player in answer.context["cl"].queryset, ascii(player.name)


def test_search_finds_matadors_by_every_generated_name(names: list[str], db: None) -> None:
    circuit = small_circuit().circuit
    client = Client()
    for number, name in enumerate(accepted_names(names)):
        Matador.objects.create(circuit=circuit, slug=f"m-{number}", name=name)
    index_matadors([*Matador.objects.values_list("pk", flat=True)])
    for matador in Matador.objects.filter(slug__startswith="m-"):
        word = word_to_type(matador.name)
        if not word:
            continue
        assert matador.name in [*search_titles(client, "matador", word)], ascii(matador.name)
        page = client.get("/matadores/", {"q": word})
        assert f"/matadores/{matador.slug}/" in page.text, ascii(matador.name)


# Sorting


def in_order(rows: QuerySet[Any], *order: Any) -> list[str]:
    return [*rows.order_by(*order, "pk").values_list("name", flat=True)]


def assert_sorted(stored: Sequence[str]) -> None:
    keys = [sort_key(name) for name in stored]
    assert keys == sorted(keys)


def test_database_sorts_generated_names_like_python(names: list[str], db: None) -> None:
    world = small_circuit()
    stored = accepted_names(names, most=30)
    for number, name in enumerate(stored):
        new_player(name=name, at=NOW)
        Ganaderia.objects.create(
            circuit=world.circuit, slug=f"h-{number}", name=name, country="ES", continent="EU"
        )
        Bull.objects.create(
            ganaderia=world.herd, year=2020, number=number, name=name, coat="negro", weight=500
        )
    for rows, order in (
        (Player.objects.all(), "name_key"),
        (Ganaderia.objects.filter(slug__startswith="h-"), "name_key"),
        (Bull.objects.all(), spanish_order("name_key", "name")),
    ):
        assert sorted(in_order(rows, order)) == sorted(stored)
        assert_sorted(in_order(rows, order))


# Deleted accounts


class Town:
    """A league and a circuit in which users leave their names wherever they can."""

    def __init__(self) -> None:
        self.office = world.account("office", is_superuser=True, is_staff=True)
        self.page = browser(self.office)
        self.league = world.found_league(self.office, visibility="public")
        self.robin = world.round_robin(self.office, ["ana", "beto", "carla"])
        self.fixtures = [*Fixture.objects.filter(round__league=self.robin)]
        self.ronda: World = small_circuit()

    def move_in(self, number: int, name: str) -> User | None:
        """Create a user who uses this name everywhere.

        Returns None if the profile rejects the name.
        """
        player = world.account(f"user{number}", email=f"user{number}@example.org")
        assert isinstance(player.user, User)
        client, user = signed_in(player.user), player.user
        form = {"name": name, "theme": "system", "single_keys": "on"}
        if client.post("/accounts/profile/", form).status_code != 302:
            return None
        player.refresh_from_db()
        client.post("/accounts/tokens/make/", {"name": name, "scope": "read", "days": ""})
        client.post(f"/leagues/join/{self.league.invitation}/")
        # The fixtures of this league are drawn, so its page lets no further players join.
        Member.objects.create(league=self.robin, player=player, plays=False, joined_at=NOW)
        self._play(player)
        self._write_about(player.name, number)
        Circuit.objects.create(
            slug=f"c-{number}", name=f"Ruedo {player.name}"[:60], owner=user, deck=self.ronda.deck
        )
        return user

    def _play(self, player: Player) -> None:
        match = world.played(self.league, [self.office, player], [10, 3])
        Match.objects.filter(pk=match.pk).update(note=f"{player.name} was late")
        Dispute.objects.create(
            match=match, by=player, at=NOW, settled_at=NOW, reason=f"Says {player.name}."
        )

    def _write_about(self, name: str, number: int) -> None:
        """Write the name into a fixture's note and into the league's description."""
        fixture = self.fixtures[number % len(self.fixtures)]
        note = {"deadline": "2099-01-01T12:00", "note": f"Waits for {name}"}
        self.page.post(f"/leagues/{self.robin.slug}/fixtures/{fixture.pk}/postpone/", note)
        self.league.about += f"Ask {name}, or: {name}!\n"
        self.league.save(update_fields=["about"])


def delete_account_of(user: User) -> None:
    departure = account_deletion.request_deletion(user, at=NOW)
    assert account_deletion.delete_account(departure.pk, at=NOW + dt.timedelta(days=30))


def all_text() -> str:
    return comparison_key("\n".join(text for _label, text in dump()))


@pytest.mark.nightly_on("postgresql")
def test_deleting_accounts_removes_generated_names_from_all_rows(
    names: list[str], db: None
) -> None:
    town = Town()
    first = town.move_in(10_000, "Filomena")
    assert first is not None
    delete_account_of(first)
    incidental = all_text()
    assert "filomena" not in incidental
    users = [town.move_in(number, as_sent(name)) for number, name in enumerate(names)]
    living = all_text()
    people = {user.pk: Player.objects.get(user=user).name for user in users if user}
    assert all(comparison_key(name) in living for name in people.values())
    for user in filter(None, users):
        delete_account_of(user)
    left = all_text()
    long = [name for name in people.values() if len(name) >= 4]
    remains = [name for name in long if comparison_key(name) in left]
    assert [name for name in remains if comparison_key(name) not in incidental] == []
