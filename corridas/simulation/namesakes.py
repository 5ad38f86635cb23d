"""Updates `Matador.distinction`, which distinguishes matadors of the same name in a circuit."""

from __future__ import annotations

from collections.abc import Collection

from corridas.models import Matador
from corridas.world.names import Bearer, distinctions

# Columns from which the distinctions are calculated.
COLUMNS = ("slug", *("name", "apodo", "birthplace", "born", "alternativa"))


def tell_apart(circuit_id: int, *, without: Collection[int] = ()) -> None:
    """Update the distinctions of a circuit's matadors after some were added or renamed.

    All matadors are compared, because a new matador may change the distinctions of others.
    `without` are the keys of matadors that are about to be deleted. One query if nothing changes.
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
