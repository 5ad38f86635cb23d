"""Slugs of rows never equal the fixed path of a page, whatever the row is called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from accounts.models import Notice, User
from accounts.notifications.kinds import notification_text
from core.addresses import reserved_words
from corridas.addresses import address
from corridas.admin.forms import CircuitForm, FeriaForm, HerdForm, MatadorForm, PlazaForm
from corridas.circuit_queries import free_slug
from corridas.models import Circuit, Feria, Ganaderia, Matador, MatadorCard, Plaza
from corridas.roster.exchange import preview
from corridas.simulation.schedule import _feria_slug
from eltoro.admin import BoardForm
from eltoro.models import BoardDesign
from leagues.models import League, Member, Player
from leagues.players import new_player
from tests.factories import CARD, World, small_circuit
from tests.leagues import game, world

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
ADDRESSED = (League, Player, Circuit, Matador, Plaza, Ganaderia, Feria, BoardDesign)
# Paths in which a fixed word and a parameter compete, but the parameter is no slug of a row.
OF_NO_ROW = {
    "api/v1/guests/": "a secret word",
    "guests/": "a secret word",
    "tables/<int:pk>/": "an action",
    "leagues/<slug:slug>/fixtures/<int:pk>/": "an action",
    "accounts/notices/": "a secret word",
    "direccion/elenco/": "a table of a roster",
    "circuitos/<slug:circuit>/direccion/elenco/": "a table of a roster",
}


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from routes(pattern, route)


def words_beside_slugs() -> dict[str, set[str]]:
    """Return the fixed words at each place of the URLs where a slug can appear as well."""
    words: dict[str, set[str]] = defaultdict(set)
    slugs = set()
    for route in routes(get_resolver()):
        if route.startswith(("admin/", "accounts/^")):
            continue
        parts = route.split("/")
        for place, part in enumerate(parts):
            folder = "".join(f"{before}/" for before in parts[:place])
            if re.match(r"<(?!int:)", part):
                slugs.add(folder)
            elif part and "<" not in part:
                words[folder].add(part)
    return {folder: words[folder] for folder in slugs if words[folder]}


BESIDE = words_beside_slugs()


def folders_of(model: Any) -> set[str]:
    """Return the URL prefixes of a model's slugs, including those within a circuit."""
    within = {f"circuitos/<slug:circuit>/{folder}" for folder in model.FOLDERS}
    return {*model.FOLDERS, *within}


def cases() -> Iterator[Any]:
    for model in ADDRESSED:
        for word in sorted(set().union(*(BESIDE.get(folder, ()) for folder in model.FOLDERS))):
            if "." not in word:
                yield pytest.param(model, word, id=f"{model.__name__}-{word}")


def test_models_declare_every_url_prefix_shared_by_pages_and_slugs() -> None:
    known = set().union(*map(folders_of, ADDRESSED)) | set(OF_NO_ROW)
    assert set(BESIDE) - known == set(), "Give the model FOLDERS and check its new slugs."
    for model in ADDRESSED:
        for folder in model.FOLDERS:
            assert any(re.match(re.escape(folder) + "<", route) for route in routes(get_resolver()))


def test_test_covers_every_model_with_a_slug() -> None:
    slugged = {
        model
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.SlugField)
    }
    assert slugged == set(ADDRESSED)


def test_reserved_words_are_read_from_the_url_patterns() -> None:
    assert reserved_words(*League.FOLDERS) == {"new", "join"}
    assert reserved_words(*Player.FOLDERS) == {"me", "merges"}
    assert reserved_words(*Matador.FOLDERS) == {"comparar"}
    assert reserved_words(*Circuit.FOLDERS) == {"nuevo", "traer", "copias"}
    assert reserved_words(*Feria.FOLDERS) > {"final", "invierno", "resumen", "archivo"}
    assert reserved_words("nowhere/") == set()


# Slugs of new rows


@pytest.fixture(autouse=True, scope="module")
def _highest_card() -> None:
    game.register()


@pytest.fixture
def ronda() -> World:
    return small_circuit()


