// The kinds of worlds: each adds one part to the quiet kind, and the last has all parts.
import type * as fc from "fast-check";
import { scenario, type ScenarioParts } from "./arbitrary/scenarios.ts";
import { RICH } from "./arbitrary/worlds.ts";
import { written } from "./arbitrary/written.ts";
import type { RawScenario } from "./as-scenario.ts";

// Patterns are left out: the specification covers no budget whose keys have different smoothing rules, or none.
const QUIET: ScenarioParts = {
  world: { ...RICH, patterns: false, thresholds: true, throttles: true, keyFirst: true },
  gateways: 1,
  skewed: false,
  slow: false,
  faults: false,
  configures: false,
  ramps: false,
};

// A history has only the time of the last decision about a throttled request. It lacks the earlier decisions about that
// request, and the writes of these decisions if the store's replies were lost.
const UNTHROTTLED: ScenarioParts["world"] = { ...QUIET.world, throttles: false, outages: true };

interface WorldKind {
  readonly name: string;
  readonly worlds: fc.Arbitrary<RawScenario>;
}

const kind = (name: string, parts: Partial<ScenarioParts>): WorldKind => ({
  name,
  worlds: scenario({ ...QUIET, ...parts }),
});

export const KINDS: readonly WorldKind[] = [
  kind("where nothing takes time", {}),
  kind("where nothing takes time and no request waits", { world: UNTHROTTLED }),
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
  kind("with counters in each gateway and a quota in an unreachable store", {
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
