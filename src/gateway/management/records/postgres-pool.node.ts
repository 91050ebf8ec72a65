// Connections to PostgreSQL. If a query gets no response, its connection is closed. A server that stops responding is
// noticed while requests still wait for it.
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Pool, type PoolConfig } from "pg";
import { isTimeout } from "./postgres-failures.ts";

export function createPool(url: string, more: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    // A gateway that disappears in a transaction can block the writes of others for this time.
    idle_in_transaction_session_timeout: 5_000,
    lock_timeout: 5_000,
    keepAlive: true,
    allowExitOnIdle: true,
    ...more,
  });
  // The pool removes a connection that fails between queries; the next query reports the failure.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

export interface SilenceWatch {
  readonly watch: <T>(work: Promise<T>) => Promise<T>;
  /** Calls the listener repeatedly while queries wait and none gets a response. */
  readonly onSilence: (listener: () => void) => void;
}

const TICK_MS = 250;

/**
 * This number of ticks without a response means that the server hangs: a gateway notices it within 2 s.
 * Ticks are counted instead of time, because responses may have arrived while this process was suspended.
 */
const SILENT_TICKS = 6;

export function watchSilence(): SilenceWatch {
  const listeners: (() => void)[] = [];
  let waiting = 0;
  let quietTicks = 0; // ticks since the last response, or since the first waiting query was sent
  let ticking: NodeJS.Timeout | null = null;
  const tick = (): void => {
    quietTicks++;
    if (quietTicks >= SILENT_TICKS) for (const listener of listeners) listener();
  };
  const end = (): void => {
    waiting--;
    quietTicks = 0;
    if (waiting > 0 || ticking === null) return;
    clearInterval(ticking);
    ticking = null;
  };
  return {
    watch: (work) => {
      waiting++;
      ticking ??= setInterval(tick, TICK_MS).unref();
      return work.finally(end);
    },
    onSilence: (listener) => void listeners.push(listener),
  };
}

const UNWATCHED: Pick<SilenceWatch, "watch"> = { watch: (work) => work };

/** A pool for Kysely. Kysely releases a connection even if its query hangs; this pool destroys such a connection. */
export const endingHung = (
  pool: Pool,
  { watch }: Pick<SilenceWatch, "watch"> = UNWATCHED,
): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client = await watch(pool.connect());
    let isHung = false;
    const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
      try {
        return await watch(client.query(text, [...parameters]));
      } catch (error) {
        isHung ||= isTimeout(error);
        throw error;
      }
    };
    return {
      query: query as PostgresPoolClient["query"],
      release: (destroy) => client.release(destroy === true || isHung),
    };
  },
});
