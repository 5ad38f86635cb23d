"""Types of the ASGI protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
# Type of a callback registry, which is not part of ASGI. The embedded server puts it into the scope
# of a stream as `on_disconnect` and calls the registered function when the client disconnects.
# Without it, each stream needs a task that waits for the disconnect message.
OnDisconnect = Callable[[Callable[[], None]], None]
