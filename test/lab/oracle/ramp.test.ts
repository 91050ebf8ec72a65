// The worked example of the design: a ramp of demand against 60 per 1 s, smoothed from 20 in steps of 10.
// The figures come from a model that was written before this one; the falls are made up between two requests.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { evaluateHistory } from "#src/lab/oracle/evaluate-history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { TrafficStage, Variant } from "#src/lab/scenario/types.ts";
import { historyOf } from "../../histories/history.ts";
import { key, variantOf } from "../../histories/world.ts";
import { worldOf } from "#src/lab/oracle/world.ts";

const us = secondsToMicros;
const stage = (name: string, fromRate: number, toRate: number, forS: number): TrafficStage => ({
  name,
  fromRate,
  toRate,
  forUs: us(forS),
});

function rampOf(climbS: number): Variant {
  const smoothing = { threshold: 20, step: 10, trigger: 0.5, delayUs: us(5) };
  const variant = variantOf({ keys: [key("alice", { limit: limitOf(60, 1, smoothing) })] });
  const stages = [
    stage("calm", 10, 10, 10),
    stage("climb", 10, 58, climbS),
    stage("hold", 58, 58, 20),
    stage("ebb", 3, 3, 40),
  ];
  return {
    ...variant,
    traffic: variant.traffic.map((flow) => ({
      ...flow,
      shape: { kind: "stages", stages, arrivals: "uniform" },
    })),
  };
}

/** In a log every attempt counts alike, so A does not depend on the responses. */
function followRamp(climbS: number) {
  const variant = rampOf(climbS);
  const arrivals = [...plan(variant, "smoothing/ramp", 1).atUs];
  const world = worldOf(variant);
  if (world === null) throw new Error("the ramp has errors");
  const results = evaluateHistory(
    historyOf({ rows: arrivals.map((atUs) => ({ at: atUs / 1e6 })) }),
    world,
  );
  const times = (name: string): number[] =>
    results.events
      .filter(({ event }) => event.endsWith(name))
      .map(({ stampUs }) => Math.round(stampUs / 1e3) / 1e3);
  return {
    requests: arrivals.length,
    refused: results.rows.filter(({ refuse }) => refuse).length,
    ups: times("Up"),
    downs: times("Down"),
  };
}

test.each([
  [30, 2400, 0, [13.64, 19.884, 26.146, 32.391], [60.259, 65.259, 70.259, 75.259]],
  [10, 1720, 619, [11.592, 16.611, 21.621, 26.621], [40.259, 45.259, 50.259, 55.259]],
])("a climb over %d s: %d requests, %d refused", (climbS, requests, refused, ups, downs) => {
  expect(followRamp(climbS)).toEqual({ requests, refused, ups, downs });
});
