// No body that is sent to the management APIs delays a client of the data plane: the worst generated bodies are compared
// with a control on the same thread that only reads them and responds with 400.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import {
  bodyOf,
  climb,
  CORNERS,
  FAMILIES,
  FILLING,
  RIGHTS,
  type WorstBody,
} from "../gateway/management/worst-bodies.ts";
import { SEED } from "../runs.ts";
import { expectNoLongerWaits } from "./longer-waits.ts";
import { BASES, HEADERS, serveInOneProcess, type OneProcess } from "./one-process.ts";
import { startThread } from "./thread.ts";
import type { RequestToSend, Wait } from "./writers-worker.ts";

const isLong = Number(process.env["WEIR_RUNS"] ?? 1) > 1;
const WRITERS = 32;
const CHOSEN = 4; // the worst of all, in addition to the worst of each API
const CONTROL_TIMES = 3; // reading takes less time than responding; this makes both take about as long

const JSON_TYPE = { "content-type": "application/json" };

function requestOf(port: number, { interface: name, what, body }: WorstBody): RequestToSend {
  const [method, path] = what.split(" ", 2) as [string, string];
  const base = path.startsWith("/admin/dry-run") ? "" : BASES[name];
  return { port, method, path: base + path, headers: { ...HEADERS[name], ...JSON_TYPE }, body };
}

/** The processor time of the longest turn of the event loop while `work` runs, in ms. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const tick = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest / 1_000;
}

interface BodyCost {
  readonly body: WorstBody;
  readonly cost: number;
}

const worstFirst = (all: readonly BodyCost[]): readonly BodyCost[] =>
  all.toSorted((one, other) => other.cost - one.cost);

/** Those of all families with the longest turns, and of each interface the worst one. */
async function findWorst(
  costOf: (body: WorstBody) => Promise<number>,
): Promise<readonly BodyCost[]> {
  const found: BodyCost[] = [];
  for (const [index, family] of FAMILIES.entries()) {
    // Every commit tries another corner of each family, and the long search all of them.
    const corners = isLong ? CORNERS : [CORNERS[(SEED + index) % CORNERS.length]!];
    for (const genes of corners) {
      const body = bodyOf(family, genes);
      if (body !== null) found.push({ body, cost: await costOf(body) });
    }
    if (!isLong) continue;
    const { genes, cost } = await climb(family, CORNERS[1]!, costOf, 3);
    const body = bodyOf(family, genes);
    if (body !== null) found.push({ body, cost });
  }
  // A turn may be long by chance: the first are looked at again.
  const again: BodyCost[] = [];
  for (const { body, cost } of worstFirst(found).slice(0, 6 * CHOSEN))
    again.push({ body, cost: Math.min(cost, await costOf(body)) });
  const ofEach = Object.values(Object.groupBy(found, ({ body }) => body.interface));
  const firstOfEach = ofEach.flatMap((all) => worstFirst(all).slice(0, 1));
  const first = worstFirst(again).slice(0, CHOSEN);
  return [...first, ...firstOfEach.filter(({ body }) => !first.some((one) => one.body === body))];
}

/** What the bodies are about, and keys for the client. */
async function fill({ admin }: OneProcess) {
  const create = async (
    name: WorstBody["interface"],
    path: string,
    body: string,
  ): Promise<unknown> => {
    const headers = { ...HEADERS[name], ...JSON_TYPE };
    const url = admin + BASES[name] + path;
    const response = await fetch(url, { method: "POST", headers, body });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };
  for (const { interface: name, what, body } of FILLING) await create(name, what.slice(5), body);
  const tags = Array.from({ length: 3_000 }, (_, i) => `tag ${i}`);
  return async (count: number): Promise<readonly string[]> => {
    const keys: string[] = [];
    for (let i = 0; i < count; i++) {
      const more = i % 4 === 0 ? { tags } : {}; // to read a large record takes a turn of its own
      const created = await create(
        "admin",
        "/admin/org/keys",
        JSON.stringify({ ...RIGHTS, ...more }),
      );
      keys.push((created as { readonly key: string }).key);
    }
    return keys;
  };
}

/** Reads what comes, on the thread that serves, and does nothing with it. */
async function startReading(): Promise<number> {
  const server = createServer((from, to) => {
    from.resume().on("end", () => to.writeHead(400).end());
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test(
  "while 32 writers send the worst bodies, no client waits 50 ms longer than while they are only read",
  { timeout: isLong ? 3_600_000 : 300_000 },
  async () => {
    expect(isMainThread).toBe(true); // of whose processor time the client reads
    const served = await serveInOneProcess();
    const port = Number(new URL(served.admin).port);
    const createKeys = await fill(served);
    const client = startThread();
    const writers = startThread();
    const worst = await findWorst((body) =>
      longestTurnOf(() => writers.order({ write: [requestOf(port, body)], writers: 1 })),
    );
    expect(new Set(worst.map(({ body }) => body.interface)).size).toBe(5);
    const reading = await startReading();
    const gateway = Number(new URL(served.gateway).port);

    /** The waits of a client whose first requests have a new key each, or an unknown one. */
    const waitsWhile = async (to: number, times = 1): Promise<readonly Wait[]> => {
      const fresh = await createKeys(24);
      const credentials = fresh.flatMap((key, i) => [key, `nobody-${to}-${i}`]);
      const measuring = client.order<Wait>({
        target: { port: gateway, method: "GET", path: "/orders" },
        credentials: [...credentials, fresh[0]!],
      });
      const once = worst.map(({ body }) => requestOf(to, body));
      const write = Array.from({ length: times }, () => once).flat();
      await writers.order({ write, writers: WRITERS });
      client.stop();
      const waits = await measuring;
      expect(waits.length).toBeGreaterThan(3);
      expect(new Set(waits.map(({ status }) => status))).toEqual(new Set([200, 403]));
      return waits;
    };
    await waitsWhile(reading); // the first run includes compilation
    const [first] = worstFirst(worst);
    await expectNoLongerWaits(
      "worst bodies",
      {
        control: () => waitsWhile(reading, CONTROL_TIMES),
        work: () => waitsWhile(port),
        mostRounds: 6,
      },
      {
        body: `${first!.body.what}: ${first!.body.name}`,
        "longest turn, ms of processor": first!.cost,
      },
    );
  },
);
