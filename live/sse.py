"""Server-sent events as bytes, encoded once and shared by all connections."""

from __future__ import annotations

RETRY_MS = 1500
RETRY = b"retry: %d\n\n" % RETRY_MS
# Heartbeat event. Browsers pass only events with data to scripts. The page's script needs the
# heartbeat, because a browser does not notice that the network has dropped a connection.
HEARTBEAT_EVENT = b"event: heartbeat\ndata: still here\n\n"
# Event about the broadcast itself, such as the publication of its results. It has no id, so that a
# client that reconnects after it does not skip a part of the broadcast.
NOTICE_EVENT = b"event: notice\ndata: %b\n\n"
END_EVENT = b"event: end\ndata: end\n\n"


def one_line(fragment: str) -> str:
    """Return HTML without line breaks. In an event, each line would need a `data:` prefix.

    Between tags, line breaks and the blanks around them are removed. Elsewhere they become one
    blank.
    """
    lines = filter(None, map(str.strip, fragment.split("\n")))
    return "\n".join(lines).replace(">\n<", "><").replace("\n", " ")


def card_event(number: int, fragment: bytes) -> bytes:
    lines = b"\ndata: ".join(fragment.splitlines()) or b" "
    return b"id: %d\nevent: card\ndata: %b\n\n" % (number, lines)


def data_event(number: int, data: bytes) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (number, data)


def id_only(number: int) -> bytes:
    """Return an event with only an id. Browsers do not dispatch it but resume after it."""
    return b"id: %d\n\n" % number


def comment(words: str) -> bytes:
    return b": %b\n\n" % words.encode()
