"""The cache: what the previous release stored in it can still be read."""

import pickle

import pytest

from config.cache import MOVED_MODULES, CacheSerializer
from core.spreadsheets.errors import Fault
from core.spreadsheets.files import Tables
from core.spreadsheets.sheets import Line, Sheet
from leagues.exchange.operations import FileFormat
from leagues.pages.exchange.views import _Upload

UPLOADS = [
    _Upload(b"Ana;2", FileFormat.CSV, ("Matador",)),
    Tables((Sheet("plazas", [Line(2, ["Ronda"], {0: "Too short."})]),)),
    Tables(fault=Fault("plazas.csv", 2, "name", "", "Choose a name.")),
]


def stored_by_previous_release(value: object) -> bytes:
    """Pickle a value as if its classes were still in the modules of the previous release."""
    stored = pickle.dumps(value, protocol=0)
    for before, now in MOVED_MODULES.items():
        stored = stored.replace(f"c{now}\n".encode(), f"c{before}\n".encode())
        stored = stored.replace(f"V{now}\n".encode(), f"V{before}\n".encode())
    return stored


@pytest.mark.parametrize("value", UPLOADS, ids=["league", "roster", "unreadable roster"])
def test_upload_stored_by_previous_release_is_read(value: object) -> None:
    stored = stored_by_previous_release(value)
    assert stored != pickle.dumps(value, protocol=0)
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(stored)
    assert CacheSerializer().loads(stored) == value


@pytest.mark.parametrize("value", [*UPLOADS, 7, True, None, "text", b"body", [1.5]])
def test_serializer_returns_what_it_stored(value: object) -> None:
    serializer = CacheSerializer()
    assert serializer.loads(serializer.dumps(value)) == value


@pytest.mark.parametrize("missing", ["core.spreadsheets.sheets\nRow", "core.no_module\nLine"])
def test_object_of_a_class_that_was_renamed_counts_as_missing(missing: str) -> None:
    assert CacheSerializer().loads(f"c{missing}\n)R.".encode()) is None
