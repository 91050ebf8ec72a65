// The requests that a limit counts, as regular expressions. Anything but letters, digits, hyphens and slashes of a path or
// a credential is written by its number, so that any configuration file can hold them.
import { isOfApi } from "../../limiter/core/budget.ts";
import { SECOND } from "../../kit/units.ts";
import { describeLimit, levelOf } from "./translation.ts";
import {
  isBelow,
  type WantedEndpoint,
  type WantedLimit,
  type WantedPlace,
  type WantedWorld,
} from "./wanted.ts";

/** Names of methods have letters, digits and signs, such as that of M-SEARCH; a slash is of the path. */
export const ANY_METHOD = "[^ /]+";

/** A decoded path has any character, also a space and a newline. */
const ANY_TEXT = "[\\s\\S]*";

/** One place of a limit, in parts that PCRE and RE2 read alike. */
export interface PlaceMatch {
  readonly client: string | null; // the whole credential; null: every client
  readonly method: string;
  readonly path: string; // without its query
  readonly except: readonly { readonly method: string | null; readonly path: string }[];
}

export const placesOf = ({ places }: WantedLimit): readonly PlaceMatch[] =>
  places.flatMap((place) =>
    place.credentials.length === 0
      ? [placeOf(place)]
      : inParts(place.credentials).map((credentials) => placeOf({ ...place, credentials })),
  );

const placeOf = ({ path, below, endpoint, except, credentials }: WantedPlace): PlaceMatch => ({
  client: credentials.length === 0 ? null : credentials.map(escape).join("|"),
  method: endpoint === null ? ANY_METHOD : escape(endpoint.method),
  path: endpoint === null ? underPath(path) : pathOf(path, endpoint),
  except: [
    ...below.map((other) => ({ method: null, path: underPath(other) })),
    ...except.map((entry) => ({ method: escape(entry.method), path: pathOf(path, entry) })),
  ],
});

/** For PCRE, of "CREDENTIAL METHOD /path". Each is short, because configurations have a longest line. */
export interface RequestPatterns {
  readonly counted: readonly string[];
  /** The other requests of the world. One that matches neither has no place, and is counted. Null: by another limit. */
  readonly others: readonly string[] | null;
}

/** Null: the limit counts every request. */
export function patternsOf(limit: WantedLimit, world: WantedWorld): RequestPatterns | null {
  if (isOfEverything(limit, world)) return null;
  const others = placesOfWorld(limit, world)?.map((place) => patternOf(place, ANY_PLAIN_CLIENT));
  const counted = placesOf(limit).map((place) => patternOf(place, ".*"));
  return { counted, others: others ?? null };
}

/** A decoded path may have the name of another request at its end, which would be after the " /" of its own. */
const ANY_PLAIN_CLIENT = "(?:(?! /).)*";

/**
 * Where the world has requests: whole APIs, and those of keys by the credentials of the world. The first limit of each
 * level counts what is of no place. Null: this is another one.
 */
export function placesOfWorld(
  limit: WantedLimit,
  { apis, credentials, limits }: WantedWorld,
): readonly PlaceMatch[] | null {
  if (limit !== limits.find((other) => levelOf(other) === levelOf(limit))) return null;
  const paths = apis.map(({ path }) => path);
  return apis.flatMap(({ path, isKeyless }) => {
    const place = {
      path,
      below: paths.filter((other) => isBelow(other, path)),
      endpoint: null,
      except: [],
    };
    return isOfApi(limit.scope) || isKeyless
      ? [placeOf({ ...place, credentials: [] })]
      : inParts(credentials).map((part) => placeOf({ ...place, credentials: part }));
  });
}

const CREDENTIALS_OF_PATTERN = 50;

const inParts = (credentials: readonly string[]): readonly (readonly string[])[] =>
  Object.values(
    Object.groupBy(credentials, (_, index) => Math.floor(index / CREDENTIALS_OF_PATTERN)),
  ).map((part) => part!);

/** Each API has a place that is the whole of it, for every client. */
const isOfEverything = ({ places }: WantedLimit, { apis }: WantedWorld): boolean =>
  apis.every((api) =>
    places.some(
      ({ path, endpoint, except, credentials }) =>
        path === api.path && endpoint === null && except.length === 0 && credentials.length === 0,
    ),
  );

/** `\\z` and not `$`, which matches before a newline at the end too. */
function patternOf(place: PlaceMatch, anyClient: string): string {
  const { client, method, path, except } = place;
  const not = except.map((entry) => `${entry.method ?? ANY_METHOD} ${entry.path}`);
  const lookAhead = not.length === 0 ? "" : `(?!(?:${not.join("|")})\\z)`;
  return `^${client === null ? anyClient : `(?:${client})`} ${lookAhead}${method} ${path}\\z`;
}

/** Anything else by its number: no reader of a configuration takes it for something else. */
export const escape = (text: string): string =>
  text.replaceAll(
    /[^\w/-]/g,
    (letter) => `\\x${letter.codePointAt(0)!.toString(16).padStart(2, "0")}`,
  );

const underPath = (path: string): string =>
  path === "/" ? `/${ANY_TEXT}` : `${escape(path)}(?:/${ANY_TEXT})?`;

function pathOf(listenPath: string, { pieces, isOfRoot }: WantedEndpoint): string {
  const base = listenPath === "/" ? "" : escape(listenPath);
  const within = pieces.map(escape).join(ANY_TEXT);
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
