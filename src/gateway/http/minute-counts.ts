// Counts per minute, by a name that clients choose: so the memory is bounded.
import { SECOND, type Micros } from "../../kit/units.ts";

export interface Minute {
  count: number;
  readonly endUs: number;
}

interface MinuteCounts {
  /** The minute of a name, which begins now if the last one is over. */
  readonly of: (name: string) => Minute;
  readonly size: () => number;
}

export const MINUTE_US = 60 * SECOND;

/** If there are more than `most` names, the minutes that began first are dropped. */
export function minuteCounts(most: number, nowUs: () => Micros): MinuteCounts {
  const minutes = new Map<string, Minute>(); // in the order in which they began
  const currentAt = (now: Micros, name: string): Minute | null => {
    const minute = minutes.get(name);
    // A clock that was set back would let a minute last for longer.
    const isCurrent = minute !== undefined && minute.endUs > now && minute.endUs <= now + MINUTE_US;
    return isCurrent ? minute : null;
  };
  return {
    size: () => minutes.size,
    of: (name) => {
      const now = nowUs();
      const current = currentAt(now, name);
      if (current !== null) return current;
      minutes.delete(name);
      const minute = { count: 0, endUs: now + MINUTE_US };
      minutes.set(name, minute);
      for (const [first, { endUs }] of minutes) {
        if (endUs > now && minutes.size <= most) break;
        minutes.delete(first);
      }
      return minute;
    },
  };
}
