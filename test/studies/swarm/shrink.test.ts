import { expect, test } from "vitest";
import { formatScenario } from "#src/studies/swarm/as-scenario.ts";
import { withTimes } from "#src/studies/swarm/shrink.ts";
import { variantOf } from "#src/studies/swarm/trial.ts";

test("a flow with the times of its requests keeps everything else that it has", () => {
  const common = {
    as: ["alice", "bob"],
    send: "GET /orders",
    from: "192.0.2.0/24",
    headers: { "X-Kind": "test" },
    clients: 3,
    skew: 1,
    cost: 2,
  };
  const raw = {
    world: {
      apis: { orders: { listen: "/orders" } },
      policies: {},
      keys: {
        alice: { apis: ["orders"], rate: 5, per: 1 },
        bob: { apis: ["orders"], rate: 5, per: 1 },
      },
      gateway: {},
    },
    around: {},
    traffic: [
      { name: "mixed", ...common, at: "1s", every: "250ms", count: 4 },
      { name: "look", call: "GET admin/org/keys/alice", at: "500ms" },
      { name: "later", as: "bob", send: "GET /orders", at: "2s", burst: 2 },
    ],
    faults: [],
  };
  expect(withTimes(raw, variantOf(formatScenario(raw)), 1).traffic).toEqual([
    { name: "mixed", ...common, trace: { times: ["1s", "1.25s", "1.5s", "1.75s"] } },
    raw.traffic[1],
    { name: "later", as: "bob", send: "GET /orders", trace: { times: ["2s", "2s"] } },
  ]);
});
