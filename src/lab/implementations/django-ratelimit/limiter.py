import django
from django.conf import settings

settings.configure(
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    SECRET_KEY="weir",
)
django.setup()

from django.core.cache import cache  # noqa: E402  after the settings
from django.test import RequestFactory  # noqa: E402
from django_ratelimit.core import get_usage  # noqa: E402

PACKAGE = "django-ratelimit"
SECOND_US = 1_000_000


def cannot(limit, per_us):
    return None if per_us % SECOND_US == 0 else f"its windows are whole seconds, and this one is {per_us} us"


class create:
    groups = 0

    def __init__(self, limit, per_us, variant):
        if create.groups == 0:
            cache.clear()
        create.groups += 1
        self.group = f"limit {create.groups}"
        self.change(limit, per_us)

    def change(self, limit, per_us):
        self.rate = f"{limit}/{per_us // SECOND_US}s"

    def decide(self, key, cost):
        usage = get_usage(
            RequestFactory().get("/"),
            group=self.group,
            key=lambda group, request: key,
            rate=lambda group, request: self.rate,
            increment=True,
        )
        refused = usage["should_limit"]
        answer = {
            "admitted": not refused,
            "limit": usage["limit"],
            "remaining": max(0, usage["limit"] - usage["count"]),
        }
        if refused:
            answer["retry_after_us"] = max(0, usage["time_left"]) * SECOND_US
        return answer
