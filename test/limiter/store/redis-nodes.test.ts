import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { ALL_CLIENTS } from "#src/limiter/core/client.ts";
import { emptyReply, type StoreResult, type StoreOp } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { sendByNode, slotOf } from "#src/limiter/store/redis-nodes.node.ts";
import { redisStore } from "#src/limiter/store/redis.node.ts";
import { startRedis } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";
import { level } from "./budgets.ts";

const SPEND = { op: "take", levels: [], atUs: micros(0), intent: "spend", units: 1 } as const;

const op = (node: string): StoreOp => ({
  ...SPEND,
  client: { ...ALL_CLIENTS, identity: node },
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

test.skipIf(!redisIsThere)("probes leave a budget of one to the next request", async () => {
  const server = await startRedis();
  onTestFinished(server.stop);
  const store = redisStore({ url: server.url });
  onTestFinished(store.close);
  expect(await store.connect(5_000)).toBe(null);
  const sendOperation = sendByNode(
    store.send,
    () => "one",
    () => undefined,
  );
  const levels = [level("fixed_window", { rate: 1, per: 60 })];
  const take = { ...SPEND, client: ALL_CLIENTS, levels };
  const send = (): Promise<StoreResult> =>
    new Promise((resolve) => sendOperation(take, micros(30 * SECOND), resolve));
  await server.kill();
  for (let i = 0; i < 5; i++) expect(await send()).toEqual({ failed: "error" });
  await server.restart();
  expect(await store.connect(5_000)).toBe(null);
  let reply = await send();
  for (let tries = 0; "failed" in reply && tries < 400; tries++) {
    await sleep(50);
    reply = await send();
  }
  expect(reply).toMatchObject({ refusedBy: -1 });
  expect(await send()).toMatchObject({ refusedBy: 0 });
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
