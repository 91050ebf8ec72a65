// When each gateway decided without the store: from the first failure that it noticed to the store's first reply after
// the outage. Both changes are events, and the time between them is a span of the history (ALG-C8).
import type { HistoryEvent, HistorySpan } from "../scenario/history.ts";
import type { Micros } from "../../kit/units.ts";

export function fallbacksOf(
  events: readonly HistoryEvent[],
  endUs: Micros,
): readonly HistorySpan[] {
  return events.flatMap(({ event, gateway, atUs }, index): HistorySpan[] => {
    if (event !== "StoreUnavailable") return [];
    // A restarted process does not know of the outage, and has to notice it again.
    const next = events.find(
      (later, at) => at > index && later.gateway === gateway && later.event.startsWith("Store"),
    );
    const text = "decides without the store";
    return [{ what: "fallback", gateway, fromUs: atUs, toUs: next?.atUs ?? endUs, text }];
  });
}
