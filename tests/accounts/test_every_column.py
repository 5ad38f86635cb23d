"""The name of a deleted account is removed from every text column, however it is spelled."""

from __future__ import annotations

import datetime as dt
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Field, Model

from accounts.account_deletion import operations as account_deletion
from accounts.account_deletion.registry import StoredText, texts
from accounts.models import Export, Notice, User
from actas.models import Revalidation
from api.models import DoneOnce
from core.names.fields import DerivedTextField, UniqueNameField, bulk_update_with_keys
from core.names.text import comparison_key
from corridas.circuits.operations import accept_circuit
from corridas.models import (
    Bull,
    Bundle,
    BundlePart,
    Change,
    Circuit,
    CircuitCopy,
    Corrida,
    Deck,
    Feria,
    Ganaderia,
    Matador,
    Plaza,
    Run,
    Season,
)
from events.models import Event
from leagues.matches.operations.matches import open_match
from leagues.models import (
    Delivery,
    Dispute,
    Fixture,
    FormerName,
    League,
    Member,
    Player,
    Proposal,
    Recount,
    Round,
    Table,
    Webhook,
)
from leagues.players import new_player, rename_player
from tests.accounts.columns_without_names import reasons
from tests.factories import small_circuit
from tests.leagues import game, world

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
NAME, USERNAME, MAIL = "Íñigo Peña", "iñigo.peña", "íñigo@example.org"
SPELLINGS = (
    "ÍÑIGO PEÑA",
    unicodedata.normalize("NFD", NAME),
    NAME.lower(),
    "Íñi\N{ZERO WIDTH JOINER}go  Peña",
)
NOW, LATER = world.NOW, world.NOW + dt.timedelta(days=30)
WITHOUT_TEXT = (
    models.AutoField,
    models.BigAutoField,
    models.BooleanField,
    models.DateField,
    models.DecimalField,
    models.DurationField,
    models.FloatField,
    models.IntegerField,
    models.TimeField,
)


def columns() -> Iterator[tuple[type[Model], Field[Any, Any]]]:
    """Yield every column that can contain text, including JSON and binary columns."""
    for model in apps.get_models(include_auto_created=True):
        for field in () if model._meta.proxy else model._meta.concrete_fields:
            if not field.is_relation and not isinstance(field, WITHOUT_TEXT):
                yield model, field


def label(model: type[Model], column: str) -> str:
    return f"{model._meta.label}.{column}"


def swept() -> set[str]:
    return {label(text.model, column) for text in texts for column in text.columns}


def test_each_column_is_swept_or_has_a_reason() -> None:
    # Derived columns are left out: they change with the columns they are computed from.
    known = {
        label(model, field.name)
        for model, field in columns()
        if not isinstance(field, DerivedTextField | UniqueNameField)
    }
    assert known - swept() - set(reasons()) == set(), (
        "Register these columns for sweeping, or add them to columns_without_names with a reason."
    )
    assert set(reasons()) - known == set()
    assert swept() & set(reasons()) == set()


def test_check_of_all_columns_reports_a_new_column(monkeypatch: pytest.MonkeyPatch) -> None:
    nickname = models.CharField(max_length=10)
    nickname.set_attributes_from_name("nickname")
    every = [*User._meta.concrete_fields, nickname]
    monkeypatch.setitem(User._meta.__dict__, "concrete_fields", every)
    with pytest.raises(AssertionError, match=r"accounts\.User\.nickname"):
        test_each_column_is_swept_or_has_a_reason()


# Names in the whole database


