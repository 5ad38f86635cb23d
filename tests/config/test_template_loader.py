"""The template loader removes indentation from HTML, and errors still name the right line."""

from pathlib import Path

import pytest
from django.template import Engine, TemplateSyntaxError

LOADERS = ["config.template_loader.Loader"]


def engine(folder: Path, name: str, text: str) -> Engine:
    (folder / name).write_text(text)
    return Engine(dirs=[str(folder)], loaders=LOADERS)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("page.html", "<ul>\n<li>one\ntwo</li>\n\n</ul>\n"),
        ("letter.txt", "<ul>\n  <li>one\n\ttwo</li>\n  \n</ul>\n"),
    ],
)
def test_rendered_html_contains_no_indentation(tmp_path: Path, name: str, sent: str) -> None:
    text = "<ul>\n  <li>one\n\ttwo</li>\n  \n</ul>\n"
    assert engine(tmp_path, name, text).render_to_string(name) == sent


def test_template_error_names_the_line_of_the_file(tmp_path: Path) -> None:
    wrong = engine(tmp_path, "page.html", "<p>\n    {% nothing %}\n</p>")
    wrong.debug = True
    with pytest.raises(TemplateSyntaxError) as error:
        wrong.get_template("page.html")
    assert error.value.template_debug["line"] == 2  # type: ignore[attr-defined]


def test_site_uses_the_template_loader_without_indentation() -> None:
    assert "\n " not in Engine.get_default().get_template("base.html").source
