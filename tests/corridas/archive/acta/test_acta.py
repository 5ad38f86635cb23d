"""What an acta of Indulto says is so, and whatever else it said would be told."""

from typing import Any

import pytest

import actas

Document = dict[str, Any]


@pytest.mark.slow
def test_what_was_played_stands(written: list[Document]) -> None:
    assert {document["kind"] for document in written} == {"corrida", "lidia"}
    for document in written:
        verdict = actas.check(document)
        assert verdict.stands, (document["of"], verdict.refused, verdict.lines)
        assert actas.check_file(actas.to_bytes(document)).stands
