// The gateway on the wire: reads a request, asks `handle`, and writes what it says. Nothing is decided here.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Configuration } from "../core/config.ts";
import { limiter, optionsOf } from "../core/limiter.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { micros, SECOND, type Micros } from "../core/units.ts";
import {
  gateway,
  reconfigure,
  type Gateway,
  type Outcome,
  type Request,
} from "../gateway/handle.ts";
import { LIMIT_HEADERS, limitHeaders } from "../gateway/headers.ts";
import { bodyOf } from "../gateway/refusals.ts";
import { atHand, memoryStore } from "../store/memory.ts";
import type { RemoteStore } from "../store/remote.ts";
import { decide } from "./decide.node.ts";
import { forward, upstreamAt, type Upstream } from "./forward.node.ts";
import type { Observer } from "./observer.ts";
import { ownPageAt, type OwnPages } from "./own-pages.node.ts";
import { helloPage, readyPage } from "./readiness.node.ts";
import { wallClock } from "./wall-clock.node.ts";
import { watchedStore } from "./watched-store.ts";

export interface ServeOptions {
  readonly configuration: Configuration;
  readonly upstream: URL | null; // null: admitted requests are answered by an echo
  readonly host: string;
  readonly port: number; // 0: any that is free
  readonly store: RemoteStore | null; // null: everything is counted in this process
  readonly observer: Observer;
  /** Beside /hello and /ready, which every gateway has. */
  readonly pages?: OwnPages;
  readonly clock?: () => Micros;
  readonly drainTimeoutUs?: Micros;
}

export interface GatewayServer {
  readonly url: URL;
  readonly gateway: Gateway;
  readonly pages: OwnPages;
  /** Takes no connection any more, finishes what is running, and stops: after the time-out in any case. */
  readonly drain: () => Promise<void>;
  /** At once: what is running breaks off. */
  readonly stop: () => Promise<void>;
  /** The next request meets the new configuration, no counter is reset, and nothing that is running is lost. */
  readonly reload: (configuration: Configuration) => void;
}

const DRAIN_TIMEOUT_US = micros(30 * SECOND);

export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const { configuration, observer, host } = options;
  const clock = options.clock ?? wallClock;
  const store = watchedStore(options.store, observer.storeAsked, clock);
  const here = atHand(memoryStore(), memoryStore());
  const served = gateway(
    limiter(resolver(configuration), here, store !== null, observer.event),
    clock,
  );
  const upstream = options.upstream === null ? null : upstreamAt(options.upstream);
  let isDraining = false;
  const pages: OwnPages = new Map([
    ["/hello", helloPage],
    ["/ready", readyPage({ gateway: served, store, isDraining: () => isDraining })],
    ...(options.pages ?? []),
  ]);
  const server = createServer((from, to) => {
    if (isDraining) to.shouldKeepAlive = false; // says Connection: close
    const page = ownPageAt(pages, from.url ?? "");
    if (page !== null) {
      page(from, to);
      return;
    }
    const request = requestOf(from);
    const startUs = served.clock();
    let outcome: Outcome | null = null;
    let upstreamUs = -1;
    const heard = (): void => {
      upstreamUs = served.clock() - startUs;
    };
    const leave = decide(served, store, request, (decided) => {
      outcome = decided;
      observer.decided?.(decided);
      if (!to.destroyed) answer(served, upstream, from, to, decided, heard);
    });
    if (leave === null && observer.exchange === null) return;
    const { socket } = from;
    const sentBefore = socket.bytesWritten;
    to.on("close", () => {
      if (outcome === null) leave?.();
      observer.exchange?.({
        request,
        outcome,
        status: to.headersSent ? to.statusCode : 0,
        startUs,
        endUs: served.clock(),
        upstreamUs,
        bytesSent: socket.bytesWritten - sentBefore,
        clientAddress: socket.remoteAddress ?? "",
        requestId: [from.headers["x-request-id"] ?? null].flat()[0] ?? null,
        isWhole: to.writableFinished,
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const stop = (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    upstream?.agent.destroy();
    return closed;
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    server.close(); // closes idle connections too
    const wait = setTimeout(
      () => void stop(),
      (options.drainTimeoutUs ?? DRAIN_TIMEOUT_US) / 1_000,
    );
    await closed;
    clearTimeout(wait);
    upstream?.agent.destroy();
  };
  return {
    url: new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`),
    gateway: served,
    pages,
    drain,
    stop,
    reload: (next) => reconfigure(served, resolver(next)),
  };
}

// ---------------------------------------------------------------- in

const CREDENTIAL_HEADERS = ["authorization", "x-api-key"] as const;
const BEARER = /^bearer +/i;

/** A secret comes in `Authorization`, raw or Bearer, or in `X-API-Key` (MGT-C10). */
export function credentialIn(headers: IncomingMessage["headers"]): string | null {
  const { authorization } = headers;
  const [apiKey] = [headers["x-api-key"] ?? null].flat();
  return authorization?.replace(BEARER, "") ?? apiKey ?? null;
}

const requestOf = ({ method, url, headers }: IncomingMessage): Request => ({
  method: method ?? "GET",
  target: url ?? "/",
  credential: credentialIn(headers),
});

// ---------------------------------------------------------------- out

function answer(
  served: Gateway,
  upstream: Upstream | null,
  from: IncomingMessage,
  to: ServerResponse,
  outcome: Outcome,
  heard: () => void,
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
  const forwarding = { target, withhold: CREDENTIAL_HEADERS, drop: LIMIT_HEADERS, add, heard };
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
