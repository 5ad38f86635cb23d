"""Pages that export a season as a file and import a season from a file."""

import io
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from corridas import archive, tasks
from corridas.addresses import address
from corridas.archive import Home, jobs
from corridas.models import Bundle, BundlePart, Circuit, Corrida, Season
from tests.corridas.archive.conftest import Elsewhere
from tests.corridas.archive.damage import entries, packed, sealed
from tests.corridas.simulation import world

pytestmark = pytest.mark.django_db
BRING = reverse("circuit_bring")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, int]]:
    """Return the list of tasks that were sent to workers."""
    told: list[tuple[Any, int]] = []
    monkeypatch.setattr(
        "corridas.archive.operations.enqueue",
        lambda name, key, on_commit: told.append((name, key)),
    )
    return told


@pytest.fixture
def season(elsewhere: Elsewhere) -> Season:
    report = archive.verify(io.BytesIO(elsewhere.whole[2026]))
    found = archive.take_in(report, Home(slug="taken", name="Taken"), at=world.NOW)
    Circuit.objects.update(public=True)
    return found


@pytest.fixture
def ana(client: Client) -> Any:
    user = get_user_model().objects.create_user("ana", password="x")
    client.force_login(user)
    return user


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("2026.temporada.zip", data, "application/zip")


def test_a_season_file_is_written_once_and_can_be_downloaded_by_everybody(
    ana: Any, season: Season, client: Client, sent: list[tuple[Any, int]], elsewhere: Elsewhere
) -> None:
    page = address("taken", "season_file", year=2026)
    assert b"<button" in client.get(page).content
    assert client.get(address("taken", "season_bundle", year=2026)).status_code == 404
    for _ in range(2):
        client.post(page)
    assert [key for _, key in sent] == [Bundle.objects.get().pk]
    assert b"<progress" in client.get(page, headers={"HX-Request": "true"}).content
    assert jobs.make_file(sent[0][1], clock=timezone.now)
    assert not jobs.make_file(sent[0][1], clock=timezone.now)
    client.logout()
    shown = client.get(page)
    assert elsewhere.heads[2026].encode() in shown.content
    assert b"<progress" not in shown.content
    answer = client.get(address("taken", "season_bundle", year=2026))
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert answer["Content-Length"] == str(len(data))
    assert archive.verify(io.BytesIO(data)).head == elsewhere.heads[2026]
    client.force_login(ana)
    client.post(page)
    assert Bundle.objects.count() == 1, "it is there as it stands"


def test_a_season_file_is_written_again_after_something_was_posted(
    ana: Any, season: Season, client: Client, sent: list[tuple[Any, int]]
) -> None:
    page = address("taken", "season_file", year=2026)
    client.post(page)
    jobs.make_file(sent[0][1], clock=timezone.now)
    Season.objects.update(posted_version=7)
    client.post(page)
    jobs.make_file(sent[1][1], clock=timezone.now)
    assert Bundle.objects.get().edition == 7
    assert BundlePart.objects.exclude(bundle=Bundle.objects.get()).count() == 0


def test_the_season_file_of_a_private_circuit_is_not_found_by_others(
    season: Season, client: Client
) -> None:
    Circuit.objects.update(public=False)
    page = address("taken", "season_file", year=2026)
    assert client.get(page).status_code == 404
    assert client.post(page).status_code == 404
    assert client.get(address("taken", "season_bundle", year=2026)).status_code == 404
    assert not Bundle.objects.exists()


def test_requesting_a_season_file_requires_signing_in(season: Season, client: Client) -> None:
    page = address("taken", "season_file", year=2026)
    assert reverse("account_login") in client.post(page)["Location"]
    assert reverse("account_login") in client.get(page).content.decode()
    assert not Bundle.objects.exists()


def test_a_season_whose_winter_is_not_over_has_no_file(
    ana: Any, season: Season, client: Client
) -> None:
    season.winter.done_at = None
    season.winter.save()
    page = address("taken", "season_file", year=2026)
    assert b"file-h" not in client.get(page).content
    client.post(page)
    assert not Bundle.objects.exists()


