// A count for each client address, or for each network of IPv6 addresses. A count of 0 is removed, so memory grows only
// with the addresses in use.
import { formatAddress, networkOf, parseAddress } from "../../limiter/core/address.ts";

const BITS_OF_A_NETWORK = 64;

/** Returns an IPv4 address, or the network of an IPv6 one: a provider gives each customer 2^64 IPv6 addresses. */
export function networkNamed(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === null) return "an unknown address";
  if (bytes.length === 4) return formatAddress(bytes);
  return `${formatAddress(networkOf(bytes, BITS_OF_A_NETWORK))}/${BITS_OF_A_NETWORK}`;
}

interface AddressCounts {
  /** Adds one to the count of the address, or returns false if the count has reached the limit. */
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
