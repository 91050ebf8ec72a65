// Regular expressions for the requests that a limit counts. Characters of a path or credential other than letters,
// digits, hyphens and slashes are written as hex escapes, so that they are safe in any configuration file.
import { isOfApi } from "../../limiter/core/budget.ts";
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import { describeLimit, levelOf } from "./translation.ts";
import {
  isBelow,
  type WantedEndpoint,
  type WantedLimit,
  type WantedPlace,
  type WantedWorld,
} from "./wanted.ts";

/** Method names have letters, digits and signs, as in M-SEARCH. A slash belongs to the path. */
export const ANY_METHOD = "[^ /]+";

/** A decoded path can have any character, including a space and a newline. */
const ANY_TEXT = "[\\s\\S]*";

/** One place of a limit, in parts that mean the same in PCRE and RE2. */
export interface PlaceMatch {
  readonly client: string | null; // pattern of the whole credential; null: every client
  readonly method: string;
  readonly path: string; // without the query
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

/** PCRE patterns for "CREDENTIAL METHOD /path". Each is short, because configurations limit the length of a line. */
export interface RequestPatterns {
  readonly counted: readonly string[];
  /** All other requests of the world. Requests in neither list count too; null: they do not count. */
  readonly others: readonly string[] | null;
}

/** Null if the limit counts every request. */
export function patternsOf(limit: WantedLimit, world: WantedWorld): RequestPatterns | null {
  if (isOfEverything(limit, world)) return null;
  const others = placesOfWorld(limit, world)?.map((place) => patternOf(place, ANY_PLAIN_CLIENT));
  const counted = placesOf(limit).map((place) => patternOf(place, ".*"));
  return { counted, others: others ?? null };
}

/** Stops at the first " /", because a decoded path may end in text that looks like another request. */
const ANY_PLAIN_CLIENT = "(?:(?! /).)*";

/**
 * All places where the world has requests: every API as a whole, with the credentials of the keys if it needs a key.
 * Only the first limit of each level counts requests outside all places. Null for every other limit.
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

/** The limits of a world if each one is of every request, for each address or for all; none of any other world. */
export const plainLimits = (world: WantedWorld): readonly WantedLimit[] =>
  world.limits.every(
    (limit) => isOfEverything(limit, world) && (limit.isForAll || limit.by === "ip"),
  )
    ? world.limits
    : [];

/** The limit of a world that has one such limit; null for any other world. */
export function onlyLimit(world: WantedWorld): WantedLimit | null {
  const [limit, ...others] = plainLimits(world);
  return limit === undefined || others.length > 0 ? null : limit;
}

/** The words of a comment that states one of `plainLimits`: "150 requests per 60s of each address". */
export const limitWords = ({ rate, perUs, isForAll }: WantedLimit): string =>
  `${rate} requests per ${formatDuration(micros(perUs))} of ${isForAll ? "all clients together" : "each address"}`;

/** Whether the limit counts the whole of each API, for every client. */
const isOfEverything = ({ places }: WantedLimit, { apis }: WantedWorld): boolean =>
  apis.every((api) =>
    places.some(
      ({ path, endpoint, except, credentials }) =>
        path === api.path && endpoint === null && except.length === 0 && credentials.length === 0,
    ),
  );

/** Ends with `\\z`, because `$` also matches before a final newline. */
function patternOf(place: PlaceMatch, anyClient: string): string {
  const { client, method, path, except } = place;
  const not = except.map((entry) => `${entry.method ?? ANY_METHOD} ${entry.path}`);
  const lookAhead = not.length === 0 ? "" : `(?!(?:${not.join("|")})\\z)`;
  return `^${client === null ? anyClient : `(?:${client})`} ${lookAhead}${method} ${path}\\z`;
}

/** Writes all but letters, digits, `_`, `/` and `-` as hex escapes, which no configuration parser misreads. */
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

/** A sentence for each limit that is not an integer, for configurations that have only integers. */
export const requireWhole = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  limits
    .filter(({ rate }) => !Number.isInteger(rate) || rate < 1)
    .map((limit) => `${name} has only limits of integers from 1: ${describeLimit(limit)}`);

export const secondsOf = ({ perUs }: WantedLimit): number => perUs / SECOND;

/** A sentence for each limit whose period is not in whole seconds, for configurations that have only these. */
export const requireSeconds = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  limits
    .filter((limit) => !Number.isInteger(secondsOf(limit)))
    .map((limit) => `${name} has periods of whole seconds: ${describeLimit(limit)}`);

const NON_ASCII = /[^\x21-\x7e]/;

/** Reports credentials that a configuration cannot contain. */
export const requirePlain = (name: string, limits: readonly WantedLimit[]): readonly string[] =>
  [...new Set(limits.flatMap(({ places }) => places.flatMap(({ credentials }) => credentials)))]
    .filter((credential) => NON_ASCII.test(credential))
    .map(
      (credential) =>
        `${name} matches credentials of printable ASCII: ${JSON.stringify(credential)} is not`,
    );
