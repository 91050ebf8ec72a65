// The gateway on the wire: reads a request, asks `handle`, and writes what it says. Nothing is decided here.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration } from "../core/config.ts";
import type { LimiterEvent } from "../core/decision.ts";
import { limiter, optionsOf } from "../core/limiter.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { answerNow } from "../core/sequence.ts";
import type { Micros } from "../core/units.ts";
import {
  gateway,
  handle,
  handleNow,
  sayChanges,
  type Gateway,
  type Outcome,
  type Request,
} from "../gateway/handle.ts";
import { LIMIT_HEADERS, limitHeaders } from "../gateway/headers.ts";
import { bodyOf } from "../gateway/refusals.ts";
import { atHand, memoryStore } from "../store/memory.ts";
import { forward, upstreamAt, type Upstream } from "./forward.node.ts";
import { wallClock } from "./wall-clock.node.ts";

export interface ServeOptions {
  readonly configuration: Configuration;
  readonly upstream: URL | null; // null: admitted requests are answered by an echo
  readonly host: string;
  readonly port: number; // 0: any that is free
  readonly emit: (event: LimiterEvent) => void;
  readonly clock?: () => Micros;
}

export interface GatewayServer {
  readonly url: URL;
  readonly gateway: Gateway;
  readonly close: () => Promise<void>;
}

export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const store = atHand(memoryStore(), memoryStore());
  const served = gateway(
    limiter(resolver(options.configuration), store, false, options.emit),
    options.clock ?? wallClock,
  );
  const upstream = options.upstream === null ? null : upstreamAt(options.upstream);
  const server = createServer((from, to) => {
    const request = requestOf(from);
    const outcome = handleNow(served, request);
    if (outcome !== null) answer(served, upstream, from, to, outcome);
    else void handled(served, request).then((late) => answer(served, upstream, from, to, late));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://${options.host}:${port}`),
    gateway: served,
    close: () => closed(server, upstream),
  };
}

const closed = (
  server: ReturnType<typeof createServer>,
  upstream: Upstream | null,
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
    upstream?.agent.destroy();
  });

// ---------------------------------------------------------------- in

const CREDENTIAL_HEADERS = ["authorization", "x-api-key"] as const;
const BEARER = /^bearer +/i;

/** A secret comes in `Authorization`, raw or Bearer, or in `X-API-Key` (MGT-C10). */
function requestOf({ method, url, headers }: IncomingMessage): Request {
  const { authorization } = headers;
  const [apiKey] = [headers["x-api-key"] ?? null].flat();
  const credential = authorization?.replace(BEARER, "") ?? apiKey ?? null;
  return { method: method ?? "GET", target: url ?? "/", credential };
}

/** The long way, where a throttled request waits for its turn (LIM-C9). */
async function handled(served: Gateway, request: Request): Promise<Outcome> {
  const { limiter: ours } = served;
  const steps = handle(served, request);
  let next = steps.next();
  while (next.done !== true) {
    const effect = next.value;
    if (effect.op === "sleep") await sleep(effect.us / 1_000);
    next = steps.next(effect.op === "sleep" ? { failed: "error" } : answerNow(ours.atHand, effect));
  }
  const { outcome, behind } = next.value;
  for (const op of behind) sayChanges(served, outcome, answerNow(ours.atHand, op).changes);
  return outcome;
}

// ---------------------------------------------------------------- out

function answer(
  served: Gateway,
  upstream: Upstream | null,
  from: IncomingMessage,
  to: ServerResponse,
  outcome: Outcome,
): void {
  const { decision, refused, path } = outcome;
  const style = optionsOf(served.limiter).rateLimitHeaders;
  const add =
    decision === null ? {} : Object.fromEntries(limitHeaders(decision, style, served.clock()));
  if (refused !== null) {
    writeJson(to, refused.status, bodyOf(refused), add);
    return;
  }
  const target = `${path}${queryOf(from.url ?? "")}`;
  if (upstream === null) {
    writeJson(to, 200, { method: from.method, target }, add);
    return;
  }
  const forwarding = { target, withhold: CREDENTIAL_HEADERS, drop: LIMIT_HEADERS, add };
  forward(upstream, from, to, forwarding, () =>
    writeJson(to, 502, { error: "The upstream does not answer" }, add),
  );
}

/** With its question mark, and without a fragment, which no server is meant to see. */
const queryOf = (target: string): string => /\?[^#]*/.exec(target)?.[0] ?? "";

function writeJson(
  to: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  const text = JSON.stringify(body);
  to.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...headers,
  });
  to.end(text);
}
