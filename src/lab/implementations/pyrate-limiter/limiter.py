from pyrate_limiter import InMemoryBucket, Limiter, Rate, RateItem

PACKAGE = "pyrate-limiter"
COST = True
MS_US = 1_000


def cannot(limit, per_us):
    return None if per_us % MS_US == 0 else f"its windows are whole milliseconds, and this one is {per_us} us"


class create:
    def __init__(self, limit, per_us, variant):
        self.limit, self.per_ms = limit, per_us // MS_US
        self.limiters = {}

    def decide(self, key, cost):
        if key not in self.limiters:
            bucket = InMemoryBucket([Rate(self.limit, self.per_ms)])
            self.limiters[key] = (bucket, Limiter(bucket))
        bucket, limiter = self.limiters[key]
        if limiter.try_acquire(key, cost, blocking=False):
            return {"admitted": True}
        wait_ms = bucket.waiting(RateItem(key, bucket.now(), cost))
        return {"admitted": False, "retry_after_us": wait_ms * MS_US} if wait_ms >= 0 else {"admitted": False}
