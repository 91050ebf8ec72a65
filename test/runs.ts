// How often a property is tried, and from which seed: 1 everywhere, so that a change is all that a run differs by. A search for
// counterexamples sets WEIR_RUNS (a factor) and WEIR_SEED, as `npm run nightly` does.
import { join, relative } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { RECORDED } from "./recorded-runs.ts";

const FACTOR = Number(process.env["WEIR_RUNS"] ?? 1);
export const SEED = Number(process.env["WEIR_SEED"] ?? 1);

/** A property that does not hold prints its shrunken counterexample, and how to record the run (test/recorded-runs.ts). */
export function holds<Values>(
  property: fc.IProperty<Values>,
  runs: number,
  more: fc.Parameters<Values> = {},
): void {
  const name = nameProperty();
  for (const replay of listReplays(name)) fc.assert(property, { ...more, ...replay });
  fc.assert(property, { ...runsOf(runs), reporter: reporterOf<Values>(name), ...more });
}

/** The same for one whose answers come from elsewhere. */
export async function holdsLater<Values>(
  property: fc.IAsyncProperty<Values>,
  runs: number,
): Promise<void> {
  const name = nameProperty();
  for (const replay of listReplays(name)) await fc.assert(property, replay);
  await fc.assert(property, { ...runsOf(runs), reporter: reporterOf<Values>(name) });
}

let latest = { test: "", properties: 0 };

/** By its test, and its place among the properties of that test. */
function nameProperty(): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const test = `${relative(join(import.meta.dirname, ".."), testPath)} > ${currentTestName}`;
  const properties = latest.test === test ? latest.properties + 1 : 1;
  latest = { test, properties };
  return properties === 1 ? test : `${test} (property ${properties})`;
}

type Replay = Pick<fc.Parameters, "seed" | "path" | "numRuns">;

const listReplays = (name: string): readonly Replay[] =>
  RECORDED.filter(({ test }) => test === name).map(({ seed, path }) => ({
    seed,
    path,
    numRuns: 1,
  }));

/** As fast-check reports, and with the entry of the run. */
const reporterOf =
  <Values>(test: string) =>
  (details: fc.RunDetails<Values>): void => {
    if (!details.failed) return;
    const { seed, counterexamplePath: path, errorInstance: cause } = details;
    const entry = JSON.stringify({ test, seed, path });
    throw new Error(
      `${fc.defaultReportMessage(details)}\n\nto record this run, add to test/recorded-runs.ts: ${entry}`,
      { cause },
    );
  };

/** How often a property runs that is written with `runs`. */
export const countRuns = (runs: number): number => Math.max(1, Math.round(runs * FACTOR));

const runsOf = (runs: number): { readonly seed: number; readonly numRuns: number } => ({
  seed: SEED,
  numRuns: countRuns(runs),
});

/** What a test counts in all its runs, as expected of fewer of them, whose counts scatter more. More runs have at least that. */
export const inRuns = (count: number): number =>
  FACTOR < 1 ? Math.floor((count * FACTOR) / 3) : count;

/** The same of a share that a test expects in all its runs. */
export const shareInRuns = (share: number): number => (FACTOR < 1 ? share / 3 : share);

/**
 * For a test of very many things of one kind: true for this share of them. A search (WEIR_RUNS) tries
 * more of them or all, and its seed others.
 */
export function sampler(share: number, name: string): () => boolean {
  const random = rng(SEED, name);
  return () => random.next() < share * FACTOR;
}

/**
 * Draws in rounds, numbered from 0, until at least `floor` things were examined: no floor then depends on the seed. A
 * generator that hardly examines anything fails after `mostRounds`.
 */
export async function drawUntil(
  floor: number,
  examined: () => number,
  draw: (round: number) => void | Promise<void>,
  mostRounds: number = 50,
): Promise<void> {
  const enough = Math.ceil(floor * Math.min(1, FACTOR));
  for (let round = 0; round === 0 || examined() < enough; round++) {
    if (round === mostRounds)
      throw new Error(`${examined()} of ${enough} examined in ${round} rounds: draw others`);
    await draw(round);
  }
}

/** A property of inputs that are drawn until it has examined at least `floor` things: `runs` inputs in each round. */
export async function holdsUntil<Values>(
  floor: number,
  examined: () => number,
  property: fc.IRawProperty<Values>,
  runs: number,
): Promise<void> {
  const name = nameProperty(); // once: a run that failed in a later round is found again without these rounds
  for (const replay of listReplays(name)) await fc.assert(property, replay);
  await drawUntil(floor, examined, async (round) => {
    const seed = SEED + round * BETWEEN_ROUNDS;
    await fc.assert(property, { ...runsOf(runs), seed, reporter: reporterOf<Values>(name) });
  });
}

const BETWEEN_ROUNDS = 1_000_003; // other rounds than those of the seeds that follow
