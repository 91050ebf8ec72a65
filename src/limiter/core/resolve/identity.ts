// The identity of a request for its budgets: its key, the values that a `rate_limit_pattern` reads from the key's
// metadata (LIM-11, LIM-12, LIM-14, LIM-C8), or its origin (LIM-C17). Each of these has its own prefix, so that no
// client can choose a header or an address that equals another client's identity.
import { formatAddress, networkOf, parseAddress } from "../address.ts";
import type { Sender } from "../client.ts";
import type { KeyBy, MetaData } from "../config.ts";
import { sha256 } from "../sha256.ts";

/** A part of a pattern that reads a field of the metadata. */
export const META_REFERENCE = /^\$gw_meta\.([^$|]+)$/;

export const keyIdentity = (keyId: string): string => `key:${keyId}`;

/** The identity by the origin of a request; null: by the credential. If the header is missing, the address is used. */
export function senderIdentity(keyBy: KeyBy, sender: Sender, ipv6Prefix: number): string | null {
  if (keyBy === "credential") return null;
  const value = keyBy === "ip" ? null : sender.header(keyBy.header);
  if (keyBy !== "ip" && value !== null && value !== "")
    return `header:${keyBy.header}:${shorten(value)}`;
  return `ip:${addressIdentity(sender.address, ipv6Prefix)}`;
}

/** An IPv6 client is identified by its network, because it may use every address of that network. */
function addressIdentity(address: string, ipv6Prefix: number): string {
  const bytes = parseAddress(address);
  if (bytes === null) return shorten(address);
  if (bytes.length === 4) return formatAddress(bytes);
  const network = formatAddress(networkOf(bytes, ipv6Prefix));
  return ipv6Prefix === 128 ? network : `${network}/${ipv6Prefix}`;
}

const LONGEST_VALUE = 64;

/** Replaces a longer value by `sha256-` and its hash: 71 characters, more than any value that stays unchanged. */
const shorten = (value: string): string =>
  value.length <= LONGEST_VALUE ? value : `sha256-${sha256(value)}`;

/** The most characters of a pattern's values and bars: a long value, repeated, could make an identity of megabytes. */
const LONGEST_OF_PATTERN = 4_096;

/** The identity by the key's pattern; null: there is no usable pattern, so the credential identifies the request. */
export function patternIdentity(metaData: MetaData): string | null {
  const pattern = ownField(metaData, "rate_limit_pattern");
  if (typeof pattern !== "string") return null;
  const parts: string[] = [];
  let letters = -1; // a pattern has one bar fewer than parts
  for (const part of pattern.split("|")) {
    const value = partValue(part, metaData);
    if (value === null) return null;
    letters += value.length + 1;
    if (letters > LONGEST_OF_PATTERN) return null;
    parts.push(value);
  }
  // JSON keeps the parts distinct, and no identity of a key can equal the identity of a pattern.
  return parts.join("") === "" ? null : `pattern:${JSON.stringify(parts)}`;
}

/** The value of one part; null if a referenced value is missing, or the part is invalid. */
function partValue(part: string, metaData: MetaData): string | null {
  const reference = META_REFERENCE.exec(part)?.[1];
  if (reference === undefined) return part.includes("$") ? null : part;
  const value = ownField(metaData, reference);
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const ownField = (metaData: MetaData, name: string): unknown =>
  Object.hasOwn(metaData, name) ? metaData[name] : undefined;
