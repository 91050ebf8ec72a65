import { expect, test } from "vitest";
import * as bare from "../../../bench/core/bare.node.ts";
import * as peers from "../../../bench/core/peers.node.ts";
import { weir } from "../../../bench/core/weir.node.ts";
import { arriving, workload } from "../../../bench/core/workload.node.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";

const load = workload({ keys: 50, decisions: 10_000 });
const all = arriving(load, 0, load.decisions);

test("credentials differ, and every key occurs", () => {
  expect(new Set(load.credentials).size).toBe(50);
  expect(new Set(load.order).size).toBe(50);
});

test.each(ALGORITHMS)(
  "%s refuses no request of the workload, so that all do the same work",
  (algorithm) => {
    const options = { algorithm, readClock: null, sessionsKnown: false };
    for (const wholeGateway of [false, true]) {
      const subject = weir(load, { ...options, wholeGateway });
      expect(subject.run(all, 0)).toBe(load.decisions);
      expect(subject.admitEveryKey()).toBe(50);
    }
  },
);

test("a limit that is reached refuses, so the work is real", () => {
  const options = { algorithm: "fixed_window", readClock: null, sessionsKnown: true } as const;
  const subject = weir(load, { ...options, rate: 1, wholeGateway: false });
  expect(subject.run(all, 0)).toBeLessThan(load.decisions / 10);
});

test.each([
  ["rate-limiter-flexible", peers.rateLimiterFlexible],
  ["express-rate-limit", peers.expressRateLimit],
  ["@fastify/rate-limit", peers.fastifyRateLimit],
  ["bare Map", (one: typeof load) => bare.bareMap(one, null)],
  ["bare slots", (one: typeof load) => bare.bareSlots(one, null)],
])("%s counts every request of the workload", async (_, subjectOf) => {
  const subject = subjectOf(load);
  expect(await subject.run(all, 0)).toBe(load.decisions);
  expect(await subject.admitEveryKey()).toBe(50);
});
