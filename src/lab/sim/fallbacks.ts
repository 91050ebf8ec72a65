// When each gateway decided without the store: from the failure that it noticed first to the answer that
// brought the store back (ALG-C8: a change-over is an event, and a span in the history).
import type { HistoryEvent, HistorySpan } from "../scenario/history.ts";
import type { Micros } from "../../kit/units.ts";

export function fallbacksOf(
  events: readonly HistoryEvent[],
  endUs: Micros,
): readonly HistorySpan[] {
  return events.flatMap(({ event, gateway, atUs }, index): HistorySpan[] => {
    if (event !== "StoreUnavailable") return [];
    // A process that started anew in between has forgotten, and notices the store's absence itself.
    const next = events.find(
      (later, at) => at > index && later.gateway === gateway && later.event.startsWith("Store"),
    );
    const text = "decides without the store";
    return [{ what: "fallback", gateway, fromUs: atUs, toUs: next?.atUs ?? endUs, text }];
  });
}
