// EPT-C1 and EPT-C7 by hand: a path is put into its one spelling, then held against a pattern piece by
// piece, trying every way in which a wildcard could stretch.
import { patternOf } from "./reader-apis.ts";
import type { ApiDefinition, EndpointLimit, GatewayOptions, Pattern } from "./configured.ts";

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** Null for a path that is answered 400. */
export function normalised(sent: string): string | null {
  const path = sent.replace(/[?#].*/s, "");
  if (/%2f|%5c|%00|\\|\0/i.test(path)) return null;
  if (/%(?![0-9a-f]{2})/i.test(path)) return null; // no two parsers agree on a broken escape
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
  const segments = decoded.split("/").filter((segment) => segment !== "");
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = decoded.endsWith("/") || last === "." || last === "..";
  return `/${kept.join("/")}${isFolder && kept.length > 0 ? "/" : ""}`;
}

/** The path that finds the API, and that is forwarded. Null for one that is answered 400. */
export const routed = (sent: string, { normalizePath }: GatewayOptions): string | null =>
  normalizePath ? normalised(sent) : sent.replace(/\?.*/s, "");

/** Below the listen path: what endpoint entries are held against (EPT-C7). Null where the text does not say what that is. */
export function spellings(
  sent: string,
  path: string,
  api: ApiDefinition,
  options: GatewayOptions,
): readonly string[] | null {
  const { pathParameters, trailingSlash } = options.sameness;
  const below = pathParameters
    ? bareBelow(sent, path, api, options)
    : withoutListenPath(path, api.listenPath);
  if (below === null || !trailingSlash || below === "/") return below === null ? null : [below];
  return [below, below.endsWith("/") ? below.slice(0, -1) : `${below}/`];
}

/**
 * Parameters go before dot segments are resolved: /fast/..;x/slow is /slow. That may lead out of the listen path, and then
 * nothing says whether the rest is read with that path before it or without: it is only known where both come to the same.
 */
function bareBelow(
  sent: string,
  path: string,
  { listenPath }: ApiDefinition,
  options: GatewayOptions,
): string | null {
  const bare = (text: string): string => routed(bared(text, options.sameness), options) ?? text;
  const whole = bare(sent.replace(/\?.*/s, ""));
  const bareListen = bare(listenPath);
  if (isUnder(whole, bareListen)) return withoutListenPath(whole, bareListen);
  return bare(withoutListenPath(path, listenPath)) === whole ? whole : null;
}

/** Without the parameters of its segments, where these make no difference. */
const bared = (path: string, { pathParameters }: GatewayOptions["sameness"]): string =>
  pathParameters ? path.replaceAll(/;[^/]*/g, "") : path;

/** The API with the longest listen path that the path lies under. */
export function apiFor(path: string, apis: Iterable<ApiDefinition>): ApiDefinition | null {
  let found: ApiDefinition | null = null;
  for (const api of apis) {
    if (
      api.active &&
      isUnder(path, api.listenPath) &&
      api.listenPath.length > (found?.listenPath.length ?? 0)
    )
      found = api;
  }
  return found;
}

const isUnder = (path: string, listenPath: string): boolean =>
  listenPath === "/" || path === listenPath || path.startsWith(`${listenPath}/`);

export function withoutListenPath(path: string, listenPath: string): string {
  const rest = listenPath === "/" ? path : path.slice(listenPath.length);
  return rest === "" ? "/" : rest;
}

/** The first entry that speaks of this method and path (EPT-3, EPT-6: the order is the configuration's). */
export function endpointFor(
  entries: readonly EndpointLimit[],
  method: string,
  paths: readonly string[],
  options: GatewayOptions,
): EndpointLimit | null {
  const { sameness } = options;
  const asked = verb(method.toUpperCase(), sameness);
  const found = entries.find(
    (entry) =>
      verb(entry.method, sameness) === asked &&
      paths.some((path) => matches(patternOf(written(entry, options)), cased(path, sameness))),
  );
  return found ?? null;
}

type Sameness = GatewayOptions["sameness"];

const verb = (name: string, { head }: Sameness): string => (head && name === "HEAD" ? "GET" : name);

const cased = (text: string, { letterCase }: Sameness): string =>
  letterCase ? inSmallLetters(text) : text;

const written = (
  { pattern: { text } }: EndpointLimit,
  { normalizePath, sameness }: GatewayOptions,
): string => cased(bared(normalizePath ? inCapitals(text) : text, sameness), sameness);

/** The same for entries that name the same requests (EPT-C7). */
export function spelt(entry: EndpointLimit, options: GatewayOptions): string {
  const { sameness } = options;
  const path = patternOf(written(entry, options)).pieces.join("*"); // whatever a parameter is called
  const shortened = sameness.trailingSlash && path !== "/" ? path.replace(/\/$/, "") : path;
  return `${verb(entry.method, sameness)} ${shortened}`;
}

const inSmallLetters = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The hex digits of an escape. */
const inCapitals = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());

export const matches = ({ pieces }: Pattern, path: string): boolean => {
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
