// EPT-C1 and EPT-C7 by hand: a path gets its one spelling, and is then compared with a pattern piece by piece, with
// every way in which a wildcard could stretch.
import { patternOf } from "./reader-apis.ts";
import type {
  OracleApi,
  OracleEndpointLimit,
  OracleOptions,
  OraclePathPattern,
} from "./configured.ts";

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** Null for a path that is rejected with 400. */
export function normalize(sent: string): string | null {
  const path = sent.replace(/[?#].*/s, "");
  if (/%2f|%5c|%00|\\|\0/i.test(path)) return null;
  if (/%(?![0-9a-f]{2})/i.test(path)) return null; // no two parsers agree on a broken escape
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
  const segments = decoded.split("/").filter((segment) => segment !== "");
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "..") resolved.pop();
    else if (segment !== ".") resolved.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = decoded.endsWith("/") || last === "." || last === "..";
  return `/${resolved.join("/")}${isFolder && resolved.length > 0 ? "/" : ""}`;
}

/** The path that finds the API, and that is forwarded. Null for one that is rejected with 400. */
export const routePath = (sent: string, { normalizePath }: OracleOptions): string | null =>
  normalizePath ? normalize(sent) : sent.replace(/\?.*/s, "");

/** Below the listen path: what endpoint entries are compared with (EPT-C7). Null if the specification leaves it open. */
export function spellings(
  sent: string,
  path: string,
  api: OracleApi,
  options: OracleOptions,
): readonly string[] | null {
  const { pathParameters, trailingSlash } = options.sameness;
  const below = pathParameters
    ? bareBelow(sent, path, api, options)
    : withoutListenPath(path, api.listenPath);
  if (below === null || !trailingSlash || below === "/") return below === null ? null : [below];
  return [below, below.endsWith("/") ? below.slice(0, -1) : `${below}/`];
}

/**
 * Parameters are removed before dot segments are resolved: /fast/..;x/slow is /slow. That may lead out of the listen
 * path, and then it is open whether the rest is read with that path before it: it is known only if both are equal.
 */
function bareBelow(
  sent: string,
  path: string,
  { listenPath }: OracleApi,
  options: OracleOptions,
): string | null {
  const bare = (text: string): string =>
    routePath(removeParameters(text, options.sameness), options) ?? text;
  const whole = bare(sent.replace(/\?.*/s, ""));
  const bareListen = bare(listenPath);
  if (isUnder(whole, bareListen)) return withoutListenPath(whole, bareListen);
  return bare(withoutListenPath(path, listenPath)) === whole ? whole : null;
}

/** Without the parameters of its segments, if these make no difference. */
const removeParameters = (path: string, { pathParameters }: OracleOptions["sameness"]): string =>
  pathParameters ? path.replaceAll(/;[^/]*/g, "") : path;

/** The API with the longest listen path that contains the path. */
export function apiFor(path: string, apis: Iterable<OracleApi>): OracleApi | null {
  let longest: OracleApi | null = null;
  for (const api of apis) {
    if (
      api.active &&
      isUnder(path, api.listenPath) &&
      api.listenPath.length > (longest?.listenPath.length ?? 0)
    )
      longest = api;
  }
  return longest;
}

const isUnder = (path: string, listenPath: string): boolean =>
  listenPath === "/" || path === listenPath || path.startsWith(`${listenPath}/`);

export function withoutListenPath(path: string, listenPath: string): string {
  const rest = listenPath === "/" ? path : path.slice(listenPath.length);
  return rest === "" ? "/" : rest;
}

/** The first entry of this method and path (EPT-3, EPT-6: the order is the configuration's). */
export function endpointFor(
  entries: readonly OracleEndpointLimit[],
  method: string,
  paths: readonly string[],
  options: OracleOptions,
): OracleEndpointLimit | null {
  const { sameness } = options;
  const wantedMethod = verb(method.toUpperCase(), sameness);
  const endpoint = entries.find(
    (entry) =>
      verb(entry.method, sameness) === wantedMethod &&
      paths.some((path) =>
        matches(patternOf(patternText(entry, options)), unifyCase(path, sameness)),
      ),
  );
  return endpoint ?? null;
}

type Sameness = OracleOptions["sameness"];

const verb = (name: string, { head }: Sameness): string => (head && name === "HEAD" ? "GET" : name);

const unifyCase = (text: string, { letterCase }: Sameness): string =>
  letterCase ? inSmallLetters(text) : text;

const patternText = (
  { pattern: { text } }: OracleEndpointLimit,
  { normalizePath, sameness }: OracleOptions,
): string =>
  unifyCase(removeParameters(normalizePath ? inCapitals(text) : text, sameness), sameness);

/** The same for entries that name the same requests (EPT-C7). */
export function spelt(entry: OracleEndpointLimit, options: OracleOptions): string {
  const { sameness } = options;
  const path = patternOf(patternText(entry, options)).pieces.join("*"); // whatever a parameter is called
  const shortened = sameness.trailingSlash && path !== "/" ? path.replace(/\/$/, "") : path;
  return `${verb(entry.method, sameness)} ${shortened}`;
}

const inSmallLetters = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The hex digits of an escape. */
const inCapitals = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());

export const matches = ({ pieces }: OraclePathPattern, path: string): boolean => {
  const [first = "", ...rest] = pieces;
  return path.startsWith(first) && stretches(rest, path.slice(first.length));
};

/** Each of `pieces` has a wildcard in front of it; the last one must reach the end. */
function stretches(pieces: readonly string[], path: string): boolean {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return path === "";
  if (rest.length === 0) return path.endsWith(piece);
  for (let skipped = 0; skipped <= path.length; skipped++) {
    if (path.startsWith(piece, skipped) && stretches(rest, path.slice(skipped + piece.length)))
      return true;
  }
  return false;
}
