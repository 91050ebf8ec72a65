// What the gateway pays for keys that lie in a database: on each request, on the first one of a key, and when
// somebody changes one.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { sessionOf } from "../../src/core/resolve/resolver.ts";
import { processorMs } from "../processor-time.node.ts";
import type { Case, Scale, Suite } from "../harness.ts";
import {
  credential,
  governed,
  putKey,
  putPolicy,
  type Governed,
} from "../management/million.node.ts";
import { measured } from "../management/measured.node.ts";

const CHOSEN = 100_000; // of the keys that are known, in one measurement
const MISSES = 500;
const UPDATES = 50;

interface Sizes {
  readonly keys: number;
  readonly known: number;
}

function cases({ keys, known }: Sizes, repeats: number, seconds: number): readonly Case[] {
  let made: Promise<Governed> | null = null;
  const rig = (): Promise<Governed> => (made ??= governed(keys, known));
  let bare: Promise<Map<string, number>> | null = null;
  const map = (): Promise<Map<string, number>> =>
    (bare ??= Promise.resolve(
      new Map(Array.from({ length: known }, (_, i) => [credential(i), i])),
    ));
  let next = known; // nobody has asked for it yet
  let rate = 1_000;
  const many = keys.toLocaleString("en-GB");
  return [
    {
      name: `the key of a request, from ${known.toLocaleString("en-GB")} that are known`,
      unit: "ns of processor time",
      better: "less",
      control: "Map.get",
      candidates: [
        {
          name: "known, and its session",
          role: "ours",
          measure: async () => {
            const { force, gateway } = await rig();
            return perLookup(known, (shown) => {
              if (!gateway.limiter.resolver.sessions.has(shown) && !force.isKnown(shown))
                throw new Error(`${shown} is not known`);
              return sessionOf(gateway.limiter.resolver, shown);
            });
          },
        },
        {
          name: "Map.get",
          role: "control",
          measure: async () => {
            const all = await map();
            return perLookup(known, (shown) => all.get(shown));
          },
        },
      ],
      targets: [{ candidate: "known, and its session", value: 1_000 }],
      repeats,
      warmUps: 1,
    },
    {
      name: `a key that comes for the first time, of ${many}`,
      unit: "us",
      better: "less",
      control: "node:sqlite, by its hash",
      candidates: [
        {
          name: "looked up",
          role: "ours",
          measure: async () => {
            const { rate: rateOf } = await rig();
            const startMs = performance.now();
            for (let i = 0; i < MISSES; i++)
              if ((await rateOf(credential(next++))) === null) throw new Error("nobody has it");
            return ((performance.now() - startMs) * 1_000) / MISSES;
          },
        },
        {
          name: "node:sqlite, by its hash",
          role: "control",
          measure: async () => {
            const { file } = await rig();
            const database = new DatabaseSync(file, { readOnly: true });
            const hashes = database
              .prepare("select found_by from records where family = 'keys' and row % ? = 7 limit ?")
              .all(Math.floor(keys / MISSES), MISSES);
            const one = database.prepare(
              "select id, version, document from records where family = 'keys' and found_by = ?",
            );
            const startMs = performance.now();
            for (const { found_by: hash } of hashes) one.get(hash!);
            const tookMs = performance.now() - startMs;
            database.close();
            return (tookMs * 1_000) / hashes.length;
          },
        },
      ],
      targets: [{ candidate: "looked up", value: 1_000 }],
      repeats,
      warmUps: 1,
    },
    {
      name: `a changed rate, until the next request obeys, with ${many} keys`,
      unit: "ms",
      better: "less",
      control: "node:sqlite, one durable commit",
      candidates: [
        {
          name: "PUT, and a request",
          role: "ours",
          measure: async () => {
            const { app, rate: rateOf } = await rig();
            const startMs = performance.now();
            for (let i = 0; i < UPDATES; i++) {
              await putKey(app, "k1", { rate: ++rate });
              const seen = await rateOf(credential(1));
              if (seen !== rate) throw new Error(`${seen} is obeyed, and not ${rate}`);
            }
            return (performance.now() - startMs) / UPDATES;
          },
        },
        {
          name: "node:sqlite, one durable commit",
          role: "control",
          measure: async () => {
            const { file } = await rig();
            const database = new DatabaseSync(`${file}.bare`);
            database.exec("pragma journal_mode = wal; pragma synchronous = full");
            database.exec("create table if not exists t (n integer)");
            const insert = database.prepare("insert into t values (?)");
            const startMs = performance.now();
            for (let i = 0; i < UPDATES; i++) insert.run(i);
            const tookMs = performance.now() - startMs;
            database.close();
            return tookMs / UPDATES;
          },
        },
      ],
      targets: [{ candidate: "PUT, and a request", value: 5 }],
      repeats,
      warmUps: 1,
    },
    {
      name: `how long a changed policy holds everybody up, with ${known.toLocaleString("en-GB")} known keys`,
      unit: "ms",
      better: "less",
      control: "nothing changes",
      candidates: [
        {
          name: "PUT of their policy",
          role: "ours",
          measure: async () => {
            const { app } = await rig();
            return longestHoldMs(() => putPolicy(app, "p", { rate: ++rate }));
          },
        },
        {
          name: "nothing changes",
          role: "control",
          measure: () => longestHoldMs(() => new Promise((resolve) => setTimeout(resolve, 20))),
        },
      ],
      targets: [{ candidate: "PUT of their policy", value: 20 }],
      repeats,
      warmUps: 1,
    },
    {
      name: "requests a second with a key from records, and with one from a file",
      unit: "requests/s",
      better: "more",
      control: "weir, answering itself",
      candidates: [
        {
          name: "weir, from records",
          role: "ours",
          measure: () => measured("weir, from records", seconds),
        },
        {
          name: "weir, answering itself",
          role: "control",
          measure: () => measured("weir, answering itself", seconds),
        },
      ],
      targets: [
        { candidate: "weir, from records", against: ["weir, answering itself"], times: 0.9 },
      ],
      repeats: Math.ceil(repeats / 2),
      warmUps: 0,
    },
  ];
}

/** Each text is new, as it is from a socket: nobody has worked out its hash. */
function perLookup(known: number, look: (shown: string) => unknown): number {
  const step = Math.floor(known / CHOSEN) || 1;
  const shown = Array.from({ length: CHOSEN }, (_, i) =>
    Buffer.from(credential((i * step * 7_919) % known)).toString("latin1"),
  );
  let found = 0;
  const startMs = processorMs();
  for (const one of shown) if (look(one) !== undefined) found++;
  const tookMs = processorMs() - startMs;
  if (found !== CHOSEN) throw new Error(`${CHOSEN - found} are not there`);
  return (tookMs * 1e6) / CHOSEN;
}

async function longestHoldMs(work: () => Promise<void>): Promise<number> {
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  await new Promise((resolve) => setTimeout(resolve, 20));
  held.reset();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  held.disable();
  return held.max / 1e6;
}

const casesOf = (scale: Scale): readonly Case[] =>
  scale === "quick"
    ? cases({ keys: 100_000, known: 20_000 }, 3, 2)
    : cases({ keys: 1_000_000, known: 500_000 }, 7, 3);

export const management: Suite = {
  name: "management",
  about: "keys that lie in a database: from memory, for the first time, and when they change",
  cases: casesOf,
};
