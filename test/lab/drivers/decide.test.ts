// The driver for limiters that decide by lines, with a real program: which question it sends for which request, and when.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { playOn } from "#src/lab/drivers/driver.ts";
import { remote } from "#src/lab/drivers/remote.node.ts";
import { reasonsAgainst } from "#src/lab/drivers/support.ts";
import { micros } from "#src/kit/units.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { applyClaims } from "#src/lab/implementations/claimed.ts";
import { findUnsupported } from "#src/lab/implementations/translation.ts";
import { readWantedWorld } from "#src/lab/implementations/wanted.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Scenario } from "#src/lab/scenario/types.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-decide-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const MODEL = { algorithm: "fixed_window", fixed_window_start: "first_request" };

/** It admits by its limit and never forgets; it writes each question down, and refuses with a wait of half a second. */
function writeLimiter({
  clock = "virtual",
  model = JSON.stringify(MODEL),
  capabilities = "cost: true, change: reload",
} = {}): void {
  writeFileSync(
    join(dir, "manifest.yaml"),
    `name: counter
about: It counts and never forgets.
version: 1.0.0
kind: decide
install: { registry: none }
start: [node, "{folder}/limiter.ts"]
clock: ${clock}
model: ${model}
capabilities: { scopes: [api, key, key-api], waits: true, ${capabilities} }
`,
  );
  writeFileSync(
    join(dir, "limiter.ts"),
    `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
type Question = { op: string; limits: { limit: number }[]; limit_index: number; key: string; cost: number };
const spent = new Map<string, number>();
let limits: number[] = [];
function answer(question: Question): object {
  if (question.op === "describe") return { protocol: 1, id: "counter", version: "1.0.0", clock: "${clock}", cost: ${capabilities.includes("cost: true")} };
  if (question.op !== "decide") { limits = question.limits.map(({ limit }) => limit); return { ok: true }; }
  const name = question.limit_index + question.key;
  const next = (spent.get(name) ?? 0) + question.cost;
  if (next > limits[question.limit_index]!) return { admitted: false, retry_after_us: 500_000 };
  spent.set(name, next);
  return { admitted: true };
}
for await (const line of createInterface({ input: process.stdin })) {
  appendFileSync(${JSON.stringify(join(dir, "questions"))}, line + "\\n");
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
`,
  );
}

interface Question {
  readonly op: string;
  readonly limits?: readonly { readonly limit: number; readonly burst: number }[];
  readonly limit_index?: number;
  readonly cost?: number;
  readonly at_us?: number;
}

