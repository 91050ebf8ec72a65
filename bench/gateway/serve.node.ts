// A server for the gateway suite, in a process of its own. Prints its address, and serves until it is ended.
import { readConfiguration } from "../../src/core/read/read.ts";
import { inForce } from "../../src/management/in-force.ts";
import { recordsInMemory } from "../../src/management/records/sqlite.node.ts";
import { serveGateway } from "../../src/servers/gateway.node.ts";
import { HOST, KEY, NEVER, PATH } from "./address.ts";
import { bareProxy, bareServer } from "./bare.node.ts";

export type Subject =
  | "weir"
  | "weir, refusing"
  | "weir, answering itself"
  | "weir, from records"
  | "bare proxy"
  | "bare server"
  | "bare server, refusing"
  | "fastify"
  | "express";

export interface Input {
  readonly subject: Subject;
  readonly upstream: string;
}

const ONCE = { rate: 1, per: 86_400 };

/** Two levels, of which the key's may be spent at once. */
async function weir(upstream: URL | null, ofKey: typeof NEVER): Promise<URL> {
  const { configuration } = readConfiguration({
    apis: { orders: { listen: "/orders", global_rate_limit: NEVER } },
    keys: { [KEY]: { apis: ["orders"], ...ofKey } },
    gateway: { algorithm: "fixed_window" },
  });
  const { url } = await serveGateway({
    configuration: configuration!,
    upstream,
    host: HOST,
    port: 0,
    store: null,
    observer: { event: () => {}, exchange: null },
  });
  return url;
}

/** The same key, which lies in a database. */
async function fromRecords(): Promise<URL> {
  const records = await recordsInMemory();
  const audited = { who: "bench", what: "bench", atUs: 0 };
  await records.write(audited, async ({ insert }) => {
    const nothing = { unique: null, text: null };
    await insert("gateway", "gateway", { algorithm: "fixed_window" }, nothing);
    await insert("apis", "orders", { listen: "/orders", global_rate_limit: NEVER }, nothing);
    const document = { access_rights: { orders: {} }, ...NEVER };
    await insert("keys", "one", document, { unique: KEY, text: null });
  });
  const keys = await inForce(records, {
    made: () => "",
    hashOf: (secret) => secret,
    seal: (text) => text,
    unseal: (sealed) => sealed,
  });
  const { url } = await serveGateway({
    configuration: keys.configuration(),
    upstream: null,
    host: HOST,
    port: 0,
    store: null,
    observer: { event: () => {}, exchange: null },
    keys,
  });
  return url;
}

async function serve({ subject, upstream }: Input): Promise<URL> {
  switch (subject) {
    case "weir":
      return weir(new URL(upstream), NEVER);
    case "weir, refusing":
      return weir(new URL(upstream), ONCE);
    case "weir, answering itself":
      return weir(null, NEVER);
    case "weir, from records":
      return fromRecords();
    case "bare proxy":
      return bareProxy(upstream);
    case "bare server":
      return bareServer(200, JSON.stringify({ method: "GET", target: PATH }));
    case "bare server, refusing":
      return bareServer(429, JSON.stringify({ error: "Rate Limit Exceeded" }));
    case "fastify":
    case "express": {
      // Loaded only where they are measured.
      const { expressStack, fastifyStack } = await import("./peers.node.ts");
      return subject === "express" ? expressStack(upstream) : fastifyStack(upstream);
    }
  }
}

const url = await serve(JSON.parse(process.argv[2] ?? "{}") as Input);
console.log(JSON.stringify({ url: url.href }));
