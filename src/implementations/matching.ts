// The requests that a limit counts, as regular expressions. Anything but letters, digits, hyphens and slashes of a path or
// a credential is written by its number, so that any configuration file can hold them.
import { SECOND } from "../core/units.ts";
import { describeLimit } from "./translation.ts";
import type { WantedEndpoint, WantedLimit, WantedPlace } from "./wanted.ts";

export const ANY_METHOD = "[A-Z]+";

/** One place of a limit, in parts that PCRE and RE2 read alike. */
export interface PlaceMatch {
  readonly client: string | null; // the whole credential; null: every client
  readonly method: string;
  readonly path: string; // without its query
  readonly except: readonly { readonly method: string | null; readonly path: string }[];
}

export const placesOf = ({ places }: WantedLimit): readonly PlaceMatch[] => places.map(placeOf);

const placeOf = ({ path, below, endpoint, except, credentials }: WantedPlace): PlaceMatch => ({
  client: credentials.length === 0 ? null : credentials.map(escape).join("|"),
  method: endpoint === null ? ANY_METHOD : escape(endpoint.method),
  path: endpoint === null ? underPath(path) : pathOf(path, endpoint),
  except: [
    ...below.map((other) => ({ method: null, path: underPath(other) })),
    ...except.map((entry) => ({ method: escape(entry.method), path: pathOf(path, entry) })),
  ],
});

/** For PCRE, of "CREDENTIAL METHOD /path": matches exactly the requests that the limit counts. */
export function requestPattern(limit: WantedLimit): string {
  const places = placesOf(limit).map(({ client, method, path, except }) => {
    const not = except.map((entry) => `${entry.method ?? ANY_METHOD} ${entry.path}`);
    const lookAhead = not.length === 0 ? "" : `(?!(?:${not.join("|")})$)`;
    return `${client === null ? ".*" : `(?:${client})`} ${lookAhead}${method} ${path}`;
  });
  return `^(?:${places.join("|")})$`;
}

/** Anything else by its number: no reader of a configuration takes it for something else. */
export const escape = (text: string): string =>
  text.replaceAll(
    /[^\w/-]/g,
    (letter) => `\\x${letter.codePointAt(0)!.toString(16).padStart(2, "0")}`,
  );

const underPath = (path: string): string =>
  path === "/" ? "/[^ ]*" : `${escape(path)}(?:/[^ ]*)?`;

function pathOf(listenPath: string, { pieces, isOfRoot }: WantedEndpoint): string {
  const base = listenPath === "/" ? "" : escape(listenPath);
  const within = pieces.map(escape).join("[^ ]*");
  return isOfRoot && base !== "" ? `${base}(?:${within})?` : `${base}${within}`;
}

/** For limits that are whole numbers in a configuration. */
export const requireWhole = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  limits
    .filter(({ rate }) => !Number.isInteger(rate) || rate < 1)
    .map((limit) => `${name} counts to integers from 1: ${describeLimit(limit)}`);

export const secondsOf = ({ perUs }: WantedLimit): number => perUs / SECOND;

/** For periods that are whole seconds in a configuration. */
export const requireSeconds = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  limits
    .filter((limit) => !Number.isInteger(secondsOf(limit)))
    .map((limit) => `${name} has periods of whole seconds: ${describeLimit(limit)}`);

const NON_ASCII = /[^\x21-\x7e]/;

/** Credentials that a configuration could not hold. */
export const requirePlain = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  [...new Set(limits.flatMap(({ places }) => places.flatMap(({ credentials }) => credentials)))]
    .filter((credential) => NON_ASCII.test(credential))
    .map(
      (credential) =>
        `${name} matches credentials of printable ASCII: ${JSON.stringify(credential)} is not`,
    );
