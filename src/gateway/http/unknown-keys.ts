// Counts unknown keys of each client address. A key that this process does not know costs a look-up in the records, and
// a client that guesses keys tries many.
import { waitSeconds, type Micros } from "../../kit/units.ts";
import { networkNamed } from "./address-counts.ts";
import { minuteCounts, type Minute } from "./minute-counts.ts";

export interface UnknownKeys {
  /** Counts a key before its look-up. Null: the address has reached its limit for this minute. */
  readonly count: (address: string) => Minute | null;
  /** Seconds until the present minute of an address ends. */
  readonly secondsLeft: (address: string) => number;
}

/** Maximum number of addresses with a count. Only an attack from many networks has more addresses in a minute. */
export const MOST_ADDRESSES = 65_536;

export function unknownKeys(most: number, nowUs: () => Micros): UnknownKeys {
  const minutes = minuteCounts(MOST_ADDRESSES, nowUs);
  const minuteOf = (address: string): Minute => minutes.of(networkNamed(address));
  return {
    count: (address) => {
      const minute = minuteOf(address);
      if (minute.count >= most) return null;
      minute.count++;
      return minute;
    },
    secondsLeft: (address) => waitSeconds(minuteOf(address).endUs - nowUs()),
  };
}
