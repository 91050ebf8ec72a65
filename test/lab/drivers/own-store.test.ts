// A limiter that counts in a store, and what it meets when its store is gone for a while.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { playOn } from "#src/lab/drivers/driver.ts";
import { remote } from "#src/lab/drivers/remote.node.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

/** It reads its store for each decision, and answers with an error if the store is gone, or if `isBroken`. */
const limiterOf = (isBroken: boolean): string => `
import { connect } from "node:net";
import { createInterface } from "node:readline";
const [host, port] = process.env.REDIS_ADDRESS.split(":");
const read = () => new Promise((resolve) => {
  const socket = connect(Number(port), host, () => socket.write("PING\\r\\n"));
  socket.once("data", (data) => { resolve(String(data).startsWith("+PONG")); socket.destroy(); });
  socket.once("error", () => resolve(false));
  socket.once("close", () => resolve(false));
});
for await (const line of createInterface({ input: process.stdin })) {
  const { op } = JSON.parse(line);
  const answer =
    op === "describe"
      ? { protocol: 1, id: "reader", version: "1.0.0", clock: "real" }
      : op !== "decide"
        ? { ok: true }
        : ${isBroken ? "false" : "(await read())"}
          ? { admitted: true, at_us: Date.now() * 1_000 }
          : { error: "the store is gone" };
  console.log(JSON.stringify(answer));
}
`;

const MANIFEST = `name: reader
about: It reads its store.
version: 1.0.0
kind: decide
install: { registry: none }
start: [node, "{folder}/limiter.mjs"]
clock: real
model: { algorithm: fixed_window }
capabilities: { scopes: [key], store: redis }
`;

const SCENARIO = `id: limits/away
title: the limiter reports an error while its store is gone
about: A test.
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: before, as: alice, send: GET /orders, burst: 1 }
  - { name: meanwhile, as: alice, send: GET /orders, burst: 1, at: 400ms }
  - { name: after, as: alice, send: GET /orders, burst: 1, at: 1.2s }
faults:
  - { at: 200ms, store: down, for: 600ms }
expect:
  - { id: some, count: { status: 200 }, atLeast: 1 }
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-own-store-"));
  writeFileSync(join(dir, "manifest.yaml"), MANIFEST);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function statusesOf(scenarioText: string): Promise<readonly number[]> {
  const { scenario } = decode("limits/away.yaml", scenarioText);
  const variant = scenario!.variants[0]!;
  const driver = await remote({ kind: "implementation", name: dir });
  try {
    const { requests } = await playOn(driver, variant, plan(variant, scenario!.id, 1));
    return [...requests.status];
  } finally {
    await driver.close();
  }
}

test("an error while the store is gone is a response of 503, and the limiter goes on", async () => {
  writeFileSync(join(dir, "limiter.mjs"), limiterOf(false));
  expect(await statusesOf(SCENARIO)).toEqual([200, 503, 200]);
});

test("an error of a limiter whose store was never gone stops the run", async () => {
  writeFileSync(join(dir, "limiter.mjs"), limiterOf(true));
  const withoutLoss = SCENARIO.replace(/faults:\n.*\n/, "");
  await expect(statusesOf(withoutLoss)).rejects.toThrow("the store is gone");
});
