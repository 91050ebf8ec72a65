// Who asks, and for what: everything that is answered before any limit is looked at (LIM-C1, MGT-C9).
import type { ApiDefinition, Configuration, Key } from "./configured.ts";
import { merge, type Grant, type Merged } from "./merge.ts";
import { apiFor, routed, spellings } from "./path.ts";
import type { Presented } from "./world.ts";

export interface Asked extends Presented {
  readonly method: string;
  readonly path: string; // as sent
  readonly unixFromUs: number;
  readonly unixToUs: number;
}

/** Null key, merged and grant: a keyless API. */
export interface Served {
  readonly kind: "served";
  readonly api: ApiDefinition;
  readonly paths: readonly string[]; // below the listen path, every spelling that means the same
  readonly client: { readonly key: Key; readonly merged: Merged; readonly grant: Grant } | null;
}

export type Admission =
  | Served
  | { readonly kind: "refused"; readonly statuses: readonly number[]; readonly why: string }
  | { readonly kind: "open"; readonly why: string };

const refused = (why: string, ...statuses: number[]): Admission => ({
  kind: "refused",
  statuses,
  why,
});

export function admission(asked: Asked, configuration: Configuration): Admission {
  const { options } = configuration;
  if (asked.method === "TRACE") return refused("its answer would hold the credential", 405);
  if (asked.isAmbiguous) return refused("two credentials under one name", 400);
  const path = routed(asked.path, options);
  if (path === null) return refused("the path hides a separator (EPT-C7)", 400);
  const api = apiFor(path, configuration.apis.values());
  if (api === null) return refused("no API listens there", 404);
  const paths = spellings(asked.path, path, api, options);
  if (paths === null)
    return { kind: "open", why: "without its parameters the path leads out of the listen path" };
  if (api.keyless) return { kind: "served", api, paths, client: null };
  if (asked.credential === null) return refused("no credential", 401);
  const key = configuration.keys.get(asked.credential);
  if (key === undefined) return refused("unknown credential", 403);
  return clientOf(key, api, paths, asked, configuration);
}

/** Where several reasons meet, the text does not say which is told. */
function clientOf(
  key: Key,
  api: ApiDefinition,
  paths: readonly string[],
  { unixFromUs, unixToUs }: Asked,
  configuration: Configuration,
): Admission {
  const merged = merge(key, configuration);
  const grant = merged.grantOf(api.id);
  const reasons: [string, number][] = [];
  if (unixFromUs > key.expiresUs) reasons.push(["the key has expired", 401]);
  if (merged.inactive) reasons.push(["the key or a policy of it is inactive", 403]);
  if (merged.lost) reasons.push(["none of the key's policies exists (LIM-C7)", 403]);
  if (merged.isUnenforced || grant?.isUnenforced === true)
    reasons.push(["the key asks for what the gateway does not enforce (MGT-C8)", 403]);
  if (grant === null) reasons.push(["the key has no access to the API", 403]);
  if (reasons.length > 0 || grant === null) {
    return refused(
      reasons.map(([why]) => why).join(", "),
      ...new Set(reasons.map(([, status]) => status)),
    );
  }
  if (unixToUs >= key.expiresUs) return { kind: "open", why: "the key expires about now" };
  return { kind: "served", api, paths, client: { key, merged, grant } };
}
