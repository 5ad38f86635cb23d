"""The live feed with a synthetic broadcast, to measure the feed alone.

python -m tools.bench.synthetic PORT START MOMENTS PACE BYTES
"""

import os
import sys
from dataclasses import dataclass

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import uvicorn


@dataclass(frozen=True)
class Synthetic:
    """`count` moments from `start` (unix seconds), one every `pace` seconds, of `size` bytes."""

    start: float
    count: int
    pace: float
    size: int
    ended: bool = True
    notice: str = ""

    @property
    def moments(self) -> list[float]:
        return [self.start + self.pace * place for place in range(self.count)]

    def render(self, number: int) -> bytes:
        line = b'<path class="hash t1 on" d="M11.6 -85.2L13.3 -98.1"/><i>%d</i>' % number
        return b"\n".join([line] * (self.size // len(line) + 1))


def serve(port: int, broadcast: Synthetic) -> None:
    django.setup()
    from live.application import Feed
    from live.broadcast_source import BroadcastSources

    channels = BroadcastSources()
    channels.register("synthetic", {"a": broadcast}.get)
    uvicorn.run(
        Feed(channels),
        interface="asgi3",
        port=port,
        log_level="error",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        backlog=4096,
    )


if __name__ == "__main__":
    port, start, count, pace, size = sys.argv[1:]
    serve(int(port), Synthetic(float(start), int(count), float(pace), int(size)))
