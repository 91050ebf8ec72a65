// Delivers events to webhooks, without clock or socket: its caller calls each turn, sends the letters and reports the
// receipts, in real time or in virtual time.
import type { LimiterEvent } from "../../../limiter/core/events.ts";
import { webhookView } from "../families/webhook.ts";
import type { JsonObject } from "../json.ts";
import type { Secrets } from "../management.ts";
import type { Records } from "../records/records.ts";
import { unsealFields } from "../sealed.ts";
import { maskBudget, maskPath, startOfPath } from "../../without-credentials.ts";
import type { QueueBounds, Delivery, DeliveryRetention, DeliveryResult } from "./deliveries.ts";
import { mergeHappenings, happeningOf, type Happening } from "./happening.ts";
import { letterOf, type Letter, type Sign } from "./letter.ts";
import { retryAfterUs } from "./retries.ts";

/** The result of an attempt to deliver a letter. */
export interface Receipt {
  readonly status: number | null; // null: no response
  readonly error: string | null; // why the attempt failed
}

export interface CourierPorts {
  readonly records: Pick<Records, "bounds" | "read" | "deliveries">;
  readonly nowUs: () => number;
  readonly random: () => number; // a random number in [0, 1)
  readonly bounds: () => QueueBounds; // read again each time, because a reload may change them
  readonly sign: Sign;
  readonly secrets: Secrets;
  /** Whether a text in an event is a credential, and has to be masked. */
  readonly isCredential: (text: string) => boolean;
}

interface CourierTurn {
  readonly letters: readonly Letter[]; // to be sent now
  readonly againUs: number | null; // when the next delivery is due; null: no delivery is waiting
  readonly failure: unknown; // an error after letters were claimed; undefined: none
}

/** Counts since the start of this process. */
export interface CourierCounts {
  accepted: number;
  delivered: number;
  failed: number; // failed attempts
  dead: number;
  lost: number; // events that did not fit into the queue, or were dropped from it
}

export interface Courier {
  /** Accepts an event during a request: takes one look-up in a map, never waits, and never fails. */
  readonly accept: (event: LimiterEvent) => void;
  readonly hasAccepted: () => boolean;
  /** Stores the accepted events. If storing fails, these events stay accepted. */
  readonly write: () => Promise<void>;
  /** Stores accepted events and claims due deliveries. Must not be called again before the previous call ends. */
  readonly turn: () => Promise<CourierTurn>;
  readonly recordReceipt: (letter: Letter, receipt: Receipt) => Promise<void>;
  readonly counts: Readonly<CourierCounts>;
}

/** Maximum number of accepted events that wait to be stored, so that a long outage cannot fill the memory. */
const MOST_ACCEPTED = 10_000;

/** The largest number of simultaneous deliveries of one webhook, so that a slow receiver delays no other webhook. */
const MOST_AT_ONCE = 4;

/** How long a claim lasts. Every Timeout is shorter, so a process that has not settled its claim by then has ended. */
export const LEASE_US = 60_000_000;

const MINUTE_US = 60_000_000;
const DAY_US = 24 * 60 * MINUTE_US;
const DELIVERED_RETENTION_US = DAY_US;
const DEAD_RETENTION_US = 30 * DAY_US;
const MOST_DELIVERED = 10_000;
const MOST_DEAD = 100_000;

const retentionAt = (atUs: number, mostBytes: number): DeliveryRetention => ({
  mostBytes,
  deliveredSinceUs: atUs - DELIVERED_RETENTION_US,
  deadSinceUs: atUs - DEAD_RETENTION_US,
  mostDelivered: MOST_DELIVERED,
  mostDead: MOST_DEAD,
});

