// Lists of endpoint limits: the classic and short entries of an API (EPT-3, EPT-C2) and the endpoints of
// an access right (EPT-C5).
import type { EndpointLimit, GatewayOptions, OmittedLimit, PathPattern } from "../core/config.ts";
import type { Path } from "../../kit/reading/problems.ts";
import type { Matching } from "../core/resolve/endpoint.ts";
import { nameOfEntry } from "../core/resolve/same-entry.ts";
import { readLimit } from "./limit.ts";
import { ENDPOINT_ENTRY, GLOBAL_RATE_LIMIT } from "./api-members.ts";
import { ACCESS_ENDPOINT, ACCESS_METHOD, ACCESS_METHOD_LIMIT } from "./members.ts";
import { compilePattern } from "./pattern.ts";
import {
  at,
  member,
  nearestName,
  note,
  noteAt,
  open,
  openMember,
  show,
  type Findings,
  type PlacedObject,
} from "./place.ts";
import { booleanIn, listIn, requireText } from "./values.ts";
import type { Limit } from "../core/limit.ts";

/** A limit with its path in the file, for messages about duplicates. */
export interface PlacedLimit {
  readonly limit: EndpointLimit;
  readonly path: Path;
}

/** Entries of `extended_paths.rate_limit` or `endpoints`, in array order; disabled and 0/0 ones are left out. */
export function readEntries(
  place: PlacedObject,
  name: string,
  leftOut: OmittedLimit[],
): readonly PlacedLimit[] {
  return listIn(place, name).flatMap((item, index) => {
    const entry = open(item, [...at(place, name), index], place.findings, ENDPOINT_ENTRY);
    if (entry === null) return [];
    if (
      noteLeftOut(
        entry,
        `${textForMessage(entry, "method")} ${textForMessage(entry, "path")}`,
        leftOut,
      )
    )
      return [];
    const method = methodIn(entry, "method");
    const pattern = patternIn(entry, "path");
    const limit = readLimit(entry, { smoothing: null, per: "world" });
    if (method === null || pattern === null || limit === null) return [];
    return [{ limit: { method, pattern, limit }, path: entry.path }];
  });
}

const textForMessage = (place: PlacedObject, name: string): string => {
  const value = member(place, name);
  return typeof value === "string" ? value : show(value);
};

/** Whether the entry is turned off; its limit then need not be valid. Also notes an entry that is off or 0/0. */
export function noteLeftOut(limit: PlacedObject, where: string, leftOut: OmittedLimit[]): boolean {
  const isOff = !isOn(limit);
  const isZero = member(limit, "rate") === 0 && member(limit, "per") === 0;
  if (isOff || isZero) leftOut.push({ where, why: isOff ? "disabled" : "zero" });
  return isOff;
}

/** EPT-C2: `enabled: false` or `disabled: true` turns an entry off; without both fields it is on. */
export function isOn(place: PlacedObject): boolean {
  const enabled = booleanIn(place, "enabled");
  const disabled = booleanIn(place, "disabled");
  if (typeof enabled === "boolean" && enabled === disabled) {
    const message = `enabled and disabled are both ${String(enabled)}`;
    noteAt(place, "disabled", "CFG-ENABLED-CONTRADICTION", message, "keep one of them");
  }
  return enabled !== false && disabled !== true;
}

export function readAccessEndpoints(
  place: PlacedObject,
  options: GatewayOptions,
): readonly EndpointLimit[] {
  const found = listIn(place, "endpoints").flatMap((item, index): readonly PlacedLimit[] => {
    const entry = open(item, [...at(place, "endpoints"), index], place.findings, ACCESS_ENDPOINT);
    if (entry === null) return [];
    const pattern = patternIn(entry, "path");
    return listIn(entry, "methods").flatMap((methodItem, methodIndex) => {
      const path = [...at(entry, "methods"), methodIndex];
      const methodPlace = open(methodItem, path, place.findings, ACCESS_METHOD);
      if (methodPlace === null) return [];
      const method = methodIn(methodPlace, "name");
      const limitPlace = openMember(methodPlace, "limit", ACCESS_METHOD_LIMIT);
      const limit =
        limitPlace === null ? null : readLimit(limitPlace, { smoothing: options, per: "world" });
      if (method === null || pattern === null || limit === null) return [];
      return [{ limit: { method, pattern, limit }, path }];
    });
  });
  warnRepeated(place, found, options);
  return found.map(({ limit }) => limit);
}

