import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import {
  virtualWebhooks,
  type DeliveryAttempt,
  type EventThen,
  type Received,
} from "#src/lab/drivers/virtual-webhooks.ts";
import type { Letter } from "#src/gateway/management/events/letter.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { sign } from "#src/gateway/management/http/webhook-sender.node.ts";
import {
  bodyIn,
  event,
  IN_BRACES,
  SECOND_US,
  setting,
  START_US,
} from "../../gateway/management/events/couriers.ts";

const timeAt = (seconds: number) => micros(START_US + seconds * SECOND_US);

async function playing(webhook: JsonObject, receive: (letter: Letter) => Received) {
  const on = await setting();
  await on.keep("one", webhook);
  const webhooks = virtualWebhooks({
    records: on.records,
    secrets: IN_BRACES,
    fromUs: timeAt(0),
    random: () => 1,
    bounds: () => ({ cooldownUs: 60 * SECOND_US, mostWaiting: 1_000 }),
    sign,
    isCredential: () => false,
    receive,
  });
  return { ...on, ...webhooks };
}

const happening = (name: Parameters<typeof event>[0], atS: number): EventThen => ({
  atUs: timeAt(atS),
  event: event(name, { atS }),
});

const summaryOf = ({ sentUs, endedUs, status, error }: DeliveryAttempt): readonly unknown[] => [
  (sentUs - START_US) / SECOND_US,
  (endedUs - START_US) / SECOND_US,
  status,
  error,
];

test("a failed delivery is sent again at its time, and one without a response ends with the webhook's Timeout", async () => {
  const answers: Received[] = [
    { status: 500, afterUs: 1 * SECOND_US },
    { status: null, afterUs: 0 },
    { status: 200, afterUs: Number.POSITIVE_INFINITY },
    { status: 204, afterUs: 4 * SECOND_US },
  ];
  const on = await playing({ Events: ["StoreRecovered"], Timeout: 5 }, () => answers.shift()!);
  await on.until(timeAt(600), [happening("StoreRecovered", 2)]);
  expect(on.attempts.map(summaryOf)).toEqual([
    [2.025, 3.025, 500, "answered 500"],
    [8.025, 8.025, null, "broke off"],
    [18.025, 23.025, null, "did not answer in time"],
    [43.025, 47.025, 204, null],
  ]);
  expect(new Set(on.attempts.map(({ letter }) => letter.body)).size).toBe(1);
});

test("exceeded limits are delivered when their cooldown is over, with events in their order", async () => {
  const on = await playing({}, () => ({ status: 200, afterUs: 0 }));
  const events = Array.from({ length: 1_000 }, (_, i) => happening("RatelimitExceeded", i / 10));
  await on.until(timeAt(30), events.slice(0, 301));
  expect(on.attempts).toEqual([]);
  await on.until(timeAt(200), events.slice(301));
  expect(
    on.attempts.map((each) => [summaryOf(each)[0], bodyIn(each.letter)["meta"]]),
  ).toMatchObject([
    [60, { count: 600 }],
    [120, { count: 400 }],
  ]);
});

test("a call's changes apply from then on, and its events are delivered", async () => {
  const on = await playing({ Events: ["StoreRecovered", "UserRegistered"] }, () => ({
    status: 200,
    afterUs: 0,
  }));
  await on.until(timeAt(10), [happening("StoreRecovered", 1)]);
  await on.change("one", { URL: "https://moved.example/" });
  const audited = { actor: "test", operation: "createUser", atUs: timeAt(10) };
  await on.records.write(audited, async ({ insert }) => {
    await insert("users", "u1", {}, { unique: null, text: null });
  });
  await on.until(timeAt(20), [happening("StoreRecovered", 15)]);
  const sent = on.attempts.map(({ letter }) => [letter.delivery.event, letter.url]);
  expect(sent).toEqual([
    ["StoreRecovered", "https://receiver.example/hook"],
    ["UserRegistered", "https://moved.example/"],
    ["StoreRecovered", "https://moved.example/"],
  ]);
});
