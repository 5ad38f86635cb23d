"""What results and people from here are called in the app's files: always the same."""

from __future__ import annotations

from uuid import UUID, uuid5

NAMESPACE = UUID("6f1c2b6e-6d4b-5c39-9f6c-0d6a7b1f5e21")
"""Chosen once and kept: it makes our names ours."""


def play_uuid(key: str) -> str:
    """The identity of a result; one that came with a uuid keeps it."""
    return _kept(key) or str(uuid5(NAMESPACE, f"play/{key}"))


def player_uuid(identity: str, name: str) -> str:
    """The identity of a player: the one brought along, else made of it, else of the name."""
    return _kept(identity) or str(
        uuid5(NAMESPACE, f"player/{identity}" if identity else f"name/{name}")
    )


def thing_uuid(kind: str, name: str) -> str:
    """The identity of a game or a place by its name."""
    return str(uuid5(NAMESPACE, f"{kind}/{name}"))


def _kept(identity: str) -> str:
    try:
        return str(UUID(identity)) if len(identity) == 36 else ""
    except ValueError:
        return ""
