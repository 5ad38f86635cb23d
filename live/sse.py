"""Server-sent events as bytes, built once and shared by all connections."""

from __future__ import annotations

RETRY_MS = 1500
RETRY = b"retry: %d\n\n" % RETRY_MS
# An event without data would not be dispatched: scripts must hear it, because a browser does not
# notice by itself that the network has dropped a connection.
HEARTBEAT_EVENT = b"event: heartbeat\ndata: still here\n\n"
# Something happened to the broadcast itself. Without an id, so that no card is missed after it.
NOTICE_EVENT = b"event: notice\ndata: %b\n\n"
END_EVENT = b"event: end\ndata: end\n\n"


def one_line(fragment: str) -> str:
    """Return HTML without line breaks: each line is a `data:` of its own in an event.

    Between tags they go with the blanks around them, elsewhere a blank takes their place.
    """
    lines = filter(None, map(str.strip, fragment.split("\n")))
    return "\n".join(lines).replace(">\n<", "><").replace("\n", " ")


def card_event(number: int, fragment: bytes) -> bytes:
    lines = b"\ndata: ".join(fragment.splitlines()) or b" "
    return b"id: %d\nevent: card\ndata: %b\n\n" % (number, lines)


def data_event(number: int, data: bytes) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (number, data)


def id_only(number: int) -> bytes:
    """Return an id without data. Nothing is dispatched, but a reconnect continues from it."""
    return b"id: %d\n\n" % number


def comment(words: str) -> bytes:
    return b": %b\n\n" % words.encode()
