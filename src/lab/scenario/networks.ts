// The addresses that clients of a scenario come from. A single address is a network of one.
import { addressAt, formatAddress, networkOf, parseAddress } from "../../limiter/core/address.ts";

/** All addresses whose first `bits` bits are those of `first`. For a single address, `bits` is its full length. */
export interface Network {
  readonly first: string;
  readonly bits: number;
}

export function isIn(address: string, networks: readonly Network[]): boolean {
  const bytes = parseAddress(address);
  if (bytes === null) return false; // histories of other programs may have any text here
  return networks.some(({ first, bits }) => {
    const isAsLong = parseAddress(first)!.length === bytes.length;
    return isAsLong && formatAddress(networkOf(bytes, bits)) === first;
  });
}

/** The address `place` positions after the first of the network, starting again after the last. */
export function clientAddress({ first, bits }: Network, place: number): string {
  const bytes = parseAddress(first)!;
  const size = 2 ** (bytes.length * 8 - bits);
  return size === 1 ? first : formatAddress(addressAt(bytes, place % size));
}

/** The network as written in a file. */
export function networkText({ first, bits }: Network): string {
  const isOne = bits === parseAddress(first)!.length * 8;
  return isOne ? first : `${first}/${bits}`;
}
