// The properties of each management API, such as its credential and the form of its errors.
import { z } from "zod";
import type { Problem } from "../../kit/reading/problems.ts";
import { sentence } from "./validate-record.ts";
import type { InterfaceName } from "./interface-name.ts";
import { MOST_SHOWN } from "./json.ts";
import type { Operation } from "./operation.ts";
import { BUDGETS } from "./admin/budgets.ts";
import { KEYS } from "./admin/keys.ts";
import { TOKENS } from "./admin/tokens.ts";
import { PROFILES } from "./broker/profiles.ts";
import { APIS } from "./dashboard/apis.ts";
import { POLICIES } from "./dashboard/policies.ts";
import { USERS } from "./dashboard/users.ts";
import { WEBHOOKS } from "./portal/webhooks.ts";
import { CATALOGUES } from "./studio/catalogues.ts";

interface Interface {
  readonly title: string;
  readonly version: string; // the version of the API (MGT-12)
  /** The credential in the headers of a request; null: there is none. */
  readonly credentialIn: (headers: Headers) => string | null;
  readonly scheme: Scheme;
  readonly unauthorised: string;
  readonly error: (apiError: ApiError) => unknown;
  readonly errorSchema: z.ZodType;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Scheme {
  readonly header: "Authorization" | "Admin-Auth";
  readonly isBearer: boolean;
}

interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly problems: readonly Problem[]; // all problems of the request, with their paths (MGT-C1)
}

const BEARER = /^Bearer +(\S+) *$/i;

const bearer = ({ authorization }: Headers): string | null =>
  typeof authorization === "string" ? (BEARER.exec(authorization)?.[1] ?? null) : null;
const raw = (header: Headers[string]): string | null =>
  typeof header === "string" ? header : null;

/** The lines of an error message: at most MOST_SHOWN problems, because a body can have any number of them. */
function linesOf({ message, problems }: ApiError): readonly string[] {
  if (problems.length === 0) return [message];
  const lines = problems.slice(0, MOST_SHOWN).map(sentence);
  return problems.length > MOST_SHOWN ? [...lines, "and more"] : lines;
}

const message = (error: ApiError): string => linesOf(error).join("\n");
const status = (error: ApiError): unknown => ({
  Status: "Error",
  Message: message(error),
  Meta: null,
});
const statusSchema = z.strictObject({
  Status: z.literal("Error"),
  Message: z.string(),
  Meta: z.null(),
});

export const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export const INTERFACE: Readonly<Record<InterfaceName, Interface>> = {
  studio: {
    title: "AI studio",
    version: "1.0",
    credentialIn: bearer,
    scheme: { header: "Authorization", isBearer: true },
    unauthorised: "The token is missing or wrong",
    error: (error) => ({
      errors: linesOf(error).map((detail) => ({ title: TITLES[error.status] ?? "Error", detail })),
    }),
    errorSchema: z.strictObject({
      errors: z.array(z.strictObject({ title: z.string(), detail: z.string() })),
    }),
  },
  dashboard: {
    title: "Dashboard",
    version: "1",
    credentialIn: bearer,
    scheme: { header: "Authorization", isBearer: true },
    unauthorised: "Not authorised",
    error: status,
    errorSchema: statusSchema,
  },
  admin: {
    title: "Admin",
    version: "1",
    credentialIn: (headers) => raw(headers["admin-auth"]),
    scheme: { header: "Admin-Auth", isBearer: false },
    unauthorised: "Not authorised",
    error: status,
    errorSchema: statusSchema,
  },
  broker: {
    title: "Identity broker",
    version: "1",
    credentialIn: ({ authorization }) => raw(authorization),
    scheme: { header: "Authorization", isBearer: false },
    unauthorised: "Authorization failed",
    error: (error) => ({ Status: "error", Error: message(error) }),
    errorSchema: z.strictObject({ Status: z.literal("error"), Error: z.string() }),
  },
  portal: {
    title: "Developer portal",
    version: "1",
    credentialIn: (headers) => bearer(headers) ?? raw(headers["authorization"]),
    scheme: { header: "Authorization", isBearer: false },
    unauthorised: "Not authorised",
    error: (error) => ({ errors: linesOf(error) }),
    errorSchema: z.strictObject({ errors: z.array(z.string()) }),
  },
};

export const OPERATIONS: readonly Operation<unknown, unknown>[] = [
  ...CATALOGUES,
  ...USERS,
  ...POLICIES,
  ...APIS,
  ...KEYS,
  ...BUDGETS,
  ...TOKENS,
  ...PROFILES,
  ...WEBHOOKS,
];
