// Runs scenarios in real time: another thread runs several worlds at a time, and this thread checks their histories.
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { RealName } from "../drivers/by-name.node.ts";
import type { Calibration } from "../drivers/calibrate.node.ts";
import type { Against, Offer } from "../drivers/driver.ts";
import { stretchVariant } from "../drivers/stretch.ts";
import { reasonsAgainst, type RealTimeOptions } from "../drivers/support.ts";
import type { History } from "../scenario/history.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import type { Variant } from "../scenario/types.ts";
import { keepRequestsYoung } from "../../gateway/http/young.node.ts";
import { historyFolder } from "./history-folder.node.ts";
import type { RunWatch } from "./run-threads.node.ts";
import type { FileRun, RunSettings } from "./file-runner.node.ts";
import {
  PATIENCE,
  reportRealRun,
  runUntilDecided,
  type RealOutcome,
  type RealReport,
} from "./real-results.ts";
import type { SourceFile } from "./scenario-files.node.ts";
import {
  areDecidedLate,
  longestFirst,
  selectScenarios,
  variantsApart,
  variantsToRun,
  type SelectedScenario,
} from "./select-scenarios.node.ts";
import { wholeAfterUs, whyNotWait } from "./whole-again.ts";

export interface RealSettings extends RunSettings, RealTimeOptions {
  readonly driver: RealName;
  readonly sample: number; // the most variants to run
  readonly isStretchFixed: boolean;
  /** Capabilities or drivers whose absence makes the run fail. */
  readonly required: ReadonlySet<string>;
  /** Which gateway the driver `remote` uses. */
  readonly against?: Against | undefined;
  /** Rules that the gateway claims, as options of Weir's gateway; unset: those of the world. */
  readonly model?: JsonMap | undefined;
}

export type RealWork =
  | { readonly kind: "calibrate"; readonly id: number }
  | {
      readonly kind: "run";
      readonly id: number;
      readonly source: SourceFile;
      readonly variant: string;
      readonly stretch: number;
    };

export type RealReply =
  | { readonly kind: "calibrated"; readonly id: number; readonly calibration: Calibration }
  | {
      readonly kind: "recorded";
      readonly id: number;
      readonly history: History;
      readonly isStoreLate: boolean;
    }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly why: string;
      readonly isUnreachable: boolean; // whether a target does not respond
    };

/** A line about a run that seems to hang. */
export interface RealNotice {
  readonly kind: "notice";
  readonly line: string;
}

/** The most worlds that run at once: with more, requests delay each other on a machine with two cores. */
const WORLDS_AT_A_TIME = 10;

export interface RealRunThread {
  readonly calibrate: () => Promise<Calibration>;
  readonly run: (sources: readonly SourceFile[], watch: RunWatch) => AsyncGenerator<FileRun, void>;
  readonly dismiss: () => Promise<void>;
}

