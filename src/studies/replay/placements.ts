// Timestamps in whole seconds leave open when, within its second, a request arrived. A placement assumes times. Results
// under several placements are examples, not strict bounds.
import { SECOND } from "../../kit/units.ts";
import { rng } from "../../kit/chance/rng.ts";
import type { Arrivals } from "./arrivals.ts";

export interface Placement {
  readonly name: string;
  /** Writes a time for each request. Requests of one second keep their order. */
  readonly place: (arrivals: Arrivals, into: Float64Array) => void;
}

/** For exact timestamps: a request arrived at the time in its log line. */
export const AS_LOGGED: Placement = {
  name: "as logged",
  place: ({ count, atUs }, into) => into.set(atUs.subarray(0, count)),
};

const EVENLY: Placement = {
  name: "spread evenly",
  place: (arrivals, into) =>
    bySecond(arrivals, (from, to, secondUs) => {
      for (let i = from; i < to; i++)
        into[i] = secondUs + Math.floor(((i - from) * SECOND) / (to - from));
    }),
};

const AT_ONCE: Placement = { ...AS_LOGGED, name: "all at once" };

/** Uniform random times in order, without sorting: sums of exponential gaps, scaled to the second. */
function atRandom(seed: number): Placement {
  const random = rng(seed, "replay/within-seconds");
  return {
    name: `at random, seed ${seed}`,
    place: (arrivals, into) =>
      bySecond(arrivals, (from, to, secondUs) => {
        let sum = 0;
        for (let i = from; i < to; i++) into[i] = sum += random.exponential();
        const scale = SECOND / (sum + random.exponential());
        for (let i = from; i < to; i++)
          into[i] = secondUs + Math.min(SECOND - 1, Math.floor(into[i]! * scale));
      }),
  };
}

const RANDOM_PLACEMENTS = 3;

/** The placements. The results by client and over time are those under the first placement. */
export const placementsFrom = (seed: number): readonly Placement[] => [
  EVENLY,
  AT_ONCE,
  ...Array.from({ length: RANDOM_PLACEMENTS }, (_, i) => atRandom(seed + i)),
];

function bySecond(
  { count, atUs }: Arrivals,
  place: (from: number, to: number, secondUs: number) => void,
): void {
  for (let from = 0; from < count;) {
    const secondUs = atUs[from]!;
    let to = from + 1;
    while (to < count && atUs[to] === secondUs) to++;
    place(from, to, secondUs);
    from = to;
  }
}
