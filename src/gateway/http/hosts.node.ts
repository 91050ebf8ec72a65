// The host names by which an operator's listener may be addressed. A web page can point a name of its own to any
// address (DNS rebinding); requests with that name then arrive from the operator's browser.
import type { IncomingMessage } from "node:http";
import { formatAddress, parseAddress } from "../../limiter/core/address.ts";

export interface OwnHosts {
  readonly bound: string; // the address on which the listener listens
  /** Also allowed, in lower case: names, addresses, `*.name`, `*`. Read for each request, as reloads change them. */
  readonly further: () => readonly string[];
}

/** Returns null if the host of a request is allowed, else the host, or an empty string if the host is malformed. */
export function strangeHost(from: IncomingMessage, { bound, further }: OwnHosts): string | null {
  const { host } = from.headers;
  // Only HTTP/1.0 may omit the Host header, and browsers do not send HTTP/1.0.
  if (host === undefined) return null;
  const name = nameIn(host.toLowerCase());
  if (name === null) return "";
  const { localAddress = "" } = from.socket;
  if (name === "localhost" || name === nameIn(bound.toLowerCase()) || isLoopback(name)) return null;
  if (parseAddress(name) !== null && name === canonical(localAddress)) return null;
  return further().some((each) => matchesHost(name, each)) ? null : name;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/;

/** The host without brackets, port and final dot; addresses in their canonical spelling. */
function nameIn(host: string): string | null {
  const bare = host.includes("[") || !/:.*:/.test(host) ? host : `[${host}]`; // settings may omit the brackets
  const [, address, name] = HOST.exec(bare) ?? [];
  const hostName = address ?? name;
  return hostName === undefined ? null : canonical(hostName);
}

function canonical(text: string): string {
  const bytes = parseAddress(text);
  return bytes === null ? text : formatAddress(bytes);
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;
const isLoopback = (name: string): boolean => LOOPBACK.test(name) && parseAddress(name) !== null;

function matchesHost(name: string, allowed: string): boolean {
  if (allowed === "*") return true;
  return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === canonical(allowed);
}

export const hostMessage = (host: string): string =>
  `This listener is not addressed as ${host === "" ? "that" : `"${host}"`}; admin.hosts lists further hosts`;
