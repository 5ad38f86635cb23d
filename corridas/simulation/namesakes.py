"""Keeps up to date what tells the namesakes of a circuit apart (`Matador.distinction`)."""

from __future__ import annotations

from collections.abc import Collection

from corridas.models import Matador
from corridas.world.names import Bearer, distinctions

# The columns on which the distinctions of a circuit depend.
COLUMNS = ("slug", *("name", "apodo", "birthplace", "born", "alternativa"))


def tell_apart(circuit_id: int, *, without: Collection[int] = ()) -> None:
    """Set the distinctions of a circuit's matadors after some were added or renamed.

    A new namesake changes the distinctions of others, so all are compared. `without` are the keys
    of matadors that are about to be deleted. One query where nothing changes.
    """
    rows = Matador.objects.filter(circuit=circuit_id).exclude(pk__in=without)
    men = {Bearer(*row): (pk, before) for pk, before, *row in rows.values_list(
        "pk", "distinction", *COLUMNS
    )}  # fmt: skip
    found = distinctions(men)
    changed = [
        Matador(pk=pk, distinction=found.get(man.slug, ""))
        for man, (pk, before) in men.items()
        if found.get(man.slug, "") != before
    ]
    if changed:
        Matador.objects.bulk_update(changed, ["distinction"])
