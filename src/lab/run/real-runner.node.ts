// The work of the thread with a real driver: calibrates the driver, and runs variants with it.
import { driverOf } from "../drivers/by-name.node.ts";
import { calibrate } from "../drivers/calibrate.node.ts";
import { playOn, UnreachableTarget } from "../drivers/driver.ts";
import { stretchVariant } from "../drivers/stretch.ts";
import { applyClaims } from "../implementations/claimed.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { plan } from "../scenario/plan/plan.ts";
import { decode } from "../scenario/read/decode.ts";
import type { History } from "../scenario/history.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import type { RealReply, RealSettings, RealWork } from "./real-run.node.ts";
import { rulesReaderFor, traceReaderFor, type SourceFile } from "./scenario-files.node.ts";

export function createRealRunner(
  { driver: name, seed, store, against, model }: RealSettings,
  notice: (line: string) => void,
): (work: RealWork) => Promise<RealReply> {
  const loading = driverOf(name, { store, against, notice });
  const readScenario = createScenarioCache(model ?? null);
  return async (work) => {
    const driver = await loading;
    if (work.kind === "calibrate")
      return { id: work.id, kind: "calibrated", calibration: await calibrate(driver) };
    const { id, source, variant: variantName, stretch } = work;
    const scenario = readScenario(source);
    const variant = scenario.variants.find(({ name: called }) => called === variantName);
    if (variant === undefined) throw new Error(`${source.file} has no variant ${variantName}`);
    const stretchedVariant = stretchVariant(variant, stretch);
    try {
      const history = await playOn(
        driver,
        stretchedVariant,
        plan(stretchedVariant, scenario.id, seed),
      );
      return {
        id,
        kind: "recorded",
        history,
        isStoreLate: isStoreLate(stretchedVariant, history, store),
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const isUnreachable = against?.kind === "target" && error instanceof UnreachableTarget;
      return { id, kind: "failed", why, isUnreachable };
    }
  };
}

/**
 * True if a remote store replied late without an injected outage, as on a busy machine. A local store is never late: if
 * it is unavailable, the gateway has a bug.
 */
const isStoreLate = (
  { faults }: Variant,
  { events }: History,
  store: string | undefined,
): boolean =>
  store !== undefined &&
  !faults.some(({ kind }) => kind.startsWith("store")) &&
  events.some(({ event }) => event === "StoreUnavailable");

const MOST_CACHED = 16;

/** Reads a file only once for all of its variants that run at about the same time. */
function createScenarioCache(model: JsonMap | null): (source: SourceFile) => Scenario {
  const cache = new Map<string, Scenario>();
  return ({ file, text }) => {
    const cached = cache.get(file);
    if (cached !== undefined) return cached;
    const { scenario } = decode(file, text, traceReaderFor(file), rulesReaderFor(file));
    if (scenario === null) throw new Error(`${file} has errors`);
    for (const oldest of cache.keys()) {
      if (cache.size < MOST_CACHED) break;
      cache.delete(oldest);
    }
    const claimed = applyClaims(scenario, model);
    cache.set(file, claimed);
    return claimed;
  };
}
