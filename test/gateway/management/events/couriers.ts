// A courier over records in memory with a clock of its own, and the events that tests send through it.
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { micros } from "#src/kit/units.ts";
import { courier, type Courier } from "#src/gateway/management/events/courier.ts";
import type { Delivery } from "#src/gateway/management/events/deliveries.ts";
import type { Letter } from "#src/gateway/management/events/letter.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import type { Secrets } from "#src/gateway/management/management.ts";
import type { PlainRecords } from "#src/gateway/management/records/plain.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { sign } from "#src/gateway/management/http/webhook-sender.node.ts";

export const SECOND_US = 1_000_000;
export const START_US = 1_700_000_000 * SECOND_US;

/** What every kind of records has. */
type TestRecords = Records | PlainRecords;

export interface Setting {
  readonly records: TestRecords;
  readonly courier: Courier;
  /** A second gateway over the same records. */
  readonly another: () => Courier;
  readonly at: (seconds: number) => void;
  readonly keep: (id: string, webhook: JsonObject) => Promise<void>;
  readonly change: (id: string, members: JsonObject) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly list: () => Promise<readonly Delivery[]>; // the oldest first
}

export interface Features {
  readonly cooldownUs?: number;
  readonly mostWaiting?: number;
  readonly random?: () => number;
  readonly records?: TestRecords;
  readonly isCredential?: (text: string) => boolean;
}

export async function setting({
  cooldownUs = 60 * SECOND_US,
  mostWaiting = 100,
  random = () => 1,
  isCredential = () => false,
  ...given
}: Features = {}): Promise<Setting> {
  const records = given.records ?? (await recordsInMemory());
  let nowUs = START_US;
  const another = (): Courier =>
    courier({
      records,
      nowUs: () => nowUs,
      random,
      bounds: () => ({ cooldownUs, mostWaiting }),
      sign,
      secrets: IN_BRACES,
      isCredential,
    });
  const audited = { actor: "test", operation: "keep", atUs: START_US };
  const foundBy = { unique: null, text: null };
  const requireWebhook = async (id: string) => {
    const before = await records.read("webhooks", id);
    if (before === null) throw new Error(`there is no webhook ${id}`);
    return before;
  };
  return {
    records,
    courier: another(),
    another,
    at: (seconds) => {
      nowUs = START_US + Math.round(seconds * SECOND_US);
    },
    keep: async (id, webhook) => {
      await records.write(audited, (writing) =>
        writing.insert("webhooks", id, { ...WEBHOOK, ID: id, ...webhook }, foundBy),
      );
    },
    change: async (id, members) => {
      const before = await requireWebhook(id);
      await records.write(audited, (writing) =>
        writing.replace("webhooks", before, { ...before.document, ...members }, foundBy),
      );
    },
    remove: async (id) => {
      const before = await requireWebhook(id);
      await records.write(audited, (writing) => writing.remove("webhooks", before));
    },
    list: async () => (await records.deliveries.list(null, 1_000)).toReversed(),
  };
}

/** A sealed value is recognizable, and can be unsealed only where it was sealed. */
export const IN_BRACES: Secrets = {
  generate: () => "made",
  hashOf: (secret) => `hash-of-${secret}`,
  seal: (text, { id }) => `{${id}: ${text}}`,
  isSealed: (text) => text.startsWith("{"),
  isOfKey: () => true,
  useKeyOf: () => {},
  unseal: (sealed, { id }) => {
    const start = `{${id}: `;
    if (!sealed.startsWith(start)) throw new Error(`${id} does not open`);
    return sealed.slice(start.length, -1);
  },
};

const WEBHOOK: JsonObject = {
  ID: "",
  Name: "of a test",
  URL: "https://receiver.example/hook",
  Method: "POST",
  Timeout: 5,
  Headers: [],
  Events: ["RatelimitExceeded"],
};

export const event = (
  name: LimiterEvent["event"],
  { atS = 0, ...fields }: Partial<Omit<LimiterEvent, "event">> & { readonly atS?: number } = {},
): LimiterEvent => ({
  event: name,
  stampUs: micros(START_US + atS * SECOND_US),
  key: "alice",
  api: "orders",
  budget: "key/orders|alice",
  value: null,
  path: "/orders/7",
  ...fields,
});

export const bodyIn = ({ body }: Letter): JsonObject => JSON.parse(body) as JsonObject;

export const headersIn = ({ headers }: Letter): Readonly<Record<string, string>> =>
  Object.fromEntries(headers);

/** Runs one turn, and reports this status for all its letters. */
export async function round(by: Courier, status: number): Promise<readonly Letter[]> {
  const { letters } = await by.turn();
  for (const letter of letters)
    await by.recordReceipt(letter, { status, error: status < 300 ? null : `answered ${status}` });
  return letters;
}