def plain_text(value: Any) -> str:
    """Return a stored value as text, without escape sequences."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "ignore")
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def dump() -> Iterator[tuple[str, str]]:
    for model, field in columns():
        for value in model._base_manager.values_list(field.name, flat=True):
            yield label(model, field.name), plain_text(value)
    for session in Session.objects.all():
        yield "sessions.Session.session_data", plain_text(session.get_decoded())


def holding(*names: str) -> set[str]:
    folded = [comparison_key(name) for name in names]
    return {
        column for column, text in dump() if any(name in comparison_key(text) for name in folded)
    }


@pytest.fixture(autouse=True, scope="module")
def _highest_card() -> None:
    game.register()


@pytest.fixture
def inigo() -> Player:
    user = User.objects.create_user(USERNAME, MAIL, first_name="Íñigo", last_name="Peña")
    EmailAddress.objects.create(user=user, email=MAIL, primary=True, verified=True)
    return new_player(name=NAME, at=NOW, user=user)


def delete_account_of(player: Player) -> None:
    user = User.objects.get(player=player)
    departure = account_deletion.request_deletion(user, at=NOW)
    assert account_deletion.delete_account(departure.pk, at=LATER)


def lived(player: Player) -> League:
    """Create a row of every kind in which other people could write the player's name."""
    ana = world.account("ana")
    league = world.found_league(ana, visibility=League.Visibility.PUBLIC)
    Member.objects.create(league=league, player=player, joined_at=NOW)
    match = world.played(league, [ana, player], [3, 10])
    Dispute.objects.create(match=match, by=ana, at=NOW, settled_at=NOW)
    Proposal.objects.create(match=match, by=ana, at=NOW, outcome="void")
    drawn = Round.objects.create(league=league, number=1, drawn_at=NOW, deadline=LATER, byes=[])
    Fixture.objects.create(round=drawn, number=1, deadline=LATER)
    hook = Webhook.objects.create(league=league, url="https://a.test", next_at=NOW, created_at=NOW)
    Delivery.objects.create(webhook=hook, identifier="1", kind="x", cause="event", at=NOW)
    Event.objects.create(kind="league.opened", subject="x", data={}, at=NOW, league=league.pk)
    Recount.objects.create(league=league, game=game.KEY, asked_at=NOW, error="x")
    Table.objects.create(
        league=league, host=ana, game=game.KEY, profile="plain", rules={}, rules_hash="",
        error="x", created_at=NOW, changed_at=NOW,
    )  # fmt: skip
    directed(player.user, ana.user)
    add_other_rows(ana.user)
    return league


def directed(user: Any, other: Any) -> None:
    """Create a circuit with a corrida, a copy of the circuit, and the history of changes."""
    ronda = small_circuit("ruedo", "Ruedo", owner=user)
    ronda.post(ronda.announce(dt.date(2027, 3, 1)))
    copy = Circuit.objects.create(slug="copy", name="Copy", owner=other, deck=ronda.deck)
    CircuitCopy.objects.create(
        source=ronda.circuit, circuit=copy, asked_by=other, name="Copy", asked_at=NOW
    )
    Change.objects.create(kind="circuit", row=ronda.circuit.pk, title="x", at=NOW)
    Bundle.objects.create(way="in", state="failed", asked_at=NOW, findings=["x"])
    Run.objects.create(
        season=ronda.season,
        until=dt.date(2027, 4, 1),
        asked_at=NOW,
        reason="It broke.",
        state="failed",
    )
    Corrida.objects.update(error="x")


def add_other_rows(other: Any) -> None:
    """Create rows of another user that belong to no game."""
    Notice.objects.create(user=other, kind="x", at=NOW)
    Notice.objects.create(user=other, kind="match_disputed", at=NOW)
    DoneOnce.objects.create(user=other, key="x", asked=b"", at=NOW)
    Export.objects.create(user=other, asked_at=NOW, ended_at=NOW, error="x")
    Revalidation.objects.create(begun_at=NOW, ended_at=NOW)
    log(other, League, "x", "x")


def log(user: Any, model: type[Model], row: str, message: str) -> LogEntry:
    """Create an entry of the admin log."""
    return LogEntry.objects.create(
        user=user, content_type=ContentType.objects.get_for_model(model), object_id="0",
        object_repr=row, action_flag=2, change_message=message,
    )  # fmt: skip


