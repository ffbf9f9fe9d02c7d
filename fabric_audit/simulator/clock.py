"""Time in the pod: real time, faster, or no real time at all."""

import asyncio
import heapq
import time
from dataclasses import dataclass, field
from itertools import count

SETTLE_S = 0.004
"""Real seconds in which nobody begins to wait, before time without real time moves on: pairs of a round begin together,
so they run together."""


@dataclass(slots=True)
class Clock:
    """``scale`` real seconds pass for each simulated one; with 0, time moves when all that runs waits for it."""

    scale: float = 1.0
    _began: float = field(default_factory=time.monotonic)
    _skipped: float = 0.0
    _waiting: "list[tuple[float, int, asyncio.Event]]" = field(default_factory=list)
    _number: "count[int]" = field(default_factory=count)
    _moving: "asyncio.Task[None] | None" = None

    def now(self) -> float:
        """Simulated seconds since the pod began."""
        return self._skipped + ((time.monotonic() - self._began) / self.scale if self.scale else 0.0)

    def counted_s(self, seconds: float) -> float:
        """How long simulated seconds are to whoever reads counters of time with a clock of his own."""
        return seconds * (self.scale or 1.0)

    async def sleep(self, seconds: float) -> None:
        """Let simulated time pass."""
        if self.scale:
            await asyncio.sleep(seconds * self.scale)
            return
        woken = asyncio.Event()
        heapq.heappush(self._waiting, (self._skipped + seconds, next(self._number), woken))
        if self._moving is None or self._moving.done():
            self._moving = asyncio.create_task(self._move())
        await woken.wait()

    async def _move(self) -> None:
        """On to the next moment for which somebody waits, whenever everybody does."""
        while self._waiting:
            waiting, first = len(self._waiting), self._waiting[0]
            await asyncio.sleep(SETTLE_S)
            if (len(self._waiting), self._waiting[0]) == (waiting, first):
                self._skipped = max(self._skipped, first[0])
                while self._waiting and self._waiting[0][0] <= self._skipped:
                    heapq.heappop(self._waiting)[2].set()
