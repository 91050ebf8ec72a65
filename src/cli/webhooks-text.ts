// Formats deliveries to webhooks as text, and as JSON.
import type { Delivery, LostDeliveries } from "../gateway/management/events/deliveries.ts";

const timeOf = (us: number): string => new Date(us / 1_000).toISOString();

/** Describes the next attempt of a waiting delivery, or the end of a completed one. */
function describeDelivery({ state, dueUs, endedUs, attempts, error }: Delivery): string {
  const why = error === null ? "" : `: ${error}`;
  switch (state) {
    case "waiting":
      return attempts === 0 ? `due ${timeOf(dueUs)}` : `again ${timeOf(dueUs)}${why}`;
    case "delivered":
      return `at ${timeOf(endedUs ?? dueUs)}`;
    case "dead":
      return `since ${timeOf(endedUs ?? dueUs)}${why}`;
  }
}

const COLUMNS = ["delivery", "webhook", "event", "times", "state", "attempts", "when"];

export function deliveryLines(deliveries: readonly Delivery[]): readonly string[] {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map((each) => [
    each.id,
    each.webhook,
    each.event,
    String(each.count),
    each.state,
    String(each.attempts),
    describeDelivery(each),
  ]);
  const all = [COLUMNS, ...rows];
  const wide = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(wide[column]!))
      .join("  ")
      .trimEnd(),
  );
}

export const linesOfLost = (lost: readonly LostDeliveries[]): readonly string[] =>
  lost.map(({ webhook, count }) => `${webhook} has lost ${count}: its queue was full`);

/** The delivery without fields that only the queue needs. */
export const deliveryJson = (delivery: Delivery): Readonly<Record<string, unknown>> => {
  const { id, webhook, event, state, firstUs, lastUs, api, key, path, meta, count } = delivery;
  const { dueUs, attempts, endedUs, status, error } = delivery;
  return {
    id,
    webhook,
    event,
    state,
    first: timeOf(firstUs),
    last: timeOf(lastUs),
    count,
    api_id: api,
    key,
    path,
    meta,
    attempts,
    due: state === "waiting" ? timeOf(dueUs) : null,
    ended: endedUs === null ? null : timeOf(endedUs),
    status,
    error,
  };
};
