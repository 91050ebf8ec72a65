// npm run flood [-- COUNT [WORDS]]: requests with COUNT distinct unknown keys (2,000,000), pipelined, to a served gateway, and what the
// process holds after each quarter: at first with its keys in its configuration, then with keys that are looked up in SQLite. Fails where
// a key leaves more than a few bytes. `configuration` or `records` is for one of the two; `leaking` keeps all keys, to show that this is
// noticed.
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Configuration } from "#src/limiter/core/config.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { serveGateway, type ServeOptions } from "#src/gateway/http/gateway.node.ts";
import { secretsWith } from "../management/secrets/secrets-with.ts";

const [count = "2000000", ...words] = process.argv.slice(2);
const keys = Number(count);
const MOST_BYTES_A_KEY = 40;
const AT_ONCE = 250;
const QUARTER = Math.floor(keys / 4 / AT_ONCE) * AT_ONCE;

const { configuration } = readConfiguration({
  apis: { orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: 1, per: 60 } },
});
if (configuration === null || !Number.isSafeInteger(keys) || keys < 4 * AT_ONCE)
  throw new Error(`a count of at least ${4 * AT_ONCE}`);
const WORDS: ReadonlySet<string> = new Set(["configuration", "records", "leaking"]);
for (const word of words) if (!WORDS.has(word)) throw new Error(`what is ${word}?`);
const isLeaking = words.includes("leaking");
const leaked: string[] = [];

function bytes(): number {
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return heapUsed + arrayBuffers + external;
}

/** Whether it holds no more for the last key than for the first quarter of them. */
async function isFlat(
  what: string,
  gatewayWith: Pick<ServeOptions, "keys"> & { readonly configuration: Configuration },
): Promise<boolean> {
  const gateway = await serveGateway({
    ...gatewayWith,
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
  });
  const socket = connect(Number(gateway.url.port), "127.0.0.1");

  const counts = new Map<string, number>(); // responses: on a busy machine a look-up may take longer than its time
  /** Resolves when all are answered. */
  const sendKeys = (from: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let text = "";
      const receive = (chunk: Buffer): void => {
        text += chunk.toString("latin1");
        const statuses = text.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g) ?? [];
        if (statuses.length < AT_ONCE || !text.endsWith("}")) return;
        for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
        socket.off("data", receive).off("close", end);
        resolve();
      };
      const end = (): void => reject(new Error(`the gateway has closed, after ${text}`));
      socket.on("data", receive).on("close", end);
      let requests = "";
      for (let i = from; i < from + AT_ONCE; i++) {
        const key = `unknown key ${i} of many`;
        if (isLeaking) leaked.push(key);
        requests += `GET /orders HTTP/1.1\r\nHost: g\r\nAuthorization: ${key}\r\n\r\n`;
      }
      socket.write(requests);
    });

  const held: number[] = [];
  for (let part = 0; part < 4; part++) {
    for (let i = 0; i < QUARTER; i += AT_ONCE) await sendKeys(part * QUARTER + i);
    held.push(bytes());
    const [here, all] = [held.at(-1)!, process.memoryUsage.rss()].map((each) => each / 2 ** 20);
    console.log(
      `${what}: ${(part + 1) * QUARTER} unknown keys, ${here!.toFixed(1)} MiB held, ${all!.toFixed(0)} MiB of memory`,
    );
  }
  // The first quarter is for what is made once.
  const each = (held[3]! - held[0]!) / (3 * QUARTER);
  console.log(
    `${what}: ${each.toFixed(2)} bytes a key, ${leaked.length} kept; responses: ${[...counts].map(([status, count]) => `${count} ${status}`).join(", ")}`,
  );
  socket.destroy();
  await gateway.stop();
  return each < MOST_BYTES_A_KEY;
}

async function isFlatInConfiguration(): Promise<boolean> {
  return isFlat("configuration", { configuration: configuration! });
}

async function isFlatInRecords(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "weir-flood-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const records = requireValue(await recordsInFile(join(folder, "weir.db")));
  await records.write({ actor: "flood", operation: "make", atUs: 0 }, (writing) =>
    writing.insert("apis", "orders", { listen: "/orders" }, { unique: "/orders", text: null }),
  );
  const force = await liveConfiguration(
    records,
    secretsWith("of a flood, with thirty-two letters"),
    {
      report: (message) => console.log(message),
    },
  );
  const isFlatThere = await isFlat("records", {
    configuration: force.configuration(),
    keys: force,
  });
  await records.close();
  return isFlatThere;
}

const began = performance.now();
const areFlat: boolean[] = [];
if (!words.includes("records")) areFlat.push(await isFlatInConfiguration());
if (!words.includes("configuration")) areFlat.push(await isFlatInRecords());
console.log(`${Math.round((performance.now() - began) / 1_000)} s`);
process.exitCode = areFlat.every(Boolean) ? 0 : 1;
