"""The board keeper's pages: a phone lies on the real table, people tap what happens."""

from eltoro.views.keeper.page import hall, page

__all__ = ["hall", "page"]
