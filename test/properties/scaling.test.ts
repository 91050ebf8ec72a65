import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "#src/kit/reading/shape.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { micros } from "#src/kit/units.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import { RICH, world, type RawObject, type RawWorld } from "#src/studies/swarm/arbitrary/worlds.ts";
import { rig, send } from "./rig.ts";
import { holds } from "../runs.ts";

const DURATIONS = ["per", "delay", "quota_renewal_rate"];
const FREQUENCIES = ["drl_threshold"];

/** Every duration k times as long, every frequency a k-th: -1 means "never" and stays. */
function stretch(value: Json, k: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => stretch(item, k));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as RawObject).map(([name, member]) => {
      if (typeof member !== "number" || member === -1) return [name, stretch(member, k)];
      if (DURATIONS.includes(name)) return [name, Math.round(member * 1_000_000 * k) / 1_000_000];
      return [name, FREQUENCIES.includes(name) ? member / k : member];
    }),
  );
}

const MOST_PER_SECOND = 1_000;

/** Waits are whole microseconds, rounded up: of limits with shorter turns two may be equal until the world is slower. */
function hasLongTurns(value: Json): boolean {
  if (typeof value !== "object" || value === null) return true;
  const { rate = 0, per = 1 } = value as Partial<Record<string, Json>>;
  return (
    Number(rate) <= Number(per) * MOST_PER_SECOND &&
    Object.values(value as object).every(hasLongTurns)
  );
}

/** All but times. */
function resultOf({ refused, decision }: RequestOutcome): unknown {
  if (decision === null) return { refused };
  const { level, shown, limit, remaining, retryAfterUs, changes } = decision;
  return {
    refused,
    by: level?.budget.scope,
    shown: shown?.budget.scope,
    limit,
    remaining,
    helps: Number.isFinite(retryAfterUs),
    changes: changes.map(({ change }) => [change.event, change.allowance]),
  };
}

/** The whole clock runs k times as fast, so that windows that go by it begin where they began. */
function answers(raw: RawWorld, requests: readonly SentRequest[], k: number): readonly unknown[] {
  const on = rig(stretch(raw as unknown as Json, k) as unknown as RawWorld);
  const originUs = EPOCH_US * (k - 1);
  return requests.map(({ atUs, ...sending }) =>
    resultOf(send(on, { ...sending, atUs: micros(originUs + atUs * k) })),
  );
}

describe("a world k times as slow decides the same", () => {
  test("request by request, Retry-After apart", () => {
    const worlds = world({ ...RICH, thresholds: true, keyFirst: true }).filter((raw) =>
      hasLongTurns(raw as unknown as Json),
    );
    holds(
      fc.property(worlds, traffic(BUSY), fc.constantFrom(2, 4, 5), (raw, requests, k) => {
        expect(answers(raw, requests, k)).toEqual(answers(raw, requests, 1));
      }),
      400,
    );
  });

  // Found at night, by a seed of 2026-11-29.
  test("except for waits less than a microsecond apart, which are equal until the world is slower", () => {
    const turns = (k: number): readonly unknown[] =>
      answers(
        {
          apis: { orders: { listen: "/orders", rate: 1_000_000, per: 1.25, endpoints: [] } },
          policies: {},
          keys: { alice: { rate: 500_000, per: 1, access_rights: { orders: {} } } },
          gateway: { algorithm: "leaky_bucket", queue: 0 },
        },
        [{ atUs: 0, as: "alice", path: "/orders", cost: 1 }],
        k,
      );
    expect(turns(1)).toMatchObject([{ by: "api" }]); // 1.25 and 2 us
    expect(turns(2)).toMatchObject([{ by: "key" }]); // 2.5 and 4 us
  });
});
