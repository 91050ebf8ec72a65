// The two windows that a request may have counted in (ALG-C9).
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import type { Timing } from "#src/lab/scenario/history.ts";
import { BOUNDED, type Row } from "../../histories/history.ts";
import { key } from "../../histories/world.ts";
import { evaluate } from "./evaluate.ts";

const why = (rows: readonly Row[], timing: Timing): string | undefined =>
  evaluate(
    {
      keys: [key("alice", { limit: limitOf(2, 1) })],
      options: { algorithm: "sliding_window_counter" },
    },
    { rows, timing },
  ).rows.at(-1)?.why;
const within = (from: number, to: number): Row => ({ at: from, span: [from, to] });
const reason = (before: string, here: string): string =>
  `key: ${before} in the window before, ${here} in this one, rate 2 (LIM-1)`;
const EXACT: Timing = { kind: "exact" };

test("instants are in the order of their rows, whatever their stamps", () => {
  const rows = [{ at: 0.9 }, { at: 0.9, stamp: 1.1, gateway: 1 }, { at: 1.5 }];
  expect(why(rows, EXACT)).toBe(reason("1", "1"));
});

test("a span among instants may have come before them", () => {
  const rows = [within(0.5, 0.5), within(0.9, 0.95), within(0.93, 1.3), within(1.5, 1.5)];
  expect(why(rows, BOUNDED)).toBe(reason("1 to 3", "0 to 2"));
});

test("a clock that is behind may count in the window that another has begun", () => {
  const rows = [{ at: 0.9, stamp: 1.1, gateway: 1 }, { at: 0.95 }];
  expect(why(rows, EXACT)).toBe("key: the request may be in either of two windows (LIM-1)");
});

test("a request that was perhaps earlier is perhaps counted", () => {
  expect(why([within(0.1, 0.3), within(0.2, 0.4)], BOUNDED)).toBe(reason("0", "0 to 1"));
});
