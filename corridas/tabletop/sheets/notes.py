"""Collects the referee's lines about one lidia while it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.models import Lidia
from corridas.tabletop.sheets.lines import ScoresheetLine, State
from corridas.tabletop.sheets.shape import excerpt


class Notes:
    """The referee's lines about one lidia (fight).

    `part` says what is judged: `cards`, `sheet` or `score`.
    """

    def __init__(self, turn: int, part: str) -> None:
        self._prefix = f"lidias/{turn}/{part}"
        self.lines: list[ScoresheetLine] = []

    def failed(self) -> bool:
        return any(line.refuses for line in self.lines)

    def refuse(
        self,
        path: str,
        figure: str,
        claimed: JSON,
        sentence: str,
        ruling: str,
        derived: object = None,
    ) -> None:
        self._add(path, figure, claimed, derived, State.CONTRADICTED, sentence, ruling)

    def miss(self, path: str, figure: str, sentence: str, ruling: str) -> None:
        self._add(path, figure, None, None, State.MISSING, sentence, ruling)

    def trust(self, path: str, figure: str, claimed: JSON, ruling: str) -> None:
        sentence = _("No contradictions were found.")
        self._add(path, figure, claimed, None, State.ON_TRUST, sentence, ruling)

    def add_derived(
        self,
        path: str,
        figure: str,
        claimed: JSON,
        derived: object,
        ruling: str,
        *,
        why: str = "",
        written: bool | None = None,
    ) -> bool:
        """Add a line about a figure that follows from others.

        Return False if a different value was entered. `why` explains the calculation. `written`
        says whether None was entered explicitly.
        """
        if not (claimed is not None if written is None else written):
            sentence = why or _("This figure follows from the other figures.")
            self._add(path, figure, None, derived, State.DERIVED, sentence, ruling)
            return True
        if same(claimed, derived):
            sentence = why or _("As entered.")
            self._add(path, figure, claimed, derived, State.AGREED, sentence, ruling)
            return True
        words = {"claimed": text(path, claimed) or "—", "derived": text(path, derived) or "—"}
        sentence = _("You entered %(claimed)s, but the result is %(derived)s.") % words
        whole = f"{sentence} {why}".strip()
        self._add(path, figure, claimed, derived, State.CONTRADICTED, whole, ruling)
        return False

    def _add(
        self,
        path: str,
        figure: str,
        claimed: JSON,
        derived: object,
        state: State,
        sentence: str,
        ruling: str,
    ) -> None:
        line = ScoresheetLine(
            path=f"{self._prefix}/{path}" if path else self._prefix,
            figure=figure,
            claimed=text(path, claimed),
            derived=text(path, derived),
            state=state,
            sentence=sentence,
            ruling=ruling,
        )
        self.lines.append(line)


def same(claimed: JSON, derived: object) -> bool:
    """Return whether two figures are equal. Unlike in Python, `True` does not equal 1."""
    if isinstance(derived, (list, tuple)):
        right = isinstance(claimed, (list, tuple)) and len(claimed) == len(derived)
        return right and all(map(same, claimed, derived))
    return isinstance(claimed, bool) == isinstance(derived, bool) and bool(claimed == derived)


def text(path: str, value: JSON) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if path in _CHOICES and isinstance(value, (int, str)):
        return str(dict(_CHOICES[path]).get(value, excerpt(value)))
    return excerpt(value)


_CHOICES: Final[Mapping[str, Sequence[tuple[Any, Any]]]] = {
    "trophy": Lidia.Trophy.choices,
    "crowd": Lidia.Crowd.choices,
    "ending": Lidia.Ending.choices,
}
