import { expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";

const warningsOf = (apis: Readonly<Record<string, unknown>>): readonly string[] =>
  readConfiguration({
    apis,
    keys: {
      alice: { apis: ["orders"], rate: 5, per: 10 },
    },
    gateway: { algorithm: "sliding_log" },
  })
    .problems.map(({ code }) => code)
    .filter((code) => code === "CFG-LIMIT-NEVER-REFUSES");

test("a looser limit with a tighter one of the same requests can never refuse", () => {
  expect(warningsOf({ orders: { listen: "/orders", rate: 1, per: 10 } })).toEqual([
    "CFG-LIMIT-NEVER-REFUSES",
  ]);
});

test.each(["ip", { header: "X-Client" }])(
  "rates that count each sender alone have no warning (%j)",
  (key_by) => {
    expect(warningsOf({ orders: { listen: "/orders", rate: 1, per: 10, key_by } })).toEqual([]);
  },
);
