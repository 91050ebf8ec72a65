// The document of weir identify, and its text.
import { formatDuration, micros } from "../core/units.ts";
import { many, oneLine } from "../reading/legible.ts";
import type { Paint } from "../report/result-text.ts";
import { compareAnnounced, type AnnouncedFindings } from "./announced.ts";
import { algorithmsOf, BEHAVIOURS, numbersText, type LimitBehaviour } from "./behaviour.ts";
import { ASPECTS, type CountedByFindings } from "./counted-by.ts";
import type { Identification } from "./identify.ts";
import { countOf } from "./target.ts";

export const IDENTIFY_FORMAT = "weir-identify/1";

interface BehaviourFacts {
  readonly behaviour: string;
  readonly title: string;
  readonly algorithms: readonly string[];
  readonly numbers: string;
  readonly capacity: number;
  readonly spanUs: number;
  readonly windowsBegin: "with the first request" | "with the clock" | null; // null: no such windows
  readonly countsRefusals: boolean;
}

export interface IdentifyResult {
  readonly format: typeof IDENTIFY_FORMAT;
  readonly target: string;
  readonly seed: number;
  readonly isNamed: boolean;
  readonly identified: BehaviourFacts | null;
  /** Why nothing is named; empty: it is. */
  readonly why: string;
  readonly left: readonly BehaviourFacts[];
  readonly countedBy: CountedByFindings;
  readonly announced: AnnouncedFindings | null;
  readonly resolutionUs: number;
  readonly requests: number;
  readonly seconds: number;
  readonly steps: readonly {
    readonly title: string;
    readonly suspects: number;
    readonly groups: readonly {
      readonly sentMs: number;
      readonly count: number;
      readonly admitted: number;
      readonly refused: number;
      readonly lost: number;
    }[];
  }[];
}

const factsOf = (behaviour: LimitBehaviour): BehaviourFacts => ({
  behaviour: behaviour.name,
  title: BEHAVIOURS[behaviour.name].title,
  algorithms: algorithmsOf(behaviour),
  numbers: numbersText(behaviour),
  capacity: behaviour.capacity,
  spanUs: Math.round(behaviour.spanUs),
  windowsBegin: WINDOWS_BEGIN[behaviour.name] ?? null,
  countsRefusals: BEHAVIOURS[behaviour.name].countsRefusals,
});

const WINDOWS_BEGIN: Partial<Record<LimitBehaviour["name"], BehaviourFacts["windowsBegin"]>> = {
  window: "with the first request",
  clock_window: "with the clock",
  two_windows: "with the clock",
};

export function buildIdentifyResult(
  target: string,
  seed: number,
  found: Identification,
): IdentifyResult {
  const { behaviour, left, why, countedBy, steps, timing, requests, durationUs } = found;
  const startUs = steps[0]?.groups[0]?.responses[0]?.sentUs ?? 0;
  return {
    format: IDENTIFY_FORMAT,
    target,
    seed,
    isNamed: behaviour !== null,
    identified: behaviour === null ? null : factsOf(behaviour),
    why,
    left: behaviour === null ? left.map(factsOf) : [],
    countedBy,
    announced: behaviour === null ? null : compareAnnounced(steps, behaviour, timing),
    resolutionUs: Math.round(timing.tripUs),
    requests,
    seconds: Math.round(durationUs / 100_000) / 10,
    steps: steps.map(({ title, suspects, groups }) => ({
      title,
      suspects,
      groups: groups.map((group) => ({
        sentMs: Math.round((Math.max(group.atUs, startUs) - startUs) / 1_000),
        count: group.count,
        admitted: countOf(group, "admitted"),
        refused: countOf(group, "refused"),
        lost: countOf(group, "lost") + countOf(group, "other"),
      })),
    })),
  };
}

export function identifyText(result: IdentifyResult, paint: Paint): readonly string[] {
  const { identified, left, why, requests, seconds, steps, target } = result;
  const cost = `${many(requests, "request")} in ${seconds} s, ${many(steps.length, "experiment")}`;
  if (identified === null)
    return [
      `${paint("doubtful", "undecided")} ${oneLine(target)}: ${oneLine(why)}`,
      ...left.map(({ title, numbers }) => `  possible     ${title}: ${numbers}`),
      `  evidence     ${cost}`,
    ];
  const rows = [
    ["algorithm", identified.algorithms.join(" or ")],
    ["limit", identified.numbers],
    ["windows", identified.windowsBegin === null ? "none" : `begin ${identified.windowsBegin}`],
    ["refusals", identified.countsRefusals ? "count as attempts" : "do not count"],
    ["counted by", aspectsText(result.countedBy)],
    ["resolution", `times are known to ${formatDuration(micros(result.resolutionUs))}`],
    ["Retry-After", waitText(result.announced!)],
    ["headers", limitText(result.announced!, identified.capacity)],
    ["evidence", cost],
  ];
  return [
    `${paint("good", "identified")} ${oneLine(target)}: ${identified.title}, ${identified.numbers}`,
    ...rows.map(([name, text]) => `  ${name!.padEnd(12)} ${text}`),
  ];
}

const aspectsText = (countedBy: CountedByFindings): string =>
  ASPECTS.map((aspect) => {
    const found = countedBy[aspect];
    return `${aspect}: ${found === null ? "undecided" : found ? "yes" : "no"}`;
  }).join(", ");

function waitText({ refusals, waits, tooShort, tooLong }: AnnouncedFindings): string {
  if (waits === 0) return `in none of ${many(refusals, "refusal")}`;
  const wrong = [
    ...(tooShort === 0 ? [] : [`${tooShort} too short`]),
    ...(tooLong === 0 ? [] : [`${tooLong} more than a second too long`]),
  ];
  return `in ${waits} of ${many(refusals, "refusal")}, ${wrong.length === 0 ? "all true" : wrong.join(", ")}`;
}

function limitText({ limits }: AnnouncedFindings, capacity: number): string {
  if (limits.length === 0) return "none has a limit";
  return `the limit is ${limits.join(", ")}: ${limits.includes(capacity) ? "true" : "not what is admitted at once"}`;
}
