import { expect, test } from "vitest";
import type { LoadFigures } from "#src/studies/bench/load/load.ts";
import { metricsOf, type RepeatUsage } from "#src/studies/bench/resources/usage.ts";
import { micros } from "#src/kit/units.ts";

const quantiles = (p99Us: number) => ({
  count: 100,
  meanUs: 1,
  p50Us: p99Us / 2,
  p90Us: p99Us,
  p99Us,
  p999Us: p99Us,
  maxUs: p99Us,
});

const load: LoadFigures = {
  tookUs: micros(2_000_000),
  sent: 1_000,
  isCut: false,
  answers: 1_000,
  statuses: { 200: 750, 429: 250 },
  unanswered: 0,
  latency: { all: quantiles(4_000), admitted: quantiles(3_000), refused: null },
  histogram: null,
  sending: { planned: 1_250, dropped: 250, late: quantiles(500), overran: null },
  cpuUs: micros(80_000),
  busy: 0.1,
};

const used: RepeatUsage = {
  tookUs: 2_000_000,
  gatewayCpuUs: 120_000,
  loadCpuUs: 90_000,
  rssBytes: 64 * 2 ** 20,
  survivorBytes: 640_000,
  loopP99Ms: 1.5,
  gcUs: 20_000,
  memory: { budgets: 10, entries: 35 },
  redis: null,
};

test("metrics are per request, per time, or per key", () => {
  expect(metricsOf(load, used)).toEqual({
    cpu: 120,
    throughput: 500,
    p50: 2,
    p99: 4,
    p99_admitted: 3,
    refused: 25,
    dropped: 20,
    late: 0.5,
    cpu_load: 80,
    rss: 64,
    survived: 640,
    loop_p99: 1.5,
    gc: 1,
    entries: 3.5,
  });
});

test("with a Redis there are metrics of Redis", () => {
  const redis = {
    cpuUs: 50_000,
    networkBytes: 400_000,
    calls: 3_000,
    sent: { count: 1_000, us: 40_000 },
    usedMemory: 2 ** 21,
    footprint: { budgets: 10, bytes: 512, entries: 7 },
  };
  expect(metricsOf(load, { ...used, memory: null, redis })).toMatchObject({
    cpu_store: 50,
    redis_commands: 3,
    redis_usec: 40,
    redis_network: 400,
    redis_memory: 2,
    entries: 7,
    bytes: 512,
  });
});

test("a ratio with the divisor zero is left out", () => {
  const nothing = { ...load, answers: 0, statuses: {}, sending: null };
  const figures = metricsOf(nothing, { ...used, memory: { budgets: 0, entries: 0 } });
  expect(Object.keys(figures)).not.toContain("cpu");
  expect(Object.keys(figures)).not.toContain("entries");
  expect(Object.values(figures).every(Number.isFinite)).toBe(true);
});
