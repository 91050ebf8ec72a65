// Counts per client address. Memory is bounded by the things that are counted, because an address with none is removed.
import { networkNamed } from "./network-name.ts";

export interface AddressCounts {
  /** Counts one more. False: the address has reached the limit. */
  readonly enter: (address: string) => boolean;
  readonly leave: (address: string) => void;
}

export function addressCounts(most: number): AddressCounts {
  const counts = new Map<string, number>();
  return {
    enter: (address) => {
      const network = networkNamed(address);
      const count = counts.get(network) ?? 0;
      if (count >= most) return false;
      counts.set(network, count + 1);
      return true;
    },
    leave: (address) => {
      const network = networkNamed(address);
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    },
  };
}
