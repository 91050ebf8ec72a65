import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  KEYS,
  RICH,
  without,
  world,
  type RawObject,
  type RawWorld,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { rig, send } from "./rig.ts";
import { holds } from "../runs.ts";

/** Removes the limits of APIs, which all keys share by design (LIM-7). */
const withoutApiLimits = (raw: RawWorld): RawWorld => ({
  ...raw,
  apis: Object.fromEntries(
    Object.entries(raw.apis).map(([name, api]) => [
      name,
      without({ ...(api as RawObject), rate: undefined, per: undefined, endpoints: undefined }),
    ]),
  ),
});

const resultOf = ({ refused, decision }: RequestOutcome): unknown => ({
  refused,
  ...decision,
  level: null,
  shown: null,
});

/** The results and events of one key for these requests. */
function factsOfKey(
  key: string,
  raw: RawWorld,
  requests: readonly SentRequest[],
): { readonly answers: readonly unknown[]; readonly events: readonly LimiterEvent[] } {
  const on = rig(raw);
  const answers = requests.map((sending) => ({
    as: sending.as,
    answer: resultOf(send(on, sending)),
  }));
  return {
    answers: answers.filter(({ as }) => as === key).map(({ answer }) => answer),
    events: on.events.filter(({ key: sender }) => sender === key),
  };
}

describe("a key's results depend on its own requests alone (LIM-4)", () => {
  test.each(["few", "seldom"])("%s gaps", (kind) => {
    const parts = { ...RICH, patterns: false, thresholds: true, keyFirst: true };
    const pace = { ...BUSY, longestGap: kind === "few" ? 5 : 300 };
    holds(
      fc.property(
        world(parts),
        traffic(pace),
        fc.constantFrom(...KEYS),
        (shared, requests, key) => {
          const raw = withoutApiLimits(shared);
          const alone = requests.filter(({ as }) => as === key);
          expect(factsOfKey(key, raw, requests)).toEqual(factsOfKey(key, raw, alone));
        },
      ),
      200,
    );
  });
});

describe("keys of one pattern share their budgets (LIM-11)", () => {
  test("to a budget, whichever of them sends", () => {
    const limits = {
      rate: 2,
      per: 1,
      access_rights: { orders: {} },
      meta_data: { tenant: "north", rate_limit_pattern: "$gw_meta.tenant" },
    };
    const raw: RawWorld = {
      apis: { orders: { listen: "/orders" } },
      policies: {},
      keys: { alice: limits, bob: limits, carol: { ...limits, meta_data: { tenant: "north" } } },
      gateway: {},
    };
    const order = fc.shuffledSubarray(["alice", "bob", "alice", "bob"], { minLength: 4 });
    holds(
      fc.property(order, (senders) => {
        const on = rig(raw);
        const answers = [...senders, "carol", "carol", "carol"].map(
          (as) => send(on, { atUs: 0, as, path: "/orders" }).refused?.status ?? 200,
        );
        expect(answers).toEqual([200, 200, 429, 429, 200, 200, 429]);
      }),
      20,
    );
  });
});
