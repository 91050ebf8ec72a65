// Determines a request's origin: by headers if a trusted proxy has sent them, else by the connection.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import { Failure } from "../../kit/reading/failure.ts";
import { isSecure } from "./tls.node.ts";

export interface TrustedProxies {
  readonly networks: BlockList | null; // null: none
}

export const TRUSTS_NONE: TrustedProxies = { networks: null };

/** The networks of a list, or a failure about its first invalid entry. */
export function parseTrusted(list: readonly string[]): TrustedProxies | Failure {
  if (list.length === 0) return TRUSTS_NONE;
  const networks = new BlockList();
  for (const entry of list) {
    const [address = "", prefix, ...rest] = entry.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? most : Number(prefix);
    const isWhole = prefix === undefined || /^\d{1,3}$/.test(prefix);
    if (version === 0 || rest.length > 0 || !isWhole || bits > most)
      return new Failure(`"${entry}" in trusted_proxies must be an address or a network`);
    networks.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return { networks };
}

const MAPPED = "::ffff:";

const withoutMapping = (address: string): string =>
  address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;

/** The address of the other end of a connection. */
export const addressOf = ({ remoteAddress }: Socket): string => withoutMapping(remoteAddress ?? "");

export const isTrusted = ({ networks }: TrustedProxies, address: string): boolean =>
  networks !== null && networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** An address with a port, as some load balancers write it. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5})$/;

/** The address in an entry of `X-Forwarded-For`; null: there is none. */
function addressIn(entry: string): string | null {
  const [, version6, version4] = WITH_PORT.exec(entry) ?? [];
  const address = version6 ?? version4 ?? entry;
  const isAddress = version6 === undefined ? isIP(address) !== 0 : isIP(address) === 6;
  return isAddress ? withoutMapping(address) : null;
}

/** The client of a request: the last address on its way here that is not a trusted proxy. */
export function clientOf({ headers, socket }: IncomingMessage, trusted: TrustedProxies): string {
  let address = withoutMapping(socket.remoteAddress ?? "");
  const way = String(headers["x-forwarded-for"] ?? "").split(",");
  while (way.length > 0 && isTrusted(trusted, address)) {
    const before = addressIn(way.pop()!.trim());
    if (before === null) break;
    address = before;
  }
  return address;
}

export function addOrigin(onward: string[], from: IncomingMessage, trusted: TrustedProxies): void {
  const { headers, socket } = from;
  const address = withoutMapping(socket.remoteAddress ?? "unknown");
  const isFromProxy = isTrusted(trusted, address);
  const headerValue = (name: string): string | null => {
    const value = isFromProxy ? headers[name] : undefined;
    return value === undefined ? null : String(value);
  };
  const before = headerValue("x-forwarded-for");
  onward.push(
    "x-forwarded-for",
    before === null ? address : `${before}, ${address}`,
    "x-forwarded-proto",
    headerValue("x-forwarded-proto") ?? (isSecure(socket) ? "https" : "http"),
    "x-forwarded-host",
    headerValue("x-forwarded-host") ?? headers.host ?? "",
    "via",
    from.httpVersionMinor === 0 ? "1.0 weir" : "1.1 weir",
  );
}
