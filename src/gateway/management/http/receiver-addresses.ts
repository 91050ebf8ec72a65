// The addresses to which webhooks may be sent (EVT-C3): public ones, and allowed ones.
import { formatAddress, networkOf, parseAddress } from "../../../limiter/core/address.ts";

export interface AllowedReceivers {
  readonly has: (address: string, port: number) => boolean;
}

/** Private IPv4 networks, by RFC 6890 and later documents. */
const PRIVATE_4 = [
  "0.0.0.0/8", // unspecified
  "10.0.0.0/8",
  "100.64.0.0/10", // shared by the customers of a provider
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, with the metadata services of clouds
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // for documentation
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15", // for benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/** Private networks in 2000::/3; IPv6 addresses outside 2000::/3 are all forbidden. */
const PRIVATE_6 = [
  "2001::/23", // protocols such as Teredo, whose addresses contain other addresses
  "2001:db8::/32",
  "2002::/16", // 6to4, whose addresses contain IPv4 addresses
  "3fff::/20",
];

interface Network {
  readonly first: Uint8Array;
  readonly bits: number;
}

const networksOf = (networks: readonly string[]): readonly Network[] =>
  networks.map((network) => {
    const [address = "", bits] = network.split("/");
    return { first: parseAddress(address)!, bits: Number(bits) };
  });

const isIn = (networks: readonly Network[], address: Uint8Array): boolean =>
  networks.some(({ first, bits }) =>
    networkOf(address, bits).every((byte, index) => byte === first[index]),
  );

const FORBIDDEN_4 = networksOf(PRIVATE_4);
const FORBIDDEN_6 = networksOf(PRIVATE_6);
const GLOBAL_6 = networksOf(["2000::/3"]);
const NAT64 = networksOf(["64:ff9b::/96"]);

/** Why a receiver is not allowed; null: it is allowed. All its addresses must be allowed. */
export function addressProblem(
  addresses: readonly string[],
  port: number,
  allowed: AllowedReceivers,
): string | null {
  const forbidden = addresses.find((address) => !mayReceive(address, port, allowed));
  return forbidden === undefined
    ? null
    : `${forbidden} port ${port} is not allowed (webhook_allow)`;
}

export function mayReceive(addressText: string, port: number, allowed: AllowedReceivers): boolean {
  const address = addressText.split("%", 1)[0]!; // a zone names a network interface, and is no part of the address
  const bytes = parseAddress(address);
  if (bytes === null) return false;
  if (allowed.has(address, port)) return true;
  const inner = innerIPv4(address, bytes);
  if (inner !== null) return mayReceive(formatAddress(inner), port, allowed);
  return bytes.length === 4
    ? !isIn(FORBIDDEN_4, bytes)
    : isIn(GLOBAL_6, bytes) && !isIn(FORBIDDEN_6, bytes);
}

/** The IPv4 address in an IPv6 address, mapped or for NAT64; null: there is none. */
function innerIPv4(address: string, bytes: Uint8Array): Uint8Array | null {
  if (bytes.length === 4) return address.includes(":") ? bytes : null;
  return isIn(NAT64, bytes) ? bytes.slice(12) : null;
}

export const portOf = ({
  port,
  protocol,
}: {
  readonly port?: string | null | undefined;
  readonly protocol: string;
}): number => Number(port || (protocol === "https:" ? 443 : 80));
