// A request that one limit refuses may count at other limits of others too.
import type { Reply } from "../../core/store.ts";
import type { Micros } from "../../../kit/units.ts";
import type { BoundLevel } from "../counting.ts";

interface RefusedRequest {
  readonly atUs: Micros;
  readonly reply: Reply;
  readonly units: number;
}

/** Quotas are counted as ever. */
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
