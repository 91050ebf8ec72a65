// The checks of a request before any limit is evaluated: its API, key and access rights (LIM-C1, MGT-C9).
import type { OracleApi, OracleConfiguration, OracleKey, OracleOptions } from "./configured.ts";
import { merge, type OracleGrant, type Merged } from "./merge.ts";
import { apiFor, routePath, spellings } from "./path.ts";
import type { FlowCredential } from "./world.ts";

interface AdmissionRequest extends FlowCredential {
  readonly method: string;
  readonly path: string; // as the client sent it
  readonly headers: Readonly<Record<string, string>>;
  readonly unixFromUs: number;
  readonly unixToUs: number;
}

/** A request that no check rejected. At a keyless API, `client` is null. */
export interface Served {
  readonly kind: "served";
  readonly api: OracleApi;
  readonly paths: readonly string[]; // path below the listen path, in every equivalent spelling
  readonly client: {
    readonly key: OracleKey;
    readonly merged: Merged;
    readonly grant: OracleGrant;
  } | null;
}

export type Admission =
  | Served
  | { readonly kind: "rejected"; readonly statuses: readonly number[]; readonly why: string }
  | { readonly kind: "open"; readonly why: string };

const reject = (why: string, ...statuses: number[]): Admission => ({
  kind: "rejected",
  statuses,
  why,
});

export function resolveAdmission(
  request: AdmissionRequest,
  configuration: OracleConfiguration,
): Admission {
  const { options } = configuration;
  if (request.method === "TRACE") return reject("its answer would hold the credential", 405);
  if (request.isAmbiguous) return reject("two credentials under one name", 400);
  if (costOf(request.headers, options) === null)
    return reject("its cost is not an integer from 1 to 1000 (LIM-C19)", 400);
  const path = routePath(request.path, options);
  if (path === null) return reject("the path hides a separator (EPT-C7)", 400);
  const api = apiFor(path, configuration.apis.values());
  if (api === null) return reject("no API listens there", 404);
  const paths = spellings(request.path, path, api, options);
  if (paths === null)
    return { kind: "open", why: "without its parameters the path leads out of the listen path" };
  if (api.keyless) return { kind: "served", api, paths, client: null };
  if (request.credential === null) return reject("no credential", 401);
  const key = configuration.keys.get(request.credential);
  if (key === undefined) return reject("unknown credential", 403);
  return clientOf(key, api, paths, request, configuration);
}

/** The cost of a request in units (LIM-C19); null if the header has an invalid value. */
export function costOf(
  headers: AdmissionRequest["headers"],
  { costHeader }: Pick<OracleOptions, "costHeader">,
): number | null {
  const stated = Object.entries(headers).filter(([name]) => name.toLowerCase() === costHeader);
  const text = stated.map(([, value]) => value).join(", ");
  if (text === "") return 1;
  const cost = Number(text);
  return /^[0-9]{1,4}$/.test(text) && cost >= 1 && cost <= 1000 ? cost : null;
}

/** If several reasons apply, the specification does not state which one the response names. */
function clientOf(
  key: OracleKey,
  api: OracleApi,
  paths: readonly string[],
  { unixFromUs, unixToUs }: AdmissionRequest,
  configuration: OracleConfiguration,
): Admission {
  const merged = merge(key, configuration);
  const grant = merged.grantOf(api.id);
  const reasons: [string, number][] = [];
  if (unixFromUs > key.expiresUs) reasons.push(["the key has expired", 401]);
  if (merged.inactive) reasons.push(["the key or a policy of it is inactive", 403]);
  if (merged.lost) reasons.push(["none of the key's policies exists (LIM-C7)", 403]);
  if (merged.isUnenforced || grant?.isUnenforced === true)
    reasons.push(["the key has restrictions that the gateway does not enforce (MGT-C8)", 403]);
  if (grant === null) reasons.push(["the key has no access to the API", 403]);
  if (reasons.length > 0 || grant === null) {
    return reject(
      reasons.map(([why]) => why).join(", "),
      ...new Set(reasons.map(([, status]) => status)),
    );
  }
  if (unixToUs >= key.expiresUs) return { kind: "open", why: "the key expires about now" };
  return { kind: "served", api, paths, client: { key, merged, grant } };
}
