import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { ALL_CLIENTS } from "../../src/core/client.ts";
import { emptyReply, type StoreResult, type StoreOp } from "../../src/core/store.ts";
import { micros, SECOND } from "../../src/core/units.ts";
import { sendByNode, slotOf } from "../../src/store/redis-nodes.node.ts";
import { startRedis } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";

const op = (node: string, intent: "spend" | "evaluate" = "spend"): StoreOp => ({
  op: "take",
  levels: [],
  client: { ...ALL_CLIENTS, identity: node },
  atUs: micros(0),
  intent,
  units: 1,
});

/** Nodes that respond unless they are away, and record their operations. */
function nodes() {
  const away = new Set<string>();
  const operations: string[] = [];
  let looks = 0;
  const nodeOf = (one: StoreOp): string => (one.op === "take" ? one.client.identity : "");
  const sendOperation = sendByNode(
    (one, _us, onReply) => {
      const node = nodeOf(one);
      operations.push(`${node} ${one.op === "take" ? one.intent : one.op}`);
      setImmediate(onReply, away.has(node) ? { failed: "timeout" } : emptyReply());
    },
    nodeOf,
    () => void looks++,
  );
  const replyOf = (one: StoreOp): Promise<StoreResult> =>
    new Promise((resolve) => sendOperation(one, micros(SECOND), resolve));
  const send = async (node: string): Promise<string> => {
    const answer = await replyOf(op(node));
    return "failed" in answer ? answer.failed : "answered";
  };
  return { away, operations, send, looks: () => looks };
}

test("a node that failed five times in a row gets no operations any more, and the others do", async () => {
  const { away, operations, send, looks } = nodes();
  away.add("b");
  const all: string[] = [];
  for (let i = 0; i < 7; i++) all.push(await send("b"), await send("a"));
  expect(all.filter((_, i) => i % 2 === 0)).toEqual([
    ...Array.from({ length: 5 }, () => "timeout"),
    "lost",
    "lost",
  ]);
  expect(new Set(all.filter((_, i) => i % 2 === 1))).toEqual(new Set(["answered"]));
  expect(operations.filter((one) => one === "b spend").length).toBe(5);
  expect(looks()).toBe(1);
});

test("a reply in between restarts the count", async () => {
  const { away, send } = nodes();
  for (let i = 0; i < 3; i++) {
    away.add("b");
    for (let k = 0; k < 4; k++) expect(await send("b")).toBe("timeout");
    away.delete("b");
    expect(await send("b")).toBe("answered");
  }
});

test("an operation that was under way when the fifth failed is lost too", async () => {
  const { away, send } = nodes();
  away.add("b");
  const all = await Promise.all(Array.from({ length: 8 }, () => send("b")));
  expect(all.filter((one) => one === "lost").length).toBe(3);
});

test("a probe a second looks for its return, spends nothing, and no request waits for it", async () => {
  const { away, operations, send } = nodes();
  away.add("b");
  for (let i = 0; i < 5; i++) await send("b");
  away.delete("b");
  expect(await send("b")).toBe("lost");
  await sleep(1_010);
  expect(await send("b")).toBe("lost");
  expect(operations.filter((one) => one === "b evaluate").length).toBe(1);
  await sleep(10); // the reply to the probe
  expect(await send("b")).toBe("answered");
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
