import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { budgetName } from "#src/limiter/core/budget.ts";
import { LOCAL_STORE_TRAITS, REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import type { Json } from "#src/kit/reading/shape.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { rig, send, sendByOperation, sendInSteps, type Rig } from "./rig.ts";
import { holds, holdsUntil } from "../runs.ts";

const ANYTHING: WorldParts = { ...RICH, smoothing: "none", thresholds: true, keyFirst: true };

/** Every limit of a value that the mask names, made something else. */
function changeLimits(
  value: Json,
  mask: Iterator<boolean>,
  change: (limit: Record<string, Json>) => Json,
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => changeLimits(item, mask, change));
  if (typeof value !== "object" || value === null) return value;
  const isChanged = Object.hasOwn(value, "rate") && mask.next().value === true;
  const parts = Object.entries(value).map(([name, part]): [string, Json] => [
    name,
    changeLimits(part, mask, change),
  ]);
  const all: Record<string, Json> = Object.fromEntries(parts);
  return isChanged ? change(all) : all;
}

function* endless(mask: readonly boolean[]): Generator<boolean, never> {
  for (let i = 0; ; i++) yield mask[i % mask.length]!;
}

const worldWith = (
  raw: RawWorld,
  mask: readonly boolean[],
  change: (limit: Record<string, Json>) => Json,
): RawWorld => {
  const { gateway, ...rest } = raw;
  return { ...(changeLimits(rest, endless(mask), change) as unknown as RawWorld), gateway };
};

const asShadow = (limit: Record<string, Json>): Json => ({ ...limit, shadow: true });
const without = (limit: Record<string, Json>): Json => {
  const isNumbers = ([name]: readonly [string, Json]): boolean => name === "rate" || name === "per";
  return Object.fromEntries(Object.entries(limit).filter((part) => !isNumbers(part)));
};

function resultOf({ refused, decision, client, path }: RequestOutcome): unknown {
  if (decision === null) return { refused, path };
  const { level, retryAfterUs, limit, remaining, resetUs } = decision;
  const by = level === null ? null : budgetName(level.budget, client);
  return { refused, path, by, retryAfterUs, limit, remaining, resetUs };
}

function factsOf(on: Rig, how: typeof send, requests: readonly SentRequest[]) {
  const answers = requests.map((sending) => resultOf(how(on, sending)));
  const isShadows = ({ event }: { readonly event: string }): boolean =>
    event === "ShadowLimitExceeded";
  return {
    answers,
    events: on.events.filter((event) => !isShadows(event)),
    // Each is evaluated alone; the order of two events depends on the stores of their budgets.
    shadows: on.events
      .filter(isShadows)
      .toSorted((a, b) => a.stampUs - b.stampUs || (a.budget! < b.budget! ? -1 : 1)),
  };
}

const masks = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });

describe("shadow limits (LIM-C13)", () => {
  test("a world with shadow limits gives the responses and events of the same world without them", async () => {
    let shadowCount = 0;
    await holdsUntil(
      51,
      () => shadowCount,
      fc.property(world(ANYTHING), traffic(BUSY), masks, (raw, requests, mask) => {
        const { shadows, ...found } = factsOf(rig(worldWith(raw, mask, asShadow)), send, requests);
        const { shadows: none, ...wanted } = factsOf(
          rig(worldWith(raw, mask, without)),
          send,
          requests,
        );
        expect(found).toEqual(wanted);
        expect(none).toEqual([]);
        shadowCount += shadows.length;
      }),
      200,
    );
  });

  test.each([
    ["at hand, in steps", LOCAL_STORE_TRAITS, sendInSteps],
    ["elsewhere, in steps", REMOTE_STORE_TRAITS, sendInSteps],
    ["elsewhere, by one question", REMOTE_STORE_TRAITS, sendByOperation],
  ])("with the store %s, the events of shadow limits are the same", (_, store, how) => {
    holds(
      fc.property(world(ANYTHING), traffic(BUSY), masks, (raw, requests, mask) => {
        const shadowed = worldWith(raw, mask, asShadow);
        const wanted = factsOf(rig(shadowed), send, requests).shadows;
        expect(factsOf(rig(shadowed, { store }), how, requests).shadows).toEqual(wanted);
      }),
      100,
    );
  });
});
