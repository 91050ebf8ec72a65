// What a scenario lets happen during its run, with the places in its text: injected faults, and calls that change
// something. A timeline shows them, and moves or removes them by changing the text.
import { plural } from "../../../kit/reading/legible.ts";
import { durationIn } from "../../../kit/reading/duration.ts";
import { isJsonMap, type Json, type JsonMap } from "../../../kit/reading/shape.ts";
import type { TextRange, YamlSource } from "../../../kit/reading/source.ts";
import type { TextChange } from "../with-fault.ts";

export interface TimelineEvent {
  readonly atUs: number;
  readonly forUs: number; // 0: a moment
  readonly words: string;
  readonly item: TextRange;
  readonly at: TextRange; // of its time
}

/** A timeline has no place for more. */
const MOST_EVENTS = 24;

export function timelineEvents({ value, rangeOf }: YamlSource): readonly TimelineEvent[] {
  if (value === undefined || !isJsonMap(value)) return [];
  const events: TimelineEvent[] = [];
  for (const name of ["faults", "traffic"]) {
    const list = value[name];
    if (!Array.isArray(list)) continue;
    for (const [index, each] of (list as readonly Json[]).entries()) {
      if (!isJsonMap(each) || (name === "traffic" && each["call"] === undefined)) continue;
      const atUs = durationIn(each["at"] ?? null);
      const item = rangeOf([name, index]);
      const at = rangeOf([name, index, "at"]);
      if (atUs === undefined || item === null || at === null) continue;
      const forUs = durationIn(each["for"] ?? null) ?? 0;
      events.push({ atUs, forUs, words: eventWords(each), item, at });
    }
  }
  return events.slice(0, MOST_EVENTS);
}

const GATEWAY: Readonly<Record<string, string>> = {
  crash: "crashes",
  restart: "restarts",
  leave: "leaves",
};

/** An event in few words, because a timeline has room for few. */
function eventWords(item: JsonMap): string {
  const { gateway, store, clock, configure, call, name, body } = item;
  if (call !== undefined) {
    const rate = rateIn(body ?? null);
    const words = typeof name === "string" ? name : "call";
    return rate === null ? words : `limit becomes ${rate}`;
  }
  if (gateway === "join") {
    const count = Number(item["nodes"] ?? 1);
    return `${count} ${plural(count, "gateway")} more`;
  }
  if (typeof gateway === "string")
    return `gateway ${Number(item["node"] ?? 0)} ${GATEWAY[gateway] ?? gateway}`;
  if (typeof store === "string") return store === "down" ? "store down" : "store restarts";
  if (store !== undefined) return "store slow";
  if (clock !== undefined) return `clock ${Number(item["node"] ?? 0)} jumps`;
  return configure === undefined ? "fault" : "configuration changes";
}

function rateIn(body: Json): number | null {
  if (!isJsonMap(body)) return null;
  const of = body["global_rate_limit"] ?? body;
  const rate = isJsonMap(of) ? of["rate"] : null;
  return typeof rate === "number" ? rate : null;
}

/** The events at their places after a change of the text. */
export const eventsAfter = (
  events: readonly TimelineEvent[],
  { from, to, insert }: TextChange,
): readonly TimelineEvent[] => {
  const by = insert.length - (to - from);
  const after = (range: TextRange): TextRange => ({
    from: range.from >= to && range.from > from ? range.from + by : range.from,
    to: range.to >= to ? range.to + by : range.to,
  });
  return events.map((event) => ({ ...event, item: after(event.item), at: after(event.at) }));
};
