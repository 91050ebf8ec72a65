// Unknown keys of each client address. A key that this process does not know costs a look-up in the records, and
// whoever tries keys out tries many.
import { ceilSeconds, micros, SECOND, type Micros } from "../core/units.ts";
import { networkNamed } from "./attempts.ts";

/** The minute that begins with the first unknown key of an address. */
export interface MinuteOfUnknown {
  count: number;
  readonly endUs: Micros;
}

export interface UnknownKeys {
  /** Counts a key before it is known to be unknown. Null: the address has had its share of this minute. */
  readonly count: (address: string) => MinuteOfUnknown | null;
  /** Until the minute of an address is over. */
  readonly secondsLeft: (address: string) => number;
}

const MINUTE = 60 * SECOND;

/** More addresses than this in a minute are an attack from many networks, where the oldest is forgotten first. */
export const MOST_ADDRESSES = 65_536;

export function unknownKeys(most: number, nowUs: () => Micros): UnknownKeys {
  const minutes = new Map<string, MinuteOfUnknown>(); // in the order of their ends

  const forgetEnded = (now: Micros): void => {
    for (const [address, { endUs }] of minutes) {
      if (endUs > now && minutes.size < MOST_ADDRESSES) return;
      minutes.delete(address);
    }
  };

  return {
    count: (address) => {
      const now = nowUs();
      const network = networkNamed(address);
      const known = minutes.get(network);
      if (known !== undefined && known.endUs > now) {
        if (known.count >= most) return null;
        known.count++;
        return known;
      }
      forgetEnded(now);
      const minute = { count: 1, endUs: micros(now + MINUTE) };
      minutes.set(network, minute);
      return minute;
    },
    secondsLeft: (address) => {
      const { endUs } = minutes.get(networkNamed(address)) ?? { endUs: nowUs() };
      return Math.max(1, ceilSeconds(micros(Math.max(0, endUs - nowUs()))));
    },
  };
}
