// Counts a refused request at the limits that it meets and that did not refuse it.
import type { Reply } from "../../core/store.ts";
import type { Micros } from "../../../kit/units.ts";
import type { BoundLevel } from "../counting.ts";

interface RefusedRequest {
  readonly atUs: Micros;
  readonly reply: Reply;
  readonly units: number;
}

/** Quotas imitate nothing, so they are not counted here. */
export function countElsewhere(
  levels: readonly BoundLevel[],
  refused: number,
  { atUs, reply, units }: RefusedRequest,
): void {
  for (const [index, other] of levels.entries()) {
    const { imitation } = other.level;
    if (imitation === null || index === refused) continue;
    if (imitation.refused === "counted_by_all")
      other.counting.writeRefused(other, atUs, reply, units);
    else if (imitation.levels === "in_sequence" && index < refused)
      other.counting.spend(other, index, atUs, reply, units);
  }
}
