// A gateway for the management suite, in a process of its own. Prints its address, and serves until it is ended.
import { keyAt } from "../../src/studies/bench/load/load.ts";
import { readConfiguration } from "../../src/limiter/world/read.ts";
import { secretsInClear } from "../../src/lab/drivers/managed.ts";
import { liveConfiguration } from "../../src/gateway/management/live-configuration.ts";
import { recordsInMemory } from "../../src/gateway/management/records/sqlite.node.ts";
import { serveGateway } from "../../src/gateway/http/gateway.node.ts";
import { keepRequestsYoung } from "../../src/gateway/http/young.node.ts";

export type Subject = "weir, answering itself" | "weir, from records";

keepRequestsYoung();

const HOST = "127.0.0.1";
export const PREFIX = "key-";
const KEY = keyAt(PREFIX, 0);
/** A limit that is evaluated and counted, and never reached. */
const NEVER = { rate: 1_000_000_000, per: 60 };

async function fromWorld(): Promise<URL> {
  const { configuration } = readConfiguration({
    apis: { orders: { listen: "/orders", global_rate_limit: NEVER } },
    keys: { [KEY]: { apis: ["orders"], ...NEVER } },
    gateway: { algorithm: "fixed_window" },
  });
  const { url } = await serveGateway({
    configuration: configuration!,
    upstream: null,
    host: HOST,
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
  });
  return url;
}

/** The same key, stored in a database. */
async function fromRecords(): Promise<URL> {
  const records = await recordsInMemory();
  const audited = { actor: "bench", operation: "bench", atUs: 0 };
  await records.write(audited, async ({ insert }) => {
    const nothing = { unique: null, text: null };
    await insert("gateway", "gateway", { algorithm: "fixed_window" }, nothing);
    await insert("apis", "orders", { listen: "/orders", global_rate_limit: NEVER }, nothing);
    const document = { access_rights: { orders: {} }, ...NEVER };
    await insert("keys", "one", document, { unique: KEY, text: null });
  });
  const keys = await liveConfiguration(records, secretsInClear());
  const { url } = await serveGateway({
    configuration: keys.configuration(),
    upstream: null,
    host: HOST,
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
    keys,
  });
  return url;
}

// `requests.node.ts` imports the names alone.
if (import.meta.main) {
  const isFromRecords = process.argv[2] === ("weir, from records" satisfies Subject);
  const url = await (isFromRecords ? fromRecords() : fromWorld());
  console.log(new URL("/orders/7", url).href);
}
