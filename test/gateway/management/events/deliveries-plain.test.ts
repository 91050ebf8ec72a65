// The queue in plain memory behaves as the one in a database, whatever is done with both.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type {
  Deliveries,
  Delivery,
  DeliveryRetention,
} from "#src/gateway/management/events/deliveries.ts";
import type { Happening } from "#src/gateway/management/events/happening.ts";
import { recordsInPlainMemory } from "#src/gateway/management/records/plain.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { holdsLater } from "../../../runs.ts";
import { setting } from "./couriers.ts";

const WEBHOOKS = {
  both: { Events: ["RatelimitExceeded", "StoreRecovered"] },
  // Created after the first events, in microseconds since 1970.
  later: { Events: ["RatelimitExceeded"], CreatedAt: new Date(20 / 1_000).toISOString() },
  merged: { Events: ["RatelimitExceeded"] },
};

/** One operation on a queue. `known`: the deliveries that it has claimed. */
type Step = (queue: Deliveries, known: Delivery[]) => Promise<unknown>;

const atUs = fc.nat(60);
const webhook = fc.constantFrom(...Object.keys(WEBHOOKS), "unknown");
const text = fc.constantFrom(null, "alice", "Ünï");

const happening: fc.Arbitrary<Happening> = fc
  .record({
    event: fc.constantFrom("RatelimitExceeded" as const, "StoreRecovered" as const),
    firstUs: atUs,
    lasts: fc.nat(10),
    api: text,
    key: text,
    path: text,
    meta: fc.constantFrom({}, { budget: "b" }),
    count: fc.integer({ min: 1, max: 5 }),
    budget: fc.constantFrom(null, "a", "b", "x".repeat(700), `${"x".repeat(700)}y`),
  })
  .map(({ lasts, ...rest }) => ({ ...rest, lastUs: rest.firstUs + lasts }));

const retention: fc.Arbitrary<DeliveryRetention> = fc.record({
  deliveredSinceUs: atUs,
  deadSinceUs: atUs,
  mostDelivered: fc.nat(20),
  mostDead: fc.nat(20),
  mostBytes: fc.constantFrom(0, 300, 900, 1e6, 1e6),
});

const settled = fc.record({
  state: fc.constantFrom("waiting" as const, "delivered" as const, "dead" as const),
  dueUs: atUs,
  atUs,
  status: fc.constantFrom(null, 200, 500),
  error: fc.constantFrom(null, "answered 500"),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.array(happening, { maxLength: 4 }), fc.constantFrom(0, 10), fc.nat(6))
      .map(
        ([happenings, cooldownUs, mostWaiting]): Step =>
          (queue) =>
            queue.queue(happenings, { cooldownUs, mostWaiting }),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(webhook, fc.nat(3), atUs)
      .map(([of, most, nowUs]): Step => async (queue, known) => {
        const claimed = await queue.claim(of, most, nowUs, 15);
        known.push(...claimed);
        return claimed;
      }),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(20), settled).map(
      ([which, result]): Step =>
        async (queue, known) =>
          known.length > 0 && queue.settle(known[which % known.length]!, result),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(20), atUs).map(([which, nowUs]): Step => (queue, known) => {
      const ids = [null, "nothing", ...known.map(({ id }) => id)];
      return queue.resend(ids[which % ids.length]!, nowUs);
    }),
  },
  {
    weight: 1,
    arbitrary: retention.map(
      (bounds): Step =>
        (queue) =>
          queue.prune(bounds),
    ),
  },
);

async function openQueues() {
  const all = [recordsInPlainMemory(), await recordsInMemory()];
  for (const records of all) {
    const { keep } = await setting({ records });
    for (const [id, document] of Object.entries(WEBHOOKS)) await keep(id, document);
  }
  return all;
}

const everythingIn = async (queue: Deliveries) => ({
  rows: await queue.list(null, 1_000),
  dead: await queue.list("dead", 2),
  due: await queue.due(30),
  nextUs: await queue.nextDueUs(30),
  lost: await queue.listLost(),
});

test("a queue in plain memory and one in SQLite return the same after every operation", () =>
  holdsLater(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const [plain, inSqlite] = await openQueues();
      const known: readonly [Delivery[], Delivery[]] = [[], []];
      for (const each of steps) {
        const returned = await each(plain!.deliveries, known[0]);
        expect(returned).toEqual(await each(inSqlite!.deliveries, known[1]));
        expect(await everythingIn(plain!.deliveries)).toEqual(
          await everythingIn(inSqlite!.deliveries),
        );
      }
      await inSqlite!.close();
    }),
    200,
  ));