def write(text: StoredText, user: User, value: str) -> None:
    """Store the value in all columns of this text, in one row."""
    row = text.rows(user).order_by("pk").first()
    assert row is not None, f"{text} has no row: add one to `lived`"
    for column in text.columns:
        field = text.model._meta.get_field(column)
        anywhere: dict[str, Any] = {"x": [1, {"name": value}]}
        inside = dict.fromkeys(text.members, value) or anywhere
        is_json = isinstance(field, models.JSONField)
        setattr(row, column, inside if is_json else value)
    bulk_update_with_keys(text.model, [row], text.columns, batch=1)


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_deletion_removes_every_spelling_of_the_name_from_all_rows(
    inigo: Player, spelling: str
) -> None:
    lived(inigo)
    user = User.objects.get(player=inigo)
    for text in texts:
        write(text, user, f"¡{spelling}!")
    assert swept() <= holding(NAME)
    delete_account_of(inigo)
    assert holding(NAME, "Íñigo", "Peña", USERNAME, MAIL) == set()
    alias = Player.objects.get(pk=inigo.pk).name
    assert swept() <= holding(f"¡{alias}!")


@pytest.mark.slow
def test_deletion_replaces_urls_that_contain_the_name(inigo: Player) -> None:
    league = lived(inigo)
    player, moved, kept = inigo.slug, "copa-de-inigo-pena", "la-copa-de-otro-inigo-pena"
    League.objects.filter(pk=league.pk).update(name="Copa de Íñigo Peña", slug=moved)
    link, foreign = f"/leagues/{moved}/fixtures/", f"/leagues/{kept}/"
    eva = User.objects.create_user("eva")
    there, other = (
        Notice.objects.create(user=eva, link=address, at=NOW) for address in (link, foreign)
    )
    DoneOnce.objects.update(
        headers={"Location": f"https://a.test/players/{player}/"},
        answer={"slug": player, "name": NAME},
    )
    Circuit.objects.filter(owner=inigo.user).update(
        name="Ruedo de Íñigo Peña", slug="ruedo-inigo-pena"
    )
    Change.objects.update(after={"name": "Ruedo de Íñigo Peña", "slug": "ruedo-inigo-pena"})
    delete_account_of(inigo)
    league.refresh_from_db()
    inigo.refresh_from_db()
    done = DoneOnce.objects.get()
    assert Notice.objects.get(pk=there.pk).link == f"/leagues/{league.slug}/fixtures/"
    assert Notice.objects.get(pk=other.pk).link == foreign
    # URLs of other leagues stay, even if they contain the same slug.
    assert done.headers == {"Location": f"https://a.test/players/{inigo.slug}/"}
    assert done.answer == {"slug": inigo.slug, "name": inigo.name}
    circuit = Circuit.objects.get(promised_as="ruedo-inigo-pena")
    assert Change.objects.get().after == {"name": circuit.name, "slug": circuit.slug}
    assert {column for column, text in dump() if "inigo-pena" in text and kept not in text} == {
        "corridas.Circuit.promised_as"
    }


@pytest.mark.slow
def test_deletion_removes_season_files_that_contain_the_name(inigo: Player) -> None:
    lived(inigo)
    Circuit.objects.filter(owner=inigo.user).update(name="Ruedo de Íñigo Peña")
    season = Circuit.objects.get(owner=inigo.user).seasons.get()
    file = Bundle.objects.create(way="out", state="done", season=season, asked_at=NOW)
    BundlePart.objects.create(bundle=file, number=0, data="Ruedo de Íñigo Peña".encode())
    delete_account_of(inigo)
    assert not Bundle.objects.filter(pk=file.pk).exists()
    assert holding(NAME) == set()


def test_deletion_replaces_the_name_in_fixture_notes_and_other_peoples_notifications(
    inigo: Player,
) -> None:
    ana = world.account("ana")
    league = world.found_league(ana)
    Member.objects.create(league=league, player=inigo, joined_at=NOW)
    match = open_match(by=inigo, at=NOW, players=[inigo, ana], league=league)
    world.handed_in(match, inigo, world.score(10, 3))
    drawn = Round.objects.create(league=league, number=1, drawn_at=NOW, deadline=LATER, byes=[])
    fixture = Fixture.objects.create(
        round=drawn, number=1, deadline=LATER, note="ÍÑIGO PEÑA está enfermo"
    )
    delete_account_of(inigo)
    fixture.refresh_from_db()
    alias = Player.objects.get(pk=inigo.pk).name
    assert alias.startswith("Former player ")
    assert fixture.note == f"{alias} está enfermo"
    assert Notice.objects.get(user=ana.user).data["by"] == alias


