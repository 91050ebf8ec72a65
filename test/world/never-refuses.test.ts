import { expect, test } from "vitest";
import { readConfiguration } from "../../src/world/read.ts";

const warned = (apis: Readonly<Record<string, unknown>>): readonly string[] =>
  readConfiguration({
    apis,
    keys: {
      alice: { apis: ["orders"], rate: 5, per: 10 },
    },
    gateway: { algorithm: "sliding_log" },
  })
    .problems.map(({ code }) => code)
    .filter((code) => code === "CFG-LIMIT-NEVER-REFUSES");

test("a looser limit beside a tighter one of the same requests can never refuse", () => {
  expect(warned({ orders: { listen: "/orders", rate: 1, per: 10 } })).toEqual([
    "CFG-LIMIT-NEVER-REFUSES",
  ]);
});

test.each(["ip", { header: "X-Client" }])(
  "nothing is said of rates that count each sender by itself (%j)",
  (key_by) => {
    expect(warned({ orders: { listen: "/orders", rate: 1, per: 10, key_by } })).toEqual([]);
  },
);
