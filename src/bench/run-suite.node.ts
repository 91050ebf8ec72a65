// A suite, played. In each round every cell and every control has one repeat, in an order drawn anew, so that a
// machine that warms up, throttles or is shared wrongs nobody in particular.
import { availableParallelism } from "node:os";
import { rng, type Rng } from "../chance/rng.ts";
import { asking, type Answered, type Asked, type Asking } from "./asking.node.ts";
import { CAPACITY_REPEATS, TOGETHER, warmUpOf } from "./cells.ts";
import { whatFailed } from "./doubts.ts";
import { Stop, type Ended } from "./ending.node.ts";
import { errorsOf, type LoadFigures } from "./load/load.ts";
import { perSecondOf, twoDigits } from "./figures.ts";
import type { Pin } from "./pin.node.ts";
import { watchOthers } from "./resources/processes.node.ts";
import { metricsOf } from "./resources/used.ts";
import type { Repeat } from "./result.ts";
import type { Missing, Served } from "./served.node.ts";
import { openStage, type Stage } from "./stage.node.ts";
import { shuffled } from "../stats/summary.ts";
import type { Subject } from "./subjects.ts";
import type { Factors } from "./suite.ts";

export interface Orders extends Asking {
  readonly subjects: readonly Subject[];
  readonly capacity: number | null; // null: it is measured
  readonly pin: Pin;
  readonly weir: string; // the file of the command that serves
  readonly onPhase: (phase: string) => void;
  readonly onMissing: (subject: Subject, why: string) => void;
  readonly onMeasured: (measured: Measured) => void;
}

export interface Measured {
  readonly subject: Subject;
  readonly repeat: Repeat;
  readonly figures: LoadFigures;
}

export interface Ran {
  readonly capacity: number | null; // null: it ended before it was known
  readonly measured: readonly Measured[];
  readonly redis: string | null; // its version
  /** Why the machine was too busy to judge anything by; null: it was not. */
  readonly busy: string | null;
  readonly stopped: Ended | null;
}

/** `keep` is called before anything is stopped, which may take its time. */
export async function runSuite<Kept>(orders: Orders, keep: (ran: Ran) => Kept): Promise<Kept> {
  const run: Run = { capacity: orders.capacity, measured: [], redis: null, busy: null };
  let stage: Stage | null = null;
  try {
    stage = await openStage({ ...orders, target: orders.target?.url ?? null });
    run.redis = (await stage.redis?.version()) ?? null;
    await play(orders, stage, run);
    return keep({ ...run, stopped: null });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return keep({ ...run, stopped: error.ended });
  } finally {
    await stage?.stop();
  }
}

interface Run {
  capacity: number | null;
  redis: string | null;
  busy: string | null;
  readonly measured: Measured[];
}

type Ask = (asked: Asked) => Promise<Answered>;

async function play(orders: Orders, stage: Stage, run: Run): Promise<void> {
  const { subjects, seed } = orders;
  const ask = asking(stage, orders);
  const startedMs = performance.now();
  run.capacity ??= await capacityOf(orders, stage, ask);
  const cells = subjects.filter(({ role }) => role === "cell");
  const controls = subjects.filter(({ role }) => role === "control");
  const order = rng(seed, "bench/order");
  for (let first = 0; first < cells.length; first += TOGETHER) {
    const part = [...cells.slice(first, first + TOGETHER), ...controls];
    await playPart(part, first / TOGETHER, { orders, stage, run, ask, order, startedMs });
  }
}

interface Playing {
  readonly orders: Orders;
  readonly stage: Stage;
  readonly run: Run;
  readonly ask: Ask;
  readonly order: Rng;
  readonly startedMs: number;
}

type Up = readonly [Subject, Served];