def chosen_slug(model: Any, word: str) -> str:
    """Create a row whose name would give this slug, and return its actual slug."""
    if model is League:
        name = word.title()
        return world.found_league(world.account("ana"), name=name, visibility="public").slug
    if model is Player:
        return new_player(name=word.title(), at=world.NOW).slug
    if model is Circuit:
        return free_slug(word.title())
    assert model is Feria
    return _feria_slug("祭", word)


CHOSEN = (League, Player, Circuit, Feria)


@pytest.mark.parametrize(("model", "word"), [case for case in cases() if case.values[0] in CHOSEN])
def test_new_row_named_like_a_page_gets_a_numbered_slug(model: Any, word: str) -> None:
    assert chosen_slug(model, word) == f"{word}-2"


def test_second_row_named_like_a_page_gets_yet_another_slug() -> None:
    ana = world.account("ana")
    first, second = (world.found_league(ana, name="New", visibility="public") for _ in range(2))
    assert first.slug == "new-2"
    assert re.fullmatch(r"new-2-[0-9a-f]{12}", second.slug)
    assert [new_player(name="Me", at=world.NOW).slug for _ in range(2)] == ["me-2", "me-3"]


FORMS = {
    Circuit: CircuitForm,
    Matador: MatadorForm,
    Plaza: PlazaForm,
    Ganaderia: HerdForm,
    Feria: FeriaForm,
    BoardDesign: BoardForm,
}
SENTENCE = "This address is already used by another page on this site. Choose another address."


