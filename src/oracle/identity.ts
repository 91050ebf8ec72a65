// LIM-C8, LIM-C17: whose budget a count is. Each kind of identity is another kind of text, so none can be mistaken for another.
import type { KeyBy, MetaData } from "./configured.ts";
import type { Json } from "../reading/shape.ts";
import { of, textIn } from "./text.ts";

/** What a request shows besides its credential. */
export interface Shown {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Identity {
  readonly text: string;
  readonly name: string | null; // as refusals and resets call it; null: not told by hand
  readonly isShared: boolean; // by whoever shows the same
}

export const ofCredential = (keyId: string): Identity => ({
  text: `key ${keyId}`,
  name: `key:${keyId}`,
  isShared: false,
});

/** The letters of an evaluated pattern, its bars included. Beyond it the credential counts. */
const ROOM = 4_096;

/** The pattern of a credential's metadata; null where it has none that can be evaluated. */
export function ofPattern(metaData: MetaData): Identity | null {
  const pattern = textIn(of(metaData, "rate_limit_pattern"));
  if (pattern === null) return null;
  const values: string[] = [];
  for (const part of pattern.split("|")) {
    const name = part.startsWith("$gw_meta.") ? part.slice("$gw_meta.".length) : null;
    const value = name === null ? part : shownAs(of(metaData, name));
    // A part is a name or a plain text; whatever else has a dollar in it is neither.
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

/** A text that is not empty, a number or a boolean is there; anything else is missing. */
function shownAs(value: Json | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  return textIn(value);
}

/** The letters of a header's value that a name contains. Of a longer value it contains a hash. */
const SPELLED = 64;

/** By the address, or by a header and, where that is absent, the address. Null: by the credential. */
export function ofOption(
  by: KeyBy,
  { address, headers }: Shown,
  ipv6Prefix: number,
): Identity | null {
  if (by === "credential") return null;
  if (by !== "ip") {
    const own = Object.entries(headers).find(([name]) => name.toLowerCase() === by.header);
    if (own !== undefined)
      return {
        text: `header ${JSON.stringify(own[1])}`,
        name: own[1].length > SPELLED ? null : `header:${by.header}:${own[1]}`,
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

/** An IPv6 network of so many bits is one client; an IPv4 address is one, mapped or not. */
function networkOf(address: string, bits: number): string {
  const four = MAPPED.exec(address)?.[1];
  if (four !== undefined || !address.includes(":")) return four ?? address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before, behind] = [groups(head), groups(tail ?? "")];
  const gap = tail === undefined ? 0 : 8 - before.length - behind.length;
  const all = [...before, ...Array.from({ length: gap }, () => "0"), ...behind];
  const whole = all.reduce((sum, group) => sum * 0x10000n + BigInt(`0x${group}`), 0n);
  return `${(whole >> BigInt(128 - bits)).toString(16)}/${bits}`;
}
