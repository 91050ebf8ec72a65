// Experiments drawn from real repeats of equal gateways.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mean, median, medianAbsoluteDeviation, sampleStandardDeviation } from "simple-statistics";
import { pairsOf } from "#src/studies/bench/against/gate-verdicts.ts";
import type { PairRepeat } from "#src/studies/bench/against/result.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import type { PairRounds } from "#src/kit/stats/sign-flip.ts";
import { readResult, type BenchResult } from "#src/studies/bench/result.ts";
import type { BenchMetricName } from "#src/studies/bench/suite.ts";
import type { Rng } from "#src/kit/chance/rng.ts";

export const POOL_METRICS = ["cpu", "throughput"] as const satisfies readonly BenchMetricName[];

const folder = join(import.meta.dirname, "../pool");

/** What bench:pool wrote before it measured pairs: each gateway once in each round, one straight after the other. */
export const roundPools = (): readonly (readonly [name: string, result: BenchResult])[] =>
  readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    if (!text.includes('"weir-bench/3"')) return [];
    const result = readResult(text);
    if (isFailure(result)) throw new Error(`${name}: ${result.message}`);
    return [[name, result] as const];
  });

const FRESH = "pairs.json";

/** Pairs of fresh processes as `npm run bench:pool` records them, by metric. */
export const freshPairs = (file = join(folder, FRESH)): readonly PairRounds[] => {
  const pool = JSON.parse(readFileSync(file, "utf8")) as {
    readonly format: string;
    readonly rounds: number;
    readonly repeats: readonly PairRepeat[];
  };
  if (pool.format !== "weir-pool/1") throw new Error(`${file}: not weir-pool/1 but ${pool.format}`);
  return POOL_METRICS.map((metric) => {
    const pairs = pairsOf(pool.repeats, { cell: "base", metric }, pool.rounds);
    if (pairs.length < 2) throw new Error(`${file}: ${pairs.length} pairs have ${metric}`);
    return pairs;
  });
};

/** A run of that many recorded pairs, each with its sides as they were or exchanged, by metric. */
export function drawFresh(
  recorded: readonly PairRounds[],
  pairs: number,
  random: Rng,
): readonly PairRounds[] {
  const picks = range(pairs).map(() => ({
    at: random.int(recorded[0]!.length),
    sign: random.next() < 0.5 ? 1 : -1,
  }));
  return recorded.map((all) =>
    picks.map(({ at, sign }) => all[at % all.length]!.map((value) => sign * value)),
  );
}

interface Parts {
  /** What a whole round adds. */
  readonly round: readonly number[];
  /** What a process adds for its whole life. */
  readonly process: readonly number[];
  /** The remainder of each repeat, by process and round. */
  readonly rest: readonly (readonly number[])[];
}

export interface PoolParts {
  readonly processes: number;
  readonly rounds: number;
  /** Processes in the order in which they were measured, by round. */
  readonly order: readonly (readonly number[])[];
  readonly of: readonly Parts[]; // by metric
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const meanOf = (values: readonly number[]): number => mean([...values]);

/** In logarithms. The first round is left out: all processes were slower in it. */
export function partsOf({ cells }: BenchResult): PoolParts {
  const repeats = cells.map((cell) => cell.repeats.slice(1));
  const [processes, rounds] = [repeats.length, repeats[0]!.length];
  return {
    processes,
    rounds,
    order: range(rounds).map((round) =>
      range(processes).toSorted(
        (a, b) => repeats[a]![round]!.atSeconds - repeats[b]![round]!.atSeconds,
      ),
    ),
    of: POOL_METRICS.map((metric) =>
      decompose(repeats.map((all) => all.map(({ metrics }) => Math.log(metrics[metric]!)))),
    ),
  };
}

/** Processes far from the others stay where they were measured; of the others noise is taken out of their means. */
function decompose(values: readonly (readonly number[])[]): Parts {
  const rounds = values[0]!.length;
  const middle = meanOf(values.flat());
  const ofProcess = values.map((all) => meanOf(all) - middle);
  const ofRound = range(rounds).map((round) => meanOf(values.map((all) => all[round]!)) - middle);
  const rest = values.map((all, process) =>
    all.map((value, round) => value - middle - ofProcess[process]! - ofRound[round]!),
  );
  const freedom = (values.length - 1) * (rounds - 1);
  const noise = rest.flat().reduce((sum, one) => sum + one * one, 0) / freedom / rounds;
  const far = 4 * 1.4826 * medianAbsoluteDeviation([...ofProcess]);
  const isFar = (value: number): boolean => Math.abs(value - median([...ofProcess])) > far;
  const near = ofProcess.filter((value) => !isFar(value));
  const own = Math.max(0, sampleStandardDeviation(near) ** 2 - noise);
  const share = own / (own + noise);
  const centre = meanOf(near);
  return {
    process: ofProcess.map((value) => (isFar(value) ? value : centre + share * (value - centre))),
    rest,
    round: ofRound,
  };
}

/** Rounds as they followed each other, in blocks of three, so that a slow minute stays one. */
function drawRounds(rounds: number, count: number, random: Rng): readonly number[] {
  const all: number[] = [];
  while (all.length < count) {
    const first = random.int(rounds);
    all.push(...[0, 1, 2].map((turn) => (first + turn) % rounds));
  }
  return all.slice(0, count);
}

/** A run of one process: by repeat the logarithm of each metric, the middle left out. */
export function drawRun(
  { processes, rounds, of }: PoolParts,
  process: number,
  repeats: number,
  random: Rng,
): readonly (readonly number[])[] {
  return drawRounds(rounds, repeats, random).map((round) => {
    const other = random.int(processes);
    return of.map(
      (parts) => parts.process[process]! + parts.round[round]! + parts.rest[other]![round]!,
    );
  });
}

/**
 * A run of that many pairs and rounds, by metric. The pools have no neighbours that stayed together for longer than a
 * round: for each round it takes the remainder of any neighbours, and adds the effects of the pair's two processes.
 */
export function drawPairs(
  { processes, rounds, order, of }: PoolParts,
  { pairs, roundsEach }: { readonly pairs: number; readonly roundsEach: number },
  random: Rng,
): readonly PairRounds[] {
  const picks = range(pairs).map(() => {
    const [base, head] = drawTwo(processes, random);
    const first = random.int(rounds);
    const turns = range(roundsEach).map((turn) => {
      const round = (first + turn) % rounds;
      const at = random.int(processes - 1);
      const two = order[round]!.slice(at, at + 2);
      return { round, two: random.next() < 0.5 ? two : two.toReversed() };
    });
    return { base, head, turns };
  });
  return of.map(({ process, rest }) =>
    picks.map(({ base, head, turns }) =>
      turns.map(
        ({ round, two: [first, second] }) =>
          process[head]! - process[base]! + rest[second!]![round]! - rest[first!]![round]!,
      ),
    ),
  );
}

export function drawTwo(below: number, { int }: Rng): readonly [number, number] {
  const one = int(below);
  const other = int(below - 1);
  return [one, other < one ? other : other + 1];
}

export const addChange = (pairs: PairRounds, change: number): PairRounds =>
  pairs.map((rounds) => rounds.map((value) => value + change));
