// Predicts what the limiter of a suspect would do with requests that were not sent yet.
import { createDraw, type ProbeTiming } from "./evidence.ts";
import { Retelling, type GroupTally } from "./retelling.ts";
import { newPast, type Suspect } from "./suspect.ts";
import type { ProbeGroup } from "./target.ts";

/** Predicts the tallies of these requests, each decided half a trip after it is sent. */
export function predictTallies(
  suspect: Suspect,
  groups: readonly ProbeGroup[],
  timing: ProbeTiming,
): readonly GroupTally[] {
  const planned = groups.flatMap(({ atUs, count, everyUs }, group) =>
    Array.from({ length: count }, (_, index) => ({
      atUs: atUs + index * everyUs + timing.tripUs / 2,
      group,
      isLost: false,
    })),
  );
  const [past = newPast(suspect, timing, null)] = suspect.pasts;
  return new Retelling(suspect, past, createDraw(planned, groups, timing), timing).tallies();
}

/** The time at which the limiter admits again after `groups` and further requests that use up its limit. */
export function recoveryUsOf(
  suspect: Suspect,
  groups: readonly Omit<ProbeGroup, "sender">[],
  timing: ProbeTiming,
): number {
  const { clockUs, state } = suspect.pasts[0] ?? newPast(suspect, timing, null);
  const limit = suspect.model.begin(state);
  let atUs = 0;
  for (const group of groups) {
    atUs = group.atUs + timing.tripUs / 2;
    for (let i = 0; i < group.count; i++) limit.decide(atUs + i * group.everyUs + clockUs);
  }
  for (;;) {
    const { refused, retryAfterUs } = limit.decide(atUs + clockUs);
    if (refused !== null) return atUs + retryAfterUs;
  }
}
