// Searches the worst pattern: likely patterns first, then small changes of the best, then the smallest pattern with the
// same result. It ends after a number of runs, not by a clock, so that a seed gives the same result everywhere. Its
// pieces share no state: a piece runs patterns, or makes small changes to one of the best patterns.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { randomPattern, generatePatterns } from "./candidates.ts";
import { horizonUs, materialsOf, type Materials } from "./materials.ts";
import { minimise } from "./minimise.ts";
import { movePattern } from "./moves.ts";
import { requestsIn, type ArrivalPattern } from "./pattern.ts";
import type { PatternRunner, PatternResult } from "./run-pattern.ts";
import type { WorstCaseQuestion } from "./question.ts";

export interface SearchEffort {
  readonly seed: number;
  readonly units: number; // see `costOf`
  readonly progress: (patterns: number, most: number) => void;
  readonly compute: ComputePieces;
}

export type SearchPiece =
  | { readonly kind: "run"; readonly patterns: readonly ArrivalPattern[] }
  | { readonly kind: "climb"; readonly start: PatternResult; readonly number: number };

/** The result of a piece, plain data like the piece itself. */
export interface PieceResult {
  readonly best: readonly PatternResult[];
  readonly patterns: number; // patterns that were run
}

/** Computes pieces. Returns the results in the order of the pieces; null: the search was stopped. */
export type ComputePieces = (
  pieces: readonly SearchPiece[],
  onDone: (result: PieceResult) => void,
) => Promise<readonly PieceResult[] | null>;

export interface SearchResult extends PatternResult {
  readonly patterns: number; // patterns that were run
}

/** Likely patterns end at the first share of the effort, random ones at the second. The rest is for small changes. */
const LIKELY = 0.5;
const DRAWN = 0.65;
const BEST = 4; // patterns that small changes start from
const LARGEST = 12; // most bursts after small changes, unless the start had more
const PIECE_UNITS = 500; // effort of one piece, about a quarter of a second

/** Returns the worst pattern that was found; null: the search was stopped. */
export async function search(
  question: WorstCaseQuestion,
  runner: PatternRunner,
  { seed, units, progress, compute }: SearchEffort,
): Promise<SearchResult | null> {
  let patterns = 0;
  let best: readonly PatternResult[] = [];
  const run = async (pieces: readonly SearchPiece[]): Promise<boolean> => {
    let [done, most] = [patterns, best[0]?.most ?? 0];
    const results = await compute(pieces, (result) => {
      done += result.patterns;
      most = Math.max(most, result.best[0]?.most ?? 0);
      progress(done, most);
    });
    for (const result of results ?? []) {
      patterns += result.patterns;
      for (const each of result.best) best = insertResult(best, each);
    }
    return results !== null;
  };
  const materials = materialsFor(question, runner);
  const isRun =
    (await run([...patternPieces(question, materials, { seed, units })])) &&
    (await run(best.map((start, number) => ({ kind: "climb", start, number }))));
  if (!isRun) return null;
  const [first] = best;
  if (first === undefined) throw new Error(`not even one request of ${question.id} can be counted`);
  const log = createLog(question, runner, horizonUs(materials));
  const smallest = minimise(first, (pattern) => {
    if (log.spent > units) return null;
    const tried = log.attempt(pattern);
    return tried !== null && tried.most >= first.most ? tried : null;
  });
  return { ...smallest, patterns: patterns + log.patterns };
}

/** Computes a piece. The result depends only on question, effort and seed, not on the machine. */
export function computePiece(
  question: WorstCaseQuestion,
  runner: PatternRunner,
  { seed, units }: Pick<SearchEffort, "seed" | "units">,
  piece: SearchPiece,
): PieceResult {
  const materials = materialsFor(question, runner);
  const log = createLog(question, runner, horizonUs(materials));
  if (piece.kind === "run") for (const pattern of piece.patterns) log.attempt(pattern);
  else {
    const random = rng(seed, `worst/climb/${piece.number}`);
    climb(log, piece.start, ((1 - DRAWN) / BEST) * units, materials, random);
  }
  return { best: log.best, patterns: log.patterns };
}

