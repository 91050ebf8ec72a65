// The command line of limits in units.
import { expect, test } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { folderWith, weir } from "./weir.ts";

const rows = [
  ["10:00:00", "4", "500"],
  ["10:00:01", "2.5", "-"],
  ["10:00:02", "-", "500"],
  ["10:00:03", "5", "500"],
].map(([time, cost, took]) => `2026-01-05T${time}.5Z,192.0.2.1,${cost},${took}`);
const log = `time,ip,tokens,duration_ms\n${rows.join("\n")}\n`;

const LIMIT = ["--limit", "10/1m", "--algorithm", "fixed_window", "--cost", "field:tokens"];

test("missing costs are 1, decimals are rounded up, and both are counted", async () => {
  const folder = folderWith({ "a.csv": log });
  const { code, out } = await weir(folder, ["replay", "a.csv", ...LIMIT, "--json"]);
  const { cost, logs, candidates } = JSON.parse(out) as ReplayResult;
  // 4 + 3 + 1 leave 2 of 10, so that the last one is refused.
  expect([code, cost]).toEqual([0, { field: "field:tokens", charge: "before" }]);
  expect(logs[0]).toMatchObject({ withoutCost: 1, roundedCosts: 1, withoutDuration: 0 });
  expect(candidates[0]).toMatchObject({ refused: 1, units: { refused: 5, spent: 8 } });
  const text = (await weir(folder, ["replay", "a.csv", ...LIMIT])).out;
  expect(text).toContain(
    "a.csv: csv, 5 lines; 1 without a cost cost 1; 1 with decimals cost the next integer\n",
  );
  expect(text).toContain("requests cost field:tokens, which is spent when they are admitted");
});

test("charged after, a request is admitted while a unit is left, and the overshoot is printed", async () => {
  const folder = folderWith({ "a.csv": log });
  const args = ["replay", "a.csv", ...LIMIT, "--charge", "after"];
  const { out } = await weir(folder, args);
  expect(out).toContain("; 1 without a duration are charged when they arrive");
  expect(out).toMatch(/10\/1m +fixed_window +0 +0 % +0 +0 % +0 +0 % +13 +3$/m);
  expect(out).not.toContain("no durations");
  const without = folderWith({ "a.csv": log.replaceAll("duration_ms", "other") });
  expect((await weir(without, args)).out).toContain(
    "the log has no durations, so that requests end when they arrive.",
  );
  const other = log.replaceAll("duration_ms", "other");
  const several = folderWith({ "a.csv": other, "b.csv": log, "c.csv": `${other}\n` });
  expect((await weir(several, [...args, "b.csv"])).out).toContain("1 log has no durations,");
  expect((await weir(several, [...args, "c.csv"])).out).toContain("the logs have no durations,");
});

test("--key none counts all requests as one client", async () => {
  const folder = folderWith({ "a.csv": `${log}2026-01-05T10:00:04.5Z,192.0.2.2,2,1\n` });
  const { out } = await weir(folder, ["replay", "a.csv", ...LIMIT, "--key", "none"]);
  expect(out).toContain("5 requests as one client, 2026");
  expect(out).toMatch(/\nall requests +5 +1 /);
});

test.each([
  [["--limit", "10/1m", "--charge", "after"], "--charge needs --cost"],
  [["--limit", "10/1m", "--cost", "tokens"], '--cost: "tokens" is no field'],
  [
    ["--limit", "10/1m", "--cost", "field:token"],
    "no column has field:token; the columns of the log are",
  ],
  [[...LIMIT, "--charge", "later"], 'there is no time to charge "later"'],
  [["--world", "w.yaml", "--cost", "field:tokens"], "--cost is only for --limit"],
  [["--world", "w.yaml", "--key", "none"], "--world needs a --key of one field"],
  [
    ["--limit", "2000000/1m", "--algorithm", "sliding_log", "--cost", "field:tokens"],
    "sliding_log has an entry for each unit, and a limit of 2000000 is too much",
  ],
  [
    ["--limit", "9/1m", "--algorithm", "sentinel", "--cost", "field:tokens", "--charge", "after"],
    "sentinel cannot be charged after: it is written after each decision",
  ],
  [
    ["--limit", "9/1m", "--algorithm", "leaky_bucket", "--cost", "field:tokens", "--charge=after"],
    "leaky_bucket cannot be charged after: it lets requests wait",
  ],
])("%j is refused with its correction", async (args, expected) => {
  const world = "apis: { orders: { listen: /orders } }\n";
  const folder = folderWith({ "a.csv": log, "w.yaml": world });
  const { code, out, err } = await weir(folder, ["replay", "a.csv", ...args]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(expected);
});
