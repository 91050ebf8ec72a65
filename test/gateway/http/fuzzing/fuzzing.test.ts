// The first server rejects a request that two servers could read differently. `npm run fuzz` runs a million inputs.
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEED } from "../../../runs.ts";
import { arena, type Arena } from "./arena.ts";
import { fuzz } from "./fuzz.ts";
import { SHAPES } from "./shapes.ts";

const SMUGGLED = "GET /open/smuggled HTTP/1.1\r\nHost: g\r\n\r\n";

let served: Arena;
beforeAll(async () => {
  served = await arena();
});
afterAll(() => served.stop());

test("there are enough shapes, each with a name and a source of its own", () => {
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
  expect(new Set(SHAPES.map(({ bytes }) => bytes)).size).toBe(SHAPES.length);
  for (const { source } of SHAPES) expect(source).toMatch(/RFC|CVE|GHSA|20\d\d/);
  expect(SHAPES.length).toBeGreaterThan(80);
});

test.each(SHAPES)("$name ($source): $expected", async ({ bytes, expected }) => {
  const input = { text: bytes + SMUGGLED, cuts: [] };
  const { wrong, statuses, forwarded } = await served.play(served.lane(), input);
  const seen = { wrong, smuggles: forwarded.some((word) => word.includes("smuggled")) };
  const followed = { statuses: [200, 200], forwarded: [expect.anything(), expect.anything()] };
  expect({ ...seen, statuses, forwarded }).toMatchObject({
    wrong: null,
    smuggles: expected === "reads",
    ...(expected === "reads" && followed),
    ...(typeof expected === "number" && { statuses: [expected], forwarded: [] }),
  });
});

test("the gateway, a server behind it and a strict reader read 10,000 inputs alike", async () => {
  const { failures, counts } = await fuzz({ seed: SEED, from: 0, inputs: 10_000, lanes: 32 });
  expect(failures).toEqual([]);
  // Each decided request has one exchange, however its client left.
  expect(counts.decided).toBe(counts.begun);
  // Much of it is HTTP, and goes all the way.
  expect(counts.forwarded).toBeGreaterThan(3_000);
});
