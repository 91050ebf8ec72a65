"""The protocol for limiters written in Python: python3 lines.py CLOCK VARIANT.

The limiter is the module limiter.py in the same folder. It is imported after the clock is replaced, so that it reads
no other.
"""

import importlib.metadata
import json
import os
import sys
import threading
import time

HOME = os.path.dirname(os.path.abspath(__file__))
CLOCK = sys.argv[1] if len(sys.argv) > 1 else "virtual"
VARIANT = sys.argv[2] if len(sys.argv) > 2 else ""

sys.path.insert(0, os.path.join(HOME, "site"))

real_time_ns = time.time_ns


class MovableClock:
    """Backwards only the time of day: a monotonic clock does not follow."""

    day_us = 0
    monotonic_us = 1_000_000_000

    def install(self):
        time.time = lambda: self.day_us / 1_000_000
        time.time_ns = lambda: self.day_us * 1_000
        time.monotonic = time.perf_counter = lambda: self.monotonic_us / 1_000_000
        time.monotonic_ns = time.perf_counter_ns = lambda: self.monotonic_us * 1_000
        # Threads that clean up run in real time, so they would forget at a random virtual time.
        threading.Timer.start = lambda timer: None

    def start(self, us):
        self.day_us = us

    def move_to(self, us):
        self.monotonic_us += max(0, us - self.day_us)
        self.day_us = us


class RealClock:
    def install(self):
        pass

    def start(self, us):
        pass

    def move_to(self, us):
        pass


clock = RealClock() if CLOCK == "real" else MovableClock()
clock.install()

import limiter  # noqa: E402  after the clock


def reasons(limits):
    cannot = getattr(limiter, "cannot", lambda limit, per_us: None)
    return [why for each in limits if (why := cannot(each["limit"], each["per_us"])) is not None]


class Operations:
    current = []

    def describe(self, _):
        return {
            "protocol": 1,
            "id": limiter.PACKAGE,
            "version": importlib.metadata.version(limiter.PACKAGE),
            "clock": CLOCK,
            "cost": getattr(limiter, "COST", False),
        }

    def configure(self, question):
        clock.start(question["at_us"])
        if cannot := reasons(question["limits"]):
            return {"cannot": cannot}
        self.current = [
            limiter.create(each["limit"], each["per_us"], VARIANT) for each in question["limits"]
        ]
        return {"ok": True}

    def change(self, question):
        clock.move_to(question["at_us"])
        if not all(hasattr(each, "change") for each in self.current):
            return {"cannot": ["it cannot change a limit while it runs"]}
        if cannot := reasons(question["limits"]):
            return {"cannot": cannot}
        for current, each in zip(self.current, question["limits"]):
            current.change(each["limit"], each["per_us"])
        return {"ok": True}

    def decide(self, question):
        clock.move_to(question["at_us"])
        current = self.current[question.get("limit_index", 0)]
        answer = current.decide(question["key"], question["cost"])
        return {**answer, "at_us": real_time_ns() // 1_000} if CLOCK == "real" else answer


operations = Operations()
known = {name: getattr(operations, name) for name in ("describe", "configure", "change", "decide")}
for line in sys.stdin:
    try:
        asked = json.loads(line)
        operation = known.get(asked["op"])
        if operation is None:
            reply = {"error": f"it has no operation {asked['op']}"}
        else:
            reply = operation(asked)
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
