// Each gateway's load, sent by one who waits for no answer before the next.
import type { Pool } from "undici";
import { SECOND } from "../core/units.ts";
import { playOpenLoop } from "../drivers/open-loop.node.ts";
import type { Ending } from "./ending.node.ts";
import { plannedArrivals } from "./load/arrivals.ts";
import type { TruthSuite } from "./read-truth.ts";
import type { Served } from "./served.node.ts";

export interface Key {
  readonly text: string;
  readonly id: string;
}

export const perSecondOf = ({ rate, perUs, demand }: TruthSuite): number =>
  (rate * demand * SECOND) / perUs;

/** To each the same, one after the other within the gap of two arrivals. */
export function plannedFor(suite: TruthSuite, subjects: number, seed: number) {
  const perSecond = perSecondOf(suite);
  const each = plannedArrivals(suite.arrivals, perSecond, suite.lastsUs, seed);
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

export interface Clock {
  readonly startUs: number; // of the day
  readonly nowUs: () => number; // since then
}

export function clockFromNow(): Clock {
  const startMs = performance.now();
  return {
    startUs: (performance.timeOrigin + startMs) * 1_000,
    nowUs: () => (performance.now() - startMs) * 1_000,
  };
}

interface Sent {
  readonly plannedUs: number;
  readonly sentUs: number;
  readonly status: number | null;
}

interface Target {
  readonly served: Served;
  readonly pool: Pool;
}

interface Sending<Asked> {
  readonly asked: readonly Asked[];
  readonly plan: ReturnType<typeof plannedFor>;
  readonly clock: Clock;
  readonly key: Key;
  readonly ending: Ending;
  readonly heard: (one: Asked, sent: Sent) => void;
}

export async function sent<Asked extends Target>({
  asked,
  plan,
  clock,
  key,
  ending,
  heard,
}: Sending<Asked>): Promise<void> {
  const aborted = new AbortController();
  const sending = playOpenLoop({
    atUs: plan.atUs,
    nowUs: clock.nowUs,
    signal: aborted.signal,
    attempt: async (arrival) => {
      const one = asked[plan.subject[arrival]!]!;
      const sentUs = clock.nowUs();
      const status = await statusFrom(one, key);
      heard(one, { plannedUs: plan.atUs[arrival]!, sentUs, status });
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

/** Null: there was no answer. */
const statusFrom = ({ pool, served }: Target, key: Key): Promise<number | null> =>
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
