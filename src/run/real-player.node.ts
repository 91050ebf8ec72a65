// What the thread of a real driver does: calibrates, and plays one variant after the other.
import { driverOf } from "../drivers/by-name.node.ts";
import { calibrate } from "../drivers/calibrate.node.ts";
import { playOn } from "../drivers/driver.ts";
import { stretchVariant } from "../drivers/stretch.ts";
import { plan } from "../scenario/plan/plan.ts";
import { decode } from "../scenario/read/decode.ts";
import type { History } from "../scenario/history.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import type { RealAnswer, RealSettings, RealWork } from "./play-real.node.ts";
import { besideFile, type Source } from "./scenario-files.node.ts";

export function realPlayer({
  driver: name,
  seed,
  store,
}: RealSettings): (work: RealWork) => Promise<RealAnswer> {
  const loading = driverOf(name, store);
  const scenarioOf = lastRead();
  return async (work) => {
    const driver = await loading;
    if (work.kind === "calibrate")
      return { id: work.id, kind: "calibrated", calibration: await calibrate(driver) };
    const { id, source, variant: meant, stretch } = work;
    const scenario = scenarioOf(source);
    const variant = scenario.variants.find(({ name: called }) => called === meant);
    if (variant === undefined) throw new Error(`${source.file} has no variant ${meant}`);
    const slower = stretchVariant(variant, stretch);
    try {
      const history = await playOn(driver, slower, plan(slower, scenario.id, seed));
      return { id, kind: "played", history, isStoreLate: isStoreLate(slower, history, store) };
    } catch (error) {
      return { id, kind: "broken", why: error instanceof Error ? error.message : String(error) };
    }
  };
}

/**
 * On a busy machine a remote store may reply too late although the scenario has no store fault. A gateway that misses its local
 * store is wrong.
 */
const isStoreLate = (
  { faults }: Variant,
  { events }: History,
  store: string | undefined,
): boolean =>
  store !== undefined &&
  !faults.some(({ kind }) => kind.startsWith("store")) &&
  events.some(({ event }) => event === "StoreUnavailable");

const MOST_KEPT = 16;

/** A file is read once for all of its variants that are played about now. */
function lastRead(): (source: Source) => Scenario {
  const known = new Map<string, Scenario>();
  return ({ file, text }) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const { scenario } = decode(file, text, besideFile(file));
    if (scenario === null) throw new Error(`${file} has faults`);
    for (const oldest of known.keys()) {
      if (known.size < MOST_KEPT) break;
      known.delete(oldest);
    }
    known.set(file, scenario);
    return scenario;
  };
}
