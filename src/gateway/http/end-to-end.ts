// Which headers of a message go on. Some speak of one connection only, some are the gateway's own business.
import { CREDENTIAL_HEADERS } from "../credential.ts";
import { LIMIT_HEADERS } from "../headers.ts";

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

/** What says by itself where a request came from. The gateway says it anew. */
const ORIGIN = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** CGI makes HTTP_PROXY of it, which many clients take for the proxy that they shall use (httpoxy). */
const HTTPOXY = "proxy";
const OF_PROXIES = "proxy-";

const HELD_BACK: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...ORIGIN,
  HTTPOXY,
  "host",
  "expect",
]);
const CREDENTIALS: ReadonlySet<string> = new Set(CREDENTIAL_HEADERS);

/**
 * Names with an underscore, or with anything else but letters, digits and hyphens: servers that make variables of headers
 * read X_Forwarded_For and X.Forwarded.For as X-Forwarded-For.
 */
export type Underscores = "drop" | "pass";

type Fate = "stays" | "goes" | "goes where no key is wanted";

/** What becomes of a header by its name. Clients send few names, so each is looked at once. */
export interface HeaderNames {
  readonly underscores: Underscores;
  readonly known: Map<string, Fate>;
}

export const headerNames = (underscores: Underscores): HeaderNames => ({
  underscores,
  known: new Map(),
});

const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 64;

function fateOf({ underscores, known }: HeaderNames, name: string): Fate {
  const before = known.get(name);
  if (before !== undefined) return before;
  const fate = fateOfNew(name.toLowerCase(), underscores);
  if (name.length > LONGEST_KNOWN) return fate;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, fate);
  return fate;
}

function fateOfNew(name: string, underscores: Underscores): Fate {
  const asRead = name.replaceAll(/[^a-z0-9]/g, "-");
  if (asRead !== name && underscores === "drop") return "stays";
  if (HELD_BACK.has(asRead) || asRead.startsWith(OF_PROXIES)) return "stays";
  return CREDENTIALS.has(asRead) ? "goes where no key is wanted" : "goes";
}

/**
 * The headers of a request that go on, as name, value, name, value. The credential of a key stays here; a
 * keyless API leaves it to its upstream.
 */
export function toUpstream(
  raw: readonly string[],
  connection: string | undefined,
  isKeyless: boolean,
  names: HeaderNames,
): string[] {
  const named = namedBy(connection);
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const fate = fateOf(names, name);
    if (fate === "stays" || (fate !== "goes" && !isKeyless)) continue;
    if (named !== null && named.has(name.toLowerCase())) continue;
    kept.push(name, raw[i + 1]!);
  }
  return kept;
}

const KEPT_FROM_CLIENTS: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...LIMIT_HEADERS]);
const NO_CONTENT = 204;

/** The headers of an answer that go back, its names in lower case. The upstream's own limits do not (HDR-C2). */
export function toClient(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string[] {
  const { connection } = headers;
  const named = namedBy(typeof connection === "object" ? connection.join(",") : connection);
  const kept: string[] = [];
  for (const name in headers) {
    if (KEPT_FROM_CLIENTS.has(name) || (named !== null && named.has(name))) continue;
    if (status === NO_CONTENT && name === "content-length") continue;
    const value = headers[name];
    if (typeof value === "string") kept.push(name, value);
    else if (value !== undefined) for (const each of value) kept.push(name, each);
  }
  return kept;
}

/** Names that `Connection` declares to be of this connection. */
function namedBy(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}
