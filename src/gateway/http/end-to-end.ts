// Which headers of a message are forwarded. Some apply to one connection only, some belong to the gateway.
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

/** The origin of a request as its client claims it. The gateway writes these headers anew. */
const ORIGIN = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** CGI reads it as HTTP_PROXY, which many clients use as their proxy (httpoxy). */
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
 * Names with an underscore, or with any character but letters, digits and hyphens: servers that turn headers into
 * variables read X_Forwarded_For and X.Forwarded.For as X-Forwarded-For.
 */
export type Underscores = "drop" | "pass";

type Fate = "stays" | "goes" | "goes where no key is wanted";

/** The treatment of a header by its name. */
export type HeaderNames = NameCache<Fate>;

export const headerNames = (underscores: Underscores): HeaderNames =>
  new NameCache((name) => fateOf(name.toLowerCase(), underscores));

function fateOf(name: string, underscores: Underscores): Fate {
  const asRead = name.replaceAll(/[^a-z0-9]/g, "-");
  if (asRead !== name && underscores === "drop") return "stays";
  if (NOT_FORWARDED.has(asRead) || asRead.startsWith(OF_PROXIES)) return "stays";
  return CREDENTIALS.has(asRead) ? "goes where no key is wanted" : "goes";
}

/**
 * The forwarded headers of a request, as name, value, name, value. The credential of a key is removed; that of a
 * keyless API is forwarded.
 */
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

/** The forwarded headers of a response, names in lower case, without the upstream's own limits (HDR-C2). */
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

/** The length that a response declares; null: none. */
export function contentLengthOf(headers: ResponseHeaders): number | null {
  const value = valueOf(headers, CONTENT_LENGTH);
  return value === undefined ? null : Number(value);
}

/** Of a repeated header all values, as a list. */
function valueOf(headers: ResponseHeaders, name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (headers[i] === name)
      value = value === undefined ? headers[i + 1]! : `${value},${headers[i + 1]!}`;
  return value;
}

/** Names that `Connection` declares as headers of this connection. */
function namesIn(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}
