// The types of records. All are stored in the same form; their rules are in `families/`.
export const RECORD_TYPES = [
  "users",
  "keys",
  "policies",
  "apis",
  "profiles",
  "webhooks",
  "catalogues",
  "gateway", // one record: the gateway options
  "tokens", // for the management APIs, in addition to their secrets
  "installation", // one record: the key that seals the others
] as const;

export type RecordTypeName = (typeof RECORD_TYPES)[number];
