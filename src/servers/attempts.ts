// Wrong credentials, counted by interface and client address. The count never decides about a right one: it slows
// nobody down but whoever guesses, and tells the operator that somebody does.
import { formatAddress, networkOf, parseAddress } from "../core/address.ts";
import { ceilSeconds, micros, SECOND, type Micros } from "../core/units.ts";
import type { InterfaceName } from "../management/interface-name.ts";

export interface Attempts {
  /** Counts a wrong credential. Seconds until one from there is answered as usual again; 0: this one is. */
  readonly fail: (at: InterfaceName, address: string) => number;
}

export const MOST_FAILED = 20;
const PER_US = 60 * SECOND;
/** An entry takes about 250 bytes. If there are more addresses, the counts that began first are forgotten. */
export const MOST_COUNTED = 10_000;

interface Count {
  failed: number;
  readonly endsUs: number;
}

export function attempts(
  nowUs: () => Micros,
  log: (line: string) => void = () => {},
): Attempts & { readonly counted: () => number } {
  const counts = new Map<string, Count>(); // in the order in which they began
  const nextLineUs = new Map<InterfaceName, number>();
  const begin = (name: string, now: number): Count => {
    const count = { failed: 0, endsUs: now + PER_US };
    counts.delete(name);
    counts.set(name, count);
    for (const [first, { endsUs }] of counts) {
      if (endsUs > now && counts.size <= MOST_COUNTED) break;
      counts.delete(first);
    }
    return count;
  };
  const warn = (at: InterfaceName, network: string, now: number): void => {
    if (now < (nextLineUs.get(at) ?? 0)) return;
    nextLineUs.set(at, now + PER_US);
    log(`weir: more than ${MOST_FAILED} wrong credentials in a minute at ${at}, from ${network}`);
  };
  return {
    counted: () => counts.size,
    fail: (at, address) => {
      const now = nowUs();
      const network = networkNamed(address);
      const name = `${at} ${network}`;
      const known = counts.get(name);
      const isOver = known === undefined || known.endsUs <= now || known.endsUs > now + PER_US;
      const count = isOver ? begin(name, now) : known;
      if (count.failed < MOST_FAILED) {
        count.failed++;
        return 0;
      }
      warn(at, network, now);
      return ceilSeconds(micros(count.endsUs - now));
    },
  };
}

const BITS_OF_A_NETWORK = 64;

/** A provider gives each customer 2^64 addresses of IPv6, which would have as many attempts. */
export function networkNamed(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === null) return "an unknown address";
  if (bytes.length === 4) return formatAddress(bytes);
  return `${formatAddress(networkOf(bytes, BITS_OF_A_NETWORK))}/${BITS_OF_A_NETWORK}`;
}
