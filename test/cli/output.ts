// The output of a child process, and how a test waits for a part of it.
import { once } from "node:events";
import type { Readable } from "node:stream";

/** Longer than the slowest start on a busy machine; a test that waits for a text that is no longer printed fails with the output. */
const PATIENCE_MS = 50_000;

export interface ChildOutput {
  readonly text: () => string;
  /** Resolves when the output contains the text that many times. */
  readonly waitFor: (text: string, times?: number) => Promise<void>;
}

export function readOutput(streams: readonly Readable[], ended: Promise<unknown>): ChildOutput {
  let printed = "";
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (const stream of streams)
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const waitFor = async (text: string, times = 1): Promise<void> => {
    const tooLate = AbortSignal.timeout(PATIENCE_MS);
    while (printed.split(text).length <= times) {
      if (hasEnded) throw new Error(`the process ended before it printed "${text}":\n${printed}`);
      const settled = new AbortController(); // without it the silent stream gets one more listener each time
      const signal = AbortSignal.any([tooLate, settled.signal]);
      const data = streams.map((stream) => once(stream, "data", { signal }));
      for (const each of data) each.catch(() => {});
      try {
        await Promise.race([...data, ended]);
      } catch (error) {
        if (!tooLate.aborted) throw error;
        throw new Error(`"${text}" was not printed within ${PATIENCE_MS} ms:\n${printed}`, {
          cause: error,
        });
      }
      settled.abort();
    }
  };
  return { text: () => printed, waitFor };
}