const materialsFor = (question: WorstCaseQuestion, runner: PatternRunner): Materials =>
  materialsOf(question, runner.epochUs, runner.clients.length);

/** Yields likely and random patterns, in pieces of about the same duration. */
function* patternPieces(
  question: WorstCaseQuestion,
  materials: Materials,
  { seed, units }: Pick<SearchEffort, "seed" | "units">,
): Generator<SearchPiece> {
  let patterns: ArrivalPattern[] = [];
  let spent = 0;
  let begunAt = 0;
  for (const pattern of patternsToRun(materials, rng(seed, "worst"), () => spent / units)) {
    patterns.push(pattern);
    spent += costOf(question, pattern);
    if (spent - begunAt < PIECE_UNITS) continue;
    yield { kind: "run", patterns };
    patterns = [];
    begunAt = spent;
  }
  if (patterns.length > 0) yield { kind: "run", patterns };
}

function* patternsToRun(
  materials: Materials,
  random: Rng,
  spentShare: () => number,
): Generator<ArrivalPattern> {
  yield [{ atUs: materials.startsUs[0]!, count: 1, client: 0 }];
  for (const pattern of generatePatterns(materials)) {
    if (spentShare() > LIKELY) break;
    yield pattern;
  }
  while (spentShare() < DRAWN) yield randomPattern(materials, random);
}

interface SearchLog {
  readonly attempt: (pattern: ArrivalPattern) => PatternResult | null;
  best: readonly PatternResult[];
  patterns: number;
  spent: number;
}

function createLog(question: WorstCaseQuestion, runner: PatternRunner, lastUs: number): SearchLog {
  const log: SearchLog = {
    best: [],
    patterns: 0,
    spent: 0,
    attempt: (pattern) => {
      log.spent += costOf(question, pattern);
      if (pattern.length === 0 || pattern.at(-1)!.atUs > lastUs) return null;
      log.patterns++;
      const tried = runner.run(pattern);
      if (tried !== null) log.best = insertResult(log.best, tried);
      return tried;
    },
  };
  return log;
}

const HEARTBEAT_US = 2_000_000;
const MOST_ROUNDS = 1600; // most heartbeats that are simulated: the simulator skips longer quiet times

/** Estimates a run's duration; 1 is a run of one request. Gateways receive the heartbeats of all others. */
function costOf({ nodes }: WorstCaseQuestion, pattern: ArrivalPattern): number {
  const rounds = Math.min(MOST_ROUNDS, (pattern.at(-1)?.atUs ?? 0) / HEARTBEAT_US);
  return 1 + requestsIn(pattern) / 100 + ((rounds + 1) * nodes * nodes) / 500;
}

/** Above zero if `a` is better: more admitted, then fewer bursts, then fewer requests. */
const compareResults = (a: PatternResult, b: PatternResult): number =>
  a.most - b.most ||
  b.pattern.length - a.pattern.length ||
  requestsIn(b.pattern) - requestsIn(a.pattern);

function insertResult(
  best: readonly PatternResult[],
  tried: PatternResult,
): readonly PatternResult[] {
  const last = best.at(-1);
  if (best.length === BEST && last !== undefined && compareResults(tried, last) <= 0) return best;
  return [...best, tried].toSorted((a, b) => compareResults(b, a)).slice(0, BEST);
}

/** Applies small changes, and accepts each after which no fewer requests are admitted: this can cross a plateau. */
function climb(
  log: SearchLog,
  start: PatternResult,
  until: number,
  materials: Materials,
  random: Rng,
): void {
  const largest = Math.max(LARGEST, start.pattern.length + 1);
  let current = start;
  while (log.spent < until) {
    const next = movePattern(current.pattern, materials, random);
    if (next.length > largest) {
      log.spent += 1;
      continue;
    }
    const tried = log.attempt(next);
    if (tried !== null && tried.most >= current.most) current = tried;
  }
}
