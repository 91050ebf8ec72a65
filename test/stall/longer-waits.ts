// The waits of a client during some work, compared with those during a control, round by round.
import { expect } from "vitest";
import { noteFigures } from "../redis/figures.ts";
import type { Wait } from "./writers-worker.ts";

type Measure = () => Promise<readonly Wait[]>;
type Unit = "ms" | "processorMs";

const LEAST_ROUNDS = 2;
const MOST_LONGER_MS = 50;

const longest = (waits: readonly Wait[], of: Unit): number =>
  Math.max(...waits.map((wait) => wait[of]));

/**
 * Expects that in some round the longest wait is less than 50 ms longer than in the control. Work that delays a client does
 * so in each round; a busy machine delays it in some.
 */
export async function expectNoLongerWaits(
  what: string,
  runs: { readonly control: Measure; readonly work: Measure; readonly mostRounds: number },
  figures: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const rounds: Readonly<Record<Unit, number>>[] = [];
  const all = { waits: [] as Wait[], control: [] as Wait[] };
  const least = (of: Unit): number => Math.min(...rounds.map((one) => one[of]));
  const isEnough = (): boolean =>
    rounds.length >= LEAST_ROUNDS &&
    least("ms") < MOST_LONGER_MS &&
    least("processorMs") < MOST_LONGER_MS;
  while (rounds.length < runs.mostRounds && !isEnough()) {
    const control = await runs.control();
    const waits = await runs.work();
    const longer = (of: Unit): number => longest(waits, of) - longest(control, of);
    rounds.push({ ms: longer("ms"), processorMs: longer("processorMs") });
    all.waits.push(...waits);
    all.control.push(...control);
  }
  noteFigures(what, {
    ...figures,
    "longest wait, ms": longest(all.waits, "ms"),
    "longest wait, ms of processor": longest(all.waits, "processorMs"),
    "in the control, ms": longest(all.control, "ms"),
    "in the control, ms of processor": longest(all.control, "processorMs"),
    "longer by, ms": least("ms"),
    "longer by, ms of processor": least("processorMs"),
    rounds: rounds.length,
  });
  expect(least("processorMs")).toBeLessThan(MOST_LONGER_MS);
  expect(least("ms")).toBeLessThan(MOST_LONGER_MS);
}
