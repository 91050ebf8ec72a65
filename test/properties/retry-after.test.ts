import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import type { Configuration } from "#src/limiter/core/config.ts";
import { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import { SECOND } from "#src/kit/units.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { configurationOf, rigOf, send } from "./rig.ts";
import { holds } from "../runs.ts";

/** The outcome of the last of these requests, without other clients. */
function sendAll(configuration: Configuration, requests: readonly SentRequest[]): RequestOutcome {
  const on = rigOf(configuration);
  return requests.map((sending) => send(on, sending)).at(-1)!;
}

interface Tried {
  readonly index: number;
  readonly waitedUs: number;
  readonly passes: boolean;
}

/** Sends again after each of the waits, without requests in between. */
function checkWait(
  raw: RawWorld,
  requests: readonly SentRequest[],
  waits: (outcome: RequestOutcome) => readonly { readonly us: number; readonly passes: boolean }[],
): { readonly got: readonly Tried[]; readonly want: readonly Tried[] } {
  const configuration = configurationOf(raw);
  const on = rigOf(configuration);
  const want = requests.flatMap((sending, index) =>
    waits(send(on, sending)).map(({ us, passes }) => ({ index, waitedUs: us, passes })),
  );
  const got = want.map(({ index, waitedUs }) => {
    const sending = requests[index]!;
    const again = { ...sending, atUs: sending.atUs + waitedUs };
    const { refused } = sendAll(configuration, [...requests.slice(0, index + 1), again]);
    return { index, waitedUs, passes: refused === null };
  });
  return { got, want };
}

/** At a smoothed limit the wait for several units is an estimate (decision 037). */
const isLimited = ({ decision, resolved, cost }: RequestOutcome): boolean =>
  decision !== null &&
  decision.refused !== null &&
  (cost === 1 || [resolved?.api, resolved?.key].every((budget) => budget?.limit.smoothing == null));

/** To the microsecond. A wait of one is the next instant, so there is no earlier one to try. */
function exactly(outcome: RequestOutcome): readonly { us: number; passes: boolean }[] {
  if (!isLimited(outcome)) return [];
  const us = outcome.decision!.retryAfterUs;
  if (!Number.isFinite(us)) return [1, 3600].map((s) => ({ us: s * SECOND, passes: false }));
  return us <= 1
    ? [{ us, passes: true }]
    : [
        { us: us - 1, passes: false },
        { us, passes: true },
      ];
}

/** In the seconds of the header. */
function inSeconds(outcome: RequestOutcome): readonly { us: number; passes: boolean }[] {
  if (!isLimited(outcome)) return [];
  const seconds = retryAfterSeconds(outcome.decision!);
  if (seconds === null) return [];
  const enough = { us: seconds * SECOND, passes: true };
  return seconds === 1 ? [enough] : [{ us: (seconds - 1) * SECOND, passes: false }, enough];
}

describe("a client that waits for Retry-After passes, and one step earlier it does not (HDR-C1)", () => {
  const check =
    (waits: typeof exactly) =>
    (raw: RawWorld, requests: readonly SentRequest[]): void => {
      const { got, want } = checkWait(raw, requests, waits);
      expect(got).toEqual(want);
    };

  test.each(ALGORITHMS)("%s, to the microsecond", (algorithm) => {
    const parts: WorldParts = { ...RICH, algorithms: [algorithm] };
    holds(fc.property(world(parts), traffic({ ...BUSY, most: 25 }), check(exactly)), 60);
  });

  test("where each level goes by its rate, in seconds", () => {
    const parts: WorldParts = { ...RICH, thresholds: true };
    holds(fc.property(world(parts), traffic({ ...BUSY, most: 25 }), check(inSeconds)), 300);
  });

  test("one key that is always at the edge, with an allowance that is seldom whole", () => {
    const parts: WorldParts = { ...RICH, smoothing: "coarse", quotas: false };
    const often = { most: 30, longestGap: 3, clients: ["alice"], paths: ["/orders"] };
    holds(fc.property(world(parts), traffic(often), check(exactly)), 200);
  });
});
