"""Frames of a broadcast as parts of one gzip stream, compressed once for all who watch it.

What follows in a stream of deflate may refer to the text before it by distance. So a frame that
was compressed against the one before it is right for everybody whose last text is that very frame,
whenever they joined. Whoever has another gets it compressed by itself. Parts end at a whole byte.
A stream has no trailer, because it is never known to be complete.
"""

from __future__ import annotations

import zlib
from typing import Final

# The header of a stream, without a name or a time.
STREAM_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
MAX_STORED: Final = 65_535
LEVEL: Final = 6
MEMORY: Final = 9


class Frame:
    """An event of a broadcast."""

    __slots__ = ("_after", "_alone", "_before", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        # The text that most readers have at last: that of the event before.
        self._before: bytes | None = None
        self._after: bytes | None = None
        self._alone: bytes | None = None

    def packed(self, last: bytes | None) -> bytes:
        """Return the frame for readers whose last text is that of the event before, or None.

        If that event was drawn twice, those who have another text of it get the frame by itself.
        """
        if last is not None and self._before is None:
            self._before, self._after = last, _compressed(self.text, last)
        if last is self._before and self._after is not None:
            return self._after
        if self._alone is None:
            self._alone = _compressed(self.text)
        return self._alone


def _compressed(text: bytes, before: bytes = b"") -> bytes:
    coder = zlib.compressobj(
        LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, MEMORY, zlib.Z_DEFAULT_STRATEGY, before
    )
    return coder.compress(text) + coder.flush(zlib.Z_SYNC_FLUSH)


def stored_block(text: bytes) -> bytes:
    """Return a short text as it is, as a block of the stream."""
    assert len(text) <= MAX_STORED
    length = len(text).to_bytes(2, "little")
    return b"\x00" + length + bytes(byte ^ 0xFF for byte in length) + text
