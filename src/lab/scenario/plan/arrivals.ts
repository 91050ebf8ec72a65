// When the requests of one flow arrive. The rate is integrated over time, and request n (the first is 0) arrives when
// the integral reaches n: `rate: 10` for 10 s gives 100 requests, at 0, 0.1, ... 9.9 s. The end of a stage is in the
// next stage. The count is computed in integers, so that rounding neither adds nor loses a request.
import { micros, SECOND, type Micros } from "../../../kit/units.ts";
import type { Rng } from "../../../kit/chance/rng.ts";
import { millionths } from "../../../limiter/core/limit.ts";
import { planHerd, planPopulation } from "./population.ts";
import type { Flow, TrafficStage } from "../types.ts";

interface Arrivals {
  readonly atUs: Float64Array; // since the start of the flow, ascending
  readonly stage: Int32Array | null;
  readonly client?: Uint32Array; // unset if the shape does not determine clients
  readonly endUs: Micros; // end of the shape
}

export function arrivalsOf(
  { shape, clients, skew }: Pick<Flow, "shape" | "clients" | "skew">,
  rng: Rng,
): Arrivals {
  switch (shape.kind) {
    case "burst":
      return { atUs: new Float64Array(shape.count), stage: null, endUs: micros(0) };
    case "every": {
      const { count, intervalUs } = shape;
      return {
        atUs: Float64Array.from({ length: count }, (_, i) => i * intervalUs),
        stage: null,
        endUs: micros(count * intervalUs),
      };
    }
    case "rate":
      return { ...uniform([rampOf(shape.rate, shape.rate, shape.forUs)]), stage: null };
    case "poisson":
      return { ...poisson([rampOf(shape.rate, shape.rate, shape.forUs)], rng), stage: null };
    case "stages": {
      const ramps = shape.stages.map(({ fromRate, toRate, forUs }: TrafficStage) =>
        rampOf(fromRate, toRate, forUs),
      );
      return shape.arrivals === "uniform" ? uniform(ramps) : poisson(ramps, rng);
    }
    case "on_off":
      return { ...uniform(onOff(shape.onUs, shape.offUs, shape.rate, shape.forUs)), stage: null };
    case "population":
      return { ...planPopulation(shape, clients, skew, rng), stage: null, endUs: shape.forUs };
    case "cron":
      return {
        ...planHerd(shape, clients, rng),
        stage: null,
        endUs: micros(shape.forUs + shape.jitterUs),
      };
    case "trace":
      return {
        atUs: Float64Array.from(shape.timesUs),
        stage: null,
        endUs: shape.timesUs.at(-1) ?? micros(0),
      };
  }
}

// ---------------------------------------------------------------- rates that change evenly

interface Ramp {
  readonly from: number; // requests per second
  readonly to: number;
  readonly forUs: number;
}

const rampOf = (from: number, to: number, forUs: number): Ramp => ({ from, to, forUs });

/** One request as a result of `twiceArea`: 2 times 10^6 millionths of a request per second times 10^6 microseconds. */
const WHOLE = 2_000_000_000_000n;

const twiceArea = ({ from, to, forUs }: Ramp): bigint =>
  BigInt(millionths(from) + millionths(to)) * BigInt(forUs);

const ceilOf = (area: bigint): bigint => (area + WHOLE - 1n) / WHOLE;

function uniform(ramps: readonly Ramp[]): Arrivals {
  const total = ramps.reduce((sum, ramp) => sum + twiceArea(ramp), 0n);
  const count = Number(ceilOf(total));
  const atUs = new Float64Array(count);
  const stage = new Int32Array(count);
  let areaBefore = 0n;
  let startUs = 0;
  let n = 0;
  ramps.forEach((ramp, index) => {
    const area = areaBefore + twiceArea(ramp);
    const until = Number(ceilOf(area));
    const lastUs = startUs + ramp.forUs - 1;
    // How far the integral is from the next request when the ramp begins: below 1, so a double is exact enough.
    const first = Number(BigInt(n) * WHOLE - areaBefore) / Number(WHOLE);
    for (let k = 0; n < until; k++, n++) {
      // Rounding must not move the last request of a stage beyond its end.
      atUs[n] = Math.min(startUs + Math.round(timeOf(ramp, first + k)), lastUs);
      stage[n] = index;
    }
    areaBefore = area;
    startUs += ramp.forUs;
  });
  return { atUs, stage, endUs: micros(startUs) };
}

/** Microseconds until a ramp's integral reaches `area`, by the quadratic formula that avoids cancellation. */
function timeOf({ from, to, forUs }: Ramp, area: number): number {
  if (area === 0) return 0;
  if (from === to) return (area * SECOND) / from;
  const slope = ((to - from) * SECOND) / forUs;
  return ((2 * area) / (from + Math.sqrt(Math.max(from * from + 2 * slope * area, 0)))) * SECOND;
}

/** Random arrivals: exponential gaps in the integral of the rate. */
function poisson(ramps: readonly Ramp[], rng: Rng): Arrivals {
  const areas = ramps.map((ramp) => Number(twiceArea(ramp)) / Number(WHOLE));
  const expected = areas.reduce((sum, area) => sum + area, 0);
  let atUs = new Float64Array(Math.ceil(expected + 6 * Math.sqrt(expected)) + 8);
  let stage = new Int32Array(atUs.length);
  let n = 0;
  let startUs = 0;
  let area = rng.exponential();
  // Uses loops instead of callbacks for speed.
  for (const [index, ramp] of ramps.entries()) {
    const rampArea = areas[index]!;
    for (; area < rampArea; area += rng.exponential()) {
      if (n === atUs.length) {
        atUs = grown(atUs, new Float64Array(n * 2));
        stage = grown(stage, new Int32Array(n * 2));
      }
      atUs[n] = startUs + Math.min(Math.floor(timeOf(ramp, area)), ramp.forUs - 1);
      stage[n] = index;
      n += 1;
    }
    area -= rampArea;
    startUs += ramp.forUs;
  }
  return { atUs: atUs.subarray(0, n), stage: stage.subarray(0, n), endUs: micros(startUs) };
}

function grown<T extends Float64Array | Int32Array>(old: T, next: T): T {
  next.set(old);
  return next;
}

function onOff(onUs: number, offUs: number, rate: number, forUs: number): readonly Ramp[] {
  const ramps: Ramp[] = [];
  for (let from = 0; from < forUs; from += onUs + offUs) {
    ramps.push(rampOf(rate, rate, Math.min(onUs, forUs - from)));
    if (from + onUs < forUs) ramps.push(rampOf(0, 0, Math.min(offUs, forUs - from - onUs)));
  }
  return ramps;
}
