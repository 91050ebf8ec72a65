// A suite, played. In each round every cell and every control has one repeat, in an order drawn anew, so that a
// machine that warms up, throttles or is shared wrongs nobody in particular.
import { rng } from "../core/rng.ts";
import type { Micros } from "../core/units.ts";
import { CAPACITY_REPEATS } from "./cells.ts";
import { Stop, type Ended, type Ending } from "./ending.node.ts";
import { figuresOf, perSecondOf, twoDigits } from "./figures.ts";
import { errorsOf, type LoadFigures, type Order, type Progress } from "./load/load.ts";
import type { Repeat } from "./result.ts";
import type { Served } from "./served.node.ts";
import { openStage, type Stage } from "./stage.node.ts";
import { shuffled } from "./statistics.ts";
import type { Subject } from "./subjects.ts";
import type { Factors, Suite } from "./suite.ts";
import { KEY_PREFIX, offered } from "./world-of.ts";

export interface Orders {
  readonly suite: Suite;
  readonly subjects: readonly Subject[];
  readonly seed: number;
  readonly capacity: number | null; // null: it is measured
  readonly ending: Ending;
  readonly heard: (news: News) => void;
}

export type News =
  | { readonly what: "phase"; readonly phase: string }
  | { readonly what: "missing"; readonly control: string; readonly why: string }
  | { readonly what: "progress"; readonly subject: string; readonly progress: Progress }
  | { readonly what: "measured"; readonly measured: Measured };

export interface Measured {
  readonly subject: Subject;
  readonly repeat: Repeat;
  readonly figures: LoadFigures;
}

export interface Ran {
  readonly capacity: number | null; // null: it ended before it was known
  readonly measured: readonly Measured[];
  readonly stopped: Ended | null;
}

export async function runSuite(orders: Orders): Promise<Ran> {
  const ran: Running = { capacity: orders.capacity, measured: [] };
  let stage: Stage | null = null;
  try {
    stage = await openStage(orders.suite, orders.subjects, orders.ending);
    await play(orders, stage, ran);
    return { ...ran, stopped: null };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ...ran, stopped: error.ended };
  } finally {
    await stage?.stop();
  }
}

interface Running {
  capacity: number | null;
  readonly measured: Measured[];
}

interface Once {
  readonly subject: Subject;
  readonly served: Served;
  readonly lastsUs: Micros;
  readonly round: number;
}

async function play(orders: Orders, stage: Stage, ran: Running): Promise<void> {
  const { suite, subjects, seed, heard, ending } = orders;
  const startedMs = performance.now();
  const { lastsUs, warmUpUs } = suite;

  const once = ({ subject, served, lastsUs, round }: Once): Promise<LoadFigures> => {
    const order: Order = {
      ...loadOn(subject.asked, ran.capacity, suite),
      url: served.url,
      lastsUs,
      seed: seed + round,
    };
    return ending.orEnd(
      stage.load.play(order, (progress) =>
        heard({ what: "progress", subject: subject.name, progress }),
      ),
    );
  };

  ran.capacity ??= await capacityOf(orders, stage, once);
  const { capacity } = ran;

  heard({ what: "phase", phase: `starting ${subjects.length} servers` });
  const all: (readonly [Subject, Served])[] = [];
  for (const subject of subjects) {
    const served = await ending.orEnd(stage.start(subject, capacity));
    if ("missing" in served) heard({ what: "missing", control: subject.name, why: served.missing });
    else all.push([subject, served]);
  }
  heard({ what: "phase", phase: "warming up" });
  for (const [subject, served] of all) await once({ subject, served, lastsUs: warmUpUs, round: 0 });

  const { int } = rng(seed, "bench/order");
  for (let round = 0; round < suite.repeats; round++)
    for (const [subject, served] of shuffled(all, int)) {
      const atSeconds = (performance.now() - startedMs) / 1_000;
      const figures = await once({ subject, served, lastsUs, round });
      const repeat: Repeat = {
        round,
        atSeconds,
        answers: figures.answers,
        errors: errorsOf(figures),
        metrics: figuresOf(figures),
      };
      const measured = { subject, repeat, figures };
      ran.measured.push(measured);
      heard({ what: "measured", measured });
    }
}

/** How much the base answers while nobody is refused: limits and arrivals are made from it. */
async function capacityOf(
  { suite, heard, ending }: Orders,
  stage: Stage,
  once: (one: Once) => Promise<LoadFigures>,
): Promise<number> {
  heard({ what: "phase", phase: "measuring how much load there can be" });
  const base: Factors = { ...suite.base, instrument: "closed" };
  const subject: Subject = {
    name: "base",
    role: "cell",
    asked: base,
    factors: base,
    control: null,
  };
  const served = await ending.orEnd(stage.start(subject, null));
  if ("missing" in served) throw new Error(served.missing);
  await once({ subject, served, lastsUs: suite.warmUpUs, round: 0 });
  let most = 0;
  for (let round = 0; round < CAPACITY_REPEATS; round++)
    most = Math.max(
      most,
      perSecondOf(await once({ subject, served, lastsUs: suite.lastsUs, round })),
    );
  await served.stop();
  return twoDigits(most);
}

/** Before the capacity is known the load is closed, and nothing is made from it. */
const loadOn = (
  asked: Factors,
  capacity: number | null,
  { keyCount }: Suite,
): Pick<Order, "instrument" | "connections" | "perSecond" | "keys" | "keyCount" | "keyPrefix"> => ({
  instrument: asked.instrument,
  connections: asked.connections,
  perSecond: asked.instrument === "closed" ? null : offered(asked, capacity!),
  keys: asked.keys,
  keyCount,
  keyPrefix: KEY_PREFIX,
});