@pytest.mark.slow
def test_the_page_of_a_season_file_needs_at_most_eight_queries(
    ana: Any,
    season: Season,
    client: Client,
    sent: list[tuple[Any, int]],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    page = address("taken", "season_file", year=2026)
    client.post(page)
    jobs.make_file(sent[0][1], clock=timezone.now)
    client.logout()
    with django_assert_max_num_queries(8):
        client.get(page)


def test_a_season_file_can_be_uploaded_and_imported(
    ana: Any, client: Client, sent: list[tuple[Any, int]], elsewhere: Elsewhere
) -> None:
    assert client.get(BRING).status_code == 200
    assert client.post(BRING, {"file": upload(elsewhere.public[2026])}).status_code == 302
    assert b"<progress" in client.get(BRING).content
    assert jobs.import_file(sent[0][1], clock=timezone.now)
    bundle = Bundle.objects.get()
    assert (bundle.state, bundle.head) == ("done", elsewhere.heads[2026])
    assert not BundlePart.objects.exists()
    circuit = Circuit.objects.get()
    assert (circuit.owner, circuit.public, circuit.roster) == (ana, False, "imported")
    shown = client.get(BRING).content.decode()
    assert address(circuit.slug, "season", year=2026) in shown
    for name in ("season", "escalafon", "winter", "awards", "yearbook"):
        assert client.get(address(circuit.slug, name, year=2026)).status_code == 200, name
    corrida = Corrida.objects.over().first()
    assert corrida
    assert client.get(address(circuit.slug, "corrida", pk=corrida.pk)).status_code == 200
    assert client.get(address(circuit.slug, "records")).status_code == 200


def test_the_next_season_can_be_imported_into_the_same_circuit(
    ana: Any, client: Client, sent: list[tuple[Any, int]], elsewhere: Elsewhere
) -> None:
    client.post(BRING, {"file": upload(elsewhere.whole[2026])})
    jobs.import_file(sent[0][1], clock=timezone.now)
    circuit = Circuit.objects.get()
    client.post(BRING, {"file": upload(elsewhere.whole[2027]), "circuit": circuit.pk})
    jobs.import_file(sent[1][1], clock=timezone.now)
    assert [season.year for season in Season.objects.order_by("year")] == [2026, 2027]
    assert Circuit.objects.count() == 1


def test_a_season_file_with_false_values_is_reported_and_not_stored(
    ana: Any, client: Client, sent: list[tuple[Any, int]], elsewhere: Elsewhere
) -> None:
    told = entries(elsewhere.public[2026])
    next(one for one in told if one["kind"] == "escalafon")["escalafon"][0]["ears"] += 1
    client.post(BRING, {"file": upload(packed(sealed(told)))})
    jobs.import_file(sent[0][1], clock=timezone.now)
    assert Bundle.objects.get().state == "failed"
    assert b"ears" in client.get(BRING).content
    assert not Circuit.objects.exists()
    assert not BundlePart.objects.exists()


def test_an_upload_that_is_not_a_season_file_is_reported_and_escaped(
    ana: Any, client: Client, sent: list[tuple[Any, int]]
) -> None:
    client.post(BRING, {"file": upload(b"<script>alert(1)</script>")})
    jobs.import_file(sent[0][1], clock=timezone.now)
    shown = client.get(BRING).content
    assert b"Nothing was saved" in shown
    assert b"<script>alert" not in shown


def test_uploads_are_limited_in_size_and_to_one_at_a_time(
    ana: Any, client: Client, sent: list[tuple[Any, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(BRING, {"file": upload(b"first")})
    again = client.post(BRING, {"file": upload(b"second")})
    assert again.status_code == 422
    Bundle.objects.update(state="failed")
    monkeypatch.setattr("corridas.archive.operations.MAX_BYTES", 10)
    large = client.post(BRING, {"file": upload(b"x" * 11)})
    assert large.status_code == 422
    assert Bundle.objects.count() == 1


def test_an_upload_is_rejected_if_the_user_may_not_have_another_circuit(
    ana: Any, client: Client, sent: list[tuple[Any, int]], settings: Any
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 0
    assert client.post(BRING, {"file": upload(b"first")}).status_code == 422
    assert not Bundle.objects.exists()
    assert not sent


def test_a_season_can_be_imported_only_into_the_user_s_own_circuit(
    ana: Any, season: Season, client: Client, sent: list[tuple[Any, int]]
) -> None:
    given = {"file": upload(b"first"), "circuit": season.circuit_id}
    assert client.post(BRING, given).status_code == 422
    assert not Bundle.objects.exists()


def test_importing_a_season_requires_signing_in(client: Client) -> None:
    assert client.get(BRING).status_code == 302
    assert client.post(BRING, {"file": upload(b"first")}).status_code == 302
    assert not Bundle.objects.exists()


def test_a_failed_export_is_retried_three_times(
    ana: Any,
    season: Season,
    client: Client,
    sent: list[tuple[Any, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client.post(address("taken", "season_file", year=2026))
    key = sent[0][1]
    monkeypatch.setattr(jobs, "export", lambda *_args, **_more: 1 / 0)
    for tries in range(1, 4):
        tasks.make_bundle(key)
        row = Bundle.objects.get()
        assert (row.attempts, row.state) == (tries, "failed" if tries == 3 else "queued")
    monkeypatch.undo()
    Bundle.objects.update(state="running", attempts=1, asked_at=world.NOW, beat_at=world.NOW)
    assert jobs.lost(Bundle.Way.OUT, at=timezone.now()) == [key]
    assert jobs.make_file(key, clock=timezone.now)