def test_deletion_replaces_the_name_in_the_admin_log(inigo: Player) -> None:
    """Only entries about models whose rows have names of their own are left unchanged."""
    boss = User.objects.create_user("boss")
    named = {*admin.site._registry} - {Matador, Ganaderia, Bull, Plaza, Feria}
    assert {Circuit, Season, Deck, Run, League} <= named
    for model in named:
        message = json.dumps([{"changed": {"name": "x", "object": f"Ruedo de {NAME}"}}])
        log(boss, model, "Ruedo de ÍÑIGO PEÑA 2027", message)
    delete_account_of(inigo)
    assert holding(NAME) == set()
    alias = Player.objects.get(pk=inigo.pk).name
    for entry in LogEntry.objects.filter(user=boss):
        assert entry.object_repr == f"Ruedo de {alias} 2027"
        ((_kind, said),) = json.loads(entry.change_message)[0].items()
        assert said["object"] == f"Ruedo de {alias}"


def test_deletion_leaves_the_names_of_matadors_in_the_admin_log(inigo: Player) -> None:
    boss = User.objects.create_user("boss")
    message = json.dumps([{"added": {"name": "bull", "object": f"Toro de {NAME}"}}])
    log(boss, Matador, f"{NAME} Romero", message)
    log(boss, Circuit, f"{NAME} Romero", "[]")
    delete_account_of(inigo)
    alias = Player.objects.get(pk=inigo.pk).name
    matador, circuit = LogEntry.objects.filter(user=boss).order_by("pk")
    assert (matador.object_repr, matador.change_message) == (f"{NAME} Romero", message)
    assert circuit.object_repr == f"{alias} Romero"


@pytest.mark.slow
def test_deletion_leaves_other_leagues_and_similar_names_unchanged(inigo: Player) -> None:
    league = lived(inigo)
    elsewhere = world.found_league(world.account("eva"), name="Copa Íñigo Peña")
    texts_of_others = "Íñigos, Peñarol, Iñigo, XPeña, Íñigo\N{COMBINING TILDE}, Inigo Pena"
    League.objects.filter(pk=league.pk).update(about=texts_of_others)
    delete_account_of(inigo)
    elsewhere.refresh_from_db()
    league.refresh_from_db()
    assert elsewhere.name == "Copa Íñigo Peña"
    assert league.about == texts_of_others


@pytest.mark.slow
def test_deletion_leaves_an_empty_draft_null_when_it_changes_a_note(inigo: Player) -> None:
    league = lived(inigo)
    match = league.matches.get()
    type(match).objects.filter(pk=match.pk).update(note=NAME)
    delete_account_of(inigo)
    assert type(match).objects.filter(pk=match.pk, draft__isnull=True).exists()


# Accounts whose name is a keyword of the site


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["dominoes", "organiser", "round_robin", "bye_turn", "final", "asked", "changed"]
)
def test_deletion_of_an_account_named_like_a_keyword_leaves_stored_keywords(name: str) -> None:
    """Values that programs read, such as the key of a game or role, must not change."""
    namesake = new_player(name=name, at=NOW, user=User.objects.create_user(name))
    league = lived(namesake)
    eva = User.objects.create_user("eva")
    notices = {
        kind: Notice.objects.create(user=eva, kind=kind, at=NOW, data=data)
        for kind, data in {
            "round_drawn": {"league": "Copa", "game": name, "round": 1, "names": "x"},
            "role_given": {"league": "Copa", "game": "x", "role": name},
            "run_over": {"season": "2027", "reason": name},
            "match_settled": {"how": name, "where": "x"},
        }.items()
    }
    Event.objects.update(data={"name": "Copa", "game": name, "format": name})
    drawn, fixture = Round.objects.get(), Fixture.objects.get()
    drawn.byes = [{"player": 1, "reasons": [{"code": name, "params": {}}]}]
    drawn.save()
    fixture.reasons = [{"code": name, "params": {"round": 1}}]
    fixture.save()
    match = league.matches.get()
    match.draft = {"kind": name, "days": [name]}
    match.save()
    Run.objects.update(reason=name)
    entry = LogEntry.objects.get()
    entry.change_message = json.dumps([{name: {"name": "league", "object": f"Liga de {name}"}}])
    entry.save()
    DoneOnce.objects.update(answer={"game": name, "role": name, "state": name})
    before = {
        (label(model, field.name), row.pk): getattr(row, field.name)
        for model in (Event, Round, Fixture, type(match), Run, DoneOnce)
        for row in model._base_manager.all()
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField | models.CharField | models.TextField)
    }
    delete_account_of(namesake)
    for kind, notice in notices.items():
        data = dict(notice.data)
        notice.refresh_from_db()
        assert notice.data == data, kind
    for model in (Event, Round, Fixture, type(match), Run, DoneOnce):
        for row in model._base_manager.all():
            for field in model._meta.concrete_fields:
                key = (label(model, field.name), row.pk)
                if key in before and field.name != "draft":
                    assert getattr(row, field.name) == before[key], key
    alias = Player.objects.get(pk=namesake.pk).name
    entry.refresh_from_db()
    ((key, said),) = json.loads(entry.change_message)[0].items()
    assert (key, said["object"]) == (name, f"Liga de {alias}")
    match.refresh_from_db()
    assert match.draft == {"kind": name, "days": [name]}


