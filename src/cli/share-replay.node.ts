// A replay on several machines. Each worker reads the logs and decides the requests of its share of the clients. The
// command also reads the logs, for all results that need no decision, and adds the results of the shares.
import { resolve } from "node:path";
import type { ShareOut } from "../kit/pool.node.ts";
import { Failure, isFailure, requireValue } from "../kit/reading/failure.ts";
import { many } from "../kit/reading/legible.ts";
import { describeFile, whyNotSame, type DescribedFile } from "../kit/reading/same-file.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { canReopen, type LogSource } from "../studies/replay/log-source.node.ts";
import {
  replayLogs,
  type ReplayOutcome,
  type ReplayProgress,
  type RequestConsumer,
} from "../studies/replay/replay-logs.node.ts";
import type { DecidedShare, ReplayQuestion } from "../studies/replay/replay.ts";
import type { ReplayShare } from "../studies/replay/share.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import type { Arguments } from "./arguments.ts";
import { replayQuestion } from "./replay-question.ts";
import { REPLAY_THREADS } from "./replay-threads.node.ts";

/** Maximum number of shares. With more, machines would spend most of their time reading the logs. */
const MOST_SHARES = 64;

/** Settings that are sent to each thread once. */
export interface ReplaySettings {
  readonly args: Arguments;
  readonly worlds: ReadonlyMap<string, string>; // texts of world files, by file name
  readonly seed: number;
  readonly sources: readonly LogSource[];
  readonly files: readonly DescribedFile[];
}

/** Returns the function that decides one share on this machine. Throws if its logs are missing or different. */
export async function startShares({
  args,
  worlds: texts,
  seed,
  sources,
  files,
}: ReplaySettings): Promise<(share: ReplayShare) => Promise<DecidedShare>> {
  for (const file of files) {
    const why = await whyNotSame(file);
    if (why !== null) throw new Error(why);
  }
  const worlds = new Map(
    [...texts].map(([file, text]) => [file, readWorldFile({ file, text }).configuration!]),
  );
  return async (share) => {
    const question = { ...requireValue(replayQuestion(args, worlds, seed)), share };
    // One thread, because the other threads of this machine work on other shares.
    const size = { threads: 1 };
    const { replay } = requireValue(await replayLogs(sources, question, NEVER, null, size));
    return replay.takeShare();
  };
}

const NEVER = { isStopped: () => false, stop: new Promise<never>(() => {}), report: () => {} };

/** Returns null if other machines can read the logs, else the problem. */
export function whyNotShared(sources: readonly LogSource[]): string | null {
  const [once] = sources.filter((source) => !canReopen(source));
  if (once === undefined) return null;
  const what =
    once.sql === undefined ? (once.name === "-" ? "standard input" : once.name) : "--sql";
  return `--queue needs files that all machines have under one path; save ${what} as a file`;
}

interface SharedReplay {
  readonly settings: Omit<ReplaySettings, "sources" | "files">;
  readonly sources: readonly LogSource[];
  readonly question: ReplayQuestion;
  readonly progress: ReplayProgress;
  readonly also: ((isWholeSeconds: boolean) => RequestConsumer) | null;
  readonly onDone: (line: string) => void;
}

/** Returns the total of all shares, or `stopped` if an interruption left shares undecided. */
export async function shareReplay(
  { settings, sources, question, progress, also, onDone }: SharedReplay,
  share: ShareOut,
  countThreads: () => Promise<number>,
): Promise<ReplayOutcome | Failure | "stopped"> {
  const absolute = sources.map((source) => ({ ...source, name: resolve(source.name) }));
  const files: DescribedFile[] = [];
  try {
    for (const { name } of absolute) {
      if (progress.isStopped()) return "stopped";
      files.push(await describeFile(name));
    }
  } catch (error) {
    return new Failure(`${absolute[files.length]!.name}: ${whyUnreadable(error)}`);
  }
  // Each share costs a reading of all lines, so the logs have only as many shares as threads run at the same time.
  const of = Math.min(MOST_SHARES, Math.max(1, await countThreads()));
  const shares: ReplayShare[] = Array.from({ length: of }, (_, index) => ({ index, of }));
  const decided: DecidedShare[] = [];
  const over = Promise.withResolvers<"stop">();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    over.resolve("stop");
  };
  const reading = replayLogs(
    sources,
    { ...question, share: "none" },
    {
      isStopped: () => isOver || progress.isStopped(),
      stop: Promise.race([progress.stop, over.promise]),
      report: progress.report,
    },
    also,
  ).then((outcome) => {
    if (isFailure(outcome)) end();
    return outcome;
  });
  let done = 0;
  const deciding = share({
    pieces: shares.entries(),
    mostThreads: of,
    threads: REPLAY_THREADS,
    settings: { ...settings, sources: absolute, files } satisfies ReplaySettings,
    stop: Promise.race([progress.stop, over.promise]),
    onDone: (answer, index) => {
      decided[index] = answer as DecidedShare;
      onDone(`${++done} of ${many(of, "share")}`);
    },
  }).catch((error: unknown) => {
    end();
    throw error;
  });
  const [outcome] = await Promise.all([reading, deciding]);
  if (isFailure(outcome)) return outcome;
  if (done < of) return "stopped";
  for (const each of decided) outcome.replay.add(each);
  return outcome;
}
