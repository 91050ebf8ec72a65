// Every answer the gateway gives by itself: status and text (MGT-C9). The texts are what clients of the
// best-known gateway already look for.

import type { Header } from "./headers.ts";

export type ReasonName = "rate" | "quota" | "store" | "credential" | "access" | "state" | "path";

export interface Refused {
  readonly status: number;
  readonly reason: ReasonName;
  readonly message: string;
  readonly headers?: readonly Header[];
}

/** What stands in the answer. */
export const bodyOf = ({ message }: Refused): { readonly error: string } => ({ error: message });

const refused = (status: number, reason: ReasonName, message: string): Refused => ({
  status,
  reason,
  message,
});

/** Beyond these an upstream may know others. TRACE it never gets: the answer would hold the credential. */
const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export const REFUSALS = {
  trace: {
    ...refused(405, "path", "Method Not Allowed"),
    headers: [["Allow", ALLOWED]],
  } as Refused,
  twoCredentials: refused(400, "credential", "More than one credential header of one name"),
  badPath: refused(400, "path", "Path not acceptable"),
  noApi: refused(404, "path", "Not Found"),
  noCredential: refused(401, "credential", "Authorization field missing"),
  noAccess: refused(403, "access", "Access to this API has been disallowed"),
  inactive: refused(403, "state", "Key is inactive, please renew"),
  expired: refused(401, "state", "Key has expired, please renew"),
  keyRate: refused(429, "rate", "Rate Limit Exceeded"),
  apiRate: refused(429, "rate", "API Rate Limit Exceeded"),
  quota: refused(403, "quota", "Quota exceeded"),
  store: refused(503, "store", "Rate limit store unavailable"),
} as const;
