// Scenarios share nothing, so each core can read and play its own. What comes out does not depend on how
// many threads there were: it comes in the order of the files. The first thread only deals and tells, so
// that it always hears a signal.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Played, Read, RunSettings, Work } from "./play.node.ts";
import type { Source } from "./scenario-files.node.ts";

/** Fewer files are done before another thread has loaded what it needs. */
const WORTH_A_THREAD = 12;
const MOST_THREADS = 4;

export const threadsFor = (files: number): number =>
  Math.min(availableParallelism(), MOST_THREADS, 1 + Math.floor(files / WORTH_A_THREAD));

export interface Watch {
  /** Hears whenever a file is begun or done which ones are under way. */
  readonly underWay: (files: ReadonlySet<string>) => void;
  /** As soon as it comes, nothing more is waited for. */
  readonly stop: Promise<"stop">;
}

export interface Players {
  readonly read: (sources: readonly Source[]) => Promise<readonly Read[]>;
  readonly play: (sources: readonly Source[], watch: Watch) => AsyncGenerator<Played, void>;
  readonly dismiss: () => Promise<void>;
}

interface Player {
  readonly worker: Worker;
  readonly hasRead: Set<string>; // files
}

export function startPlayers(count: number, settings: RunSettings): Players {
  const players = Array.from({ length: count }, () => ({
    worker: workerOf(settings),
    hasRead: new Set<string>(),
  }));
  return {
    read: async (sources) => {
      const all: Read[] = [];
      for await (const read of dealt<Read>(players, "read", sources, UNWATCHED)) all.push(read);
      return all;
    },
    play: (sources, watch) => dealt<Played>(players, "play", sources, watch),
    dismiss: async () => void (await Promise.all(players.map(({ worker }) => worker.terminate()))),
  };
}

/** Where nobody looks on. */
export const UNWATCHED: Watch = {
  underWay: () => undefined,
  stop: Promise.withResolvers<"stop">().promise,
};

/** Every player has one file at a time, one that it has read itself as long as there is any. */
async function* dealt<Answer extends Read | Played>(
  players: readonly Player[],
  kind: Work["kind"],
  sources: readonly Source[],
  { underWay, stop }: Watch,
): AsyncGenerator<Answer, void> {
  const answers = new Map(
    sources.map(({ file }) => [file, Promise.withResolvers<Answer>()] as const),
  );
  const waiting = [...sources];
  const busy = new Set<string>();
  let isOver = false;
  const tell = (): void => {
    if (!isOver) underWay(busy);
  };
  const workOff = async ({ worker, hasRead }: Player): Promise<void> => {
    while (waiting.length > 0) {
      const own = waiting.findIndex(({ file }) => hasRead.has(file));
      const [source] = waiting.splice(Math.max(own, 0), 1);
      const { file } = source!;
      hasRead.add(file);
      busy.add(file);
      tell();
      const answer = once(worker, "message");
      worker.postMessage({ kind, source: source! } satisfies Work, []);
      answers.get(file)!.resolve((await answer)[0] as Answer);
      busy.delete(file);
      tell();
    }
  };
  // Settled early by a fault alone; else every answer is there before it.
  const work = Promise.all(players.map(workOff)).then(() => "done" as const);
  try {
    for (const answer of answers.values()) {
      const next = await Promise.race([stop, answer.promise, work]);
      if (next === "stop" || next === "done") return;
      yield next;
    }
  } finally {
    // Who has heard enough begins nothing more, and what still comes is told to nobody.
    isOver = true;
    waiting.length = 0;
  }
}

function workerOf(settings: RunSettings): Worker {
  const file = `./play-worker.node${extname(import.meta.filename)}`;
  return new Worker(new URL(file, import.meta.url), { workerData: settings });
}
