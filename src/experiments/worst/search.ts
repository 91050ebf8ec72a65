// The search: what is likely first, then small changes of the best, then the smallest pattern that does it.
// It is bounded by what it has played and not by a clock, so that one seed finds the same everywhere.
import { rng, type Rng } from "../../chance/rng.ts";
import { drawn, structured } from "./candidates.ts";
import { horizonUs, materialsOf, type Materials } from "./materials.ts";
import { minimise } from "./minimise.ts";
import { moved } from "./moves.ts";
import { requestsIn, type Pattern } from "./pattern.ts";
import type { Stage, Tried } from "./play.ts";
import type { Question } from "./question.ts";

export interface Effort {
  readonly seed: number;
  readonly units: number; // see `costOf`
  readonly progress: (patterns: number, most: number) => void;
}

export interface Found extends Tried {
  readonly patterns: number; // played
}

/** How the effort is spent: on what is likely, on what is drawn from the same, on small changes. */
const LIKELY = 0.5;
const DRAWN = 0.65;
const BEST = 4; // patterns that small changes start from
const LARGEST = 12; // bursts that small changes may come to, if the start had fewer
const PROGRESS = 250;

export function search(question: Question, stage: Stage, effort: Effort): Found {
  const random = rng(effort.seed, "worst");
  const materials = materialsOf(question, stage.epochUs, stage.clients.length);
  const log = logOf(question, stage, effort, horizonUs(materials));
  log.attempt([{ atUs: materials.startsUs[0]!, count: 1, client: 0 }]);
  for (const pattern of structured(materials)) {
    if (log.spent > LIKELY * effort.units) break;
    log.attempt(pattern);
  }
  while (log.spent < DRAWN * effort.units) log.attempt(drawn(materials, random));
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

interface Log {
  readonly attempt: (pattern: Pattern) => Tried | null;
  best: readonly Tried[];
  patterns: number;
  spent: number;
}

function logOf(question: Question, stage: Stage, effort: Effort, lastUs: number): Log {
  const log: Log = {
    best: [],
    patterns: 0,
    spent: 0,
    attempt: (pattern) => {
      log.spent += costOf(question, pattern);
      if (pattern.length === 0 || pattern.at(-1)!.atUs > lastUs) return null;
      log.patterns++;
      if (log.patterns % PROGRESS === 0) effort.progress(log.patterns, log.best[0]?.most ?? 0);
      const tried = stage.play(pattern);
      if (tried !== null) log.best = withOne(log.best, tried);
      return tried;
    },
  };
  return log;
}

const HEARTBEAT_US = 2_000_000;
const MOST_ROUNDS = 1600; // what is quiet for longer is not played through

/** About the time that a play takes, in plays of one request: all the while every gateway hears every other. */
function costOf({ nodes }: Question, pattern: Pattern): number {
  const rounds = Math.min(MOST_ROUNDS, (pattern.at(-1)?.atUs ?? 0) / HEARTBEAT_US);
  return 1 + requestsIn(pattern) / 100 + ((rounds + 1) * nodes * nodes) / 500;
}

/** Above zero where `a` is the better one: more admitted, then fewer bursts, then fewer requests. */
const compared = (a: Tried, b: Tried): number =>
  a.most - b.most ||
  b.pattern.length - a.pattern.length ||
  requestsIn(b.pattern) - requestsIn(a.pattern);

function withOne(best: readonly Tried[], tried: Tried): readonly Tried[] {
  const last = best.at(-1);
  if (best.length === BEST && last !== undefined && compared(tried, last) <= 0) return best;
  return [...best, tried].toSorted((a, b) => compared(b, a)).slice(0, BEST);
}

/** Keeps every change that loses nothing, so that it can cross a plain. */
function climb(log: Log, start: Tried, until: number, materials: Materials, random: Rng): void {
  const largest = Math.max(LARGEST, start.pattern.length + 1);
  let here = start;
  while (log.spent < until) {
    const next = moved(here.pattern, materials, random);
    if (next.length > largest) {
      log.spent += 1;
      continue;
    }
    const tried = log.attempt(next);
    if (tried !== null && tried.most >= here.most) here = tried;
  }
}
