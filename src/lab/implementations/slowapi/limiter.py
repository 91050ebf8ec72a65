# A view of FastAPI is decorated and called as it is there, without a server.
from slowapi import Limiter
from slowapi.errors import RateLimitExceeded
from starlette.requests import Request
from starlette.responses import Response

PACKAGE = "slowapi"
SECOND_US = 1_000_000


def cannot(limit, per_us):
    return None if per_us % SECOND_US == 0 else f"its windows are whole seconds, and this one is {per_us} us"


class create:
    def __init__(self, limit, per_us, variant):
        self.change(limit, per_us)
        limiter = Limiter(key_func=lambda request: request.headers["x-key"], headers_enabled=True)

        @limiter.limit(lambda: self.text)
        def view(request: Request, response: Response):
            return response

        class App:
            class state:
                pass

        App.state.limiter = limiter
        self.limiter, self.view, self.app = limiter, view, App

    def change(self, limit, per_us):
        self.text = f"{limit}/{per_us // SECOND_US} second"

    def decide(self, key, cost):
        request = Request(
            {
                "type": "http",
                "method": "GET",
                "path": "/",
                "headers": [(b"x-key", key.encode())],
                "app": self.app,
                "query_string": b"",
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", 80),
                "scheme": "http",
            }
        )
        try:
            response = self.view(request=request, response=Response("admitted"))
            admitted = True
        except RateLimitExceeded:
            # As the handler of the package answers.
            response = self.limiter._inject_headers(
                Response("refused", 429), request.state.view_rate_limit
            )
            admitted = False
        return {"admitted": admitted, "headers": dict(response.headers)}
