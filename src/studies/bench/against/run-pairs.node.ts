// Measures two versions in one run: pairs of new processes, one of each version, whose repeats follow each other
// directly and in a new random order. A slow phase of the machine slows both. A process that is slow for its whole life
// affects only one pair.
import { rng, type Rng } from "../../../kit/chance/rng.ts";
import { isFailure, requireValue } from "../../../kit/reading/failure.ts";
import { buildLoadMeasurer, type MeasureOptions } from "../measure-load.node.ts";
import { Stop, type EndReason } from "../ending.node.ts";
import { errorsOf, type LoadFigures } from "../load/load.ts";
import { watchOthers } from "../resources/processes.node.ts";
import { metricsOf } from "../resources/usage.ts";
import { measureCapacity, needsCapacity } from "../run-suite.node.ts";
import type { BenchServer } from "../servers.node.ts";
import { openStage, type BenchStage } from "../stage.node.ts";
import { shuffle } from "../../../kit/stats/summary.ts";
import type { BenchSubject } from "../subjects.ts";
import type { Pin } from "../pin.node.ts";
import { warmUpOf } from "./design.ts";
import type { PairRepeat, PairSide } from "./result.ts";

/** The servers of one cell: one of each version. */
interface TwoSubjects {
  readonly base: BenchSubject;
  readonly head: BenchSubject;
}

export interface PairOrders extends Omit<MeasureOptions, "target"> {
  readonly cells: readonly TwoSubjects[];
  /** Each control is measured once in each round of each pair, with one process for a whole batch. */
  readonly controls: readonly BenchSubject[];
  readonly pairs: number;
  readonly rounds: number;
  /** The number of pairs of a cell whose processes run at the same time. They are measured in turn. */
  readonly batch: number;
  readonly capacity: number | null; // null: the run measures it
  readonly pin: Pin;
  readonly weir: string; // the file of the command that serves, unless a subject names another one
  readonly onPhase: (phase: string) => void;
  readonly onMissing: (subject: BenchSubject, why: string) => void;
  readonly onMeasured: (repeat: PairRepeat, figures: LoadFigures) => void;
  /** Called after each batch. Returns whether the run needs no further pair. */
  readonly isEnough: (repeats: readonly PairRepeat[], pairs: number) => boolean;
}

export interface PairsRun {
  readonly capacity: number | null; // null: the run ended before it was measured
  readonly repeats: readonly PairRepeat[];
  /** Pairs whose cells were all measured completely. */
  readonly pairs: number;
  readonly isEnough: boolean;
  readonly redis: string | null; // version of Redis
  /** Batches that other processes disturbed, the number of all batches, and the first message about a disturbance. */
  readonly busy: { readonly batches: number; readonly of: number; readonly first: string | null };
  readonly stopped: EndReason | null;
}

/** Measures all pairs. Calls `save` before it stops any process, because stopping can take time. */
export async function runPairs<Saved>(
  orders: PairOrders,
  save: (ran: PairsRun) => Saved,
): Promise<Saved> {
  const run: RunState = { capacity: orders.capacity, redis: null, pairs: 0, repeats: [], busy: [] };
  const subjects = [...orders.cells.flatMap(({ base, head }) => [base, head]), ...orders.controls];
  let stage: BenchStage | null = null;
  try {
    stage = await openStage({ ...orders, subjects, target: null });
    run.redis = (await stage.redis?.version()) ?? null;
    const isEnough = await measure(orders, stage, run);
    return save({ ...summarize(run), isEnough, stopped: null });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return save({ ...summarize(run), isEnough: false, stopped: error.reason });
  } finally {
    await stage?.stop();
  }
}

interface RunState {
  capacity: number | null;
  redis: string | null;
  pairs: number;
  readonly repeats: PairRepeat[];
  readonly busy: (string | null)[]; // for each batch: why it was busy, or null
}

const summarize = ({ busy, ...run }: RunState): Omit<PairsRun, "isEnough" | "stopped"> => {
  const reasons = busy.filter((why) => why !== null);
  return { ...run, busy: { batches: reasons.length, of: busy.length, first: reasons[0] ?? null } };
};

