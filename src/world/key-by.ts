// The property of a request that its budgets use instead of the credential (LIM-C17), of an API or of the gateway.
import type { KeyBy } from "../core/config.ts";
import { KEY_BY } from "./api-members.ts";
import { has, isObject, member, noteAt, openMember, show, type PlacedObject } from "./place.ts";
import { requireText } from "./values.ts";

/** As a part of the API or the gateway options; with a pasted document it may be inside or next to it. */
export function keyByIn(places: readonly (PlacedObject | null)[]): { readonly keyBy?: KeyBy } {
  const [place, other] = places.filter((each) => each !== null && has(each, "key_by"));
  if (place == null) return {};
  if (other != null)
    noteAt(other, "key_by", "CFG-CONFLICT", "key_by is there twice", "keep one of them");
  const keyBy = readKeyBy(place);
  return keyBy === null ? {} : { keyBy };
}

function readKeyBy(place: PlacedObject): KeyBy | null {
  const value = member(place, "key_by");
  if (value === "credential" || value === "ip") return value;
  const fix = "write credential, ip, or { header: X-Client-Id }";
  if (!isObject(value)) {
    noteAt(
      place,
      "key_by",
      "CFG-VALUE",
      `key_by must be credential, ip or a header; got ${show(value)}`,
      fix,
    );
    return null;
  }
  const inside = openMember(place, "key_by", KEY_BY);
  const header = inside === null ? null : requireText(inside, "header");
  if (inside === null || header === null) return null;
  const name = header.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
    noteAt(inside, "header", "CFG-VALUE", `${show(header)} is not the name of a header`);
    return null;
  }
  if (SECRET.has(name)) {
    const message = `${show(header)} carries a secret, and budgets are named after what key_by reads`;
    noteAt(
      inside,
      "header",
      "CFG-VALUE",
      message,
      "write key_by: credential, or name another header",
    );
    return null;
  }
  return { header: name };
}

/** Names of budgets appear in logs, in events and in the store. */
const SECRET: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
]);
