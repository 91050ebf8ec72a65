// When the specification fixes the Retry-After of a refusal, and when it does not (HDR-C1).
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, NEVER, secondsToMicros } from "#src/kit/units.ts";
import type { Fault } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import {
  api,
  configuration,
  key,
  type VariantText,
  type WorldText,
} from "../../histories/world.ts";
import { evaluate, retryAfter } from "./evaluate.ts";

const us = secondsToMicros;
const alice = (rate: number): WorldText => ({ keys: [key("alice", { limit: limitOf(rate, 1) })] });
const apis = [api("orders", { globalRateLimit: limitOf(9, 10) })];
const TWO = rowsOf("200 429", 0, 0.5);
const waits = (world: VariantText, rows: readonly Row[] = TWO): string =>
  retryAfter(evaluate(world, { rows }), rows.length - 1);

test.each([
  [0.499999, "not asserted"],
  [0.5, "not asserted"],
  [0.500001, "1"],
])("a refusal at 0.5 s, with a change of the configuration at %d s: %s", (at, expected) => {
  const faults = [
    { kind: "configure", atUs: us(at), configuration: configuration(alice(1)) },
    { kind: "configure", atUs: us(9), configuration: configuration(alice(1)) },
  ] as const;
  expect(waits({ ...alice(1), faults })).toBe(expected);
});

test.each<[VariantText, number, string]>([
  [{}, 1, "1"],
  [{}, 2, "1"],
  [{ options: { limitOrder: "key_first" } }, 1, "not asserted"],
  [{ options: { algorithm: "drl" } }, 1, "1"],
  [{ options: { algorithm: "drl" } }, 2, "not asserted"],
  [{ apis, options: { algorithm: null, drlThreshold: 0.45 } }, 1, "1"],
  [{ apis, options: { algorithm: null, drlThreshold: 0.46 } }, 2, "not asserted"],
])("with %j and %d gateways: %s", (more, fleet, expected) => {
  const rows = TWO.map((row): Row => ({ ...row, fleet }));
  expect(waits({ ...alice(1), ...more }, rows)).toBe(expected);
});

const slow = { environment: { storeUs: { kind: "constant", us: micros(2_000) } } } as const;
const restarts = (...at: readonly number[]): readonly Fault[] =>
  at.map((s) => ({ kind: "store_restart", atUs: us(s) }));
const flying: Row = {
  at: 0.5,
  span: [0.502, 0.502],
  stamp: 0.5,
  answered: 0.51,
  status: 429,
  by: "key",
};

test.each<[readonly number[], VariantText, string]>([
  [[0.505], {}, "1"],
  [[0.505], slow, "not asserted"],
  [[0.505, 9], slow, "not asserted"],
  [[0.1], slow, "1"],
  [[0.542], slow, "not asserted"],
  [[0.542001], slow, "1"],
])("the store restarts at %j s, and operations take %j: %s", (at, more, expected) => {
  expect(waits({ ...alice(1), ...more, faults: restarts(...at) }, [{ at: 0.2 }, flying])).toBe(
    expected,
  );
});

test.each([
  [0.499999, "absent"],
  [0.5, "not asserted"],
])("a limit that admits nothing, with a restart of the store at %d s: %s", (at, expected) => {
  expect(waits({ ...alice(0), ...slow, faults: restarts(at) }, [flying])).toBe(expected);
});

test.each([
  [1, 1, NEVER, "not asserted"],
  [1, 2, NEVER, "1"],
  [1, 1, us(5), "5"],
  [9, 1, NEVER, "absent"],
] as const)(
  "where %d a second and a quota of %d are used up, which renews after %d us: %s",
  (rate, max, renewalUs, expected) => {
    const keys = [key("alice", { limit: limitOf(rate, 1), quota: { max, renewalUs } })];
    const by = rate === 1 ? {} : ({ status: 403, reason: "quota", by: "quota" } as const);
    expect(waits({ keys }, [TWO[0]!, { ...TWO[1]!, ...by }])).toBe(expected);
  },
);

test("if A is open, a sure refusal leaves Retry-After open", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.5, delayUs: us(2) };
  const keys = [key("alice", { limit: limitOf(2, 10, smoothing) })];
  const rows = [0, 0.2, 0.4].map((at): Row => ({ at, span: [at, at + 0.1] }));
  const results = evaluate({ keys }, { rows, timing: BOUNDED });
  expect(results.rows[2]).toMatchObject({ admit: false, refuse: true, retryAfter: null });
});
