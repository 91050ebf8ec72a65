// A gateway with one API, `open`, and upstreams of its own: what tests of upstreams that fail have in common.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Configuration } from "#src/limiter/core/config.ts";
import { serveGateway, type ServeOptions } from "#src/gateway/http/gateway.node.ts";
import { metrics } from "#src/gateway/http/metrics.node.ts";
import { combineObservers, type Exchange } from "#src/gateway/http/observer.ts";
import { CLIENT, readWorld } from "./wire.ts";

export interface Upstream {
  readonly origin: string;
  readonly server: Server;
  readonly paths: readonly string[];
}

export async function upstreamAt(port = 0, status: () => number = () => 200): Promise<Upstream> {
  const paths: string[] = [];
  const server = createServer((from, to) => {
    paths.push(from.url!);
    from.resume().on("end", () => {
      to.statusCode = status();
      to.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, paths };
}

/** Its API without a key, with whatever else it shall have. */
export const worldTo = (target: unknown, more: object = {}): Configuration =>
  readWorld({
    apis: { open: { listen: "/open", keyless: true, rate: 1e6, per: 60, target, ...more } },
  });

export async function serveUpstreams(
  target: unknown,
  wire: NonNullable<ServeOptions["wire"]> = {},
  options: Partial<ServeOptions> = {},
) {
  const measured = metrics({ ofProcess: false });
  const exchanges: Exchange[] = [];
  const server = await serveGateway({
    configuration: worldTo(target),
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: combineObservers([
      measured.observer,
      { onEvent: () => {}, onExchange: (exchange) => void exchanges.push(exchange) },
    ]),
    wire: { ...CLIENT, ...wire },
    ...options,
  });
  measured.watch(server.gateway, server.memorySize, server.circuits);
  onTestFinished(() => server.stop());
  const get = async (): Promise<number> => (await fetch(new URL("/open/x", server.url))).status;
  const values = async (name: string): Promise<readonly number[]> =>
    [...(await measured.text()).matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "gm"))].map(
      ([, value]) => Number(value),
    );
  return { ...server, get, values, exchanges, metrics: measured.text };
}

export const times = async (
  count: number,
  get: () => Promise<number>,
): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await get());
  return all;
};
