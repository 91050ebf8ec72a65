// What a thread does with a scenario file: reads it, and runs its variants.
import { randomUUID } from "node:crypto";
import { driverOf } from "../drivers/by-name.node.ts";
import { areSmall } from "./small-variants.ts";
import { scenarioPart, type ReportedRun, type ScenarioPart } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { writeHistory } from "../scenario/history/write.ts";
import { sizeOf, type RunSize } from "../scenario/plan/size.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Scenario } from "../scenario/types.ts";
import type { Result } from "../scenario/verdict.ts";
import { historyFolder, type HistoryFolder } from "./history-folder.node.ts";
import { matchingPatterns, selectVariants } from "./variant-patterns.ts";
import { needsOtherVariants, runsOf } from "./pipeline.ts";
import { runOverStore } from "./run-over-store.node.ts";
import { traceReaderFor, type SourceFile } from "./scenario-files.node.ts";
import { problemLinesOf, type ProblemLines } from "../../kit/reading/source.ts";

export interface RunSettings {
  readonly seed: number;
  readonly only: readonly string[]; // patterns; none: everything
  readonly histories: string | undefined; // a folder
  readonly store?: string | undefined; // an address; undefined: only memory
  readonly hasDigests?: boolean; // a digest of each history is wanted
  readonly hasReport?: boolean; // the part of a report is wanted
}

/** Messages to and from a thread: only data, because it is copied. */
export interface FileWork {
  readonly kind: "read" | "run";
  readonly source: SourceFile;
}

export interface FileSummary extends ProblemLines {
  /** Null if there is an error, or if nothing of the scenario is selected. */
  readonly id: string | null;
  readonly matchingPatterns: readonly string[]; // of `only`
  readonly size: RunSize | null; // of the selected variants
  readonly isSmall: boolean; // no variant keeps a thread busy for long
}

export interface FileRun {
  readonly results: readonly Result[];
  readonly digests: readonly string[]; // one a result, or none at all
  readonly tookMs: readonly number[]; // one a result
  readonly part: ScenarioReport | null; // of the report
  readonly problem: string | null; // why its histories could not be saved
  readonly unreachable?: string | null; // why nothing more can be sent to a target
}

interface FileRunner {
  readonly read: (source: SourceFile) => FileSummary;
  readonly run: (source: SourceFile) => Promise<FileRun>;
}

export function createFileRunner(settings: RunSettings): FileRunner {
  const { seed, only, histories, store, hasDigests = false, hasReport = false } = settings;
  // The client for Redis is loaded only if it is needed: most runs have no Redis.
  const replaying =
    store === undefined
      ? null
      : import("../drivers/replay.node.ts").then(({ replayStore }) =>
          replayStore(store, `${randomUUID()}:`),
        );
  const driver = driverOf("virtual");
  const folder = historyFolder(histories);
  const decoded = new Map<string, Scenario | null>();
  const selectIn = (scenario: Scenario): ReadonlySet<string> | null =>
    selectVariants(scenario, only);
  const read = ({ file, text }: SourceFile): FileSummary => {
    const { scenario, problems } = decode(file, text, traceReaderFor(file));
    decoded.set(file, scenario);
    const selected = scenario === null ? null : selectIn(scenario);
    if (scenario === null || selected === null)
      return {
        id: null,
        matchingPatterns: [],
        size: null,
        isSmall: true,
        ...problemLinesOf(problems),
      };
    const { id, variants } = scenario;
    const chosen = variants.filter(({ name }) => selected.has(name));
    const needsAll = chosen.some(needsOtherVariants);
    const running = needsAll ? variants : chosen;
    const size = sizeOf({ variants: running }, needsAll);
    return {
      id,
      matchingPatterns: matchingPatterns(scenario, only),
      size,
      isSmall: areSmall(running),
      ...problemLinesOf(problems),
    };
  };
  return {
    read,
    run: async (source) => {
      // Another thread may have read it: then the same text is read again.
      if (!decoded.has(source.file)) read(source);
      const scenario = decoded.get(source.file) ?? null;
      const selected = scenario === null ? null : selectIn(scenario);
      if (scenario === null || selected === null)
        throw new Error(`${source.file} has nothing to run`);
      decoded.delete(source.file);
      try {
        const variants = scenario.variants.filter(({ name }) => selected.has(name));
        const runs =
          replaying === null
            ? runsOf(scenario, variants, seed, await driver)
            : (await runOverStore(await replaying, scenario, seed)).filter(({ variant }) =>
                selected.has(variant.name),
              );
        const part = hasReport ? scenarioPart(scenario, variants, source.text) : null;
        return await collectRuns(runs, part, folder, hasDigests);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`${scenario.id}: ${message}`, { cause: error });
      }
    },
  };
}

/** Collects the wanted parts of each run; the history is released with the run. */
async function collectRuns(
  runs: Iterable<ReportedRun> | AsyncIterable<ReportedRun>,
  part: ScenarioPart | null,
  folder: HistoryFolder,
  hasDigests: boolean,
): Promise<FileRun> {
  const results: Result[] = [];
  const digests: string[] = [];
  const tookMs: number[] = [];
  let problem: string | null = null;
  let before = performance.now();
  for await (const run of runs) {
    const now = performance.now();
    tookMs.push(now - before);
    before = now;
    if (run.history !== null) {
      problem ??= folder.save(run.history);
      if (hasDigests) digests.push(digest(writeHistory(run.history)));
    }
    part?.add(run);
    results.push(run.result);
  }
  return { results, digests, tookMs, part: part?.end() ?? null, problem };
}
