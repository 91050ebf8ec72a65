// The limits of a gateway while records change: in any order of events, no request gets a limit that was outdated when it
// arrived.
import {
  array,
  asyncProperty,
  boolean,
  constant,
  integer,
  option,
  record,
  scheduler as anyOrder,
} from "fast-check";
import { expect, test } from "vitest";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import type { WrittenChange } from "#src/gateway/management/records/records.ts";
import { keyOf, put, remove, rig, rigOver } from "./governed.ts";
import { holdsLater } from "../../runs.ts";

test.each([
  ["keys", "others make", constant(false)],
  ["keys", "this gateway and others make", boolean()],
  ["policies", "others make", constant(false)],
] as const)(
  "no order of lookups and changes of %s that %s lets a request meet what was true before it",
  async (family, _, isOwn) => {
    const all = await recordsInMemory();
    let runs = 0;
    let wrote: (changes: readonly WrittenChange[]) => void = () => {};
    all.onWrite((changes) => wrote(changes));
    await holdsLater(
      asyncProperty(
        anyOrder(),
        array(record({ rate: option(integer({ min: 1, max: 1_000 })), isOwn }), {
          minLength: 2,
          maxLength: 4,
        }),
        async (scheduler, changes) => {
          const id = `k${runs++}`;
          let isPaced = false;
          const turn = (): Promise<unknown> =>
            isPaced ? scheduler.schedule(Promise.resolve()) : Promise.resolve();
          const between = async <T>(work: () => Promise<T>): Promise<T> => {
            await turn();
            const done = await work();
            await turn();
            return done;
          };
          const { records, force, rate } = await rigOver(all, {}, (real) => ({
            ...real,
            find: (...values) => between(() => real.find(...values)),
            read: (...values) => between(() => real.read(...values)),
            changesSince: (...values) => between(() => real.changesSince(...values)),
          }));
          if (family === "policies") await put(records, "keys", id, { apply_policies: [id] });
          await force.applyChanges();
          isPaced = true;
          const states: (number | null)[] = [null]; // rates, or null, in the order of the changes
          let answered = 0; // the latest answered change: no earlier state may be seen
          const applyLater = async (written: readonly WrittenChange[]): Promise<void> => {
            for (let i = 0; i < 6; i++) await turn();
            force.applyOwnWrites(written);
          };
          const write = async ({
            rate: change,
            isOwn,
          }: (typeof changes)[number]): Promise<void> => {
            const place = states.push(change) - 1;
            // The gateway is notified of its own write at any time after the write.
            wrote = (written) => {
              if (isOwn) void applyLater(written);
            };
            for (let i = 0; i < 3; i++) await turn(); // readers come between
            await between(() =>
              change === null ? remove(all, family, id) : put(all, family, id, keyOf(change)),
            );
            await force.applyChanges();
            answered = place;
          };
          const writer = async (): Promise<void> => {
            for (const change of changes) await write(change);
          };
          const reader = async (): Promise<void> => {
            for (let i = 0; i < 8; i++) {
              await turn();
              const from = answered;
              const seen = await rate(id);
              expect(states.slice(from)).toContain(seen);
            }
          };
          await scheduler.waitFor(Promise.all([writer(), reader(), reader(), reader()]));
          expect(await scheduler.waitFor(rate(id))).toBe(states.at(-1));
        },
      ),
      family === "keys" ? 300 : 100,
    );
  },
);

/** Delays responses of one operation until it is opened. */
function gate(): {
  readonly pass: <T>(response: Promise<T>) => Promise<T>;
  readonly open: () => void;
  isShut: boolean;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    isShut: false,
    open: resolve,
    async pass(response) {
      const answer = await response;
      if (this.isShut) await promise;
      return answer;
    },
  };
}

test("a key that is created during its lookup is found by the next request", async () => {
  const late = gate();
  const { records, force, rate } = await rig({}, (real) => ({
    ...real,
    find: (...of) => late.pass(real.find(...of)),
  }));
  late.isShut = true;
  const early = Promise.all([rate("k"), rate("l")]);
  await new Promise(setImmediate); // by now the lookup has read that there is none
  late.isShut = false;
  for (const id of ["k", "l"]) await put(records, "keys", id, keyOf(5));
  await force.applyChanges();
  expect(await rate("k")).toBe(5);
  late.open();
  expect(await early).toEqual([5, null]);
  expect(await rate("l")).toBe(5);
});

test("a state that was read first is not applied last", async () => {
  const late = gate();
  const { records, force, rate } = await rig({}, (real) => ({
    ...real,
    read: (...of) => late.pass(real.read(...of)),
  }));
  const policy = (rate: number) => ({ rate, per: 1, access_rights: { a: {} } });
  await put(records, "keys", "k", { apply_policies: ["p"] });
  await put(records, "policies", "p", policy(1));
  late.isShut = true;
  const first = force.applyChanges();
  await new Promise(setImmediate);
  late.isShut = false;
  await put(records, "policies", "p", policy(2));
  const second = force.applyChanges();
  await new Promise(setImmediate);
  late.open();
  await Promise.all([first, second]);
  expect(await rate("k")).toBe(2);
});
