// Who may say where a request came from: without a proxy that is trusted, nobody but the connection itself.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import { isSecure } from "./tls.node.ts";

export interface Trusted {
  readonly networks: BlockList | null; // null: nobody
}

export const NOBODY_TRUSTED: Trusted = { networks: null };

/** The networks of a list, or the first entry that is none. */
export function trusted(list: readonly string[]): Trusted | { readonly wrong: string } {
  if (list.length === 0) return NOBODY_TRUSTED;
  const networks = new BlockList();
  for (const entry of list) {
    const [address = "", prefix, ...rest] = entry.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? most : Number(prefix);
    const isWhole = prefix === undefined || /^\d{1,3}$/.test(prefix);
    if (version === 0 || rest.length > 0 || !isWhole || bits > most) return { wrong: entry };
    networks.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return { networks };
}

const MAPPED = "::ffff:";

const withoutMapping = (address: string): string =>
  address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;

/** Of the other side of a connection. */
export const addressOf = ({ remoteAddress }: Socket): string => withoutMapping(remoteAddress ?? "");

export const isTrusted = ({ networks }: Trusted, address: string): boolean =>
  networks !== null && networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** With a port behind it, as some balancers write it. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5})$/;

/** The address of an entry of `X-Forwarded-For`; null: it has none. */
function addressIn(entry: string): string | null {
  const [, version6, version4] = WITH_PORT.exec(entry) ?? [];
  const address = version6 ?? version4 ?? entry;
  const isAddress = version6 === undefined ? isIP(address) !== 0 : isIP(address) === 6;
  return isAddress ? withoutMapping(address) : null;
}

/** Who sent a request: the nearest in its way whom no trusted proxy vouches for as one of its kind. */
export function clientOf({ headers, socket }: IncomingMessage, trusted: Trusted): string {
  let address = withoutMapping(socket.remoteAddress ?? "");
  const way = String(headers["x-forwarded-for"] ?? "").split(",");
  while (way.length > 0 && isTrusted(trusted, address)) {
    const before = addressIn(way.pop()!.trim());
    if (before === null) break;
    address = before;
  }
  return address;
}

/** Adds what the upstream is told of the way that a request took. */
export function addOrigin(onward: string[], from: IncomingMessage, trusted: Trusted): void {
  const { headers, socket } = from;
  const address = withoutMapping(socket.remoteAddress ?? "unknown");
  const isBelieved = isTrusted(trusted, address);
  const said = (name: string): string | null => {
    const value = isBelieved ? headers[name] : undefined;
    return value === undefined ? null : String(value);
  };
  const before = said("x-forwarded-for");
  onward.push(
    "x-forwarded-for",
    before === null ? address : `${before}, ${address}`,
    "x-forwarded-proto",
    said("x-forwarded-proto") ?? (isSecure(socket) ? "https" : "http"),
    "x-forwarded-host",
    said("x-forwarded-host") ?? headers.host ?? "",
    "via",
    from.httpVersionMinor === 0 ? "1.0 weir" : "1.1 weir",
  );
}
