// Runs a suite of parts: in each round every candidate of every case is measured once, in a new random order. A machine
// that is slow for a while affects all candidates of a case alike.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { rng } from "../../../kit/chance/rng.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";
import { shuffle } from "../../../kit/stats/summary.ts";
import { startChild } from "../child.node.ts";
import { Stop, type EndReason, type BenchEnding } from "../ending.node.ts";
import type { RoundClock } from "../round-clock.ts";
import { watchOthers } from "../resources/processes.node.ts";
import { runFolder } from "../run-folder.node.ts";
import type { PartMeasurement, PartProgram, PartSuite } from "./part-suite.ts";

interface PartOrders {
  readonly suite: PartSuite;
  readonly folder: string; // folder of the suite's file
  readonly seed: number;
  readonly ending: BenchEnding;
  readonly clock: RoundClock;
  readonly onDelay: (sentence: string) => void;
  readonly onPhase: (phase: string) => void;
  readonly onMeasured: () => void;
}

export interface PartsRun {
  readonly measured: readonly PartMeasurement[];
  /** Why candidates are not measured, such as a program that is not installed. */
  readonly leftOut: readonly string[];
  /** Why the machine was too busy for a comparison; null: it was not. */
  readonly busy: string | null;
  readonly stopped: EndReason | null;
}

export async function runParts(orders: PartOrders): Promise<PartsRun> {
  const { suite, onPhase } = orders;
  const measured: PartMeasurement[] = [];
  const reasons = new Set<string>();
  const prepared = suite.prepare === null ? null : runFolder();
  const shared: JsonMap = prepared === null ? {} : { folder: prepared };
  const others = await watchOthers([process.pid]);
  try {
    if (suite.prepare !== null) {
      onPhase(`preparing with ${suite.prepare.program}`);
      await outputOf(suite.prepare, shared, orders);
    }
    await measureRounds(orders, shared, measured, reasons);
    return { measured, leftOut: [...reasons], busy: await others.busyReason(), stopped: null };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return {
      measured,
      leftOut: [...reasons],
      busy: await others.busyReason(),
      stopped: error.reason,
    };
  } finally {
    if (prepared !== null) rmSync(prepared, { recursive: true, force: true });
  }
}

async function measureRounds(
  orders: PartOrders,
  shared: JsonMap,
  measured: PartMeasurement[],
  reasons: Set<string>,
): Promise<void> {
  const { suite, seed, clock, onDelay, onPhase, onMeasured } = orders;
  const { int } = rng(seed, "bench/order");
  const startedMs = performance.now();
  clock.begin();
  for (let round = 0; round < suite.repeats; round++) {
    if (round > 0 && !clock.hasTime()) return;
    for (const { name: metric, candidates } of suite.cases)
      for (const candidate of shuffle(candidates, int)) {
        onPhase(`round ${round + 1} of ${suite.repeats}, ${metric}: ${candidate.name}`);
        const atSeconds = (performance.now() - startedMs) / 1_000;
        const value = valueIn(await outputOf(candidate, shared, orders), candidate);
        if (typeof value === "number")
          measured.push({ metric, cell: candidate.name, round, atSeconds, value });
        else reasons.add(`${candidate.name} is left out: ${value.leftOut}`);
        onMeasured();
        const delay = clock.findDelay();
        if (delay !== null) onDelay(delay);
      }
  }
}

async function outputOf(
  { program, input }: PartProgram,
  shared: JsonMap,
  { folder, ending }: PartOrders,
): Promise<string> {
  const args = [join(folder, program), JSON.stringify({ ...input, ...shared })];
  const child = startChild(program, args, "pipe");
  try {
    const [output, [code]] = await ending.orEnd(
      Promise.all([text(child.process.stdout!), once(child.process, "close")]),
    );
    if (code !== 0) throw new Stop({ how: "gone", why: await child.exited });
    return output;
  } finally {
    await child.stop();
  }
}

/** Reads the last line of a program's output: JSON with a value, or with the reason why there is none. */
function valueIn(
  output: string,
  { program, input }: PartProgram,
): number | { readonly leftOut: string } {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  const value = /^\{"value":(-?[\d.e+-]+)\}$/.exec(line)?.[1];
  if (value !== undefined && Number.isFinite(Number(value)) && Number(value) >= 0)
    return Number(value);
  const leftOut = /^\{"leftOut":"([^"]+)"\}$/.exec(line)?.[1];
  if (leftOut !== undefined) return { leftOut };
  throw new Stop({
    how: "gone",
    why: `${program} ${JSON.stringify(input)} printed ${JSON.stringify(line)}, and not {"value": NUMBER}`,
  });
}
