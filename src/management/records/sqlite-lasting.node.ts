// A thread of SQLite that is started again when it has died: what was asked of it fails, what comes later does not.
import { sqliteFault, ThreadEnded } from "./sqlite-faults.ts";
import type { Runner, Running } from "./sqlite-runner.ts";
import type { Opening } from "./sqlite-statements.node.ts";
import { threadOf, type Thread } from "./sqlite-thread.node.ts";

/** What dies as often as this is started no more often: it would only cost the gateway its time. */
const MOST_STARTS = 3;
const WITHIN_MS = 60_000;

const ended = async (): Promise<never> => {
  throw new ThreadEnded("a thread of the records has ended");
};
const NOBODY: Runner = { run: ended, apply: ended, close: async () => {} };

/** Fails where the first one cannot be started. */
export async function lastingThread(
  opening: Opening,
  tell: (sentence: string) => void,
): Promise<Running> {
  const starts: number[] = []; // when, since the first one has died
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
      tell(`records: ${why}; it is started again${seconds === 0 ? "" : ` in ${seconds} s`}`);
      starts.push(nowMs + waitMs);
      starting = setTimeout(start, waitMs).unref();
    } else {
      tell(`records: ${why}; it is started again`);
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
      const fault = sqliteFault(error)?.sentence ?? String(error);
      if (!isClosing) startLater(`a thread cannot be started, because the database ${fault}`);
    }
  };

  void whenEnded(thread);
  return {
    now: () => thread ?? NOBODY,
    hasEnded: () => thread === null,
    close: async () => {
      isClosing = true;
      if (starting !== null) clearTimeout(starting);
      await opened;
      await thread?.close();
    },
  };
}
