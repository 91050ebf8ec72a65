// Status and message of every response that the gateway generates itself (MGT-C9). The messages are those of the
// best-known gateway, because its clients already compare them.

import type { HeaderField } from "./headers.ts";

export type ReasonName =
  | "rate"
  | "quota"
  | "store"
  | "credential"
  | "access"
  | "state"
  | "path"
  | "message";

/** The status of a refusal without a response: the connection is closed. Only limiters of others have it. */
export const CLOSES = 0;

export interface RefusalResponse {
  readonly status: number;
  readonly reason: ReasonName;
  readonly message: string;
  readonly headers?: readonly HeaderField[];
}

/** The body of the response. */
export const bodyOf = ({ message }: RefusalResponse): { readonly error: string } => ({
  error: message,
});

const buildRefusal = (status: number, reason: ReasonName, message: string): RefusalResponse => ({
  status,
  reason,
  message,
});

/** The header of a refused TRACE, which is never forwarded, because its response would contain the credential. */
const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export const REFUSALS = {
  trace: {
    ...buildRefusal(405, "path", "Method Not Allowed"),
    headers: [["Allow", ALLOWED]],
  } as RefusalResponse,
  twoCredentials: buildRefusal(400, "credential", "More than one credential header of one name"),
  badCost: buildRefusal(400, "message", "Cost is not an integer from 1 to 1000"),
  badPath: buildRefusal(400, "path", "Path not acceptable"),
  noApi: buildRefusal(404, "path", "Not Found"),
  noCredential: buildRefusal(401, "credential", "Authorization field missing"),
  noAccess: buildRefusal(403, "access", "Access to this API has been disallowed"),
  inactive: buildRefusal(403, "state", "Key is inactive, please renew"),
  expired: buildRefusal(401, "state", "Key has expired, please renew"),
  keyRate: buildRefusal(429, "rate", "Rate Limit Exceeded"),
  apiRate: buildRefusal(429, "rate", "API Rate Limit Exceeded"),
  quota: buildRefusal(403, "quota", "Quota exceeded"),
  store: buildRefusal(503, "store", "Rate limit store unavailable"),
} as const;
