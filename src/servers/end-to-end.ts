// Which headers of a message go on. Some speak of one connection only, some are the gateway's own business.
import { LIMIT_HEADERS } from "../gateway/headers.ts";

const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
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

const CREDENTIALS = ["authorization", "x-api-key"];

type ByLength = readonly (readonly string[] | undefined)[];

/** Most names have a length that none of these has, and are told by it. */
function byLength(names: readonly string[]): ByLength {
  const table: string[][] = [];
  for (const name of names) (table[name.length] ??= []).push(name);
  return table;
}

const HELD_BACK = [...HOP_BY_HOP, ...ORIGIN, "host", "expect"];
const HELD_BACK_OF_ANYBODY = byLength(HELD_BACK);
const HELD_BACK_OF_A_KEY = byLength([...HELD_BACK, ...CREDENTIALS]);

/**
 * The headers of a request that go on, as name, value, name, value. The credential of a key stays here; a
 * keyless API leaves it to its upstream.
 */
export function toUpstream(
  raw: readonly string[],
  connection: string | undefined,
  isKeyless: boolean,
): string[] {
  const heldBack = isKeyless ? HELD_BACK_OF_ANYBODY : HELD_BACK_OF_A_KEY;
  const named = namedBy(connection);
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const suspects = heldBack[name.length];
    if (suspects !== undefined && suspects.includes(name.toLowerCase())) continue;
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
