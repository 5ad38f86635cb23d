"""URLs of the pages of circuits.

The bundled circuit has short URLs. The pages of other circuits are below `/circuitos/<slug>/`, with
the same URL patterns in the namespace `circuit`.
"""

from __future__ import annotations

from typing import Final

from django.urls import register_converter, reverse

from core.addresses import AddressConverter
from corridas.circuit_queries import SHIPPED
from corridas.models import Feria, Matador

NAMESPACE: Final = "circuit"


class MatadorConverter(AddressConverter):
    folders = Matador.FOLDERS


class FeriaConverter(AddressConverter):
    folders = Feria.FOLDERS


register_converter(MatadorConverter, "matador")
register_converter(FeriaConverter, "feria")


def address(circuit: str, name: str, **parts: object) -> str:
    """Return the URL of the page `name` of a circuit, given by its slug.

    An empty slug is the bundled circuit. `parts` are the arguments of the URL pattern (`slug`,
    `year`, `pk`, ...). Raises `NoReverseMatch` for an unknown page.
    """
    if circuit in {"", SHIPPED}:
        return reverse(name, kwargs=parts)
    return reverse(f"{NAMESPACE}:{name}", kwargs={"circuit": circuit, **parts})
