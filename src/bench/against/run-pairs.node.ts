// Two versions, measured in one run: pairs of fresh processes, one of each version, whose repeats follow each other at once and in
// an order drawn anew. What slows the machine for a while slows both; what makes one process slow for its whole life is gone
// with it.
import { rng, type Rng } from "../../chance/rng.ts";
import { asking, type Asking } from "../asking.node.ts";
import { Stop, type Ended } from "../ending.node.ts";
import { errorsOf, type LoadFigures } from "../load/load.ts";
import { watchOthers } from "../resources/processes.node.ts";
import { metricsOf } from "../resources/used.ts";
import { capacityOf } from "../run-suite.node.ts";
import type { Served } from "../served.node.ts";
import { openStage, type Stage } from "../stage.node.ts";
import { shuffled } from "../../stats/summary.ts";
import type { Subject } from "../subjects.ts";
import type { Pin } from "../pin.node.ts";
import { warmUpOf } from "./design.ts";
import type { PairRepeat, Side } from "./result.ts";

/** A cell as both versions serve it. */
export interface TwoSubjects {
  readonly base: Subject;
  readonly head: Subject;
}

export interface PairOrders extends Omit<Asking, "target"> {
  readonly cells: readonly TwoSubjects[];
  /** Measured once in each round of each pair; one process of each serves for a whole batch. */
  readonly controls: readonly Subject[];
  readonly pairs: number;
  readonly rounds: number;
  /** So many pairs of a cell are up at once, and take turns. */
  readonly batch: number;
  readonly capacity: number | null; // null: it is measured
  readonly pin: Pin;
  readonly weir: string; // the file of the command that serves, where a subject names no other
  readonly onPhase: (phase: string) => void;
  readonly onMissing: (subject: Subject, why: string) => void;
  readonly onMeasured: (repeat: PairRepeat, figures: LoadFigures) => void;
  /** After each batch: whether all that was wanted is known. */
  readonly isEnough: (repeats: readonly PairRepeat[], pairs: number) => boolean;
}

export interface PairsRan {
  readonly capacity: number | null; // null: it ended before it was known
  readonly repeats: readonly PairRepeat[];
  /** All of whose cells were measured to the end. */
  readonly pairs: number;
  readonly isEnough: boolean;
  readonly redis: string | null; // its version
  /** In so many batches others took too much of the machine, and how much that was in one of them. */
  readonly busy: { readonly batches: number; readonly of: number; readonly first: string | null };
  readonly stopped: Ended | null;
}

/** `keep` is called before anything is stopped, which may take its time. */
export async function runPairs<Kept>(
  orders: PairOrders,
  keep: (ran: PairsRan) => Kept,
): Promise<Kept> {
  const run: Run = { capacity: orders.capacity, redis: null, pairs: 0, repeats: [], busy: [] };
  const subjects = [...orders.cells.flatMap(({ base, head }) => [base, head]), ...orders.controls];
  let stage: Stage | null = null;
  try {
    stage = await openStage({ ...orders, subjects, target: null });
    run.redis = (await stage.redis?.version()) ?? null;
    const isEnough = await measure(orders, stage, run);
    return keep({ ...summarize(run), isEnough, stopped: null });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return keep({ ...summarize(run), isEnough: false, stopped: error.ended });
  } finally {
    await stage?.stop();
  }
}

interface Run {
  capacity: number | null;
  redis: string | null;
  pairs: number;
  readonly repeats: PairRepeat[];
  readonly busy: (string | null)[]; // by batch
}

const summarize = ({ busy, ...run }: Run): Omit<PairsRan, "isEnough" | "stopped"> => {
  const reasons = busy.filter((why) => why !== null);
  return { ...run, busy: { batches: reasons.length, of: busy.length, first: reasons[0] ?? null } };
};