async function playPart(
  subjects: readonly Subject[],
  part: number,
  { orders, stage, run, ask, order, startedMs }: Playing,
): Promise<void> {
  const { suite, onPhase, onMissing, onMeasured } = orders;
  const { lastsUs, repeats } = suite;
  const { capacity } = run;
  if (orders.target === null) onPhase(`starting ${subjects.length} servers`);
  const up: Up[] = [];
  for (const [subject, served] of await startAll(subjects, orders, stage, capacity))
    if ("missing" in served) onMissing(subject, served.missing);
    else up.push([subject, served]);
  onPhase("warming up");
  // By turns, as they are measured: of one long load in a row a gateway remembers half once it has waited for all others.
  const { turns, eachUs } = warmUpOf(suite);
  for (let turn = 0; turn < turns; turn++)
    for (const [subject, served] of up)
      await ask({ subject, served, lastsUs: eachUs, round: 0, capacity });

  const ours = [...stage.pids, ...up.flatMap(([, { pid }]) => pid ?? [])];
  // What somebody's gateway takes, on this machine perhaps, is what was asked of it: nobody can tell it from others.
  const others = orders.target === null ? await watchOthers(ours) : null;
  try {
    for (let at = 0; at < repeats; at++) {
      const round = part * repeats + at;
      for (const [subject, served] of shuffled(up, order.int)) {
        const atSeconds = (performance.now() - startedMs) / 1_000;
        const { figures, used } = await ask({ subject, served, lastsUs, round, capacity });
        const measured: Measured = {
          subject,
          figures,
          repeat: {
            round,
            atSeconds,
            answers: figures.answers,
            errors: errorsOf(figures),
            metrics: metricsOf(figures, used),
          },
        };
        run.measured.push(measured);
        onMeasured(measured);
      }
    }
  } finally {
    // Of a part that was interrupted too.
    run.busy = (await others?.told()) ?? run.busy;
  }
  await Promise.all(up.map(([, served]) => served.stop()));
}

/** As many at a time as there are cores, and in their order. */
async function startAll(
  subjects: readonly Subject[],
  { ending }: Orders,
  stage: Stage,
  capacity: number | null,
): Promise<readonly (readonly [Subject, Served | Missing])[]> {
  const all: (readonly [Subject, Served | Missing])[] = [];
  const together = availableParallelism();
  for (let first = 0; first < subjects.length; first += together) {
    const some = subjects
      .slice(first, first + together)
      .map(async (subject) => [subject, await stage.start(subject, capacity)] as const);
    all.push(...(await ending.orEnd(Promise.all(some))));
  }
  return all;
}

/** How much the base answers while nobody is refused: limits and arrivals are made from it. */
export async function capacityOf(
  { suite, ending, onPhase }: Pick<Orders, "suite" | "ending" | "onPhase">,
  stage: Stage,
  ask: Ask,
): Promise<number> {
  onPhase("measuring how much load there can be");
  const base: Factors = { ...suite.base, load_model: "closed" };
  const subject: Subject = {
    name: "the cell that says how much load there can be",
    role: "cell",
    asked: base,
    factors: base,
    control: null,
  };
  const served = await ending.orEnd(stage.start(subject, null));
  if ("missing" in served) throw new Error(served.missing);
  const { lastsUs, warmUpUs } = suite;
  await ask({ subject, served, lastsUs: warmUpUs, round: 0, capacity: null });
  let most = 0;
  const all: LoadFigures[] = [];
  for (let round = 0; round < CAPACITY_REPEATS; round++) {
    const { figures } = await ask({ subject, served, lastsUs, round, capacity: null });
    all.push(figures);
    most = Math.max(most, perSecondOf(figures));
  }
  await served.stop();
  if (most === 0)
    throw new Stop({ how: "gone", why: "nothing was answered while the capacity was measured" });
  // How fast errors come says nothing of how fast answers would.
  const asked = all.reduce((sum, { answers, unanswered }) => sum + answers + unanswered, 0);
  if (all.reduce((sum, figures) => sum + errorsOf(figures), 0) > asked / 2)
    throw new Stop({
      how: "gone",
      why: `of ${asked} requests most failed while the capacity was measured: ${whatFailed(all)}`,
    });
  return twoDigits(most);
}
