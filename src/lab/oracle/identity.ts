// LIM-C8, LIM-C17: the identity that a budget counts by. Each type of identity has its own text form, so that
// identities of two types never coincide.
import type { OracleKeyBy, OracleMetaData } from "./configured.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { of, textIn } from "./text.ts";

/** Properties of a request other than its credential. */
export interface RequestOrigin {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Identity {
  readonly text: string;
  readonly name: string | null; // used in refusals and resets; null if the identity has no name
  readonly isShared: boolean; // whether clients with different credentials can share it
}

export const ofCredential = (keyId: string): Identity => ({
  text: `key ${keyId}`,
  name: `key:${keyId}`,
  isShared: false,
});

/** Maximum characters of an evaluated pattern with separators; if it is longer, the credential is the identity. */
const ROOM = 4_096;

/** The identity from the pattern in a credential's metadata; null if no pattern can be evaluated. */
export function ofPattern(metaData: OracleMetaData): Identity | null {
  const pattern = textIn(of(metaData, "rate_limit_pattern"));
  if (pattern === null) return null;
  const values: string[] = [];
  for (const part of pattern.split("|")) {
    const name = part.startsWith("$gw_meta.") ? part.slice("$gw_meta.".length) : null;
    const value = name === null ? part : metaDataText(of(metaData, name));
    // A part with a dollar that is not a metadata name is invalid.
    if (value === null || (name === null && part.includes("$"))) return null;
    values.push(value);
  }
  return values.join("") === "" || values.join("|").length > ROOM
    ? null
    : {
        text: `pattern ${JSON.stringify(values)}`,
        name: `pattern:${JSON.stringify(values)}`,
        isShared: true,
      };
}

/** A non-empty string, a number or a boolean as text; null for any other value, which is treated as missing. */
function metaDataText(value: Json | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  return textIn(value);
}

/** The most characters of a header value that a name contains. A longer value is replaced by a hash. */
const SPELLED = 64;

/** The identity by header or address; by address if the header is absent. Null: the credential is the identity. */
export function ofOption(
  by: OracleKeyBy,
  { address, headers }: RequestOrigin,
  ipv6Prefix: number,
): Identity | null {
  if (by === "credential") return null;
  if (by !== "ip") {
    const header = Object.entries(headers).find(([name]) => name.toLowerCase() === by.header);
    if (header !== undefined)
      return {
        text: `header ${JSON.stringify(header[1])}`,
        name: header[1].length > SPELLED ? null : `header:${by.header}:${header[1]}`,
        isShared: true,
      };
  }
  const network = networkOf(address, ipv6Prefix);
  return {
    text: `address ${network}`,
    name: network.includes("/") ? null : `ip:${network}`,
    isShared: true,
  };
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The network that is one client: the first `bits` bits of an IPv6 address, or an IPv4 address, mapped or not. */
function networkOf(address: string, bits: number): string {
  const four = MAPPED.exec(address)?.[1];
  if (four !== undefined || !address.includes(":")) return four ?? address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groupsOfAddress = [...before, ...Array.from({ length: gap }, () => "0"), ...after];
  const bitsOfAddress = groupsOfAddress.reduce(
    (sum, group) => sum * 0x10000n + BigInt(`0x${group}`),
    0n,
  );
  return `${(bitsOfAddress >> BigInt(128 - bits)).toString(16)}/${bits}`;
}
