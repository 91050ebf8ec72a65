// Started with --expose-gc in a process of its own: the memory of a million budgets, as the process reports it before
// and after, compared with a Map that holds as little of each as possible. Names exist before, and are not counted.
import { client } from "#src/limiter/core/client.ts";
import { emptyReply } from "#src/limiter/core/store.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { atUs, level } from "./budgets.ts";

const KEYS = 1_000_000;
const [content = ""] = process.argv.slice(2);
const clients = Array.from({ length: KEYS }, (_, index) => client(`key:${index}`));
const retained: unknown[] = [];

/** Twice, because content counted collection leaves to be finalised the next counted frees. */
function bytes(): number {
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const before = bytes();
if (content === "control") {
  const counts = new Map<string, { startUs: number; count: number }>();
  for (const { identity } of clients) counts.set(identity, { startUs: 0.5, count: 1 });
  retained.push(counts);
} else {
  const store = memoryStore();
  const counted = level(content === "sliding_log" ? "sliding_log" : "fixed_window", {
    rate: 5,
    per: 60,
  });
  const levels = localStore(store, store).bind([counted]);
  const reply = emptyReply();
  for (const each of clients) levels.take(each, atUs(0), "spend", reply, 1);
  retained.push(store);
}
const each = (bytes() - before) / KEYS;
// Used after the measurement, so that neither is collected before.
if (retained.length !== 1 || clients.length !== KEYS) throw new Error("nothing was held");
console.log(each);
