// A run in which some decisions are open, because requests are in flight together.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

/** Two of six are at one instant, and under the sentinel the second may pass before the first is written. */
const overlapping = (more: string): string =>
  sample("limits/overlap", {
    world: `
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 1, per: 1 } }
  gateway: { algorithm: sentinel }
  store: { latency: 1ms }`,
    traffic: `
  - { name: alone, as: alice, send: GET /orders, every: 2s, count: 4, at: 0s }
  - { name: both, as: alice, send: GET /orders, burst: 2, at: 20s }`,
    expect: `
  - { id: agrees with the specification, decisions: {}, agreeWith: oracle${more} }`,
  });
const RAISED = ", open: { atMost: 0.4, because: two arrive at once }";

test("a run prints how many of its decisions are open, and has them as numbers in its document", async () => {
  const folder = folderWith({ "a.yaml": overlapping(RAISED) });
  const { code, out } = await weir(folder, ["run", "a.yaml"]);
  expect(code).toBe(0);
  expect(out).toContain(
    "2 of 6 compared decisions are open (33.3 %): the specification allows both outcomes\n",
  );
  const document = JSON.parse((await weir(folder, ["run", "a.yaml", "--json"])).out) as unknown;
  expect(document).toMatchObject({
    results: [{ verdicts: [{ outcome: "pass", examined: 6, open: 2 }] }],
    footer: { decisions: { compared: 6, open: 2 } },
  });
});

test("a run with too many open decisions shows nothing, and has the exit code of that", async () => {
  const folder = folderWith({ "a.yaml": overlapping("") });
  const { code, out } = await weir(folder, ["run", "a.yaml"]);
  expect(code).toBe(5);
  expect(out).toContain(
    "observed  0 of 6 decisions disagree, 2 are open (33.3 %): more than 10 % of them\n",
  );
  expect(out).toContain(
    "failed includes 1 inconclusive variant (the timing or the specification allows both outcomes)",
  );
});

test("a page has the open decisions of a verdict as a number too", async () => {
  const folder = folderWith({ "a.yaml": overlapping(RAISED) });
  await weir(folder, ["run", "a.yaml", "--html", "a.html"]);
  expect(readFileSync(join(folder, "a.json"), "utf8")).toContain('"examined":6,"open":2');
});
