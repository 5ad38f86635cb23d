"""The lookup `folded`: finds rows that contain every word typed, regardless of accents and case."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import EmptyResultSet
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Lookup, TextField, Value
from django.db.models.functions import Replace
from django.db.models.lookups import Contains, IContains
from django.db.models.sql.compiler import SQLCompiler

from core.names.fields import SearchTextField, SparseNameKeyField
from core.names.text import TILDE, words_of


class Folded(Lookup):
    """Lookup that is true if the column contains each of the words, regardless of accents and case.

    The column is a `SearchTextField` or the key of a name (`SparseNameKeyField`). A `CharField` is
    compared with its accents, so use it for plain letters or together with one of the others.
    """

    lookup_name = "folded"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        conditions = [compiler.compile(self._contains(word)) for word in words_of(str(self.rhs))]
        if not conditions:
            raise EmptyResultSet
        values = [value for _sql, some in conditions for value in some]
        return " AND ".join(f"({sql})" for sql, _values in conditions), values

    def _contains(self, word: str) -> Lookup[Any]:
        if isinstance(self.lhs.output_field, SparseNameKeyField):
            plain = Replace(self.lhs, Value(TILDE), Value(""), output_field=TextField())
            return Contains(plain, word)
        if isinstance(self.lhs.output_field, SearchTextField):
            return Contains(self.lhs, word)
        return IContains(self.lhs, word)


FIELDS: Final = (CharField, SearchTextField, SparseNameKeyField)


def register_lookups() -> None:
    for field in FIELDS:
        field.register_lookup(Folded)
