"""The acta (record file) of a corrida that was played is verified without errors."""

from typing import Any

import pytest

import actas

Document = dict[str, Any]


@pytest.mark.slow
def test_record_files_of_played_corridas_are_verified_without_errors(
    written: list[Document],
) -> None:
    assert {document["kind"] for document in written} == {"corrida", "lidia"}
    for document in written:
        verdict = actas.check(document)
        assert verdict.stands, (document["of"], verdict.refused, verdict.lines)
        assert actas.check_file(actas.to_bytes(document)).stands
