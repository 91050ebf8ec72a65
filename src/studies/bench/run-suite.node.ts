// Runs a suite, above `MOST_CELLS` cells in parts. In each round every cell of the part that started and every control
// has one repeat, in a new random order, so that a machine that warms up, throttles or is shared affects all alike.
import { availableParallelism } from "node:os";
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { type Failure, isFailure, requireValue } from "../../kit/reading/failure.ts";
import {
  buildLoadMeasurer,
  type LoadMeasurement,
  type RepeatOrder,
  type MeasureOptions,
} from "./measure-load.node.ts";
import { CAPACITY_REPEATS, MOST_CELLS, warmUpOf } from "./cells.ts";
import { describeErrors } from "./warnings.ts";
import { Stop, type EndReason } from "./ending.node.ts";
import { errorsOf, type LoadFigures, perSecondOf } from "./load/load.ts";
import type { Pin } from "./pin.node.ts";
import type { RoundClock } from "./round-clock.ts";
import { watchOthers } from "./resources/processes.node.ts";
import { metricsOf } from "./resources/usage.ts";
import type { BenchRepeat } from "./result.ts";
import type { BenchServer } from "./servers.node.ts";
import { openStage, type BenchStage } from "./stage.node.ts";
import { shuffle } from "../../kit/stats/summary.ts";
import type { BenchSubject } from "./subjects.ts";
import type { Factors } from "./suite.ts";
import { dependsOnCapacity } from "./world-of.ts";

export interface SuiteOrders extends MeasureOptions {
  readonly subjects: readonly BenchSubject[];
  readonly capacity: number | null; // null: the run measures it
  readonly pin: Pin;
  readonly weir: string; // the file of the command `weir`
  readonly clock: RoundClock;
  readonly onDelay: (sentence: string) => void;
  readonly onPhase: (phase: string) => void;
  readonly onMissing: (subject: BenchSubject, why: string) => void;
  readonly onMeasured: (measured: MeasuredRepeat) => void;
}

interface MeasuredRepeat {
  readonly subject: BenchSubject;
  readonly repeat: BenchRepeat;
  readonly figures: LoadFigures;
}

export interface SuiteRun {
  readonly capacity: number | null; // null: the run ended before it was measured
  readonly measured: readonly MeasuredRepeat[];
  readonly redis: string | null; // version of Redis
  /** Why the machine was too busy for a comparison; null: it was not. */
  readonly busy: string | null;
  readonly stopped: EndReason | null;
}

/** Measures a suite. Calls `save` before it stops any process, because stopping can take time. */
export async function runSuite<Saved>(
  orders: SuiteOrders,
  save: (ran: SuiteRun) => Saved,
): Promise<Saved> {
  const run: RunState = { capacity: orders.capacity, measured: [], redis: null, busy: null };
  let stage: BenchStage | null = null;
  try {
    stage = await openStage({ ...orders, target: orders.target?.url ?? null });
    run.redis = (await stage.redis?.version()) ?? null;
    await measureCells(orders, stage, run);
    return save({ ...run, stopped: null });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return save({ ...run, stopped: error.reason });
  } finally {
    await stage?.stop();
  }
}

interface RunState {
  capacity: number | null;
  redis: string | null;
  busy: string | null;
  readonly measured: MeasuredRepeat[];
}

type MeasureLoad = (order: RepeatOrder) => Promise<LoadMeasurement>;

async function measureCells(orders: SuiteOrders, stage: BenchStage, run: RunState): Promise<void> {
  const { suite, subjects, seed } = orders;
  const measureLoad = buildLoadMeasurer(stage, orders);
  const startedMs = performance.now();
  if (run.capacity === null && needsCapacity(orders))
    run.capacity = await measureCapacity(orders, stage, measureLoad);
  const cells = subjects.filter(({ role }) => role === "cell");
  const controls = subjects.filter(({ role }) => role === "control");
  const order = rng(seed, "bench/order");
  for (let first = 0; first < cells.length; first += MOST_CELLS) {
    const part = [...cells.slice(first, first + MOST_CELLS), ...controls];
    for (let start = 0; start < suite.starts; start++)
      await measurePart(part, (first / MOST_CELLS) * suite.starts + start, start, {
        orders,
        stage,
        run,
        measureLoad,
        order,
        startedMs,
      });
  }
}

/** Whether to measure the capacity: always with a target, because the measurement shows if most requests fail. */
export const needsCapacity = ({
  subjects,
  target,
}: Pick<SuiteOrders, "subjects"> & { readonly target: unknown }): boolean =>
  target !== null ||
  subjects.some(({ factors, loadFactors }) => dependsOnCapacity(factors ?? loadFactors));

interface PartContext {
  readonly orders: SuiteOrders;
  readonly stage: BenchStage;
  readonly run: RunState;
  readonly measureLoad: MeasureLoad;
  readonly order: Rng;
  readonly startedMs: number;
}

type ServedSubject = readonly [BenchSubject, BenchServer];

