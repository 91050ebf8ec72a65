// Since when a limit has been what it is for a request.
import type { History } from "../scenario/history.ts";
import { epochOf, levelsIn, type Entry } from "./entries.ts";
import type { Level } from "./levels.ts";
import type { Epoch, OracleWorld } from "./world.ts";

/** The change that made this limit rule the request; null: it has ruled from the beginning. */
export function ruledSince(
  level: Level,
  entry: Entry,
  history: History,
  world: OracleWorld,
): Epoch | null {
  for (let epoch = epochOf(world, entry.moment); epoch > 0; epoch--) {
    const before = levelsIn(epoch - 1, entry, history, world);
    if (!before.some((other) => saidOf(other) === saidOf(level))) return world.epochs[epoch]!;
  }
  return null;
}

const saidOf = ({ scope, limit, algorithm }: Level): string =>
  JSON.stringify([scope, algorithm, limit.rate, limit.perUs, limit.smoothing]);
