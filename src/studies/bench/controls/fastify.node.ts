// The usual parts of a gateway that teams build themselves: a check of the key, a limit for each key, and a proxy that
// reuses its connections.
import httpProxy from "@fastify/http-proxy";
import rateLimit from "@fastify/rate-limit";
import fastify from "fastify";
import { keyAt } from "../load/load.ts";
import { KEY_PREFIX } from "../world-of.ts";
import { HOST } from "./bare.node.ts";

const KEYS: ReadonlySet<string> = new Set([keyAt(KEY_PREFIX, 0)]);

/** The limit is so high that every request is counted and none is refused. */
export async function fastifyStack(upstream: string): Promise<URL> {
  const server = fastify();
  server.addHook("onRequest", async (from, to) => {
    if (!KEYS.has(from.headers.authorization ?? "")) await to.code(403).send();
  });
  await server.register(rateLimit, {
    max: 1_000_000_000,
    timeWindow: 60_000,
    keyGenerator: ({ headers }) => headers.authorization ?? "",
  });
  await server.register(httpProxy, { upstream });
  return new URL(await server.listen({ host: HOST, port: 0 }));
}
