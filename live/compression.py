"""Events of a broadcast as parts of a gzip stream, compressed once for all watchers.

In a deflate stream, data may refer to preceding text by its distance. A frame compressed against
the preceding frame is therefore valid for all watchers whose last text is exactly that frame, no
matter when they joined. Other watchers get the frame compressed by itself. Each part ends at a
whole byte. The stream has no trailer, because its end is never known in advance.
"""

from __future__ import annotations

import zlib
from typing import Final

# Header of a gzip stream without a file name and time.
STREAM_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
MAX_STORED: Final = 65_535
LEVEL: Final = 6
MEMORY: Final = 9


class EventFrame:
    """The text of one broadcast event, with its compressed forms."""

    __slots__ = ("_after", "_alone", "_before", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        # The text that most watchers received last. This is the text of the preceding event.
        self._before: bytes | None = None
        self._after: bytes | None = None
        self._alone: bytes | None = None

    def packed(self, last: bytes | None) -> bytes:
        """Return the frame compressed for a watcher whose last text was `last` (or None).

        If the preceding event was rendered twice, some watchers have another text of that event.
        They get a frame that was compressed without it.
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
    """Return a short text as an uncompressed block of the deflate stream."""
    assert len(text) <= MAX_STORED
    length = len(text).to_bytes(2, "little")
    return b"\x00" + length + bytes(byte ^ 0xFF for byte in length) + text
