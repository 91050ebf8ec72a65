// Started with --expose-gc in a process of its own: what a million budgets weigh, by what the process says of its memory before and after,
// beside a Map that holds as little of each as can be held. Names are there before, and not counted.
import { client } from "../../src/core/client.ts";
import { emptyReply } from "../../src/core/store.ts";
import { atHand, memoryStore } from "../../src/store/memory.ts";
import { atUs, level } from "./budgets.ts";

const KEYS = 1_000_000;
const [what = ""] = process.argv.slice(2);
const clients = Array.from({ length: KEYS }, (_, index) => client(`key:${index}`));
const held: unknown[] = [];

/** Twice, because what one collection leaves to be finalised the next one frees. */
function bytes(): number {
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const before = bytes();
if (what === "control") {
  const counts = new Map<string, { startUs: number; count: number }>();
  for (const { identity } of clients) counts.set(identity, { startUs: 0.5, count: 1 });
  held.push(counts);
} else {
  const store = memoryStore();
  const one = level(what === "sliding_log" ? "sliding_log" : "fixed_window", { rate: 5, per: 60 });
  const question = atHand(store, store).bind([one]);
  const reply = emptyReply();
  for (const each of clients) question.take(each, atUs(0), "spend", reply);
  held.push(store);
}
const each = (bytes() - before) / KEYS;
// Said after it was measured, so that neither is collected before.
if (held.length !== 1 || clients.length !== KEYS) throw new Error("nothing was held");
console.log(each);
