// The work of a thread: reads a scenario file, and runs its variants.
import { randomUUID } from "node:crypto";
import { driverOf } from "../drivers/by-name.node.ts";
import { scenarioPart, type ReportedRun, type ScenarioPart } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { writeHistory } from "../scenario/history/write.ts";
import { sizeOf, type RunSize, countPlannedRequests } from "../scenario/plan/size.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { type Result, worst, type ReportedVerdict } from "../scenario/verdict.ts";
import { historyFolder, type HistoryFolder } from "./history-folder.node.ts";
import { matchingPatterns, selectVariants } from "./variant-patterns.ts";
import {
  needsOtherVariants,
  runsOf,
  checkHistories,
  resultWithoutHistory,
  type VariantHistory,
} from "./pipeline.ts";
import { rulesReaderFor, traceReaderFor, type SourceFile } from "./scenario-files.node.ts";
import { problemLinesOf, type ProblemLines } from "../../kit/reading/source.ts";
import { SECOND } from "../../kit/units.ts";
import { durationUs } from "../drivers/support.ts";
import { countGateways } from "../scenario/fault.ts";
import { reasonsAgainstRedis } from "../drivers/offers.ts";
import type { Difference, Replayed, ReplayStore } from "../drivers/replay.node.ts";
import { plan } from "../scenario/plan/plan.ts";

export interface RunSettings {
  readonly seed: number;
  readonly only: readonly string[]; // patterns; empty: everything
  readonly histories: string | undefined; // folder in which to save them
  readonly store?: string | undefined; // address of a store; undefined: only memory
  readonly hasDigests?: boolean; // whether to digest each history
  readonly hasReport?: boolean; // whether to build the part of a report
}

/** Messages to and from a thread. They contain only data, because threads copy messages. */
export interface FileWork {
  readonly kind: "read" | "run";
  readonly source: SourceFile;
}

export interface FileSummary extends ProblemLines {
  /** Null if the file has an error or nothing of its scenario is selected. */
  readonly id: string | null;
  readonly matchingPatterns: readonly string[]; // patterns of `only` that match
  readonly size: RunSize | null; // size of the selected variants
  readonly isSmall: boolean; // whether the selected variants take little time
}

export interface FileRun {
  readonly results: readonly Result[];
  readonly digests: readonly string[]; // one for each result, or empty
  readonly tookMs: readonly number[]; // one for each result
  readonly part: ScenarioReport | null; // part of the report
  readonly problem: string | null; // why histories could not be saved
  readonly unreachable?: string | null; // why no more requests can be sent to the target
}

interface FileRunner {
  readonly read: (source: SourceFile) => FileSummary;
  readonly run: (source: SourceFile) => Promise<FileRun>;
}

export function createFileRunner(settings: RunSettings): FileRunner {
  const { seed, only, histories, store, hasDigests = false, hasReport = false } = settings;
  // The Redis client is loaded only when needed, because most runs use no Redis.
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
    const { scenario, problems } = decode(file, text, traceReaderFor(file), rulesReaderFor(file));
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
      // If another thread read the file before, this thread reads the same text again.
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

/** Collects the requested parts of each run and releases its history. */
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

const FEW_REQUESTS = 5_000;
const FEW_CLIENTS = 10_000;
/** The most virtual time of a small run, summed over its gateways: heartbeats need work even without requests. */
const BRIEF_US = 3_600 * SECOND;

const areSmall = (variants: readonly Variant[]): boolean =>
  variants.every(sendsAsPlanned) &&
  sum(variants, countPlannedRequests) <= FEW_REQUESTS &&
  sum(variants, countClients) <= FEW_CLIENTS &&
  sum(variants, gatewayUs) <= BRIEF_US;

/** True if clients send exactly the plan: retries add requests, and sequential clients send at other times. */
const sendsAsPlanned = ({ traffic }: Variant): boolean =>
  traffic.every(({ behaviour, isSequential }) => behaviour.kind === "ignore" && !isSequential);

const countClients = ({ traffic }: Variant): number =>
  traffic.reduce((all, { clients }) => all + clients, 0);

const gatewayUs = (variant: Variant): number =>
  durationUs(variant) * countGateways(variant.world.environment.nodes, variant.faults);

const sum = (variants: readonly Variant[], of: (variant: Variant) => number): number =>
  variants.reduce((all, variant) => all + of(variant), 0);

/**
 * Runs the scenario over a store. A result fails if a decision differs from that of the memory store.
 */
async function runOverStore(
  store: ReplayStore,
  scenario: Scenario,
  seed: number,
): Promise<readonly ReportedRun[]> {
  const histories: (Replayed & VariantHistory)[] = [];
  for (const variant of scenario.variants)
    if (reasonsAgainstRedis(variant).length === 0)
      histories.push({ variant, ...(await store.play(variant, plan(variant, scenario.id, seed))) });
  const { runs } = checkHistories(scenario, histories);
  return scenario.variants.map((variant) => {
    const index = histories.findIndex((one) => one.variant === variant);
    if (index === -1) return runOfUnsupported(scenario, variant, seed);
    const run = runs[index]!;
    const { difference, operations } = histories[index]!;
    if (difference === null) return run;
    return { ...run, result: withDifference(run.result, difference, operations) };
  });
}

function runOfUnsupported(scenario: Scenario, variant: Variant, seed: number): ReportedRun {
  const result = resultWithoutHistory({ driver: "virtual", seed }, scenario, variant);
  return {
    variant,
    history: null,
    result: { ...result, unsupported: reasonsAgainstRedis(variant) },
  };
}

function withDifference(result: Result, difference: Difference, operations: number): Result {
  const verdict: ReportedVerdict = {
    expectation: `the store replies as memory does: ${difference.operation}`,
    line: 1,
    proves: [],
    outcome: "fail",
    observed: difference.observed,
    expected: difference.expected,
    examined: operations,
    evidence: [],
    evidenceTotal: 0,
    requests: [],
  };
  const verdicts = [...result.verdicts, verdict];
  return { ...result, outcome: worst(verdicts.map(({ outcome }) => outcome)), verdicts };
}
