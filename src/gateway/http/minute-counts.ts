// Counts for each minute and name. Clients choose the names, so memory is bounded.
import { SECOND, type Micros } from "../../kit/units.ts";

export interface Minute {
  count: number;
  readonly endUs: number;
}

interface MinuteCounts {
  /** The present minute of a name; a new one begins if the last one is over. */
  readonly of: (name: string) => Minute;
  readonly size: () => number;
}

export const MINUTE_US = 60 * SECOND;

/** If there are more than `most` names, those whose minutes began first are dropped. */
export function minuteCounts(most: number, nowUs: () => Micros): MinuteCounts {
  const minutes = new Map<string, Minute>(); // in the order in which they began
  const currentAt = (now: Micros, name: string): Minute | null => {
    const minute = minutes.get(name);
    // If the clock is set back, a minute must not last longer.
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
