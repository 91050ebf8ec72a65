// How long the limits of a running gateway need until they are unused again after a variant. Nothing resets the gateway
// between two variants, so what the first one spends affects the second one.
import { chooseAlgorithm } from "../../limiter/core/select.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import { limitOf } from "../../limiter/core/limit.ts";
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import type { Reason } from "../drivers/driver.ts";
import { readWantedWorld, type WantedLimit } from "../implementations/wanted.ts";
import type { Variant } from "../scenario/types.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";

/** The longest wait between two variants: a scenario that needs a longer wait has to run alone. */
const MOST_WAIT_US = 120 * SECOND;

/** Time from the last request until all limits of the variant are unused. */
export function wholeAfterUs({ world, faults }: Variant): number {
  const later = faults.flatMap((fault) =>
    fault.kind === "configure" ? [fault.configuration] : [],
  );
  const all = world.configuration === null ? later : [world.configuration, ...later];
  return Math.max(
    0,
    ...all.flatMap((each) =>
      readWantedWorld(each).limits.map((limit) => windowsOf(limit, each) * limit.perUs),
    ),
  );
}

/** For how many windows a request can affect decisions; without such a bound, until the rate refills the budget. */
function windowsOf({ scope, rate, perUs }: WantedLimit, { options }: Configuration): number {
  if (rate <= 0) return 0;
  if (scope === "quota" || scope === "quota-api") return 1;
  const spec = SPECS[chooseAlgorithm(options, limitOf(rate, perUs / SECOND), 1)];
  if (Number.isFinite(spec.reachWindows)) return spec.reachWindows;
  const { burst, queue, fixedWindowStart } = options;
  return spec.budget({ rate, perUs, gateways: 1, burst, queue, fixedWindowStart }) / rate;
}

/** Why a variant does not wait this long; null if it waits. */
export const whyNotWait = (us: number): Reason | null =>
  us <= MOST_WAIT_US
    ? null
    : {
        missing: "implementation",
        text: `the limits that earlier scenarios used up are whole again ${Number.isFinite(us) ? `in ${inSeconds(us)}` : "never"}; run it alone, after that`,
      };

export const inSeconds = (us: number): string =>
  formatDuration(micros(Math.ceil(us / SECOND) * SECOND));
