"""What happens to circuits, and to names stored with them, when their director's account is
deleted.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.account_deletion import registry as deletion_registry
from accounts.account_deletion.registry import Deletion, DeletionHandler, Effect, StoredText
from core.names.fields import with_keys
from corridas.circuit_queries import SHIPPED, has_history
from corridas.circuits.operations import delete_circuit
from corridas.models import (
    Bull,
    Bundle,
    Cartel,
    Change,
    Circuit,
    CircuitCopy,
    Corrida,
    Deck,
    Feria,
    Follow,
    Ganaderia,
    Matador,
    Plaza,
    Run,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User


def register_deletion() -> None:
    deletion_registry.register_handler(DeletionHandler(part=_delete_circuits, effects=_effects))
    deletion_registry.register_texts(*_TEXTS)
    deletion_registry.register_models_with_own_names(Matador, Ganaderia, Bull, Plaza, Feria)


def _effects(user: User) -> Iterable[Effect]:
    if Follow.objects.filter(user=user).exists():
        text = _("Your list of the matadors and herds that you follow will be deleted.")
        yield Effect(text=text, kept=False)
    owned = Circuit.objects.filter(owner=user).select_related("offered_to").order_by("name_key")
    kept = {circuit: has_history(circuit) for circuit in owned}
    for circuit, is_kept in kept.items():
        yield Effect(text=_effect_text(circuit), kept=is_kept)
    if any(is_kept and circuit.slug != SHIPPED for circuit, is_kept in kept.items()):
        text = _(
            "The seasons in your circuits keep the address at which they were announced, "
            "because the address is part of the seal."
        )
        yield Effect(text=text, kept=True)
    if _copies_by_others(user).exists():
        text = _(
            "Your name will be removed from the titles of copies that other people have made "
            "of your circuits."
        )
        yield Effect(text=text, kept=False)


def _effect_text(circuit: Circuit) -> str:
    if circuit.slug == SHIPPED:
        return _("%s will continue without a director.") % circuit
    if not has_history(circuit):
        return _("%s will be deleted, because no corridas have been played in it.") % circuit
    if circuit.offered_to:
        return _(
            "%(circuit)s will be paused until %(name)s accepts your offer to take it over."
        ) % {
            "circuit": circuit,
            "name": circuit.offered_to.get_username(),
        }
    if circuit.public:
        return (
            _("%s will be frozen and will have no director, but its pages can still be viewed.")
            % circuit
        )
    return _("%s will be archived. Only administrators will be able to see it.") % circuit


def _delete_circuits(deletion: Deletion) -> None:
    """Delete circuits in which nothing was played. Other circuits lose only their director's name.

    The database deletes the list of followed matadors and herds with the user's row.
    """
    for circuit in Circuit.objects.filter(owner=deletion.user).order_by("pk"):
        _delete_or_freeze(circuit, deletion)


def _copies_by_others(user: User) -> QuerySet[CircuitCopy]:
    """Return copies that others made of the user's circuits, and copies of those copies.

    Their names contain the name of the original circuit.
    """
    owned = Q(source__owner=user) | Q(source__former_owners=user)
    found: set[int] = set()
    more = set(CircuitCopy.objects.filter(owned).values_list("pk", flat=True))
    while more - found:
        found |= more
        copied = CircuitCopy.objects.filter(pk__in=more).values("circuit")
        more = set(CircuitCopy.objects.filter(source__in=copied).values_list("pk", flat=True))
    return CircuitCopy.objects.filter(pk__in=found).exclude(asked_by=user)


def _delete_or_freeze(circuit: Circuit, deletion: Deletion) -> None:
    if circuit.slug == SHIPPED:
        return
    if not has_history(circuit):
        if not circuit.archived_at:
            delete_circuit(circuit=circuit, by=deletion.user, at=deletion.at)
            return
    elif not circuit.public and circuit.offered_to_id is None:
        circuit.archived_at = circuit.archived_at or deletion.at
    circuit.frozen_at = circuit.frozen_at or deletion.at
    circuit.save(update_fields=["archived_at", "frozen_at"])


# Stored texts from which the name of a deleted user is removed


def _circuits(user: User) -> QuerySet[Circuit]:
    """Return circuits that the user directs or directed, and copies that others made of them."""
    copies = _copies_by_others(user).values("circuit")
    own = Q(owner=user) | Q(former_owners=user)
    named = Circuit.everything.filter(own | Q(pk__in=copies))
    return Circuit.everything.filter(pk__in=list(named.values_list("pk", flat=True)))


def _copies(user: User) -> QuerySet[CircuitCopy]:
    keys = list(_copies_by_others(user).values_list("pk", flat=True))
    return CircuitCopy.objects.filter(pk__in=keys)


def _decks(user: User) -> QuerySet[Deck]:
    """Return the decks of the user's circuits.

    A deck made for a circuit contains the circuit's name in its own.
    """
    circuits = _circuits(user)
    drawn = Cartel.objects.filter(corrida__season__circuit__in=circuits.values("pk"))
    used = Q(pk__in=circuits.values("deck")) | Q(pk__in=drawn.values("deck"))
    return Deck.objects.filter(pk__in=list(Deck.objects.filter(used).values_list("pk", flat=True)))


def _changes(user: User) -> QuerySet[Change]:
    """Return the history of changes to the user's circuits and decks.

    Changes to rosters are left out, because they only contain names of matadors.
    """
    circuits, decks = _circuits(user).values("pk"), _decks(user).values("pk")
    return Change.objects.filter(
        Q(kind="circuit", row__in=circuits) | Q(kind="deck", row__in=decks)
    )


def _broken_runs(user: User) -> QuerySet[Run]:
    """Return runs of the user's circuits whose column `reason` contains an error message.

    A run simulates part of a season. Runs that ended without an error have a key such as `injury`.
    """
    runs = Run.objects.filter(season__circuit__in=_circuits(user).values("pk"))
    return runs.exclude(reason="").exclude(reason__regex=r"^[a-z_,]+$")


def _failed_corridas(user: User) -> QuerySet[Corrida]:
    corridas = Corrida.objects.filter(season__circuit__in=_circuits(user).values("pk"))
    return corridas.exclude(error="")


def _renamed(deletion: Deletion, keys: list[int]) -> None:
    """Move renamed circuits to new addresses, and delete their season files.

    The files contain the old name.
    """
    Bundle.objects.filter(season__circuit__in=keys, way=Bundle.Way.OUT).delete()
    for circuit in Circuit.objects.filter(pk__in=keys).exclude(slug=SHIPPED):
        _move(circuit, deletion)


def _move(circuit: Circuit, deletion: Deletion) -> None:
    """Give a circuit a URL that does not contain its director's name.

    The old slug is stored, because the commitments of its past seasons contain it.
    """
    before = circuit.slug
    if circuit.seasons.exists():
        circuit.promised_as = circuit.promised_name
    circuit.slug = f"{slugify(circuit.name)[:30]}-{secrets.token_hex(4)}"
    circuit.save(update_fields=with_keys(Circuit, ["slug", "promised_as"]))
    # Register redirects from the old URLs of pages and of the API.
    for folder in ("circuitos", "circuits"):
        deletion.moves[folder, before] = circuit.slug


_TEXTS: Final = (
    StoredText(model=Circuit, columns=("name",), rows=_circuits, slug="slug", changed=_renamed),
    StoredText(model=CircuitCopy, columns=("name",), rows=_copies),
    StoredText(model=Deck, columns=("name",), rows=_decks),
    StoredText(model=Change, columns=("title",), rows=_changes),
    StoredText(
        model=Change,
        columns=("before", "after"),
        rows=_changes,
        links=True,
        members=("name", "owner", "offered_to"),
    ),
    # Error messages may quote texts that contain the name.
    StoredText(
        model=Bundle, columns=("findings",), rows=lambda user: Bundle.objects.exclude(findings=[])
    ),
    StoredText(model=Run, columns=("reason",), rows=_broken_runs),
    StoredText(model=Corrida, columns=("error",), rows=_failed_corridas),
)
