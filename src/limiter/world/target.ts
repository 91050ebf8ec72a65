// The upstream of an API: an absolute http URL. Its path is put before the path of each request.
import type { Target, WeightedTarget } from "../core/config.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { WEIGHTED_TARGET } from "./api-members.ts";
import { at, has, isObject, member, noteAt, open, show, type PlacedObject } from "./place.ts";
import { numberThat, orElse, textIn } from "./values.ts";

const HOST = String.raw`(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)`;
const ORIGIN = new RegExp(`^(https?)://(${HOST})(?::([0-9]{1,5}))?(/[^]*)?$`, "i");
/** A path that is valid in a request target: allowed characters and percent escapes. */
const PATH = /^(?:[A-Za-z0-9/.\-_~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;
const MOST = 65_535;

/** The upstream of a definition. If it has several, `targets` has all with their weights, and `target` is the first. */
interface Targets {
  readonly target: Target | null;
  readonly targets?: readonly WeightedTarget[];
}

/** The upstreams of a field: none if it is absent or empty. An invalid field is reported and has none. */
export function targetsIn(place: PlacedObject, name: string): Targets {
  const value = member(place, name);
  if (!Array.isArray(value)) return { target: targetIn(place, name) };
  const list = value as readonly unknown[];
  if (list.length === 0 || list.length > MOST_TARGETS) {
    const message = `${name} is a list of ${list.length} upstreams, and 1 to ${MOST_TARGETS} are possible`;
    noteAt(place, name, "CFG-VALUE", message);
    return { target: null };
  }
  const targets = list.flatMap((item, index): readonly WeightedTarget[] => {
    const path = [...at(place, name), index];
    const url = isObject(item) ? item : { url: item };
    const inside = open(url, path, place.findings, WEIGHTED_TARGET);
    if (inside === null) return [];
    const target = has(inside, "url") ? targetIn(inside, "url") : null;
    if (!has(inside, "url")) noteAt(inside, null, "CFG-REQUIRED", "url is missing", "add url");
    const must = `an integer from 1 to ${MOST_WEIGHT}`;
    const isWeight = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= MOST_WEIGHT;
    const weight = orElse(numberThat(inside, "weight", must, isWeight), 1);
    return target === null ? [] : [{ target, weight }];
  });
  const [first, ...rest] = targets;
  const again = rest.find(({ target: { origin, path } }, i) =>
    targets.slice(0, i + 1).some((one) => one.target.origin === origin && one.target.path === path),
  );
  if (again !== undefined) {
    const message = `${name} has ${again.target.origin}${again.target.path} twice`;
    noteAt(place, name, "CFG-VALUE", message, "keep one of them, and give it a weight");
  }
  return { target: first?.target ?? null, ...(rest.length > 0 && { targets }) };
}

const MOST_TARGETS = 64;
const MOST_WEIGHT = 1_000;

function targetIn(place: PlacedObject, name: string): Target | null {
  const text = textIn(place, name);
  if (text === null) return null;
  const target = targetOf(text);
  if (!isFailure(target)) return target;
  // The value is not shown if it may contain a password.
  const message = `${name} ${text.includes("@") ? "is an address" : `is ${show(text)},`} ${target.message}`;
  noteAt(place, name, "CFG-TARGET", message, "write a URL such as http://127.0.0.1:8080/base");
  return null;
}

/** The own upstream, or else the first server of the OAS document. A relative server URL names no upstream. */
export const orServers = (own: Targets, document: PlacedObject): Targets =>
  own.target === null ? { target: targetInServers(document) } : own;

function targetInServers(document: PlacedObject): Target | null {
  const servers = member(document, "servers");
  const [first] = Array.isArray(servers) ? (servers as readonly unknown[]) : [];
  const url = isObject(first) ? first["url"] : null;
  const target = typeof url === "string" ? targetOf(url) : null;
  return isFailure(target) ? null : target;
}

/** The message of a failure is a clause that continues a sentence about the URL. */
export function targetOf(text: string): Target | Failure {
  if (/[?#]/.test(text))
    return new Failure("which holds a query or a fragment, but each request has its own query");
  if (/^[a-z]+:\/\/[^/]*@/i.test(text))
    return new Failure("which contains a user name, but the gateway sends none");
  const [, scheme, host, port, path = ""] = ORIGIN.exec(text) ?? [];
  if (scheme === undefined || host === undefined)
    return new Failure("which is no http or https URL");
  if (port !== undefined && (Number(port) < 1 || Number(port) > MOST))
    return new Failure("whose port does not exist");
  if (!PATH.test(path))
    return new Failure("whose path holds characters that have to be percent-encoded");
  const origin = `${scheme}://${host}${port === undefined ? "" : `:${Number(port)}`}`.toLowerCase();
  return { origin, path: withoutSlashesAtEnd(path) };
}

/** A loop, because a regular expression would take quadratic time for a long row of slashes. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path.endsWith("/", end)) end--;
  return path.slice(0, end);
}

/** The target from the field of the definition, or the short `target` of its wrapper. */
export function targetFrom(
  own: readonly [PlacedObject | null, string],
  wrapper: PlacedObject | null,
): Targets {
  const [place, name] = own;
  const target = place === null ? null : targetIn(place, name);
  if (wrapper === null || !has(wrapper, "target")) return { target };
  if (target !== null)
    noteAt(
      wrapper,
      "target",
      "CFG-CONFLICT",
      `target and ${name} both set the upstream`,
      "keep one of them",
    );
  return targetsIn(wrapper, "target");
}
