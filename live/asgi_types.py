"""Types of the ASGI protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
# Not part of ASGI: the embedded server puts it into a stream's scope as `on_disconnect`, and calls
# back once the reader has gone. Without it each stream needs a task that waits for a message.
OnDisconnect = Callable[[Callable[[], None]], None]
