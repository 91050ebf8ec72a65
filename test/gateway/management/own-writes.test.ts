// A gateway knows the keys that it has written itself, also during an outage of the database that follows.
import { expect, test } from "vitest";
import type { WrittenChange } from "#src/gateway/management/records/records.ts";
import { keyOf, put, remove, rig } from "./governed.ts";

async function writing() {
  const outage = { isThere: false, lookups: 0, isNoticed: Promise.resolve() };
  const log = { isTooShort: false, onRead: async () => {} };
  const respond = async <T>(response: Promise<T>): Promise<T> => {
    outage.lookups++;
    if (!outage.isThere) return response;
    await outage.isNoticed;
    throw new Error("no connection");
  };
  const made = await rig({}, (real) => ({
    ...real,
    find: (...of) => respond(real.find(...of)),
    read: (...of) => respond(real.read(...of)),
    changesSince: (seq) => respond(log.isTooShort ? Promise.resolve(null) : real.changesSince(seq)),
    list: async (family, page) => {
      const listed = await real.list(family, page);
      if (family === "policies") await log.onRead();
      return listed;
    },
  }));
  const { records, force } = made;
  /** Receives the writes of this test: own writes are remembered, those of another gateway are not. */
  let wrote: (changes: readonly WrittenChange[]) => void = force.applyOwnWrites;
  records.onWrite((changes) => wrote(changes));
  const byAnother = async (work: () => Promise<void>): Promise<void> => {
    wrote = () => {};
    await work();
    wrote = force.applyOwnWrites;
  };
  /** Its own write, of which this gateway is notified later. */
  const withheld = async (work: () => Promise<void>): Promise<() => void> => {
    let changes: readonly WrittenChange[] = [];
    wrote = (written) => void (changes = written);
    await work();
    wrote = force.applyOwnWrites;
    return () => force.applyOwnWrites(changes);
  };
  return { ...made, outage, log, byAnother, withheld };
}

test("keys that were created, changed or deleted just before an outage have their new state", async () => {
  const { records, outage, rate } = await writing();
  await put(records, "keys", "changed", keyOf(5));
  await put(records, "keys", "deleted", keyOf(5));
  expect([await rate("changed"), await rate("deleted")]).toEqual([5, 5]);
  await put(records, "keys", "changed", keyOf(6));
  await put(records, "keys", "made", keyOf(7));
  await remove(records, "keys", "deleted");
  const { lookups } = outage;
  outage.isThere = true;
  expect([await rate("changed"), await rate("made"), await rate("deleted")]).toEqual([6, 7, null]);
  expect(outage.lookups).toBe(lookups);
});

test("they keep it when the gateway reads the changes, and cost no lookup", async () => {
  const { records, force, outage, rate } = await writing();
  await put(records, "keys", "k", keyOf(5));
  await force.applyChanges();
  const { lookups } = outage;
  expect(await rate("k")).toBe(5);
  await put(records, "keys", "k", keyOf(6));
  expect([force.isKnown("k"), await rate("k"), outage.lookups]).toEqual([true, 6, lookups]);
  await force.applyChanges();
  outage.isThere = true;
  expect([force.isKnown("k"), await rate("k")]).toEqual([true, 6]);
});

test("a later change by another gateway is read, in any order of notices", async () => {
  const { records, force, outage, byAnother, withheld, rate } = await writing();
  await put(records, "keys", "k", keyOf(5));
  await byAnother(() => put(records, "keys", "k", keyOf(6)));
  expect(await rate("k")).toBe(5); // this gateway has no notice yet
  await force.applyChanges();
  expect([force.isKnown("k"), await rate("k")]).toEqual([false, 6]);

  const apply = await withheld(() => put(records, "keys", "k", keyOf(7)));
  await byAnother(() => put(records, "keys", "k", keyOf(8)));
  await force.applyChanges();
  apply();
  expect(await rate("k")).toBe(8);

  // A notice of the database may be faster than its response to the write.
  const applyLater = await withheld(() => put(records, "keys", "k", keyOf(9)));
  await force.applyChanges();
  applyLater();
  outage.isThere = true;
  expect(await rate("k")).toBe(9);
});

