// The address of a Redis-compatible store: a single server, a primary with sentinels, or a cluster.
import { Failure } from "../../kit/reading/failure.ts";

interface StoreServer {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly kind: "single" | "sentinel" | "cluster";
  readonly servers: readonly StoreServer[]; // a single server, or the sentinels or nodes to connect to first
  readonly group: string; // the name under which the sentinels know the primary
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly tls: boolean;
}

const FORMS =
  "redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT (rediss for TLS)";
const PARTS =
  /^(?<tls>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>.*)@)?(?<servers>[^@/?#]+)(?:\/(?<path>[^?#]*))?$/;
const PLACE = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;

const PORTS = { single: 6_379, sentinel: 26_379, cluster: 6_379 };
const MOST_PORT = 65_535;

export function parseRedisAddress(text: string): RedisAddress | Failure {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined)
    return addressProblem(text, `is not the address of a store; write ${FORMS}`);
  const kind = (parts["kind"] ?? "single") as RedisAddress["kind"];
  const servers: StoreServer[] = [];
  for (const server of (parts["servers"] ?? "").split(",")) {
    const fields = PLACE.exec(server)?.groups;
    const host = fields?.["six"] ?? fields?.["host"];
    const port = Number(fields?.["port"] ?? PORTS[kind]);
    if (host === undefined || port < 1 || port > MOST_PORT)
      return addressProblem(
        text,
        `has "${server}" instead of HOST:PORT, with a port from 1 to ${MOST_PORT}`,
      );
    servers.push({ host, port });
  }
  if (kind === "single" && servers.length > 1)
    return addressProblem(
      text,
      "names several servers; begin with redis+sentinel:// or redis+cluster://",
    );
  const [first = "", second = "", ...rest] = (parts["path"] ?? "").split("/");
  const [group, db] = kind === "sentinel" ? [first, second] : ["", first];
  if (kind === "sentinel" && group === "")
    return addressProblem(text, "does not name the primary; add /NAME, as its sentinels know it");
  const hasMore = rest.length > 0 || (kind !== "sentinel" && second !== "");
  if (hasMore || !/^\d{0,5}$/.test(db) || (kind === "cluster" && Number(db) > 0))
    return addressProblem(
      text,
      `ends in "/${parts["path"]}", which is not the number of a database; write 0 to 99999, or leave it out`,
    );
  const [username, password] = credentialsIn(parts["user"]);
  const tls = parts["tls"] === "rediss";
  return { kind, servers, group, db: Number(db), username, password, tls };
}

/** User and password: `:password`, `user:password`, or only a user; reserved characters are escaped with %. */
function credentialsIn(text: string | undefined): readonly [string | null, string | null] {
  if (text === undefined || text === "") return [null, null];
  const colon = text.indexOf(":");
  const user = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? "" : text.slice(colon + 1);
  return [plain(user), plain(password)];
}

/** Decodes the escapes of a text. Text with an invalid escape stays as it is; empty text is null. */
function plain(text: string): string | null {
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Why a prefix is invalid; null: it is valid. */
export const prefixProblem = (prefix: string): string | null =>
  prefix.includes("{")
    ? `the prefix "${prefix}" contains "{", which begins the hash tag of a cluster; leave it out`
    : null;

const addressProblem = (text: string, what: string): Failure =>
  new Failure(`${withoutSecret(text)} ${what}`);

/** An address without its credentials, for messages, however invalid the address is. */
export const withoutSecret = (text: string): string =>
  text.replace(/^([a-z+]+:\/\/)?[^]*@/i, "$1***@");
