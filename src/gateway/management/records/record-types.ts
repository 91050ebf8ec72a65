// The types of records. All are stored in the same form; `families/` has their rules.
export const RECORD_TYPES = [
  "users",
  "keys",
  "policies",
  "apis",
  "profiles",
  "webhooks",
  "catalogues",
  "gateway", // one record with the gateway options
  "tokens", // credentials for the management APIs, in addition to the secrets
  "installation", // one record, which names the key that seals values
] as const;

export type RecordTypeName = (typeof RECORD_TYPES)[number];
