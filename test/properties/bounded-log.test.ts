import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  KEYS,
  RICH,
  world,
  type RawObject,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { rig, send } from "./rig.ts";
import { holds } from "../runs.ts";

function resultOf({ refused, decision }: RequestOutcome): unknown {
  if (decision === null) return { refused };
  const { limit, remaining, retryAfterUs, resetUs, changes } = decision;
  return {
    refused,
    limit,
    remaining,
    retryAfterUs,
    resetUs,
    changes: changes.map(({ change }) => change),
  };
}

const by = (algorithm: Algorithm, raw: RawWorld): RawWorld => ({
  ...raw,
  gateway: { ...raw.gateway, algorithm },
});

function answers(raw: RawWorld, requests: readonly SentRequest[]): readonly unknown[] {
  const on = rig(raw);
  return requests.map((sending) => resultOf(send(on, sending)));
}

function alike(raw: RawWorld, requests: readonly SentRequest[]): void {
  expect(answers(by("bounded_log", raw), requests)).toEqual(answers(raw, requests));
}

describe("the bounded log answers as the full log, while the limit is unchanged (ALG-C9)", () => {
  test.each<WorldParts["smoothing"]>(["none", "whole", "coarse", "fine"])(
    "on rich worlds, smoothing %s",
    (smoothing) => {
      const one = { algorithms: ["sliding_log"], patterns: false, smoothing } as const;
      const parts: WorldParts = { ...RICH, ...one };
      holds(fc.property(world(parts), traffic({ ...BUSY, most: 60 }), alike), 200);
    },
  );

  test("for one key at the edge, in steps of A that are smaller than one request", () => {
    const one = { algorithms: ["sliding_log"], patterns: false, quotas: false } as const;
    const parts: WorldParts = { ...RICH, ...one, smoothing: "fine" };
    const often = { most: 60, longestGap: 3, clients: ["alice"], paths: ["/orders"] };
    holds(fc.property(world(parts), traffic(often), alike), 400);
  });

  test("where credentials of several rates share a budget, once the fastest has used it (LIM-C8)", () => {
    const key = (rate: number): RawObject => ({
      apis: ["orders"],
      rate,
      per: 1,
      meta_data: { tenant: "north", rate_limit_pattern: "$gw_meta.tenant" },
    });
    const rates = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 3 })
      .map((all) => all.toSorted((a, b) => b - a));
    const requests = traffic({ ...BUSY, most: 60, paths: ["/orders"] });
    holds(
      fc.property(rates, requests, (all, sent) => {
        const raw: RawWorld = {
          apis: { orders: { listen: "/orders" } },
          policies: {},
          keys: Object.fromEntries(all.map((rate, index) => [KEYS[index]!, key(rate)])),
          gateway: {},
        };
        alike(raw, [{ atUs: 0, as: KEYS[0], path: "/orders" }, ...sent]);
      }),
      300,
    );
  });
});
