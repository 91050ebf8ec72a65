// What is true of every allowance, by the events and samples that tell of it.
import { SPECS } from "../spec/by-algorithm.ts";
import { formatDuration, micros } from "../core/units.ts";
import { entriesOf, type Entry } from "../oracle/entries.ts";
import type { Limit, Smoothing } from "../core/limit.ts";
import { isSmoothed } from "../oracle/levels.ts";
import type { OracleWorld } from "../oracle/world.ts";
import type { History, HistoryEvent } from "../scenario/history.ts";
import type { Broken, Looked } from "./looked.ts";

interface Bounds extends Smoothing {
  readonly rate: number;
}

const boundsOf = ({ rate, smoothing }: Limit): Bounds => ({ ...smoothing!, rate });

/** The smoothing rules that each key has met. */
function rulesByKey(entries: readonly Entry[]): ReadonlyMap<string, readonly Bounds[]> {
  const rules = new Map<string, Map<string, Bounds>>();
  for (const { admission, levels } of entries) {
    const key = admission.kind === "served" ? admission.client?.key.id : undefined;
    if (key === undefined) continue;
    const own = rules.get(key) ?? new Map<string, Bounds>();
    rules.set(key, own);
    for (const { limit } of levels.filter(isSmoothed))
      own.set(JSON.stringify(boundsOf(limit)), boundsOf(limit));
  }
  return new Map([...rules].map(([key, own]) => [key, [...own.values()]]));
}

const tells = ({ event, value }: HistoryEvent): boolean =>
  event.startsWith("RateLimitSmoothing") && value !== null;

/** SMO-2: between threshold and rate, of some rule that the key has met. */
export function brokenAllowances(history: History, world: OracleWorld): Looked {
  const rules = rulesByKey(entriesOf(history, world));
  const told = [
    ...history.events.filter(tells),
    ...history.gauges.filter(({ gauge }) => gauge === "allowance"),
  ];
  const broken: Broken[] = [];
  let examined = 0;
  for (const { key, value, atUs } of told) {
    const own = rules.get(key ?? "") ?? [];
    if (own.length === 0 || value === null) continue;
    examined += 1;
    const least = Math.min(...own.map(({ threshold }) => threshold));
    const most = Math.max(...own.map(({ rate }) => rate));
    if (value >= least && value <= most) continue;
    const text = `the allowance of ${key} is ${value} at t=${formatDuration(micros(atUs))}, and not between ${least} and ${most}`;
    broken.push({ row: null, text, isCertain: true });
  }
  return { examined, broken };
}

/** SMO-3, SMO-4, EVT-1: from the threshold on, each event is one step from the one before, or to a bound. */
export function brokenChanges(history: History, world: OracleWorld): Looked {
  const entries = entriesOf(history, world);
  if (!isKept(entries, world)) return { examined: 0, broken: [] };
  const rules = rulesByKey(entries);
  const series = Map.groupBy(history.events.filter(tells), ({ budget }) => budget);
  const broken: Broken[] = [];
  let examined = 0;
  for (const events of series.values()) {
    const keys = new Set(events.map(({ key }) => key));
    const [key] = keys;
    const own = rules.get(key ?? "") ?? [];
    // Clients of several rules on one budget step by whichever rule comes.
    if (keys.size > 1 || own.length === 0) continue;
    examined += events.length;
    const inTime = events.toSorted((a, b) => a.stampUs - b.stampUs);
    const wrong = own.map((bounds) => firstWrong(inTime, bounds));
    const first = wrong.includes(-1) ? -1 : Math.max(...wrong);
    const event = inTime[first];
    if (event === undefined) continue;
    const before = inTime[first - 1]?.value ?? "the threshold";
    const text = `the allowance of ${key} goes from ${before} to ${event.value} with ${event.event} at t=${formatDuration(event.stampUs)}`;
    broken.push({ row: null, text, isCertain: true });
  }
  return { examined, broken };
}

/** Where state is lost, limits change or writes overlap, one change says nothing of the next. */
const isKept = (entries: readonly Entry[], world: OracleWorld): boolean =>
  world.storeRestartsUs.length === 0 &&
  world.epochs.length === 1 &&
  entries.every(
    ({ outage, levels }) =>
      outage === "none" &&
      (world.storeFlightUs === 0 ||
        levels.every(
          (level) => !isSmoothed(level) || SPECS[level.algorithm].overshootsBy === null,
        )),
  );

function firstWrong(events: readonly HistoryEvent[], bounds: Bounds): number {
  const { threshold, step, rate } = bounds;
  let value = threshold;
  return events.findIndex(({ event, value: told }) => {
    const before = value;
    value = told!;
    const wanted =
      event === "RateLimitSmoothingUp"
        ? Math.min(before + step, rate)
        : Math.max(before - step, threshold);
    return value === before || Math.abs(value - wanted) > 1e-9;
  });
}
