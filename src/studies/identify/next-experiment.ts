// Selects the next experiment: to separate the remaining shapes, to narrow the numbers of one, or to confirm it.
import type { Rng } from "../../kit/chance/rng.ts";
import { isPaced } from "./behaviour.ts";
import {
  chooseExperiment,
  confirmation,
  durationUsOf,
  overlappingBurst,
  requestsOf,
  severalTimes,
  withoutExceeding,
  type Experiment,
} from "./experiment.ts";
import { freeSpanOf } from "./fit.ts";
import { freeShapeOf, PRECISE } from "./naming.ts";
import type { Prober } from "./prober.ts";
import { roundestBetween } from "./round-numbers.ts";
import { aroundItsEnd, aroundItsRecovery, aroundItsWindow } from "./sharp-experiment.ts";
import { needsOvershoot, type Suspect } from "./suspect.ts";

/** The largest share of the remaining time for a repeated experiment. */
const REPEATED = 0.4;

export function nextExperiment(
  { prober, random }: { readonly prober: Prober; readonly random: Rng },
  suspects: readonly Suspect[],
  aim: "separate" | "sharpen" | "confirm",
  { confirmed, isInVain }: { readonly confirmed: number; readonly isInVain: boolean },
): Experiment | null {
  const { budget, timing, startUs: nowUs } = prober;
  const isAffordable = (experiment: Experiment): boolean =>
    requestsOf(experiment) <= budget.requests && durationUsOf(experiment) <= budget.us;
  if (aim !== "separate") {
    const suspect = pickLikeliest(suspects);
    // `shifted_window` may explain the same responses; the two differ only at the end of a window.
    const isAtItsEnd = PRECISE.has(suspect.behaviour.name) && confirmed === 0;
    const isUntried = aim === "confirm" && confirmed === 1 && !isPaced(suspect.behaviour);
    const isWithin = suspect.behaviour.pauseUs !== undefined && random.int(3) > 0;
    const repeated = severalTimes(suspect);
    const isRepeated =
      aim === "confirm" && confirmed === 2 && durationUsOf(repeated) < REPEATED * budget.us;
    const experiment = needsOvershoot(suspect)
      ? overlappingBurst(suspect)
      : isWithin
        ? aroundItsWindow(suspect, { nowUs, timing }, random)
        : isUntried
          ? withoutExceeding(suspect)
          : isRepeated
            ? repeated
            : isAtItsEnd && aim === "confirm"
              ? aroundItsEnd(
                  suspect,
                  { nowUs, timing },
                  Math.min(prober.spent.durationUs, budget.us / 4),
                )
              : confirmed % 2 === 0 || aim === "sharpen"
                ? aroundItsRecovery(suspect, { nowUs, timing }, random)
                : confirmation(suspect, { nowUs, timing }, random);
    return isAffordable(experiment) ? experiment : null;
  }
  const chosen = isInVain ? null : chooseExperiment(suspects, { nowUs, budget, timing }, random);
  if (chosen !== null) return chosen;
  // A burst above the limit also has refusals, which show how long the network takes.
  const loose = suspects.find(needsOvershoot) ?? (prober.knowsSpread ? undefined : suspects[0]);
  const burst = loose === undefined ? null : overlappingBurst(loose);
  return burst !== null && isAffordable(burst) ? burst : null;
}

/** The suspect with the roundest numbers, otherwise the middle one. */
function pickLikeliest(suspects: readonly Suspect[]): Suspect {
  const sorted = suspects.toSorted((a, b) => freeSpanOf(a.behaviour) - freeSpanOf(b.behaviour));
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map(({ behaviour }) => freeSpanOf(behaviour));
  const roundUs = roundestBetween(freeShapeOf(sorted[0]!.behaviour), least!, most!);
  return (
    sorted.find(({ behaviour }) => freeSpanOf(behaviour) === roundUs) ??
    sorted[Math.floor(sorted.length / 2)]!
  );
}