@pytest.mark.parametrize("model", FORMS)
def test_forms_reject_slugs_that_are_paths_of_pages(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "key" if model is BoardDesign else "slug"
    words = sorted(word for word in reserved_words(*model.FOLDERS) if "." not in word)
    if not words:  # at present no page competes with slugs of this model
        monkeypatch.setattr(
            f"{'eltoro.admin' if model is BoardDesign else 'corridas.admin.edit_conflicts'}"
            ".reserved_words",
            lambda *folders: {"lista"} if folders == model.FOLDERS else set(),
        )
    for word in words or ["lista"]:
        assert SENTENCE in FORMS[model]({name: word}).errors[name]
        assert SENTENCE not in FORMS[model]({name: f"{word}-2"}).errors.get(name, [])


ROSTERS: dict[str, tuple[Any, Callable[[str], str]]] = {
    "matadors.csv": (Matador, lambda slug: f"slug,name\n{slug},Alguien\n"),
    "plazas.csv": (
        Plaza,
        lambda slug: f"slug,name,city,country,continent,category\n{slug},La Nueva,Ronda,ES,EU,3\n",
    ),
    "herds.csv": (
        Ganaderia,
        lambda slug: f"slug,name,country,continent\n{slug},Miura,ES,EU\n",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "matadors.csv",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ROSTERS
            if name != "matadors.csv"
        ),
    ],
)
def test_roster_files_with_paths_of_pages_as_slugs_are_rejected(
    name: str, ronda: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, file = ROSTERS[name]
    words = reserved_words(*model.FOLDERS)
    if not words:
        monkeypatch.setattr(
            "corridas.roster.files.comparison.reserved_words",
            lambda *folders: {"lista"} if folders == model.FOLDERS else set(),
        )
    office = User.objects.create_superuser("office")

    def faults(slug: str) -> list[Any]:
        data = file(slug).encode()
        seen = preview.preview_import(circuit=ronda.circuit, data=data, name=name, by=office)
        return list(seen.faults)

    for word in words or {"lista"}:
        assert faults(f"{word}-2") == []
        (fault,) = faults(word)
        assert (fault.line, fault.column, fault.value) == (2, "slug", word)
        assert str(fault).endswith(
            f"“{word}” is already used in the address of another page on this site. "
            "Choose another slug."
        )
        if model is Matador:  # an existing row may keep its slug
            Matador.objects.filter(slug="matador-1").update(slug=word)
            assert faults(word) == []


# Rows of earlier releases


def move_rows(app: str) -> None:
    """Run the data migration that changes conflicting slugs again."""
    folder = import_module(f"{app}.migrations").__path__
    names = [module.name for module in iter_modules(folder)]
    (name,) = (name for name in names if name.endswith("_addresses_of_pages"))
    import_module(f"{app}.migrations.{name}").move(apps, None)


def test_migration_changes_conflicting_slugs_of_leagues_and_players_and_notifies() -> None:
    ana, other, me = world.account("ana"), world.account("eva"), world.account("yo")
    league = world.found_league(ana, name="New")
    Member.objects.create(league=league, player=other, joined_at=world.NOW)
    beside = world.found_league(ana, name="Otra")
    League.objects.filter(pk=league.pk).update(slug="new")
    League.objects.filter(pk=beside.pk).update(slug="new-2")
    Player.objects.filter(pk=me.pk).update(slug="me", name="Me")
    edition = League.objects.get(pk=league.pk).edition
    move_rows("leagues")
    league.refresh_from_db()
    me.refresh_from_db()
    assert (league.slug, league.search_text) == ("new-3", " new 3")
    assert league.edition > edition
    assert (me.slug, League.objects.get(pk=beside.pk).slug) == ("me-2", "new-2")
    told = Notice.objects.filter(kind="address").order_by("pk")
    assert [(notice.user.username, notice.link) for notice in told] == [
        ("ana", "/leagues/new-3/"),
        ("yo", "/players/me-2/"),
    ]
    assert notification_text("address", told[0].data) == (
        "New has moved to /leagues/new-3/, because this site now uses the old address for "
        "one of its own pages."
    )
    assert [User.objects.get(username=name).unread for name in ("ana", "eva", "yo")] == [1, 0, 1]
    assert Client().get("/players/me-2/").status_code == 200
    move_rows("leagues")
    assert Notice.objects.filter(kind="address").count() == 2, "a second time nothing moves"


@pytest.mark.slow
def test_migration_changes_conflicting_slugs_of_circuits_unless_already_played() -> None:
    owner = User.objects.create_user("ana")
    played = small_circuit("nuevo", "Nuevo", owner=owner)
    planned = Circuit.objects.create(slug="traer", name="Traer", deck=played.deck, owner=owner)
    Matador.objects.filter(pk=played.matadors[0].pk).update(slug="comparar")
    Feria.objects.filter(pk=played.feria.pk).update(slug="final")
    free = Matador.objects.create(circuit=planned, slug="comparar", name="Comparar")
    MatadorCard.objects.create(matador=free, rating=70, **CARD)
    move_rows("corridas")
    circuits = Circuit.objects.order_by("pk").values_list("slug", "promised_as", "search_text")
    assert list(circuits) == [("nuevo-2", "nuevo", " nuevo 2"), ("traer-2", "", " traer 2")]
    assert Circuit.objects.get(slug="nuevo-2").promised_name == "nuevo"
    assert Matador.objects.get(circuit=planned).slug == "comparar-2"
    assert Matador.objects.get(pk=played.matadors[0].pk).slug == "comparar", "what was played"
    assert Feria.objects.get(pk=played.feria.pk).slug == "final"
    assert list(Notice.objects.order_by("pk").values_list("link", flat=True)) == [
        "/circuitos/nuevo-2/",
        "/circuitos/traer-2/",
        "/circuitos/nuevo-2/matadores/comparar~/",
        "/circuitos/traer-2/matadores/comparar-2/",
        "/circuitos/nuevo-2/temporada/2027/final~/",
    ]
    browser = Client()
    browser.force_login(owner)
    for notice in Notice.objects.all():
        assert browser.get(notice.link).status_code == 200, notice.link


def test_matador_with_a_conflicting_slug_has_a_url_with_a_tilde(ronda: World) -> None:
    matador = ronda.matadors[0]
    Matador.objects.filter(pk=matador.pk).update(slug="comparar")
    page = reverse("matador", args=["comparar"])
    assert page == "/matadores/comparar~/"
    assert address("otro", "matador", slug="comparar") == "/circuitos/otro/matadores/comparar~/"
    assert address("", "feria", year=2027, slug="final") == "/temporada/2027/final~/"
    assert resolve(page).kwargs == {"slug": "comparar"}
    assert resolve("/matadores/comparar/").url_name == "compare"
    assert matador.name in Client().get(page).content.decode()
    assert 'href="/matadores/comparar~/"' in Client().get("/matadores/").content.decode()
    assert Client().get("/matadores/matador-2~/").status_code == 404
    assert reverse("matador", args=["matador-2"]) == "/matadores/matador-2/"
