import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { budgetName } from "#src/limiter/core/budget.ts";
import {
  LOCAL_STORE_TRAITS,
  REMOTE_STORE_TRAITS,
  type StoreTraits,
} from "#src/limiter/core/limiter.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { configurationOf, rigOf, send, sendByOperation, sendInSteps, type Rig } from "./rig.ts";
import { holds } from "../runs.ts";

const ANYTHING: WorldParts = { ...RICH, thresholds: true, keyFirst: true };

/** A quota that refuses last reports the other budgets as spent, before they are refunded. */
function resultOf({ refused, decision, client, path }: RequestOutcome): unknown {
  if (decision === null) return { refused, path };
  if (refused?.reason === "quota") return { refused, retryAfterUs: decision.retryAfterUs };
  const { level, shown, retryAfterUs, limit, remaining, resetUs } = decision;
  const name = (one: typeof level): string | null =>
    one === null ? null : budgetName(one.budget, client);
  return {
    refused,
    path,
    by: name(level),
    shown: name(shown),
    retryAfterUs,
    limit,
    remaining,
    resetUs,
  };
}

/** The responses and events of a run; events of one instant in any order. */
const factsOf = (on: Rig, how: typeof send, requests: readonly SentRequest[]): unknown => ({
  answers: requests.map((sending) => resultOf(how(on, sending))),
  events: on.events.map((event) => JSON.stringify(event)).toSorted(),
});

function alike(raw: RawWorld, requests: readonly SentRequest[], store: StoreTraits): void {
  const configuration = configurationOf(raw);
  const wanted = factsOf(rigOf(configuration), send, requests);
  expect(factsOf(rigOf(configuration, { store }), sendInSteps, requests)).toEqual(wanted);
  expect(factsOf(rigOf(configuration, { store }), sendByOperation, requests)).toEqual(wanted);
}

describe("the long way decides as the short one does, when nothing overlaps (LIM-C1)", () => {
  test("with a local store", () => {
    holds(
      fc.property(world(ANYTHING), traffic(BUSY), (raw, requests) =>
        alike(raw, requests, LOCAL_STORE_TRAITS),
      ),
      300,
    );
  });

  test("with the store elsewhere: one level after the other, and back again what a later one refused", () => {
    const parts: WorldParts = { ...ANYTHING, smoothing: "none" };
    holds(
      fc.property(world(parts), traffic(BUSY), (raw, requests) =>
        alike(raw, requests, REMOTE_STORE_TRAITS),
      ),
      500,
    );
  });

  test("with smoothing, where a step of A is all that is never taken back", () => {
    const parts: WorldParts = { ...ANYTHING, quotas: false };
    holds(
      fc.property(world(parts), traffic(BUSY), (raw, requests) =>
        alike(raw, requests, REMOTE_STORE_TRAITS),
      ),
      500,
    );
  });
});
