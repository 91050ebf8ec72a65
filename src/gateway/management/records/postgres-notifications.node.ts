// Receives notifications of changes from PostgreSQL, on a separate connection that reconnects after failures.
import { Client } from "pg";
import { postgresFailure } from "./postgres-failures.ts";
import { setTimeout as sleep } from "node:timers/promises";

interface ChangeNotifications {
  readonly subscribe: (listener: () => void) => void;
  readonly stop: () => Promise<void>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export function changeNotifications(
  url: string,
  report: (message: string) => void,
): ChangeNotifications {
  const listeners: (() => void)[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const call = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.push(listener);
      running ??= listen(url, call, stopping.signal, report);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function listen(
  url: string,
  call: () => void,
  stopped: AbortSignal,
  report: (message: string) => void,
): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  let isAway = false;
  while (!stopped.aborted) {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    });
    const broken = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
      stopped.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      await client.connect();
      await client.query("listen weir_changes");
      if (isAway) report("records: changes of other gateways arrive again");
      isAway = false;
      waitMs = FIRST_WAIT_MS;
      client.on("notification", call);
      // There may have been changes while the connection was down.
      call();
      await broken;
    } catch (error) {
      // Every error leads here: the gateway also polls for changes, and this loop reconnects.
      const why = postgresFailure(error)?.sentence ?? String(error);
      if (!isAway) report(`records: changes of other gateways do not arrive: the database ${why}`);
      isAway = true;
    }
    await client.end().catch(() => {}); // it may be closed already
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => {}); // aborted when the listener stops
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}
