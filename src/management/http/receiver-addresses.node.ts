// The addresses to which webhooks may be sent (EVT-C3): those of the public internet, and the allowed ones.
import { BlockList, isIP } from "node:net";
import type { AllowedReceivers } from "./allowed-receivers.node.ts";

/** By RFC 6890 and what followed it. */
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

/** Within 2000::/3; all other addresses are forbidden. */
const PRIVATE_6 = [
  "2001::/23", // protocols, such as Teredo, which embeds other addresses
  "2001:db8::/32",
  "2002::/16", // 6to4, which embeds them too
  "3fff::/20",
];

const listOf = (networks: readonly string[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const FORBIDDEN_4 = listOf(PRIVATE_4, "ipv4");
const FORBIDDEN_6 = listOf(PRIVATE_6, "ipv6");
const GLOBAL_6 = listOf(["2000::/3"], "ipv6");
const EMBEDDING = listOf(["::ffff:0:0/96", "64:ff9b::/96"], "ipv6"); // mapped; NAT64

/** Why a receiver is not allowed: one forbidden address makes its other addresses doubtful. Null: it is allowed. */
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
  const address = addressText.split("%", 1)[0]!; // a zone names a link, not an address
  const version = isIP(address);
  if (version === 0) return false;
  if (allowed.has(address, port)) return true;
  if (version === 4) return !FORBIDDEN_4.check(address, "ipv4");
  if (EMBEDDING.check(address, "ipv6")) return mayReceive(innerIPv4(address), port, allowed);
  return GLOBAL_6.check(address, "ipv6") && !FORBIDDEN_6.check(address, "ipv6");
}

/** The last four bytes, in the notation of IPv4. */
function innerIPv4(address: string): string {
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1); // in its one short form
  const groups = written.split(":").slice(-2);
  return groups
    .flatMap((group) => {
      const value = group === "" ? 0 : Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    })
    .join(".");
}
