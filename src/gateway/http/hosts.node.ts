// By which names a listener of the operators may be addressed. A web page can make a name of its own lead to any
// address (DNS rebinding); its requests then come from the operator's browser, and say that name.
import type { IncomingMessage } from "node:http";
import { formatAddress, parseAddress } from "../../core/address.ts";

export interface OwnHosts {
  readonly bound: string; // what the listener was told to bind
  /** Names, addresses, `*.name` and `*`, in lower case; asked each time, because a reload may change them. */
  readonly further: () => readonly string[];
}

/** Null: it is known. Else the host, or an empty text where it cannot be shown. */
export function strangeHost(from: IncomingMessage, { bound, further }: OwnHosts): string | null {
  const { host } = from.headers;
  // Only HTTP/1.0 may leave it out, which no browser speaks.
  if (host === undefined) return null;
  const name = nameIn(host.toLowerCase());
  if (name === null) return "";
  const { localAddress = "" } = from.socket;
  if (name === "localhost" || name === nameIn(bound.toLowerCase()) || isLoopback(name)) return null;
  if (parseAddress(name) !== null && name === canonical(localAddress)) return null;
  return further().some((each) => fits(name, each)) ? null : name;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/;

/** Without brackets, port and the root's dot; an address in its one spelling. */
function nameIn(host: string): string | null {
  const bare = host.includes("[") || !/:.*:/.test(host) ? host : `[${host}]`; // an address as a setting says it
  const [, address, name] = HOST.exec(bare) ?? [];
  const found = address ?? name;
  return found === undefined ? null : canonical(found);
}

function canonical(text: string): string {
  const bytes = parseAddress(text);
  return bytes === null ? text : formatAddress(bytes);
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;
const isLoopback = (name: string): boolean => LOOPBACK.test(name) && parseAddress(name) !== null;

function fits(name: string, allowed: string): boolean {
  if (allowed === "*") return true;
  return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === canonical(allowed);
}

export const misdirected = (host: string): string =>
  `This listener is not addressed as ${host === "" ? "that" : `"${host}"`}; admin.hosts lists the hosts that it has beside its own`;
