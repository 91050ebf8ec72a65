// EPT-C1 and EPT-C7 computed naively: a path is normalized, and then compared with a pattern piece by piece, trying
// every length of each wildcard.
import { patternOf } from "./reader-apis.ts";
import type {
  OracleApi,
  OracleEndpointLimit,
  OracleOptions,
  OraclePathPattern,
} from "./configured.ts";

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** The normalized path; null if the path is rejected with 400. */
export function normalize(sent: string): string | null {
  const path = sent.replace(/[?#].*/s, "");
  if (/%2f|%5c|%00|\\|\0/i.test(path)) return null;
  if (/%(?![0-9a-f]{2})/i.test(path)) return null; // parsers disagree about broken escapes
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

/** The path that selects the API and is sent to the upstream; null if the request is rejected with 400. */
export const routePath = (sent: string, { normalizePath }: OracleOptions): string | null =>
  normalizePath ? normalize(sent) : sent.replace(/\?.*/s, "");

/** The paths below the listen path for endpoint entries (EPT-C7). Null if the specification does not determine them. */
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
 * The path below the listen path, with parameters removed and then dot segments resolved: /fast/..;x/slow is /slow. If
 * that leaves the listen path, returns the whole path if the part below the listen path gives the same path, else null.
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

/** Removes the parameters of path segments if `sameness` ignores parameters. */
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

/** The first entry for this method and path, in the order of the configuration (EPT-3, EPT-6). */
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

/** A text that is equal for two entries if both name the same requests (EPT-C7). */
export function spelt(entry: OracleEndpointLimit, options: OracleOptions): string {
  const { sameness } = options;
  const path = patternOf(patternText(entry, options)).pieces.join("*"); // names of parameters do not matter
  const shortened = sameness.trailingSlash && path !== "/" ? path.replace(/\/$/, "") : path;
  return `${verb(entry.method, sameness)} ${shortened}`;
}

const inSmallLetters = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Writes the hex digits of escapes in upper case. */
const inCapitals = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());

export const matches = ({ pieces }: OraclePathPattern, path: string): boolean => {
  const [first = "", ...rest] = pieces;
  return path.startsWith(first) && stretches(rest, path.slice(first.length));
};

/** Whether the path matches `pieces` with a wildcard before each piece; the last piece must end the path. */
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
