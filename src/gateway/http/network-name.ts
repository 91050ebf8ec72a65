// Counts by the address of a client use its network.
import { formatAddress, networkOf, parseAddress } from "../../core/address.ts";

const BITS_OF_A_NETWORK = 64;

/** A provider gives each customer 2^64 addresses of IPv6, which would have as many attempts. */
export function networkNamed(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === null) return "an unknown address";
  if (bytes.length === 4) return formatAddress(bytes);
  return `${formatAddress(networkOf(bytes, BITS_OF_A_NETWORK))}/${BITS_OF_A_NETWORK}`;
}
