// What people put in front of an API when they build it themselves: a key that has to be known, a limit for
// each key, and a proxy that keeps its connections.
import { Agent, createServer } from "node:http";
import httpProxy from "@fastify/http-proxy";
import rateLimit from "@fastify/rate-limit";
import express from "express";
import { rateLimit as expressRateLimit } from "express-rate-limit";
import fastify from "fastify";
import { createProxyMiddleware } from "http-proxy-middleware";
import { HOST, KEY, NEVER } from "./address.ts";
import { listening } from "./bare.node.ts";

const KEYS: ReadonlySet<string> = new Set([KEY]);

export async function fastifyStack(upstream: string): Promise<URL> {
  const server = fastify();
  server.addHook("onRequest", async (from, to) => {
    if (!KEYS.has(from.headers.authorization ?? "")) await to.code(403).send();
  });
  await server.register(rateLimit, {
    max: NEVER.rate,
    timeWindow: NEVER.per * 1_000,
    keyGenerator: ({ headers }) => headers.authorization ?? "",
  });
  await server.register(httpProxy, { upstream });
  return new URL(await server.listen({ host: HOST, port: 0 }));
}

export function expressStack(upstream: string): Promise<URL> {
  const app = express();
  app.use((from, to, next) => {
    if (KEYS.has(from.headers.authorization ?? "")) next();
    else to.sendStatus(403);
  });
  app.use(
    expressRateLimit({
      limit: NEVER.rate,
      windowMs: NEVER.per * 1_000,
      keyGenerator: ({ headers }) => headers.authorization ?? "",
    }),
  );
  app.use(createProxyMiddleware({ target: upstream, agent: new Agent({ keepAlive: true }) }));
  return listening(createServer(app));
}
