// Random results of weir replay, as the real study makes them.
import * as fc from "fast-check";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { micros } from "#src/kit/units.ts";
import { freeLogRule, type ReplayLimit } from "#src/studies/replay/candidates.ts";
import { FREE_LOG, type RetryName } from "#src/studies/replay/choices.ts";
import { Replay } from "#src/studies/replay/replay.ts";
import { buildReplayResult } from "#src/studies/replay/result.ts";
import {
  arrivalsOf,
  namesOf,
  randomRequests,
  type SentRequest,
} from "../../studies/recommend/traffic.ts";

export interface Setup {
  readonly requests: readonly SentRequest[];
  readonly candidates: readonly ReplayLimit[];
  readonly isWholeSeconds: boolean;
  readonly key: string;
  readonly retries: RetryName | null;
  readonly units: readonly number[] | null; // costs of requests, in turn
}

export const ofAlgorithm = (name: string, rate: number, perS: number): ReplayLimit => ({
  kind: "limit",
  limit: { rate, perUs: micros(perS * 1_000_000) },
  by: { kind: "algorithm", name },
  options:
    name === FREE_LOG
      ? freeLogRule().options
      : { ...DEFAULT_OPTIONS, algorithm: name as (typeof ALGORITHMS)[number] },
});

const UNIT_NAMES = ["token_bucket", "fixed_window"];

export const setups: fc.Arbitrary<Setup> = fc
  .record({
    isWholeSeconds: fc.boolean(),
    names: fc.oneof(
      fc.constant(["sliding_log", FREE_LOG]),
      fc.uniqueArray(fc.constantFrom(...ALGORITHMS), { minLength: 1, maxLength: 4 }),
    ),
    rates: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
    isOne: fc.boolean(),
    perS: fc.constantFrom(1, 5, 60),
    key: fc.constantFrom("ip", "ip", "none"),
    retries: fc.constantFrom<(RetryName | null)[]>(null, "retry-after", "give-up"),
    units: fc.option(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })),
    most: fc.constantFrom(1, 5, 12),
  })
  .chain(({ names, rates, isOne, perS, most, ...rest }) =>
    randomRequests(rest.isWholeSeconds ? 1000 : 10).map((requests) => ({
      ...rest,
      requests: requests.map(({ atUs, client }) => ({
        atUs,
        // Most requests are of one client, as in a real log.
        client: rest.key === "none" || client % 4 !== 0 ? 0 : client % most,
      })),
      candidates: rates.slice(0, isOne ? 1 : 6).flatMap((rate) =>
        (rest.units === null ? names : UNIT_NAMES).slice(0, isOne ? 1 : 4).map((name) => ({
          ...ofAlgorithm(name, rate, perS),
          ...(rest.units === null ? {} : { charge: "before" as const }),
        })),
      ),
    })),
  );

export function resultOf({ requests, candidates, isWholeSeconds, key, retries, units }: Setup) {
  const clients = namesOf(requests.reduce((most, { client }) => Math.max(most, client), 0) + 1);
  const question = { candidates, key: [], conditions: [], clients, targets: null };
  const run = new Replay({ ...question, format: null, seed: 1, retries }, isWholeSeconds);
  const arrivals = arrivalsOf(requests);
  run.decide(
    units === null
      ? arrivals
      : {
          ...arrivals,
          charges: {
            units: Float64Array.from(requests, (_, index) => units[index % units.length]!),
            lastsUs: new Float64Array(requests.length),
          },
        },
  );
  run.end();
  return buildReplayResult({
    key,
    cost: units === null ? null : { field: "field:units", charge: "before" },
    replay: run,
    clients,
    files: [],
    skipped: [],
    cut: [],
    isInterrupted: false,
    top: 1000,
    rename: null,
  });
}