export function courier(ports: CourierPorts): Courier {
  const { records, nowUs, random, bounds, sign, secrets, isCredential } = ports;
  const { deliveries } = records;
  const counts: CourierCounts = { accepted: 0, delivered: 0, failed: 0, dead: 0, lost: 0 };
  const underWay = new Map<string, number>(); // number of running deliveries by webhook
  let waiting = new Map<string, Happening>();
  let separate = 0; // a number that names each event that is never merged
  let prunedUs = 0;

  const collect = (name: string, happening: Happening): void => {
    const other = waiting.get(name);
    if (other !== undefined) waiting.set(name, mergeHappenings(other, happening));
    else if (waiting.size < MOST_ACCEPTED) waiting.set(name, happening);
    else counts.lost++;
  };

  const mask = (happening: Happening): Happening =>
    maskCredentials(happening, isCredential, secrets.hashOf);

  const write = async (): Promise<void> => {
    const batch = waiting;
    if (batch.size === 0) return;
    waiting = new Map();
    try {
      const happenings = [...batch.values()].map(mask);
      counts.lost += await deliveries.queue(happenings, bounds());
    } catch (error) {
      const newer = waiting;
      waiting = batch;
      for (const [name, happening] of newer) collect(name, happening);
      throw error;
    }
  };

  const settle = async (delivery: Delivery, receipt: Receipt, isFinal: boolean): Promise<void> => {
    const atUs = nowUs();
    const result = resultOf(delivery, receipt, isFinal, atUs, random);
    if (result.state === "delivered") counts.delivered++;
    else counts.failed++;
    if (result.state === "dead") counts.dead++;
    await deliveries.settle(delivery, result);
  };

  const letterFor = async (delivery: Delivery): Promise<Letter | null> => {
    const stored = await records.read("webhooks", delivery.webhook);
    if (stored?.isDamaged === true) {
      await settle(delivery, { status: null, error: "the webhook's record is damaged" }, false);
      return null;
    }
    if (stored === null || !webhookView(stored).Events.includes(delivery.event)) {
      const error = stored === null ? "the webhook is gone" : "the webhook lists this no longer";
      await settle(delivery, { status: null, error }, true);
      return null;
    }
    try {
      const document = unsealFields(secrets, "webhooks", stored.id, stored.document);
      const webhook = webhookView({ id: stored.id, document });
      return letterOf(delivery, webhook, secretIn(document), nowUs(), sign);
    } catch (error) {
      // If one record cannot be unsealed, other webhooks must not wait.
      await settle(delivery, { status: null, error: String(error) }, false);
      return null;
    }
  };

  const take = async (atUs: number, letters: Letter[]): Promise<void> => {
    for (const webhook of await deliveries.due(atUs)) {
      const free = MOST_AT_ONCE - (underWay.get(webhook) ?? 0);
      if (free === 0) continue;
      for (const delivery of await deliveries.claim(webhook, free, atUs, LEASE_US)) {
        const letter = await letterFor(delivery);
        if (letter !== null) letters.push(letter);
      }
    }
  };

  const prune = async (atUs: number): Promise<void> => {
    if (atUs < prunedUs + MINUTE_US) return;
    counts.lost += await deliveries.prune(retentionAt(atUs, records.bounds().deliveriesBytes));
    prunedUs = atUs;
  };

  return {
    counts,
    accept: (event) => {
      const happening = happeningOf(event);
      if (happening === null) return;
      counts.accepted++;
      const { budget } = happening;
      collect(budget === null ? `${separate++}` : `${happening.event} ${budget}`, happening);
    },
    hasAccepted: () => waiting.size > 0,
    write,
    turn: async () => {
      await write();
      const atUs = nowUs();
      const letters: Letter[] = [];
      let againUs: number | null = null;
      let failure: unknown;
      try {
        await take(atUs, letters);
        await prune(atUs);
        againUs = await deliveries.nextDueUs(atUs);
      } catch (error) {
        failure = error; // claimed letters are still sent, because no other process can send them before the lease ends
      }
      for (const { delivery } of letters) addCount(underWay, delivery.webhook, 1);
      return { letters, againUs, failure };
    },
    recordReceipt: async ({ delivery }, receipt) => {
      addCount(underWay, delivery.webhook, -1);
      await settle(delivery, receipt, false);
    },
  };
}

const secretIn = ({ Secret }: JsonObject): string | null =>
  typeof Secret === "string" ? Secret : null;

function resultOf(
  { attempts }: Delivery,
  { status, error }: Receipt,
  isFinal: boolean,
  atUs: number,
  random: () => number,
): DeliveryResult {
  const common = { atUs, status, error };
  if (status !== null && status >= 200 && status < 300)
    return { ...common, state: "delivered", dueUs: atUs };
  const waitUs = isFinal ? null : retryAfterUs(attempts, random);
  return waitUs === null
    ? { ...common, state: "dead", dueUs: atUs }
    : { ...common, state: "waiting", dueUs: atUs + waitUs };
}

function addCount(of: Map<string, number>, name: string, more: number): void {
  const now = (of.get(name) ?? 0) + more;
  if (now === 0) of.delete(name);
  else of.set(name, now);
}

const LONGEST_PATH = 2_048;

/** The path of an event about a known key cannot contain an unknown credential, so only known ones are masked. */
function maskCredentials(
  happening: Happening,
  isCredential: (text: string) => boolean,
  hashOf: (text: string) => string,
): Happening {
  const { path, meta, budget: mergedBy } = happening;
  const masking = { own: null, isCredential, isStrange: false };
  const { budget } = meta;
  const maskedBy = mergedBy === null ? null : maskBudget(mergedBy, masking);
  return {
    ...happening,
    path: path === null ? null : maskPath(startOfPath(path, LONGEST_PATH), masking),
    meta: typeof budget === "string" ? { ...meta, budget: maskBudget(budget, masking) } : meta,
    // Events are merged by this name, so the names of two budgets must stay different.
    budget: maskedBy === mergedBy ? mergedBy : `${maskedBy} ${hashOf(mergedBy!)}`,
  };
}