async function measurePart(
  subjects: readonly BenchSubject[],
  part: number, // a number that differs for every start of every part of the cells
  start: number,
  { orders, stage, run, measureLoad, order, startedMs }: PartContext,
): Promise<void> {
  const { suite, clock, onPhase, onMissing, onMeasured } = orders;
  const { lastsUs, repeats } = suite;
  const { capacity } = run;
  if (orders.target === null) onPhase(`starting ${subjects.length} servers`);
  const up: ServedSubject[] = [];
  for (const [subject, served] of await startAll(subjects, orders, stage, capacity))
    if (isFailure(served)) onMissing(subject, served.message);
    else up.push([subject, served]);
  onPhase("warming up");
  // Servers are warmed up in short turns: after one long load, a gateway loses half of the effect while it waits.
  const { turns, eachUs } = warmUpOf(suite);
  for (let turn = 0; turn < turns; turn++)
    for (const [subject, served] of up)
      await measureLoad({ subject, served, lastsUs: eachUs, round: 0, capacity });

  const ours = [...stage.pids, ...up.flatMap(([, { pid }]) => pid ?? [])];
  // Weir does not know the processes of a target gateway. If they run on this machine, they would count as others.
  const others = orders.target === null ? await watchOthers(ours) : null;
  try {
    clock.begin();
    for (let at = 0; at < repeats; at++) {
      if (at > 0 && !clock.hasTime()) break;
      const round = part * repeats + at;
      for (const [subject, served] of shuffle(up, order.int)) {
        const atSeconds = (performance.now() - startedMs) / 1_000;
        const { figures, used } = await measureLoad({ subject, served, lastsUs, round, capacity });
        const measured: MeasuredRepeat = {
          subject,
          figures,
          repeat: {
            round,
            ...(suite.starts === 1 ? {} : { start }),
            atSeconds,
            answers: figures.answers,
            errors: errorsOf(figures),
            metrics: metricsOf(figures, used),
          },
        };
        run.measured.push(measured);
        onMeasured(measured);
        const delay = clock.findDelay();
        if (delay !== null) orders.onDelay(delay);
      }
    }
  } finally {
    // In `finally`, because an interrupted part needs the reason too.
    run.busy = (await others?.busyReason()) ?? run.busy;
  }
  await Promise.all(up.map(([, served]) => served.stop()));
}

const FASTER = 1.03;

/** Starts the servers in the given order, as many at a time as there are cores. */
async function startAll(
  subjects: readonly BenchSubject[],
  { ending }: SuiteOrders,
  stage: BenchStage,
  capacity: number | null,
): Promise<readonly (readonly [BenchSubject, BenchServer | Failure])[]> {
  const all: (readonly [BenchSubject, BenchServer | Failure])[] = [];
  const together = availableParallelism();
  for (let first = 0; first < subjects.length; first += together) {
    const some = subjects
      .slice(first, first + together)
      .map(async (subject) => [subject, await stage.start(subject, capacity)] as const);
    all.push(...(await ending.orEnd(Promise.all(some))));
  }
  return all;
}

/**
 * Measures the base's responses per second while nothing is refused. Limits and arrivals are derived from this rate.
 * The first repeats of a process are slow, so repeats go on while they get faster.
 */
export async function measureCapacity(
  { suite, ending, onPhase }: Pick<SuiteOrders, "suite" | "ending" | "onPhase">,
  stage: BenchStage,
  measureLoad: MeasureLoad,
): Promise<number> {
  onPhase("measuring the capacity");
  const base: Factors = { ...suite.base, load_model: "closed" };
  const subject: BenchSubject = {
    name: "the cell that measures the capacity",
    role: "cell",
    loadFactors: base,
    factors: base,
    control: null,
  };
  const served = requireValue(await ending.orEnd(stage.start(subject, null)));
  const { lastsUs, warmUpUs } = suite;
  await measureLoad({ subject, served, lastsUs: warmUpUs, round: 0, capacity: null });
  let most = 0;
  const all: LoadFigures[] = [];
  const { atLeast, atMost } = CAPACITY_REPEATS;
  for (let round = 0; round < atMost; round++) {
    const { figures } = await measureLoad({ subject, served, lastsUs, round, capacity: null });
    all.push(figures);
    const isFaster = perSecondOf(figures) > most * FASTER;
    most = Math.max(most, perSecondOf(figures));
    if (round + 1 >= atLeast && !isFaster) break;
  }
  await served.stop();
  if (most === 0)
    throw new Stop({ how: "gone", why: "nothing was answered while the capacity was measured" });
  // If most requests fail, the responses measure no capacity.
  const sent = all.reduce((sum, { answers, unanswered }) => sum + answers + unanswered, 0);
  if (all.reduce((sum, figures) => sum + errorsOf(figures), 0) > sent / 2)
    throw new Stop({
      how: "gone",
      why: `of ${sent} requests most failed while the capacity was measured: ${describeErrors(all)}`,
    });
  // Two digits are enough for a limit, and make it more likely that two runs get the same limit.
  return Number(most.toPrecision(2));
}
