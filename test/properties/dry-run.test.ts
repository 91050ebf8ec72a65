import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import { RICH, world, type WorldParts } from "#src/studies/swarm/arbitrary/worlds.ts";
import { dryRunNow } from "../gateway/gateways.ts";
import { COST, rig, send, type Rig } from "./rig.ts";
import { holds } from "../runs.ts";

const ANYTHING: WorldParts = { ...RICH, thresholds: true, keyFirst: true };

function decideDryRun(
  on: Rig,
  { atUs, as, path, cost = 1 }: SentRequest,
): ReturnType<typeof dryRunNow> {
  on.nowUs = micros(EPOCH_US + atUs);
  const headers = { [COST]: String(cost) };
  return dryRunNow(on.gateway, { method: "GET", path, key: null, credential: as, headers });
}

describe("a dry run (MGT-C11)", () => {
  test("changes no answer that comes after it", () => {
    holds(
      fc.property(world(ANYTHING), traffic(BUSY), (raw, requests) => {
        const disturbed = rig(raw);
        const alone = rig(raw);
        for (const sending of requests) {
          decideDryRun(disturbed, sending);
          const { refused, decision, path } = send(disturbed, sending);
          expect({ refused, decision, path }).toEqual(
            (({ refused, decision, path }) => ({ refused, decision, path }))(send(alone, sending)),
          );
        }
        expect(disturbed.events).toEqual(alone.events);
      }),
      200,
    );
  });

  test("foretells the answer; only a smoothed budget may be raised by the request itself", () => {
    holds(
      fc.property(world({ ...ANYTHING, smoothing: "none" }), traffic(BUSY), (raw, requests) => {
        const on = rig(raw);
        for (const sending of requests) {
          const { status, reason } = decideDryRun(on, sending);
          const { refused } = send(on, sending);
          expect({ status, reason }).toEqual({
            status: refused?.status ?? null,
            reason: refused?.reason ?? null,
          });
        }
      }),
      200,
    );
  });
});
