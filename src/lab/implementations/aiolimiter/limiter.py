# It only delays. A request is refused here where it would have to wait.
import asyncio
import time

from aiolimiter import AsyncLimiter

PACKAGE = "aiolimiter"
COST = True

loop = asyncio.new_event_loop()
loop.time = lambda: time.monotonic()


class create:
    def __init__(self, limit, per_us, variant):
        self.limit, self.per_s = limit, per_us / 1_000_000
        self.limiters = {}

    def decide(self, key, cost):
        return loop.run_until_complete(self.acquire(key, cost))

    async def acquire(self, key, cost):
        limiter = self.limiters.get(key)
        if limiter is None:
            limiter = self.limiters[key] = AsyncLimiter(self.limit, self.per_s)
        if not limiter.has_capacity(cost):
            return {"admitted": False}
        await limiter.acquire(cost)
        return {"admitted": True}
