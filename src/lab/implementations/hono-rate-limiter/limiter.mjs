import { Hono } from "hono";
import { rateLimiter } from "hono-rate-limiter";

export const limiter = {
  package: "hono-rate-limiter",
  create: ({ limit, perMs }) => {
    let current = limit;
    const app = new Hono();
    app.use(
      rateLimiter({
        windowMs: perMs,
        limit: () => current,
        standardHeaders: "draft-6",
        keyGenerator: (context) => context.req.header("x-key"),
      }),
    );
    app.get("/", (context) => context.text("admitted"));
    return {
      decide: async (key) => {
        const { status, headers } = await app.request("/", { headers: { "x-key": key } });
        if (status !== 200 && status !== 429) throw new Error(`status ${status}`);
        return { admitted: status === 200, headers: Object.fromEntries(headers) };
      },
      change: (next) => {
        if (next.perMs !== perMs) throw new Error("its window cannot change");
        current = next.limit;
      },
    };
  },
};