async function measure(orders: PairOrders, stage: Stage, run: Run): Promise<boolean> {
  const { pairs, cells, seed, batch } = orders;
  const startedMs = performance.now();
  const ask = asking(stage, { ...orders, target: null });
  run.capacity ??= await capacityOf(orders, stage, ask);
  const order = rng(seed, "bench/against/order");
  const measuring: Measuring = {
    orders,
    stage,
    run,
    ask,
    order,
    startedMs,
    capacity: run.capacity,
  };
  let start = 0;
  for (let first = 0; first < pairs; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, pairs - first) }, (_, at) => first + at);
    for (const cell of shuffled(cells, order.int)) {
      await measureBatch(cell, numbers, start, measuring);
      start += 2 * numbers.length + orders.controls.length;
    }
    run.pairs = first + numbers.length;
    if (orders.isEnough(run.repeats, run.pairs)) return true;
  }
  return false;
}

interface Measuring {
  readonly orders: PairOrders;
  readonly stage: Stage;
  readonly run: Run;
  readonly ask: ReturnType<typeof asking>;
  readonly order: Rng;
  readonly startedMs: number;
  readonly capacity: number;
}

interface Up {
  readonly subject: Subject;
  readonly served: Served;
  readonly start: number;
  readonly side: Side | null;
  readonly pair: number;
}

async function measureBatch(
  cell: TwoSubjects,
  numbers: readonly number[],
  firstStart: number,
  measuring: Measuring,
): Promise<void> {
  const { orders, stage, run, order } = measuring;
  const { suite, rounds, controls } = orders;
  const pairs: (readonly [Up, Up])[] = [];
  let start = firstStart;
  for (const pair of numbers) {
    const sides = shuffled(["base", "head"] as const, order.int);
    const two = sides.map(async (side, at) => {
      const served = await startSubject(cell[side], measuring);
      return { subject: cell[side], served, start: start + at, side, pair };
    });
    start += two.length;
    const [one, other] = await orders.ending.orEnd(Promise.all(two));
    pairs.push([one!, other!]);
  }
  const beside: Up[] = [];
  for (const subject of controls) {
    const served = await orders.ending.orEnd(stage.start(subject, measuring.capacity));
    if ("missing" in served) orders.onMissing(subject, served.missing);
    else beside.push({ subject, served, start: start++, side: null, pair: -1 });
  }
  const all = [...pairs.flat(), ...beside];
  const others = await watchOthers([...stage.pids, ...all.map(({ served }) => served.pid)]);
  try {
    const warmUp = warmUpOf(suite);
    for (let round = 0; round <= rounds; round++) {
      const isWarmUp = round === 0;
      for (const pair of shuffled(pairs, order.int)) {
        const number = pair[0].pair;
        const turns = [
          ...shuffled(pair, order.int),
          ...shuffled(beside, order.int).map((one) => ({ ...one, pair: number })),
        ];
        for (const [turn, up] of turns.entries())
          await measureRepeat(
            { up, round, turn, isWarmUp, lastsUs: isWarmUp ? warmUp : suite.lastsUs },
            measuring,
          );
      }
    }
  } finally {
    run.busy.push(await others.told());
  }
  await Promise.all(all.map(({ served }) => served.stop()));
}

async function startSubject(
  subject: Subject,
  { stage, capacity }: Pick<Measuring, "stage" | "capacity">,
): Promise<Served> {
  const served = await stage.start(subject, capacity);
  if ("missing" in served) throw new Error(served.missing);
  return served;
}

interface Turn extends Pick<PairRepeat, "round" | "turn" | "isWarmUp"> {
  readonly up: Up;
  readonly lastsUs: Parameters<ReturnType<typeof asking>>[0]["lastsUs"];
}

async function measureRepeat(
  { up, round, turn, isWarmUp, lastsUs }: Turn,
  { orders, run, ask, startedMs, capacity }: Measuring,
): Promise<void> {
  const { subject, served, start, side, pair } = up;
  const atSeconds = (performance.now() - startedMs) / 1_000;
  const { figures, used } = await ask({ subject, served, lastsUs, round: pair, capacity });
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
