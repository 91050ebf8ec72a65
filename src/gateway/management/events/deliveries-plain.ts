// The queue in the memory of one program, without a database, for simulations in a browser. Each operation is one step,
// so that no other operation sees a partial change.
import { writeJson } from "../json.ts";
import { bytesOf } from "../records/bounds.ts";
import {
  BYTES_OF_A_ROW,
  deliveryIdOf,
  type Deliveries,
  type Delivery,
  type DeliveryRetention,
  type QueueBounds,
} from "./deliveries.ts";
import { mergeHappenings, type Happening } from "./happening.ts";
import { selectFor, mergingOf, type Subscription } from "./queueing.ts";

interface Row {
  delivery: Delivery;
  merging: string | null; // events with this value are merged into the delivery; null: none
}

/** `queueNow` queues events as a part of a write, so it returns no promise. */
export interface PlainDeliveries extends Deliveries {
  readonly queueNow: (happenings: readonly Happening[], bounds: QueueBounds) => number;
}

export function deliveriesInPlainMemory(
  subscriptions: () => readonly Subscription[],
): PlainDeliveries {
  let rows: Row[] = []; // ordered by number
  const lost = new Map<string, number>(); // number of lost deliveries, by webhook
  let numbered = 0;

  const waiting = (): readonly Row[] => rows.filter(({ delivery }) => delivery.state === "waiting");
  const ofWebhook = (webhook: string): readonly Row[] =>
    waiting().filter(({ delivery }) => delivery.webhook === webhook);
  const dueAt = (nowUs: number): readonly Row[] =>
    waiting().filter(({ delivery }) => delivery.dueUs <= nowUs);
  const recordLost = (webhook: string, count: number): void =>
    void lost.set(webhook, (lost.get(webhook) ?? 0) + count);

  function insert(webhook: string, happening: Happening, merging: string | null, dueUs: number) {
    const row = ++numbered; // an event that is merged takes a number too, as it does in a database
    const other = merging === null ? undefined : rows.find((row) => row.merging === merging);
    if (other !== undefined) {
      const { delivery } = other;
      const { lastUs, api, key, path, count } = mergeHappenings(
        { ...delivery, budget: null },
        happening,
      );
      other.delivery = { ...delivery, lastUs, api, key, path, count };
      return;
    }
    const { budget: _, ...fields } = happening;
    const id = deliveryIdOf(happening.firstUs, row);
    const start = {
      state: "waiting",
      attempts: 0,
      endedUs: null,
      status: null,
      error: null,
    } as const;
    rows.push({ delivery: { ...fields, ...start, row, id, webhook, dueUs }, merging });
  }

  function queueNow(happenings: readonly Happening[], bounds: QueueBounds): number {
    let lostCount = 0;
    for (const subscription of subscriptions()) {
      const { webhook } = subscription;
      const listed = selectFor(subscription, happenings);
      if (listed.length === 0) continue;
      const firstUs = Math.min(...listed.map((each) => each.firstUs));
      for (const row of ofWebhook(webhook)) if (row.delivery.dueUs <= firstUs) row.merging = null;
      const free = Math.max(0, bounds.mostWaiting - ofWebhook(webhook).length);
      const added = listed
        .slice(0, free)
        .map((happening) => ({ happening, ...mergingOf(webhook, happening, bounds.cooldownUs) }))
        .toSorted((one, other) => compare(one.merging ?? "", other.merging ?? ""));
      for (const { happening, merging, dueUs } of added) insert(webhook, happening, merging, dueUs);
      const overflow = listed.length - added.length;
      if (overflow > 0) recordLost(webhook, overflow);
      lostCount += overflow;
    }
    return lostCount;
  }

  function resendNow(nowUs: number, isWanted: (delivery: Delivery) => boolean): number {
    const ended = rows.filter(({ delivery }) => isWanted(delivery));
    for (const row of ended)
      row.delivery = {
        ...row.delivery,
        state: "waiting",
        dueUs: nowUs,
        attempts: 0,
        endedUs: null,
      };
    return ended.length;
  }

  function dropOldest(mostBytes: number, isDropped: (delivery: Delivery) => boolean) {
    let excessBytes = rows.reduce((sum, row) => sum + sizeOf(row), 0) - mostBytes;
    const dropped = new Set<Row>();
    for (const row of rows.filter(({ delivery }) => isDropped(delivery))) {
      if (excessBytes <= 0) break;
      dropped.add(row);
      excessBytes -= sizeOf(row);
    }
    rows = rows.filter((row) => !dropped.has(row));
    return [...dropped].map(({ delivery }) => delivery.webhook);
  }

  function pruneNow(retention: DeliveryRetention): number {
    const { deliveredSinceUs, deadSinceUs, mostDelivered, mostDead, mostBytes } = retention;
    const newest = rows.at(-1)?.delivery.row ?? 0;
    rows = rows.filter(({ delivery: { state, endedUs, row } }) => {
      if (state === "waiting") return true;
      const [sinceUs, most] =
        state === "dead" ? [deadSinceUs, mostDead] : [deliveredSinceUs, mostDelivered];
      return endedUs! >= sinceUs && row > newest - most;
    });
    dropOldest(mostBytes, ({ state }) => state !== "waiting");
    const dropped = dropOldest(mostBytes, ({ state }) => state === "waiting");
    for (const webhook of dropped) recordLost(webhook, 1);
    return dropped.length;
  }

  return {
    queueNow,
    queue: async (happenings, bounds) => queueNow(happenings, bounds),
    due: async (nowUs) =>
      [...new Set(dueAt(nowUs).map(({ delivery }) => delivery.webhook))].toSorted(compare),
    claim: async (webhook, most, nowUs, leaseUs) => {
      const claimed = dueAt(nowUs)
        .filter(({ delivery }) => delivery.webhook === webhook)
        .toSorted((one, other) => one.delivery.dueUs - other.delivery.dueUs)
        .slice(0, most);
      for (const row of claimed) {
        const { attempts } = row.delivery;
        row.delivery = { ...row.delivery, dueUs: nowUs + leaseUs, attempts: attempts + 1 };
        row.merging = null;
      }
      return claimed.map(({ delivery }) => delivery).toSorted((one, other) => one.row - other.row);
    },
    settle: async (settled, { state, dueUs, atUs, status, error }) => {
      const row = waiting().find(({ delivery }) => delivery.row === settled.row);
      if (row?.delivery.attempts !== settled.attempts) return;
      const endedUs = state === "waiting" ? null : atUs;
      row.delivery = { ...row.delivery, state, dueUs, endedUs, status, error };
    },
    nextDueUs: async (afterUs) => {
      const later = waiting().flatMap(({ delivery: { dueUs } }) => (dueUs > afterUs ? dueUs : []));
      return later.length === 0 ? null : Math.min(...later);
    },
    list: async (state, most) =>
      rows
        .map(({ delivery }) => delivery)
        .filter((delivery) => state === null || delivery.state === state)
        .toReversed()
        .slice(0, most),
    resend: async (id, nowUs) =>
      resendNow(nowUs, (delivery) =>
        id === null
          ? delivery.state === "dead"
          : delivery.id === id && delivery.state !== "waiting",
      ),
    listLost: async () =>
      [...lost]
        .map(([webhook, count]) => ({ webhook, count }))
        .toSorted((one, other) => compare(one.webhook, other.webhook)),
    prune: async (retention) => pruneNow(retention),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const sizeOf = ({ delivery, merging }: Row): number => {
  const { webhook, api, key, path, meta, error } = delivery;
  const texts = [webhook, api, key, path, writeJson(meta), merging, error];
  return texts.reduce((sum, each) => sum + bytesOf(each ?? ""), BYTES_OF_A_ROW);
};
