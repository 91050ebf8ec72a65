// The identity of a request for its budgets: the key, the values that a `rate_limit_pattern` reads from its metadata
// (LIM-11, LIM-12, LIM-14, LIM-C8), or its origin (LIM-C17). Each kind has a prefix of its own, so that no client can
// choose a header or an address that equals another client's identity.
import { formatAddress, networkOf, parseAddress } from "../address.ts";
import type { Sender } from "../client.ts";
import type { KeyBy, MetaData } from "../config.ts";
import { sha256 } from "../sha256.ts";

/** A part of a pattern that reads a field of the metadata. */
export const META_REFERENCE = /^\$gw_meta\.([^$|]+)$/;

export const keyIdentity = (keyId: string): string => `key:${keyId}`;

/** The identity by the origin of a request; null if the credential counts. Without the header, the address counts. */
export function senderIdentity(keyBy: KeyBy, sender: Sender, ipv6Prefix: number): string | null {
  if (keyBy === "credential") return null;
  const value = keyBy === "ip" ? null : sender.header(keyBy.header);
  if (keyBy !== "ip" && value !== null && value !== "")
    return `header:${keyBy.header}:${shorten(value)}`;
  return `ip:${addressIdentity(sender.address, ipv6Prefix)}`;
}

/** A client may have all addresses of its IPv6 network, and would have a budget for each. */
function addressIdentity(address: string, ipv6Prefix: number): string {
  const bytes = parseAddress(address);
  if (bytes === null) return shorten(address);
  if (bytes.length === 4) return formatAddress(bytes);
  const network = formatAddress(networkOf(bytes, ipv6Prefix));
  return ipv6Prefix === 128 ? network : `${network}/${ipv6Prefix}`;
}

const LONGEST_VALUE = 64;

/** No value of a client makes a longer name. A hash is longer, so that no value can equal one. */
const shorten = (value: string): string =>
  value.length <= LONGEST_VALUE ? value : `sha256-${sha256(value)}`;

/** With its bars. A pattern that names one long value often would make a name of many megabytes. */
const LONGEST_OF_PATTERN = 4_096;

/** The identity by the pattern; null if the credential counts after all. */
export function patternIdentity(metaData: MetaData): string | null {
  const pattern = ownField(metaData, "rate_limit_pattern");
  if (typeof pattern !== "string") return null;
  const parts: string[] = [];
  let letters = -1; // there is one bar fewer than parts
  for (const part of pattern.split("|")) {
    const value = partValue(part, metaData);
    if (value === null) return null;
    letters += value.length + 1;
    if (letters > LONGEST_OF_PATTERN) return null;
    parts.push(value);
  }
  // As JSON the parts stay distinct, and no key's identity can equal a pattern's.
  return parts.join("") === "" ? null : `pattern:${JSON.stringify(parts)}`;
}

/** Null if a referenced value is missing, or the part is invalid. */
function partValue(part: string, metaData: MetaData): string | null {
  const reference = META_REFERENCE.exec(part)?.[1];
  if (reference === undefined) return part.includes("$") ? null : part;
  const value = ownField(metaData, reference);
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const ownField = (metaData: MetaData, name: string): unknown =>
  Object.hasOwn(metaData, name) ? metaData[name] : undefined;
