// What a dry run reports of requests that would wait for their turns (ALG-C10).
import { expect, test } from "vitest";
import type { DryRun } from "#src/gateway/dry-run.ts";
import { dryRunNow, gatewayOf, request, send, type GatewayRig } from "./gateways.ts";

const dry = (on: GatewayRig, seconds: number): DryRun => {
  on.seconds = seconds;
  return dryRunNow(on.gateway, { method: "GET", path: "/orders", key: "alice", credential: null });
};

test("a delayed request would wait for its turn, at each budget and as a whole (ALG-C10)", () => {
  const on = gatewayOf({
    apis: { orders: { listen: "/orders", rate: 5, per: 10 } },
    keys: { alice: { rate: 2, per: 10, apis: ["orders"] } },
    gateway: { algorithm: "leaky_bucket", queue: 1 },
  });
  const delays = ({ delay, matched }: DryRun) => [delay, ...matched.map((each) => each.delay)];
  expect(delays(dry(on, 0))).toEqual([null, null, null]);
  send(on, 0, request("alice"));
  expect(dry(on, 1)).toMatchObject({ passes: true, waits: null });
  expect(delays(dry(on, 1))).toEqual([4, 1, 4]);
  expect(delays(dry(on, 2))).toEqual([3, null, 3]);
  send(on, 2, request("alice"));
  const full = dry(on, 2);
  expect(full).toMatchObject({ passes: false, status: 429, retryAfter: 3 });
  expect(delays(full)).toEqual([null, 2, null]);
  expect(delays(dry(on, 12))).toEqual([null, null, null]);
});
