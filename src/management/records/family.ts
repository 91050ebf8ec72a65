// What records there are. Each family has the same form.
export const FAMILIES = [
  "users",
  "keys",
  "policies",
  "apis",
  "profiles",
  "webhooks",
  "catalogues",
  "gateway", // one record: the options of the gateway
  "tokens", // of whoever manages, beside the secrets of the interfaces
  "installation", // one record: which key the others are sealed with
] as const;
export type Family = (typeof FAMILIES)[number];
