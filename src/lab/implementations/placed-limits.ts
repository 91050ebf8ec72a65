// The limits of a world at the places where a gateway configures them: an API, one of its endpoints, a key, and the
// access of a key to an API.
import { describeLimit } from "./translation.ts";
import type { WantedEndpoint, WantedLimit, WantedPlace, WantedWorld } from "./wanted.ts";

/** A limit at one of the places where it applies. */
interface PlacedLimit extends WantedPlace {
  readonly limit: WantedLimit;
}

/** An entry of a list of endpoints. An entry without a limit exempts its requests from the limits of later entries. */
interface ListedEndpoint {
  readonly endpoint: WantedEndpoint;
  readonly limit: WantedLimit | null;
}

interface Listed {
  readonly whole: WantedLimit | null; // for requests that match no endpoint
  readonly endpoints: readonly ListedEndpoint[]; // in order: the first match applies
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

export function limitsOfApi(limits: readonly WantedLimit[], path: string): Listed {
  const isHere = (place: WantedPlace): boolean => place.path === path;
  return listOf(placeAll(limits, "api-endpoint", isHere), placeAll(limits, "api", isHere));
}

interface AccessLimits extends Listed {
  readonly isOwn: boolean; // whether `whole` is a limit of this API, not of the key
}

/** Limits of the key level at one API. `client` is the credential of the key. */
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

/** The limit of a key for all of its APIs together. */
export const limitOfKey = (limits: readonly WantedLimit[], client: string): WantedLimit | null =>
  limitsOfKey(limits, client)[0] ?? null;

/** Requires one limit per key: several limits of a key need policies with separate budgets. */
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

/** Restores the order of endpoints: the exceptions of an entry are the earlier entries; those of `whole` are all. */
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
