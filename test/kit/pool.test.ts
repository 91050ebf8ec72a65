// Real threads: each piece is a number, or what the thread does in place of an answer.
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { shareOut } from "#src/kit/pool.node.ts";

const PROGRAM = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", (piece) => {
  if (piece === "fail") throw new Error("the piece fails");
  if (piece === "exit") process.exit(7);
  if (piece !== "hang") parentPort.postMessage(2 * piece);
});`;

const NEVER = new Promise<never>(() => {});

async function share(
  pieces: Iterable<unknown>,
  stop: Promise<"stop"> = NEVER,
): Promise<{ readonly answers: readonly unknown[]; readonly threads: readonly Worker[] }> {
  const threads: Worker[] = [];
  const answers: unknown[] = [];
  await shareOut({
    pieces: Array.from(pieces).entries(),
    mostThreads: 2,
    threads: {
      name: "test",
      start: () => {
        const thread = new Worker(PROGRAM, { eval: true });
        threads.push(thread);
        return thread;
      },
    },
    settings: null,
    stop,
    onDone: (answer, place) => void (answers[place] = answer),
  });
  return { answers, threads };
}

test("each answer has the place of its piece, and every thread ends", async () => {
  const { answers, threads } = await share([1, 2, 3, 4, 5]);
  expect(answers).toEqual([2, 4, 6, 8, 10]);
  expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
});

test("one piece needs one thread, and none needs none", async () => {
  expect((await share([1])).threads).toHaveLength(1);
  expect((await share([])).threads).toHaveLength(0);
});

test("a thread that fails or ends is an error, and the other threads begin no further piece", async () => {
  for (const [piece, message] of [
    ["fail", "the piece fails"],
    ["exit", "a thread ended with code 7"],
  ]) {
    let begun = 0;
    // Without an end, so that a thread that continues is seen.
    const pieces = (function* () {
      yield [0, piece] as const;
      for (;;) yield [++begun, 1] as const;
    })();
    const start = (): Worker => new Worker(PROGRAM, { eval: true });
    const threads = { name: "test", start };
    const rest = { settings: null, stop: NEVER, onDone: () => {} };
    const sharing = shareOut({ pieces, mostThreads: 2, threads, ...rest });
    await expect(sharing).rejects.toThrow(message!);
    const before = begun;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(begun - before).toBeLessThanOrEqual(1); // one may have been under way
  }
});

test("a stop ends a thread within its piece", async () => {
  const { threads } = await share(["hang"], Promise.resolve("stop"));
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
});