test("a request whose lookup fails is served from a write of that time", async () => {
  const { records, outage, rate } = await writing();
  const { promise, resolve: notice } = Promise.withResolvers<void>();
  Object.assign(outage, { isThere: true, isNoticed: promise });
  const waiting = [rate("k"), rate("nobody's").catch(() => "failed")];
  await put(records, "keys", "k", keyOf(5));
  notice();
  expect(await Promise.all(waiting)).toEqual([5, "failed"]);
});

test("above a number of own writes the oldest are looked up again", async () => {
  const { records, force, outage, rate } = await writing();
  for (let index = 0; index <= 1_000; index++)
    await put(records, "keys", `k${index}`, keyOf(index + 1));
  await force.applyChanges();
  const { lookups } = outage;
  expect([await rate("k0"), await rate("k1")]).toEqual([1, 2]);
  expect(outage.lookups).toBe(lookups + 1);
});

test("policies and APIs that were written just before an outage are applied", async () => {
  const { records, gateway, outage, rate } = await writing();
  await put(records, "policies", "gold", { ...keyOf(3), quota_max: -1 });
  await put(records, "keys", "k", { apply_policies: ["gold"] });
  expect(await rate("k")).toBe(3);
  await put(records, "policies", "gold", { ...keyOf(4), quota_max: -1 });
  await put(records, "apis", "made", { listen: "/made" });
  const { lookups } = outage;
  outage.isThere = true;
  const { configuration } = gateway.limiter.resolver;
  expect(await rate("k")).toBe(4);
  expect([...configuration.apis.keys()]).toEqual(["a", "made"]);
  expect(outage.lookups).toBe(lookups);
});

test("a later change of a policy by another gateway is applied, in any order of notices", async () => {
  const { records, force, byAnother, withheld, rate } = await writing();
  const policy = (of: number) => put(records, "policies", "gold", keyOf(of));
  await policy(3);
  await put(records, "keys", "k", { apply_policies: ["gold"] });
  await byAnother(() => policy(4));
  expect(await rate("k")).toBe(3); // this gateway has no notice yet
  await force.applyChanges();
  expect(await rate("k")).toBe(4);
  const apply = await withheld(() => policy(5));
  await byAnother(() => policy(6));
  await force.applyChanges();
  apply();
  expect(await rate("k")).toBe(6);
  const following = byAnother(() => policy(7)).then(force.applyChanges);
  await policy(8); // while the other one is read
  await following;
  expect(await rate("k")).toBe(8);
});

test("after everything is read again, changes by another gateway replace own writes", async () => {
  const { records, force, log, byAnother, withheld, rate } = await writing();
  await put(records, "policies", "gold", keyOf(3));
  await put(records, "keys", "of gold", { apply_policies: ["gold"] });
  for (const id of ["changed", "deleted"]) await put(records, "keys", id, keyOf(5));
  const applyLate = await withheld(() => put(records, "keys", "late", keyOf(5)));
  await force.applyChanges();
  await byAnother(async () => {
    await put(records, "policies", "gold", keyOf(4));
    await put(records, "keys", "late", keyOf(6));
    await put(records, "keys", "changed", keyOf(6));
    await remove(records, "keys", "deleted");
  });
  const rates = () => Promise.all(["of gold", "changed", "deleted"].map(rate));
  expect(await rates()).toEqual([3, 5, 5]); // this gateway has no notice yet
  log.isTooShort = true;
  await force.applyChanges();
  expect(await rates()).toEqual([4, 6, null]);
  expect(await rate((await force.credentialOf("changed"))!)).toBe(6);
  applyLate();
  expect(await rate("late")).toBe(6);
});

test("own writes that are made while everything is read again are applied, and cost no lookup", async () => {
  const { records, force, outage, log, rate } = await writing();
  await put(records, "keys", "k", keyOf(5));
  await put(records, "policies", "gold", keyOf(3));
  await put(records, "keys", "of gold", { apply_policies: ["gold"] });
  log.isTooShort = true;
  log.onRead = async () => {
    for (const id of ["k", "of gold"]) await put(records, "keys", id, keyOf(7));
    await put(records, "policies", "gold", keyOf(4));
    await put(records, "keys", "l", { apply_policies: ["gold"] });
  };
  await force.applyChanges();
  outage.isThere = true;
  expect(await Promise.all(["k", "of gold", "l"].map(rate))).toEqual([7, 7, 4]);
});
