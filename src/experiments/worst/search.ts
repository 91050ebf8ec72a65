// The search: likely patterns first, then small changes of the best, then the smallest pattern with the same result.
// Its limit is a number of runs and not a clock, so that one seed gives the same result everywhere.
import { rng, type Rng } from "../../chance/rng.ts";
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
}

export interface SearchResult extends PatternResult {
  readonly patterns: number; // that were run
}

/** Shares of the effort: likely patterns, then random ones of the same materials, then small changes. */
const LIKELY = 0.5;
const DRAWN = 0.65;
const BEST = 4; // patterns that small changes start from
const LARGEST = 12; // most bursts after small changes, unless the start had more
const PROGRESS = 250;

export function search(
  question: WorstCaseQuestion,
  runner: PatternRunner,
  effort: SearchEffort,
): SearchResult {
  const random = rng(effort.seed, "worst");
  const materials = materialsOf(question, runner.epochUs, runner.clients.length);
  const log = createLog(question, runner, effort, horizonUs(materials));
  log.attempt([{ atUs: materials.startsUs[0]!, count: 1, client: 0 }]);
  for (const pattern of generatePatterns(materials)) {
    if (log.spent > LIKELY * effort.units) break;
    log.attempt(pattern);
  }
  while (log.spent < DRAWN * effort.units) log.attempt(randomPattern(materials, random));
  const starts = [...log.best];
  for (const [index, start] of starts.entries()) {
    const share = (1 - DRAWN) * ((index + 1) / starts.length);
    climb(log, start, (DRAWN + share) * effort.units, materials, random);
  }
  const best = log.best[0];
  if (best === undefined) throw new Error(`not even one request of ${question.id} can be counted`);
  const until = log.spent + effort.units;
  const smallest = minimise(best, (pattern) => {
    if (log.spent > until) return null;
    const tried = log.attempt(pattern);
    return tried !== null && tried.most >= best.most ? tried : null;
  });
  return { ...smallest, patterns: log.patterns };
}

interface SearchLog {
  readonly attempt: (pattern: ArrivalPattern) => PatternResult | null;
  best: readonly PatternResult[];
  patterns: number;
  spent: number;
}

function createLog(
  question: WorstCaseQuestion,
  runner: PatternRunner,
  effort: SearchEffort,
  lastUs: number,
): SearchLog {
  const log: SearchLog = {
    best: [],
    patterns: 0,
    spent: 0,
    attempt: (pattern) => {
      log.spent += costOf(question, pattern);
      if (pattern.length === 0 || pattern.at(-1)!.atUs > lastUs) return null;
      log.patterns++;
      if (log.patterns % PROGRESS === 0) effort.progress(log.patterns, log.best[0]?.most ?? 0);
      const tried = runner.run(pattern);
      if (tried !== null) log.best = insertResult(log.best, tried);
      return tried;
    },
  };
  return log;
}

const HEARTBEAT_US = 2_000_000;
const MOST_ROUNDS = 1600; // the simulator skips longer quiet times

/** Estimates the time of a run, in runs of one request: every gateway receives the heartbeats of every other. */
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

/** Accepts every change that loses nothing, so that it can cross a plateau. */
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
