// The background of every chart over time: spans of injected faults and outages, changes, and events.
import { SECOND } from "../../../kit/units.ts";
import { many } from "../../../kit/reading/legible.ts";
import { isLost, type History, type HistorySpan } from "../../scenario/history.ts";
import type { Fault } from "../../scenario/types.ts";
import type { TimeFigure } from "../model-figures.ts";
import { roundDigits, type Bins } from "./bins.ts";

export type TimeFrame = Pick<TimeFigure, "untilS" | "binS" | "spans" | "marks">;

const MOST_SPANS = 40;

export const frameOf = (history: History, faults: readonly Fault[], bins: Bins): TimeFrame => ({
  untilS: bins.untilS,
  binS: bins.binS,
  spans: spansOf(history, bins),
  marks: marksOf(history, faults, bins),
});

const answerText = (status: number): string =>
  isLost(status) ? "got no response" : `answered ${status}`;

/** Merges overlapping spans with the same text, such as those of several gateways. */
function spansOf({ spans }: History, { untilS }: Bins): TimeFrame["spans"] {
  const merged: TimeFrame["spans"][number][] = [];
  for (const { text, fromUs, toUs } of spans.toSorted(byTime)) {
    const fromS = roundDigits(fromUs / SECOND);
    const toS = Math.min(untilS, roundDigits(toUs / SECOND));
    const before = merged.findLastIndex((span) => span.text === text);
    const last = merged[before];
    if (last !== undefined && last.toS >= fromS)
      merged[before] = { ...last, toS: Math.max(last.toS, toS) };
    else if (fromS < untilS) merged.push({ what: text, fromS, toS, text });
  }
  const left = merged.slice(MOST_SPANS);
  if (left.length === 0) return merged;
  const what = `and ${left.length} more`;
  const fromS = Math.min(...left.map((span) => span.fromS));
  const toS = Math.max(...left.map((span) => span.toS));
  return [...merged.slice(0, MOST_SPANS), { what, fromS, toS, text: what }];
}

const byTime = (a: HistorySpan, b: HistorySpan): number => a.fromUs - b.fromUs;

/** Events without marks: marks of single refusals would hide the others, and an outage is a span already. */
const UNMARKED = new Set([
  "RatelimitExceeded",
  "QuotaExceeded",
  "ShadowLimitExceeded",
  "StoreUnavailable",
  "StoreRecovered",
]);

const MOST_MARKS = 120;
/** Ranks marks: changes by the scenario first, then calls, then events. */
const weightOf = (what: string, changes: ReadonlySet<string>): number =>
  changes.has(what) ? 2 : Number(what === "call");

/** At most one mark of each type in a bin, because a reader could not see more. */
function marksOf(
  { events, calls }: History,
  faults: readonly Fault[],
  { binS, untilS }: Bins,
): TimeFrame["marks"] {
  const marks = new Map<string, { what: string; atS: number; text: string; times: number }>();
  const mark = (what: string, atUs: number, text: string): void => {
    const atS = roundDigits(atUs / SECOND);
    if (atS > untilS) return;
    const place = `${what} ${Math.floor(atS / binS)}`;
    const known = marks.get(place);
    if (known === undefined) marks.set(place, { what, atS, text, times: 1 });
    else known.times += 1;
  };
  // Later marks are drawn above earlier ones.
  for (const { event, stampUs } of events) if (!UNMARKED.has(event)) mark(event, stampUs, event);
  for (const { call, on, method, path, status, answeredUs } of calls)
    mark("call", answeredUs, `${call}: ${method} ${on} ${path} ${answerText(status)}`);
  for (const fault of faults)
    if ("atUs" in fault) mark(changeText(fault), fault.atUs, changeText(fault));
  const all = [...marks.values()].map(({ what, atS, text, times }) => ({
    what,
    atS,
    text: times === 1 ? text : `${text}, and ${times - 1} more`,
  }));
  // If there are too many marks, changes by the scenario stay, because they explain the most.
  const changes = new Set(faults.flatMap((fault) => ("atUs" in fault ? [changeText(fault)] : [])));
  const explaining = all.toSorted((a, b) => weightOf(b.what, changes) - weightOf(a.what, changes));
  const left = explaining.slice(MOST_MARKS);
  if (left.length === 0) return all;
  const what = `and ${left.length} more`;
  const atS = Math.min(...left.map((each) => each.atS));
  const shown = all.filter((each) => !left.includes(each));
  return [...shown, { what, atS, text: `${what} from here on, not marked` }];
}

function changeText(fault: Extract<Fault, { readonly atUs: unknown }>): string {
  switch (fault.kind) {
    case "store_restart":
      return "the store starts again, empty";
    case "gateway_restart":
      return `gateway ${fault.node} starts again`;
    case "gateway_crash":
      return `gateway ${fault.node} crashes`;
    case "gateway_leave":
      return `gateway ${fault.node} leaves`;
    case "gateway_join":
      return `${many(fault.count, "gateway")} ${fault.count === 1 ? "joins" : "join"}`;
    case "clock_skew":
      return `the clock of gateway ${fault.node} is set`;
    case "configure":
      return "the configuration is changed";
  }
}
