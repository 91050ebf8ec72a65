import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { ALL_CLIENTS } from "../../src/core/client.ts";
import { emptyReply, type StoreResult, type StoreOp } from "../../src/core/store.ts";
import { micros, SECOND } from "../../src/core/units.ts";
import { askByNode, slotOf } from "../../src/store/redis-nodes.node.ts";
import { startRedis } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";

const op = (node: string, intent: "spend" | "evaluate" = "spend"): StoreOp => ({
  op: "take",
  levels: [],
  client: { ...ALL_CLIENTS, identity: node },
  atUs: micros(0),
  intent,
});

/** Nodes that answer unless they are away; what is asked of them is written down. */
function nodes() {
  const away = new Set<string>();
  const asked: string[] = [];
  let looks = 0;
  const nodeOf = (one: StoreOp): string => (one.op === "take" ? one.client.identity : "");
  const ask = askByNode(
    (one, _us, hear) => {
      const node = nodeOf(one);
      asked.push(`${node} ${one.op === "take" ? one.intent : one.op}`);
      setImmediate(hear, away.has(node) ? { failed: "timeout" } : emptyReply());
    },
    nodeOf,
    () => void looks++,
  );
  const heard = (one: StoreOp): Promise<StoreResult> =>
    new Promise((resolve) => ask(one, micros(SECOND), resolve));
  const said = async (node: string): Promise<string> => {
    const answer = await heard(op(node));
    return "failed" in answer ? answer.failed : "answered";
  };
  return { away, asked, said, looks: () => looks };
}

test("a node that failed five times in a row is not asked any more, and the others are", async () => {
  const { away, asked, said, looks } = nodes();
  away.add("b");
  const all: string[] = [];
  for (let i = 0; i < 7; i++) all.push(await said("b"), await said("a"));
  expect(all.filter((_, i) => i % 2 === 0)).toEqual([
    ...Array.from({ length: 5 }, () => "timeout"),
    "lost",
    "lost",
  ]);
  expect(new Set(all.filter((_, i) => i % 2 === 1))).toEqual(new Set(["answered"]));
  expect(asked.filter((one) => one === "b spend").length).toBe(5);
  expect(looks()).toBe(1);
});

test("an answer in between begins the count anew", async () => {
  const { away, said } = nodes();
  for (let i = 0; i < 3; i++) {
    away.add("b");
    for (let k = 0; k < 4; k++) expect(await said("b")).toBe("timeout");
    away.delete("b");
    expect(await said("b")).toBe("answered");
  }
});

test("what was under way when the fifth failed is lost too", async () => {
  const { away, said } = nodes();
  away.add("b");
  const all = await Promise.all(Array.from({ length: 8 }, () => said("b")));
  expect(all.filter((one) => one === "lost").length).toBe(3);
});

test("a probe a second looks for its return, spends nothing, and nobody waits for it", async () => {
  const { away, asked, said } = nodes();
  away.add("b");
  for (let i = 0; i < 5; i++) await said("b");
  away.delete("b");
  expect(await said("b")).toBe("lost");
  await sleep(1_010);
  expect(await said("b")).toBe("lost");
  expect(asked.filter((one) => one === "b evaluate").length).toBe(1);
  await sleep(10); // the answer to the probe
  expect(await said("b")).toBe("answered");
});

test.skipIf(!redisIsThere)("slots are those of a cluster", async () => {
  const server = await startRedis(() => ["cluster-enabled yes", 'save ""']);
  onTestFinished(server.stop);
  const client = new Redis(server.url);
  onTestFinished(() => client.disconnect());
  const keys = [
    "",
    "a",
    "123456789",
    "weir:{key/alice}log",
    "{}x",
    "a{b",
    "a}{b}",
    "{{a}}",
    "ä{ö}",
  ];
  for (const key of keys)
    expect([key, slotOf(key)]).toEqual([key, await client.call("cluster", "keyslot", key)]);
});