async function measure(orders: PairOrders, stage: BenchStage, run: RunState): Promise<boolean> {
  const { pairs, cells, seed, batch } = orders;
  const startedMs = performance.now();
  const measureLoad = buildLoadMeasurer(stage, { ...orders, target: null });
  const subjects = [...orders.cells.map(({ head }) => head), ...orders.controls];
  if (run.capacity === null && needsCapacity({ subjects, target: null }))
    run.capacity = await measureCapacity(orders, stage, measureLoad);
  const order = rng(seed, "bench/against/order");
  const context: PairContext = {
    orders,
    stage,
    run,
    measureLoad,
    order,
    startedMs,
    capacity: run.capacity,
  };
  let start = 0;
  for (let first = 0; first < pairs; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, pairs - first) }, (_, at) => first + at);
    for (const cell of shuffle(cells, order.int)) {
      await measureBatch(cell, numbers, start, context);
      start += 2 * numbers.length + orders.controls.length;
    }
    run.pairs = first + numbers.length;
    if (orders.isEnough(run.repeats, run.pairs)) return true;
  }
  return false;
}

interface PairContext {
  readonly orders: PairOrders;
  readonly stage: BenchStage;
  readonly run: RunState;
  readonly measureLoad: ReturnType<typeof buildLoadMeasurer>;
  readonly order: Rng;
  readonly startedMs: number;
  readonly capacity: number | null; // null: no limit and no load depends on the capacity
}

interface ServedSubject {
  readonly subject: BenchSubject;
  readonly served: BenchServer;
  readonly start: number;
  readonly side: PairSide | null;
  readonly pair: number;
}

async function measureBatch(
  cell: TwoSubjects,
  numbers: readonly number[],
  firstStart: number,
  context: PairContext,
): Promise<void> {
  const { orders, stage, run, order } = context;
  const { suite, rounds, controls } = orders;
  const pairs: (readonly [ServedSubject, ServedSubject])[] = [];
  let start = firstStart;
  for (const pair of numbers) {
    const sides = shuffle(["base", "head"] as const, order.int);
    const two = sides.map(async (side, at) => {
      const served = await startSubject(cell[side], context);
      return { subject: cell[side], served, start: start + at, side, pair };
    });
    start += two.length;
    const [one, other] = await orders.ending.orEnd(Promise.all(two));
    pairs.push([one!, other!]);
  }
  const controlProcesses: ServedSubject[] = [];
  for (const subject of controls) {
    const served = await orders.ending.orEnd(stage.start(subject, context.capacity));
    if (isFailure(served)) orders.onMissing(subject, served.message);
    else controlProcesses.push({ subject, served, start: start++, side: null, pair: -1 });
  }
  const all = [...pairs.flat(), ...controlProcesses];
  const others = await watchOthers([...stage.pids, ...all.map(({ served }) => served.pid)]);
  try {
    const warmUp = warmUpOf(suite);
    for (let round = 0; round <= rounds; round++) {
      const isWarmUp = round === 0;
      for (const pair of shuffle(pairs, order.int)) {
        const number = pair[0].pair;
        const turns = [
          ...shuffle(pair, order.int),
          ...shuffle(controlProcesses, order.int).map((one) => ({ ...one, pair: number })),
        ];
        for (const [turn, up] of turns.entries())
          await measureRepeat(
            { up, round, turn, isWarmUp, lastsUs: isWarmUp ? warmUp : suite.lastsUs },
            context,
          );
      }
    }
  } finally {
    run.busy.push(await others.busyReason());
  }
  await Promise.all(all.map(({ served }) => served.stop()));
}

async function startSubject(
  subject: BenchSubject,
  { stage, capacity }: Pick<PairContext, "stage" | "capacity">,
): Promise<BenchServer> {
  return requireValue(await stage.start(subject, capacity));
}

interface Turn extends Pick<PairRepeat, "round" | "turn" | "isWarmUp"> {
  readonly up: ServedSubject;
  readonly lastsUs: Parameters<ReturnType<typeof buildLoadMeasurer>>[0]["lastsUs"];
}

async function measureRepeat(
  { up, round, turn, isWarmUp, lastsUs }: Turn,
  { orders, run, measureLoad, startedMs, capacity }: PairContext,
): Promise<void> {
  const { subject, served, start, side, pair } = up;
  const atSeconds = (performance.now() - startedMs) / 1_000;
  const { figures, used } = await measureLoad({ subject, served, lastsUs, round: pair, capacity });
  const repeat: PairRepeat = {
    cell: subject.name,
    side,
    pair,
    start,
    round,
    turn,
    isWarmUp,
    atSeconds,
    lastedSeconds: used.tookUs / 1e6,
    answers: figures.answers,
    errors: errorsOf(figures),
    gatewayCpuUs: used.gatewayCpuUs,
    loadCpuUs: used.loadCpuUs,
    metrics: metricsOf(figures, used),
  };
  run.repeats.push(repeat);
  orders.onMeasured(repeat, figures);
}
