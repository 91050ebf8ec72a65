import time

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import STRATEGIES

PACKAGE = "limits"
COST = True
SECOND_US = 1_000_000

STRATEGY = {
    "fixed-window": "fixed-window",
    "moving-window": "moving-window",
    "sliding-window-counter": "sliding-window-counter",
}


def cannot(limit, per_us):
    return None if per_us % SECOND_US == 0 else f"its windows are whole seconds, and this one is {per_us} us"


class create:
    def __init__(self, limit, per_us, variant):
        self.item = RateLimitItemPerSecond(limit, per_us // SECOND_US)
        self.limiter = STRATEGIES[STRATEGY[variant]](MemoryStorage())

    def decide(self, key, cost):
        admitted = self.limiter.hit(self.item, key, cost=cost)
        stats = self.limiter.get_window_stats(self.item, key)
        answer = {
            "admitted": admitted,
            "limit": self.item.amount,
            "remaining": stats.remaining,
            "reset_us": stats.reset_time * SECOND_US,
        }
        if not admitted:
            answer["retry_after_us"] = max(0, (stats.reset_time - time.time()) * SECOND_US)
        return answer