/** Warns about entries with the same path, because only the first of them applies (EPT-C7). */
export function warnRepeated(
  place: PlacedObject,
  limits: readonly PlacedLimit[],
  matching: Matching,
): void {
  const seen = new Set<string>();
  for (const { limit, path } of limits) {
    const kind = limit.limit.shadow === true ? "shadow" : "enforced";
    const name = `${kind} ${nameOfEntry(limit, matching)}`;
    if (seen.has(name)) {
      const what = `${limit.method} ${show(limit.pattern.text)}`;
      const message = `an earlier entry limits ${what} already, so this one is never reached`;
      note(place.findings.problems, "CFG-ENDPOINT-DUPLICATE", path, message);
    }
    seen.add(name);
  }
}

function patternIn(place: PlacedObject, name: string): PathPattern | null {
  const text = requireText(place, name);
  return text === null ? null : readPattern(place, name, text);
}

/** Compiles a pattern and reports its problem at a field of the object, or at the object itself. */
export function readPattern(
  place: PlacedObject,
  name: string | null,
  text: string,
): PathPattern | null {
  const compiled = compilePattern(text);
  const problem = compiled.fault ?? compiled.warning;
  if (problem !== null) noteAt(place, name, problem.code, problem.message, problem.fix);
  return compiled.pattern;
}

export const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
] as const;

/** How many unusual methods are looked up at most, because that takes time. All registers together list about fifty. */
const MOST_UNUSUAL = 100;

/** The similar usual method; null if there is none, undefined if too many methods were looked up before. */
function usualNameOf(method: string, { methods }: Findings): string | null | undefined {
  const known = methods.get(method);
  if (known !== undefined || methods.size >= MOST_UNUSUAL) return known;
  const similar = nearestName(method, METHODS);
  methods.set(method, similar);
  return similar;
}

const whyNoMethod = (similar: string | null | undefined): string => {
  if (similar === undefined)
    return `is one unusual method too many: at most ${MOST_UNUSUAL} are accepted`;
  return `is not an HTTP method${similar === null ? "" : `; did you mean ${similar}?`}`;
};

/** The method in capitals; null, with an error, if invalid: a misspelt usual method would silently limit nothing. */
function methodIn(place: PlacedObject, name: string): string | null {
  const text = requireText(place, name);
  if (text === null) return null;
  const method = text.toUpperCase();
  if (METHODS.some((known) => known === method)) return method;
  const similar = usualNameOf(method, place.findings);
  if (similar === null && /^[A-Z]+(?:-[A-Z]+)*$/.test(method)) {
    const message = `${show(text)} is none of the usual HTTP methods`;
    noteAt(place, name, "CFG-METHOD-UNUSUAL", message, `those are ${METHODS.join(", ")}`);
    return method;
  }
  noteAt(place, name, "CFG-METHOD", `${show(text)} ${whyNoMethod(similar)}`);
  return null;
}

/** LIM-7: the API-level limit; null if it is absent or, as in an entry, turned off (EPT-C2). */
export function readGlobalRateLimit(place: PlacedObject, leftOut: OmittedLimit[]): Limit | null {
  const limit = openMember(place, "global_rate_limit", GLOBAL_RATE_LIMIT);
  return limit === null || noteLeftOut(limit, "global_rate_limit", leftOut)
    ? null
    : readLimit(limit, { smoothing: null, per: "world" });
}
