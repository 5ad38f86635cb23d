"""The acta (record file) of a corrida that was played is verified without errors."""

from typing import Any

import pytest

import actas

Document = dict[str, Any]


@pytest.mark.slow
def test_record_files_of_played_corridas_are_verified_without_errors(
    documents: list[Document],
) -> None:
    assert {document["kind"] for document in documents} == {"corrida", "lidia"}
    for document in documents:
        verdict = actas.check(document)
        assert verdict.is_confirmed, (document["of"], verdict.refused, verdict.lines)
        assert actas.check_file(actas.to_bytes(document)).is_confirmed
