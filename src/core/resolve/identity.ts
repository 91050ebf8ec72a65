// Who a request is to its budgets: the key, what a `rate_limit_pattern` makes of its metadata (LIM-11, LIM-12,
// LIM-14, LIM-C8), or where it comes from (LIM-C17). Each kind begins with a word of its own, so that no client can
// choose a header or an address that makes it somebody else.
import { formatAddress, networkOf, parseAddress } from "../address.ts";
import type { Sender } from "../client.ts";
import type { KeyBy, MetaData } from "../config.ts";
import { sha256 } from "../sha256.ts";

/** A part of a pattern that reads a member of the metadata. */
export const META_REFERENCE = /^\$gw_meta\.([^$|]+)$/;

export const keyIdentity = (keyId: string): string => `key:${keyId}`;

/** The identity by where a request comes from; null where the credential counts. Without the header, the address. */
export function senderIdentity(keyBy: KeyBy, sender: Sender, ipv6Prefix: number): string | null {
  if (keyBy === "credential") return null;
  const value = keyBy === "ip" ? null : sender.header(keyBy.header);
  if (keyBy !== "ip" && value !== null && value !== "")
    return `header:${keyBy.header}:${bounded(value)}`;
  return `ip:${addressIdentity(sender.address, ipv6Prefix)}`;
}

/** One client may have all addresses of its IPv6 network, and would have a budget for each. */
function addressIdentity(address: string, ipv6Prefix: number): string {
  const bytes = parseAddress(address);
  if (bytes === null) return bounded(address);
  if (bytes.length === 4) return formatAddress(bytes);
  const network = formatAddress(networkOf(bytes, ipv6Prefix));
  return ipv6Prefix === 128 ? network : `${network}/${ipv6Prefix}`;
}

const LONGEST_VALUE = 64;

/** What a client chooses makes no name longer than this. A hash is longer, so that no value can be one. */
const bounded = (value: string): string =>
  value.length <= LONGEST_VALUE ? value : `sha256-${sha256(value)}`;

/** With its bars. One long value that a pattern names often would make a name of many megabytes. */
const LONGEST_OF_PATTERN = 4_096;

/** The identity under a pattern; null where the credential counts after all. */
export function patternIdentity(metaData: MetaData): string | null {
  const pattern = ownMember(metaData, "rate_limit_pattern");
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
  // As JSON the parts stay apart, and no key's identity can look like a pattern's.
  return parts.join("") === "" ? null : `pattern:${JSON.stringify(parts)}`;
}

/** Null where a referenced value is missing, or the part is no part at all. */
function partValue(part: string, metaData: MetaData): string | null {
  const reference = META_REFERENCE.exec(part)?.[1];
  if (reference === undefined) return part.includes("$") ? null : part;
  const value = ownMember(metaData, reference);
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const ownMember = (metaData: MetaData, name: string): unknown =>
  Object.hasOwn(metaData, name) ? metaData[name] : undefined;
