// Counts the units in a window with two searches in sorted times.
import type { LedgerAttempt } from "../oracle/ledger.ts";

/** The units of the window that ends at `endUs`: those that may be inside, and those that certainly are. */
export function windowCounters(
  admitted: readonly LedgerAttempt[],
  perUs: number,
): {
  readonly possible: (endUs: number) => number;
  readonly certain: (endUs: number) => number;
} {
  // A span as long as the window is never inside it. A shorter span cannot begin before the window and end after it.
  const short = admitted.filter(({ loUs, hiUs }) => hiUs - loUs < perUs);
  const [begun, over] = [counterUpTo(admitted, "loUs"), counterUpTo(admitted, "hiUs")];
  const [shortBegun, shortOver] = [counterUpTo(short, "loUs"), counterUpTo(short, "hiUs")];
  return {
    possible: (endUs) => begun(endUs) - over(endUs - perUs),
    certain: (endUs) => shortOver(endUs) - shortBegun(endUs - perUs),
  };
}

/** Returns a function that counts the units whose time is at most `us`. */
function counterUpTo(
  attempts: readonly LedgerAttempt[],
  time: "loUs" | "hiUs",
): (us: number) => number {
  const sorted = attempts.toSorted((a, b) => a[time] - b[time]);
  const units = [0];
  for (const { cost } of sorted) units.push(units.at(-1)! + cost);
  return (us) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]![time] <= us) low = middle + 1;
      else high = middle;
    }
    return units[low]!;
  };
}
