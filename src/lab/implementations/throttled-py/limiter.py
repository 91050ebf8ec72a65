from datetime import timedelta

from throttled import MemoryStore, Throttled, per_duration

PACKAGE = "throttled-py"
COST = True
SECOND_US = 1_000_000


def cannot(limit, per_us):
    # The library cuts a period to whole seconds, and divides by zero if none is left.
    return None if per_us % SECOND_US == 0 else f"its windows are whole seconds, and this one is {per_us} us"


class create:
    def __init__(self, limit, per_us, variant):
        quota = per_duration(timedelta(microseconds=per_us), limit, burst=limit)
        self.throttled = Throttled(
            using=variant.replace("-", "_"), quota=quota, store=MemoryStore()
        )

    def decide(self, key, cost):
        result = self.throttled.limit(key, cost)
        state = result.state
        answer = {
            "admitted": not result.limited,
            "limit": state.limit,
            "remaining": state.remaining,
        }
        if result.limited:
            answer["retry_after_us"] = state.retry_after * SECOND_US
        return answer
