// Rules that hold for every allowance, checked on events and samples.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import { entriesOf, type Entry } from "../oracle/entries.ts";
import type { Limit, Smoothing } from "../../limiter/core/limit.ts";
import { isSmoothed } from "../oracle/levels.ts";
import type { OracleWorld } from "../oracle/world.ts";
import type { History, HistoryEvent } from "../scenario/history.ts";
import type { Violation, RuleCheck } from "./rule-check.ts";

interface Bounds extends Smoothing {
  readonly rate: number;
}

const boundsOf = ({ rate, smoothing }: Limit): Bounds => ({ ...smoothing!, rate });

/** By key, the smoothing rules under which its requests were decided. */
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

const isAllowanceEvent = ({ event, value }: HistoryEvent): boolean =>
  event.startsWith("RateLimitSmoothing") && value !== null;

/** SMO-2: an allowance is between the smallest threshold and the highest rate of its key's smoothing rules. */
export function checkAllowances(history: History, world: OracleWorld): RuleCheck {
  const rules = rulesByKey(entriesOf(history, world));
  const samples = [
    ...history.events.filter(isAllowanceEvent),
    ...history.gauges.filter(({ gauge }) => gauge === "allowance"),
  ];
  const violations: Violation[] = [];
  let examined = 0;
  for (const { key, value, atUs } of samples) {
    const own = rules.get(key ?? "") ?? [];
    if (own.length === 0 || value === null) continue;
    examined += 1;
    const least = Math.min(...own.map(({ threshold }) => threshold));
    const most = Math.max(...own.map(({ rate }) => rate));
    if (value >= least && value <= most) continue;
    const text = `the allowance of ${key} is ${value} at t=${formatDuration(micros(atUs))}, and not between ${least} and ${most}`;
    violations.push({ row: null, text, isCertain: true });
  }
  return { examined, violations };
}

/** SMO-3, SMO-4, EVT-1: the allowance starts at the threshold, and each event moves it by one step or to a bound. */
export function checkAllowanceChanges(history: History, world: OracleWorld): RuleCheck {
  const entries = entriesOf(history, world);
  if (!isContinuous(entries, world)) return { examined: 0, violations: [] };
  const rules = rulesByKey(entries);
  const series = Map.groupBy(history.events.filter(isAllowanceEvent), ({ budget }) => budget);
  const violations: Violation[] = [];
  let examined = 0;
  for (const events of series.values()) {
    const keys = new Set(events.map(({ key }) => key));
    const [key] = keys;
    const own = rules.get(key ?? "") ?? [];
    // Events are not checked if keys share the budget: each request steps the allowance by the rule of its own key.
    if (keys.size > 1 || own.length === 0) continue;
    examined += events.length;
    const inTime = events.toSorted((a, b) => a.stampUs - b.stampUs);
    const firstWrongIndexes = own.map((bounds) => firstWrong(inTime, bounds));
    const first = firstWrongIndexes.includes(-1) ? -1 : Math.max(...firstWrongIndexes);
    const event = inTime[first];
    if (event === undefined) continue;
    const before = inTime[first - 1]?.value ?? "the threshold";
    const text = `the allowance of ${key} goes from ${before} to ${event.value} with ${event.event} at t=${formatDuration(event.stampUs)}`;
    violations.push({ row: null, text, isCertain: true });
  }
  return { examined, violations };
}

/** False if state is lost, limits change or writes overlap: then the previous allowance does not determine the next. */
const isContinuous = (entries: readonly Entry[], world: OracleWorld): boolean =>
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
  return events.findIndex(({ event, value: next }) => {
    const before = value;
    value = next!;
    const due =
      event === "RateLimitSmoothingUp"
        ? Math.min(before + step, rate)
        : Math.max(before - step, threshold);
    return value === before || Math.abs(value - due) > 1e-9;
  });
}
