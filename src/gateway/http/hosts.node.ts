// The names under which an operator's listener may be addressed. A web page can point a name of its own to any address
// (DNS rebinding); its requests then arrive from the operator's browser, with that name.
import type { IncomingMessage } from "node:http";
import { formatAddress, parseAddress } from "../../limiter/core/address.ts";

export interface OwnHosts {
  readonly bound: string; // the address that the listener binds
  /** Names, addresses, `*.name` and `*`, in lower case; read for each request, because a reload may change them. */
  readonly further: () => readonly string[];
}

/** Null: it is allowed. Else the host, or an empty string if it cannot be shown. */
export function strangeHost(from: IncomingMessage, { bound, further }: OwnHosts): string | null {
  const { host } = from.headers;
  // Only HTTP/1.0 may omit it, which no browser sends.
  if (host === undefined) return null;
  const name = nameIn(host.toLowerCase());
  if (name === null) return "";
  const { localAddress = "" } = from.socket;
  if (name === "localhost" || name === nameIn(bound.toLowerCase()) || isLoopback(name)) return null;
  if (parseAddress(name) !== null && name === canonical(localAddress)) return null;
  return further().some((each) => matchesHost(name, each)) ? null : name;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/;

/** Without brackets, port and the root's dot; an address in its one spelling. */
function nameIn(host: string): string | null {
  const bare = host.includes("[") || !/:.*:/.test(host) ? host : `[${host}]`; // an address as in a setting
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
