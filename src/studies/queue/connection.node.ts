// Connects to the Redis of a queue. Unlike a store of limits, a sweep loses nothing by waiting: each command is sent
// again until the server is back.
import { Redis } from "ioredis";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { parseRedisAddress } from "../../limiter/store/redis-address.ts";

const CONNECT_MS = 2_000;
const MOST_RETRY_MS = 500;
/** The prefix of BullMQ's keys, and of the channels on which processes announce themselves. */
export const PREFIX = "weir";

/** The reply of a server to a connection without a valid user and password. */
const REJECTION = /^(?:WRONGPASS|NOAUTH)\b/;

/** Connects. A failure if the address is invalid; `unreachable` if no server responds there. */
export async function connectQueue(address: string): Promise<Redis | Failure | "unreachable"> {
  const read = parseRedisAddress(address);
  if (isFailure(read)) return read;
  if (read.kind !== "single") return new Failure("a queue needs one server: redis://HOST:PORT");
  const { servers, db, username, password, tls } = read;
  const connection = new Redis({
    ...servers[0]!,
    db,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(MOST_RETRY_MS, 50 * times),
  });
  const seen = { isRejected: false };
  // The client reconnects after any error, so only a missing or rejected password is noted.
  connection.on("error", ({ message }: Error) => (seen.isRejected = REJECTION.test(message)));
  try {
    await connection.connect();
    await connection.ping();
    return connection;
  } catch {
    connection.disconnect();
    if (!seen.isRejected) return "unreachable";
    return new Failure(
      password === null
        ? "this Redis needs a password: redis://:PASSWORD@HOST:PORT, or redis://USER:PASSWORD@HOST:PORT"
        : `this Redis rejects the password of ${username ?? "its default user"}; correct it, or name its user: redis://USER:PASSWORD@HOST:PORT`,
    );
  }
}

/** Replies by which a server refuses commands, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  OOM: "it has no memory left; raise its maxmemory, or free some",
  READONLY: "it is a replica; name its primary",
};

/** A message if the server refuses a command and would refuse it again; null for any other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "ReplyError") return null;
  const [reply = ""] = error.message.split(". script: "); // removes the name of BullMQ's script
  return `the Redis of the queue refuses a command: ${REFUSALS[reply.split(" ")[0]!] ?? reply}`;
}