export function startRealThread(settings: RealSettings, offer: Offer): RealRunThread {
  keepRequestsYoung(); // set here and in the threads that serve gateways
  const file = `./real-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(file, import.meta.url), { workerData: settings });
  const waiting = new Map<number, (answer: RealReply) => void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // the error reaches the caller that waits for a reply
  let notice: RunWatch["notice"];
  worker.on("message", (answer: RealReply | RealNotice) => {
    if (answer.kind === "notice") {
      notice?.(answer.line);
      return;
    }
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  worker.on("error", failed.reject);
  let nextId = 0;
  const sendWork: SendWork = (work) => {
    const id = nextId++;
    const answer = new Promise<RealReply>((resolve) => waiting.set(id, resolve));
    worker.postMessage({ ...work, id } satisfies RealWork, []);
    return Promise.race([answer, failed.promise]);
  };
  return {
    calibrate: async () => {
      const answer = await sendWork({ kind: "calibrate" });
      if (answer.kind !== "calibrated") throw new Error(`not a calibration: ${answer.kind}`);
      return answer.calibration;
    },
    run: (sources, watch) => {
      ({ notice } = watch);
      return runAll({ settings, offer, sendWork }, sources, watch);
    },
    dismiss: async () => void (await worker.terminate()),
  };
}

type SendWork = (
  work:
    | { readonly kind: "calibrate" }
    | {
        readonly kind: "run";
        readonly source: SourceFile;
        readonly variant: string;
        readonly stretch: number;
      },
) => Promise<RealReply>;

interface RealRun {
  readonly settings: RealSettings;
  readonly offer: Offer;
  readonly sendWork: SendWork;
}

/** Yields results in the order of the files, whichever file ends first. */
async function* runAll(
  run: RealRun,
  sources: readonly SourceFile[],
  { underWay, choosing, waitsFor, stop }: RunWatch,
): AsyncGenerator<FileRun, void> {
  // All scenarios use the same target gateway and its counters, so only one world runs at a time.
  const isTarget = run.settings.against?.kind === "target";
  const free = lanes(isTarget ? 1 : WORLDS_AT_A_TIME);
  const busy = new Set<string>();
  let isOver = false;
  let unreachable: string | null = null; // why no more requests are sent
  let wholeAtMs = 0; // when the target's limits are unused again, by `performance.now()`
  const folder = historyFolder(run.settings.histories);
  const runOnce = async (
    { source, scenario, selected }: SelectedScenario,
    settings: RealSettings,
  ): Promise<{ readonly outcomes: readonly RealOutcome[]; readonly report: RealReport }> => {
    const completed = await Promise.all(
      variantsToRun(scenario, selected).map(async (variant): Promise<RealOutcome | null> => {
        const reasons = reasonsAgainst(run.offer, scenario, variant, settings);
        if (reasons.length > 0) return { kind: "unsupported", variant, reasons };
        const release = await free();
        try {
          const waitMs = wholeAtMs - performance.now();
          const tooLong = whyNotWait(waitMs * 1_000);
          if (tooLong !== null) return { kind: "unsupported", variant, reasons: [tooLong] };
          if (!isOver && waitMs > 0) {
            waitsFor?.(waitMs * 1_000);
            await sleep(waitMs, undefined, { ref: false });
          }
          if (isOver) return null;
          busy.add(source.file);
          underWay(busy);
          const { stretch } = settings;
          const work = { kind: "run", source, variant: variant.name, stretch } as const;
          const answer = await run.sendWork(work);
          if (answer.kind === "failed" && answer.isUnreachable) {
            unreachable = answer.why;
            isOver = true;
            return null;
          }
          if (isTarget) {
            const usedUs = wholeAfterUs(stretchVariant(variant, stretch));
            wholeAtMs = Math.max(wholeAtMs, performance.now() + usedUs / 1_000);
          }
          return outcomeOf(variant, answer, stretch);
        } finally {
          release();
        }
      }),
    );
    const outcomes = completed.filter((outcome) => outcome !== null);
    return { outcomes, report: reportRealRun(settings, scenario, selected, outcomes, source.text) };
  };
  const runScenario = async (one: SelectedScenario): Promise<FileRun> => {
    const { settings } = run;
    // Lanes are assigned in order, so a repetition runs last, when the machine is less busy.
    const decided = await Promise.all(
      variantsApart(one).map((part) =>
        runUntilDecided({
          run: (by) => runOnce(part, settingsStretchedBy(run, part, by)),
          isOver: () => isOver,
          isDecidable: () => areDecidedLate(part, settings.seed),
          patience: isTarget ? [] : PATIENCE,
        }),
      ),
    );
    busy.delete(one.source.file);
    if (!isOver) underWay(busy);
    let problem: string | null = null;
    for (const { best } of decided)
      for (const outcome of best.outcomes)
        if (outcome.kind === "recorded" && one.selected.has(outcome.variant.name))
          problem ??= folder.save(outcome.history);
    const results = decided.flatMap(({ best, before }) =>
      best.report.results.map((result) =>
        before === 0 || result.outcome === "unsupported"
          ? result
          : { ...result, playedBefore: before },
      ),
    );
    const outcomes = decided.flatMap(({ best }) => best.outcomes);
    const isJoined = decided.length > 1 && settings.hasReport;
    const { part } = isJoined
      ? reportRealRun(settings, one.scenario, one.selected, outcomes, one.source.text)
      : (decided[0]?.best.report ?? { part: null });
    // In real time, a run takes as long as its traffic.
    const tookMs = results.map(({ virtualUs }) => virtualUs / 1_000);
    return { part, results, digests: [], tookMs, problem, unreachable };
  };
  try {
    if (run.settings.sample !== Number.POSITIVE_INFINITY) choosing?.();
    const all = await Promise.race([stop, selectScenarios(run, sources, () => isOver)]);
    if (all === "stop") return;
    const started = new Map(longestFirst(all).map((one) => [one, runScenario(one)]));
    for (const promise of started.values()) promise.catch(() => undefined); // handled where it is awaited
    for (const scenario of all) {
      const next = await Promise.race([stop, started.get(scenario)!]);
      if (next === "stop") return;
      yield next;
    }
  } finally {
    isOver = true;
  }
}

/**
 * The settings with the greatest stretch up to `by` that the scenario allows. Whole seconds cannot be stretched, and
 * `--max-duration` still applies. A given `--stretch` does not change, because some limiters fail at one speed only.
 */
function settingsStretchedBy(
  { settings, offer }: RealRun,
  { scenario, selected }: SelectedScenario,
  by: number,
): RealSettings {
  if (settings.isStretchFixed) return settings;
  const canRun = (slower: RealSettings): boolean =>
    variantsToRun(scenario, selected).every(
      (variant) =>
        reasonsAgainst(offer, scenario, variant, slower).length ===
        reasonsAgainst(offer, scenario, variant, settings).length,
    );
  for (let most = by; most > 1; most /= 2) {
    const slower = { ...settings, stretch: settings.stretch * most };
    if (canRun(slower)) return slower;
  }
  return settings;
}

function outcomeOf(variant: Variant, answer: RealReply, stretch: number): RealOutcome {
  if (answer.kind === "recorded") return { ...answer, variant, stretch };
  return {
    kind: "failed",
    variant,
    why: answer.kind === "failed" ? answer.why : "the driver returned no history",
  };
}

/** Returns a function that waits, in the order of its calls, for one of `count` lanes. Its result frees the lane. */
function lanes(count: number): () => Promise<() => void> {
  let free = count;
  const queue: (() => void)[] = [];
  const release = (): void => {
    const next = queue.shift();
    if (next === undefined) free++;
    else next();
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return release;
  };
}
