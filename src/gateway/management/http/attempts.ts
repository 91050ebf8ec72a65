// Counts wrong credentials by management API and client address. The count slows down clients that guess, and warns the
// operator. A valid credential is accepted whatever the count is.
import { ceilSeconds, micros, type Micros } from "../../../kit/units.ts";
import type { InterfaceName } from "../interface-name.ts";
import { MINUTE_US, minuteCounts } from "../../http/minute-counts.ts";
import { networkNamed } from "../../http/address-counts.ts";

/** A credential that is counted as wrong until it is verified. */
interface Guess {
  /** Removes the credential from the count, because it is valid. */
  readonly takeBack: () => void;
}

export interface Attempts {
  /** Counts a wrong credential. Returns the seconds that the client has to wait; 0: none. */
  readonly fail: (at: InterfaceName, address: string) => number;
  /** Counts a credential before its verification, as many guesses may arrive together. Null: the client has to wait. */
  readonly guess: (at: InterfaceName, address: string) => Guess | null;
}

export const MOST_FAILED = 20;
/** The largest number of pairs of API and client network that have a count; each takes about 250 bytes. */
export const MOST_COUNTED = 10_000;

export function attempts(
  nowUs: () => Micros,
  log: (line: string) => void = () => {},
): Attempts & { readonly entryCount: () => number } {
  const counts = minuteCounts(MOST_COUNTED, nowUs);
  const nextLineUs = new Map<InterfaceName, number>();
  const warn = (at: InterfaceName, network: string, now: number): void => {
    if (now < (nextLineUs.get(at) ?? 0)) return;
    nextLineUs.set(at, now + MINUTE_US);
    log(`weir: more than ${MOST_FAILED} wrong credentials in a minute at ${at}, from ${network}`);
  };
  return {
    entryCount: counts.size,
    guess: (at, address) => {
      const minute = counts.of(nameOf(at, networkNamed(address)));
      if (minute.count >= MOST_FAILED) return null;
      minute.count++;
      return { takeBack: () => void minute.count-- };
    },
    fail: (at, address) => {
      const network = networkNamed(address);
      const minute = counts.of(nameOf(at, network));
      if (minute.count < MOST_FAILED) {
        minute.count++;
        return 0;
      }
      const now = nowUs();
      warn(at, network, now);
      return ceilSeconds(micros(minute.endUs - now));
    },
  };
}

const nameOf = (at: InterfaceName, network: string): string => `${at} ${network}`;
