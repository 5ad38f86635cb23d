"""Where a page of a circuit stands.

The circuit that comes with the site keeps the short addresses; the pages of every other stand
under `/circuitos/<slug>/`, the same patterns once more under the namespace `circuit`.
"""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from corridas.circuits.queries import SHIPPED

NAMESPACE: Final = "circuit"


def address(circuit: str, name: str, **parts: object) -> str:
    """The way to the page `name` of the circuit with this slug; no slug is the shipped one.

    `parts` are those of the pattern, by name (`slug`, `year`, `pk`, ...). Raises `NoReverseMatch`
    where there is no such page.
    """
    if circuit in {"", SHIPPED}:
        return reverse(name, kwargs=parts)
    return reverse(f"{NAMESPACE}:{name}", kwargs={"circuit": circuit, **parts})
