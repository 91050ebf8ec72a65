import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Courier } from "#src/gateway/management/events/courier.ts";
import type { Letter } from "#src/gateway/management/events/letter.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { holdsLater } from "../../../runs.ts";
import { event, setting } from "./couriers.ts";

const WEBHOOKS: Readonly<Record<string, readonly string[]>> = {
  both: ["RatelimitExceeded", "StoreRecovered"],
  merged: ["RatelimitExceeded"],
  single: ["StoreRecovered"],
};

type Step =
  | { readonly do: "exceed"; readonly budget: number }
  | { readonly do: "recover" }
  | { readonly do: "write" }
  | { readonly do: "fail"; readonly budget: number }
  | { readonly do: "turn" }
  | { readonly do: "answer"; readonly which: number; readonly status: number }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("exceed" as const), budget: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constant({ do: "recover" as const }) },
  { weight: 2, arbitrary: fc.constant({ do: "write" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fail" as const), budget: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.constant({ do: "turn" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      which: fc.nat(20),
      status: fc.constantFrom(200, 200, 503),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      seconds: fc.constantFrom(1, 30, 59, 60, 61, 4_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
);

interface Model {
  readonly expected: Map<string, number>; // by webhook: how often its events have happened
  readonly unwritten: Map<string, number>; // of these, the events in memory only
  second: number;
}

const listing = (name: string): readonly string[] =>
  Object.entries(WEBHOOKS).flatMap(([webhook, events]) => (events.includes(name) ? [webhook] : []));

function countEvent({ expected, unwritten }: Model, name: string): void {
  for (const webhook of listing(name))
    for (const counts of [expected, unwritten]) counts.set(webhook, (counts.get(webhook) ?? 0) + 1);
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const records = await recordsInMemory();
  const { queue } = records.deliveries;
  let isAway = false;
  const failing: typeof queue = (...values) =>
    isAway ? Promise.reject(new Error("the database is away")) : queue(...values);
  const on = await setting({
    random: () => 0.5,
    mostWaiting: 1_000,
    records: { ...records, deliveries: { ...records.deliveries, queue: failing } },
  });
  for (const [id, Events] of Object.entries(WEBHOOKS)) await on.keep(id, { Events });
  const model: Model = { expected: new Map(), unwritten: new Map(), second: 0 };
  const bodies = new Map<string, string>(); // by id
  const broken: string[] = [];
  let by: Courier = on.courier;
  let open: Letter[] = [];
  for (const each of steps) {
    switch (each.do) {
      case "exceed":
        by.accept(event("RatelimitExceeded", { budget: `b${each.budget}`, atS: model.second }));
        countEvent(model, "RatelimitExceeded");
        break;
      case "recover":
        by.accept(event("StoreRecovered", { budget: null, atS: model.second }));
        countEvent(model, "StoreRecovered");
        break;
      case "write":
        await by.write();
        model.unwritten.clear();
        break;
      case "fail": {
        isAway = by.hasAccepted();
        const written = by.write();
        const name = each.budget === 0 ? "StoreRecovered" : "RatelimitExceeded";
        const budget = each.budget === 0 ? null : `b${each.budget}`;
        by.accept(event(name, { budget, atS: model.second })); // while the database fails
        countEvent(model, name);
        const outcome = await written.then(
          () => false,
          () => true,
        );
        if (outcome !== isAway) broken.push("a write ended unlike the database");
        isAway = false;
        break;
      }
      case "turn": {
        const { letters } = await by.turn();
        model.unwritten.clear();
        for (const { delivery, body } of letters) {
          if ((bodies.get(delivery.id) ?? body) !== body)
            broken.push(`${delivery.id} has two bodies`);
          bodies.set(delivery.id, body);
        }
        open.push(...letters);
        for (const [webhook, own] of Map.groupBy(open, ({ delivery }) => delivery.webhook))
          if (own.length > 4) broken.push(`${webhook} has ${own.length} under way`);
        break;
      }
      case "answer": {
        const [letter] = open.splice(each.which % Math.max(1, open.length), 1);
        if (letter !== undefined)
          await by.recordReceipt(letter, { status: each.status, error: null });
        break;
      }
      case "wait":
        model.second += each.seconds;
        on.at(model.second);
        break;
      case "restart": // unwritten events are gone with the process, and so are its letters under way
        for (const [webhook, count] of model.unwritten)
          model.expected.set(webhook, (model.expected.get(webhook) ?? 0) - count);
        model.unwritten.clear();
        open = [];
        by = on.another();
    }
  }
  await by.write();
  const rows = await on.list();
  for (const webhook of Object.keys(WEBHOOKS)) {
    const own = rows.filter((row) => row.webhook === webhook);
    const stored = own.reduce((sum, { count }) => sum + count, 0);
    expect([webhook, stored]).toEqual([webhook, model.expected.get(webhook) ?? 0]);
  }
  expect(broken).toEqual([]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  await on.records.close();
}

test("whatever happens, each event that was written is in one delivery of each webhook that lists it", () =>
  holdsLater(fc.asyncProperty(fc.array(step, { maxLength: 60 }), runSteps), 150));
