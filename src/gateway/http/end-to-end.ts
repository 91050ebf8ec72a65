// Selects the headers of a message to forward. Some apply only to one connection, and some are the gateway's own.
import { CREDENTIAL_HEADERS } from "../credential.ts";
import { LIMIT_HEADERS } from "../headers.ts";
import { NameCache } from "../upstream/name-cache.ts";
import type { ResponseHeaders } from "../upstream/response-head.ts";

const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Headers in which a client claims its origin. The gateway replaces them. */
const ORIGIN = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Not forwarded: CGI programs read it as HTTP_PROXY, which many HTTP clients use as their proxy (httpoxy). */
const HTTPOXY = "proxy";
const OF_PROXIES = "proxy-";

const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...ORIGIN,
  HTTPOXY,
  "host",
  "expect",
]);
const CREDENTIALS: ReadonlySet<string> = new Set(CREDENTIAL_HEADERS);

/**
 * What happens to headers with names of other characters than letters, digits and hyphens: servers that turn headers
 * into variables confuse X_Forwarded_For and X.Forwarded.For with X-Forwarded-For.
 */
export type Underscores = "drop" | "pass";

type Fate = "stays" | "goes" | "goes where no key is wanted";

/** For each header name, whether the header is forwarded. */
export type HeaderNames = NameCache<Fate>;

export const headerNames = (underscores: Underscores): HeaderNames =>
  new NameCache((name) => fateOf(name.toLowerCase(), underscores));

function fateOf(name: string, underscores: Underscores): Fate {
  const asRead = name.replaceAll(/[^a-z0-9]/g, "-");
  if (asRead !== name && underscores === "drop") return "stays";
  if (NOT_FORWARDED.has(asRead) || asRead.startsWith(OF_PROXIES)) return "stays";
  return CREDENTIALS.has(asRead) ? "goes where no key is wanted" : "goes";
}

/** The forwarded headers of a request (name, value, name, value). Only a keyless API gets credentials. */
export function toUpstream(
  raw: readonly string[],
  connection: string | undefined,
  isKeyless: boolean,
  names: HeaderNames,
): string[] {
  const named = namesIn(connection);
  const forwarded: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const fate = names.of(name);
    if (fate === "stays" || (fate !== "goes" && !isKeyless)) continue;
    if (named !== null && named.has(name.toLowerCase())) continue;
    forwarded.push(name, raw[i + 1]!);
  }
  return forwarded;
}

const NOT_FOR_CLIENTS: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...LIMIT_HEADERS]);
const NO_CONTENT = 204;
const CONTENT_LENGTH = "content-length";

/** The forwarded headers of a response, with names in lower case and without the upstream's limit headers (HDR-C2). */
export function toClient(status: number, headers: ResponseHeaders): string[] {
  const named = namesIn(valueOf(headers, "connection"));
  const forwarded: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!;
    if (NOT_FOR_CLIENTS.has(name) || (named !== null && named.has(name))) continue;
    if (status === NO_CONTENT && name === CONTENT_LENGTH) continue;
    forwarded.push(name, headers[i + 1]!);
  }
  return forwarded;
}

/** The declared length of a response; null: it has none. */
export function contentLengthOf(headers: ResponseHeaders): number | null {
  const value = valueOf(headers, CONTENT_LENGTH);
  return value === undefined ? null : Number(value);
}

/** The value of a header; the values of a repeated header are joined as a list. */
function valueOf(headers: ResponseHeaders, name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (headers[i] === name)
      value = value === undefined ? headers[i + 1]! : `${value},${headers[i + 1]!}`;
  return value;
}

/** Returns the names listed in `Connection`. Headers with these names apply only to this connection. */
function namesIn(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}
