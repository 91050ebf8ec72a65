// Which worlds there are: one thing at a time goes beyond the quiet one, and in the last everything does.
import type * as fc from "fast-check";
import { scenario, type ScenarioParts } from "./arbitrary/scenarios.ts";
import { RICH } from "./arbitrary/worlds.ts";
import { written } from "./arbitrary/written.ts";
import type { RawScenario } from "./as-scenario.ts";

// A budget of several smoothing rules, or of one and none, is nobody's that the text speaks of.
export const QUIET: ScenarioParts = {
  world: { ...RICH, patterns: false, thresholds: true, throttles: true, keyFirst: true },
  gateways: 1,
  skewed: false,
  slow: false,
  faults: false,
  configures: false,
  ramps: false,
};

// A history tells when a throttled request was judged last. What its tries before that have seen, or left
// behind when they were not answered in time, it does not tell.
const UNTHROTTLED: ScenarioParts["world"] = { ...QUIET.world, throttles: false, outages: true };

export interface Kind {
  readonly name: string;
  readonly worlds: fc.Arbitrary<RawScenario>;
}

const kind = (name: string, parts: Partial<ScenarioParts>): Kind => ({
  name,
  worlds: scenario({ ...QUIET, ...parts }),
});

export const KINDS: readonly Kind[] = [
  kind("where nothing takes time", {}),
  kind("where nothing takes time and nobody waits", { world: UNTHROTTLED }),
  kind("with an allowance that is seldom whole", {
    world: { ...QUIET.world, smoothing: "fine" },
  }),
  kind("with an allowance that moves", { ramps: true, gateways: 3, world: UNTHROTTLED }),
  kind("where patterns join keys", {
    world: { ...QUIET.world, patterns: true, smoothing: "none" },
    gateways: 2,
  }),
  kind("in a fleet", { gateways: 4 }),
  kind("in a fleet whose clocks differ", { world: UNTHROTTLED, gateways: 4, skewed: true }),
  kind("where requests overlap", { world: UNTHROTTLED, gateways: 3, slow: true }),
  kind("where the configuration changes", { configures: true }),
  kind("where store and gateways fail", { world: UNTHROTTLED, gateways: 3, faults: true }),
  kind("where what is counted here meets a quota that cannot be reached", {
    world: { ...UNTHROTTLED, algorithms: ["drl"], smoothing: "none", thresholds: false },
    gateways: 2,
    faults: true,
  }),
  { name: "written in every way", worlds: written },
  kind("where everything happens", {
    world: UNTHROTTLED,
    gateways: 3,
    skewed: true,
    slow: true,
    faults: true,
    configures: true,
    ramps: true,
  }),
];
