"""A director deletes the account.

The circuit moves to another address, and its commitments can still be verified.
"""

import datetime as dt
import io

import pytest
from django.core.management import call_command

from accounts.account_deletion import operations as account_deletion
from accounts.models import User
from corridas import archive
from corridas.models import Circuit, Season
from corridas.simulation import new_circuit
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import plan
from fairness import Seed
from tests.corridas.archive.conftest import DAYS, end, file_of
from tests.corridas.simulation import world

pytestmark = pytest.mark.django_db
NAME = "Zenobia"
SLUG = "ruedo-de-zenobia"


@pytest.fixture
def season() -> Season:
    """Return a finished season with its winter, in a circuit that bears its director's name."""
    owner = User.objects.create_user(NAME.lower(), "zenobia@example.org", "x")
    name = f"Ruedo de {NAME}"
    circuit = new_circuit.found(shipped(), slug=SLUG, name=name, owner=owner, rules={})
    circuit.calendar = [entry._asdict() for entry in DAYS[1:]]
    circuit.save()
    planned = plan(circuit, world.YEAR, DAYS[1:], seed=Seed(bytes(32)))
    end(planned)
    return Season.objects.select_related("circuit", "winter").get(pk=planned.pk)


def command_output(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_all_commitments_of_a_circuit_verify_after_its_director_deleted_the_account(
    season: Season,
) -> None:
    owner = season.circuit.owner
    assert owner is not None
    departure = account_deletion.request_deletion(owner, at=world.NOW)
    assert account_deletion.delete_account(departure.pk, at=departure.due_at + dt.timedelta(days=1))
    circuit = Circuit.objects.get(pk=season.circuit_id)
    assert NAME.lower() not in circuit.slug
    assert NAME not in circuit.name
    assert circuit.promised_as == SLUG
    assert "1 winters are as promised" in command_output(
        "verify", "winters", f"--circuit={circuit.slug}"
    )
    assert "corridas are as promised" in command_output("verify", "corridas")
    season = Season.objects.select_related("circuit", "winter").get(pk=season.pk)
    assert archive.verify(io.BytesIO(file_of(season))).stands


def test_account_deletion_warns_that_past_seasons_keep_the_old_url_in_their_commitment(
    season: Season,
) -> None:
    owner = season.circuit.owner
    assert owner is not None
    sentence = (
        "The seasons in your circuits keep the address at which they were announced, "
        "because the address is part of the seal."
    )
    assert any(sentence in one.text for one in account_deletion.effects_for(owner))
    nobody = User.objects.create_user("nobody")
    assert not any(sentence in one.text for one in account_deletion.effects_for(nobody))
