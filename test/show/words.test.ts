import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { wordsHtml } from "#src/show/html/words.ts";
import type { ScenarioReport } from "#src/lab/report/model.ts";
import { runReportOfText } from "./small-runs.ts";

const reportWith = (world: string, traffic: string, matrix = ""): ScenarioReport =>
  scenarioReport(
    runReportOfText(`id: limits/small
title: small
about: small
proves: [LIM-1]
${matrix}
world:
${world}
traffic:
${traffic}
expect:
  - { id: counted, count: {}, atLeast: 0 }
`),
    "",
  );

const WORLD = `  apis:
    orders: { listen: /orders, rate: 100, per: 60 }
    open: { listen: /open, keyless: true, disable_rate_limit: true }
  policies:
    gold: { rate: 6, per: 3, quota_max: 50, quota_renewal_rate: 3600, apis: [orders] }
    free: { rate: -1, per: 1, apis: [orders] }
  keys:
    alice: { apis: [orders], rate: 5, per: $per, smoothing: { enabled: true, threshold: 2, step: 1, trigger: 1, delay: 1 } }
    bob: { apply_policies: [gold, free] }
    many: { apis: [orders], count: 4, rate: 1, per: 1 }
  gateway: { algorithm: sliding_log, burst: rate }
  fleet: { nodes: 3 }
  network: { latency: 5ms }
  store: { latency: { uniform: [1ms, 3ms] } }`;

const TRAFFIC = `  - { name: rush, as: alice, send: GET /orders, burst: 12, at: 900ms }
  - { name: steady, as: bob, send: POST /orders, every: 20ms, count: 4, at: 2s }
  - { name: crowd, as: many, send: GET /orders, rate: 2, for: 1s, clients: 3 }
  - { name: nobody, send: GET /open, burst: 1 }`;

test("world and traffic are described once, and of a variant only its own part", () => {
  const { words, variants } = reportWith(WORLD, TRAFFIC, "matrix: { per: [1, 10] }");
  expect(words.world).toEqual([
    "API orders at /orders: 100 per 60s for all clients together.",
    "API open at /open, without keys: rate limiting is off.",
    "Policy gold: 6 per 3s; a quota of 50 per 3600s.",
    "Policy free: unlimited.",
    "Key bob: policies gold, free.",
    "Keys many-1, many-2, many-3 and 1 more: 1 per 1s, each.",
    "Gateway: algorithm sliding_log, burst rate.",
    "Fleet: 3 gateways, requests spread round robin.",
    "Time: the network one way 5ms, the store one way 1ms to 3ms.",
  ]);
  expect(words.traffic).toEqual([
    "rush: 12 requests at once at 900ms, as alice: GET /orders.",
    "steady: 4 requests, one every 20ms, from 2s on, as bob: POST /orders.",
    "crowd: 2 a second for 1s, from 0s on, as many by 3 clients in turn: GET /orders.",
    "nobody: 1 request at 0s, without a key: GET /open.",
  ]);
  expect(variants.map((variant) => variant.words)).toEqual(
    [1, 10].map((per) => ({
      world: [
        `Key alice: 5 per ${per}s, smoothed from 2 by 1 at a time (trigger 1, at most once in 1s).`,
      ],
      traffic: [],
    })),
  );
});

test("a world of many keys is a line each up to a bound, with the count of those left out", () => {
  const keys = Array.from(
    { length: 40 },
    (_, n) => `    k${n}: { apis: [orders], rate: ${n + 1}, per: 1 }`,
  );
  const { words } = reportWith(
    `  apis: { orders: { listen: /orders } }\n  keys:\n${keys.join("\n")}`,
    "  - { name: one, as: k1, send: GET /orders, burst: 1 }",
  );
  expect(words.world).toHaveLength(25);
  expect(words.world.at(-1)).toBe("And 18 more lines in the scenario's file.");
});

test("names are shown as they are and become no part of the page", () => {
  const { words } = reportWith(
    `  apis: { "<b>x</b>": { listen: /orders } }\n  keys: { k: { apis: ["<b>x</b>"], rate: 1, per: 1 } }`,
    `  - { name: "<i>one</i>", as: k, send: GET /orders, burst: 1 }`,
  );
  const html = String(wordsHtml(words, "World & traffic"));
  expect(html).not.toMatch(/<[bi]>/);
  expect(html).toContain("API &lt;b&gt;x&lt;/b&gt; at /orders");
});
