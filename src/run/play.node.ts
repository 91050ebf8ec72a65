// What a thread does with a scenario file: reads it, and plays what it says.
import { randomUUID } from "node:crypto";
import { driverOf } from "../drivers/by-name.node.ts";
import { scenarioPart, type ScenarioPart } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { writeHistory } from "../scenario/history/write.ts";
import { sizeOf, type RunSize } from "../scenario/plan/size.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Scenario } from "../scenario/types.ts";
import type { Result } from "../scenario/verdict.ts";
import { historyFolder, type HistoryFolder } from "./history-folder.node.ts";
import { patternsMet, variantsMeant } from "./only.ts";
import { compares, runsOf, type Run } from "./pipeline.ts";
import { runOverStore } from "./run-over-store.node.ts";
import { besideFile, type Source } from "./scenario-files.node.ts";
import { toldOf, type Told } from "./told.ts";

export interface RunSettings {
  readonly seed: number;
  readonly only: readonly string[]; // patterns; none: everything
  readonly histories: string | undefined; // a folder
  readonly store?: string | undefined; // an address; undefined: memory alone
  readonly isDigested?: boolean; // what happened is also told as a digest
  readonly isDrawn?: boolean; // and as a report tells it
}

/** What goes to a thread, and what comes back: nothing but data, because it crosses threads. */
export interface Work {
  readonly kind: "read" | "play";
  readonly source: Source;
}

export interface Read extends Told {
  /** Null where there is a fault, or where nothing of the scenario is meant. */
  readonly id: string | null;
  readonly patternsMet: readonly string[]; // of `only`
  readonly size: RunSize | null; // of what is meant
}

export interface Played {
  readonly results: readonly Result[];
  readonly digests: readonly string[]; // one a result, or none at all
  readonly tookMs: readonly number[]; // one a result
  readonly part: ScenarioReport | null; // of the report
  readonly fault: string | null; // why its histories could not be kept
}

export interface Player {
  readonly read: (source: Source) => Read;
  readonly play: (source: Source) => Promise<Played>;
}

export function player(settings: RunSettings): Player {
  const { seed, only, histories, store, isDigested = false, isDrawn = false } = settings;
  // What speaks to Redis is loaded where there is one: most runs have none.
  const replaying =
    store === undefined
      ? null
      : import("../drivers/replay.node.ts").then(({ replayStore }) =>
          replayStore(store, `${randomUUID()}:`),
        );
  const driver = driverOf("virtual");
  const folder = historyFolder(histories);
  const known = new Map<string, Scenario | null>();
  const meantOf = (scenario: Scenario): ReadonlySet<string> | null => variantsMeant(scenario, only);
  const read = ({ file, text }: Source): Read => {
    const { scenario, problems } = decode(file, text, besideFile(file));
    known.set(file, scenario);
    const meant = scenario === null ? null : meantOf(scenario);
    if (scenario === null || meant === null)
      return { id: null, patternsMet: [], size: null, ...toldOf(problems) };
    const { id, variants } = scenario;
    const chosen = variants.filter(({ name }) => meant.has(name));
    const isKeptWhole = chosen.some(compares);
    const size = sizeOf({ variants: isKeptWhole ? variants : chosen }, isKeptWhole);
    return { id, patternsMet: patternsMet(scenario, only), size, ...toldOf(problems) };
  };
  return {
    read,
    play: async (source) => {
      // Another thread may have read it: then the same text is read again.
      if (!known.has(source.file)) read(source);
      const scenario = known.get(source.file) ?? null;
      const meant = scenario === null ? null : meantOf(scenario);
      if (scenario === null || meant === null)
        throw new Error(`${source.file} has nothing to play`);
      known.delete(source.file);
      try {
        const variants = scenario.variants.filter(({ name }) => meant.has(name));
        const runs =
          replaying === null
            ? runsOf(scenario, variants, seed, await driver)
            : (await runOverStore(await replaying, scenario, seed)).runs.filter(({ variant }) =>
                meant.has(variant.name),
              );
        const part = isDrawn ? scenarioPart(scenario, variants, source.text) : null;
        return await told(runs, part, folder, isDigested);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`${scenario.id}: ${message}`, { cause: error });
      }
    },
  };
}

/** Of each run what is asked for; its history is let go with it. */
async function told(
  runs: Iterable<Run> | AsyncIterable<Run>,
  part: ScenarioPart | null,
  folder: HistoryFolder,
  isDigested: boolean,
): Promise<Played> {
  const results: Result[] = [];
  const digests: string[] = [];
  const tookMs: number[] = [];
  let fault: string | null = null;
  let before = performance.now();
  for await (const run of runs) {
    const now = performance.now();
    tookMs.push(now - before);
    before = now;
    fault ??= folder.keep(run.history);
    if (isDigested) digests.push(digest(writeHistory(run.history)));
    part?.add(run);
    results.push(run.result);
  }
  return { results, digests, tookMs, part: part?.end() ?? null, fault };
}
