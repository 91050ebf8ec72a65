// Why a budget applies, as ids of requirements. Each list says one way that leads to a limit; a suite
// that never walks one of them has not looked at it.
export const BECAUSE = {
  apiLimit: ["LIM-7"],
  classicEndpoint: ["EPT-1", "EPT-3"],
  oasEndpoint: ["EPT-1", "EPT-4"],
  keyEndpoint: ["EPT-1", "EPT-C5"],
  policies: ["LIM-5", "LIM-C5"],
  keyAlone: ["LIM-13", "LIM-C5"],
  keyAtApi: ["LIM-6"],
  policiesAtApi: ["LIM-6", "LIM-C6"],
  policiesApart: ["LIM-5", "LIM-C6"],
  quota: ["LIM-C9"],
  quotaAtApi: ["LIM-C9", "LIM-6"],
  quotaApart: ["LIM-C9", "LIM-C6"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Comes behind the others where the metadata of a key makes its identity. */
export const BY_PATTERN = "LIM-11";

/** Comes behind the others where a budget goes by the address or a header. */
export const BY_CLIENT = "LIM-C17";

/** Comes behind the others where a gateway decided without the store. */
export const WITHOUT_STORE = "ALG-C8";
