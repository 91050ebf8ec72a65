// SMO-C6 word by word and as slowly as possible: between two attempts the model evaluates every microsecond. Windows and
// hold-offs are a few microseconds long, so that it is fast enough.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { Limit } from "#src/limiter/core/limit.ts";
import { api, configuration, key, type WorldText } from "../../histories/world.ts";
import { holds, inRuns } from "../../runs.ts";
import { evaluate } from "./evaluate.ts";

interface Rule {
  readonly rate: number;
  readonly per: number;
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number; // in tenths of a step
  readonly delay: number;
}

interface Record {
  a: number;
  hold: number;
  rule: Rule;
}

interface ModelRun {
  readonly allowances: readonly number[];
  readonly events: readonly string[];
}

const isBelow = (r: number, a: number, { step, trigger }: Rule): boolean =>
  10 * r < 10 * a - step * (10 + trigger);
const isAbove = (r: number, a: number, { step, trigger }: Rule): boolean =>
  10 * r > 10 * a - step * trigger;

function runModel(attempts: readonly number[], ruleAt: (us: number) => Rule): ModelRun {
  let record: Record | null = null;
  const allowances: number[] = [];
  const events: string[] = [];
  for (const [index, now] of attempts.entries()) {
    const rule = ruleAt(now);
    const before = attempts.slice(0, index);
    const inWindow = (us: number): number => before.filter((each) => each > us - rule.per).length;
    record = advance(record, rule, now, before.at(-1) ?? now, inWindow, events);
    record.rule = rule;
    allowances.push(record.a);
  }
  return { allowances, events };
}

function advance(
  record: Record | null,
  rule: Rule,
  now: number,
  last: number,
  inWindow: (us: number) => number,
  events: string[],
): Record {
  const anew = { a: rule.threshold, hold: now + rule.delay, rule };
  const isQuiet = ({ per, delay }: Rule): boolean => now - last >= Math.max(per, 2 * delay);
  if (record === null) return anew;
  if (record.a === record.rule.threshold && isQuiet(record.rule)) return anew;
  const move = (a: number, at: number): void => {
    events.push(`${a > record.a ? "Up" : "Down"} to ${a} at ${at}`);
    [record.a, record.hold] = [a, at + rule.delay];
  };
  for (let at = last + 1; at < now; at++) {
    const a = Math.min(record.a, rule.rate);
    const attemptsThen = inWindow(at);
    const isFalling = attemptsThen === 0 || isBelow(attemptsThen + 1, a, rule);
    if (a > rule.threshold && at >= record.hold && isFalling)
      move(Math.max(a - rule.step, rule.threshold), at);
  }
  if (record.a === rule.threshold && isQuiet(rule)) return anew;
  if (record.a > rule.rate) move(rule.rate, now);
  else if (record.a < rule.threshold) move(rule.threshold, now);
  else if (now >= record.hold) {
    const r = inWindow(now) + 1;
    const { a } = record;
    const next = isAbove(r, a, rule)
      ? Math.min(a + rule.step, rule.rate)
      : isBelow(r, a, rule)
        ? Math.max(a - rule.step, rule.threshold)
        : a;
    if (next !== a) move(next, now);
  }
  return record;
}

const limitOf = ({ rate, per, threshold, step, trigger, delay }: Rule): Limit => ({
  rate,
  perUs: micros(per),
  smoothing: { threshold, step, trigger: trigger / 10, delayUs: micros(delay) },
});

const world = (rule: Rule): WorldText => ({
  apis: [api("orders"), api("users")],
  keys: [key("alice", { limit: limitOf(rule) })],
});

const whole = (min: number, max: number) => fc.integer({ min, max });
const per = whole(1, 9);
const bounds = fc
  .record({
    threshold: whole(1, 6),
    above: whole(0, 9),
    step: whole(1, 5),
    trigger: whole(1, 15),
    delay: whole(1, 9),
  })
  .map(({ threshold, above, ...rest }) => ({ threshold, rate: threshold + above, ...rest }));
const spike = fc.record({
  gap: fc.oneof(whole(0, 3), whole(0, 12), whole(0, 60)),
  count: fc.oneof(whole(1, 3), whole(1, 12)),
  every: whole(0, 2),
});
const times = fc.array(spike, { minLength: 1, maxLength: 6 }).map((spikes) => {
  let at = 0;
  return spikes.flatMap(({ gap, count, every }) => {
    at += gap;
    return Array.from({ length: count }, (_, index) => (at += index === 0 ? 0 : every));
  });
});

function agrees(
  attempts: readonly number[],
  ruleAt: (us: number) => Rule,
  changeAt: number,
): ModelRun {
  const faults = [
    {
      kind: "configure",
      atUs: micros(changeAt),
      configuration: configuration(world(ruleAt(changeAt))),
    },
  ] as const;
  const rows = attempts.map((us) => ({ at: us / 1e6 }));
  const { allowance, events, openKeys } = evaluate({ ...world(ruleAt(-1)), faults }, { rows });
  expect([...openKeys]).toEqual([]);
  const got = {
    allowances: [...allowance],
    events: events.map(
      ({ event, stampUs, value }) =>
        `${event.slice("RateLimitSmoothing".length)} to ${value} at ${stampUs}`,
    ),
  };
  expect(got).toEqual(runModel(attempts, ruleAt));
  return got;
}

test("A moves as a model that evaluates every microsecond, for every rule and all attempts", () => {
  let [ups, downs] = [0, 0];
  holds(
    fc.property(times, bounds, per, (attempts, rule, window) => {
      const { events } = agrees(attempts, () => ({ ...rule, per: window }), 1e6);
      ups += events.filter((event) => event.startsWith("Up")).length;
      downs += events.filter((event) => event.startsWith("Down")).length;
    }),
    1000,
  );
  expect(Math.min(ups, downs)).toBeGreaterThan(inRuns(200));
});

test("and when the rule changes between two requests (MGT-C5)", () => {
  let changed = 0;
  holds(
    fc.property(times, bounds, bounds, per, whole(0, 120), (attempts, first, then, window, at) => {
      const ruleAt = (us: number): Rule => ({ ...(us < at ? first : then), per: window });
      agrees(attempts, ruleAt, at);
      if (attempts[0]! < at && attempts.at(-1)! >= at) changed++;
    }),
    1000,
  );
  expect(changed).toBeGreaterThan(inRuns(100));
});
