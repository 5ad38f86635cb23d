"""Addresses of the pages of circuits.

The shipped circuit has short addresses. The pages of all others are under `/circuitos/<slug>/`,
with the same patterns in the namespace `circuit`.
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
    """Return the address of the page `name` of a circuit by slug. An empty slug is the shipped one.

    `parts` are the pattern's arguments (`slug`, `year`, `pk`, ...). Raises `NoReverseMatch` for an
    unknown page.
    """
    if circuit in {"", SHIPPED}:
        return reverse(name, kwargs=parts)
    return reverse(f"{NAMESPACE}:{name}", kwargs={"circuit": circuit, **parts})
