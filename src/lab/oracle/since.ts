// Finds the change since which the present limit has applied to a request.
import type { History } from "../scenario/history.ts";
import { epochOf, levelsIn, type Entry } from "./entries.ts";
import type { OracleLevel } from "./levels.ts";
import type { Epoch, OracleWorld } from "./world.ts";

/** The change that made this limit apply to the request; null if it has applied from the start. */
export function findLastChange(
  level: OracleLevel,
  entry: Entry,
  history: History,
  world: OracleWorld,
): Epoch | null {
  for (let epoch = epochOf(world, entry.moment); epoch > 0; epoch--) {
    const before = levelsIn(epoch - 1, entry, history, world);
    if (!before.some((other) => termsOf(other) === termsOf(level))) return world.epochs[epoch]!;
  }
  return null;
}

const termsOf = ({ scope, limit, algorithm }: OracleLevel): string =>
  JSON.stringify([scope, algorithm, limit.rate, limit.perUs, limit.smoothing]);
