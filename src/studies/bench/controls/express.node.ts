// The same parts as in fastify.node.ts, with the usual packages for express.
import { Agent, createServer } from "node:http";
import express from "express";
import { rateLimit } from "express-rate-limit";
import { createProxyMiddleware } from "http-proxy-middleware";
import { keyAt } from "../load/load.ts";
import { KEY_PREFIX } from "../world-of.ts";
import { listen } from "./bare.node.ts";

const KEYS: ReadonlySet<string> = new Set([keyAt(KEY_PREFIX, 0)]);

export function expressStack(upstream: string): Promise<URL> {
  const app = express();
  app.use((from, to, next) => {
    if (KEYS.has(from.headers.authorization ?? "")) next();
    else to.sendStatus(403);
  });
  app.use(
    rateLimit({
      limit: 1_000_000_000,
      windowMs: 60_000,
      keyGenerator: ({ headers }) => headers.authorization ?? "",
    }),
  );
  app.use(createProxyMiddleware({ target: upstream, agent: new Agent({ keepAlive: true }) }));
  return listen(createServer(app));
}
