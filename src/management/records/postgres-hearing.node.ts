// Hears from PostgreSQL that somebody has written. A connection of its own, which comes back when it breaks off.
import { Client } from "pg";
import { postgresFault } from "./postgres-faults.ts";
import { setTimeout as sleep } from "node:timers/promises";

export interface Hearing {
  readonly heard: (listener: () => void) => void;
  readonly stop: () => Promise<void>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export function hearing(url: string, tell: (sentence: string) => void): Hearing {
  const listeners: (() => void)[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const call = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    heard: (listener) => {
      listeners.push(listener);
      running ??= listen(url, call, stopping.signal, tell);
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
  tell: (sentence: string) => void,
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
      if (isAway) tell("records: changes of other gateways are heard again");
      isAway = false;
      waitMs = FIRST_WAIT_MS;
      client.on("notification", call);
      // What was said meanwhile has been missed.
      call();
      await broken;
    } catch (error) {
      // Whatever it is: a gateway that hears nothing still looks from time to time, and this one tries again.
      const why = postgresFault(error)?.sentence ?? String(error);
      if (!isAway) tell(`records: changes of other gateways are not heard: the database ${why}`);
      isAway = true;
    }
    await client.end().catch(() => {}); // it may be gone already
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => {}); // stopped: no need to wait
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}
