// The load of all gateways, sent without waiting for responses.
import type { Pool } from "undici";
import { SECOND } from "../../kit/units.ts";
import { playOpenLoop } from "../../lab/drivers/open-loop.node.ts";
import type { BenchEnding } from "./ending.node.ts";
import { planArrivals } from "./load/arrivals.ts";
import type { TruthSuite } from "./read-truth.ts";
import type { BenchServer } from "./servers.node.ts";

export interface TruthKey {
  readonly text: string;
  readonly id: string;
}

export const perSecondOf = ({ rate, perUs, demand }: TruthSuite): number =>
  (rate * demand * SECOND) / perUs;

/** Plans the same arrivals for every subject, shifted for each by another fraction of the mean gap. */
export function planLoad(suite: TruthSuite, subjects: number, seed: number) {
  const perSecond = perSecondOf(suite);
  const each = planArrivals(suite.arrivals, perSecond, suite.lastsUs, seed);
  const all = each
    .flatMap((atUs) =>
      Array.from({ length: subjects }, (_, subject) => ({
        atUs: atUs + (subject / subjects) * (SECOND / perSecond),
        subject,
      })),
    )
    .toSorted((a, b) => a.atUs - b.atUs);
  return {
    atUs: Float64Array.from(all, ({ atUs }) => atUs),
    subject: all.map(({ subject }) => subject),
  };
}

interface Clock {
  readonly startUs: number; // in Unix time
  readonly nowUs: () => number; // since `startUs`
}

export function startClock(): Clock {
  const startMs = performance.now();
  return {
    startUs: (performance.timeOrigin + startMs) * 1_000,
    nowUs: () => (performance.now() - startMs) * 1_000,
  };
}

interface SentRequest {
  readonly plannedUs: number;
  readonly sentUs: number;
  readonly status: number | null;
}

interface SendTarget {
  readonly served: BenchServer;
  readonly pool: Pool;
}

interface SendOrder<Target> {
  readonly targets: readonly Target[];
  readonly plan: ReturnType<typeof planLoad>;
  readonly clock: Clock;
  readonly key: TruthKey;
  readonly ending: BenchEnding;
  readonly onResponse: (one: Target, request: SentRequest) => void;
}

export async function sendLoad<Target extends SendTarget>({
  targets,
  plan,
  clock,
  key,
  ending,
  onResponse,
}: SendOrder<Target>): Promise<void> {
  const aborted = new AbortController();
  const sending = playOpenLoop({
    atUs: plan.atUs,
    nowUs: clock.nowUs,
    signal: aborted.signal,
    attempt: async (arrival) => {
      const one = targets[plan.subject[arrival]!]!;
      const sentUs = clock.nowUs();
      const status = await statusFrom(one, key);
      onResponse(one, { plannedUs: plan.atUs[arrival]!, sentUs, status });
      return null;
    },
  });
  try {
    await ending.orEnd(sending);
  } catch (error) {
    aborted.abort();
    await sending.catch(onlyAborted);
    throw error;
  }
}

const onlyAborted = (error: unknown): void => {
  if ((error as Error).name !== "AbortError") throw error;
};

/** Sends a request and returns the status of its response; null: no response. */
const statusFrom = ({ pool, served }: SendTarget, key: TruthKey): Promise<number | null> =>
  new Promise((resolve) => {
    let status = 0;
    pool.dispatch(
      { method: "GET", path: new URL(served.url).pathname, headers: { authorization: key.text } },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, answered) => {
          status = answered;
        },
        onResponseData: () => {},
        onResponseEnd: () => resolve(status),
        onResponseError: () => resolve(null),
      },
    );
  });
