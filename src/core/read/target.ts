// Where the admitted requests of an API go: an absolute http URL, whose path stands before theirs.
import type { Target } from "../config.ts";
import { has, isObject, member, noteAt, show, type Place } from "./place.ts";
import { textIn } from "./values.ts";

const HOST = String.raw`(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)`;
const ORIGIN = new RegExp(`^(https?)://(${HOST})(?::([0-9]{1,5}))?(/[^]*)?$`, "i");
/** What may stand in a request target as it is. */
const PATH = /^(?:[A-Za-z0-9/.\-_~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;
const MOST = 65_535;

/** Null where the member is absent, empty or, with a fault, no address that requests can go to. */
export function targetIn(place: Place, name: string): Target | null {
  const text = textIn(place, name);
  if (text === null) return null;
  const target = targetOf(text);
  if (typeof target !== "string") return target;
  // A password that stands there by mistake is not for the eyes of whoever reads the message.
  const message = `${name} ${text.includes("@") ? "is an address" : `is ${show(text)},`} ${target}`;
  noteAt(place, name, "CFG-TARGET", message, "write a URL such as http://127.0.0.1:8080/base");
  return null;
}

/**
 * The first server of an OAS document stands in for an upstream that is not named. One that is not absolute
 * says where the document lies, and nothing of an upstream.
 */
export function targetInServers(document: Place): Target | null {
  const servers = member(document, "servers");
  const [first] = Array.isArray(servers) ? (servers as readonly unknown[]) : [];
  const url = isObject(first) ? first["url"] : null;
  const target = typeof url === "string" ? targetOf(url) : null;
  return typeof target === "string" ? null : target;
}

/** The target, or what keeps the text from being one. */
export function targetOf(text: string): Target | string {
  if (/[?#]/.test(text))
    return "which holds a query or a fragment, and those come with each request";
  if (/^[a-z]+:\/\/[^/]*@/i.test(text))
    return "which holds a user name: the gateway has none to give";
  const [, scheme, host, port, path = ""] = ORIGIN.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return "which is no http or https URL";
  if (port !== undefined && (Number(port) < 1 || Number(port) > MOST))
    return "whose port does not exist";
  if (!PATH.test(path)) return "whose path holds characters that have to be percent-encoded";
  const origin = `${scheme}://${host}${port === undefined ? "" : `:${Number(port)}`}`.toLowerCase();
  return { origin, path: path.replace(/\/+$/, "") };
}

/** The target from the place that a definition has for it, or the short `target` beside it. */
export function targetFrom(
  own: readonly [Place | null, string],
  beside: Place | null,
): Target | null {
  const [place, name] = own;
  const target = place === null ? null : targetIn(place, name);
  if (beside === null || !has(beside, "target")) return target;
  if (target !== null)
    noteAt(
      beside,
      "target",
      "CFG-CONFLICT",
      `target says again what ${name} says`,
      "keep one of them",
    );
  return targetIn(beside, "target");
}
