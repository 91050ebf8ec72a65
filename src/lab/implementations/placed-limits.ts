// The limits of a world where a gateway writes them: at an API, at one of its endpoints, at a key, and in the access of a
// key to an API.
import { describeLimit } from "./translation.ts";
import type { WantedEndpoint, WantedLimit, WantedPlace, WantedWorld } from "./wanted.ts";

/** A limit at one of its places. */
interface PlacedLimit extends WantedPlace {
  readonly limit: WantedLimit;
}

/** An entry of a list of endpoints; without a limit it takes its requests out of the limits after it. */
interface ListedEndpoint {
  readonly endpoint: WantedEndpoint;
  readonly limit: WantedLimit | null;
}

interface Listed {
  readonly whole: WantedLimit | null; // of what matches no endpoint
  readonly endpoints: readonly ListedEndpoint[]; // in their order: the first that matches counts
}

function placeAll(
  limits: readonly WantedLimit[],
  scope: WantedLimit["scope"],
  isPlace: (place: WantedPlace) => boolean,
): readonly PlacedLimit[] {
  return limits
    .filter((limit) => limit.scope === scope)
    .flatMap((limit) => limit.places.filter(isPlace).map((place) => ({ ...place, limit })));
}

/** The API level. */
export function limitsOfApi(limits: readonly WantedLimit[], path: string): Listed {
  const isHere = (place: WantedPlace): boolean => place.path === path;
  return listOf(placeAll(limits, "api-endpoint", isHere), placeAll(limits, "api", isHere));
}

interface AccessLimits extends Listed {
  readonly isOwn: boolean; // its whole limit is of this API alone, and not that of the key
}

/** The key level at one API; a client is the credential of its key. */
export function limitsOfAccess(
  limits: readonly WantedLimit[],
  client: string,
  path: string,
): AccessLimits {
  const isHere = (place: WantedPlace): boolean =>
    place.path === path && place.credentials.includes(client);
  const own = placeAll(limits, "key-api", isHere);
  const ofKey = placeAll(limits, "key", isHere);
  const listed = listOf(placeAll(limits, "key-endpoint", isHere), [...own, ...ofKey]);
  return { ...listed, isOwn: own.length > 0 };
}

/** Of a key at all of its APIs together. */
export const limitOfKey = (limits: readonly WantedLimit[], client: string): WantedLimit | null =>
  limitsOfKey(limits, client)[0] ?? null;

/** For keys without policies: only policies with budgets apart give a key several limits. */
export const requireOneOfKey = (
  name: string,
  { credentials, limits }: WantedWorld,
): readonly string[] =>
  credentials
    .map((client) => ({ client, own: limitsOfKey(limits, client) }))
    .filter(({ own }) => own.length > 1)
    .map(
      ({ client, own }) =>
        `a key of ${name} without policies has one limit, and ${JSON.stringify(client)} has ${own.map(describeLimit).join(" and ")}`,
    );

const limitsOfKey = (limits: readonly WantedLimit[], client: string): readonly WantedLimit[] =>
  limits.filter(
    ({ scope, places }) =>
      scope === "key" && places.some(({ credentials }) => credentials.includes(client)),
  );

/** Each entry names those before it, and the whole limit names all of them. */
function listOf(listed: readonly PlacedLimit[], whole: readonly PlacedLimit[]): Listed {
  const orders = [
    ...listed.map(({ except, endpoint }) => [...except, endpoint!]),
    ...whole.map(({ except }) => except),
  ];
  const longest = orders.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return {
    whole: whole[0]?.limit ?? null,
    endpoints: longest.map((endpoint, index) => ({
      endpoint,
      limit: listed.find(({ except }) => except.length === index)?.limit ?? null,
    })),
  };
}
