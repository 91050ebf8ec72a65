import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm } from "../../src/core/config.ts";
import type { Outcome } from "../../src/gateway/handle.ts";
import { BUSY, traffic, type Sending } from "./arbitrary/traffic.ts";
import { RICH, world, type RawWorld, type WorldParts } from "./arbitrary/worlds.ts";
import { rig, send } from "./rig.ts";
import { holds, PATIENT } from "./runs.ts";

function said({ refused, decision }: Outcome): unknown {
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

function answers(raw: RawWorld, requests: readonly Sending[]): readonly unknown[] {
  const on = rig(raw);
  return requests.map((sending) => said(send(on, sending)));
}

describe(
  "the bounded log answers as the full log, while the limit is unchanged (ALG-C9)",
  PATIENT,
  () => {
    test.each<[string, Partial<WorldParts>, number]>([
      ["on rich worlds", {}, 300],
      ["with an allowance that is seldom whole", { smoothing: "fine" }, 300],
      ["where credentials of several rates share a budget (LIM-C8)", { smoothing: "none" }, 300],
    ])("%s", (_, more, runs) => {
      const parts: WorldParts = { ...RICH, algorithms: ["sliding_log"], ...more };
      holds(
        fc.property(world(parts), traffic({ ...BUSY, most: 60 }), (raw, requests) => {
          expect(answers(by("bounded_log", raw), requests)).toEqual(answers(raw, requests));
        }),
        runs,
      );
    });
  },
);
