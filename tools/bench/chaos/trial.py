"""One chaos test: queue work, kill processes, wait for the work and check the results."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Generic, LiteralString, TypeVar

from fairness import Chance
from tools.bench.chaos.followers import Follower, Page, open_page
from tools.bench.chaos.site import Site
from tools.bench.elsewhere import call

QUIET_WITHIN = 400.0  # seconds after the last kill
STUCK_AFTER = 60.0  # seconds in which nothing is played, shown or posted
LOOK = 0.2  # seconds
# Number of plain clients that follow each watched corrida, and of those that follow all events.
A_KIND = 2
EVENTS = "/live/events/all/"
# What is left to do.
QUEUED: LiteralString = "SELECT count(*) FROM corridas_corrida WHERE state = 'queued'"
ON_AIR: LiteralString = "SELECT count(*) FROM corridas_corrida WHERE state = 'on_air'"
COPIES: LiteralString = """
    SELECT count(*) FROM corridas_circuitcopy
    WHERE state IN ('queued', 'running') OR (state = 'failed' AND circuit_id IS NOT NULL)
"""
Played = TypeVar("Played", bound=Site)


@dataclass
class Outcome:
    """The results of a chaos test."""

    corridas: int
    kills: dict[str, int]
    states: dict[str, int]
    retries: int
    copies: dict[str, int]
    faults: list[str]
    followers: int
    browser: bool
    lines: int
    heard: int
    missed: int
    twice: int
    quiet_after: float
    times: dict[str, float] = field(default_factory=dict)

    def well(self) -> bool:
        return not (self.faults or self.missed or self.twice)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"ok": self.well()}

    def report(self) -> Sequence[str]:
        kills = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kills.items()))
        browser = "one of them a page in Chromium" if self.browser else "no browser found"
        return [
            f"Killed: {sum(self.kills.values())} ({kills}).",
            f"{self.corridas} corridas: {self.states}; {self.retries} were tried more than once.",
            f"Copies of circuits meanwhile: {self.copies}.",
            f"{self.followers} clients ({browser}) with {self.lines} connections.",
            f"{self.heard} events received, {self.missed} missed, {self.twice} received twice.",
            f"All work was done {self.quiet_after:.0f} s after the last kill.",
            *(f"{name.replace('_', ' ')} {time:.1f} s." for name, time in self.times.items()),
            *self.faults[:20],
            "OK." if self.well() else f"{len(self.faults)} FAULTS.",
        ]


class Trial(Generic[Played]):
    """A chaos test: a number of corridas, and the random generator that chooses what to kill.

    `every` is the number of seconds between two kills.
    """

    def __init__(self, site: Played, corridas: int, chance: Chance, every: float) -> None:
        self.site, self.kills = site, Counter[str]()
        self._corridas, self._chance, self._every = corridas, chance, every
        self._followers: list[Follower] = []
        self._page: Page | None = None

    def run(self, seconds: int) -> Outcome:
        began = time.monotonic()
        watched = call("chaos.scene.prepare", self._corridas)["watched"]
        self.site.serve()
        print(
            f"{self._corridas} carteles announced after {time.monotonic() - began:.0f} s.",
            flush=True,
        )
        call("chaos.scene.queue", self._corridas)
        call("chaos.scene.copy")
        streams = [f"/live/corrida-en/{key}/" for key in watched]
        self._followers = [Follower(self.site.port, path) for path in [*streams, EVENTS] * A_KIND]
        for follower in self._followers:
            follower.start()
        self._page = open_page(f"http://127.0.0.1:{self.site.port}/corridas/{watched[0]}/")
        try:
            self.kill_for(seconds)
            return self._count(self._wait_until_quiet())
        finally:
            for follower in self._followers:
                follower.stop()
            if self._page is not None:
                self._page.close()

    def kill_for(self, seconds: int) -> None:
        began = time.monotonic()
        kinds = sorted({part.kind for part in self.site.parts})
        for number in range(1, int(seconds / self._every) + 1):
            kind = self._chance.pick(kinds)
            part = self._chance.pick([part for part in self.site.parts if part.kind == kind])
            self.kills[kind] += part.kill(self._chance)
            self.look_until(began + number * self._every)

    def look_until(self, instant: float) -> None:
        while time.monotonic() < instant:
            for part in self.site.parts:
                part.look()
            time.sleep(min(LOOK, max(0.0, instant - time.monotonic())))

    def _wait_until_quiet(self) -> float:
        """Wait until nothing is left to play, show or copy, or nothing moves.

        Return the seconds it took.
        """
        began = moved = time.monotonic()
        before: tuple[int, ...] = ()
        while time.monotonic() < min(began + QUIET_WITHIN, moved + STUCK_AFTER):
            self.look_until(time.monotonic() + 1)
            waiting = tuple(map(self.site.count, (QUEUED, ON_AIR, COPIES)))
            if not any(waiting) and self._all_heard():
                break
            stands = *waiting, sum(follower.heard.total() for follower in self._followers)
            moved, before = (moved, before) if stands == before else (time.monotonic(), stands)
        took = time.monotonic() - began
        self.look_until(time.monotonic() + 5)  # for events that are sent afterwards
        return took

    def _all_heard(self) -> bool:
        ended = (follower.ended for follower in self._followers if follower.path != EVENTS)
        return all(ended) and (self._page is None or self._page.ended())

    def _count(self, quiet: float) -> Outcome:
        audit = call("chaos.scene.audit", self._corridas)
        expected: dict[str, Sequence[int]] = {
            f"/live/corrida-en/{key}/": range(1, n + 1) for key, n in audit["moments"].items()
        }
        expected[EVENTS] = audit["events"]
        heard = [(follower.heard, expected[follower.path]) for follower in self._followers]
        if self._page is not None:
            seen = self._page.heard()
            last = max(expected[self._followers[0].path])
            heard.append((seen, range(min(seen, default=1), last + 1)))
        return Outcome(
            corridas=self._corridas,
            kills=dict(self.kills),
            states=audit["states"],
            retries=audit["retries"],
            copies=audit["copies"],
            faults=[*audit["faults"], *self.site.faults()],
            followers=len(heard),
            browser=self._page is not None,
            lines=sum(follower.lines for follower in self._followers),
            heard=sum(counted.total() for counted, _ in heard),
            missed=sum(number not in counted for counted, numbers in heard for number in numbers),
            twice=sum(count > 1 for counted, _ in heard for count in counted.values()),
            quiet_after=quiet,
            times=audit["times"],
        )
