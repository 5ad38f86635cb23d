"""An event kind that exists in tests only."""

import pytest

from events.kinds import EventKind, kinds

KIND = "test.happened"


@pytest.fixture(autouse=True, scope="session")
def _kind() -> None:
    """Register an event kind for tests."""
    if KIND not in kinds:
        kinds.register(
            EventKind(key=KIND, name="test", words=lambda one: one.subject, page=lambda one: "")
        )
