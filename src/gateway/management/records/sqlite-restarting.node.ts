// A thread of SQLite that is restarted when it ends: running requests fail, and later ones succeed.
import { sqliteFailure, ThreadEnded } from "./sqlite-failures.ts";
import type { Runner, RunnerHandle } from "./sqlite-runner.ts";
import type { SqliteOpening } from "./sqlite-statements.node.ts";
import { threadOf, type Thread } from "./sqlite-thread.node.ts";

/** The most restarts within WITHIN_MS, because a thread that always fails would only use processor time. */
const MOST_STARTS = 3;
const WITHIN_MS = 60_000;

const rejectEnded = async (): Promise<never> => {
  throw new ThreadEnded("a thread of the records has ended");
};
const ENDED_RUNNER: Runner = { run: rejectEnded, apply: rejectEnded, close: async () => {} };

/** Starts a thread and restarts it whenever it ends. Rejects if the first thread cannot start. */
export async function lastingThread(
  opening: SqliteOpening,
  report: (message: string) => void,
): Promise<RunnerHandle> {
  const starts: number[] = []; // times of the last restarts, in ms of `performance.now()`
  let thread: Thread | null = await threadOf(opening);
  let isClosing = false;
  let starting: NodeJS.Timeout | null = null;
  let opened: Promise<void> = Promise.resolve();

  const whenEnded = async (one: Thread): Promise<void> => {
    await one.ended;
    thread = null;
    if (!isClosing) startLater("a thread that works on the database has ended");
  };
  const startLater = (why: string): void => {
    const nowMs = performance.now();
    if (starts.length === MOST_STARTS) {
      const waitMs = Math.max(0, starts.shift()! + WITHIN_MS - nowMs);
      const seconds = Math.ceil(waitMs / 1_000);
      report(`records: ${why}; it is started again${seconds === 0 ? "" : ` in ${seconds} s`}`);
      starts.push(nowMs + waitMs);
      starting = setTimeout(start, waitMs).unref();
    } else {
      report(`records: ${why}; it is started again`);
      starts.push(nowMs);
      start();
    }
  };
  const start = (): void => {
    starting = null;
    opened = open();
  };
  const open = async (): Promise<void> => {
    try {
      thread = await threadOf(opening);
      void whenEnded(thread);
    } catch (error) {
      const fault = sqliteFailure(error)?.sentence ?? String(error);
      if (!isClosing) startLater(`a thread cannot be started, because the database ${fault}`);
    }
  };

  void whenEnded(thread);
  return {
    now: () => thread ?? ENDED_RUNNER,
    hasEnded: () => thread === null,
    close: async () => {
      isClosing = true;
      if (starting !== null) clearTimeout(starting);
      await opened;
      await thread?.close();
    },
  };
}