const questions = (): readonly Question[] =>
  readFileSync(join(dir, "questions"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Question);

function readScenario(text: string): Scenario {
  const { scenario, problems } = decode(
    "limits/decide.yaml",
    `id: limits/decide\ntitle: the limiter decides\nabout: A test.\nproves: [LIM-1]\n${text}`,
  );
  if (scenario === null) throw new Error(JSON.stringify(problems));
  return applyClaims(scenario, MODEL);
}

async function playScenario(text: string): Promise<History> {
  const scenario = readScenario(text);
  const variant = scenario.variants[0]!;
  const driver = await remote({ kind: "implementation", name: dir });
  try {
    return await playOn(driver, variant, plan(variant, scenario.id, 1));
  } finally {
    await driver.close();
  }
}

const WORLD = `world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 2, per: 1 }
    bob: { apis: [orders], rate: 4, per: 1 }
`;
const NO_EXPECTATION = "expect:\n  - { id: some, count: { status: 200 }, between: [0, 99] }\n";

test("each key meets its own limit, and a rejected request is not sent", async () => {
  writeLimiter();
  const { requests } = await playScenario(`${WORLD}traffic:
  - { name: f1, as: alice, send: GET /orders, burst: 3 }
  - { name: f2, as: bob, send: GET /orders, burst: 5, at: 10ms }
  - { name: f3, as: bob, send: GET /nowhere, burst: 1, at: 20ms }
${NO_EXPECTATION}`);
  expect([...requests.status]).toEqual([200, 200, 429, 200, 200, 200, 200, 429, 404]);
  const decided = questions().filter(({ op }) => op === "decide");
  expect(decided.map(({ limit_index: index }) => index)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  const times = decided.map(({ at_us: atUs = 0 }) => atUs - decided[0]!.at_us!);
  expect(times).toEqual([0, 1, 2, 10_000, 10_001, 10_002, 10_003, 10_004]);
});

test("a request has its cost, and a refused client waits as long as the limiter reports", async () => {
  writeLimiter();
  const { requests } = await playScenario(`${WORLD}traffic:
  - { name: f4, as: bob, send: GET /orders, cost: 3, burst: 1 }
  - { name: f5, as: bob, send: GET /orders, cost: 2, burst: 1, at: 10ms, behaviour: { honourRetryAfter: { maxAttempts: 3 } } }
${NO_EXPECTATION}`);
  expect([...requests.status]).toEqual([200, 429, 429, 429]);
  const decided = questions().filter(({ op }) => op === "decide");
  expect(decided.map(({ cost }) => cost)).toEqual([3, 2, 2, 2]);
  expect(decided.map(({ at_us: atUs = 0 }) => atUs - decided[0]!.at_us!)).toEqual([
    0, 10_000, 510_000, 1_010_000,
  ]);
});

test("a limit has the burst of its world, if the limiter can have one", async () => {
  writeLimiter({ model: "{ algorithm: gcra, burst: rate }", capabilities: "burst: true" });
  const scenario = `${WORLD}  gateway: { algorithm: gcra, burst: 3 }
traffic:
  - { name: f10, as: alice, send: GET /orders, burst: 1 }
${NO_EXPECTATION}`;
  await playScenario(scenario);
  const { limits } = questions().find(({ op }) => op === "configure")!;
  expect(limits!.map(({ limit, burst }) => [limit, burst])).toEqual([
    [2, 3],
    [4, 3],
  ]);
  const { configuration } = readScenario(scenario).variants[0]!.world;
  const { manifest } = requireValue(await findImplementation(dir));
  const wanted = readWantedWorld(configuration!);
  expect(findUnsupported(manifest, wanted)).toEqual([]);
  const without = { ...manifest, capabilities: { ...manifest.capabilities, burst: false } };
  expect(findUnsupported(without, wanted)).toEqual([
    "counter has no burst apart from the rate: 3 of 2 per 1s (key)",
    "counter has no burst apart from the rate: 3 of 4 per 1s (key)",
  ]);
});

test("a clock that goes back, and another limit, arrive before the requests of their instant", async () => {
  writeLimiter();
  const { requests, header } = await playScenario(`${WORLD}traffic:
  - { name: f6, as: alice, send: GET /orders, burst: 3 }
  - { name: f7, as: alice, send: GET /orders, burst: 3, at: 1s }
faults:
  - { at: 500ms, clock: { skew: -5s }, node: 0 }
  - { at: 1s, configure: { keys: { alice: { rate: 3 } } } }
${NO_EXPECTATION}`);
  expect([...requests.status]).toEqual([200, 200, 429, 200, 429, 429]);
  expect(header.timing.kind).toBe("exact");
  const sent = questions().slice(2); // after describe and configure
  expect(sent.map(({ op }) => op).join(" ")).toBe(
    "decide decide decide change decide decide decide",
  );
  const fromUs = sent[0]!.at_us!;
  expect(sent.slice(3).map(({ at_us: atUs = 0 }) => atUs - fromUs)).toEqual([
    -4_000_000, -4_000_000, -3_999_999, -3_999_998,
  ]);
  expect(sent[3]!.limits!.map(({ limit }) => limit)).toEqual([3, 4]);
});

test("what the limiter cannot do makes a scenario unsupported, with the reason", async () => {
  writeLimiter({ clock: "virtual-forward", capabilities: "cost: false" });
  const { offer } = await remote({ kind: "implementation", name: dir });
  const reasonsFor = (text: string): readonly string[] => {
    const scenario = readScenario(text);
    const options = { stretch: 1, maxDurationUs: micros(60_000_000) };
    return reasonsAgainst(offer, scenario, scenario.variants[0]!, options).map((each) => each.text);
  };
  const burst = "traffic:\n  - { name: f8, as: alice, send: GET /orders, burst: 3 }\n";
  expect(reasonsFor(`${WORLD}${burst}${NO_EXPECTATION}`)).toEqual([]);
  expect(
    reasonsFor(
      `${WORLD}${burst}faults:\n  - { at: 1s, clock: { skew: -5s }, node: 0 }\n${NO_EXPECTATION}`,
    ),
  ).toContain("remote cannot turn a clock");
  expect(
    reasonsFor(
      `${WORLD}${burst}faults:\n  - { at: 1s, configure: { keys: { alice: { rate: 3 } } } }\n${NO_EXPECTATION}`,
    ),
  ).toContain("remote cannot change a configuration");
  expect(
    reasonsFor(
      `${WORLD}traffic:\n  - { name: f9, as: alice, send: GET /orders, cost: 2, burst: 1 }\n${NO_EXPECTATION}`,
    ),
  ).toContain("it counts requests, and here a request has a cost");
  expect(reasonsFor(`${WORLD.replace("rate: 4", "rate: 2.5")}${burst}${NO_EXPECTATION}`)).toContain(
    "counter takes integers from 1: 2.5 per 1s (key)",
  );
  expect(reasonsFor(`${WORLD.replace("rate: 4", "rate: 0")}${burst}${NO_EXPECTATION}`)).toContain(
    "counter takes integers from 1: 0 per 1s (key)",
  );
  expect(reasonsFor(`${WORLD}  gateway: { algorithm: gcra }\n${burst}${NO_EXPECTATION}`)).toContain(
    'the world sets algorithm to "gcra", and counter has "fixed_window"',
  );
  expect(reasonsFor(`${WORLD}  gateway: { queue: 2 }\n${burst}${NO_EXPECTATION}`)).toContain(
    "the world sets queue, an option of Weir's gateway",
  );
});
