// Whether real time can decide a variant. Some expectations need an exact instant, such as a request at the
// very end of a window. A rehearsal finds them: the variant runs in virtual time, with late requests.
import { micros, MILLISECOND, type Micros } from "../../kit/units.ts";
import { playVariant } from "../drivers/virtual.node.ts";
import { MOST_UNCERTAIN_US } from "../drivers/driver.ts";
import type { History } from "../scenario/history.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { isLeftOpen, type Result } from "../scenario/verdict.ts";
import { checkHistories } from "./pipeline.ts";
import type { Rehearsed } from "./sample.ts";

/**
 * The greatest delay of a request in each rehearsal. Short delays reveal expectations that depend on the exact distance
 * between two requests; long delays are typical of a busy machine.
 */
const LATE_MS = [20, 5, 20, 50, 2, 200, 50];
const LATEST_STORE_MS = 20;

/** The worst result of several rehearsals. */
export async function rehearse(
  scenario: Scenario,
  variant: Variant,
  seed: number,
): Promise<Rehearsed> {
  let isOpen = false;
  for (const [index, ms] of LATE_MS.entries()) {
    const late = delayRequests(variant, micros(ms * MILLISECOND));
    const planned = plan(late, scenario.id, seed);
    const history = await playVariant(late, { ...planned, seed: seed + index });
    const result = checkAsReal(scenario, late, history, micros(ms * MILLISECOND));
    if (result.outcome === "fail" || result.outcome === "error") return "wrong";
    isOpen ||= result.outcome !== "pass" || isLeftOpen(result);
  }
  return isOpen ? "open" : "decided";
}

function checkAsReal(
  scenario: Scenario,
  variant: Variant,
  history: History,
  lateUs: Micros,
): Result {
  const real = asInRealTime(history, lateUs);
  return checkHistories(scenario, [{ variant, history: real }]).runs[0]!.result;
}

const upTo = (toUs: Micros): Variant["world"]["environment"]["networkUs"] => ({
  kind: "uniform",
  fromUs: micros(0),
  toUs,
});

/** Delays each request on its way to the gateway, and each operation on its way to the store. */
const delayRequests = (variant: Variant, lateUs: Micros): Variant => ({
  ...variant,
  world: {
    ...variant.world,
    environment: {
      ...variant.world.environment,
      networkUs: upTo(lateUs),
      storeUs: upTo(micros(Math.min(lateUs, LATEST_STORE_MS * MILLISECOND))),
    },
  },
});

const asInRealTime = (history: History, lateUs: Micros): History => ({
  ...history,
  header: {
    ...history.header,
    driver: "embedded",
    timing: { kind: "bounded", jitterUs: lateUs, maxUs: MOST_UNCERTAIN_US, isStamped: true },
  },
});
