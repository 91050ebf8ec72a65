// Reads `key_by`, what budgets count by instead of the credential (LIM-C17), and `cost_header`, the header with the
// cost of a request (LIM-C19).
import type { KeyBy } from "../core/config.ts";
import { KEY_BY } from "./api-members.ts";
import { has, isObject, member, noteAt, openMember, show, type PlacedObject } from "./place.ts";
import { requireText, textIn } from "./values.ts";

/** `key_by` of an API or of the gateway options. With a pasted document it may be inside the document or next to it. */
export function keyByIn(places: readonly (PlacedObject | null)[]): { readonly keyBy?: KeyBy } {
  const [place, other] = places.filter((each) => each !== null && has(each, "key_by"));
  if (place == null) return {};
  if (other != null)
    noteAt(other, "key_by", "CFG-CONFLICT", "key_by is given twice", "keep one of them");
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
  const name = headerName(inside, "header", header);
  if (name === null) return null;
  if (SECRET.has(name)) {
    const message = `${show(header)} carries a secret, which would become a part of the names of budgets`;
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

/** The header with the cost of a request, in lower case. Null: each request costs 1. */
export function costHeaderIn(place: PlacedObject): string | null {
  const header = textIn(place, "cost_header");
  const name = header === null ? null : headerName(place, "cost_header", header);
  if (name === null || !SECRET.has(name)) return name;
  const message = `cost_header must not be ${show(header)}, which carries a secret`;
  noteAt(place, "cost_header", "CFG-VALUE", message, "name another header, such as X-Cost");
  return null;
}

function headerName(place: PlacedObject, field: string, header: string): string | null {
  const name = header.toLowerCase();
  if (/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name;
  noteAt(place, field, "CFG-VALUE", `${show(header)} is not the name of a header`);
  return null;
}

/** Headers that budgets must not count by: names of budgets appear in logs, in events and in the store. */
const SECRET: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
]);
