import { expect, test } from "vitest";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const edge = (algorithms: string, gateway = ""): string => `title: bursts around the end of a minute
matrix:
  algorithm: [${algorithms}]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 100, per: 60 } }
  gateway: { algorithm: $algorithm${gateway} }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 100, at: 59s }
  - { name: second, as: alice, send: GET /orders, burst: 100, at: 61s }
expect:
  - { id: some pass, count: { as: alice, status: 200 }, atLeast: 1 }
  - { id: never far above, maxInAnyWindow: { as: alice, window: 60s }, atMost: 200 }
`;

test("a matrix in one file is a table, and a default that decides is noted once", async () => {
  const folder = folderWith({ "edge.yaml": edge("fixed_window, gcra, token_bucket") });
  const { out } = await weir(folder, ["run", "edge.yaml"]);
  expect(out).toContain(
    [
      "      offered  admitted  refused  most in 60s  variant",
      "pass      200       100      100          100  algorithm=fixed_window",
      "pass      200         2      198            2  algorithm=gcra",
      "pass      200       103       97          103  algorithm=token_bucket",
    ].join("\n"),
  );
  expect(out.match(/^note .*$/gm)).toEqual([
    "note algorithm=fixed_window: a window of fixed_window starts with the first request; with gateway: { fixed_window_start: clock } two of its windows can admit 200 within 60s",
    "note algorithm=gcra: gcra without burst admits one request every 600ms: 2 of 200 were admitted; gateway: { burst: rate } admits 100 at once",
  ]);
});

test("the hint about the clock equals the result of a run with the clock, which has no hint", async () => {
  const folder = folderWith({
    "edge.yaml": edge("fixed_window, gcra", ", fixed_window_start: clock, burst: rate"),
  });
  const { out } = await weir(folder, ["run", "edge.yaml"]);
  expect(out).toMatch(/^pass +200 +200 +0 +200 {2}algorithm=fixed_window$/m);
  expect(out).not.toMatch(/^note /m);
});

test("a file without a matrix has no table, and one that nothing starves has no note", async () => {
  const { out } = await weir(folderWith({ "one.yaml": sample("limits/one") }), ["run", "one.yaml"]);
  expect(out).not.toMatch(/offered|^note /m);
});

test("a client that a log starves is noted", async () => {
  const text = edge("sliding_log, drl")
    .replace("rate: 100, per: 60", "rate: 10, per: 1")
    .replace("burst: 100, at: 61s", "rate: 20, for: 1m");
  const { out } = await weir(folderWith({ "a.yaml": text }), ["run", "a.yaml"]);
  expect(out.match(/^note .*$/gm)).toEqual([
    expect.stringMatching(/^note algorithm=sliding_log: sliding_log counts refused attempts too/),
  ]);
});

test("a hint has numbers that the table has too, whatever the clients do", async () => {
  const retrying = `id: a
title: clients that come back
proves: [LIM-1]
matrix: { algorithm: [sliding_log, token_bucket] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 10, per: 5 } }
  gateway: { algorithm: $algorithm }
traffic:
  - { name: herd, as: alice, send: GET /orders, burst: 50, clients: 50, behaviour: { backoff: { base: 1s, factor: 1, maxAttempts: 30 } } }
expect:
  - { id: some are refused, count: { status: 429 }, atLeast: 1 }
`;
  const { out } = await weir(folderWith({ "a.yaml": retrying }), ["run", "a.yaml"]);
  const [, admitted, offered] = /^note .*: ([\d,]+) of ([\d,]+) were admitted;/m.exec(out) ?? [];
  const [, ...ofTable] = /^pass +([\d,]+) +([\d,]+) .*algorithm=sliding_log$/m.exec(out) ?? [];
  expect([offered, admitted]).toEqual(ofTable);
  expect(out).not.toContain("would");
});
