// A server for the gateway suite, in a process of its own. Prints its address, and serves until it is ended.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readConfiguration } from "../../src/core/read/read.ts";
import { serveGateway } from "../../src/servers/gateway.node.ts";

export interface Input {
  readonly subject: "bare server" | "gateway, answering itself" | "gateway, before an upstream";
  readonly upstream: string | null;
}

const HOST = "127.0.0.1";

async function bare(): Promise<URL> {
  const text = JSON.stringify({ method: "GET", target: "/orders/7" });
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  const server: Server = createServer((_, to) => {
    to.writeHead(200, headers);
    to.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return new URL(`http://${HOST}:${(server.address() as AddressInfo).port}`);
}

/** Two levels, neither of them ever full: what is measured is the way of a request that passes. */
async function gateway(upstream: string | null): Promise<URL> {
  const never = { rate: 1_000_000_000, per: 60 };
  const { configuration } = readConfiguration({
    apis: { orders: { listen: "/orders", global_rate_limit: never } },
    keys: { alice: { apis: ["orders"], ...never } },
    gateway: { algorithm: "fixed_window" },
  });
  const { url } = await serveGateway({
    configuration: configuration!,
    upstream: upstream === null ? null : new URL(upstream),
    host: HOST,
    port: 0,
    store: null,
    observer: { event: () => {}, exchange: null },
  });
  return url;
}

const { subject, upstream } = JSON.parse(process.argv[2] ?? "{}") as Input;
const url = subject === "bare server" ? await bare() : await gateway(upstream);
console.log(JSON.stringify({ url: url.href }));
