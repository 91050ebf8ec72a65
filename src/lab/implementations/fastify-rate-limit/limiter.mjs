import fastify from "fastify";
import rateLimit from "@fastify/rate-limit";

export const limiter = {
  package: "@fastify/rate-limit",
  create: async ({ limit, perMs, variant }) => {
    let current = { limit, perMs };
    const app = fastify();
    await app.register(rateLimit, {
      max: () => current.limit,
      timeWindow: () => current.perMs,
      continueExceeding: variant === "continue-exceeding",
      keyGenerator: ({ headers }) => headers["x-key"],
    });
    app.get("/", () => "admitted");
    await app.ready();
    return {
      decide: async (key) => {
        const { statusCode, headers } = await app.inject({ url: "/", headers: { "x-key": key } });
        if (statusCode !== 200 && statusCode !== 429) throw new Error(`status ${statusCode}`);
        const written = Object.entries(headers).map(([name, value]) => [name, String(value)]);
        return { admitted: statusCode === 200, headers: Object.fromEntries(written) };
      },
      change: (next) => {
        current = next;
      },
    };
  },
};
