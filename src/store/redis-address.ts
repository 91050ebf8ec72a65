// Where a store of Redis' kind is: one server, a primary that sentinels know, or a cluster.

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly kind: "single" | "sentinel" | "cluster";
  readonly places: readonly Place[]; // of a single server one; of sentinels and clusters those to ask first
  readonly group: string; // by which sentinels know the primary
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly tls: boolean;
}

/** Said whole to whoever wrote the address. */
export interface AddressProblem {
  readonly problem: string;
}

export const isProblem = (read: RedisAddress | AddressProblem): read is AddressProblem =>
  "problem" in read;

const FORMS =
  "redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT (rediss for TLS)";
const PARTS =
  /^(?<tls>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>.*)@)?(?<places>[^@/?#]+)(?:\/(?<path>[^?#]*))?$/;
const PLACE = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;

const PORTS = { single: 6_379, sentinel: 26_379, cluster: 6_379 };
const MOST_PORT = 65_535;

export function redisAddress(text: string): RedisAddress | AddressProblem {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) return said(text, `is not an address of a store: write ${FORMS}`);
  const kind = (parts["kind"] ?? "single") as RedisAddress["kind"];
  const places: Place[] = [];
  for (const one of (parts["places"] ?? "").split(",")) {
    const found = PLACE.exec(one)?.groups;
    const host = found?.["six"] ?? found?.["host"];
    const port = Number(found?.["port"] ?? PORTS[kind]);
    if (host === undefined || port < 1 || port > MOST_PORT)
      return said(text, `has "${one}" where HOST:PORT stands, with a port from 1 to ${MOST_PORT}`);
    places.push({ host, port });
  }
  if (kind === "single" && places.length > 1)
    return said(text, "names several servers: begin with redis+sentinel:// or redis+cluster://");
  const [first = "", second = "", ...rest] = (parts["path"] ?? "").split("/");
  const [group, db] = kind === "sentinel" ? [first, second] : ["", first];
  if (kind === "sentinel" && group === "")
    return said(text, "does not name the primary: add /NAME, as its sentinels know it");
  const hasMore = rest.length > 0 || (kind !== "sentinel" && second !== "");
  if (hasMore || !/^\d{0,5}$/.test(db) || (kind === "cluster" && Number(db) > 0))
    return said(text, `ends in "/${parts["path"]}", which is not the number of a database`);
  const [username, password] = credentialsIn(parts["user"]);
  const tls = parts["tls"] === "rediss";
  return { kind, places, group, db: Number(db), username, password, tls };
}

/** As in any address: `:password`, `user:password` or a user alone, with % for what would part it. */
function credentialsIn(text: string | undefined): readonly [string | null, string | null] {
  if (text === undefined || text === "") return [null, null];
  const colon = text.indexOf(":");
  const user = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? "" : text.slice(colon + 1);
  return [plain(user), plain(password)];
}

/** What is no escape stands for itself. */
function plain(text: string): string | null {
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Null: this prefix may stand before every key. */
export const prefixProblem = (prefix: string): string | null =>
  prefix.includes("{")
    ? `the prefix "${prefix}" holds a brace, which marks what a cluster keeps together`
    : null;

const said = (text: string, what: string): AddressProblem => ({
  problem: `${withoutSecret(text)} ${what}`,
});

/** An address may be printed; a password in it may not, whatever it holds and however wrong the rest is. */
export const withoutSecret = (text: string): string =>
  text.replace(/^([a-z+]+:\/\/)?[^]*@/i, "$1***@");
