"""Collected CSS files lose comments and indentation. Vendor files stay unchanged."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from server.static_storage import StaticFilesStorage

WRITTEN = '/* Ours. */\n@layer page {\n  a {\n    content: " b";\n\n    top: 0; /* red */\n  }\n}\n'


@pytest.mark.parametrize(
    ("name", "collected"),
    [
        ("css/site.css", '\n@layer page {\na {\ncontent: " b";\ntop: 0; \n}\n}\n'),
        ("vendor/site.css", WRITTEN),
    ],
)
def test_collected_css_has_no_comments_or_indentation(
    tmp_path: Path, name: str, collected: str
) -> None:
    storage = StaticFilesStorage(location=tmp_path)
    storage.save(name, ContentFile(WRITTEN.encode()))
    assert (tmp_path / name).read_text() == collected
    list(storage.post_process({name: (storage, name)}))
    assert (tmp_path / storage.stored_name(name)).read_text() == collected
