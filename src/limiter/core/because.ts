// Why a budget applies, as ids of requirements. Each list is one way in which a limit can apply to a request. A suite
// covers a way only if one of its requests has a budget with that list.
export const BECAUSE = {
  apiLimit: ["LIM-7"], // one budget for all clients; a budget for each client has BY_CLIENT alone
  classicEndpoint: ["EPT-1", "EPT-3"],
  oasEndpoint: ["EPT-1", "EPT-4"],
  keyEndpoint: ["EPT-1", "EPT-C5"],
  policies: ["LIM-5", "LIM-C5"],
  keyAlone: ["LIM-13"],
  keyBesidePolicies: ["LIM-13", "LIM-C5"], // the key's own limit: no policy supplies a root limit
  keyAtApi: ["LIM-6"],
  policiesAtApi: ["LIM-6", "LIM-C6"],
  policiesApart: ["LIM-5", "LIM-C6"],
  quota: ["LIM-C9"],
  quotaAtApi: ["LIM-C9", "LIM-6"],
  quotaApart: ["LIM-C9", "LIM-C6"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Added after the other ids if the metadata of a key determines its identity. */
export const BY_PATTERN = "LIM-11";

/** Added after the other ids if a budget counts by the address or a header. */
export const BY_CLIENT = "LIM-C17";

/** Added after the other ids if a gateway decided without the store. */
export const WITHOUT_STORE = "ALG-C8";
