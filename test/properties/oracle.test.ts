import * as fc from "fast-check";
import { describe, test } from "vitest";
import { agreement } from "../../src/check/decisions.ts";
import { judge } from "../../src/oracle/judge.ts";
import { worldOf } from "../../src/oracle/world.ts";
import { scenario, type ScenarioParts } from "../../src/swarm/arbitrary/scenarios.ts";
import { RICH } from "../../src/swarm/arbitrary/worlds.ts";
import type { RawScenario } from "../../src/swarm/as-scenario.ts";
import { EVERYTHING, played } from "../../src/swarm/played.ts";
import { holds, PATIENT } from "./runs.ts";

// A budget of several smoothing rules, or of one and none, is nobody's that the text speaks of.
const QUIET: ScenarioParts = {
  world: { ...RICH, patterns: false, thresholds: true, throttles: true, keyFirst: true },
  gateways: 1,
  skewed: false,
  slow: false,
  faults: false,
  configures: false,
};

// A history tells when a throttled request was judged last. What its tries before that have seen, or left
// behind when they were not answered in time, it does not tell.
const UNTHROTTLED: ScenarioParts["world"] = { ...QUIET.world, throttles: false };

function agree(raw: RawScenario): void {
  const { text, variant, history } = played(raw);
  const world = worldOf(variant);
  const subject = {
    variant,
    history,
    oracle: () => (world === null ? null : judge(history, world)),
  };
  const { outcome, observed } = agreement(subject, EVERYTHING);
  if (outcome === "fail") throw new Error(`${observed}\n\n${text}`);
}

describe("what the gateway decides is what the oracle allows, on random worlds", PATIENT, () => {
  test.each<[string, Partial<ScenarioParts>, number]>([
    ["where nothing takes time", {}, 300],
    [
      "with an allowance that is seldom whole",
      { world: { ...QUIET.world, smoothing: "fine" } },
      150,
    ],
    [
      "where patterns join keys",
      { world: { ...QUIET.world, patterns: true, smoothing: "none" }, gateways: 2 },
      150,
    ],
    ["in a fleet", { gateways: 4 }, 150],
    ["in a fleet whose clocks differ", { world: UNTHROTTLED, gateways: 4, skewed: true }, 150],
    ["where requests overlap", { world: UNTHROTTLED, gateways: 3, slow: true }, 150],
    ["where the configuration changes", { configures: true }, 150],
    ["where store and gateways fail", { world: UNTHROTTLED, gateways: 3, faults: true }, 150],
    [
      "where everything happens",
      {
        world: UNTHROTTLED,
        gateways: 3,
        skewed: true,
        slow: true,
        faults: true,
        configures: true,
      },
      150,
    ],
  ])("%s", (_, parts, runs) => {
    holds(fc.property(scenario({ ...QUIET, ...parts }), agree), runs);
  });
});
