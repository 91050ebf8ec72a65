// One candidate of the suite management, on the file that `create.node.ts` has written: what the gateway spends on keys
// in a database for each request, for the first one of a key, and when a key or a policy changes.
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { sessionOf } from "../../src/limiter/core/resolve/resolver.ts";
import { readInput, printValue, processorMs } from "../program.node.ts";
import { credential } from "./credential.node.ts";
import { governFrom, putKey, putPolicy } from "./governed.node.ts";

interface Input {
  readonly subject: keyof typeof SUBJECTS;
  readonly folder: string;
  readonly keys: number;
  readonly known: number;
}

const LOOKUPS = 100_000; // of keys that are known
const MISSES = 500;
const UPDATES = 50;

const { subject, folder, keys, known } = readInput() as Input;
const file = join(folder, "weir.db");

/** Each measures once; its first items warm it up. */
const SUBJECTS = {
  "known, and its session": async () => {
    const { force, gateway } = await governFrom(file, known);
    return lookUpTwice((id) => {
      if (!gateway.limiter.resolver.sessions.has(id) && !force.isKnown(id))
        throw new Error(`${id} is not known`);
      return sessionOf(gateway.limiter.resolver, id);
    });
  },
  "Map.get": () => {
    const all = new Map(Array.from({ length: known }, (_, i) => [credential(i), i]));
    return Promise.resolve(lookUpTwice((id) => all.get(id)));
  },
  "looked up": async () => {
    const { rate } = await governFrom(file, 0);
    return perItem(spread(keys), 1_000, async (index) => {
      if ((await rate(credential(index))) === null) throw new Error(`key ${index} is missing`);
    });
  },
  "node:sqlite, by its hash": async () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const hashes = database
      .prepare("select found_by from records where family = 'keys' and row % ? = 7 limit ?")
      .all(Math.floor(keys / (2 * MISSES)), 2 * MISSES);
    const find = database.prepare(
      "select id, version, document from records where family = 'keys' and found_by = ?",
    );
    return perItem(hashes, 1_000, ({ found_by: hash }) => void find.get(hash!));
  },
  "PUT, and a request": async () => {
    const { app, rate } = await governFrom(file, 0);
    let next = (await rate(credential(1)))!;
    return perItem(Array.from({ length: 2 * UPDATES }), 1, async () => {
      await putKey(app, "k1", { rate: ++next });
      const applied = await rate(credential(1));
      if (applied !== next) throw new Error(`the rate is ${applied}, and not ${next}`);
    });
  },
  "node:sqlite, one durable commit": async () => {
    const database = new DatabaseSync(`${file}.bare`);
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    database.exec("create table if not exists t (n integer)");
    const insert = database.prepare("insert into t values (?)");
    return perItem(Array.from({ length: 2 * UPDATES }), 1, (_, index) => void insert.run(index));
  },
  "PUT of their policy": async () => {
    const { app } = await governFrom(file, known);
    await putPolicy(app, "p", { rate: 1_000 });
    return longestBlockMs(() => putPolicy(app, "p", { rate: 2_000 }));
  },
  "nothing changes": async () => {
    await governFrom(file, known);
    return longestBlockMs(() => sleep(20));
  },
} as const satisfies Readonly<Record<string, () => Promise<number>>>;

/** Twice as many keys as are measured, all over the file. */
const spread = (all: number): readonly number[] =>
  Array.from({ length: 2 * MISSES }, (_, i) => (i * 7_919) % all);

/** The second half of the items is timed. `perMs`: how many of the wanted unit are in a millisecond. */
async function perItem<T>(
  items: readonly T[],
  perMs: number,
  work: (item: T, index: number) => Promise<void> | void,
): Promise<number> {
  const half = items.length / 2;
  for (let i = 0; i < half; i++) await work(items[i]!, i);
  const startMs = performance.now();
  for (let i = half; i < items.length; i++) await work(items[i]!, i);
  return ((performance.now() - startMs) * perMs) / half;
}

function lookUpTwice(lookUp: (id: string) => unknown): number {
  nsPerLookup(lookUp);
  return nsPerLookup(lookUp);
}

/** Each credential is a new string, as from a socket: its hash is not known yet. */
function nsPerLookup(lookUp: (id: string) => unknown): number {
  const step = Math.floor(known / LOOKUPS) || 1;
  const ids = Array.from({ length: LOOKUPS }, (_, i) =>
    Buffer.from(credential((i * step * 7_919) % known)).toString("latin1"),
  );
  let found = 0;
  const startMs = processorMs();
  for (const id of ids) if (lookUp(id) !== undefined) found++;
  const tookMs = processorMs() - startMs;
  if (found !== LOOKUPS) throw new Error(`${LOOKUPS - found} keys are missing`);
  return (tookMs * 1e6) / LOOKUPS;
}

/** How long the event loop was blocked at most. */
async function longestBlockMs(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(20);
  delay.reset();
  await work();
  await sleep(20);
  delay.disable();
  return delay.max / 1e6;
}

printValue(await SUBJECTS[subject]());