def test_deletion_replaces_the_name_in_the_reason_of_a_dispute(inigo: Player) -> None:
    eva = User.objects.create_user("eva")
    told = Notice.objects.create(
        user=eva, kind="match_disputed", at=NOW, data={"by": NAME, "reason": f"{NAME} had 18"}
    )
    delete_account_of(inigo)
    told.refresh_from_db()
    alias = Player.objects.get(pk=inigo.pk).name
    assert told.data == {"by": alias, "reason": f"{alias} had 18"}


@pytest.mark.slow
def test_deletion_also_removes_former_names(inigo: Player) -> None:
    league = lived(inigo)
    rename_player(player=inigo, name="Pepe")
    rename_player(player=inigo, name="Pepe Dos")
    League.objects.filter(pk=league.pk).update(about="Pepe and Íñigo Peña have withdrawn")
    delete_account_of(inigo)
    assert holding(NAME, "Pepe") == set()
    assert not FormerName.objects.exists()


@pytest.mark.slow
def test_deletion_replaces_a_league_slug_that_still_contains_the_name(inigo: Player) -> None:
    league = lived(inigo)
    League.objects.filter(pk=league.pk).update(name="Copa Nueva", slug="copa-inigo-pena-2")
    delete_account_of(inigo)
    league.refresh_from_db()
    assert league.name == "Copa Nueva"
    assert league.slug.startswith("copa-nueva-")


@pytest.mark.slow
def test_deletion_removes_the_name_from_transferred_circuits_and_copies_of_copies(
    inigo: Player,
) -> None:
    lived(inigo)
    ana, circuit = User.objects.get(username="ana"), Circuit.objects.get(owner=inigo.user)
    Circuit.objects.filter(pk=circuit.pk).update(name="Ruedo de Íñigo Peña", offered_to=ana)
    circuit.refresh_from_db()
    accept_circuit(circuit=circuit, by=ana)
    copy = CircuitCopy.objects.get()
    last = Circuit.objects.create(
        slug="copy-of-copy-inigo-pena", name="Copy of Copy of Ruedo de Íñigo Peña", owner=ana,
        deck=circuit.deck,
    )  # fmt: skip
    CircuitCopy.objects.create(
        source=copy.circuit, circuit=last, asked_by=ana, name=last.name, asked_at=NOW
    )
    delete_account_of(inigo)
    assert holding(NAME, "inigo-pena") <= {"corridas.Circuit.promised_as"}


def test_deletion_frees_the_username_for_an_account_with_another_case_of_it() -> None:
    gone, stays = (User.objects.create_user(name) for name in ("peñista", "other"))
    User.objects.filter(pk=stays.pk).update(username="PEÑISTA", username_key=None)
    Notice.objects.create(user=stays, kind="username", at=NOW, data={"name": "PEÑISTA"})
    delete_account_of(new_player(name="Somebody", at=NOW, user=gone))
    stays.refresh_from_db()
    assert (stays.username, stays.username_key) == ("PEÑISTA", "peñista")
    assert not Notice.objects.filter(user=stays).exists()
    assert User.objects.get_by_natural_key("Peñista") == stays
